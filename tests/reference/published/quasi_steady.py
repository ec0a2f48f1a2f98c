"""Figures of TUM's quasi-steady lap time simulation, from its equations and its parameters of two cars.

Run by hand: `python3 quasi_steady.py` writes formula-e.json and formula-1.json beside it. The equations are those of
Heilmeier, Geisslinger, Betz, "A Quasi-Steady-State Lap Time Simulation for Electrified Race Cars" (EVER 2019): a mass on
four wheels, loads by statics, tires with a friction that falls with load. No code of theirs is here.
"""

import json
import math
from pathlib import Path

G, AIR = 9.81, 1.18
# Parameters as in FE_Berlin.ini and F1_Shanghai.ini, under the same names.
CARS = {
    "formula-e": {
        "lf": 1.906, "lr": 1.194, "h_cog": 0.345, "track": 1.3, "m": 880.0, "f_roll": 0.02, "c_w_a": 1.15,
        "c_z_a": (1.24, 1.52), "fz_0": 2500.0, "mux": (1.22, 1.42), "muy": (1.22, 1.42), "dmu_dfz": (-2.5e-5, -2.0e-5),
        "circ_ref": 2.168, "eta_g": 0.96, "e_i": (1.04, 1.04), "i_trans": (0.056, 0.091), "n_max": 19000.0,
        "power": lambda n: min(200e3, 150.0 * turning(n)),
    },
    "formula-1": {
        "lf": 1.968, "lr": 1.632, "h_cog": 0.335, "track": 1.6, "m": 733.0, "f_roll": 0.03, "c_w_a": 1.56,
        "c_z_a": (2.20, 2.68), "fz_0": 3000.0, "mux": (1.65, 1.95), "muy": (1.85, 2.15), "dmu_dfz": (-5.0e-5, -5.0e-5),
        "circ_ref": 2.073, "eta_g": 0.96, "e_i": (1.16, 1.11, 1.09, 1.08, 1.08, 1.08, 1.07, 1.07),
        "i_trans": (0.04, 0.070, 0.095, 0.117, 0.143, 0.172, 0.190, 0.206), "n_max": 13000.0,
        "power": lambda n: combustion(n) + min(120e3, 200.0 * turning(n)),
    },
}
HUNDRED = 100.0 / 3.6
STEP = 1e-3  # s


def turning(n):
    """rad/s of 1/min."""
    return n * math.tau / 60.0


def combustion(n):
    """567 kW at 11400 1/min, 41 kW less at 10500 and 12200: parabolas; constant torque below."""
    if n < 10500.0:
        return 526e3 * n / 10500.0
    return 567e3 - 41e3 * ((n - 11400.0) / (900.0 if n < 11400.0 else 800.0)) ** 2


def loads(car, speed, ahead, aside):
    """Of both wheels of both axles."""
    base, dynamic = car["lf"] + car["lr"], 0.5 * AIR * speed**2
    found = []
    for far, sign, lift in ((car["lr"], -1.0, car["c_z_a"][0]), (car["lf"], 1.0, car["c_z_a"][1])):
        load = 0.5 * (car["m"] * (G * far + sign * ahead * car["h_cog"]) / base + dynamic * lift)
        moved = car["m"] * far / base * car["h_cog"] / car["track"] * aside
        found.append([max(load - moved, 30.0), load + moved])
    return found


def potential(car, axle, name, wheels):
    friction = lambda load: car[name][axle] + car["dmu_dfz"][axle] * (load - car["fz_0"])
    return sum(friction(load) * load for load in wheels)


def resistance(car, speed):
    dynamic = 0.5 * AIR * speed**2
    return dynamic * car["c_w_a"] + car["f_roll"] * (car["m"] * G + dynamic * sum(car["c_z_a"]))


def holds(car, speed, aside):
    """Whether both axles hold a lateral acceleration, the rear one with the force that keeps the speed."""
    base = car["lf"] + car["lr"]
    front, rear = loads(car, speed, 0.0, aside)
    if car["m"] * aside * car["lr"] / base > potential(car, 0, "muy", front):
        return False
    share = car["m"] * aside * car["lf"] / base / potential(car, 1, "muy", rear)
    return share < 1.0 and math.sqrt(1.0 - share**2) * potential(car, 1, "mux", rear) >= resistance(car, speed)


def lateral(car, speed):
    low, high = 0.0, 100.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(car, speed, middle) else (low, middle)
    return low


def acceleration(car, speed):
    """The greatest of all gears; tires grow with speed."""
    radius = car["circ_ref"] * (1.0 + (speed * 3.6 - 60.0) * 0.045 / 200.0) / math.tau
    best = -math.inf
    for ratio, inertia in zip(car["i_trans"], car["e_i"]):
        n = max(speed / radius / ratio * 60.0 / math.tau, 1.0)
        if n > car["n_max"]:
            continue
        engine = car["power"](n) / turning(n) * car["eta_g"] / ratio / radius
        ahead = 0.0
        for _ in range(6):
            force = min(engine, potential(car, 1, "mux", loads(car, speed, ahead, 0.0)[1]))
            ahead = (force - resistance(car, speed)) / (car["m"] * inertia)
        best = max(best, ahead)
    return best


def straight(car):
    """Time to 100 km/h, and the greatest speed."""
    speed, time, hundred = 0.0, 0.0, math.nan
    while (ahead := acceleration(car, speed)) > 1e-3 and time < 300.0:
        if speed < HUNDRED <= speed + ahead * STEP:
            hundred = time + (HUNDRED - speed) / ahead
        speed, time = speed + ahead * STEP, time + STEP
    return hundred, speed


def main():
    for name, car in CARS.items():
        hundred, fastest = straight(car)
        speeds = [v / 3.6 for v in range(60, 300, 10)]
        figures = {
            "source": "TUM's quasi-steady lap time simulation, by its equations (EVER 2019) and parameters",
            "zero_to_100": round(hundred, 3),
            "top_speed": round(fastest * 3.6, 2),
            "lateral_acceleration": [[round(v, 3), round(lateral(car, v), 3)] for v in speeds],
        }
        Path(__file__).with_name(f"{name}.json").write_text(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
