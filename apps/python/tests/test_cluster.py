"""The package on a cluster: two nodes, workers that are killed, a master that is killed."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys

import pytest

import bouton

SMALL = {"memory": "200M", "iterations": 100, "updates": 50}


class Spy(io.StringIO):
    """Reads the lines of the progress as they come, and acts while the master waits for it."""

    def __init__(self, act):
        super().__init__()
        self.act = act
        self.states = []

    def write(self, text):
        if text.strip():
            self.states.append(json.loads(text))
            self.act(self.states[-1])
        return len(text)


def solve(address, game, position, act=lambda state: None, **options):
    from bouton import cluster

    spy = Spy(act)
    options = {"workers": 2, **SMALL, **options}
    answer = cluster.solve(game, position, address=address, log=spy, interval=0, **options)
    return answer, spy.states


def killing(count):
    """Kills the first workers that are seen with jobs, so that others have to end the search."""
    killed = []

    def act(state):
        for _, _, pid in state["members"]:
            if len(killed) < count and pid not in killed and state["threads_with_a_job"]:
                killed.append(pid)
                os.kill(pid, signal.SIGKILL)

    return act, killed


@pytest.mark.parametrize(
    ("game", "position", "outcome"), [("sprouts", "0*11", "win"), ("konane", "5x6", "loss")]
)
def test_workers_are_killed(address, tmp_path, game, position, outcome):
    act, killed = killing(2)
    proof = tmp_path / "proof"
    answer, states = solve(address, game, position, act, certificate=proof)
    assert (answer.outcome, answer.reason) == (outcome, None)
    assert bouton.check(proof).claim == f"{outcome} for the player to move"
    assert len(killed) == 2 and states[-1]["workers_lost"] >= 1
    assert states[-1]["workers"] >= 1 and states[-1]["jobs"] > 0


def test_nimbers_take_one_search_after_the_other(address, tmp_path):
    answer, states = solve(
        address, "cram", "4x5", nimber=True, workers=1, threads=2, certificate=tmp_path / "proof"
    )
    assert answer.nimber == 2 and {state["heap"] for state in states} == {0, 1, 2}
    assert bouton.check(tmp_path / "proof").claim == "nimber 2"


def test_a_master_that_was_killed_goes_on_from_its_store(address, tmp_path):
    store = tmp_path / "facts"
    code = f"""
import os, signal
from test_cluster import solve
def act(state):
    if state["facts"] > 100:
        os.kill(os.getpid(), signal.SIGKILL)
solve({address!r}, "sprouts", "0*12", act, store={str(store)!r})
"""
    here = os.path.dirname(__file__)
    run = subprocess.run([sys.executable, "-c", code], cwd=here, capture_output=True, text=True)
    assert run.returncode == -signal.SIGKILL, run.stderr
    proof = tmp_path / "proof"
    answer, states = solve(address, "sprouts", "0*12", store=store, certificate=proof)
    assert (answer.outcome, answer.reason) == ("loss", None)
    assert bouton.check(proof).verified
    assert states[0]["facts"] > 100


def test_sigterm_leaves_a_checkpoint(address, tmp_path):
    sent = []

    def act(state):
        if state["nodes"] > 20 and not sent:
            sent.append(signal.SIGTERM)
            signal.raise_signal(signal.SIGTERM)

    answer, states = solve(address, "sprouts", "0*12", act, store=tmp_path / "facts")
    assert (answer.outcome, answer.reason) == ("unknown", "interrupted")
    answer, again = solve(address, "sprouts", "0*12", store=tmp_path / "facts")
    assert (answer.outcome, answer.reason) == ("loss", None)
    assert again[0]["nodes"] > 1 and again[0]["facts"] >= states[-1]["facts"]


def test_the_command_line(address, tmp_path):
    proof = str(tmp_path / "proof")
    command = [sys.executable, "-m", "bouton.cluster", "solve", "sprouts"]
    options = ["--address", address, "--memory", "200M"]

    def run(*arguments):
        return subprocess.run([*command, *arguments, *options], capture_output=True, text=True)

    solved = run("8", "--workers", "2", "--certificate", proof)
    assert solved.returncode == 0, solved.stderr
    assert "sprouts 0*8: loss for the player to move" in solved.stdout
    assert "verified" in solved.stdout
    stopped = run("40", "--time", "2s", "--json", "--log", str(tmp_path / "log"))
    assert stopped.returncode == 3, stopped.stderr
    assert json.loads(stopped.stdout)["reason"] == "time"
    assert json.loads((tmp_path / "log").read_text().splitlines()[-1])["workers"] == 1
    wrong = run("0*")
    assert wrong.returncode == 2 and wrong.stderr.startswith("error: sprouts")


def test_workers_that_cannot_begin_end_the_run(address, monkeypatch):
    monkeypatch.setattr(bouton, "__version__", "0.0.0")
    with pytest.raises(bouton.Error, match="install the same version"):
        solve(address, "nim", "3,4,5", workers=1)
