"""Distributions of what a sweep varies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Normal:
    """A normal distribution.

    Parameters
    ----------
    mean : float
        Mean.
    deviation : float
        Standard deviation, >= 0.
    """

    mean: float
    deviation: float


@dataclass(frozen=True)
class LogUniform:
    """A distribution that is uniform in the logarithm.

    Parameters
    ----------
    low, high : float
        Ends, > 0.
    """

    low: float
    high: float


Distribution: TypeAlias = (
    float | str | tuple[float, float] | Normal | LogUniform | Sequence[float | str]
)
"""A fixed value, the ends of a range, a distribution, or a list of values of which each sample draws one."""
