"""Job-level search on many machines, with Ray: ``python -m bouton.cluster --help``.

>>> from bouton import cluster
>>> cluster.solve("sprouts", 17, workers=8, threads=4, store="facts")  # doctest: +SKIP

The master and the groups of workers are the state machines that the simulator tests with all kinds
of faults; here, bytes are moved between them. The store is the record of truth: if this
process dies, the same call with the same store goes on.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import threading
import time as clock
from collections.abc import Iterator
from typing import IO, Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray

import bouton
from bouton import Answer, _bouton, quantities

from .crew import PATIENCE, Crew
from .view import View
from .worker import Worker

__all__ = ["solve"]

_OBJECT_STORE = 100 << 20
"""Bytes for Ray's objects on a machine: ours are small and short-lived."""


def solve(
    game: str,
    position: str | int,
    *,
    after: str | None = None,
    nimber: bool = False,
    all_moves: bool = False,
    workers: int = 1,
    threads: int = 1,
    grouping: int = 1,
    address: str | None = None,
    memory: int | str = "2G",
    time: float | str | None = None,
    store: bouton.Path | None = None,
    certificate: bouton.Path | None = None,
    iterations: int = 10_000,
    updates: int = 1000,
    quiet: bool = True,
    log: IO[str] | None = None,
    interval: float | None = None,
) -> Answer:
    """Says who wins, by a search of many workers. See :func:`bouton.solve` for what is not here.

    :param workers: how many
    :param threads: of each worker; they search its job together
    :param grouping: so many workers are one process, and share what they find out; it is placed
        where there are so many cores and so much memory
    :param address: of Ray's head; a cluster on this machine is started, if left out
    :param memory: of each process, and of the master in this one
    :param iterations: expansions that a job takes at most
    :param updates: expansions between two updates
    :param quiet: show no progress on standard error
    :param log: where the progress is written as JSON lines
    :param interval: seconds between two looks at the progress; 10, or 1 on a terminal
    :raises bouton.Error: if workers die again and again
    """
    place = {"game": game, "position": str(position), "after": after}
    tuning = {
        "iterations": iterations,
        "updates": updates,
        "patience": PATIENCE,
        "workers": workers,
        "threads": threads,
    }
    processes = -(-workers // grouping)
    workers = processes * grouping
    memory = quantities.size(memory)
    wanted = {
        "nimber": nimber,
        "all_moves": all_moves,
        "memory": memory,
        "store": store,
        "certificate": certificate,
    }
    limit = None if time is None else clock.monotonic() + quantities.time(time)
    master = _bouton.Master(place, tuning, wanted)
    begun_here = _connect(address, workers * threads)
    try:
        crew = Crew(_hiring(place, tuning, grouping, memory), processes)
        view = View(grouping, threads, quiet, log, interval)
        with _sigterm_as_ctrl_c():
            stopped = _drive(master, crew, view, limit)
    finally:
        if begun_here:
            ray.shutdown()
    left = None if limit is None else max(limit - clock.monotonic(), 0.0)
    text = master.finish(workers * threads, crew.expansions(), stopped, left)
    return Answer.from_json(text)


def _connect(address: str | None, cores: int) -> bool:
    """Joins a cluster, or begins one; says whether it is begun here."""
    if ray.is_initialized():
        return False
    if address is not None:
        ray.init(address=address, log_to_driver=False, logging_level=logging.WARNING)
    else:
        ray.init(
            address="local",
            num_cpus=cores,
            include_dashboard=False,
            object_store_memory=_OBJECT_STORE,
            log_to_driver=False,
            logging_level=logging.WARNING,
        )
    return True


@contextlib.contextmanager
def _sigterm_as_ctrl_c() -> Iterator[None]:
    """Whoever ends a batch job wants its checkpoint. Ray has a handler of its own until then."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _hiring(
    place: dict[str, str | None], tuning: dict[str, float], grouping: int, memory: int
) -> Any:
    """How a process with so many workers is made."""
    actor = ray.remote(Worker).options(
        num_cpus=grouping * tuning["threads"],
        memory=memory,
        max_concurrency=4,
        max_restarts=0,
        max_task_retries=0,
        scheduling_strategy="SPREAD",
    )
    return lambda number: actor.remote(bouton.__version__, place, tuning, number, grouping, memory)


def _drive(master: _bouton.Master, crew: Crew, view: View, limit: float | None) -> str | None:
    """Moves bytes until all is known; or says why not."""
    start = ticked = clock.monotonic()
    jobs = 0
    try:
        while (search := master.search) is not None:
            if limit is not None and clock.monotonic() >= limit:
                return "time"
            heard = list(crew.listen(search, timeout=0.5))
            now = clock.monotonic()
            orders = master.letters(
                now - start, [letter for _, said in heard for letter in said or ()]
            )
            for member, said in heard:
                if said is None:
                    orders += master.gone(now - start, member.number)
            if now - ticked > 1.0:
                ticked = now
                orders += master.tick(now - start)
            for number, order in orders:
                crew.send(search, number, order)
            state = master.view()
            if state["jobs"] > jobs:
                jobs = state["jobs"]
                crew.progressed()
            view.look(state, crew)
        return None
    except KeyboardInterrupt:
        return "interrupted"
    finally:
        view.look(master.view(), crew, now=True)
        view.close()
        crew.disband()
