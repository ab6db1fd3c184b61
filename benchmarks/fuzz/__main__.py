"""Coverage-guided fuzzing of everything that reads what strangers wrote.

``python -m benchmarks.fuzz [--seconds 60] [--targets robots,sitemap …]`` runs each target with
atheris (libFuzzer) in a process of its own for some seconds, beginning from small examples and
from what earlier runs found (``build/fuzz/``). A target fails on an exception that its function
does not document, on an input that takes ten seconds, and on more than 2 GB of memory; the input is
then in ``build/fuzz/<target>/crash-…``, and a regression test should be made of it. A process
runs ten minutes at most: what atheris records of each input grows with them. A row each: inputs
tried, edges reached, seconds. The status is 1 where a target has failed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Sequence

from benchmarks.fuzz.targets import TARGETS
from evaluation.data import PROJECT

FOLDER = PROJECT / "build" / "fuzz"
_ROUND_SECONDS = 600


def fuzz_here(name: str, arguments: list[str]) -> None:
    """Fuzz one target in this process, which ends with it."""
    import atheris  # noqa: PLC0415 - for this alone

    function = TARGETS[name].function
    with atheris.instrument_imports(include=["ilspfc"]):
        function(b"")
    atheris.Setup([name, *arguments], function)
    atheris.Fuzz()


def fuzz(name: str, seconds: int) -> bool:
    """Fuzz a target; print its row, and return whether it held."""
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, example in enumerate(TARGETS[name].iter_examples()):
        (folder / f"example-{number}").write_bytes(example)
    end = time.monotonic() + seconds
    inputs = edges = status = 0
    while not status and (left := round(end - time.monotonic())) > 0:
        done = _run_round(name, min(left, _ROUND_SECONDS))
        status = done.returncode
        tried = re.findall(r"number_of_executed_units:\s+(\d+)", done.stdout)
        reached = re.findall(r"cov: (\d+)", done.stdout)
        inputs += int(tried[-1]) if tried else 0
        edges = max(edges, int(reached[-1]) if reached else 0)
        if status:
            print(done.stdout[-3000:], file=sys.stderr)
    said = "FAILED" if status else "held"
    print(name, f"{inputs:,}", edges, seconds, said, sep=" | ", flush=True)
    return not status


def _run_round(name: str, seconds: int) -> subprocess.CompletedProcess[str]:
    """Fuzz a target in a process of its own."""
    folder = FOLDER / name
    options = [
        f"-max_total_time={seconds}",
        "-timeout=10",
        "-rss_limit_mb=2048",
        "-max_len=20000",
        f"-artifact_prefix={folder}/",
        "-print_final_stats=1",
    ]
    command = [
        sys.executable,
        "-m",
        "benchmarks.fuzz",
        "--only",
        name,
        *options,
        folder,
    ]
    return subprocess.run(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz the targets one after the other."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["--only"]:
        fuzz_here(given[1], given[2:])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--targets", default=",".join(TARGETS))
    options = parser.parse_args(given)
    print("target | inputs | edges | seconds | result", flush=True)
    held = [fuzz(name, options.seconds) for name in options.targets.split(",")]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
