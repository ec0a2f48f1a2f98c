"""Environments of Gymnasium."""

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from jounce import Batch, Car, Track
from jounce.envs._picture import Painter, Picture
from jounce.envs._tasks import TASKS, Task

RENDER_MODES = ["rgb_array"]

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


def _settings(
    task: Task, max_episode_steps: int | None, options: dict[str, Any]
) -> tuple[Car | list[Car], dict[str, Any]]:
    """Return the cars and the other arguments of the batch of a task: ``options`` are used instead of the task's."""
    names = ("actions", "observe", "rewards", "goal", "limits", "randomize", "slip_angle", "hands")
    settings: dict[str, Any] = {name: getattr(task, name) for name in names}
    settings |= {"ground": task.ground, "trailer": task.trailer} | options
    car = settings.pop("car", task.car)
    cars = Car.load(car) if isinstance(car, str) else car
    if isinstance(settings["trailer"], str):
        settings["trailer"] = Car.load(settings["trailer"])
    ground = settings["ground"]
    if isinstance(ground, str):
        ground = Track.load(ground)
    elif callable(ground):
        ground = ground()
    settings["ground"] = ground
    if task.anywhere and isinstance(ground, Track) and "randomize" not in options:
        settings["randomize"] = replace(task.randomize, x=(0.0, ground.length))
    if max_episode_steps is not None:
        duration = settings.get("dt", 1 / 60) * settings.get("substeps", 3)
        time = duration * (max_episode_steps - 0.5)
        settings["limits"] = replace(settings["limits"], time=time)
    return cars, settings


class CarVectorEnv(VectorEnv[Floats, Floats, npt.NDArray[Any]]):
    """Cars with a task, one per environment, stepped together.

    Observations are divided by the usual ranges of their columns; they have no bounds. Actions are within −1 … 1.

    Parameters
    ----------
    task : str or Task
        A name of :data:`TASKS`, or a task.
    num_envs : int
        Number of cars.
    autoreset_mode : AutoresetMode
        When a car whose episode has ended is reset: in its next step, in the same step, or by ``reset(options={"reset_mask": …})``.
    max_episode_steps : int, optional
        Number of steps after which an episode is cut, instead of the task's.
    render_mode : {"rgb_array"}, optional
        Lets :meth:`render` return pictures.
    **options
        Arguments of :class:`jounce.Batch` instead of the task's, and ``car``, a :class:`Car`, several, or a name. ``ground`` may
        be the name of a track, ``trailer`` that of a trailer. Three physics steps of 1/60 s per action are usual: ``substeps``,
        ``dt``.

    Examples
    --------
    >>> import numpy as np
    >>> from jounce.envs import CarVectorEnv
    >>> cars = CarVectorEnv("LaneChange", num_envs=4)
    >>> observations, _ = cars.reset(seed=3)
    >>> observations, rewards, ended, cut, _ = cars.step(np.zeros((4, 2), np.float32))
    >>> rewards.shape
    (4,)
    """

    def __init__(
        self,
        task: str | Task = "Park",
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        task = TASKS[task] if isinstance(task, str) else task
        cars, settings = _settings(task, max_episode_steps, options)
        self.batch = Batch(cars, num_envs, **settings)
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "autoreset_mode": self.autoreset_mode,
            "render_modes": RENDER_MODES,
            "render_fps": round(1 / self.batch.duration),
        }
        self.render_mode = render_mode
        track = settings["ground"] if isinstance(settings["ground"], Track) else None
        first = cars if isinstance(cars, Car) else cars[0]
        has_goal = settings["goal"] is not None
        self._painter = Painter(self.batch, first, settings["trailer"], track, has_goal)
        self.single_observation_space = Box(-np.inf, np.inf, (len(self.batch.columns),), np.float32)
        low = np.array([action.low for action in self.batch.actions], np.float32)
        high = np.array([action.high for action in self.batch.actions], np.float32)
        self.single_action_space = Box(low, high, dtype=np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        highs = [column.high for column in self.batch.columns]
        self._scale = np.array([1.0 / high for high in highs], np.float32)
        self._over: Flags = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin episodes: of all cars, or of those in ``options["reset_mask"]``.

        A seed is that of all cars, which draw different numbers under it.
        """
        if isinstance(seed, list):
            raise TypeError("seed: one seed is enough, under which each car draws numbers of its own")
        mask = (options or {}).get("reset_mask")
        if seed is not None:
            super().reset(seed=seed)
        observations = self.batch.reset(mask, seed=seed)
        self._over = np.zeros(self.num_envs, np.bool_) if mask is None else self._over & ~mask
        return observations * self._scale, {}

    def step(self, actions: Floats) -> tuple[Floats, Floats, Flags, Flags, dict[str, Any]]:
        """Step all cars."""
        steps = self.batch.step(actions)
        observations = steps.observations * self._scale
        rewards, ended, cut = steps.rewards, steps.ended, steps.cut & ~steps.ended
        info: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and self._over.any():
            observations[self._over] = self._again(self._over)[self._over]
            for results in (rewards, ended, cut):
                results[self._over] = 0
        over = ended | cut
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            info = {"final_obs": observations, "_final_obs": over, "final_info": {}, "_final_info": over}
            observations = np.where(over[:, None], self._again(over), observations)
        self._over = over
        return observations, rewards, ended, cut, info

    def render(self) -> tuple[Picture, ...] | None:
        """Return a picture of every car from above, if ``render_mode`` is ``"rgb_array"``: uint8, shape (256, 256, 3)."""
        if self.render_mode is None:
            return None
        return tuple(self._painter.paint(car) for car in range(self.num_envs))

    def _again(self, mask: Flags) -> Floats:
        """Reset these cars, and observe all."""
        return self.batch.reset(mask) * self._scale


class CarEnv(gymnasium.Env[Floats, Floats]):
    """One car with a task; see :class:`CarVectorEnv`, which steps many for hardly more.

    Parameters
    ----------
    task : str or Task
        A name of :data:`TASKS`, or a task.
    **options
        As those of :class:`CarVectorEnv`.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 20}

    def __init__(
        self, task: str | Task = "Park", *, render_mode: str | None = None, **options: Any
    ) -> None:
        self._cars = CarVectorEnv(
            task, 1, autoreset_mode=AutoresetMode.DISABLED, render_mode=render_mode, **options
        )
        self.render_mode = render_mode
        self.observation_space = self._cars.single_observation_space
        self.action_space = self._cars.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        observations, info = self._cars.reset(seed=seed)
        return observations[0], info

    def step(self, action: Floats) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Step the car."""
        observations, rewards, ended, cut, info = self._cars.step(np.asarray(action)[None])
        return observations[0], float(rewards[0]), bool(ended[0]), bool(cut[0]), info

    @property
    def batch(self) -> Batch:
        """The batch of this one car."""
        return self._cars.batch

    def render(self) -> Picture | None:
        """Return a picture of the car from above, if ``render_mode`` is ``"rgb_array"``: uint8, shape (256, 256, 3)."""
        pictures = self._cars.render()
        return None if pictures is None else pictures[0]
