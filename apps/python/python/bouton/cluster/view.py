"""The live view of a run: a line for people, JSON lines for programs."""

from __future__ import annotations

import json
import sys
import time
from typing import IO, Any

from .crew import Crew


class View:
    """Shows now and then where a run is."""

    def __init__(
        self,
        grouping: int,
        threads: int,
        quiet: bool,
        log: IO[str] | None,
        interval: float | None,
    ) -> None:
        self._grouping = grouping
        self._threads = threads
        self._log = log
        self._is_live = not quiet and sys.stderr.isatty()
        self._is_plain = not quiet and not self._is_live
        self._start = self._last = time.monotonic()
        self._before: dict[str, float] = {}
        self._interval = (1.0 if self._is_live else 10.0) if interval is None else interval

    def look(self, master: dict[str, Any], crew: Crew, *, now: bool = False) -> None:
        """Shows it, if it is time to or asked for."""
        clock = time.monotonic()
        if clock - self._last < self._interval and not now:
            return
        state = self._state(master, crew, clock)
        self._last = clock
        if self._log is not None:
            print(json.dumps(state), file=self._log, flush=True)
        if self._is_live:
            print(f"\r\x1b[K{_line(state)}", end="", file=sys.stderr, flush=True)
        elif self._is_plain:
            print(_line(state), file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leaves the terminal clean."""
        if self._is_live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _state(self, master: dict[str, Any], crew: Crew, clock: float) -> dict[str, Any]:
        here = crew.here()
        passed = max(clock - self._last, 1e-3)
        totals = {
            "jobs": master["jobs"],
            "facts": master["facts"],
            "expansions": crew.expansions(),
            "busy": crew.busy(),
        }
        rates = {name: (all_ - self._before.get(name, 0)) / passed for name, all_ in totals.items()}
        self._before = totals
        workers = len(here) * self._grouping
        threads = workers * self._threads
        return {
            "seconds": round(clock - self._start, 3),
            "workers": workers,
            "workers_wanted": crew.count * self._grouping,
            "workers_lost": crew.lost * self._grouping,
            "last_loss": crew.last_loss,
            "threads": threads,
            "threads_with_a_job": master["jobs_out"] * self._threads,
            "utilisation": round(rates["busy"] / threads, 3) if threads else 0.0,
            "jobs": totals["jobs"],
            "jobs_per_second": round(rates["jobs"], 1),
            "facts": totals["facts"],
            "facts_per_second": round(rates["facts"], 1),
            "expansions": totals["expansions"],
            "expansions_per_second": round(rates["expansions"], 1),
            "heap": master["heap"],
            "proof": master["proof"],
            "disproof": master["disproof"],
            "nodes": master["nodes"],
            "members": [[member.number, member.host, member.pid] for member in here],
        }


def _line(state: dict[str, Any]) -> str:
    beside = f" beside *{state['heap']}" if state["heap"] else ""
    is_open = state["proof"] is not None
    root = f"{state['proof']:,}/{state['disproof']:,}" if is_open else "solved"
    lost = f" ({state['workers_lost']} lost, {state['last_loss']})" if state["last_loss"] else ""
    return (
        f"{state['seconds']:.0f} s: {state['workers']} of {state['workers_wanted']} workers{lost}, "
        f"{state['threads_with_a_job']} of {state['threads']} threads have a job, "
        f"{state['utilisation']:.0%} busy, {state['jobs_per_second']:,.0f} jobs/s, "
        f"{state['expansions_per_second']:,.0f} expansions/s, "
        f"{state['facts']:,} facts ({state['facts_per_second']:,.0f}/s), "
        f"root{beside} {root}, {state['nodes']:,} nodes"
    )
