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
        Start from that of the ground [m, world]; on a track along its center line, and to the left of it.
    heading : float or pair
        Heading at the start [rad], 0 along x, on a track along its center line; to the left.
    focus : float or pair, optional
        A stretch of ``x`` [m] where more episodes begin: before a bend that is not learned, for example.
    focus_share : float
        Share of the episodes that begin there [–], 0 … 1.
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
    focus: Range | None = None
    focus_share: float = 0.0
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
    off_track : float
        Distance of the center of mass beyond an edge of the track at which it ends [m], ≥ 0.
    laps : int
        Number of laps after which it ends; 0 for none. A lap ends where it began, on an open track at the track's end.
    """

    time: float = inf
    tilt: float = 70.0 * pi / 180.0
    distance: float = inf
    off_track: float = inf
    laps: int = 0


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


@dataclass(frozen=True)
class Sight:
    """What a car sees of its track.

    ``track.curvature.A_B`` is the mean, ``track.sharpest.A_B`` the greatest curvature [1/m, to the left] from A to B meters ahead.
    ``track.speed.A_B`` is the greatest speed [m/s] here and now from which the brakes suffice for that stretch: √(a/κ) in its bend, and
    the braking distance to it. ``track.spare_speed`` is the least of them, less the car's speed. ``track.ray.D`` is the distance to an
    edge [m] in a direction.

    Parameters
    ----------
    ahead : tuple of int
        Ends of the stretches [m], rising; the first begins at the car.
    rays : tuple of int
        Directions against the car's heading [°], to the left.
    reach : float
        Greatest distance that a ray finds [m].

    Examples
    --------
    >>> from jounce import Batch, Car, Sight, Track
    >>> sight = Sight(ahead=(25, 50), rays=(-90, 90))
    >>> batch = Batch(Car.load("sedan"), 1, ground=Track.load("oval"), sight=sight, observe=["track.sharpest", "track.ray"])
    >>> [column.name for column in batch.columns]
    ['track.sharpest.0_25', 'track.sharpest.25_50', 'track.ray.-90', 'track.ray.90']
    """

    ahead: tuple[int, ...] = (5, 10, 20, 30, 45, 60, 80, 100, 130, 160, 200, 250)
    rays: tuple[int, ...] = tuple(range(-90, 91, 15))
    reach: float = 100.0
