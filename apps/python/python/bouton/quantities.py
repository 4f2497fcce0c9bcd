"""Sizes and times as people write them: ``8G``, ``30s``."""

from __future__ import annotations

import re

from .errors import UsageError

_SIZES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_TIMES = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def size(text: int | str) -> int:
    """Bytes.

    >>> size("512M") == size(512 << 20)
    True
    """
    number = _read(text, _SIZES)
    if number is None or not 1 <= number < 9e15:
        raise UsageError(f"memory: {text!r} is no size; expected one such as 512M or 8G")
    return int(number)


def time(text: float | str) -> float:
    """Seconds.

    >>> time("1.5h")
    5400.0
    """
    number = _read(text, _TIMES)
    if number is None or not 0 <= number < 1e15:
        raise UsageError(f"time: {text!r} is no time; expected one such as 30s, 5m or 2h")
    return number


def _read(text: float | str, units: dict[str, float] | dict[str, int]) -> float | None:
    match = re.fullmatch(r"(\d+\.?\d*)([a-z]*)", str(text).strip().lower())
    if match is None or match[2] not in units:
        return None
    return float(match[1]) * units[match[2]]
