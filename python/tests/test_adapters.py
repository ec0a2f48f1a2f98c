"""Adapters to stable-baselines3 and PettingZoo, where these are found."""

import numpy as np
import pytest

pytest.importorskip("gymnasium")


def test_pettingzoo_accepts_the_cars():
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    from jounce.zoo import CarParallelEnv

    parallel_api_test(CarParallelEnv("Race", 3, max_episode_steps=40), num_cycles=200)
    parallel_seed_test(lambda: CarParallelEnv("Park", 2), num_cycles=30)


def test_an_agent_whose_episode_has_ended_is_gone():
    pytest.importorskip("pettingzoo")
    from jounce.zoo import CarParallelEnv

    cars = CarParallelEnv("Race", 2, render_mode="rgb_array")
    cars.reset(seed=2)
    # One car stands, the other leaves the track.
    for _ in range(200):
        rows = {"car_0": np.array([-1, 0], np.float32), "car_1": np.array([1, 1], np.float32)}
        actions = {agent: rows[agent] for agent in cars.agents}
        _, rewards, ended, _, _ = cars.step(actions)
        if len(cars.agents) == 1:
            break
    assert cars.agents == ["car_0"] and ended == {"car_0": False, "car_1": True}
    assert rewards["car_1"] < -2.0
    assert set(cars.step({"car_0": np.zeros(2, np.float32)})[0]) == {"car_0"}
    assert cars.render().shape == (256, 256, 3)


def test_stable_baselines3_gets_its_vector_environment():
    pytest.importorskip("stable_baselines3")
    from jounce.envs import CarVectorEnv
    from jounce.sb3 import CarVecEnv

    cars = CarVecEnv("Race", 4, max_episode_steps=5)
    cars.seed(3)
    first = cars.reset()
    assert (first == CarVectorEnv("Race", 4).reset(seed=3)[0]).all()
    for step in range(5):
        observations, rewards, over, infos = cars.step(np.zeros((4, 2), np.float32))
        assert over.all() == (step == 4) and rewards.shape == (4,)
    for info, observation in zip(infos, observations, strict=True):
        assert info["TimeLimit.truncated"] and (info["terminal_observation"] != observation).any()
    assert cars.get_attr("render_mode") == [None] * 4
    assert len(cars.env_method("render", indices=[0, 1])) == 2
    with pytest.raises(ValueError, match="share"):
        cars.set_attr("x", 1, indices=0)
