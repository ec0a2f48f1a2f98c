"""Vehicle dynamics by the thousand: cars in numpy arrays, stepped together in Rust.

Axes are x forward, y left, z up; units are SI; angles are radians; ``steer`` is +1 to the right.

>>> from jounce import Batch, Car
>>> batch = Batch(Car.load("sedan"), 1000, observe=["body.velocity.x"])
>>> steps = batch.step([[1.0, 0.0]] * 1000)
>>> steps.observations.shape
(1000, 1)
"""

from jounce._core import Batch, Car, Column, Ground, Steps, Track, presets
from jounce._errors import ArgumentError, Fault, JounceError, UnknownName, VehicleFileError
from jounce._options import Goal, Limits, Randomize, Sight
from jounce._space import LogUniform, Normal
from jounce._sweep import Sweep, sweep
from jounce._world import World

__all__ = [
    "ArgumentError",
    "Batch",
    "Car",
    "Column",
    "Fault",
    "Goal",
    "Ground",
    "JounceError",
    "Limits",
    "LogUniform",
    "Normal",
    "Randomize",
    "Sight",
    "Steps",
    "Sweep",
    "Track",
    "UnknownName",
    "VehicleFileError",
    "World",
    "presets",
    "sweep",
]
