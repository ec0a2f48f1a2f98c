//! `system` of a drive's steering and `axis` of steered axles: a steering wheel that torques move.

use drivetrain::{AssistRow, KingpinAxis, SteeringSystem, TreadTwist};
use serde::Deserialize;
use vehicle_core::{Curve, Fault, Inspector};

/// Key of a steering system.
const SYSTEM: &str = "drivetrain.steering.system";

/// Steering wheel, column and rack.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SteeringSystemFile {
    /// Angle of the steering wheel (°), from 0 on, and its ratio to the inner road wheel there; linear between.
    ratio_at_deg: Vec<(f32, f32)>,
    wheel_inertia: f32,
    rack_inertia: f32,
    column_stiffness: f32,
    rack_stiffness: f32,
    #[serde(default)]
    damping: f32,
    #[serde(default)]
    friction: f32,
    #[serde(default)]
    assist: Vec<AssistRow>,
    tread: Option<TreadTwist>,
}

/// The axis about which the wheels of an axle are steered.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SteeringAxisFile {
    /// Caster, positive with the top to the rear (°).
    #[serde(default)]
    caster_deg: f32,
    /// Kingpin inclination, positive with the top inwards (°); to the right for a single wheel.
    #[serde(default)]
    inclination_deg: f32,
    /// Caster trail: distance at which the axis meets the ground ahead of the contact (`m`).
    #[serde(default)]
    trail: f32,
    /// Distance at which the axis meets the ground inwards of the contact (`m`); to the right for a single wheel.
    #[serde(default)]
    scrub_radius: f32,
}

/// An axle, for its steering.
#[derive(Clone, Copy, Debug)]
pub(super) struct SteeredBy {
    /// Index of its first wheel, the left one of two.
    pub(super) first: usize,
    /// Number of its wheels.
    pub(super) wheels: usize,
    /// The axis about which they are steered.
    pub(super) axis: Option<SteeringAxisFile>,
}

/// Most points of `ratio_at_deg`: a curve has one more, at the stops.
const MOST_RATIOS: usize = Curve::CAPACITY - 1;

/// The system of a vehicle with these `axles`, whose wheels turn by `max` at most (`rad`), or every fault.
pub(super) fn system(
    system: Option<SteeringSystemFile>,
    axles: &[SteeredBy],
    (max, explicit): (f32, bool),
    faults: &mut Vec<Fault>,
) -> Option<SteeringSystem> {
    let mut i = Inspector::new();
    let axes = axes(axles, system.is_some(), &mut i);
    let built = system.map(|system| {
        i.within(SYSTEM, |i| system.check(max, explicit, i));
        SteeringSystem {
            rack: rack(&system.ratio_at_deg, max),
            wheel_inertia: system.wheel_inertia,
            rack_inertia: system.rack_inertia,
            column_stiffness: system.column_stiffness,
            rack_stiffness: system.rack_stiffness,
            damping: system.damping,
            friction: system.friction,
            assist: system.assist,
            axes,
            tread: system.tread,
        }
    });
    match i.verdict() {
        Ok(()) => built,
        Err(found) => {
            faults.extend(found.0);
            None
        }
    }
}

impl SteeringSystemFile {
    fn check(&self, max: f32, explicit: bool, i: &mut Inspector) {
        i.rule(
            !explicit,
            "",
            "the explicit solver",
            "",
            "needs the rows solver",
        );
        let rule = "there must be a steered axle";
        i.rule(max > 0.0, "", max.to_degrees(), "°", rule);
        let (points, count) = (&self.ratio_at_deg, self.ratio_at_deg.len());
        let rule = format!("there must be 1 to {MOST_RATIOS} points");
        let few = (1..=MOST_RATIOS).contains(&count);
        i.rule(few, "ratio_at_deg", count, "points", rule);
        for (n, &(angle, ratio)) in points.iter().enumerate() {
            i.within(format!("ratio_at_deg[{n}]"), |i| {
                let (ascends, rule) = match n {
                    0 => (angle == 0.0, "the first must be 0"),
                    _ => (angle > points[n - 1].0, "must be above the point before"),
                };
                i.rule(ascends, "angle", angle, "°", rule);
                i.positive("ratio", ratio, "");
            });
        }
    }
}

/// Angle of the steering wheel (`rad`) and share of `max` (`rad`), up to the stops: between points, the mean of 1/ratio.
fn rack(ratio: &[(f32, f32)], max: f32) -> Curve {
    let mut points = vec![[0.0, 0.0]];
    let (mut at, mut turned) = (0.0, 0.0);
    let mut slope = ratio.last().map_or(0.0, |point| 1.0 / point.1);
    for pair in ratio.windows(2) {
        let ((_, from), (next, to)) = (pair[0], pair[1]);
        let (next, mean) = (next.to_radians(), 0.5 * (1.0 / from + 1.0 / to));
        let end = turned + (next - at) * mean;
        if end >= max {
            slope = mean;
            break;
        }
        points.push([next, end / max]);
        (at, turned) = (next, end);
    }
    points.push([at + (max - turned) / slope, 1.0]);
    Curve(points)
}

/// Steering axes of all wheels that have one.
fn axes(axles: &[SteeredBy], used: bool, i: &mut Inspector) -> Vec<KingpinAxis> {
    let mut axes = Vec::new();
    for (n, axle) in axles.iter().enumerate() {
        let Some(axis) = axle.axis else {
            continue;
        };
        i.within(format!("axles[{n}].steering.axis"), |i| axis.check(used, i));
        axes.extend((0..axle.wheels).map(|side| axis.of(axle, side)));
    }
    axes
}

impl SteeringAxisFile {
    /// Kingpin axis of the left wheel of an axle, `side` 0, or of the right one.
    fn of(&self, axle: &SteeredBy, side: usize) -> KingpinAxis {
        let inwards = if axle.wheels == 2 && side == 1 {
            -1.0
        } else {
            1.0
        };
        KingpinAxis {
            wheel: axle.first + side,
            caster: self.caster_deg.to_radians(),
            inclination: inwards * self.inclination_deg.to_radians(),
            trail: self.trail,
            offset: inwards * self.scrub_radius,
        }
    }

    fn check(&self, used: bool, i: &mut Inspector) {
        i.rule(used, "", "an axis", "", format!("needs a {SYSTEM}"));
        for (name, angle) in [
            ("caster_deg", self.caster_deg),
            ("inclination_deg", self.inclination_deg),
        ] {
            i.within_range(name, angle, -60.0, 60.0, "°");
        }
        for (name, length) in [("trail", self.trail), ("scrub_radius", self.scrub_radius)] {
            i.within_range(name, length, -1.0, 1.0, "m");
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
