"""The page: positions as whole numbers, and a script that draws them."""

import base64
import json
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from jounce._core import Track
from jounce.demo._drive import Film

_DATA = "/*data*/"


def page(track: Track, film: Film) -> str:
    """Return the page of a film, which needs nothing but itself.

    Parameters
    ----------
    track : Track
        The track.
    film : Film
        What cars did on it.
    """
    edges = track.edges
    low = np.minimum(edges.min(axis=(0, 1)), film.positions.min(axis=(0, 1))) - 10.0
    high = np.maximum(edges.max(axis=(0, 1)), film.positions.max(axis=(0, 1))) + 10.0
    # Positions as 16-bit numbers: centimeters on tracks of some hundred meters.
    scale = float((high - low).max()) / 65535.0
    data: dict[str, Any] = {
        "track": track.name,
        "closed": track.closed,
        "size": (high - low).tolist(),
        "scale": scale,
        "interval": film.interval,
        "count": film.positions.shape[1],
        "models": film.models,
        "edges": [np.round(edges[:, side] - low, 2).tolist() for side in (0, 1)],
        "grip": np.round(film.grip, 3).tolist(),
        "positions": _packed((film.positions - low) / scale),
    }
    template = files("jounce.demo").joinpath("page.html").read_text(encoding="utf-8")
    return template.replace(_DATA, json.dumps(data, separators=(",", ":")))


def _packed(numbers: npt.NDArray[Any]) -> str:
    return base64.b64encode(np.round(numbers).astype("<u2").tobytes()).decode()
