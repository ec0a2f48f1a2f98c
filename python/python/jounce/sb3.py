"""Cars as a vector environment of stable-baselines3, which takes none of gymnasium's.

It takes the extra ``train``: ``pip install "./python[train]"``.

::

    from stable_baselines3 import PPO
    from jounce.sb3 import CarVecEnv

    PPO("MlpPolicy", CarVecEnv("Race", 256, seed=1), n_steps=64, batch_size=4096).learn(5_000_000)
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from jounce.envs import CarVectorEnv, Task

Indices = int | Iterable[int] | None


class CarVecEnv(VecEnv):
    """Cars with a task, one per environment, stepped together; a car whose episode has ended begins the next one in the same step.

    Its last observation is then ``infos[car]["terminal_observation"]``, and ``infos[car]["TimeLimit.truncated"]`` says whether the
    episode was cut.

    Parameters
    ----------
    task : str or Task
        A name of :data:`jounce.envs.TASKS`, or a task.
    num_envs : int
        Number of cars.
    **options
        As those of :class:`jounce.envs.CarVectorEnv`.
    """

    def __init__(self, task: str | Task = "Race", num_envs: int = 1, **options: Any) -> None:
        self.cars = CarVectorEnv(task, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        self.render_mode = self.cars.render_mode
        self._actions: npt.NDArray[np.float32] | None = None
        super().__init__(num_envs, self.cars.single_observation_space, self.cars.single_action_space)

    def reset(self) -> npt.NDArray[np.float32]:
        """Begin the next episode of all cars, under the seed of :meth:`seed` if there is a new one."""
        observations, _ = self.cars.reset(seed=self._seeds[0])
        self._reset_seeds()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return observations

    def step_async(self, actions: npt.NDArray[np.float32]) -> None:
        """Take the actions of the next step."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Step all cars."""
        assert self._actions is not None, "step_async comes first"
        observations, rewards, ended, cut, info = self.cars.step(self._actions)
        over = ended | cut
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for car in np.flatnonzero(over):
            infos[car]["terminal_observation"] = info["final_obs"][car]
            infos[car]["TimeLimit.truncated"] = bool(cut[car] and not ended[car])
        return observations, rewards, over, infos

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """Return a picture of every car."""
        return self.cars.render() or [None] * self.num_envs

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute of the cars, once for each of ``indices``."""
        return [getattr(self.cars, attr_name)] * len(self._indices(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Set an attribute of all cars.

        Raises
        ------
        ValueError
            If only some are meant: the cars share their attributes.
        """
        if len(self._indices(indices)) != self.num_envs:
            raise ValueError("indices: the cars share their attributes")
        setattr(self.cars, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:
        """Call a method of the cars once, and return its result for each of ``indices``."""
        result = getattr(self.cars, method_name)(*args, **kwargs)
        return [result] * len(self._indices(indices))

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """Return that no car is wrapped."""
        return [False] * len(self._indices(indices))

    def _indices(self, indices: Indices) -> Sequence[int]:
        return list(self._get_indices(indices))
