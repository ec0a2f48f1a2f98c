"""Gymnasium environments."""

import pathlib
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from jounce import Car, Randomize  # noqa: E402
from jounce.envs import SCRIPTS, TASKS, CarEnv, CarVectorEnv  # noqa: E402

README = pathlib.Path(__file__).parents[1] / "README.md"
MODES = list(AutoresetMode)
FAR = ("LaneChange", "HillClimb")
"""Tasks whose goals are beyond the picture."""


@pytest.mark.parametrize("name", TASKS)
def test_single_environments_pass_the_checker(name: str):
    with warnings.catch_warnings():
        # Observations have no bounds.
        warnings.filterwarnings("ignore", message=".*(infinity|Box observation space).*")
        warnings.simplefilter("error", category=DeprecationWarning)
        check_env(gymnasium.make(f"jounce/{name}-v0", render_mode="rgb_array").unwrapped)


@pytest.mark.parametrize("name", TASKS)
def test_vector_environments_are_native(name: str):
    cars = gymnasium.make_vec(f"jounce/{name}-v0", num_envs=3)
    assert isinstance(cars.unwrapped, CarVectorEnv) and cars.num_envs == 3
    observations, _ = cars.reset(seed=1)
    assert observations in cars.observation_space
    assert cars.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP


def lives(name: str, mode: AutoresetMode, steps: int) -> list[list[tuple]]:
    """What each of four cars meets: (observation, reward, ended, cut), without steps that only reset."""
    cars = CarVectorEnv(name, 4, autoreset_mode=mode, max_episode_steps=7, seed=5)
    width = cars.single_action_space.shape[0]
    rows: list[list[tuple]] = [[] for _ in range(4)]
    observations, _ = cars.reset(seed=5)
    for car, row in enumerate(rows):
        row.append((observations[car].tobytes(), 0.0, False, False))
    over = np.zeros(4, bool)
    for step in range(steps):
        # Actions by the age of the car, so that modes can be compared.
        ages = np.array([len(row) for row in rows])
        actions = np.stack([np.sin(ages), np.cos(ages), ages % 2 - 0.5], axis=1).astype(np.float32)
        observations, rewards, ended, cut, info = cars.step(actions[:, :width])
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


@pytest.mark.parametrize("name", ["Park", "Race", "TowBackwards"])
def test_a_life_is_the_same_in_all_three_modes(name: str):
    expected = lives(name, AutoresetMode.DISABLED, 30)
    assert any(step[3] for step in expected[0])
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        for car, life in enumerate(lives(name, mode, 30)):
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


@pytest.mark.parametrize(
    ("name", "least", "share"),
    [
        ("Race", 245.0, 1.0),
        ("Park", 24.0, 0.97),
        ("LaneChange", 17.0, 0.8),
        ("HillClimb", 22.0, 0.85),
        ("Drift", 85.0, 0.95),
        ("TowBackwards", 26.0, 0.97),
    ],
)
def test_scripted_drivers_score(name: str, least: float, share: float, capsys):
    """The mean reward of an episode, and the share of episodes that go well: README.md has both."""
    cars = CarVectorEnv(name, 128, autoreset_mode=AutoresetMode.DISABLED)
    cars.reset(seed=1)
    total, over, well = np.zeros(128), np.zeros(128, bool), np.zeros(128, bool)
    while not over.all():
        _, rewards, ended, cut, _ = cars.step(SCRIPTS[name](cars.batch))
        total += rewards * ~over
        well |= ~over & (cut if TASKS[name].goal is None else ended & (rewards > 5.0))
        over |= ended | cut
    with capsys.disabled():
        print(f"\n{name}: {total.mean():.1f} a car, {100 * well.mean():.0f} % go well")
    assert total.mean() > least and well.mean() >= share


@pytest.mark.parametrize("name", TASKS)
def test_pictures_show_the_car(name: str):
    env = gymnasium.make(f"jounce/{name}-v0", render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (256, 256, 3) and picture.dtype == np.uint8

    def area(color: tuple[int, int, int]) -> int:
        return int((picture == color).all(axis=2).sum())

    per_meter = (256 / 60) ** 2
    ahead, behind, half = Car.load(TASKS[name].car).outline
    body = area((200, 40, 40)) + area((40, 40, 60))
    assert body == pytest.approx(2 * half * (ahead + behind) * per_meter, rel=0.1)
    assert (picture[128, 128] == (200, 40, 40)).all() or (picture[128, 128] == (40, 40, 60)).all()
    assert (area((240, 210, 60)) > 50) == (TASKS[name].goal is not None and name not in FAR)
    assert (area((110, 110, 115)) > 5000) == (name in ("Race", "Drift"))
    assert (area((60, 90, 180)) > 100) == (TASKS[name].trailer is not None)


def test_vector_environments_draw_every_car():
    cars = CarVectorEnv("Race", 3, render_mode="rgb_array", ground="kart")
    cars.reset(seed=1)
    pictures = cars.render()
    assert len(pictures) == 3 and (pictures[0] != pictures[1]).any()
    assert CarVectorEnv("Park", 1).render() is None


def test_races_begin_anywhere():
    cars = CarVectorEnv("Race", 64, ground="road-course")
    cars.reset(seed=0)
    s = cars.batch.get(["track.s"])[:, 0]
    assert s.min() < 200 and s.max() > 1700
    given = CarVectorEnv("Race", 4, randomize=Randomize(x=50.0))
    given.reset(seed=0)
    assert given.batch.get(["track.s"])[:, 0] == pytest.approx(50.0, abs=0.5)


@pytest.mark.parametrize("name", TASKS)
def test_the_readme_has_the_spaces(name: str):
    cars = CarVectorEnv(name, 1)
    row = next(line for line in README.read_text().splitlines() if line.startswith(f"| {name} |"))
    assert f"| {', '.join(action.name for action in cars.batch.actions)} |" in row
    assert f"| {len(cars.batch.columns)}: " in row
