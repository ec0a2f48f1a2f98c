"""Records drives of CommonRoad's multi-body and single-track drift models, and writes its cars as vehicle files.

`cargo xtask validate --record` runs this in a virtual environment with the package
`commonroad-vehicle-models`; README.md says what the files hold.
"""

import gzip
import json
import math
import sys
from pathlib import Path
from types import SimpleNamespace

from vehiclemodels.init_mb import init_mb
from vehiclemodels.init_std import init_std
from vehiclemodels.vehicle_dynamics_mb import vehicle_dynamics_mb
from vehiclemodels.vehicle_dynamics_std import vehicle_dynamics_std
from vehiclemodels.vehicle_parameters import setup_vehicle_parameters

from car import vehicle_file

SOURCE = "CommonRoad vehicle models 3.0.2, vehicle_dynamics_mb"
DRIFT = "CommonRoad vehicle models 3.0.2, vehicle_dynamics_std (single-track drift model)"
CARS = {1: "ford-escort", 2: "bmw-320i", 3: "vw-vanagon"}
SPEEDS = [50, 80, 110]  # km/h
STEP = 0.0005  # s, of the integration (Runge-Kutta, fourth order)
START = 0.2  # s, when something happens
SLOWEST = 3.0  # m/s, where braking ends


def plain(node):
    """Parameters without OmegaConf, whose look-ups take most of the time."""
    if hasattr(node, "items"):
        return SimpleNamespace(**{key: plain(value) for key, value in node.items()})
    return node


def advance(state, command, params, dynamics=vehicle_dynamics_mb):
    """One step of the integration."""
    def slope(at, factor=0.0, by=None):
        moved = list(at) if by is None else [x + factor * d for x, d in zip(at, by)]
        return dynamics(moved, command, params)

    first = slope(state)
    second = slope(state, 0.5 * STEP, first)
    third = slope(state, 0.5 * STEP, second)
    fourth = slope(state, STEP, third)
    slopes = zip(state, first, second, third, fourth)
    return [x + STEP / 6.0 * (a + 2.0 * b + 2.0 * c + d) for x, a, b, c, d in slopes]


def steer_speed(angle, wanted, params):
    """The steering speed that reaches an angle as soon as the model's limit allows."""
    needed = (wanted - angle) / STEP
    return min(max(needed, params.steering.v_min), params.steering.v_max)


def straight_ahead(params, speed):
    """The model at rest on its springs. `init_mb` leaves the body over axles that have sunk into the tires: it would bounce."""
    state = init_mb([0.0, 0.0, 0.0, speed / 3.6, 0.0, 0.0, 0.0], params)
    front, rear = state[16], state[21]
    pitch = (rear - front) / (params.a + params.b)
    state[8], state[11] = pitch, front + params.a * pitch
    return state


def drive(params, speed, seconds, every, wanted, braking):
    """Rows of [speed, way, yaw rate, lateral acceleration, roll], every `every` seconds; whether they are all."""
    state = straight_ahead(params, speed)
    rows, way, whole, between = [], 0.0, True, round(every / STEP)
    for n in range(round(seconds / STEP) + 1):
        time = n * STEP
        command = [steer_speed(state[2], wanted(time), params), -braking(time)]
        if n % between == 0:
            across = vehicle_dynamics_mb(list(state), command, params)[10] + state[5] * state[3]
            # Its roll is positive to the outside of a bend to the right; ours to that of one to the left.
            rows.append([state[3], way, state[5], across, -state[6]])
            if state[3] < SLOWEST:
                break
        if abs(state[6]) > 1.0 or abs(state[10]) > abs(state[3]):
            whole = False  # on its side, or spun: slips divide by speeds along wheels
            break
        before = math.hypot(state[3], state[10])
        state = advance(state, command, params)
        # The model's own rule, which holds a wheel with a spin below 0: one that the brake locked could not roll again.
        state[23:27] = [max(spin, 0.0) for spin in state[23:27]]
        way += 0.5 * STEP * (before + math.hypot(state[3], state[10]))
    return [[float(f"{x:.5g}") for x in row] for row in rows], whole


def drift(params, speed, seconds, every, wanted):
    """The same rows of the single-track drift model, which does not roll; its wheels roll freely."""
    state = init_std([0.0, 0.0, 0.0, speed / 3.6, 0.0, 0.0, 0.0], params)
    rows, way, between = [], 0.0, round(every / STEP)
    for n in range(round(seconds / STEP) + 1):
        command = [steer_speed(state[2], wanted(n * STEP), params), 0.0]
        if n % between == 0:
            slopes = vehicle_dynamics_std(list(state), command, params)
            turning = state[3] * (slopes[6] + state[5])
            across = slopes[3] * math.sin(state[6]) + turning * math.cos(state[6])
            rows.append([state[3] * math.cos(state[6]), way, state[5], across, 0.0])
        before = state[3]
        state = advance(state, command, params, vehicle_dynamics_std)
        way += 0.5 * STEP * (before + state[3])
    return [[float(f"{x:.5g}") for x in row] for row in rows]


def never(_time):
    return 0.0


def steps(degrees, turns=()):
    """The angle over time: a step, then others at the times in `turns`."""
    def angle(time):
        if time < START:
            return 0.0
        return math.radians(degrees) * (-1.0) ** sum(time >= turn for turn in turns)
    return angle


def brakes(deceleration, start):
    return lambda time: deceleration if time >= start else 0.0


def manoeuvres():
    """Name, and for every drive: speed, degrees, turns, deceleration, when, seconds, interval."""
    step = [(v, d, (), 0.0, START, 4.0, 0.02) for v in SPEEDS for d in (1, 2, 3)]
    double = [(v, 1, (1.7,), 0.0, START, 4.0, 0.02) for v in SPEEDS]
    brake = [(v, 0, (), b, START, 12.0, 0.1) for v in SPEEDS for b in (4, 8)]
    bend = [(v, 1, (), 4.0, 2.0, 12.0, 0.05) for v in SPEEDS]
    return {"step-steer": step, "double-step": double, "braking": brake, "brake-in-bend": bend}


def write(folder, name, manoeuvre, source, drives):
    """A line about the file, then one per drive."""
    head = {"schema": "multi-body-1", "source": source, "car": name, "manoeuvre": manoeuvre,
            "columns": ["speed", "way", "yaw_rate", "lateral_acceleration", "roll"]}
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in [head, *drives])
    packed = gzip.compress(text.encode(), mtime=0)
    (folder / f"{name}-{manoeuvre}.jsonl.gz").write_bytes(packed)


def line(speed, degrees, turns, deceleration, start, every, whole, rows):
    return {"speed_kmh": speed, "steer_deg": degrees, "turns": turns, "start": START, "braking": deceleration,
            "brake_start": start, "interval": every, "whole": whole, "rows": rows}


def main(folder):
    for number, name in CARS.items():
        params = plain(setup_vehicle_parameters(vehicle_id=number))
        (folder / f"{name}.toml").write_text(vehicle_file(name, params))
        for manoeuvre, drives in manoeuvres().items():
            lines = []
            for speed, degrees, turns, deceleration, start, seconds, every in drives:
                hands = steps(degrees, turns), brakes(deceleration, start)
                rows, whole = drive(params, speed, seconds, every, *hands)
                lines.append(line(speed, degrees, turns, deceleration, start, every, whole, rows))
            write(folder, name, manoeuvre, SOURCE, lines)
        lines = []
        # Within its validity: linear tires, so that neither roll nor load transfer matters.
        for speed, degrees in [(50, 0.5), (50, 1), (80, 0.5)]:
            rows = drift(params, speed, 4.0, 0.02, steps(degrees))
            lines.append(line(speed, degrees, (), 0.0, START, 0.02, True, rows))
        name = f"{name}-single-track"
        (folder / f"{name}.toml").write_text(vehicle_file(name, params, rolls=False))
        write(folder, name, "small-step", DRIFT, lines)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
