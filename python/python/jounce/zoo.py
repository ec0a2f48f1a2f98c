"""Cars as a parallel environment of PettingZoo.

It takes the extra ``zoo``: ``pip install "./python[zoo]"``.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Space
from gymnasium.vector import AutoresetMode
from pettingzoo import ParallelEnv

from jounce.envs import CarVectorEnv, Task
from jounce.envs._env import RENDER_MODES

__all__ = ["CarParallelEnv"]

Floats = npt.NDArray[np.float32]


class CarParallelEnv(ParallelEnv[str, Floats, Floats]):
    """Cars with a task, one per agent ``car_0``, ``car_1``, …; an agent whose episode has ended is gone until all are reset.

    Parameters
    ----------
    task : str or Task
        A name of :data:`jounce.envs.TASKS`, or a task.
    num_cars : int
        Number of cars.
    render_mode : {"rgb_array"}, optional
        Lets :meth:`render` return a picture.
    **options
        As those of :class:`jounce.envs.CarVectorEnv`.

    Examples
    --------
    >>> from jounce.zoo import CarParallelEnv
    >>> cars = CarParallelEnv("Race", 3)
    >>> observations, infos = cars.reset(seed=1)
    >>> results = cars.step({agent: cars.action_space(agent).sample() for agent in cars.agents})
    >>> sorted(results[1])
    ['car_0', 'car_1', 'car_2']
    """

    metadata = {"name": "jounce_v0", "render_modes": RENDER_MODES, "is_parallelizable": True}

    def __init__(
        self,
        task: str | Task = "Race",
        num_cars: int = 2,
        *,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = render_mode
        self._cars = CarVectorEnv(
            task, num_cars, autoreset_mode=AutoresetMode.DISABLED, render_mode=render_mode, **options
        )
        self.possible_agents = [f"car_{car}" for car in range(num_cars)]
        self.agents: list[str] = []
        self._index = {agent: car for car, agent in enumerate(self.possible_agents)}
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._cars.single_observation_space)
        self.action_spaces = dict.fromkeys(self.possible_agents, self._cars.single_action_space)

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Floats], dict[str, dict[str, Any]]]:
        """Begin the next episode of all cars."""
        observations, _ = self._cars.reset(seed=seed)
        self.agents = list(self.possible_agents)
        named = {agent: observations[car] for agent, car in self._index.items()}
        return named, {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Floats]
    ) -> tuple[
        dict[str, Floats],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Step the cars of all agents that are left."""
        rows = np.zeros(self._cars.action_space.shape or (), np.float32)
        for agent, action in actions.items():
            rows[self._index[agent]] = action
        observations, rewards, ended, cut, _ = self._cars.step(rows)
        here = {agent: self._index[agent] for agent in self.agents}
        over = ended | cut
        self.agents = [agent for agent, car in here.items() if not over[car]]
        return (
            {agent: observations[car] for agent, car in here.items()},
            {agent: float(rewards[car]) for agent, car in here.items()},
            {agent: bool(ended[car]) for agent, car in here.items()},
            {agent: bool(cut[car]) for agent, car in here.items()},
            {agent: {} for agent in here},
        )

    def render(self) -> npt.NDArray[np.uint8] | None:
        """Return a picture of the first agent that is left, if ``render_mode`` is ``"rgb_array"``."""
        pictures = self._cars.render()
        return None if pictures is None else pictures[self._index[(self.agents or self.possible_agents)[0]]]

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
