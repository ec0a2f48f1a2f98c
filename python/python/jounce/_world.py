"""One car, step by step."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from jounce._core import Batch, Car, Ground, Track

_ACTIONS = ("throttle", "brake", "handbrake", "steer", "clutch")


class World:
    """One car on a ground, driven step by step: a :class:`Batch` of one.

    Parameters
    ----------
    car : Car
        The car, at rest in first gear.
    ground : Ground or Track, optional
        By default level.
    dt : float
        Duration of a step [s].
    at : tuple of float
        Start: x, y [m, world] and heading [rad, 0 along x, to the left].
    observe : sequence of str
        Names of what is recorded, as those of :class:`Batch`.
    automatic : bool
        Whether the automatic changes gears; otherwise :meth:`step` takes a gear.

    Examples
    --------
    >>> from jounce import Car, World
    >>> world = World(Car.load("sedan"), observe=["body.velocity.x", "engine.speed"])
    >>> for _ in range(120):
    ...     now = world.step(throttle=1.0)
    >>> bool(now["body.velocity.x"] > 4.0)
    True
    >>> world.telemetry()["time"][-1].round(3)
    np.float64(2.0)
    """

    def __init__(
        self,
        car: Car,
        ground: Ground | Track | None = None,
        *,
        dt: float = 1.0 / 60.0,
        at: tuple[float, float, float] = (0.0, 0.0, 0.0),
        observe: Sequence[str] = ("body", "wheel.*", "engine", "air", "drive"),
        automatic: bool = True,
    ) -> None:
        actions = _ACTIONS if automatic else (*_ACTIONS, "gear")
        self._batch = Batch(
            car,
            1,
            ground=ground,
            dt=dt,
            substeps=1,
            actions=list(actions),
            observe=list(observe),
            hands=False,
            threads=1,
        )
        self._batch.reset(at=[at])
        self._dt = dt
        self._automatic = automatic
        self._gear = 1
        self._names = [column.name for column in self._batch.columns]
        self._rows: list[npt.NDArray[np.float32]] = []

    def step(
        self,
        *,
        throttle: float = 0.0,
        brake: float = 0.0,
        handbrake: float = 0.0,
        steer: float = 0.0,
        clutch: float = 0.0,
        gear: int | None = None,
    ) -> dict[str, float]:
        """Step the car.

        Parameters
        ----------
        throttle, brake, handbrake, clutch : float
            Pedals and lever [–], 0 … 1.
        steer : float
            Steering [–], −1 left … 1 right.
        gear : int, optional
            Gear to change to, −1 reverse, if gears are not automatic.

        Returns
        -------
        dict of str to float
            What is observed, by name.

        Raises
        ------
        ArgumentError
            If a number is not finite.
        ValueError
            If a gear is given to an automatic.
        JounceError
            If the car refuses to go on.
        """
        row = [throttle, brake, handbrake, steer, clutch]
        if self._automatic:
            if gear is not None:
                raise ValueError("gear: gears are automatic; make the world with automatic=False")
        else:
            self._gear = self._gear if gear is None else gear
            row.append(self._gear)
        observed = self._batch.step([row]).observations[0]
        self._rows.append(observed)
        return dict(zip(self._names, observed.tolist(), strict=True))

    def telemetry(self) -> dict[str, npt.NDArray[np.float64]]:
        """Return all that was observed, a column by name: for :class:`pandas.DataFrame`, for example.

        Returns
        -------
        dict of str to ndarray of float64, shape (steps,)
            ``time`` [s] and each observation after each step.
        """
        rows = np.array(self._rows, dtype=np.float64).reshape(-1, len(self._names))
        time = self._dt * np.arange(1, len(rows) + 1, dtype=np.float64)
        columns = {name: rows[:, n] for n, name in enumerate(self._names)}
        return {"time": time.astype(np.float64)} | columns

    def snapshot(self) -> bytes:
        """Return the car as bytes, from which :meth:`restore` goes on with the same bits."""
        return self._batch.snapshot()

    def restore(self, snapshot: bytes) -> None:
        """Put the car of a snapshot back; what was recorded stays.

        Parameters
        ----------
        snapshot : bytes
            Of a world with the same arguments.
        """
        self._batch.restore(snapshot)
