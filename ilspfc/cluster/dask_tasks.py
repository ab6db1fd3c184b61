"""Tasks of the stages on a cluster of Dask: processes of this machine, or those of many."""

from __future__ import annotations

import pickle
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import Any

from ilspfc.exceptions import ArgumentError
from ilspfc.tasks import Result, RunTasks, Shared, Task, run_here

LOCAL = "local"
# Tasks that travel together, and such bundles under way for each worker.
_BUNDLE = 8
_AHEAD = 3
_TIMEOUT_SECONDS = 10.0
_ADDRESS_RE = re.compile(r"(tcp|tls|ws|wss|ucx)://[^/\s]+:\d+")


@contextmanager
def open_cluster(address: str) -> Iterator[RunTasks]:
    """Run tasks on a cluster while the block runs.

    ``address`` is ``local``, for as many processes as this machine has cores, or that of a
    scheduler, as in ``tcp://host:8786``. ArgumentError where there is none.
    """
    if address != LOCAL and not _ADDRESS_RE.fullmatch(address):
        raise ArgumentError(
            f"--cluster {address}: is no address of a scheduler; give local, or one like"
            " tcp://host:8786"
        )
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ArgumentError(
            f"--cluster {address}: Dask is not installed; pip install distributed, or leave"
            " --cluster out"
        ) from error
    local = {"threads_per_worker": 1, "dashboard_address": None, "processes": True}
    options: dict[str, Any] = local if address == LOCAL else {"address": address}
    try:
        client = Client(  # type: ignore[no-untyped-call]
            **options, timeout=_TIMEOUT_SECONDS, set_as_default=False
        )
    except (OSError, ValueError) as error:
        raise ArgumentError(
            f"--cluster {address}: no scheduler answers there ({error}); start"
            " one (dask scheduler), or give local"
        ) from error
    with client:
        yield partial(_run_tasks, client)


def _run_tasks(
    client: Any,
    function: Callable[[Shared, Task], Result],
    tasks: Iterable[Task],
    shared: Shared,
    /,
) -> Iterator[Result]:
    """Yield the results in the order of the tasks, which are sent to a cluster in bundles.

    What a lost worker had is done by another one.
    """
    from distributed import CancelledError  # noqa: PLC0415 - an extra

    submit = partial(client.submit, _run_bundle, function, pure=False)
    rest = iter(tasks)
    first = list(islice(rest, 2))
    if len(first) < 2:
        yield from run_here(function, first, shared)
        return
    rest = chain(first, rest)
    sent = client.scatter([shared], hash=False, broadcast=True)[0]
    waiting: deque[tuple[list[Task], Any]] = deque()
    while True:
        limit = _AHEAD * max(len(client.nthreads()), 1)
        while len(waiting) < limit and (bundle := list(islice(rest, _BUNDLE))):
            waiting.append((bundle, submit(sent, bundle)))
        if not waiting:
            return
        bundle, future = waiting.popleft()
        try:
            data = future.result()
        except CancelledError:
            # The workers that had what the tasks share are gone.
            data = submit(shared, bundle).result()
        yield from pickle.loads(data)  # noqa: S301 - of a worker


def _run_bundle(
    function: Callable[[Any, Any], Any], shared: object, bundle: list[Any]
) -> bytes:
    # As bytes: Dask would look into each of the many small arrays.
    return pickle.dumps([function(shared, task) for task in bundle])
