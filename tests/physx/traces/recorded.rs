//! Frames of files.

use std::collections::BTreeMap;

use glam::{DVec3, Quat, Vec3};
use proving_ground::scenario::{Scenario, from_physx, rotation_from_physx};
use serde_json::{Map, Value};

use super::planes::Plane;
use crate::row::{number, numbers};

/// Values of a frame by the file's names, in PhysX's axes: one per wheel, axis, or vehicle.
pub(super) type Columns = BTreeMap<String, Vec<f64>>;

/// Analog values of a driver, of a car's or a tank's.
pub(super) const ANALOG: usize = 5;

/// One recorded frame, in our axes.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    pub(super) f: usize,
    /// The actor's origin (`m`).
    pub(super) origin: DVec3,
    pub(super) rotation: Quat,
    pub(super) linear: Vec3,
    pub(super) angular: Vec3,
    /// Velocities after the update, before the scene's step.
    pub(super) updated: [Vec3; 2],
    pub(super) analog: [f32; ANALOG],
    pub(super) engine: f32,
    pub(super) gear: i8,
    pub(super) target_gear: i8,
    pub(super) switch_time: f32,
    pub(super) autobox_time: f32,
    pub(super) gear_up: bool,
    pub(super) gear_down: bool,
    pub(super) spin: Vec<f32>,
    pub(super) angle: Vec<f32>,
    pub(super) steer: Vec<f32>,
    pub(super) jounce: Vec<f32>,
    pub(super) in_air: Vec<bool>,
    pub(super) held: Vec<bool>,
    pub(super) at_stop: Vec<bool>,
    pub(super) still_forward: Vec<f32>,
    pub(super) still_lateral: Vec<f32>,
    pub(super) asleep: bool,
    pub(super) skipped: bool,
    /// State after the update, by the file's columns.
    pub(super) columns: Columns,
    /// Hit of each wheel's query, where the file has it.
    pub(super) ground: Option<Vec<Option<Plane>>>,
}

/// Columns of a frame that are not results of its update: number, input, what the scene makes of the update, planes.
const OTHERS: [&str; 10] = [
    "f", "p", "q", "v", "w", "in", "asleep", "skipped", "cn", "cp",
];

/// The results of an update in a row of a file.
pub(super) fn columns(row: &Value) -> Columns {
    let columns = row.as_object().into_iter().flatten();
    let results = columns.filter(|(key, _)| !OTHERS.contains(&key.as_str()));
    results
        .map(|(key, value)| (key.clone(), numbers(value)))
        .collect()
}

/// Columns of the planes that wheels hit: normals and points, per wheel.
const PLANES: [&str; 2] = ["cn", "cp"];

/// Hit of each wheel's query, if the frame has it; a normal of 0 means no hit.
fn recorded_planes(
    frame: &Map<String, Value>,
    wheels: usize,
) -> Result<Option<Vec<Option<Plane>>>, String> {
    let [Some(normals), Some(points)] = PLANES.map(|key| frame.get(key)) else {
        return Ok(None);
    };
    let vectors = |value: &Value| -> Option<Vec<Vec3>> {
        let vector = |v: &Value| {
            let numbers: [f64; 3] = numbers(v).try_into().ok()?;
            Some(from_physx(numbers.map(|x| x as f32)))
        };
        let vectors: Vec<Vec3> = value
            .as_array()?
            .iter()
            .map(vector)
            .collect::<Option<_>>()?;
        (vectors.len() == wheels).then_some(vectors)
    };
    let pair = vectors(normals).zip(vectors(points));
    let (normals, points) = pair.ok_or("cn, cp: three numbers per wheel")?;
    let plane = |(normal, point)| (normal != Vec3::ZERO).then_some(Plane { normal, point });
    Ok(Some(normals.into_iter().zip(points).map(plane).collect()))
}

/// A frame without engine, gears and analog values, as if all were at rest.
pub(super) fn without_engine(row: &Value) -> Value {
    let mut row = row.clone();
    for key in ["eng", "gst", "abt", "gu", "gd"] {
        row[key] = 0.into();
    }
    row["in"] = vec![0; ANALOG].into();
    for key in ["gear", "tgear"] {
        row[key] = 1.into();
    }
    row
}

/// A frame of so many wheels, being read.
#[derive(Clone, Copy)]
struct Row<'a> {
    frame: &'a Map<String, Value>,
    wheels: usize,
}

impl Row<'_> {
    fn get(&self, key: &str) -> Result<&Value, String> {
        let value = self.frame.get(key);
        value.ok_or_else(|| format!("unknown schema: no {key}"))
    }

    fn list(&self, key: &str) -> Result<Vec<f32>, String> {
        let values = numbers(self.get(key)?);
        Ok(values.into_iter().map(|x| x as f32).collect())
    }

    fn array<const N: usize>(&self, key: &str) -> Result<[f32; N], String> {
        let list = self.list(key)?;
        list.try_into()
            .map_err(|_| format!("{key}: not {N} values"))
    }

    fn per_wheel(&self, key: &str) -> Result<Vec<f32>, String> {
        let values = self.list(key)?;
        let right = values.len() == self.wheels;
        right
            .then_some(values)
            .ok_or_else(|| format!("{key}: not a value per wheel"))
    }

    fn flags(&self, key: &str) -> Result<Vec<bool>, String> {
        let values = self.per_wheel(key)?;
        Ok(values.into_iter().map(|x| x != 0.0).collect())
    }

    fn vector(&self, key: &str) -> Result<Vec3, String> {
        Ok(from_physx(self.array(key)?))
    }

    fn scalar(&self, key: &str) -> Result<f32, String> {
        Ok(number(self.get(key)?) as f32)
    }

    fn flag(&self, key: &str) -> Result<bool, String> {
        Ok(number(self.get(key)?) != 0.0)
    }

    fn gear(&self, key: &str) -> Result<i8, String> {
        Ok(self.scalar(key)? as i8 - 1)
    }

    /// The actor's position (`m`).
    fn origin(&self) -> Result<DVec3, String> {
        let [x, y, z] = numbers(self.get("p")?).try_into().map_err(|_| "p")?;
        Ok(DVec3::new(z, x, y))
    }
}

impl Recorded {
    pub(super) fn read(row: &Value, scenario: &Scenario) -> Result<Self, String> {
        let wheels = scenario.model().wheel_count();
        let columns = columns(row);
        if scenario.has_engine() {
            Self::parse(row, wheels, columns)
        } else {
            Self::parse(&without_engine(row), wheels, columns)
        }
    }

    pub(super) fn parse(row: &Value, wheels: usize, columns: Columns) -> Result<Self, String> {
        let frame = row.as_object().ok_or("a frame is an object")?;
        let row = Row { frame, wheels };
        let holds = [row.flags("stick_l")?, row.flags("stick_t")?];
        Ok(Self {
            f: row.scalar("f")? as usize,
            engine: row.scalar("eng")?,
            gear: row.gear("gear")?,
            target_gear: row.gear("tgear")?,
            switch_time: row.scalar("gst")?,
            autobox_time: row.scalar("abt")?,
            analog: row.array("in")?,
            origin: row.origin()?,
            rotation: rotation_from_physx(row.array("q")?),
            linear: row.vector("v")?,
            angular: row.vector("w")?,
            updated: [row.vector("v1")?, row.vector("w1")?],
            gear_up: row.flag("gu")?,
            gear_down: row.flag("gd")?,
            spin: row.per_wheel("omega")?,
            angle: row.per_wheel("angle")?,
            steer: row.per_wheel("steer")?,
            jounce: row.per_wheel("jounce")?,
            in_air: row.flags("air")?,
            held: holds[0].iter().zip(&holds[1]).map(|(a, b)| a | b).collect(),
            at_stop: row.flags("lim")?,
            still_forward: row.per_wheel("lft")?,
            still_lateral: row.per_wheel("lst")?,
            asleep: row.flag("asleep")?,
            skipped: row.flag("skipped")?,
            columns,
            ground: recorded_planes(frame, wheels)?,
        })
    }

    /// Whether a row of the solver acted in this frame.
    pub(super) fn has_rows(&self) -> bool {
        self.held.iter().chain(&self.at_stop).any(|&active| active)
    }
}
