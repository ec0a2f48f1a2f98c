"""Batches: shapes, names, bits, errors, threads, forks."""

import multiprocessing
import os
import threading

import numpy as np
import pytest

from jounce import ArgumentError, Batch, Car, Goal, Ground, JounceError, Limits, Randomize, UnknownName

SEDAN = Car.load("sedan")
DRAWN = Randomize(
    grip=(0.4, 1.1), payload=(0, 300), x=(-50, 50), heading=(-3, 3), speed=(0, 20), wind=(0, 9), car=True
)


def various(count: int, **options) -> Batch:
    cars = [SEDAN, Car.load("sports-car")]
    return Batch(cars, count, ground=Ground.hills(), randomize=DRAWN, seed=7, **options)


def actions(batch: Batch, step: int, first: int = 0) -> np.ndarray:
    car = np.arange(first, first + len(batch))
    phase = car + 0.3 * step
    return np.stack([1 - 0.3 * (phase % 5), phase % 2 - 1], axis=1).astype(np.float32)


def drive(batch: Batch, steps: int, first: int = 0) -> np.ndarray:
    rows = [batch.step(actions(batch, step, first)).observations for step in range(steps)]
    return np.stack(rows)


def test_shapes_and_names():
    batch = Batch(
        SEDAN, 5, observe=["body.velocity", "wheel.*.slip_ratio"], rewards={"forward": 1.0, "effort": -0.1}
    )
    assert batch.reset().shape == (5, 7)
    steps = batch.step(np.zeros((5, 2)))
    assert steps.observations.shape == (5, 7) and steps.observations.dtype == np.float32
    assert steps.rewards.shape == (5,) and steps.terms.shape == (5, 2)
    assert steps.ended.dtype == np.bool_ and not steps.ended.any() and not steps.cut.any()
    assert batch.terms == ["forward", "effort"] and len(batch) == batch.count == 5
    names = [column.name for column in batch.columns]
    assert names[:3] == ["body.velocity.x", "body.velocity.y", "body.velocity.z"]
    assert names[3] == "wheel.front_left.slip_ratio"
    assert [(action.name, action.low) for action in batch.actions] == [("pedals", -1), ("steer", -1)]
    assert batch.duration == pytest.approx(0.05)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("arena", [1, 7, 64])
@pytest.mark.parametrize("first", [0, 5])
def test_bits_do_not_depend_on_threads_arenas_or_company(threads: int, arena: int, first: int):
    expected = drive(various(20, threads=1), 15)[:, first:]
    batch = various(20 - first, threads=threads, arena=arena, first=first)
    assert drive(batch, 15, first).tobytes() == expected.tobytes()


def test_a_snapshot_in_the_middle_goes_on_with_the_same_bits():
    batch = various(6, arena=2)
    drive(batch, 5)
    saved = batch.snapshot()
    expected = drive(batch, 5)
    batch.reset()
    batch.restore(saved)
    assert drive(batch, 5).tobytes() == expected.tobytes()


def test_a_mask_resets_its_cars_alone():
    batch = various(4)
    drive(batch, 3)
    before = batch.observe()
    after = batch.reset(np.array([False, True, False, False]))
    changed = (before != after).any(axis=1)
    assert changed.tolist() == [False, True, False, False]


def test_starts():
    batch = Batch(SEDAN, 2, observe=["body.position", "body.heading"])
    seen = batch.reset(at=[[1, 2, 0.5], [-3, 4, -0.25]])
    assert seen[:, [0, 1, 3]] == pytest.approx(np.array([[1, 2, 0.5], [-3, 4, -0.25]]), abs=0.2)
    with pytest.raises(ArgumentError, match=r"at\[1\]\.x = NaN m"):
        batch.reset(at=[[0, 0, 0], [np.nan, 0, 0]])


@pytest.mark.parametrize(
    "make",
    [
        lambda rows: rows.tolist(),
        lambda rows: rows.astype(np.float64),
        lambda rows: np.asfortranarray(rows),
        lambda rows: np.repeat(rows, 2, axis=1)[:, ::2],
        lambda rows: np.repeat(rows, 2, axis=0)[::2],
    ],
    ids=["list", "float64", "Fortran", "columns", "rows"],
)
def test_actions_in_any_layout_mean_the_same(make):
    rows = np.array([[1, 0], [0.5, 0.5], [0.2, -1]], np.float32)
    plain, other = Batch(SEDAN, 3), Batch(SEDAN, 3)
    for _ in range(20):
        expected = plain.step(rows).observations
        found = other.step(make(rows)).observations
    assert found.tobytes() == expected.tobytes()
    assert expected[1].tobytes() != expected[2].tobytes()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.zeros((3, 3)), r"actions = float64 of shape \[3, 3\]: must be numbers of shape \[3, 2\]"),
        (np.zeros(6), r"actions = float64 of shape \[6\]"),
        (np.zeros((3, 2), complex), "actions = complex128"),
        (np.full((3, 2), "x"), "actions = <U1"),
        ([[0, 0], [0, 0], [0, np.nan]], r"actions\[2, 1\] = NaN: must be finite"),
        (np.full((3, 2), 1e300), r"actions\[0, 0\] = inf: must be finite"),
        (None, "actions = object"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_bad_actions_move_no_car(bad, message: str):
    batch = Batch(SEDAN, 3)
    before = batch.snapshot()
    with pytest.raises(ArgumentError, match=message) as caught:
        batch.step(bad)
    assert caught.value.argument.startswith("actions")
    assert batch.snapshot() == before


def test_names_are_suggested():
    with pytest.raises(UnknownName, match="did you mean wheel.front_left") as caught:
        Batch(SEDAN, 1, observe=["wheel.front_lft"])
    assert caught.value.nearest[0].startswith("wheel.front_left")
    assert isinstance(caught.value, KeyError) and isinstance(caught.value, JounceError)
    with pytest.raises(UnknownName, match="did you mean steer"):
        Batch(SEDAN, 1, actions=["stear"])
    with pytest.raises(UnknownName, match="did you mean forward"):
        Batch(SEDAN, 1, rewards={"foward": 1.0})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dt": 0.0}, "dt = 0 s: must be > 0"),
        ({"substeps": 0}, "substeps = 0: must be >= 1"),
        ({"randomize": Randomize(grip=(1.0, 0.5))}, "randomize.grip = 1..0.5"),
        ({"limits": Limits(time=-1.0)}, "limits.time = -1 s"),
        ({"goal": Goal(x=1.0, radius=0.0)}, "goal.radius = 0 m"),
    ],
)
def test_bad_options(options, message: str):
    with pytest.raises(ArgumentError, match=message):
        Batch(SEDAN, 1, **options)


def test_masks_are_bool():
    batch = Batch(SEDAN, 2)
    with pytest.raises(ArgumentError, match="mask = int64: must be of bool"):
        batch.reset(np.array([0, 1]))
    with pytest.raises(ArgumentError, match="mask = bool of shape"):
        batch.reset(np.array([True]))


def test_new_arrays_by_default_and_the_callers_by_out():
    batch = Batch(SEDAN, 2)
    first = batch.step([[1, 0]] * 2)
    kept = first.observations.copy()
    second = batch.step([[1, 0]] * 2)
    assert second is not first and (first.observations == kept).all()
    memory = first.observations
    assert batch.step([[1, 0]] * 2, out=first) is first
    assert first.observations is memory and (memory != kept).any()
    with pytest.raises(ArgumentError, match="out.observations"):
        Batch(SEDAN, 3).step([[1, 0]] * 3, out=first)


def test_parameters():
    batch = Batch(SEDAN, 3)
    batch.set("grip", [1.0, 0.2, 0.2], [True, True, False])
    assert batch.parameter("grip").tolist() == pytest.approx([1.0, 0.2, 1.0])
    for _ in range(40):
        batch.step([[1, 0]] * 3)
    fast, slow, other = batch.get(["body.velocity.x"])[:, 0]
    assert slow < 0.8 * fast and other == fast
    with pytest.raises(ArgumentError, match=r"payload\[1\] = -1 kg"):
        batch.set("payload", [0, -1, 0])
    with pytest.raises(UnknownName):
        batch.set("gripp", [1, 1, 1])


def test_goals_and_limits():
    goal = Goal(x=8.0, radius=0.5)
    rewards = {"approach": 1.0, "reached": 10.0}
    batch = Batch(SEDAN, 2, goal=goal, limits=Limits(time=3.0), rewards=rewards, observe=["goal"])
    ended, cut, total = np.zeros(2, bool), np.zeros(2, bool), np.zeros(2)
    for _ in range(60):
        steps = batch.step([[0.5, 0], [-1, 0]])
        total += steps.rewards * ~ended
        ended, cut = ended | steps.ended, cut | steps.cut
    assert ended.tolist() == [True, False] and cut[1]
    assert total[0] > 17.0 and total[1] == pytest.approx(0.0, abs=1e-3)


def child(batch: Batch, pipe) -> None:
    pipe.send(batch.step(np.zeros((len(batch), 2))).observations.tobytes())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_batch_survives_a_fork():
    batch = Batch(SEDAN, 8, arena=2, threads=2)
    batch.step(np.zeros((8, 2)))
    context = multiprocessing.get_context("fork")
    mine, others = context.Pipe()
    process = context.Process(target=child, args=(batch, others))
    process.start()
    assert mine.poll(60), "the child hangs"
    expected = batch.step(np.zeros((8, 2))).observations.tobytes()
    assert mine.recv() == expected
    process.join(60)
    assert process.exitcode == 0


def test_two_threads_on_one_batch_are_told():
    batch = Batch(SEDAN, 2000, threads=1)
    rows, errors = np.zeros((2000, 2)), []

    def work() -> None:
        try:
            for _ in range(10):
                batch.step(rows)
        except RuntimeError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(errors) == {"another thread is using this batch"}
    batch.step(rows)


def test_threads(monkeypatch):
    monkeypatch.setenv("JOUNCE_THREADS", "3")
    assert Batch(SEDAN, 1).threads == 3
    assert Batch(SEDAN, 1, threads=2).threads == 2
    monkeypatch.setenv("JOUNCE_THREADS", "many")
    with pytest.raises(ValueError, match="JOUNCE_THREADS"):
        Batch(SEDAN, 1)
    with pytest.raises(ValueError, match="threads = 0"):
        Batch(SEDAN, 1, threads=0)


def test_refused_snapshots():
    batch = Batch(SEDAN, 2)
    with pytest.raises(ArgumentError, match="snapshot"):
        batch.restore(b"no snapshot")
    with pytest.raises(ArgumentError, match="these cars and actions"):
        Batch(SEDAN, 2, actions=["steer"]).restore(batch.snapshot())
