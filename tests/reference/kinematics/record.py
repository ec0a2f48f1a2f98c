"""Kinematics of suspensions as other programs compute them; see README.md.

    python -m venv venv && venv/bin/pip install numpy scipy tabulate voila-sus==0.2.0 pymycar==0.0.3
    venv/bin/python record.py
"""

import contextlib
import importlib.util
import sys
import tomllib
import tempfile
import types
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
FILES = HERE / "../../../lab/hardpoints"


def hard_points(name):
    """Points (mm) of a file of ours, and the wheel."""
    return tomllib.loads((FILES / f"{name}.toml").read_text())


def write(name, columns, rows):
    lines = [",".join(columns)] + [",".join(f"{x:.7g}" for x in row) for row in rows]
    (HERE / f"{name}.csv").write_text("\n".join(lines) + "\n")


def double_wishbone():
    """voila-sus, whose axes are x rearward, y outward, z up."""
    # Its modules import one another from its own folder.
    sys.path.insert(0, str(Path(importlib.util.find_spec("voila_sus").origin).parent))
    from shark_api import SharkSolver

    file = hard_points("double-wishbone")
    ours = {n: np.array([-p[0], p[1], p[2]]) for n, p in file["points"].items()}
    center = np.array(file["wheel"]["center"]) * [-1, 1, 1]
    # It takes the point straight below the center for the contact: of an upright wheel, that is right.
    spindle = center - [0, 150, 0]
    names = {1: "lower_front", 2: "lower_rear", 3: "lower_outer", 5: "upper_front", 6: "upper_rear",
             7: "upper_outer", 11: "tie_rod_outer", 12: "tie_rod_inner"}
    points = {number: ours[name] for number, name in names.items()}
    lower, upper = (np.array(file["damper"][end]) * [-1, 1, 1] for end in ("wheel", "body"))
    points |= {8: lower, 9: upper, 16: upper, 17: lower, 18: spindle, 19: center}
    general = {"wheelbase_mm": 2500.0, "cg_height_mm": 450.0, "braking_on_front_axle_pct": 60.0,
               "drive_on_front_axle_pct": 100.0}
    radius = file["wheel"]["radius"]
    # Finely, since the program differentiates its table for the ratio.
    found = SharkSolver().analyze_bump(points, "lower", general, tyre_radius=radius, bump_mm=(-40, 60), n_steps=101)
    columns = ["bump_mm", "camber_deg", "toe_deg", "castor_deg", "kingpin_deg", "roll_centre_to_grnd_mm",
               "anti_dive_pct", "anti_squat_pct", "wheelbase_change_mm", "damper_ratio"]
    table = np.array([found[name] for name in columns]).T
    write("voila-double-wishbone", columns, table[::10])


def five_link():
    """pymycar's multilink: axes as ours."""
    package = types.ModuleType("pymycar")
    package.__path__ = [str(Path(importlib.util.find_spec("pymycar").origin).parent)]
    package.__version__ = "0.0.3"
    sys.modules["pymycar"] = package
    sys.modules["pymycar.CarKinematic"] = types.ModuleType("pymycar.CarKinematic")
    sys.modules["pymycar.CarKinematic"].__path__ = [package.__path__[0] + "/CarKinematic"]
    solve = importlib.import_module("pymycar.CarKinematic.multilink").multilink
    file = hard_points("five-link")
    ours = {n: np.array(p, float) for n, p in file["points"].items()}
    center = np.array(file["wheel"]["center"], float)
    data = {
        "UCA_FRONT": ours["upper_front_inner"], "uca_outer": ours["upper_front_outer"],
        "UCA_REAR": ours["upper_rear_inner"], "uca_outer_aux": ours["upper_rear_outer"],
        "LCA_FRONT": ours["lower_front_inner"], "lca_outer": ours["lower_front_outer"],
        "LCA_REAR": ours["lower_rear_inner"], "lca_outer_aux": ours["lower_rear_outer"],
        "TIEROD_INNER": ours["tie_rod_inner"], "tierod_outer": ours["tie_rod_outer"],
        "wheel_center": center, "wheel_center_axis": center + [0, 100, 0],
    }
    # It logs beside itself.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("results").mkdir()
        found, _ = solve(data, 80.0, 80.0, 10.0, save_to_txt=False, path=folder)
    center = found["wheel_center"]
    axis = found["wheel_center_axis"] - center
    rise = center[:, 2] - file["wheel"]["center"][2]
    toe = np.degrees(np.arctan2(axis[:, 0], axis[:, 1]))
    camber = np.degrees(-np.arcsin(axis[:, 2] / np.linalg.norm(axis, axis=1)))
    columns = ["bump_mm", "camber_deg", "toe_deg", "center_x_mm", "center_y_mm"]
    write("pymycar-five-link", columns, np.array([rise, camber, toe, center[:, 0], center[:, 1]]).T)


if __name__ == "__main__":
    double_wishbone()
    five_link()
