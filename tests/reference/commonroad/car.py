"""A car of CommonRoad's multi-body model as a vehicle file.

Names in comments of the file are the model's. Its bodies (a sprung mass and two axles on tire springs) become one
body on struts, so each strut has the stiffness of spring and tire in series.
"""

import math
from types import SimpleNamespace

GRAVITY = 9.81  # m/s²

TEMPLATE = """\
# {name}, described after the parameters of CommonRoad's multi-body model (commonroad-vehicle-models 3.0.2, BSD):
# written by record.py; README.md has the formulas. Names in comments are the model's.

schema = 3
name = "{name}"
profile = "default"
tire_moments = false                    # the model's tires have none

[rows]
max_substep = 0.0025                    # s
sweeps = 1
carcass_stiffness = 1000.0              # 1/m
carcass_damping_time = 0.03             # s
observer_gain = 0.25

[chassis]
mass = {mass:.8g}                       # m
inertia = [{roll_inertia:.8g}, {pitch_inertia:.8g}, {yaw_inertia:.8g}]  # about x: as the sprung mass about the roll axis
centre_of_mass = [0.0, 0.0, {height:.8g}]  # over the place of the sprung mass; height: h_s for it, R_w for axles, less the tires' deflection
hull = {{ size = [4.0, 1.6, 1.0], centre = [0.0, 0.0, 0.8] }}

{axles}
# The car rolls freely.
[drivetrain]
model = "direct"
max_torques = [0.0, 0.0, 0.0, 0.0]

{tires}"""

AXLE = """\
[[axles]]
name = "{name}"
x = {x:.8g}                             # {lever}
track = {track:.8g}                     # T_{end}
radius = {radius}                       # R_w
width = 0.2
mass = {wheel:.8g}                      # m_u{end} / 2
inertia = {spin_inertia}                # I_y_w
damping = 0.0
suspension = {{ stiffness = {stiffness:.8g}, damping = {damping:.8g}, sprung_mass = {sprung:.8g}, max_compression = 0.25, max_droop = 0.25 }}
compliance = {{ camber_deg = [[-0.25, {camber:.8g}], [0.25, {camber_bump:.8g}]] }}  # D_{end}
links = {{ roll_center = {roll_center}, beam = true }}  # h_ra{end}, less the tires' deflection
tire = {{ model = "{name}" }}
brakes = {{ max_torque = {brake:.8g}, max_handbrake_torque = 0.0 }}  # at 10 m/s²: T_sb
{steering}
[[anti_roll]]
wheels = [{left}, {right}]
stiffness = {bar:.8g}                   # K_ts{end}, and what roll has beyond heave of the series with the tire

"""

# PKY1 and PKY2: linear in load, as p_ky1 F_z. Their frame has the opposite roll, so coefficients of camber change sign.
TIRE = """\
# Friction and stiffness per load are times {scale:.6g} (README.md).
[tires.{name}]
model = "magic-formula"
version = "5.2"

[tires.{name}.coefficients]
UNLOADED_RADIUS = {radius}
FNOMIN = 4000.0
FZMIN = 1.0
FZMAX = 40000.0
CAMMIN = -1.0
CAMMAX = 1.0
{coefficients}
"""


def series(a, b):
    return a * b / (a + b)


def deflection(p, front):
    """How far the tires of an axle give at rest."""
    share = (p.b if front else p.a) / (p.a + p.b)
    return GRAVITY * (share * p.m_s + (p.m_uf if front else p.m_ur)) / (2.0 * p.K_zt)


def axle(p, height, front):
    """Numbers of one axle; the center of mass is at this height."""
    end = "f" if front else "r"
    of = lambda name: getattr(p, name + end)
    base = p.a + p.b
    share = (p.b if front else p.a) / base
    track, unsprung = of("T_"), of("m_u")
    heave = series(of("K_s"), p.K_zt)
    # Roll: springs and bar carry the moment of the sprung mass, tires that of the whole car.
    struts = 0.5 * of("K_s") * track**2 - of("K_ts")
    tires = 0.5 * p.K_zt * track**2
    # Its lever to the roll axis, and to the ground.
    sunk = deflection(p, front)
    sprung, whole = p.m_s * p.h_s, p.m * (height + sunk)
    roll = whole / (sprung / struts + p.m * height / tires)
    part = roll / struts  # of the roll that the struts make
    load = share * p.m_s + unsprung
    bar = (roll - 0.5 * heave * track**2) / track**2
    camber = -math.degrees(of("D_")) * part * 0.25
    return {
        "name": "front" if front else "rear",
        "end": end,
        "x": p.a if front else -p.b,
        "lever": "a" if front else "-b",
        "track": track,
        "radius": p.R_w,
        "wheel": 0.5 * unsprung,
        "spin_inertia": p.I_y_w,
        "stiffness": heave,
        "damping": of("K_sd") * part**2,
        "sprung": 0.5 * share * p.m,
        "camber": camber,
        "camber_bump": -camber,
        "roll_center": f"{of('h_ra') - sunk:.8g}",
        "brake": 0.5 * (p.T_sb if front else 1.0 - p.T_sb) * p.m * p.R_w * 10.0,
        "steering": "steering = { max_deg = 45.0, ackermann = 0.0 }\n" if front else "",
        "left": 0 if front else 2,
        "right": 1 if front else 3,
        "bar": bar,
        "scale": load / (share * p.m),
    }


# The single-track model has no inclination.
UPRIGHT = {"p_dy3": 0.0, "p_hy3": 0.0, "p_vy3": 0.0, "r_vy3": 0.0}


def coefficients(tire, scale):
    t = tire
    values = {
        "PCX1": t.p_cx1, "PDX1": t.p_dx1 * scale, "PDX2": 0.0, "PDX3": t.p_dx3, "PEX1": t.p_ex1,
        "PKX1": t.p_kx1 * scale, "RBX1": t.r_bx1, "RBX2": t.r_bx2, "RCX1": t.r_cx1, "REX1": t.r_ex1, "RHX1": t.r_hx1,
        "PCY1": t.p_cy1, "PDY1": t.p_dy1 * scale, "PDY2": 0.0, "PDY3": t.p_dy3, "PEY1": t.p_ey1,
        "PKY1": 100.0 * t.p_ky1 * scale, "PKY2": 200.0, "PHY3": -t.p_hy3, "PVY3": -t.p_vy3 * scale,
        "RBY1": t.r_by1, "RBY2": t.r_by2, "RBY3": t.r_by3, "RCY1": t.r_cy1, "REY1": t.r_ey1, "RHY1": t.r_hy1,
        "RVY1": t.r_vy1, "RVY3": -t.r_vy3, "RVY4": t.r_vy4, "RVY5": t.r_vy5, "RVY6": -t.r_vy6,
    }
    return "\n".join(f"{key} = {float(value):.8g}" if value % 1 else f"{key} = {float(value) + 0.0}" for key, value in values.items())


def vehicle_file(name, p, rolls=True):
    """The text of the file. `rolls`: for the multi-body model; the single-track one has no inclination and no axles."""
    sunk = (p.b * deflection(p, True) + p.a * deflection(p, False)) / (p.a + p.b)
    over_axis = (p.m_s * p.h_s + (p.m_uf + p.m_ur) * p.R_w) / p.m
    height = over_axis - sunk
    ends = [axle(p, height, front) for front in (True, False)]
    tire = p.tire
    if not rolls:
        tire = SimpleNamespace(**{**vars(p.tire), **UPRIGHT})
        ends = [{**end, "scale": 1.0} for end in ends]
    tires = [
        TIRE.format(name=end["name"], scale=end["scale"], radius=p.R_w, coefficients=coefficients(tire, end["scale"]))
        for end in ends
    ]
    return TEMPLATE.format(
        name=name,
        mass=p.m,
        roll_inertia=p.I_Phi_s + p.m_s * p.h_s**2 - p.m * over_axis**2,
        pitch_inertia=p.I_y_s,
        yaw_inertia=p.I_z,
        height=height,
        axles="".join(AXLE.format(**end) for end in ends),
        tires="\n".join(tires),
    )
