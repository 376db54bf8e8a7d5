"""Work on many files: in threads of this machine, or on the workers of Dask.

A client is one of dask.distributed. Its workers need this package. A task whose worker is lost is run again by Dask.
"""
from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterator, Sequence, TypeVar

from .program import Error

Task = TypeVar("Task")
Result = TypeVar("Result")

RETRIES = 3  # of a task that raises an error of the system, such as one of a file system


def each(work: Callable[[Task], Result], tasks: Sequence[Task], client: Any = None,
         workers: int | None = None) -> Iterator[tuple[int, Result]]:
    """The results of `work` with the numbers of their tasks, in the order in which they come.

    An Error of a task is raised, and the others are cancelled.
    """
    if client is None:
        yield from in_threads(work, tasks, workers or os.cpu_count() or 1)
        return
    from distributed import as_completed

    # An Error is an answer and is not tried again; Dask itself repeats the tasks of a worker that is lost.
    futures = client.map(Guarded(work), list(tasks), pure=False, retries=RETRIES)
    numbers = {future.key: number for number, future in enumerate(futures)}
    try:
        for future in as_completed(futures):
            result, problem = future.result()
            if problem is not None:
                raise Error(problem)
            yield numbers[future.key], result
    finally:
        client.cancel(futures)


class Guarded:
    """A task whose Error comes back as a text."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self.work = work

    def __call__(self, task: Any) -> tuple[Any, str | None]:
        try:
            return self.work(task), None
        except Error as error:
            return None, str(error)


def in_threads(work: Callable[[Task], Result], tasks: Sequence[Task], workers: int) -> Iterator[tuple[int, Result]]:
    from concurrent.futures import as_completed

    with ThreadPoolExecutor(max_workers=max(1, min(workers, len(tasks)))) as pool:
        futures = {pool.submit(work, task): number for number, task in enumerate(tasks)}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            for future in futures:
                future.cancel()
