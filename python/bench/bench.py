"""What a step of a car costs, beside other programs: all in one process on one thread, in turns, by CPU time.

Other programs step a car without their sensors, collisions and environments; Jounce observes 88 numbers.
"""

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import rivals
from jounce import Batch, Car

ROUNDS = 7
LEAST = 0.1
"""Least CPU time of one measurement [s]."""
SIZES = (1, 64, 4096)
WHEEL = [
    "jounce", "suspension_force", "tire_load", "normalized_tire_load", "spin", "friction", "slip_ratio",
    "normalized_longitudinal_force", "slip_angle", "normalized_lateral_force", "normalized_aligning_moment",
    "overturning_moment", "rolling_resistance", "skid_info", "loaded_radius",
]  # fmt: skip
BODY = ["position", "rotation", "velocity", "rate", "acceleration"]
OBSERVE = [*(f"body.{part}" for part in BODY), *(f"wheel.*.{key}" for key in WHEEL), "engine", "air"]
ROOT = Path(__file__).parents[2]


def cost(work: Callable[[], Any]) -> float:
    """CPU time of a call [s], over as many as take a while."""
    count = 1
    while True:
        begun = time.process_time()
        for _ in range(count):
            work()
        took = time.process_time() - begun
        if took > LEAST:
            return took / count
        count *= 2 if took < LEAST / 4 else 1 + int(LEAST / took)


def in_turns(contestants: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Medians of the costs [s]."""
    costs: dict[str, list[float]] = {name: [] for name in contestants}
    for work in contestants.values():
        # Some compile themselves.
        work()
    for _ in range(ROUNDS):
        for name, work in contestants.items():
            costs[name].append(cost(work))
    return {name: statistics.median(values) for name, values in costs.items()}


def stepper(batch: Batch) -> Callable[[], Any]:
    """Steps at half throttle in a gentle bend; a new episode every ten seconds."""
    actions = np.tile(np.float32([0.5, 0.05]), (len(batch), 1))
    out, count = batch.step(actions), [0]

    def step() -> None:
        count[0] += 1
        if count[0] % 1000 == 0:
            batch.reset()
        batch.step(actions, out=out)

    return step


def batch_of(car: Car | list[Car], count: int, **options: Any) -> Batch:
    return Batch(car, count, dt=rivals.DT, substeps=1, observe=OBSERVE, threads=1, **options)


def others() -> tuple[dict[str, Callable[[], Any]], list[str]]:
    """Other programs' cars, and what is missing."""
    found: dict[str, Callable[[], Any]] = {}
    missing = []
    for package, of in rivals.RIVALS.items():
        try:
            found |= of()
        except ImportError as error:
            missing.append(f"{package}: {error}")
    return found, missing


def memory() -> int:
    """Memory of this process [byte]."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def memory_per_car(count: int, cars: Callable[[], Car | list[Car]]) -> float:
    """Memory of a car in a batch [byte], its model's share included."""
    before = memory()
    batch = batch_of(cars(), count)
    batch.step(np.zeros((count, 2), np.float32))
    used = memory() - before
    assert len(batch) == count
    return used / count


def varied(car: Car, count: int) -> list[Car]:
    return [car.with_({"axles.suspension.stiffness": 2e4 + n}) for n in range(count)]


def measured() -> dict[str, Any]:
    sedan, bench_sedan = Car.load("sedan"), Car.load(ROOT / "benches/sedan.toml")
    memories = {
        "memory": memory_per_car(40_960, lambda: sedan),
        "memory_own_models": memory_per_car(2048, lambda: varied(sedan, 2048)),
    }
    batches = {f"sedan, N = {count}": batch_of(sedan, count) for count in SIZES}
    batches[f"benchmarks' sedan, N = {SIZES[-1]}"] = batch_of(bench_sedan, SIZES[-1])
    found, missing = others()
    ours = {name: stepper(batch) for name, batch in batches.items()}
    calls = in_turns(ours | found)
    cars = {name: len(batch) for name, batch in batches.items()}
    cars |= {name: rivals.COUNT for name in found if "numba" in name}
    small = {count: cost(stepper(batch_of(sedan, count))) for count in (1, 2, 4, 8, 16)}
    per_call = float(np.polyfit(list(small), list(small.values()), 1)[1])
    large = batches[f"sedan, N = {SIZES[-1]}"]
    return {
        "columns": len(large.columns),
        "ns": {name: 1e9 * took / cars.get(name, 1) for name, took in calls.items()},
        "missing": missing,
        "share": {count: per_call / calls[f"sedan, N = {count}"] for count in SIZES},
        "per_call_us": 1e6 * per_call,
        "reset_ms": 1e3 * statistics.median(cost(large.reset) for _ in range(ROUNDS)),
        **memories,
    }


def table(found: dict[str, Any]) -> str:
    """The results beside the goals."""
    ours = found["ns"][f"sedan, N = {SIZES[-1]}"]
    lines = [
        f"One physics step of {1e3 * rivals.DT:.0f} ms per action, {found['columns']} observed numbers, one thread, CPU time.",
        "",
        "| car | ns per car-step | car-steps/s and core | times ours |",
        "|---|---:|---:|---:|",
    ]
    for name, took in found["ns"].items():
        lines.append(f"| {name} | {took:,.0f} | {1e9 / took:,.0f} | {took / ours:.2f} |")
    share = ", ".join(f"{100 * part:.2g} % at N = {count}" for count, part in found["share"].items())
    lines += [
        "",
        "| what | measured | goal |",
        "|---|---|---|",
        f"| what a call costs beside its cars, {found['per_call_us']:.1f} µs | {share} | ≤ 1 % at N ≥ 64 |",
        f"| reset of {SIZES[-1]}, observed | {found['reset_ms']:.2f} ms | ≤ 2 ms |",
        f"| memory per car; with models of their own | {found['memory'] / 1e3:.1f} kB; "
        f"{found['memory_own_models'] / 1e3:.1f} kB | ≤ 4 kB; 17 kB |",
    ]
    return "\n".join(lines + [f"\nleft out: {missing}" for missing in found["missing"]])


if __name__ == "__main__":
    results = measured()
    print(json.dumps(results) if "--json" in sys.argv[1:] else table(results))
