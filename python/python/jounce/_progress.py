"""How far a sweep is: tqdm's bar, where it is installed, otherwise a line."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_INTERVAL = 0.5
"""Least time between two changes of the line [s]."""


@contextmanager
def bar(total: int, done: int, shown: bool) -> Iterator[Callable[[], None]]:
    """Show that ``done`` of ``total`` parts are done, and one more at each call of what is yielded."""
    if not shown or done == total:
        yield lambda: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield from _line(total, done)
        return
    with tqdm(total=total, initial=done, unit="part") as shown_bar:
        yield lambda: shown_bar.update() and None


def _line(total: int, done: int) -> Iterator[Callable[[], None]]:
    last = 0.0

    def show() -> None:
        print(f"\rsweep: {done} of {total} parts", end="", file=sys.stderr, flush=True)

    def advance() -> None:
        nonlocal done, last
        done += 1
        if time.monotonic() - last > _INTERVAL:
            last = time.monotonic()
            show()

    try:
        yield advance
    finally:
        show()
        print(file=sys.stderr)
