//! Parts of a vehicle that have no effect on wheels that are bodies.

use vehicle_core::params::WheelParams;
use vehicle_core::{Fault, Inspector, VehicleModel};

/// Parts of a vehicle that joints leave out: values that it heeds while its wheels probe the ground, and not while
/// they are bodies. Tire laws, which friction replaces, are not among them, nor are settings of solvers and the
/// points at which forces act: those of rigid wheels act where they touch.
#[must_use]
pub fn left_out(model: &VehicleModel) -> Vec<Fault> {
    let mut inspector = Inspector::new();
    for (n, wheel) in model.params().wheels.iter().enumerate() {
        inspector.within(format!("wheels[{n}]"), |i| {
            stance(wheel, i);
            strut(wheel, i);
            let rule = "rigid wheels have their own mass, and tires that do not give";
            i.rule(wheel.unsprung.is_none(), "unsprung", "given", "", rule);
            let flat = wheel
                .tire
                .friction_curve
                .iter()
                .all(|point| point[1] == 1.0);
            let rule = "friction of rigid wheels does not depend on slip";
            i.rule(flat, "tire.friction_curve", "given", "", rule);
        });
    }
    let at_once = model.drivetrain().steering_wheel().is_none();
    let rule = "rigid wheels follow the command at once";
    inspector.rule(at_once, "drivetrain.steering.system", "given", "", rule);
    inspector
        .verdict()
        .err()
        .map_or_else(Vec::new, |found| found.0)
}

/// Rigid wheels stand upright, straight ahead, and travel along a line.
fn stance(wheel: &WheelParams, i: &mut Inspector) {
    let ahead = "rigid wheels point straight ahead: without slip, they would slide all the time";
    i.rule(wheel.toe == 0.0, "toe", wheel.toe, "rad", ahead);
    let camber = &wheel.suspension.camber;
    let angles = [
        camber.at_rest,
        camber.at_max_compression,
        camber.at_max_droop,
    ];
    let upright = angles == [0.0; 3];
    let value = format!("{angles:?}");
    i.rule(
        upright,
        "suspension.camber",
        value,
        "rad",
        "rigid wheels stand upright",
    );
    let tables = &wheel.compliance;
    for (name, is_empty) in [
        ("toe", tables.toe.is_empty()),
        ("camber", tables.camber.is_empty()),
        ("roll_camber", tables.roll_camber == 0.0),
        ("roll_steer", tables.roll_steer == 0.0),
        ("suspension_point", tables.suspension_point.is_empty()),
        ("tire_point", tables.tire_point.is_empty()),
        ("links", tables.links.is_none()),
        ("shift", tables.shift.is_empty()),
        ("toe_by_force", no_force(&tables.toe_by_force)),
        ("camber_by_force", no_force(&tables.camber_by_force)),
        ("shift_by_force", no_force(&tables.shift_by_force)),
    ] {
        let rule = "rigid wheels travel along a line";
        i.rule(is_empty, &format!("compliance.{name}"), "given", "", rule);
    }
}

/// Whether none of the tables over forces has a point.
fn no_force<T>(tables: &[Vec<(f32, T)>; 3]) -> bool {
    tables.iter().all(Vec::is_empty)
}

/// A joint has one rate for its spring and one for its damper.
fn strut(wheel: &WheelParams, i: &mut Inspector) {
    let (strut, curves) = (&wheel.suspension, &wheel.compliance);
    let rule = format!("a joint's spring has one rate, {} N/m", strut.stiffness);
    i.rule(
        curves.spring.is_empty(),
        "compliance.spring",
        "given",
        "",
        rule,
    );
    let rate = strut.damping.mean_rate();
    let rule = format!("a joint's damper has one rate, the mean of both, {rate} N·s/m");
    let linear = strut.damping.is_linear();
    i.rule(linear, "suspension.damping", "two ways", "", &rule);
    for (name, curve) in [("bump", &curves.bump), ("rebound", &curves.rebound)] {
        let path = format!("compliance.{name}");
        i.rule(curve.is_empty(), &path, "given", "", &rule);
    }
}
