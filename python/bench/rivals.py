"""Cars of other programs, each as a function that steps one car by 10 ms: those that are installed."""

from collections.abc import Callable
from typing import Any

import numpy as np

DT = 0.01
COUNT = 4096
"""Number of cars of the compiled loop."""

Step = Callable[[], Any]


def rk4(model: Callable, state: np.ndarray, command: np.ndarray, params: Any) -> np.ndarray:
    """A step as Gym-Khana integrates."""
    first = np.asarray(model(state, command, params))
    second = np.asarray(model(state + DT / 2 * first, command, params))
    third = np.asarray(model(state + DT / 2 * second, command, params))
    last = np.asarray(model(state + DT * third, command, params))
    return state + DT / 6 * (first + 2 * second + 2 * third + last)


def integrated(model: Callable, state: np.ndarray, params: Any) -> Step:
    """A car that begins anew every second, so that it never leaves the range of its model."""
    start, now = np.array(state, float), {"state": np.array(state, float), "step": 0}
    command = np.array([0.02, 0.5])

    def step() -> None:
        now["step"] += 1
        if now["step"] % 100 == 0:
            now["state"] = start.copy()
        now["state"] = rk4(model, now["state"], command, params)
        assert np.isfinite(now["state"]).all()

    return step


def gym_khana() -> dict[str, Step]:
    from gymkhana.envs.dynamic_models import init_mb, vehicle_dynamics_mb, vehicle_dynamics_st
    from gymkhana.envs.gymkhana_env import GKEnv

    params = GKEnv.fullscale_vehicle_params()
    core = np.array([0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0])
    return {
        "Gym-Khana single track": integrated(vehicle_dynamics_st, core, GKEnv.f1tenth_vehicle_params()),
        "Gym-Khana multi-body": integrated(vehicle_dynamics_mb, init_mb(core, params), params),
    }


def common_road() -> dict[str, Step]:
    from vehiclemodels.init_mb import init_mb
    from vehiclemodels.parameters_vehicle2 import parameters_vehicle2
    from vehiclemodels.vehicle_dynamics_mb import vehicle_dynamics_mb
    from vehiclemodels.vehicle_dynamics_st import vehicle_dynamics_st

    params = parameters_vehicle2()
    core = [0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0]
    return {
        "CommonRoad single track": integrated(vehicle_dynamics_st, np.array(core), params),
        "CommonRoad multi-body": integrated(vehicle_dynamics_mb, np.array(init_mb(core, params)), params),
    }


_CORNERS = [(1.3, 0.75), (1.3, -0.75), (-1.3, 0.75), (-1.3, -0.75)]


def _wheel(n: int, x: float, y: float) -> str:
    steer = f'<joint name="steer{n}" axis="0 0 1" damping="50" range="-0.6 0.6" limited="true"/>' if x > 0 else ""
    return f"""<body pos="{x} {y} -0.25"><joint type="slide" axis="0 0 1" stiffness="30000" damping="3000"/>
      <inertial pos="0 0 0" mass="30" diaginertia="1 1 1"/><body>{steer}
      <inertial pos="0 0 0" mass="5" diaginertia="0.2 0.2 0.2"/><body><joint name="spin{n}" axis="0 1 0"/>
      <geom type="cylinder" size="0.32 0.1" euler="90 0 0" mass="20" friction="1 0.01 0.001"/></body></body></body>"""


def mu_jo_co() -> dict[str, Step]:
    import mujoco

    wheels = "".join(_wheel(n, x, y) for n, (x, y) in enumerate(_CORNERS))
    model = mujoco.MjModel.from_xml_string(f"""<mujoco><option timestep="0.005"/><worldbody>
      <geom type="plane" size="0 0 1"/><body pos="0 0 0.6"><freejoint/>
      <geom type="box" size="2 0.8 0.3" mass="1300" contype="0" conaffinity="0"/>{wheels}</body></worldbody>
      <actuator><motor joint="spin2" gear="200"/><motor joint="spin3" gear="200"/>
      <position joint="steer0" kp="2000"/><position joint="steer1" kp="2000"/></actuator></mujoco>""")
    data = mujoco.MjData(model)
    data.ctrl[:] = [0.5, 0.5, 0.02, 0.02]

    def step() -> None:
        # 10 ms in one step is unstable.
        mujoco.mj_step(model, data, 2)
        assert np.isfinite(data.qpos[0])

    return {"MuJoCo, four sprung wheels": step}


def compiled() -> dict[str, Step]:
    """The single track of CommonRoad (Vehicle Models, section 7) in a loop over many cars that numba compiles, integrated as the
    others: what the smallest of models costs."""
    from numba import njit

    mass, inertia, lf, lr, height, grip, stiff = 1225.0, 1538.0, 0.88, 1.51, 0.56, 1.05, 5.0
    base = lf + lr

    @njit
    def rates(state: np.ndarray, steering: float, pull: float) -> tuple:
        _, _, steer, speed, yaw, rate, slip = state
        rear, front = stiff * (9.81 * lr - pull * height), stiff * (9.81 * lf + pull * height)
        turn = grip * mass / (inertia * base) * (
            lf * rear * steer + (lr * front - lf * rear) * slip - (lf**2 * rear + lr**2 * front) * rate / speed
        )
        drift = grip / (speed * base) * (
            rear * steer - (front + rear) * slip + (front * lr - rear * lf) * rate / speed
        )
        return speed * np.cos(yaw + slip), speed * np.sin(yaw + slip), steering, pull, rate, turn, drift - rate

    @njit
    def loop(states: np.ndarray, start: np.ndarray, begins: bool) -> None:
        last, total = np.empty(7), np.empty(7)
        for car in range(states.shape[0]):
            if begins:
                states[car] = start
            total[:] = 0.0
            part = rates(states[car], 0.02, 0.5)
            for weight, ahead in ((1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)):
                for n in range(7):
                    total[n] += weight * part[n]
                    last[n] = states[car, n] + ahead * DT * part[n]
                if ahead > 0.0:
                    part = rates(last, 0.02, 0.5)
            for n in range(7):
                states[car, n] += DT / 6 * total[n]

    start = np.array([0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0])
    states, count = np.tile(start, (COUNT, 1)), [0]

    def step() -> None:
        count[0] += 1
        loop(states, start, count[0] % 100 == 0)
        assert np.isfinite(states[0]).all()

    return {f"single track in numba, {COUNT} cars": step}


RIVALS = {
    "gymkhana": gym_khana,
    "commonroad-vehicle-models": common_road,
    "mujoco": mu_jo_co,
    "numba": compiled,
}
