"""Settings of batches."""

from dataclasses import dataclass
from math import inf, pi

Range = float | tuple[float, float]
"""A number, or the ends of a range."""


@dataclass(frozen=True)
class Randomize:
    """What is drawn for each episode of each car: numbers are fixed, pairs are the ends of a range.

    All cost nothing, but for a payload, whose car gets another inertia, and for drawn cars. To vary springs, tires or engines, make
    some tens of cars by :meth:`Car.with_`, and let each episode draw one of them.

    Parameters
    ----------
    grip : float or pair
        Factor on the friction of the ground [–], 0 … 10.
    payload : float or pair
        Mass at the center of mass [kg], 0 … 1e6: inertia grows in proportion, springs stay.
    x, y : float or pair
        Start from that of the ground [m, world].
    heading : float or pair
        Heading at the start [rad], 0 along x, to the left.
    speed : float or pair
        Speed at the start [m/s], forward, in a gear for it.
    wind : float or pair
        Speed of the wind [m/s], from any direction.
    car : bool
        Whether the car is drawn, too, instead of dealt in turn.

    Examples
    --------
    >>> from jounce import Batch, Car, Randomize
    >>> slippery = Randomize(grip=(0.4, 1.0), heading=(-3.1, 3.1))
    >>> batch = Batch(Car.load("sedan"), 8, randomize=slippery, seed=1)
    >>> bool((batch.parameter("grip") < 1.0).all())
    True
    """

    grip: Range = 1.0
    payload: Range = 0.0
    x: Range = 0.0
    y: Range = 0.0
    heading: Range = 0.0
    speed: Range = 0.0
    wind: Range = 0.0
    car: bool = False


@dataclass(frozen=True)
class Limits:
    """What ends an episode.

    Parameters
    ----------
    time : float
        Duration after which it is cut [s].
    tilt : float
        Tilt against the vertical at which it ends [rad]: the car rolls over. 70° by default.
    distance : float
        Distance from the start at which it ends [m].
    """

    time: float = inf
    tilt: float = 70.0 * pi / 180.0
    distance: float = inf


@dataclass(frozen=True)
class Goal:
    """A pose to reach, drawn for each episode: numbers are fixed, pairs are the ends of a range.

    Parameters
    ----------
    x, y : float or pair
        Distance ahead of the start and to its left [m].
    heading : float or pair
        Heading against that of the start [rad], to the left.
    radius : float
        Distance of the center of mass within which it is reached [m].
    angle : float
        Error of the heading within which it is reached [rad].
    speed : float
        Speed below which it is reached [m/s].
    """

    x: Range
    y: Range = 0.0
    heading: Range = 0.0
    radius: float = 0.5
    angle: float = pi
    speed: float = inf
