"""Sweeps: the same files whatever computes them, and whatever becomes of it."""

import multiprocessing
import os
import pathlib
import signal
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest

from jounce import ArgumentError, Car, LogUniform, Normal, VehicleFileError, sweep

pq = pytest.importorskip("pyarrow.parquet")

SEDAN = Car.load("sedan")
SPACE = {"grip": (0.4, 1.0), "chassis.mass": [1400.0, 1800.0]}


def swept(to: pathlib.Path, n: int = 24, chunk: int = 4, **options):
    return sweep(SEDAN, SPACE, "brake", n, to=to, chunk=chunk, progress=False, **options)


def contents(folder: pathlib.Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


class Inline(Executor):
    """Runs tasks at once, until a Ctrl+C at one of them."""

    def __init__(self, last: int) -> None:
        self.left = last

    def submit(self, task, /, *args, **options) -> Future:
        future: Future = Future()
        self.left -= 1
        if self.left < 0:
            future.set_exception(KeyboardInterrupt())
        else:
            future.set_result(task(*args, **options))
        return future


@pytest.fixture(scope="module")
def expected(tmp_path_factory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("threads")
    swept(folder)
    return contents(folder)


def test_a_sweep_is_a_table(tmp_path):
    result = swept(tmp_path / "new" / "folder", n=30)
    table = result.table()
    assert table.num_rows == 30 and len(result.files) == 8
    assert table["sample"].to_pylist() == list(range(30))
    assert table.schema.field("distance").metadata == {b"unit": b"m"}
    assert set(table["chassis.mass"].to_pylist()) == {1400.0, 1800.0}
    grip, distance = (table[name].to_numpy() for name in ("grip", "braking_distance"))
    assert np.corrcoef(grip, 1.0 / distance)[0, 1] > 0.9
    pandas = pytest.importorskip("pandas")
    assert len(pandas.read_parquet(result.folder)) == 30
    assert (result.to_pandas()["end"] == "finished").all()


def test_distributions(tmp_path):
    space = {
        "grip": LogUniform(0.4, 1.0),
        "payload": Normal(150.0, 10.0),
        "wind.x": 3.0,
        "axles.0.tire.model": ["left", "right"],
        "maneuver.stages.0.until.speed_above": (8.0, 12.0),
    }
    table = sweep(SEDAN, space, "brake", 6, to=tmp_path, progress=False).table()
    assert set(table["axles.0.tire.model"].to_pylist()) == {"left", "right"}
    assert table["wind.x"].to_pylist() == [3.0] * 6
    assert all(100.0 < payload < 200.0 for payload in table["payload"].to_pylist())
    asked, speed = (table[name].to_numpy() for name in ("maneuver.stages.0.until.speed_above", "brake.speed"))
    assert np.abs(asked - speed).max() < 0.2


def test_other_names_do_not_change_a_names_samples(tmp_path):
    alone = sweep(SEDAN, {"grip": (0.4, 1.0)}, "brake", 6, to=tmp_path / "a", progress=False)
    both = swept(tmp_path / "b", n=6)
    other = swept(tmp_path / "c", n=6, seed=1)
    grip = [it.table()["grip"].to_pylist() for it in (alone, both, other)]
    assert grip[0] == grip[1] != grip[2]


def test_processes_write_the_same_bytes(tmp_path, expected):
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        swept(tmp_path, on=executor)
    assert contents(tmp_path) == expected


def test_a_client_of_dask_is_one_with_an_executor(tmp_path, expected):
    class Client:
        def get_executor(self) -> Executor:
            return ThreadPoolExecutor(1)

    swept(tmp_path, on=Client())
    assert contents(tmp_path) == expected


def test_an_interrupted_sweep_goes_on(tmp_path, expected):
    with pytest.raises(KeyboardInterrupt):
        swept(tmp_path, on=Inline(3))
    parts = list(tmp_path.glob("part-*"))
    assert len(parts) == 3
    written = {part: part.stat().st_mtime_ns for part in parts}
    swept(tmp_path)
    assert contents(tmp_path) == expected
    assert written == {part: part.stat().st_mtime_ns for part in parts}
    # Nothing is left to do.
    swept(tmp_path, on=Inline(0))


def test_a_worker_that_dies_costs_its_part(tmp_path):
    n, chunk = 240, 20
    whole = swept(tmp_path / "threads", n=n, chunk=chunk)
    folder = tmp_path / "processes"
    failures = []
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:

        def run() -> None:
            try:
                swept(folder, n=n, chunk=chunk, on=executor)
            except BrokenProcessPool as error:
                failures.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        while not list(folder.glob("part-*")):
            assert thread.is_alive()
            time.sleep(0.01)
        os.kill(next(iter(executor._processes)), getattr(signal, "SIGKILL", signal.SIGTERM))
        thread.join()
    assert len(failures) == 1
    assert 0 < len(list(folder.glob("part-*"))) < len(whole.files)
    swept(folder, n=n, chunk=chunk)
    assert contents(folder) == contents(whole.folder)


def test_a_folder_belongs_to_one_plan(tmp_path):
    swept(tmp_path, n=4)
    for other in ({"n": 5}, {"seed": 2}, {"dt": 0.01}, {"ground": "slope:5"}):
        with pytest.raises(ArgumentError, match="that of the same plan"):
            swept(tmp_path, **{"n": 4, **other})


@pytest.mark.parametrize(
    ("space", "message"),
    [
        ({"grip": (1.0, 0.5)}, r'space\["grip"\] = .*ascending'),
        ({"grip": []}, "at least one value"),
        ({"grip": ["much"]}, "of numbers"),
        ({"grip": Normal(1.0, -1.0)}, "deviation >= 0"),
    ],
)
def test_bad_spaces(tmp_path, space, message):
    with pytest.raises(ArgumentError, match=message):
        sweep(SEDAN, space, "brake", 2, to=tmp_path)
    assert not list(tmp_path.iterdir())


def test_bad_arguments(tmp_path):
    with pytest.raises(VehicleFileError, match="did you mean"):
        sweep(SEDAN, {"chassis.mas": 1.0}, "brake", 2, to=tmp_path)
    with pytest.raises(ArgumentError, match="on = 'cloud'"):
        swept(tmp_path, on="cloud")
    with pytest.raises(ArgumentError, match="ground = mesh:a.obj"):
        swept(tmp_path / "b", ground="mesh:a.obj")
    with pytest.raises(ArgumentError, match="n = 0"):
        swept(tmp_path / "b", n=0)


def test_what_is_missing_is_told_before_anything_is_done(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError, match="table"):
        swept(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_line_tells_how_far_it_is(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    sweep(SEDAN, SPACE, "brake", 8, to=tmp_path, chunk=4)
    assert "sweep: 2 of 2 parts" in capsys.readouterr().err
