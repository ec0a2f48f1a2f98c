"""Pictures of cars from above."""

import numpy as np
import numpy.typing as npt

from jounce import Batch, Car, Track

Picture = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]

SIZE = 256
"""Width and height of a picture [pixels]."""
_REACH = 30.0
"""From the car to the edges of its picture [m]."""
_GRASS, _LINES, _ROAD = (90, 130, 80), (80, 118, 72), (110, 110, 115)
_CAR, _FRONT, _TRAILER, _GOAL = (200, 40, 40), (40, 40, 60), (60, 90, 180), (240, 210, 60)
_COLUMNS = ["body.position.x", "body.position.y", "body.heading"]


class Painter:
    """Paints cars of a batch as they are seen from above: the world's x axis to the right, y up, each car in the middle.

    Parameters
    ----------
    batch : Batch
        The cars.
    car : Car
        The car whose body is drawn.
    trailer : Car, optional
        The trailer, if there is one.
    track : Track, optional
        The track, if there is one.
    has_goal : bool
        Whether there are goals to draw.
    """

    def __init__(
        self, batch: Batch, car: Car, trailer: Car | None, track: Track | None, has_goal: bool
    ) -> None:
        self._batch, self._car, self._trailer = batch, car, trailer
        self._edges = None if track is None else _cells(track)
        names = list(_COLUMNS)
        names += ["goal.x", "goal.y", "goal.heading"] if has_goal else []
        names += ["trailer.x", "trailer.y", "trailer.angle"] if trailer else []
        self._names, self._has_goal = names, has_goal

    def paint(self, index: int) -> Picture:
        """Return the picture of a car: uint8, shape (256, 256, 3)."""
        row = self._batch.get(self._names)[index].astype(np.float64)
        own = row[:3]
        canvas = _Canvas(own[:2])
        if self._edges is not None:
            near = np.abs(self._edges - own[:2]).min(axis=(1, 2)) < _REACH
            for cell in self._edges[near]:
                canvas.fill(cell, _ROAD)
        # The goal is seen by the last of the vehicles.
        last, outline = own, self._car.outline
        trailer = None
        if self._trailer is not None:
            trailer = last = _moved(own, row[-3:])
            outline = self._trailer.outline
        if self._has_goal:
            canvas.fill(_box(_moved(last, row[3:6]), outline), _GOAL)
        if trailer is not None:
            canvas.fill(_box(trailer, outline), _TRAILER)
        ahead, behind, half = self._car.outline
        canvas.fill(_box(own, self._car.outline), _CAR)
        canvas.fill(_box(own, (0.6 * ahead, -0.3 * ahead, 0.8 * half)), _FRONT)
        return canvas.pixels


class _Canvas:
    """Pixels about a point, with a grid of 10 m."""

    def __init__(self, middle: Points) -> None:
        step = 2 * _REACH / SIZE
        offsets = step * (np.arange(SIZE) + 0.5) - _REACH
        self._x = middle[0] + offsets[None, :]
        self._y = middle[1] - offsets[:, None]
        self.pixels: Picture = np.full((SIZE, SIZE, 3), _GRASS, np.uint8)
        self.pixels[(self._x % 10 < step) | (self._y % 10 < step)] = _LINES

    def fill(self, corners: Points, color: tuple[int, int, int]) -> None:
        """Fill a convex polygon whose corners go counterclockwise."""
        (left, low), (right, high) = corners.min(axis=0), corners.max(axis=0)
        columns = slice(*np.searchsorted(self._x[0], [left, right]))
        rows = slice(*np.searchsorted(-self._y[:, 0], [-high, -low]))
        x, y = self._x[:, columns], self._y[rows]
        inside = np.ones((y.shape[0], x.shape[1]), np.bool_)
        for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            inside &= (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0
        self.pixels[rows, columns][inside] = color


def _cells(track: Track) -> Points:
    """Return the corners of a track between neighboring points: shape (cells, 4, 2), counterclockwise."""
    edges = track.edges
    after = np.roll(edges, -1, axis=0)
    cells: Points = np.stack([edges[:, 0], after[:, 0], after[:, 1], edges[:, 1]], axis=1)
    return cells if track.closed else cells[:-1]


def _moved(pose: Points, by: Points) -> Points:
    """Return the pose (x, y, heading) that is seen from another one as ``by``."""
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    x, y, turn = by
    moved: Points = pose + np.array([x * cos - y * sin, x * sin + y * cos, turn])
    return moved


def _box(pose: Points, outline: tuple[float, float, float]) -> Points:
    """Return the corners of a body at a pose, counterclockwise."""
    ahead, behind, half = outline
    corners = [(-behind, -half), (ahead, -half), (ahead, half), (-behind, half)]
    return np.array([_moved(pose, np.array([x, y, 0.0]))[:2] for x, y in corners])
