"""Cars, grounds, worlds, and errors that travel between processes."""

import pickle

import numpy as np
import pytest

from jounce import (
    ArgumentError,
    Batch,
    Car,
    Ground,
    JounceError,
    UnknownName,
    VehicleFileError,
    World,
    presets,
)


def test_every_preset_loads():
    for name in presets():
        assert Car.load(name).name == name


def test_a_car_from_a_file(tmp_path):
    text = """
schema = 99
"""
    path = tmp_path / "odd.toml"
    path.write_text(text)
    with pytest.raises(VehicleFileError) as caught:
        Car.load(path)
    assert caught.value.file.endswith("odd.toml")
    with pytest.raises(FileNotFoundError, match="did you mean sedan"):
        Car.load("sedna")
    with pytest.raises(VehicleFileError, match="<text>"):
        Car.parse("= 3")


def test_all_faults_are_told():
    with pytest.raises(VehicleFileError) as caught:
        Car.load("sedan").with_({"chassis.mass": -3.0, "axles.0.radius": "big"})
    faults = {fault.path: fault for fault in caught.value.faults}
    assert faults["chassis.mass"].value == "-3 kg"
    assert "axles.0.radius" in faults or "axles[0].radius" in faults
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.faults == caught.value.faults and str(again) == str(caught.value)


def test_errors_travel():
    with pytest.raises(UnknownName) as unknown:
        Batch(Car.load("sedan"), 1, observe=["bdy"])
    with pytest.raises(ArgumentError) as bad:
        Batch(Car.load("sedan"), 0)
    for error in (unknown.value, bad.value):
        again = pickle.loads(pickle.dumps(error))
        assert str(again) == str(error) and vars(again) == vars(error)


def test_a_changed_car_is_another():
    car = Car.load("sedan")
    heavy = car.with_({"chassis.mass": 2000.0})
    assert heavy.mass == 2000.0 and car.mass < 2000.0
    assert repr(car) == "<Car sedan>"


@pytest.mark.parametrize(
    "ground",
    [
        Ground.flat(),
        Ground.slope(5),
        Ground.hills(3),
        Ground.heights(np.zeros((50, 50)), cell=1.0, origin=(-25, -25)),
        Ground.mesh([[-50, -50, 0], [50, -50, 0], [50, 50, 0], [-50, 50, 0]], [[0, 1, 2], [0, 2, 3]]),
    ],
    ids=repr,
)
def test_cars_stand_on_every_ground(ground: Ground):
    batch = Batch(Car.load("sedan"), 2, ground=ground, actions=["handbrake", "brake"])
    for _ in range(20):
        steps = batch.step(np.ones((2, 2)))
    assert not steps.ended.any() and not steps.refused.any()
    loads = batch.get(["wheel.*.tire_load"])
    assert (loads > 500.0).all()


def test_bad_grounds():
    with pytest.raises(ArgumentError, match="degrees = 50 °: must be within"):
        Ground.slope(50)
    with pytest.raises(ArgumentError, match=r"z = \[3\]: must be of shape \[m, n\]"):
        Ground.heights([1, 2, 3], 1.0)
    with pytest.raises(JounceError, match="finite"):
        Ground.heights([[0, np.nan], [0, 0]], 1.0)
    with pytest.raises(ArgumentError, match="vertices"):
        Ground.mesh([[0, 0]], [[0, 1, 2]])
    with pytest.raises(JounceError):
        Ground.mesh([[0, 0, 0]], [[0, 1, 2]])


def test_a_start_without_ground_is_told():
    ground = Ground.heights(np.zeros((9, 9)), 1.0)
    with pytest.raises(JounceError, match="no ground"):
        Batch(Car.load("sedan"), 1, ground=ground).reset(at=[[500, 0, 0]])


def test_a_world_is_saved_and_goes_on():
    world = World(Car.load("sedan"), dt=0.01)
    for _ in range(50):
        world.step(throttle=1.0, steer=-0.2)
    saved = world.snapshot()
    expected = [world.step(brake=1.0) for _ in range(20)]
    world.restore(saved)
    assert [world.step(brake=1.0) for _ in range(20)] == expected
    table = world.telemetry()
    assert len(table["time"]) == 90 and table["time"][49] == pytest.approx(0.5)
    assert table["body.rate.z"][49] > 0.0


def test_gears_by_hand():
    world = World(Car.load("sedan"), automatic=False)
    for _ in range(120):
        now = world.step(throttle=0.3, gear=-1)
    assert now["drive.gear"] == -1 and now["body.velocity.x"] < -0.5
    with pytest.raises(ValueError, match="automatic"):
        World(Car.load("sedan")).step(gear=2)
