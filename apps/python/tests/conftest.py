"""One Ray cluster for all tests: two nodes on this machine, ended by their own process ids."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

RAY = [str(Path(sys.executable).with_name("ray")), "start", "--block"]
SMALL = ["--object-store-memory=104857600", "--node-ip-address=127.0.0.1"]


@pytest.fixture(scope="session")
def address():
    """The address of the head."""
    # A short name: Ray has sockets in there, whose names may have a hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="ray"))
    token = folder / "token"
    token.write_text(secrets.token_hex(32))
    os.environ.update(
        RAY_AUTH_MODE="token", RAY_AUTH_TOKEN_PATH=str(token), RAY_USAGE_STATS_ENABLED="0"
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    head = ["--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={folder}"]
    nodes = []
    try:
        with open(folder / "nodes.log", "w") as log:
            for role in [[*head, "--num-cpus=1"], [f"--address=127.0.0.1:{port}", "--num-cpus=2"]]:
                command = [*RAY, *role, *SMALL]
                node = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
                nodes.append(node)
                wait_for_nodes(f"127.0.0.1:{port}", len(nodes), folder / "nodes.log")
        yield f"127.0.0.1:{port}"
    finally:
        import ray

        ray.shutdown()
        for node in nodes:
            # All processes of a node are in its group.
            os.killpg(node.pid, signal.SIGKILL)
            node.wait()
        shutil.rmtree(folder, ignore_errors=True)


def wait_for_nodes(address: str, count: int, log: Path) -> None:
    """Tries until so many nodes are there; each try takes its time by itself."""
    import ray

    for _ in range(60):
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
            alive = sum(node["Alive"] for node in ray.nodes())
            ray.shutdown()
        except Exception:  # Ray has a dozen ways to say that it is not there yet.
            alive = 0
        if alive >= count:
            return
        signal.sigtimedwait([], 1)
    pytest.fail(f"Ray did not start:\n{log.read_text()}")
