"""Gymnasium environments, registered as ``jounce/NAME-v0`` when this module is imported.

They take the extra ``gym``: ``pip install "./python[gym]"``. Vector environments are native: all cars of one are stepped by a single
call of Rust.

>>> import gymnasium as gym
>>> import jounce.envs
>>> cars = gym.make_vec("jounce/Park-v0", num_envs=32)
>>> observations, info = cars.reset(seed=1)
>>> observations.shape
(32, 14)
"""

import gymnasium

from jounce.envs._env import CarEnv, CarVectorEnv
from jounce.envs._scripts import SCRIPTS
from jounce.envs._tasks import TASKS, Task

__all__ = ["SCRIPTS", "TASKS", "CarEnv", "CarVectorEnv", "Task"]

for _name in TASKS:
    gymnasium.register(
        f"jounce/{_name}-v0",
        entry_point="jounce.envs:CarEnv",
        vector_entry_point="jounce.envs:CarVectorEnv",
        kwargs={"task": _name},
    )
