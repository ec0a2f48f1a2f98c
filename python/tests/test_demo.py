"""The page with cars on a track."""

import base64
import json
import re
import subprocess
import sys

import numpy as np
import pytest

from jounce import Track
from jounce.demo import drive, page


@pytest.mark.parametrize("name", ["oval", "road-course", "kart"])
def test_cars_stay_on_their_track(name: str):
    film = drive(Track.load(name), 40, 30.0)
    way = np.linalg.norm(np.diff(film.positions, axis=0), axis=2).sum(axis=0)
    assert film.off_track == 0 and (way > 150.0).all()


def test_a_page_has_the_positions_and_needs_nothing_else():
    track = Track.load("oval")
    film = drive(track, 5, 2.0)
    text = page(track, film)
    data = json.loads(re.search(r"const data = (.*);\n", text).group(1))
    places = np.frombuffer(base64.b64decode(data["positions"]), "<u2").reshape(film.positions.shape)
    moved = (film.positions - film.positions[0, 0]) - data["scale"] * (places - places[0, 0].astype(float))
    assert np.abs(moved).max() < 0.05
    assert not re.search(r"(src|href)=|https?://|@import", text)


def test_the_command_writes_a_page(tmp_path):
    file = tmp_path / "page.html"
    words = [sys.executable, "-m", "jounce.demo", "--out", file, "--cars", "20", "--seconds", "2"]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "20 cars, 2 s" in told and file.read_text().startswith("<!doctype html>")
