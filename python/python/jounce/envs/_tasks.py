"""Tasks: what a car sees, does, is paid for, and begins with."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import cos, inf, pi, sin

from jounce import Goal, Ground, Limits, Randomize, Track

_MOTION = ("body.velocity.x", "body.velocity.y", "body.rate.z", "body.acceleration.x", "body.slip_angle")
_HANDS = ("engine.throttle", "engine.brake", "engine.steer")


@dataclass(frozen=True)
class Task:
    """A task of one car.

    Parameters
    ----------
    actions : tuple of str
        Names of the actions, all of which are within −1 … 1.
    observe : tuple of str
        Names of what is observed. Environments divide each number by the usual range of its column.
    limits : Limits
        What ends an episode.
    rewards : dict of str to float
        Weights of the terms of the reward.
    randomize : Randomize
        What is drawn for each episode.
    car : str
        Name of the car.
    trailer : str, optional
        Name of the trailer that it tows.
    ground : callable
        Makes the ground, or the track.
    anywhere : bool
        Whether episodes begin anywhere on the track, instead of where it begins.
    goal : Goal, optional
        The pose to reach.
    slip_angle : float, optional
        The slip angle to hold [rad].
    hands : bool
        Whether hands and feet take their time, and steer less at speed.
    """

    actions: tuple[str, ...]
    observe: tuple[str, ...]
    limits: Limits
    rewards: dict[str, float] = field(default_factory=dict)
    randomize: Randomize = Randomize()
    car: str = "sedan"
    trailer: str | None = None
    ground: Callable[[], Ground | Track] = Ground.flat
    anywhere: bool = False
    goal: Goal | None = None
    slip_angle: float | None = None
    hands: bool = True


def _ring() -> Track:
    """Make a ring of 25 m radius and 12 m width, counterclockwise."""
    angles = [2 * pi * n / 72 for n in range(72)]
    center = [(25.0 * cos(angle), 25.0 * sin(angle)) for angle in angles]
    return Track(center, [6.0] * 72, [6.0] * 72, name="ring")


TASKS = {
    # As fast as possible around a track, from anywhere on it.
    "Race": Task(
        actions=("pedals", "steer"),
        observe=(
            *_MOTION,
            *_HANDS,
            "track.offset",
            "track.heading",
            "track.left",
            "track.right",
            "track.spare_speed",
            "track.sharpest",
            "track.speed",
            "track.ray",
        ),
        limits=Limits(time=120.0, off_track=0.0),
        rewards={"progress": 0.1, "impact": -0.02, "failure": -2.0, "effort": -0.02},
        randomize=Randomize(speed=(0.0, 10.0)),
        ground=lambda: Track.load("oval"),
        anywhere=True,
    ),
    # Into a place some meters away, forward or in reverse, and stop there.
    "Park": Task(
        actions=("pedals", "steer", "direction"),
        observe=("goal", *_MOTION, *_HANDS, "drive.gear", "wheel.front_left.steer"),
        goal=Goal(x=(-12.0, 12.0), y=(-6.0, 6.0), heading=(-0.5, 0.5), radius=0.5, angle=0.15, speed=0.3),
        limits=Limits(time=30.0, distance=40.0),
        rewards={"approach": 1.0, "reached": 20.0, "failure": -20.0, "time": -0.1, "effort": -0.02},
        randomize=Randomize(heading=(-pi, pi)),
    ),
    # Two seconds to the next lane, on roads of any grip.
    "LaneChange": Task(
        actions=("pedals", "steer"),
        observe=("goal", *_MOTION, "wheel.*.slip_ratio", "wheel.*.slip_angle"),
        goal=Goal(x=(50.0, 70.0), y=(-3.5, 3.5), radius=1.0, angle=0.05, speed=inf),
        limits=Limits(time=8.0, distance=120.0),
        rewards={"approach": 0.1, "reached": 20.0, "failure": -20.0, "sideways": -0.5, "effort": -0.05},
        randomize=Randomize(grip=(0.4, 1.0), speed=(15.0, 25.0)),
    ),
    # A loaded truck up a slope of 15°, on grip that hardly suffices, to a place aside.
    "HillClimb": Task(
        actions=("pedals", "steer"),
        observe=("goal", *_MOTION, *_HANDS, "body.pitch", "drive.gear", "engine.speed", "wheel.*.slip_ratio"),
        goal=Goal(x=(40.0, 60.0), y=(-8.0, 8.0), radius=2.0),
        limits=Limits(time=40.0, distance=90.0),
        rewards={"approach": 0.2, "reached": 20.0, "failure": -20.0, "time": -0.1, "effort": -0.02},
        randomize=Randomize(grip=(0.6, 1.0), payload=(0.0, 3000.0), heading=(-0.2, 0.2)),
        car="truck",
        ground=lambda: Ground.slope(15),
    ),
    # Around a ring, sliding at 25° to the outside.
    "Drift": Task(
        actions=("pedals", "steer", "handbrake"),
        observe=(
            *_MOTION,
            *_HANDS,
            "track.offset",
            "track.heading",
            "wheel.*.slip_ratio",
            "drive.gear",
            "engine.speed",
        ),
        limits=Limits(time=30.0, off_track=0.0),
        rewards={"drift": 0.2, "failure": -10.0, "effort": -0.02},
        randomize=Randomize(speed=(10.0, 12.0), y=(-2.0, 2.0)),
        car="sports-car",
        ground=_ring,
        anywhere=True,
        slip_angle=-25 * pi / 180,
        # The range of steering at speed is too small to counter-steer a drift.
        hands=False,
    ),
    # A tractor pushes its trailer into a place behind it.
    "TowBackwards": Task(
        actions=("pedals", "steer", "direction"),
        observe=("goal", "trailer.angle", "trailer.rate", *_MOTION, *_HANDS, "drive.gear", "wheel.front_left.steer"),
        goal=Goal(x=(-25.0, -15.0), y=(-2.0, 2.0), radius=1.0, angle=0.25, speed=inf),
        limits=Limits(time=60.0, distance=50.0),
        rewards={"approach": 0.5, "reached": 20.0, "failure": -20.0, "time": -0.1, "effort": -0.02},
        car="tractor",
        trailer="trailer",
    ),
}
"""Tasks by name."""
