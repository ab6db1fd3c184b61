"""The end of the server by a signal, whatever it is about."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from conftest import REPOSITORY

# As many seconds as a request may take and no server waits.
SCRIPT = """
import signal, socket, sys, time
from starlette.applications import Starlette
from starlette.responses import FileResponse, PlainTextResponse, StreamingResponse
from starlette.routing import Route
from ilspfc.commands.serve import run_server

def slow(request):
    time.sleep(600)
    return PlainTextResponse("")

async def body(request):
    await request.body()
    return PlainTextResponse("")

def endless():
    while True:
        yield b"x" * 100_000

def stream(request):
    return StreamingResponse(endless())

def file(request):
    return FileResponse(sys.argv[1])

# Ignored where the tests run in the background of a shell.
signal.signal(signal.SIGINT, signal.default_int_handler)
routes = [Route("/slow", slow), Route("/stream", stream), Route("/file", file)]
routes.append(Route("/body", body, methods=["POST"]))
with socket.create_server(("127.0.0.1", 0)) as listener:
    print(listener.getsockname()[1], flush=True)
    run_server(Starlette(routes=routes), listener, "")
print("ended", flush=True)
"""


@contextmanager
def run_script(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    large = folder / "large"
    with large.open("wb") as file:
        file.truncate(1 << 30)
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(large)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    ) as process:
        assert process.stdout
        try:
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


def ask(port: int, text: str) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=60)
    client.sendall(text.replace("\n", "\r\n").encode())
    return client


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_whatever_runs(
    number: signal.Signals, tmp_path: Path
) -> None:
    with run_script(tmp_path) as (process, port), ExitStack() as stack:
        for path in ("slow", "stream", "file"):
            request = f"GET /{path} HTTP/1.1\nHost: a\n\n"
            client = stack.enter_context(ask(port, request))
            if path != "slow":
                # Of which nothing more is read.
                assert client.recv(100)
        chunk = "POST /body HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n5\nhello\n"
        stack.enter_context(ask(port, chunk))
        stack.enter_context(ask(port, "GET /slow HTTP/1.1\nHost"))
        process.send_signal(number)
        out, error = process.communicate(timeout=60)
    assert (process.returncode, out.strip(), error) == (0, "ended", "")


def test_a_server_without_requests_ends_in_order(tmp_path: Path) -> None:
    with run_script(tmp_path) as (process, port):
        with ask(port, "GET / HTTP/1.1\nHost: a\n\n") as client:
            assert client.recv(100)
        process.send_signal(signal.SIGTERM)
        out, error = process.communicate(timeout=60)
    assert (process.returncode, out.strip(), error) == (0, "ended", "")
