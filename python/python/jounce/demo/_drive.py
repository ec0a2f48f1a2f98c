"""Cars that follow a track, all steered at once by numpy."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jounce._core import Batch, Car, Track
from jounce._options import Limits, Randomize

Numbers = npt.NDArray[np.float32]

CARS = ("sedan", "sports-car", "suv", "hatchback")
"""Presets, dealt in turn."""
_DT = 1.0 / 60.0
_SUBSTEPS = 3
_EVERY = 2
"""Number of actions per picture."""
_OBSERVED = ("body.position.x", "body.position.y", "body.velocity.x", "body.rate.z", "track.offset", "track.heading")
_LOOK = "track.curvature"
_PACE = ("track.spare_speed", "wheel.*.slip_ratio")


@dataclass(frozen=True)
class Film:
    """What cars did.

    Attributes
    ----------
    positions : ndarray of float32, shape (pictures, N, 2)
        Centers of mass [m, world].
    interval : float
        Time between two pictures [s].
    grip : ndarray of float32, shape (N,)
        Factor on the friction of the ground [–].
    models : tuple of str
        Names of the models, dealt in turn.
    dt : float
        Duration of a physics step [s].
    off_track : int
        Number of cars that were 2 m beyond an edge at any time.
    """

    positions: Numbers
    interval: float
    grip: Numbers
    models: tuple[str, ...]
    dt: float
    off_track: int


def drive(track: Track, count: int, seconds: float, seed: int = 1) -> Film:
    """Drive cars of several models, each with a grip, a load, and a start of its own.

    Parameters
    ----------
    track : Track
        The track.
    count : int
        Number of cars.
    seconds : float
        Duration [s].
    seed : int
        Seed of what is drawn.
    """
    batch = Batch(
        [Car.load(name) for name in CARS],
        count,
        ground=track,
        dt=_DT,
        substeps=_SUBSTEPS,
        observe=[*_OBSERVED, _LOOK, *_PACE],
        randomize=Randomize(
            grip=(0.5, 1.0), payload=(0.0, 200.0), x=(0.0, track.length), y=(-1.5, 1.5)
        ),
        limits=Limits(off_track=2.0),
        hands=False,
        seed=seed,
    )
    observations = batch.observe()
    pictures, off_track = [observations[:, :2]], np.zeros(count, bool)
    for step in range(round(seconds / batch.duration)):
        steps = batch.step(_actions(observations))
        observations = steps.observations
        off_track |= steps.ended
        if step % _EVERY == _EVERY - 1:
            pictures.append(observations[:, :2])
    interval = _EVERY * batch.duration
    grip = batch.parameter("grip")
    return Film(np.stack(pictures), interval, grip, CARS, _DT, int(off_track.sum()))


def _actions(observations: Numbers) -> Numbers:
    """Pedals and steering of all cars; tuned: they stay on the track."""
    _, _, speed, rate, offset, heading = observations[:, :6].T
    curvature, spare, slips = observations[:, 6:-5], observations[:, -5], observations[:, -4:]
    # Curvature of the path back to the center line, within a second and at least 8 m.
    ahead = np.maximum(8.0, 0.8 * speed)
    wanted = curvature[:, :3].mean(axis=1) - 2.0 * (offset / ahead + heading) / ahead
    error = wanted - rate / np.maximum(speed, 3.0)
    steer = -(4.5 * wanted * (1.0 + (speed / 22.0) ** 2) + 2.0 * error)
    # Wheels that spin get less.
    most = np.clip(1.0 - 5.0 * slips.max(axis=1), 0.3, 1.0)
    pedals = np.minimum(0.4 * (spare - 0.1 * speed - 1.0), most)
    return np.stack([np.clip(pedals, -1, 1), np.clip(steer, -1, 1)], axis=1).astype(np.float32)
