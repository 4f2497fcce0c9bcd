"""Solves combinatorial games: who wins, Grundy numbers, winning moves, proofs anyone can check.

>>> import bouton
>>> answer = bouton.solve("cram", "4x5", nimber=True)
>>> answer.outcome, answer.nimber
('win', 2)

Games and positions are written as on the command line: :func:`games` lists them. A search does
not hold the interpreter's lock, and Ctrl-C stops it. ``bouton.cluster`` solves on many machines.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any, Literal

from . import _bouton, quantities
from .errors import CertificateError, Error, StoreError, UsageError

__all__ = [
    "Answer",
    "CertificateError",
    "Child",
    "Error",
    "StoreError",
    "UsageError",
    "Verified",
    "algorithms",
    "check",
    "games",
    "moves",
    "solve",
]
__version__ = version("bouton")

Outcome = Literal["win", "loss", "unknown"]
Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Answer:
    """What :func:`solve` has found out."""

    game: str
    position: str
    outcome: Outcome
    """For the player to move."""
    winner: str | None
    """``black`` or ``white``, in games with colours."""
    nimber: int | None
    """The Grundy number, if it was asked for."""
    reason: Literal["time", "memory", "interrupted"] | None
    """Why something that was asked for is unknown."""
    winning_moves: list[str]
    """Those the search knows; with ``all_moves`` all of them."""
    moves: dict[str, Outcome] | None
    """With ``all_moves``: the outcome of each move for the player who makes it."""
    algorithm: str
    threads: int
    counts: dict[str, int]
    cpu_seconds: float
    seconds: float
    peak_memory_bytes: int
    store: dict[str, int] | None
    """What is in the store now, if there is one."""

    @classmethod
    def from_json(cls, text: str) -> Answer:
        """The answer that ``solve --json`` prints."""
        fields = json.loads(text)
        moves = fields.get("moves")
        fields["moves"] = moves and {move["move"]: move["outcome"] for move in moves}
        return cls(**{name: fields.get(name) for name in cls.__dataclass_fields__})

    def to_json(self) -> str:
        """The same again."""
        fields = asdict(self)
        if self.moves is not None:
            moves = self.moves.items()
            fields["moves"] = [{"move": move, "outcome": outcome} for move, outcome in moves]
        absent = [name for name in ("winner", "moves", "store") if fields[name] is None]
        for name in absent:
            del fields[name]
        return json.dumps(fields)


@dataclass(frozen=True)
class Child:
    """A canonical child of a position, and the moves that lead to it."""

    position: str
    moves: list[str]


@dataclass(frozen=True)
class Verified:
    """What a certificate proves, as far as it was checked."""

    game: str
    position: str
    claim: str
    verified: bool
    """Whether all of it was checked; a sample is no proof."""
    couples: int
    steps: int
    lookups: int


def solve(
    game: str,
    position: str | int,
    *,
    after: str | None = None,
    nimber: bool = False,
    all_moves: bool = False,
    algorithm: str = "auto",
    threads: int | None = None,
    workers: int | None = None,
    memory: int | str = "2G",
    time: float | str | None = None,
    store: Path | None = None,
    table: Path | None = None,
    certificate: Path | None = None,
    watch: Callable[[Mapping[str, Any]], object] | None = None,
) -> Answer:
    """Says who wins under perfect play.

    >>> solve("sprouts", 6).outcome
    'loss'
    >>> solve("konane", "4x4", after="a1 b1", all_moves=True).moves
    {'a3-a1': 'loss'}

    :param position: a size (the start position) or a position in the game's notation
    :param after: moves that are played first, separated by spaces
    :param nimber: find the Grundy number, too (impartial games)
    :param all_moves: find the outcome of every move
    :param algorithm: see :func:`algorithms`
    :param threads: for parallel algorithms, all cores if left out; of each worker, one if left out
    :param workers: job-level search with so many workers in this process
    :param memory: bytes that tables may take, also as ``512M`` or ``8G``
    :param time: seconds it may take, also as ``5m`` or ``2h``
    :param store: a folder in which facts are kept, and found again by later runs
    :param table: the folder of a strong solution, asked before anything is searched
    :param certificate: a file into which a proof of the answer is written
    :param watch: called about twenty times a second with the progress; ``False`` stops the search
    :raises UsageError: if there is no such game, position, move or algorithm
    :raises KeyboardInterrupt: on Ctrl-C, when the search has stopped and the store is written

    A limit that is reached is no error: the outcome is ``unknown`` then, and ``reason`` says why.

    >>> solve("cram", "9x9", time=0.1).reason
    'time'
    """
    cores = min(os.cpu_count() or 1, _bouton.MOST_THREADS)
    options = {
        "nimber": nimber,
        "all_moves": all_moves,
        "algorithm": algorithm,
        "threads": _count("threads", threads) or (1 if workers else cores),
        "workers": _count("workers", workers),
        "memory": quantities.size(memory),
        "time": None if time is None else quantities.time(time),
        "store": store,
        "table": table,
        "certificate": certificate,
        "watch": watch,
    }
    return Answer.from_json(_bouton.solve(_place(game, position, after), options))


def moves(game: str, position: str | int, *, after: str | None = None) -> list[Child]:
    """The distinct children of a position, each with the moves that lead to it.

    >>> [child.position for child in moves("sprouts", 2)]
    ['1a1a', '0.AB|AB']
    """
    return [Child(**child) for child in json.loads(_bouton.moves(_place(game, position, after)))]


def check(certificate: Path, *, sample: int | None = None) -> Verified:
    """Verifies a certificate by the rules of its game alone.

    :param sample: check about so many steps only, chosen evenly: a quick look, no proof
    :raises CertificateError: if something is wrong with it

    >>> import tempfile
    >>> file = os.path.join(tempfile.mkdtemp(), "proof")
    >>> answer = solve("nim", "3,4,5", nimber=True, certificate=file)
    >>> check(file).claim
    'nimber 2'
    """
    return Verified(**json.loads(_bouton.check(certificate, sample)))


def games() -> list[dict[str, Any]]:
    """The games, and how their positions and moves are written.

    >>> next(game["sizes"] for game in games() if game["name"] == "cram")
    'RxC, rows x columns'
    """
    listed: list[dict[str, Any]] = json.loads(_bouton.games())
    return listed


def algorithms() -> dict[str, str]:
    """The algorithms for :func:`solve`, each with a line about it.

    >>> "dfpn" in algorithms()
    True
    """
    return {row["name"]: row["summary"] for row in json.loads(_bouton.algorithms())}


def _place(game: str, position: str | int, after: str | None) -> dict[str, str | None]:
    return {"game": game, "position": str(position), "after": after}


def _count(name: str, number: int | None) -> int | None:
    if number is not None and not 1 <= number <= _bouton.MOST_THREADS:
        raise UsageError(f"{name}: expected 1 to {_bouton.MOST_THREADS}, not {number}")
    return number
