//! Random headers of PhysX 5's `vehicle2`.

use serde_json::{Value, json};

use super::body::{Outline, friction_curve, heading, normal, tilt};
use super::dice::Dice;
use super::engine::{autobox, ratios, torque_curve};

/// Differentials, and the drive without one.
pub(super) const DRIVES: [&str; 4] = ["four_wheel", "multi_wheel", "tank", "direct"];

/// The header of a scenario with this drive.
pub(super) fn header(dice: &mut Dice, name: &str, drive: &str, frames: usize) -> Value {
    let wheels = match drive {
        "four_wheel" => 2 * dice.whole(2..11),
        "tank" => 2 * dice.whole(1..11),
        _ => dice.whole(2..21),
    };
    let outline = Outline::new(dice, wheels);
    let is_tank = drive == "tank";
    let mut params = params(dice, &outline, is_tank);
    let direct = drive == "direct";
    let gears = if direct {
        params["throttle_max_response"] = dice.within(300.0..1500.0).into();
        params["throttle_multipliers"] = dice.list(wheels, &(0.0..1.0));
        params["throttle_nonlinear"] = "command c in {0,.25,.5,.75,1}: response = c up to 20 m/s \
                                        then linear to 0 at 60 m/s"
            .into();
        3
    } else {
        add_engine(dice, &mut params, drive, wheels)
    };
    json!({
        "name": name,
        "physx": "random vehicle2",
        "dt": dice.one_of(&[1.0 / 60.0, 1.0 / 120.0, 1.0 / 50.0_f32]),
        "frames": frames,
        "drivetrain": if direct { "direct" } else { "engine" },
        "substeps_low_speed": dice.whole(1..6),
        "substeps_high_speed": dice.whole(1..4),
        "update_mode": dice.one_of(&["APPLY_ACCELERATION", "APPLY_VELOCITY"]),
        "plane_normal": normal(dice),
        "params": params,
        "init": {
            "actor_pos": outline.start(dice.within(0.0..0.6)),
            "actor_quat": heading(tilt(dice, 0.5)),
            "forward_speed": dice.either(0.0, -4.0..25.0),
            "gear": dice.whole(0..gears),
            "engine_omega": dice.within(0.0..300.0),
        },
        "schedule": schedule(dice, gears, frames),
    })
}

fn params(dice: &mut Dice, outline: &Outline, is_tank: bool) -> Value {
    let wheels = outline.wheels;
    let [toe, camber] = [tilt(dice, 0.02), tilt(dice, 0.05)];
    let radii: Vec<f32> = (0..wheels.div_ceil(2))
        .map(|_| outline.radius * dice.either(1.0, 0.85..1.0))
        .collect();
    json!({
        "mass": outline.mass,
        "moi": outline.inertia(dice),
        "actor_cmass_local_pos": outline.center,
        "frame": "lng=+Z lat=+X vrt=+Y",
        "axles": axles(wheels),
        "jounce_type": dice.one_of(&["raycast", "sweep"]),
        "limit_expansion_velocity": dice.chance(0.5),
        "road_query": "raycast",
        "brake_max_response": dice.within(500.0..3000.0),
        "brake_multipliers": dice.list(wheels, &(0.5..1.0)),
        "handbrake_max_response": if is_tank { 0.0 } else { dice.within(0.0..4000.0) },
        "handbrake_multipliers": (0..wheels).map(|n| usize::from(2 * n >= wheels)).collect::<Value>(),
        "steer_max_response": if is_tank { 0.0 } else { dice.within(0.3..0.8) },
        "steer_multipliers": steering(dice, wheels),
        "ackermann_wheel_base": dice.within(2.0..4.0),
        "ackermann_track_width": dice.within(1.2..2.2),
        "ackermann_strength": dice.within(0.0..1.0),
        "wheels": (0..wheels).map(|n| wheel(dice, outline, n, [toe, camber, radii[n / 2]])).collect::<Value>(),
        "road_friction": dice.either(1.0, 0.2..1.5),
    })
}

fn wheel(dice: &mut Dice, outline: &Outline, n: usize, [toe, camber, radius]: [f32; 3]) -> Value {
    let [x, y, z] = outline.place(n, false);
    let (travel, mass, wheel_mass) = (
        dice.within(0.15..0.4),
        outline.mass / outline.wheels as f32,
        dice.within(15.0..40.0),
    );
    let [stiffness, damping] = outline.strut(dice);
    let (rest_load, point) = (9.81 * mass, [0.0, 0.0, tilt(dice, 0.15)]);
    json!({
        "susp_attach_pos": [x, y + 0.5 * travel, z],
        "travel_dir": [0.0, -1.0, 0.0],
        "travel_dist": travel,
        "stiffness": stiffness,
        "damping": damping,
        "sprung_mass": mass,
        "susp_app": point,
        "tire_app": point,
        "toe": outline.side(n) * toe,
        "camber": outline.side(n) * camber,
        "lat_stiff_x": dice.one_of(&[0.0, 0.01_f32, 2.0]),
        "lat_stiff_y": rest_load * dice.within(8.0..25.0),
        "long_stiff": dice.within(5e3..4e4),
        "camber_stiff": dice.either(0.0, 0.0..100.0),
        "rest_load": rest_load,
        "friction_vs_slip": friction_curve(dice),
        "load_filter": [0.0, 0.23_f32, 3.0, 3.0],
        "radius": radius,
        "half_width": 0.3 * radius,
        "wheel_mass": wheel_mass,
        "moi": 0.5 * wheel_mass * radius * radius,
        "damping_rate": 0.25,
    })
}

/// Adds an engine with this differential; returns the number of gears.
fn add_engine(dice: &mut Dice, params: &mut Value, differential: &str, wheels: usize) -> usize {
    let ratios = ratios(dice);
    let [up, down] = autobox(dice, ratios.len());
    let shares = shares(dice, wheels, differential == "tank");
    let gears = ratios.len();
    let engine = json!({
        "torque_curve_xy": torque_curve(dice),
        "engine_moi": dice.within(0.5..2.0),
        "peak_torque": dice.within(300.0..1200.0),
        "idle_omega": dice.one_of(&[0.0, 60.0_f32]),
        "max_omega": dice.within(400.0..900.0),
        "damping_full": dice.within(0.05..0.5),
        "damping_zero_engaged": dice.within(1.0..3.0),
        "damping_zero_disengaged": dice.within(0.2..0.6),
        "gear_ratios": ratios,
        "final_ratio": dice.within(3.0..5.0),
        "switch_time": dice.within(0.05..0.6),
        "autobox_up": up,
        "autobox_down": down,
        "autobox_latency": dice.within(0.2..2.0),
        "clutch_max_response": dice.within(5.0..20.0),
        "clutch_accuracy": "best_possible",
        "diff_type": differential,
        "four_wheel_diff": {
            "torque_ratios": shares,
            "ave_speed_ratios": shares,
            "front_bias": 1.3_f32,
            "front_target": 1.29_f32,
            "rear_bias": 1.3_f32,
            "rear_target": 1.29_f32,
            "center_bias": 1.3_f32,
            "center_target": 1.29_f32,
            "rate": 10.0,
        },
        "tank_tracks": tracks(wheels),
    });
    for (key, value) in engine.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    gears
}

/// Shares of the wheels in torque and speed: of a tank all alike, otherwise alike on each axle, with none on some.
fn shares(dice: &mut Dice, wheels: usize, is_tank: bool) -> Vec<f32> {
    let mut shares = vec![1.0; wheels];
    if !is_tank {
        for axle in shares.chunks_mut(2).skip(1) {
            axle.fill(dice.either(0.0, 0.1..2.0));
        }
    }
    let sum: f32 = shares.iter().sum();
    shares.iter().map(|share| share / sum).collect()
}

/// Angles of wheels behind the first axle, if any, as shares of its angle: alike on each axle.
fn steering(dice: &mut Dice, wheels: usize) -> Vec<f32> {
    let mut multipliers = vec![1.0; wheels];
    for axle in multipliers.chunks_mut(2).skip(1) {
        axle.fill(dice.either(0.0, -0.5..0.5));
    }
    multipliers
}

/// Pairs of wheels from the front, in words.
fn axles(wheels: usize) -> String {
    let last = wheels.div_ceil(2) - 1;
    let axle = |n: usize| {
        let name = match n {
            0 => "front",
            n if n == last => "rear",
            _ => "middle",
        };
        format!("({}) {name}", ids(2 * n..wheels.min(2 * n + 2)))
    };
    let axles: Vec<String> = (0..=last).map(axle).collect();
    axles.join(", ") + "; even ids at -X (left)"
}

/// Tracks of the even and the odd wheels, in words.
fn tracks(wheels: usize) -> String {
    let [even, odd] = [0, 1].map(|first| ids((first..wheels).step_by(2)));
    format!(
        "track0 wheels ({even}) thrust 0; track1 wheels ({odd}) thrust 1; torque & speed ratios {} each",
        1.0 / wheels as f32
    )
}

/// Numbers with commas between them.
fn ids(numbers: impl Iterator<Item = usize>) -> String {
    let words: Vec<String> = numbers.map(|n| n.to_string()).collect();
    words.join(",")
}

fn schedule(dice: &mut Dice, gears: usize, frames: usize) -> Value {
    let mut entries = vec![];
    let mut frame = 0;
    while frame < frames {
        let pressed = |dice: &mut Dice, probability: f32, least: f32| match dice.chance(probability)
        {
            true => dice.within(least..1.0),
            false => 0.0,
        };
        entries.push(json!({
            "frame": frame,
            "brake0": pressed(dice, 0.3, 0.0),
            "brake1": pressed(dice, 0.2, 0.0),
            "throttle": pressed(dice, 0.7, 0.0),
            "steer": pressed(dice, 0.5, -1.0),
            "gear": if dice.chance(0.5) { 255 } else { dice.whole(0..gears) },
            "thrust0": pressed(dice, 0.8, -1.0),
            "thrust1": pressed(dice, 0.8, -1.0),
        }));
        frame += dice.whole(10..50);
    }
    entries.into()
}
