"""Sweeps: many drives of one maneuver, each with other parameters, in files."""

from __future__ import annotations

import hashlib
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jounce._core import Car, SweepPlan
from jounce._engines import Engine, results
from jounce._errors import ArgumentError
from jounce._parts import part
from jounce._progress import bar
from jounce._space import Distribution

if TYPE_CHECKING:
    import pyarrow as pa

# Readers of folders, such as pandas, leave out names that begin so.
_PLAN = "_plan.toml"


@dataclass(frozen=True)
class Sweep:
    """A completed sweep.

    Attributes
    ----------
    folder : pathlib.Path
        Where its files are, which any reader of Parquet takes: ``pandas.read_parquet(folder)``.
    files : tuple of pathlib.Path
        Its parts, in the order of the samples.
    """

    folder: Path
    files: tuple[Path, ...]

    def table(self) -> pa.Table:
        """Return all samples, a row each: its number, what was varied, numbers of its drive, how it ended (``end``), and why it was
        refused (``fault``). The metadata of a field has its ``unit``.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        return pa.concat_tables([pq.read_table(file) for file in self.files])

    def to_pandas(self) -> Any:
        """Return :meth:`table` as a :class:`pandas.DataFrame`."""
        return self.table().to_pandas()


def sweep(
    car: Car,
    space: Mapping[str, Distribution],
    maneuver: str,
    n: int,
    *,
    to: str | os.PathLike[str],
    on: Engine = "threads",
    seed: int = 0,
    chunk: int | None = None,
    ground: str | None = None,
    dt: float = 1.0 / 60.0,
    progress: bool = True,
) -> Sweep:
    """Drive a maneuver n times, each time with other parameters, into files of a folder.

    A sweep is cut into chunks, each a pure function of the plan and its number, and each becomes one Parquet file. The folder has the
    plan, too. Called again with the same arguments, a sweep that was interrupted goes on with what is missing. Files have the same
    bytes whatever they were computed on.

    Parameters
    ----------
    car : Car
        The car. Its file must not refer to other files.
    space : mapping of str to distribution
        What is varied, by name: a number is fixed, a pair is the ends of a uniform distribution, a list has values of which each sample
        draws one; or :class:`Normal`, :class:`LogUniform`. Names are ``grip`` (factor on friction [–]), ``payload`` [kg], ``speed`` at
        the start [m/s], ``gravity`` [m/s²], ``wind.x`` and ``wind.y`` [m/s, world]; paths of the vehicle file in its units, such as
        ``axles.suspension.stiffness``; and, after ``maneuver.``, paths of the maneuver's file: ``maneuver.stages.1.brake``.
    maneuver : str
        Name of a built-in maneuver, such as ``brake``, ``lane-change`` or ``circle``, or path of a maneuver's file.
    n : int
        Number of samples.
    to : str or os.PathLike
        The folder, which is made if there is none.
    on : str, Executor or client of Dask
        ``"threads"``: of this process; any :class:`concurrent.futures.Executor`; a client of Dask; ``"ray"``: the cluster that Ray is
        connected to, or the one that it finds; or an address ``"ray://…"``. Workers need Jounce and pyarrow, but not the folder.
    seed : int
        Seed of the samples. Those of a name depend on the seed, the name and their number alone.
    chunk : int, optional
        Number of samples per chunk; by default as many as take about a second.
    ground : str, optional
        Name of the ground: ``flat``, ``slope:DEG``, ``ramp:DEG``, ``steps:RISE``, ``hills:SEED``; by default the maneuver's.
    dt : float
        Duration of a physics step [s].
    progress : bool
        Whether a bar is shown: tqdm's, where it is installed.

    Returns
    -------
    Sweep
        The files. A sample that makes no drive, since its car is refused, is a row whose ``end`` is ``refused``.

    Raises
    ------
    ArgumentError
        If an argument breaks its rule, or the folder is that of another plan.
    ModuleNotFoundError
        If pyarrow is not installed: the extra ``table`` has it.
    VehicleFileError
        If none of the first samples makes a car: a name stands for nothing, or values are out of range.

    Examples
    --------
    >>> import tempfile
    >>> from jounce import Car, sweep
    >>> folder = tempfile.mkdtemp()
    >>> space = {"grip": (0.3, 1.0), "chassis.mass": [1400, 1800]}
    >>> table = sweep(Car.load("sedan"), space, "brake", 20, to=folder, progress=False).table()
    >>> table.num_rows, table.schema.field("braking_distance").metadata
    (20, {b'unit': b'm'})
    """
    _need_pyarrow()
    plan = SweepPlan(car, space, maneuver, n, seed=seed, chunk=chunk, ground=ground, dt=dt)
    folder = Path(to)
    _claim(folder, plan.text)
    digest = hashlib.sha256(plan.text.encode()).hexdigest()[:12]
    files = [folder / f"part-{chunk:05}-{digest}.parquet" for chunk in range(plan.chunks)]
    missing = [chunk for chunk, file in enumerate(files) if not file.exists()]
    with bar(len(files), len(files) - len(missing), progress) as advance:
        for chunk, content in results(on, part, plan.text, missing):
            _write(files[chunk], content)
            advance()
    return Sweep(folder, tuple(files))


def _need_pyarrow() -> None:
    """Say what is missing before anything is done."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        message = 'a sweep takes pyarrow: pip install "jounce[table]"'
        raise ModuleNotFoundError(message, name="pyarrow") from error


def _claim(folder: Path, plan: str) -> None:
    """Make a folder that of a plan, unless it is that of another one."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / _PLAN
    if not file.exists():
        _write(file, plan.encode())
    elif file.read_text(encoding="utf-8") != plan:
        expected = f"a new folder, or that of the same plan: compare its {_PLAN}"
        raise ArgumentError(f"to = {folder}: must be {expected}", "to", expected, str(folder))


def _write(file: Path, content: bytes) -> None:
    """Write a file that is there as a whole, or not at all."""
    beside = file.with_name(f".{file.name}-{uuid.uuid4().hex}")
    try:
        with beside.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
