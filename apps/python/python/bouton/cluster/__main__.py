"""``python -m bouton.cluster solve GAME POSITION``: exit codes and options as ``bouton solve``."""

from __future__ import annotations

import argparse
import sys

import bouton
from bouton import Answer, cluster, quantities

EXAMPLES = """\
examples:
  python -m bouton.cluster solve sprouts 17 --workers 8 --threads 4
  python -m bouton.cluster solve sprouts 20 --address auto --workers 32 --store facts
  python -m bouton.cluster solve cram 5x8 --nimber --workers 2 --certificate proof.bouton

It can be stopped with Ctrl-C, and goes on when it is run again with the same --store.
Exit codes: 0 answered, 1 failure, 2 wrong usage or position, 3 a limit was reached.
"""


def main() -> int:
    options = vars(_parser().parse_args())
    as_json, log = options.pop("json"), options.pop("log")
    del options["command"]
    try:
        if log is None:
            answer = cluster.solve(**options)
        else:
            with open(log, "a", encoding="utf-8") as file:
                answer = cluster.solve(**options, log=file)
        verified = _verify(answer, options["certificate"])
    except KeyboardInterrupt:
        return 130
    except bouton.UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except (bouton.Error, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(answer.to_json() if as_json else _in_words(answer) + verified)
    return 0 if answer.reason is None else 3


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bouton.cluster", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    solve = commands.add_parser(
        "solve",
        help="who wins under perfect play",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = solve.add_argument
    add("game", help="see `bouton games`")
    add("position", help="a size (the start position) or a position in the game's notation")
    add("--after", metavar="MOVES", help="play these moves first, separated by spaces")
    add("--nimber", action="store_true", help="find the Grundy number too (impartial games)")
    add("--all-moves", action="store_true", help="find the outcome of every move")
    add("--workers", type=_count, default=1, metavar="N", help="how many workers [1]")
    add(
        "--threads",
        type=_count,
        default=1,
        metavar="N",
        help="threads of each worker, which search its job together [1]",
    )
    add(
        "--grouping",
        type=_count,
        default=1,
        metavar="N",
        help="workers of a process, which share what they find out [1]",
    )
    add("--address", help="of Ray's head, or auto [a cluster on this machine is started]")
    add(
        "--memory",
        type=_size,
        default="2G",
        metavar="SIZE",
        help="of each process, and of the master [2G]",
    )
    add("--time", type=_time, metavar="LIMIT", help="stop after this time: 30s, 5m, 2h, 1d")
    add(
        "--store",
        metavar="DIR",
        help="keep facts and checkpoints there, and go on with those there are",
    )
    add("--certificate", metavar="FILE", help="write a proof of the answer, and check it")
    add(
        "--iterations", type=_count, default=10_000, metavar="N", help="expansions of a job [10000]"
    )
    add(
        "--updates",
        type=_count,
        default=1000,
        metavar="N",
        help="expansions between updates [1000]",
    )
    add("--log", metavar="FILE", help="append the progress as JSON lines")
    add("--interval", type=_time, metavar="TIME", help="between two lines of progress [10s]")
    add("--quiet", action="store_true", help="show no progress")
    add("--json", action="store_true", help="print one JSON object")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected 1 or more")
    return number


def _size(text: str) -> int:
    try:
        return quantities.size(text)
    except bouton.UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _time(text: str) -> float:
    try:
        return quantities.time(text)
    except bouton.UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _verify(answer: Answer, certificate: str | None) -> str:
    """Checks the certificate, if there is one."""
    if certificate is None or answer.outcome == "unknown" or answer.reason is not None:
        return ""
    verified = bouton.check(certificate)
    return f"\ncertificate {certificate}: verified, {verified.couples:,} couples"


def _in_words(answer: Answer) -> str:
    text = f"{answer.game} {answer.position}: {answer.outcome}"
    if answer.outcome != "unknown":
        text += " for the player to move"
    if answer.winner is not None:
        text += f", {answer.winner} wins"
    if answer.nimber is not None:
        text += f", nimber {answer.nimber}"
    if answer.reason is not None:
        text += f" (stopped: {answer.reason})"
    for move, outcome in (answer.moves or {}).items():
        text += f"\n  {move:<8} {outcome}"
    if answer.winning_moves:
        text += f"\nwinning moves: {' '.join(answer.winning_moves)}"
    counts = answer.counts
    return text + (
        f"\n{answer.algorithm}: {counts['expansions']:,} expansions, {counts['facts']:,} facts, "
        f"{answer.seconds:.2f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
