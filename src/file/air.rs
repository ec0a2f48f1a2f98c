//! `[aerodynamics]` of a vehicle file.

use serde::Deserialize;
use vehicle_core::Curve;
use vehicle_core::params::Aerodynamics;

use glam::Vec3;

/// Drag of a flat plate across the flow, over its own area (Hoerner, *Fluid-Dynamic Drag* (1965), ch. 3).
const PLATE: f32 = 1.18;

/// Coefficients; what is absent is 0, unless it is said otherwise.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AerodynamicsFile {
    area: f32,
    /// Reference length; the distance of the first axle from the last by default.
    wheelbase: Option<f32>,
    /// Reference point; on the ground, between the first and the last axle by default.
    point: Option<Vec3>,
    drag: f32,
    #[serde(default)]
    side: f32,
    /// Coefficient of vertical drag; by default that of a plate as long and wide as the hull.
    vertical: Option<f32>,
    #[serde(default)]
    lift_front: f32,
    #[serde(default)]
    lift_rear: f32,
    #[serde(default)]
    roll: f32,
    #[serde(default)]
    pitch: f32,
    #[serde(default)]
    yaw: f32,
    #[serde(default)]
    by_yaw_deg: ByYawFile,
    #[serde(default)]
    ground_effect: GroundEffectFile,
}

/// Factors on coefficients over the yaw angle of the flow; 1 by default.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ByYawFile {
    drag: Option<Curve>,
    side: Option<Curve>,
    lift_front: Option<Curve>,
    lift_rear: Option<Curve>,
    roll: Option<Curve>,
    pitch: Option<Curve>,
    yaw: Option<Curve>,
}

/// Factors over ride height (`m`); 1 by default.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct GroundEffectFile {
    lift_front: Option<Curve>,
    lift_rear: Option<Curve>,
    drag: Option<Curve>,
}

/// The coefficient times its factors over degrees, as a curve over radians.
fn over_yaw(coefficient: f32, factors: Option<&Curve>) -> Curve {
    let Some(Curve(points)) = factors else {
        return Curve(vec![[0.0, coefficient]]);
    };
    let points = points.iter();
    Curve(
        points
            .map(|[yaw, factor]| [yaw.to_radians(), coefficient * factor])
            .collect(),
    )
}

impl AerodynamicsFile {
    /// The parameters of a vehicle whose axles stand from `last` to `first` (`m`) under a `hull` of this size (`m`).
    pub(super) fn params(&self, [last, first]: [f32; 2], hull: Vec3) -> Aerodynamics {
        let by_yaw = &self.by_yaw_deg;
        let vertical = PLATE * hull.x * hull.y / self.area;
        Aerodynamics {
            area: self.area,
            length: self.wheelbase.unwrap_or(first - last),
            point: self.point.unwrap_or(Vec3::X * (0.5 * (first + last))),
            drag: over_yaw(self.drag, by_yaw.drag.as_ref()),
            side: over_yaw(self.side, by_yaw.side.as_ref()),
            vertical: self.vertical.unwrap_or(vertical),
            lift_front: over_yaw(self.lift_front, by_yaw.lift_front.as_ref()),
            lift_rear: over_yaw(self.lift_rear, by_yaw.lift_rear.as_ref()),
            roll: over_yaw(self.roll, by_yaw.roll.as_ref()),
            pitch: over_yaw(self.pitch, by_yaw.pitch.as_ref()),
            yaw: over_yaw(self.yaw, by_yaw.yaw.as_ref()),
            lift_front_by_height: self.ground_effect.lift_front.clone(),
            lift_rear_by_height: self.ground_effect.lift_rear.clone(),
            drag_by_height: self.ground_effect.drag.clone(),
        }
    }
}

/// Place in the file of a fault of `aerodynamics.`: a single value is the coefficient, others are in a table.
pub(super) fn path_of(rest: &str) -> String {
    if let Some((coefficient, point)) = rest.split_once("_by_height") {
        return format!("aerodynamics.ground_effect.{coefficient}{point}");
    }
    let key = match rest {
        "length" => "wheelbase",
        other => other,
    };
    match key.split_once(".[0].y") {
        Some((coefficient, "")) => format!("aerodynamics.{coefficient}"),
        _ if key.contains('[') => format!("aerodynamics.by_yaw_deg.{key}"),
        _ => format!("aerodynamics.{key}"),
    }
}
