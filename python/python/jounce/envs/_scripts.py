"""Scripted drivers of the tasks: what a learner must beat."""

from collections.abc import Callable
from math import pi

import numpy as np
import numpy.typing as npt

from jounce import Batch

Floats = npt.NDArray[np.float32]
Script = Callable[[Batch], Floats]


def race(batch: Batch) -> Floats:
    """Follow the line of least curvature."""
    return batch.race()


def park(batch: Batch) -> Floats:
    """Go to and fro through the place, nearer to its axis each time, until the car can stop there."""
    along, aside, heading = _from_goal(batch)
    speed, gear = batch.get(["body.velocity.x", "drive.gear"]).T
    is_good = (np.abs(aside) < 0.35) & (np.abs(heading) < 0.12)
    # Beyond the place by so much, the car changes direction: the gear is its memory.
    room = np.where(is_good, 0.1, 2.0 + 2.5 * np.abs(aside) + 3.0 * np.abs(heading))
    way = np.sign(gear)
    way = np.where(way * along > room, -way, way)
    curvature = -0.25 * aside - 1.0 * way * heading
    stop = np.where(is_good, np.sqrt(0.6 * np.abs(along)), 2.0)
    wanted = np.minimum(2.0, stop)
    pedals = 0.6 * (wanted - way * speed)
    return _row(pedals, -4.0 * curvature, way)


def lane_change(batch: Batch) -> Floats:
    """Steer by offset, heading and yaw rate."""
    _, aside, heading = _from_goal(batch)
    rate = batch.get(["body.rate.z"])[:, 0]
    steer = 0.1 * aside + 1.5 * heading + 0.3 * rate
    return _row(np.full_like(steer, 0.1), steer)


def hill_climb(batch: Batch) -> Floats:
    """Steer to the place, with as much throttle as the driven wheels can bring to the road."""
    x, y, speed = batch.get(["goal.x", "goal.y", "body.velocity.x"]).T
    slip = batch.get(["wheel.*.slip_ratio"]).max(axis=1)
    pedals = np.clip(1.0 - 6.0 * (slip - 0.2), 0.2, 1.0) * np.clip(8.0 - speed, 0.0, 1.0)
    return _row(pedals, -1.5 * np.arctan2(y, np.maximum(x, 1.0)))


def drift(batch: Batch) -> Floats:
    """Hold the slip angle by the steering, and the ring by the throttle."""
    names = ["body.velocity.x", "body.velocity.y", "body.rate.z", "body.slip_angle", "track.offset"]
    ahead, left, rate, slip, offset = batch.get(names).T
    speed = np.hypot(ahead, left)
    wanted = -25 * pi / 180
    front = np.arctan2(left + 1.3 * rate, np.maximum(ahead, 3.0))
    # tuned: by the cross-entropy method, seven populations of 64 drivers, each from 8 starts.
    turn = front + 0.26 + 0.48 * (slip - wanted) - 0.79 * (rate - speed / 25.0)
    pedals = 0.79 + 0.4 * (15.25 + 0.62 * offset - speed) + 1.08 * (slip - wanted)
    return _row(pedals, -turn / 0.6, np.zeros_like(turn))


def tow_backwards(batch: Batch) -> Floats:
    """Fold the trailer by as much as the way to its place takes, and the tractor by as much as the fold takes."""
    _, aside, heading = _from_goal(batch)
    speed, angle = batch.get(["body.velocity.x", "trailer.angle"]).T
    length, overhang, base = 4.1, 0.72, 2.65
    fold = np.clip(length * (0.06 * aside - 0.45 * heading), -0.5, 0.5)
    curvature = (-0.7 * (angle - fold) - angle / length) / (1.0 + overhang / length)
    pedals = 0.5 * (1.5 + speed)
    return _row(pedals, -np.arctan(base * curvature) / 0.87, -np.ones_like(pedals))


SCRIPTS: dict[str, Script] = {
    "Race": race,
    "Park": park,
    "LaneChange": lane_change,
    "HillClimb": hill_climb,
    "Drift": drift,
    "TowBackwards": tow_backwards,
}
"""Scripted drivers by the names of their tasks: functions of a batch that return the actions of its cars."""


def _from_goal(batch: Batch) -> tuple[Floats, Floats, Floats]:
    """Return positions along the goal's axis and to the left of it [m], and headings against it [rad]."""
    x, y, heading = batch.get(["goal.x", "goal.y", "goal.heading"]).T
    cos, sin = np.cos(heading), np.sin(heading)
    return -x * cos - y * sin, x * sin - y * cos, -heading


def _row(*columns: npt.NDArray[np.floating]) -> Floats:
    return np.clip(np.stack(columns, axis=1), -1.0, 1.0).astype(np.float32)
