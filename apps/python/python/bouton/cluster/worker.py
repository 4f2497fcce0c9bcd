"""A process of the cluster: an actor around a group of workers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

import bouton
from bouton import _bouton


class Report(NamedTuple):
    """What a worker says whenever it is asked."""

    letters: list[bytes]
    expansions: int
    busy: float
    """Seconds that its threads have searched."""
    pid: int
    host: str


class Worker:
    """Moves bytes; its methods run beside each other, so that orders come during a job."""

    def __init__(
        self,
        version: str,
        place: Mapping[str, str | None],
        tuning: Mapping[str, float],
        number: int,
        grouping: int,
        memory: int,
    ) -> None:
        if version != bouton.__version__:
            raise bouton.Error(
                f"{os.uname().nodename} has bouton {bouton.__version__}, the master {version}: "
                "install the same version on all machines"
            )
        self.group = _bouton.Group(place, tuning, number, grouping, memory)

    def exchange(self, search: int, orders: list[bytes], patience: float) -> Report:
        """Takes orders, and comes back with letters: after so many seconds at the latest."""
        self.group.orders(search, orders)
        letters, expansions, busy = self.group.letters(search, patience)
        return Report(letters, expansions, busy, os.getpid(), os.uname().nodename)

    def orders(self, search: int, orders: list[bytes]) -> None:
        """Takes orders while an exchange is waiting."""
        self.group.orders(search, orders)
