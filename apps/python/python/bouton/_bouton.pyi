"""The extension, in Rust. What is for users is in the package around it."""

from collections.abc import Mapping
from os import PathLike
from typing import Any

MOST_THREADS: int

def solve(place: Mapping[str, str | None], options: Mapping[str, Any]) -> str: ...
def moves(place: Mapping[str, str | None]) -> str: ...
def check(path: str | PathLike[str], sample: int | None) -> str: ...
def games() -> str: ...
def algorithms() -> str: ...

class Master:
    """The master of a cluster: letters in, orders for workers out, both as bytes."""

    def __new__(
        cls,
        place: Mapping[str, str | None],
        tuning: Mapping[str, float],
        wanted: Mapping[str, Any],
    ) -> Master: ...
    @property
    def search(self) -> int | None: ...
    def letters(self, now: float, letters: list[bytes]) -> list[tuple[int, bytes]]: ...
    def tick(self, now: float) -> list[tuple[int, bytes]]: ...
    def gone(self, now: float, worker: int) -> list[tuple[int, bytes]]: ...
    def view(self) -> dict[str, Any]: ...
    def finish(
        self,
        workers: int,
        expansions: int,
        stopped: str | None,
        seconds: float | None,
    ) -> str: ...

class Group:
    """The workers of one process: orders in, letters for the master out, both as bytes."""

    def __new__(
        cls,
        place: Mapping[str, str | None],
        tuning: Mapping[str, float],
        worker: int,
        seats: int,
        memory: int,
    ) -> Group: ...
    def letters(self, search: int, patience: float) -> tuple[list[bytes], int, float]: ...
    def orders(self, search: int, orders: list[bytes]) -> None: ...
