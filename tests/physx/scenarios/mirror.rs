//! Left and right exchanged in headers and frames: PhysX's x is negated, wheels 2n and 2n + 1 are swapped.

use glam::DVec3;
use proving_ground::ground::Solid;
use proving_ground::scenario::Scenario;
use serde_json::Value;

use crate::row::{number, numbers};

/// Effect of a mirror on a value.
#[derive(Clone, Copy)]
enum Way {
    /// A vector: its x.
    Vector,
    /// A rotation or an angular velocity: its y and z.
    Turn,
    /// A list of one value per wheel.
    Wheels,
    /// A list of one angle or lateral force per wheel.
    Sides,
    /// A list of wheels, each with its own.
    Rows,
    /// An angle.
    Angle,
    /// A share of the left wheel.
    Share,
    /// A wheel's number.
    Number,
    /// A car's analog values: steered left, steered right are the last two.
    Analog,
    /// A pad's, smoothed: the last one is signed.
    Pad,
    /// A tank's: brakes and thrusts of its sides are the last four.
    Tracks,
}

/// Meaning of analog values.
#[derive(Clone, Copy)]
struct Driver {
    is_tracked: bool,
    is_pad: bool,
}

/// Whatever has a side in a header or a frame.
const SIDED: [(&str, Way); 42] = [
    ("cmass_local_pos", Way::Vector),
    ("actor_cmass_local_pos", Way::Vector),
    ("wheels", Way::Rows),
    ("susp_dir", Way::Vector),
    ("wheel_centre_cm_offset", Way::Vector),
    ("susp_force_app_cm_offset", Way::Vector),
    ("tire_force_app_cm_offset", Way::Vector),
    ("susp_attach_pos", Way::Vector),
    ("travel_dir", Way::Vector),
    ("susp_app", Way::Vector),
    ("tire_app", Way::Vector),
    ("toe", Way::Angle),
    ("camber_rest", Way::Angle),
    ("camber_max_compression", Way::Angle),
    ("camber_max_droop", Way::Angle),
    ("wheel0", Way::Number),
    ("wheel1", Way::Number),
    ("front_left_right_split", Way::Share),
    ("rear_left_right_split", Way::Share),
    ("driven", Way::Wheels),
    ("brake_multipliers", Way::Wheels),
    ("handbrake_multipliers", Way::Wheels),
    ("steer_multipliers", Way::Wheels),
    ("throttle_multipliers", Way::Wheels),
    ("torque_ratios", Way::Wheels),
    ("ave_speed_ratios", Way::Wheels),
    ("normal", Way::Vector),
    ("plane_normal", Way::Vector),
    ("pos", Way::Vector),
    ("actor_pos", Way::Vector),
    ("quat", Way::Turn),
    ("actor_quat", Way::Turn),
    ("lin_vel", Way::Vector),
    ("ang_vel", Way::Turn),
    ("p", Way::Vector),
    ("q", Way::Turn),
    ("v", Way::Vector),
    ("w", Way::Turn),
    ("v1", Way::Vector),
    ("w1", Way::Turn),
    ("tslip", Way::Sides),
    ("tforce", Way::Sides),
];

/// Lists of one value per wheel in frames, or in the entries of user-defined torques.
const PER_WHEEL: [&str; 17] = [
    "omega",
    "angle",
    "jounce",
    "jounce_speed",
    "susp",
    "load",
    "mu",
    "lslip",
    "lforce",
    "air",
    "stick_l",
    "stick_t",
    "lim",
    "lft",
    "lst",
    "drive",
    "brake",
];

/// Whether the mirror image of a header's scenario behaves as the scenario: not on grids, whose cells are split along one
/// of their diagonals, and not with a clutch that is estimated wheel by wheel.
pub(super) fn is_symmetric(header: &Value) -> bool {
    let grid = matches!(header["ground"]["kind"].as_str(), Some("mesh" | "hf"));
    !grid && header["vehicle"]["clutch"]["accuracy_mode"] != "estimate"
}

/// The mirror images of a header, and of the frames of its drive.
///
/// # Errors
/// If there is no such scenario.
pub(super) fn image(
    header: &Value,
    scenario: &Scenario,
    frames: &[Value],
) -> Result<(Value, Vec<Value>), String> {
    let image = mirrored(header, header);
    let other = Scenario::from_header(&image, "mirrored").map_err(|error| error.to_string())?;
    let frame = |frame: &Value| {
        let mut mirrored = mirrored(frame, header);
        // PhysX's planes are inclined to one side by rounding, and to the same one in the mirror. So that wheels are as high
        // above theirs, the car is moved.
        let apart = height(scenario, frame) - height(&other, &mirrored);
        mirrored["p"][1] = (number(&mirrored["p"][1]) + apart).into();
        mirrored
    };
    Ok((image, frames.iter().map(frame).collect()))
}

/// Height of a frame's car above a scenario's plane (`m`); 0 on other grounds.
fn height(scenario: &Scenario, frame: &Value) -> f64 {
    let Solid::HalfSpace { point, normal } = scenario.terrain().solid else {
        return 0.0;
    };
    let place: [f64; 3] = numbers(&frame["p"]).try_into().expect("a place");
    (DVec3::from_array([place[2], place[0], place[1]]) - point).dot(normal)
}

/// The mirror image of a header, or of one of its frames.
fn mirrored(value: &Value, header: &Value) -> Value {
    let driver = Driver {
        is_tracked: header["vehicle"]["type"] == "DriveTank",
        is_pad: header["smoothing"] == "pad",
    };
    let mut value = value.clone();
    mirror(&mut value, driver);
    value
}

/// Mirrors all that has a side in a value.
fn mirror(value: &mut Value, analog: Driver) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| mirror(value, analog)),
        Value::Object(fields) => {
            if let (Some(thrust0), Some(thrust1)) = (fields.get("thrust0"), fields.get("thrust1")) {
                let (left, right) = (thrust0.clone(), thrust1.clone());
                fields.insert("thrust0".to_owned(), right);
                fields.insert("thrust1".to_owned(), left);
            }
            for (key, value) in fields {
                mirror(value, analog);
                if let Some(way) = way(key, value, analog) {
                    turn(value, way);
                }
            }
        }
        _ => {}
    }
}

fn way(key: &str, value: &Value, analog: Driver) -> Option<Way> {
    let listed = value.is_array();
    match key {
        "in" if analog.is_pad => Some(Way::Pad),
        "analog" | "in" => Some(if analog.is_tracked {
            Way::Tracks
        } else {
            Way::Analog
        }),
        "steer" | "camber" => Some(if listed { Way::Sides } else { Way::Angle }),
        key if listed && PER_WHEEL.contains(&key) => Some(Way::Wheels),
        _ => SIDED
            .iter()
            .find(|(known, _)| *known == key)
            .map(|(_, way)| *way),
    }
}

/// Changes one value.
fn turn(value: &mut Value, way: Way) {
    let negate = |value: &mut Value| *value = (-number(value)).into();
    if let Value::Array(list) = value {
        match way {
            Way::Vector => negate(&mut list[0]),
            Way::Turn => list[1..3].iter_mut().for_each(negate),
            Way::Wheels | Way::Rows => list.chunks_exact_mut(2).for_each(<[_]>::reverse),
            Way::Sides => {
                list.chunks_exact_mut(2).for_each(<[_]>::reverse);
                list.iter_mut().for_each(negate);
            }
            Way::Analog => list.swap(3, 4),
            Way::Pad => negate(&mut list[4]),
            Way::Tracks => {
                list.swap(1, 2);
                list.swap(3, 4);
            }
            Way::Angle | Way::Share | Way::Number => {}
        }
        return;
    }
    match way {
        Way::Angle => negate(value),
        Way::Share => *value = (1.0 - number(value)).into(),
        Way::Number => *value = (value.as_u64().expect("a wheel") ^ 1).into(),
        _ => {}
    }
}
