"""What runs the chunks of a sweep: threads, any executor, Dask or Ray. None of them is trusted with results: those are files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Protocol, TypeAlias, runtime_checkable

from jounce._errors import ArgumentError

Task: TypeAlias = Callable[[str, int], bytes]
"""A function of a plan and a chunk, which is found by its name where it is run."""

_AHEAD = 4096
"""Number of chunks that are handed over at a time: enough for a large cluster."""
_RETRIES = 4
"""Number of workers or nodes that a chunk may lose on Ray."""


@runtime_checkable
class HasExecutor(Protocol):
    """A client of Dask."""

    def get_executor(self) -> Executor: ...


Engine: TypeAlias = str | Executor | HasExecutor
"""What chunks are run on."""


def results(on: Engine, task: Task, plan: str, chunks: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """Yield chunks with their results, in the order in which they are done.

    Results that are there are yielded before a failure is raised.
    """
    if isinstance(on, Executor):
        return _on_executor(on, task, plan, chunks)
    if isinstance(on, HasExecutor):
        return _on_executor(on.get_executor(), task, plan, chunks)
    if on == "threads":
        return _on_threads(task, plan, chunks)
    if on == "ray" or (isinstance(on, str) and on.startswith("ray://")):
        return _on_ray(None if on == "ray" else on, task, plan, chunks)
    expected = '"threads", "ray", an address "ray://…", an Executor or a client of Dask'
    raise ArgumentError(f"on = {on!r}: must be {expected}", "on", expected, repr(on))


def _on_threads(task: Task, plan: str, chunks: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    affinity = getattr(os, "sched_getaffinity", None)
    count = len(affinity(0)) if affinity else os.cpu_count()
    with ThreadPoolExecutor(count) as executor:
        yield from _on_executor(executor, task, plan, chunks)


def _on_executor(
    executor: Executor, task: Task, plan: str, chunks: Iterable[int]
) -> Iterator[tuple[int, bytes]]:
    waiting = iter(chunks)
    running: dict[Future[bytes], int] = {}
    try:
        while True:
            for chunk in islice(waiting, _AHEAD - len(running)):
                running[executor.submit(task, plan, chunk)] = chunk
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=lambda future: future.exception() is not None):
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()


def _on_ray(
    address: str | None, task: Task, plan: str, chunks: Iterable[int]
) -> Iterator[tuple[int, bytes]]:
    import ray

    if not ray.is_initialized():
        ray.init(address=address)
    remote = ray.remote(num_cpus=1, max_retries=_RETRIES, scheduling_strategy="SPREAD")(task)
    shared = ray.put(plan)
    waiting = iter(chunks)
    running: dict[Any, int] = {}
    try:
        while True:
            for chunk in islice(waiting, _AHEAD - len(running)):
                running[remote.remote(shared, chunk)] = chunk
            if not running:
                return
            done, _ = ray.wait(list(running))
            for reference in done:
                yield running.pop(reference), ray.get(reference)
    finally:
        for reference in running:
            ray.cancel(reference)
