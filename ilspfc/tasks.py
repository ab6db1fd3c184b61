"""Independent tasks of a stage: run one after the other here, or elsewhere side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")


class RunTasks(Protocol):
    """Runs a function on each of many tasks."""

    def __call__(
        self,
        function: Callable[[Shared, Task], Result],
        tasks: Iterable[Task],
        shared: Shared,
        /,
    ) -> Iterator[Result]:
        """Yield ``function(shared, task)`` of each task, in their order.

        The function may run in another process: function, tasks, what they share and the
        results must be picklable, and a result must depend on nothing else. Tasks are
        the names of their data in a few bytes, such as places in a spool, and read it where
        they run.
        """


def run_here(
    function: Callable[[Shared, Task], Result], tasks: Iterable[Task], shared: Shared, /
) -> Iterator[Result]:
    """Run the tasks one after the other in this process.

    >>> list(run_here(lambda factor, number: factor * number, [1, 2], 10))
    [10, 20]
    """
    for task in tasks:
        yield function(shared, task)
