"""The workers as the master's side sees them: hired, asked for letters, replaced when they die.

What Ray says about a death is believed (``ActorDiedError``, ``ActorUnavailableError``), but it may
come a minute late for a frozen machine. So the master gives jobs up on its own when it has not
heard of them for ``PATIENCE``, and a worker that was silent for ``DEAF`` is replaced.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.exceptions import ActorUnavailableError, RayError

from bouton.errors import Error

from .worker import Report

HEARTBEAT = 1.0
"""Seconds after which a worker without news says that it is there."""
PATIENCE = 10.0
"""Seconds after which a job that nobody hears of is given to somebody else."""
DEAF = 60.0
"""Seconds after which a worker that is not heard of is replaced."""
HOPELESS = 3
"""Deaths for each worker, with no job done in between, after which there is no hope."""


@dataclass
class Member:
    """A worker."""

    number: int
    actor: Any
    asked: Any = None
    """The exchange that is under way."""
    orders: list[bytes] = field(default_factory=list)
    """Orders for the next one."""
    heard: float | None = None
    """When it was last heard of."""
    rests_until: float = 0.0
    """It cannot be reached for now."""
    expansions: int = 0
    busy: float = 0.0
    pid: int = 0
    host: str = ""

    def silence(self) -> float:
        """Seconds since it was heard of; less than none, if it never was: it waits for a place."""
        return -1.0 if self.heard is None else time.monotonic() - self.heard


class Crew:
    """So many workers, whatever happens to them."""

    def __init__(self, hire: Callable[[int], Any], count: int) -> None:
        self._hire = hire
        self.count = count
        self._next = 0
        self._deaths = 0
        self.members: dict[int, Member] = {}
        self.lost = 0
        """Workers that had to be replaced."""
        self.last_loss: str | None = None
        """Why the last of them had to be."""
        self._past_expansions = 0
        self._past_busy = 0.0

    def listen(self, search: int, timeout: float) -> Iterator[tuple[Member, list[bytes] | None]]:
        """What comes within some seconds: letters of workers, or ``None`` for one that is gone."""
        self._fill()
        for member in self.members.values():
            self._ask(member, search)
        asked = {member.asked: member for member in self.members.values() if member.asked}
        for reference in _ready(list(asked), timeout):
            yield self._hear(asked[reference])
        for member in self._deaf():
            self._dismiss(member, f"silent for {DEAF:.0f} s")
            yield member, None

    def send(self, search: int, number: int, order: bytes) -> None:
        """Sends an order; workers that are about to be asked get it then."""
        member = self.members.get(number)
        if member is None:
            return
        if member.asked is None:
            member.orders.append(order)
        else:
            member.actor.orders.remote(search, [order])

    def progressed(self) -> None:
        """A job was done: there is hope."""
        self._deaths = 0

    def here(self) -> list[Member]:
        """The workers that were heard of lately."""
        return [member for member in self.members.values() if 0.0 <= member.silence() < PATIENCE]

    def expansions(self) -> int:
        """Of all workers, dead ones too."""
        return self._past_expansions + sum(m.expansions for m in self.members.values())

    def busy(self) -> float:
        """Seconds that all threads have searched."""
        return self._past_busy + sum(m.busy for m in self.members.values())

    def disband(self) -> None:
        """Ends all workers."""
        for member in list(self.members.values()):
            self._end(member)

    def _fill(self) -> None:
        while len(self.members) < self.count:
            number, self._next = self._next, self._next + 1
            self.members[number] = Member(number, self._hire(number))

    def _ask(self, member: Member, search: int) -> None:
        if member.asked is None and member.rests_until <= time.monotonic():
            orders, member.orders = member.orders, []
            member.asked = member.actor.exchange.remote(search, orders, HEARTBEAT)

    def _hear(self, member: Member) -> tuple[Member, list[bytes] | None]:
        reference, member.asked = member.asked, None
        try:
            report: Report = ray.get(reference)
        except ActorUnavailableError:
            # It may come back; what it finds meanwhile is not lost, only its jobs are.
            now = time.monotonic()
            member.heard = member.heard or now
            member.rests_until = now + HEARTBEAT
            return member, None
        except RayError as error:
            self._dismiss(member, _cause(error))
            return member, None
        member.heard = time.monotonic()
        member.expansions, member.busy = report.expansions, report.busy
        member.pid, member.host = report.pid, report.host
        return member, report.letters

    def _deaf(self) -> list[Member]:
        return [member for member in self.members.values() if member.silence() >= DEAF]

    def _dismiss(self, member: Member, why: str) -> None:
        self._end(member)
        self.lost += 1
        self.last_loss = f"worker {member.number} ({member.host} {member.pid}): {why}"
        self._deaths += 1
        if self._deaths > HOPELESS * self.count:
            raise Error(f"workers die again and again without doing a job; the last: {why}")

    def _end(self, member: Member) -> None:
        del self.members[member.number]
        with contextlib.suppress(RayError):
            ray.kill(member.actor)
        self._past_expansions += member.expansions
        self._past_busy += member.busy


def _ready(references: list[Any], timeout: float) -> list[Any]:
    """All exchanges that are done, as soon as one is."""
    if not references:
        time.sleep(timeout)
        return []
    ready, _ = ray.wait(references, num_returns=1, timeout=timeout)
    if ready:
        ready, _ = ray.wait(references, num_returns=len(references), timeout=0)
    return ready


def _cause(error: RayError) -> str:
    """Why a worker died, in a line."""
    cause = getattr(error, "cause", None) or error
    lines = [line.strip() for line in str(cause).splitlines() if line.strip()]
    return lines[-1] if lines else type(cause).__name__
