"""Gymnasium environments."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from jounce.envs import TASKS, CarEnv, CarVectorEnv  # noqa: E402

MODES = list(AutoresetMode)


@pytest.mark.parametrize("name", TASKS)
def test_single_environments_pass_the_checker(name: str):
    with warnings.catch_warnings():
        # Observations have no bounds.
        warnings.filterwarnings("ignore", message=".*(infinity|Box observation space).*")
        warnings.simplefilter("error", category=DeprecationWarning)
        check_env(gymnasium.make(f"jounce/{name}-v0").unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", TASKS)
def test_vector_environments_are_native(name: str):
    cars = gymnasium.make_vec(f"jounce/{name}-v0", num_envs=3)
    assert isinstance(cars.unwrapped, CarVectorEnv) and cars.num_envs == 3
    observations, _ = cars.reset(seed=1)
    assert observations in cars.observation_space
    assert cars.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP


def lives(mode: AutoresetMode, steps: int) -> list[list[tuple]]:
    """What each of four cars meets: (observation, reward, ended, cut), without steps that only reset."""
    cars = CarVectorEnv("Park", 4, autoreset_mode=mode, max_episode_steps=7, seed=5)
    rows: list[list[tuple]] = [[] for _ in range(4)]
    observations, _ = cars.reset(seed=5)
    for car, row in enumerate(rows):
        row.append((observations[car].tobytes(), 0.0, False, False))
    over = np.zeros(4, bool)
    for step in range(steps):
        # Actions by the age of the car, so that modes can be compared.
        ages = np.array([len(row) for row in rows])
        actions = np.stack([np.sin(ages), np.cos(ages), ages % 2 - 0.5], axis=1).astype(np.float32)
        observations, rewards, ended, cut, info = cars.step(actions)
        for car, row in enumerate(rows):
            begins = mode == AutoresetMode.NEXT_STEP and over[car]
            if begins:
                assert rewards[car] == 0.0 and not ended[car] and not cut[car]
            if mode == AutoresetMode.SAME_STEP and (ended[car] or cut[car]):
                assert info["_final_obs"][car]
                final = info["final_obs"][car]
                row.append((final.tobytes(), float(rewards[car]), bool(ended[car]), bool(cut[car])))
                row.append((observations[car].tobytes(), 0.0, False, False))
            else:
                row.append(
                    (observations[car].tobytes(), float(rewards[car]), bool(ended[car]), bool(cut[car]))
                )
        over = ended | cut
        if mode == AutoresetMode.DISABLED and over.any():
            observations, _ = cars.reset(options={"reset_mask": over})
            for car in np.flatnonzero(over):
                rows[car].append((observations[car].tobytes(), 0.0, False, False))
    return rows


def test_a_life_is_the_same_in_all_three_modes():
    expected = lives(AutoresetMode.DISABLED, 30)
    assert any(step[3] for step in expected[0])
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        for car, life in enumerate(lives(mode, 30)):
            length = min(len(life), len(expected[car]))
            assert length > 25 and life[:length] == expected[car][:length]


@pytest.mark.parametrize("mode", MODES)
def test_cuts_come_with_the_steps(mode: AutoresetMode):
    cars = CarVectorEnv("LaneChange", 2, autoreset_mode=mode, max_episode_steps=3)
    cars.reset(seed=0)
    cuts = [cars.step(np.zeros((2, 2), np.float32))[3].tolist() for _ in range(3)]
    assert cuts == [[False, False], [False, False], [True, True]]


def test_seeds():
    first, second, other = (CarVectorEnv("Park", 3).reset(seed=seed)[0] for seed in (1, 1, 2))
    assert (first == second).all() and (first != other).any()
    assert (first[0] != first[1]).any()
    with pytest.raises(TypeError, match="one seed"):
        CarVectorEnv("Park", 2).reset(seed=[1, 2])


def test_options_replace_those_of_the_task():
    env = CarEnv("Park", car="hatchback", observe=["goal.distance"], rewards={"time": -1.0})
    observation, _ = env.reset(seed=0)
    assert observation.shape == (1,)
    assert env.step(np.zeros(3, np.float32))[1] == pytest.approx(-0.05)


def test_a_lane_can_be_changed():
    """A driver who steers by offset, heading and yaw rate reaches most lanes: gains were tuned for this test."""
    cars = CarVectorEnv("LaneChange", 64, autoreset_mode=AutoresetMode.DISABLED)
    cars.reset(seed=1)
    reached, over = np.zeros(64, bool), np.zeros(64, bool)
    for _ in range(160):
        x, y, heading, rate = cars.batch.get(["goal.x", "goal.y", "goal.heading", "body.rate.z"]).T
        offset = y * np.cos(heading) - x * np.sin(heading)
        steer = np.clip(-(0.1 * offset + 1.5 * heading - 0.3 * rate), -1, 1)
        _, _, ended, cut, _ = cars.step(np.stack([np.full(64, 0.1), steer], axis=1))
        reached |= ended & ~over & (cars.batch.get(["goal.distance"])[:, 0] < 1.0)
        over |= ended | cut
    assert reached.mean() > 0.8
