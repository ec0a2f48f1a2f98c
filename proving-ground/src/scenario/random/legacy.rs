//! Random headers of the legacy vehicle SDK.

use serde_json::{Value, json};

use super::body::{Outline, friction_curve, heading, normal, tilt};
use super::dice::Dice;
use super::engine::{autobox, ratios, torque_curve};

/// PhysX's drives.
pub(super) const TYPES: [&str; 4] = ["Drive4W", "DriveNW", "DriveTank", "NoDrive"];

/// The header of a scenario with this type of vehicle.
pub(super) fn header(dice: &mut Dice, name: &str, kind: &str, frames: usize) -> Value {
    let wheels = match kind {
        "Drive4W" => dice.one_of(&[4, 4, 6]),
        "DriveNW" => 2 * dice.whole(2..8),
        "DriveTank" => 2 * dice.whole(2..8),
        _ => 2 * dice.whole(2..5),
    };
    let outline = Outline::new(dice, wheels);
    let three_wheel = match kind {
        "Drive4W" if wheels == 4 => dice.one_of(&["none", "none", "tadpole", "delta"]),
        _ => "none",
    };
    let smoothing = match kind {
        "Drive4W" | "DriveNW" => dice.one_of(&["none", "key", "pad"]),
        _ => "none",
    };
    let vehicle = vehicle(dice, &outline, kind, three_wheel);
    let gears = vehicle["gears"]["ratios"].as_array().map_or(0, Vec::len);
    json!({
        "name": name,
        "physx": "random (legacy PxVehicle)",
        "dt": dice.one_of(&[1.0 / 60.0, 1.0 / 120.0, 1.0 / 50.0_f32]),
        "frames": frames,
        "ground": ground(dice),
        "query": dice.one_of(&["raycast", "sweep_blocking", "sweep_nonblocking_8hits"]),
        "query_every": dice.one_of(&[1, 1, 1, 3]),
        "update_mode": dice.one_of(&["VELOCITY_CHANGE", "ACCELERATION"]),
        "three_wheel": three_wheel,
        "contact_modification": dice.chance(0.3),
        "smoothing": smoothing,
        "rise_rates": [6.0, 6.0, dice.within(4.0..12.0), 2.5, 2.5],
        "fall_rates": [10.0, 10.0, dice.within(8.0..12.0), 5.0, 5.0],
        "steer_vs_speed": [0.0, 0.75, 5.0, dice.within(0.5..0.75), 30.0, 0.125, 120.0, 0.1],
        "tank_mode": dice.one_of(&["STANDARD", "SPECIAL"]),
        "init": start(dice, &outline, gears),
        "schedule": schedule(dice, &vehicle, kind, frames, smoothing == "key"),
        "vehicle": vehicle,
    })
}

fn vehicle(dice: &mut Dice, outline: &Outline, kind: &str, three_wheel: &str) -> Value {
    let mut wheels = wheels(dice, outline, kind);
    // The wheel that the mode leaves is in the middle.
    let (left, gone) = if three_wheel == "tadpole" {
        (2, 3)
    } else {
        (0, 1)
    };
    if three_wheel != "none" {
        for wheel in &mut wheels {
            wheel["sprung_mass"] = (outline.mass / 3.0).into();
        }
        wheels[gone]["disabled"] = true.into();
        for key in [
            "wheel_centre_cm_offset",
            "susp_force_app_cm_offset",
            "tire_force_app_cm_offset",
        ] {
            wheels[left][key][0] = 0.0.into();
        }
    }
    let mut vehicle = json!({
        "type": kind,
        "chassis_mass": outline.mass,
        "chassis_moi": outline.inertia(dice),
        "cmass_local_pos": outline.center,
        // Clear of the ground: PhysX's chassis hits obstacles only.
        "chassis_box_dims": [dice.within(0.8..1.6), 0.8 * outline.start(0.0)[1], dice.within(2.0..4.0)],
        "body": {
            "linear_damping": dice.one_of(&[0.0, 0.0, 0.1_f32]),
            "angular_damping": dice.one_of(&[0.05_f32, 0.0, 0.5]),
            "max_angular_velocity": 100.0,
            "sleep_threshold": 0.005_f32,
            "stabilization_threshold": 0.0025_f32,
            "pos_iters": 4,
            "vel_iters": 1,
        },
        "gravity": [0.0, dice.one_of(&[-9.81_f32, -9.81, -1.62, -20.0]), 0.0],
        "ground_and_chassis_material": { "static": 0.5, "dynamic": 0.5, "restitution": 0.5 },
        "tire_surface_friction": dice.either(1.0, 0.2..1.5),
        "wheels": wheels,
        "anti_roll_bars": bars(dice, outline.wheels),
        "tire_load_filter": [0.0, dice.within(0.0..0.3), 3.0, 3.0],
        "substep_threshold_speed": dice.within(3.0..8.0),
        "substeps_low": dice.whole(1..6),
        "substeps_high": dice.whole(1..4),
        "min_long_slip_denominator": dice.within(1.0..6.0),
        "wheels_sim_flags": dice.whole(0..8),
    });
    if kind != "NoDrive" {
        add_engine(dice, &mut vehicle, kind);
    }
    vehicle
}

fn wheels(dice: &mut Dice, outline: &Outline, kind: &str) -> Vec<Value> {
    let mass = dice.within(15.0..40.0);
    let [toe, camber, swing] = [tilt(dice, 0.02), tilt(dice, 0.05), tilt(dice, 0.05)];
    let (most_steer, curve) = (dice.within(0.3..1.0), friction_curve(dice));
    let mut axle = Vec::new();
    (0..outline.wheels).map(|n| {
        if n.is_multiple_of(2) {
            axle = vec![
                dice.within(500.0..3000.0),
                if n == 0 { 0.0 } else { dice.within(0.0..5000.0) },
                dice.within(0.1..0.4),
                dice.within(0.05..0.3),
                dice.within(1.0..4.0),
                dice.within(8.0..25.0),
                dice.within(300.0..1500.0),
                dice.within(0.0..10.0),
                dice.within(0.0..0.8),
                tilt(dice, 0.2),
            ];
            axle.extend(outline.strut(dice));
        }
        let [brake, handbrake, compression, droop, lat_x, lat_y, long, camber_stiff, rise, lean, spring, damper] =
            *axle.as_slice() else { unreachable!("twelve numbers") };
        let [x, y, z] = outline.place(n, matches!(kind, "DriveTank" | "NoDrive"));
        let application = [x, y + rise, z];
        let length = libm::sqrtf(1.0 + lean * lean);
        json!({
            "disabled": false,
            "radius": outline.radius,
            "width": 0.6 * outline.radius,
            "mass": mass,
            "moi": 0.5 * mass * outline.radius * outline.radius,
            "damping_rate": 0.25,
            "max_brake_torque": brake,
            "max_handbrake_torque": handbrake,
            "max_steer": match (kind, n) { ("DriveTank", _) => 0.0, (_, 0 | 1) => most_steer, _ => 0.0 },
            "toe": outline.side(n) * toe,
            "spring": spring,
            "damper": damper,
            "max_compression": compression,
            "max_droop": droop,
            "sprung_mass": outline.mass / outline.wheels as f32,
            "camber_rest": outline.side(n) * camber,
            "camber_max_compression": outline.side(n) * (camber - swing),
            "camber_max_droop": outline.side(n) * (camber + swing),
            "lat_stiff_x": lat_x,
            "lat_stiff_y": lat_y,
            "long_stiff_per_g": long,
            "camber_stiff_per_g": camber_stiff,
            "friction_vs_slip": curve,
            "tire_type": usize::from(n > 1),
            "susp_dir": [0.0, -1.0 / length, lean / length],
            "wheel_centre_cm_offset": [x, y, z],
            "susp_force_app_cm_offset": application,
            "tire_force_app_cm_offset": application,
        })
    }).collect()
}

fn bars(dice: &mut Dice, wheels: usize) -> Value {
    let pairs = (0..wheels).step_by(2);
    let bar = |n| {
        let stiffness = dice.within(2e3..2e4);
        let bar = json!({ "wheel0": n, "wheel1": n + 1, "stiffness": stiffness });
        dice.chance(0.6).then_some(bar)
    };
    pairs.filter_map(bar).collect()
}

fn add_engine(dice: &mut Dice, vehicle: &mut Value, kind: &str) {
    let ratios = ratios(dice);
    let [up, down] = autobox(dice, ratios.len());
    let split = |dice: &mut Dice| dice.within(0.3..0.7);
    let bias = |dice: &mut Dice| dice.within(1.1..2.0);
    vehicle["engine"] = json!({
        "moi": dice.within(0.5..2.0),
        "peak_torque": dice.within(300.0..1200.0),
        "max_omega": dice.within(400.0..900.0),
        "damping_full_throttle": dice.within(0.05..0.5),
        "damping_zero_throttle_clutch_engaged": dice.within(1.0..3.0),
        "damping_zero_throttle_clutch_disengaged": dice.within(0.2..0.6),
        "torque_curve_xy": torque_curve(dice),
    });
    vehicle["gears"] = json!({
        "ratios": ratios,
        "final_ratio": dice.within(3.0..5.0),
        "switch_time": dice.within(0.05..0.6),
    });
    vehicle["autobox"] = json!({
        "up_ratios": up,
        "down_ratios": down,
        "latency": dice.within(0.2..2.0),
    });
    vehicle["clutch"] = json!({
        "strength": dice.within(5.0..20.0),
        "accuracy_mode": dice.one_of(&["best_possible", "estimate"]),
        "estimate_iterations": dice.whole(1..8),
    });
    if kind == "Drive4W" {
        let drives = [
            "LS_4WD",
            "LS_FRONTWD",
            "LS_REARWD",
            "OPEN_4WD",
            "OPEN_FRONTWD",
            "OPEN_REARWD",
        ];
        vehicle["differential"] = json!({
            "type": dice.one_of(&drives),
            "front_rear_split": split(dice),
            "front_left_right_split": split(dice),
            "rear_left_right_split": split(dice),
            "centre_bias": bias(dice),
            "front_bias": bias(dice),
            "rear_bias": bias(dice),
        });
        vehicle["ackermann"] = json!({
            "accuracy": dice.within(0.0..1.0),
            "front_width": dice.within(1.2..2.2),
            "rear_width": dice.within(1.2..2.2),
            "axle_separation": dice.within(2.0..4.0),
        });
    }
    if kind == "DriveNW" {
        let wheels = vehicle["wheels"].as_array().map_or(0, Vec::len);
        let driven: Vec<u8> = (0..wheels)
            .map(|n| u8::from(n < 2 || dice.chance(0.5)))
            .collect();
        vehicle["driven"] = driven.into();
    }
}

fn ground(dice: &mut Dice) -> Value {
    let kind = dice.one_of(&["plane", "plane", "mesh", "hf", "curb", "wall", "capsules"]);
    match kind {
        "plane" => json!({ "kind": kind, "normal": normal(dice), "d": 0.0 }),
        "curb" => {
            let (place, half) = (dice.whole(3..12), dice.whole(2..6));
            let words = format!(
                "static drivable box centred x=0,z={place}, half extents ({half},h/2,1), on plane \
                 y=0; collides only with wheel shapes"
            );
            json!({ "kind": kind, "box_height": dice.within(0.03..0.2), "box": words })
        }
        "wall" => {
            let place = dice.whole(4..20);
            let words = format!(
                "static box centre (0,1.5,{place}) half extents (20,1.5,0.5), collides with chassis \
                 box only; not drivable"
            );
            json!({ "kind": kind, "wall": words })
        }
        "capsules" => json!({ "kind": kind, "capsule_radii": dice.list(3, &(0.03..0.2)) }),
        _ => {
            let words = "h(x,z)=amp*(0.7*sin(k*z)+0.3*sin(1.7*k*z+0.6*k*x)); vertices at x=x0+i*cell, \
                         z=z0+j*cell; mesh quad (i,j): a=(i,j) b=(i,j+1) c=(i+1,j) d=(i+1,j+1), \
                         triangles a,b,c and b,d,c; outside: nothing";
            json!({
                "kind": kind, "n": 81, "cell": 1.0, "x0": -40.0, "z0": -40.0, "height": words,
                "amp": dice.within(0.02..0.2), "k": dice.within(0.2..0.8),
                "height_quantum": if kind == "hf" { json!(1e-4_f32) } else { Value::Null },
            })
        }
    }
}

fn start(dice: &mut Dice, outline: &Outline, gears: usize) -> Value {
    let speed = dice.either(0.0, -4.0..25.0);
    let angle = dice.either(0.0, -0.5..0.5);
    let aside = dice.either(0.0, -2.0..2.0);
    let (sin, cos) = (libm::sinf(angle), libm::cosf(angle));
    json!({
        "pos": outline.start(dice.within(0.0..0.6)),
        "quat": heading(angle),
        "lin_vel": [speed * sin + aside * cos, 0.0, speed * cos - aside * sin],
        "ang_vel": [0.0, dice.one_of(&[0.0, 0.4, -0.4_f32]), 0.0],
        "wheel_omega": speed / outline.radius,
        "engine_omega": dice.within(0.0..300.0),
        "gear": if gears == 0 { 1 } else { dice.whole(0..gears) },
        "auto_gears": dice.chance(0.6),
    })
}

fn schedule(dice: &mut Dice, vehicle: &Value, kind: &str, frames: usize, keys: bool) -> Value {
    let wheels = vehicle["wheels"].as_array().map_or(0, Vec::len);
    let gears = vehicle["gears"]["ratios"].as_array().map_or(0, Vec::len);
    let pressed = |dice: &mut Dice, probability: f32| match dice.chance(probability) {
        true if keys => 1.0,
        true => dice.within(0.0..1.0),
        false => 0.0,
    };
    let mut entries = vec![];
    let mut frame = 0;
    while frame < frames {
        let mut entry = json!({ "frame": frame });
        if kind == "NoDrive" {
            let driven = dice.one_of(&[0.0, 400.0_f32]);
            entry["drive"] = dice.list(wheels, &(-driven..driven + 1.0));
            let braked = dice.one_of(&[1e-30, 1500.0_f32]);
            entry["brake"] = dice.list(wheels, &(0.0..braked));
            entry["steer"] = dice.list(wheels, &(-0.3..0.3));
        } else {
            let probabilities = if kind == "DriveTank" {
                [0.8, 0.2, 0.2, 0.8, 0.8]
            } else {
                [0.7, 0.3, 0.2, 0.3, 0.3]
            };
            let analog: Vec<f32> = probabilities
                .into_iter()
                .map(|p| pressed(dice, p))
                .collect();
            entry["analog"] = analog.into();
            match dice.whole(0..8) {
                0 => entry["gear_up"] = 1.into(),
                1 => entry["gear_down"] = 1.into(),
                2 => entry["force_gear"] = dice.whole(0..gears).into(),
                _ => {}
            }
        }
        entries.push(entry);
        frame += dice.whole(10..50);
    }
    entries.into()
}
