"""Tracks, and batches on them."""

import numpy as np
import pytest

from jounce import ArgumentError, Batch, Car, JounceError, Limits, Randomize, Sight, Track, World

SEDAN = Car.load("sedan")
SQUARE = np.array([[0, 0], [90, 0], [90, 90], [0, 90]])


def test_built_in_tracks():
    for name, length in [("oval", 551), ("road-course", 1899), ("kart", 616)]:
        track = Track.load(name)
        assert track.name == name and track.closed and abs(track.length - length) < 2
        assert track.points.shape == (len(track.edges), 2) and track.edges.shape[1:] == (2, 2)


def test_a_track_from_a_file(tmp_path):
    path = tmp_path / "straight.csv"
    path.write_text("# open\n# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,3,5\n50,0,3,5\n100,0,3,5\n")
    track = Track.load(path)
    assert track.name == "straight" and not track.closed and track.length == pytest.approx(100)
    assert track.place([[30, 2], [60, -4]]) == pytest.approx(np.array([[30, 2, 5, 3], [60, -4, -1, 9]]))
    path.write_text("0,0,3,5\n50,x,3,5\n")
    with pytest.raises(JounceError, match=r"straight\.csv:2: y_m"):
        Track.load(path)
    with pytest.raises(FileNotFoundError, match="did you mean oval"):
        Track.load("ovall")


@pytest.mark.parametrize(
    ("center", "right", "left", "message"),
    [
        (SQUARE[:, :1], [3] * 4, [3] * 4, r"center = \[4, 1\]"),
        (SQUARE, [3] * 3, [3] * 4, "right = int64 of shape"),
        (SQUARE, [3] * 4, [3, 3, 0, 3], r"points\[2\]\.w_tr_left_m = 0 m"),
        (SQUARE[:2], [3] * 2, [3] * 2, "must be at least 3"),
    ],
)
def test_bad_tracks(center, right, left, message: str):
    with pytest.raises(ArgumentError, match=message):
        Track(center, right, left)


def race(count: int, track: str = "kart", **options) -> Batch:
    options = {"observe": ["track", "body"], "rewards": {"progress": 1.0, "lap": 1.0}} | options
    return Batch(SEDAN, count, ground=Track.load(track), **options)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("arena", [3, 64])
@pytest.mark.parametrize("first", [0, 7])
def test_bits_do_not_depend_on_threads_arenas_or_company(threads: int, arena: int, first: int):
    drawn = Randomize(x=(0, 600), y=(-2, 2), grip=(0.5, 1.0), speed=(0, 12), focus=(90, 120), focus_share=0.2)

    def drive(batch: Batch) -> np.ndarray:
        return np.stack([batch.step(batch.race()).observations for _ in range(20)])

    expected = drive(race(16, randomize=drawn, threads=1))[:, first:]
    batch = race(16 - first, randomize=drawn, threads=threads, arena=arena, first=first)
    assert drive(batch).tobytes() == expected.tobytes()


def test_a_racing_driver_laps_and_is_timed():
    batch = race(2, "oval", limits=Limits(off_track=0.0, laps=1))
    for _ in range(1000):
        steps = batch.step(batch.race())
        if steps.ended.all():
            break
    laps, time = batch.get(["track.laps", "track.lap_time"])[0]
    assert steps.terms[0, 1] == 1.0 and laps == 1 and 20.0 < time < 32.0
    with pytest.raises(ArgumentError, match="ground = none: must be a track"):
        Batch(SEDAN, 1).race()


def test_sights():
    batch = race(1, sight=Sight(ahead=(10,), rays=(0,)), observe=["track.curvature", "track.speed", "track.ray"])
    names = [column.name for column in batch.columns]
    assert names == ["track.curvature.0_10", "track.speed.0_10", "track.ray.0"]
    with pytest.raises(ArgumentError, match=r"sight\.ahead = \[10, 5\] m"):
        race(1, sight=Sight(ahead=(10, 5)))


def test_bad_options():
    with pytest.raises(ArgumentError, match=r"focus\.share = 2"):
        race(1, randomize=Randomize(focus=(0, 1), focus_share=2.0))
    with pytest.raises(ArgumentError, match="slip_angle = 0 rad"):
        race(1, slip_angle=0.0)
    with pytest.raises(ArgumentError, match="0.2 s per action"):
        race(1, substeps=30)


def test_a_world_on_a_track():
    world = World(SEDAN, Track.load("oval"), at=(30.0, 1.0, 0.0), observe=["track.s", "track.offset"])
    now = world.step()
    assert now["track.s"] == pytest.approx(30, abs=0.5) and now["track.offset"] == pytest.approx(1, abs=0.05)


def test_trailers():
    tractor, trailer = Car.load("tractor"), Car.load("trailer")
    batch = Batch(tractor, 2, trailer=trailer, observe=["trailer.angle"], actions=["throttle", "steer"])
    for _ in range(100):
        steps = batch.step([[0.5, -0.5], [0.5, 0.5]])
    left, right = steps.observations[:, 0]
    assert left < -0.1 and right == pytest.approx(-left, abs=1e-3)
    with pytest.raises(ArgumentError, match="cars = sedan: must be with a coupling"):
        Batch(SEDAN, 1, trailer=trailer)
    ahead, behind, half = tractor.outline
    assert ahead + behind == pytest.approx(4.2) and half == pytest.approx(0.7)
