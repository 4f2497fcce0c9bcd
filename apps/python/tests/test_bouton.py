"""The package on one machine."""

from __future__ import annotations

import doctest
import signal
import subprocess
import sys
import threading

import pytest

import bouton
from bouton import quantities


@pytest.mark.parametrize("module", [bouton, quantities])
def test_examples_in_the_documentation(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("game", "position", "nimber"),
    [("cram", "4x5", 2), ("sprouts", 7, 0), ("nim", "3,4,5", 2), ("kayles", 20, 1)],
)
def test_nimbers(game, position, nimber, tmp_path):
    answer = bouton.solve(game, position, nimber=True, certificate=tmp_path / "proof")
    assert (answer.nimber, answer.reason) == (nimber, None)
    assert answer.outcome == ("win" if nimber else "loss")
    assert bouton.check(tmp_path / "proof").claim == f"nimber {nimber}"


@pytest.mark.parametrize(("workers", "threads"), [(None, None), (2, None), (1, 2)])
def test_winners_of_games_with_colours(workers, threads, tmp_path):
    options = {"workers": workers, "threads": threads}
    answer = bouton.solve("konane", "5x5", **options, certificate=tmp_path / "proof")
    assert (answer.outcome, answer.winner) == ("win", "black")
    assert bouton.check(tmp_path / "proof").verified


def test_all_moves():
    answer = bouton.solve("hex", "3x3", all_moves=True)
    winning = [move for move, outcome in answer.moves.items() if outcome == "win"]
    assert sorted(answer.winning_moves) == sorted(winning)
    assert "b2" in winning and "a1" not in winning


def test_answers_come_back_from_json():
    answer = bouton.solve("konane", "3x3", all_moves=True)
    assert bouton.Answer.from_json(answer.to_json()) == answer


def test_moves_lead_to_children():
    children = bouton.moves("cram", "2x2")
    assert sum(len(child.moves) for child in children) == 4
    assert bouton.moves("nim", "1") == [bouton.Child("0", ["1-0"])]


def test_a_store_is_found_again(tmp_path):
    first = bouton.solve("cram", "4x6", nimber=True, store=tmp_path / "facts")
    again = bouton.solve("cram", "4x6", nimber=True, store=tmp_path / "facts")
    assert first.nimber == again.nimber
    assert first.store["new_facts"] > 0 and again.store["new_facts"] == 0


def test_limits_are_no_errors():
    assert bouton.solve("cram", "9x9", time=0).reason == "time"
    assert bouton.solve("cram", "9x9", memory="1M", algorithm="exhaustive").reason == "memory"


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("go", "9x9"), {}, 'unknown game "go"'),
        (("cram", "3x"), {}, "cram"),
        (("cram", "3x3"), {"after": "z9"}, "z9"),
        (("konane", "4x4"), {"nimber": True}, "leave out nimber"),
        (("cram", "3x3"), {"algorithm": "magic"}, 'unknown algorithm "magic"'),
        (("cram", "3x3"), {"memory": "lots"}, "expected one such as 512M"),
        (("cram", "3x3"), {"time": "soon"}, "expected one such as 30s"),
        (("cram", "3x3"), {"threads": 0}, "expected 1 to 1024"),
        (("cram", "3x3"), {"workers": 65535}, "expected 1 to 1024"),
        (("cram", "3x3"), {"workers": 64, "threads": 64}, "expected at most 1024 in all"),
    ],
)
def test_wrong_questions(arguments, options, message):
    with pytest.raises(bouton.UsageError, match="(?i)" + message):
        bouton.solve(*arguments, **options)
    assert issubclass(bouton.UsageError, ValueError)


def test_a_changed_certificate_is_refused(tmp_path):
    proof = tmp_path / "proof"
    bouton.solve("sprouts", 5, certificate=proof)
    damaged = bytearray(proof.read_bytes())
    damaged[-1] ^= 1
    proof.write_bytes(damaged)
    with pytest.raises(bouton.CertificateError, match="proof: "):
        bouton.check(proof)
    with pytest.raises(bouton.CertificateError, match="No such file"):
        bouton.check(tmp_path / "nothing")


def test_other_threads_run_meanwhile_and_can_stop_a_search():
    seen, enough = threading.Event(), threading.Event()

    def watch(progress):
        assert progress["expansions"] >= 0
        seen.set()
        return not enough.is_set()

    answers = []
    search = threading.Thread(
        target=lambda: answers.append(bouton.solve("cram", "9x9", watch=watch))
    )
    search.start()
    seen.wait()
    enough.set()
    search.join()
    assert answers[0].reason == "interrupted"


def test_an_exception_of_the_watch_comes_back():
    with pytest.raises(ZeroDivisionError):
        bouton.solve("cram", "9x9", watch=lambda progress: 1 / 0)


def test_ctrl_c_stops_a_search():
    # Whoever starts the tests in the background has them ignore Ctrl-C: here it is to be heard.
    hear = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    solve = "import bouton; bouton.solve('cram', '9x9', watch=lambda _: print(flush=True))"
    code = f"{hear}; {solve}"
    run = subprocess.Popen([sys.executable, "-c", code], stdout=-1, stderr=-1, text=True)
    run.stdout.readline()
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate()
    assert errors.strip().endswith("KeyboardInterrupt")
