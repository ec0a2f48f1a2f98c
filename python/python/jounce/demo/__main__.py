"""Writes the page."""

import argparse
import time
from pathlib import Path

from jounce._core import Track
from jounce.demo import drive, page


def main() -> None:
    """Drive, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m jounce.demo", description="Cars on a track, as a page to be looked at.")
    parser.add_argument("--out", type=Path, default=Path("jounce-demo.html"), help="the page (default: %(default)s)")
    parser.add_argument("--cars", type=int, default=1000, help="number of cars (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=40.0, help="duration (default: %(default)s)")
    parser.add_argument("--track", default="road-course", help="oval, road-course, kart, or a CSV file")
    parser.add_argument("--seed", type=int, default=1, help="seed of grip, load and start (default: %(default)s)")
    words = parser.parse_args()
    track = Track.load(words.track)
    begun = time.perf_counter()
    film = drive(track, words.cars, words.seconds, words.seed)
    took = time.perf_counter() - begun
    words.out.write_text(page(track, film), encoding="utf-8")
    steps = words.cars * words.seconds / film.dt
    print(f"{words.cars} cars, {words.seconds:g} s: {took:.1f} s, {steps / took:,.0f} car-steps/s")
    print(f"{film.off_track} cars left the track; {words.out}: {words.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
