"""Tasks: what a car sees, does, is paid for, and begins with."""

from dataclasses import dataclass, field
from math import inf, pi

from jounce import Goal, Limits, Randomize

_BODY = ("goal", "body.velocity.x", "body.velocity.y", "body.rate.z", "body.acceleration.x")


@dataclass(frozen=True)
class Task:
    """A task of one car.

    Parameters
    ----------
    actions : tuple of str
        Names of the actions, all of which are within −1 … 1.
    observe : tuple of str
        Names of what is observed. Environments divide each number by the usual range of its column.
    rewards : dict of str to float
        Weights of the terms of the reward.
    randomize : Randomize
        What is drawn for each episode.
    limits : Limits
        What ends an episode.
    goal : Goal
        The pose to reach.
    """

    actions: tuple[str, ...]
    observe: tuple[str, ...]
    goal: Goal
    limits: Limits
    rewards: dict[str, float] = field(default_factory=dict)
    randomize: Randomize = Randomize()


TASKS = {
    # Into a place some meters away, forward or in reverse, and stop there.
    "Park": Task(
        actions=("pedals", "steer", "direction"),
        observe=(
            *_BODY,
            "body.slip_angle",
            "drive.gear",
            "engine.throttle",
            "engine.brake",
            "engine.steer",
            "wheel.front_left.steer",
        ),
        goal=Goal(
            x=(-12.0, 12.0), y=(-6.0, 6.0), heading=(-0.5, 0.5), radius=0.5, angle=0.15, speed=0.3
        ),
        limits=Limits(time=30.0, distance=40.0),
        rewards={"approach": 1.0, "reached": 20.0, "failure": -20.0, "time": -0.1, "effort": -0.02},
        randomize=Randomize(heading=(-pi, pi)),
    ),
    # Two seconds to the next lane, on roads of any grip.
    "LaneChange": Task(
        actions=("pedals", "steer"),
        observe=(*_BODY, "body.slip_angle", "wheel.*.slip_ratio", "wheel.*.slip_angle"),
        goal=Goal(x=(50.0, 70.0), y=(-3.5, 3.5), radius=1.0, angle=0.05, speed=inf),
        limits=Limits(time=8.0, distance=120.0),
        rewards={"approach": 0.1, "reached": 20.0, "failure": -20.0, "sideways": -0.5, "effort": -0.05},
        randomize=Randomize(grip=(0.4, 1.0), speed=(15.0, 25.0)),
    ),
}
"""Tasks by name."""
