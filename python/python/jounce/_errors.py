"""Errors of Jounce, which the Rust code raises."""

from typing import NamedTuple


class JounceError(Exception):
    """Base of all errors of Jounce."""


class Fault(NamedTuple):
    """A fault of a vehicle file.

    Attributes
    ----------
    path : str
        Path of the key, such as ``axles[0].radius``.
    value : str
        The value found, with its unit.
    rule : str
        What it must be.
    line : int or None
        Line in the file, from 1, where one is known.
    """

    path: str
    value: str
    rule: str
    line: int | None


class VehicleFileError(JounceError, ValueError):
    """A vehicle file with faults.

    Attributes
    ----------
    file : str
        Name of the file.
    faults : list of Fault
        All faults; empty if the file is not TOML.
    """

    def __init__(
        self, message: str, file: str, faults: list[tuple[str, str, str, int | None]]
    ) -> None:
        super().__init__(message, file, faults)
        self.file = file
        self.faults = [Fault(*fault) for fault in faults]

    def __str__(self) -> str:
        return str(self.args[0])


class ArgumentError(JounceError, ValueError):
    """An argument that is not as expected.

    Attributes
    ----------
    argument : str
        The argument, with an index where it is an array: ``actions[3, 1]``.
    expected : str
        What it must be.
    found : str
        What it is.
    unit : str
        SI unit; empty if it has none.
    """

    def __init__(
        self, message: str, argument: str, expected: str, found: str, unit: str = ""
    ) -> None:
        super().__init__(message, argument, expected, found, unit)
        self.argument = argument
        self.expected = expected
        self.found = found
        self.unit = unit

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownName(ArgumentError, KeyError):
    """A name that stands for nothing.

    Attributes
    ----------
    nearest : list of str
        Known names that look like it, the nearest first.
    """

    def __init__(self, message: str, argument: str, found: str, nearest: list[str]) -> None:
        super().__init__(message, argument, "a known name", found)
        self.args = (message, argument, found, nearest)
        self.nearest = nearest
