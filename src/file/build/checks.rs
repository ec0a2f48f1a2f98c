//! Rules for parts of a file, besides those of the parameters: couplings, positions of wheels and forces, axles of one wheel.

use glam::Vec2;
use vehicle_core::params::Compliance;
use vehicle_core::{Check as _, Fault, Inspector};

use crate::file::axles::linked;
use crate::file::schema::{AxleFile, ComplianceFile, SuspensionFile, VehicleFile};

/// Adds the faults that `look` reports; returns whether there are none.
pub(super) fn inspect(faults: &mut Vec<Fault>, look: impl FnOnce(&mut Inspector)) -> bool {
    let mut inspector = Inspector::new();
    look(&mut inspector);
    let found = inspector.verdict().err();
    let sound = found.is_none();
    faults.extend(found.into_iter().flat_map(|found| found.0));
    sound
}

/// Reports faults of both couplings; returns whether they are valid.
pub(super) fn check_couplings(file: &VehicleFile, faults: &mut Vec<Fault>) -> bool {
    inspect(faults, |i| {
        let rear = file.rear_coupling.as_ref().map(|rear| &rear.0);
        let couplings = [
            ("coupling", file.coupling.as_ref()),
            ("rear_coupling", rear),
        ];
        for (name, coupling) in couplings {
            if let Some(coupling) = coupling {
                i.within(name, |i| coupling.check(file.chassis.mass, i));
            }
        }
    })
}

/// Reports faults of values used for the positions of an axle's wheels and forces.
pub(super) fn check_places(n: usize, axle: &AxleFile, file: &VehicleFile, faults: &mut Vec<Fault>) {
    inspect(faults, |i| {
        i.within(format!("axles[{n}]"), |i| {
            i.finite("x", axle.x, "m");
            check_wheels(axle, i);
            i.finite("z", axle.z.unwrap_or(0.0), "m");
            for (name, height) in [
                ("suspension.force_height", axle.suspension.force_height),
                ("tire.force_height", axle.tire.force_height),
            ] {
                i.finite(name, height.unwrap_or(0.0), "m");
            }
            i.within("suspension", |i| check_spring(&axle.suspension, i));
            i.within("compliance", |i| check_by_force(&axle.compliance, i));
            if let Some(right) = &axle.compliance_right {
                i.within("compliance_right", |i| check_by_force(right, i));
            }
            if let Some(links) = &axle.links {
                links.check(&linked(file, axle), i);
            }
        });
    });
}

/// A strut has a spring and a damper, or is a constraint.
fn check_spring(strut: &SuspensionFile, i: &mut Inspector) {
    let given = [
        ("stiffness", strut.stiffness.is_some()),
        ("damping", strut.damping.is_some()),
    ];
    for (name, is_given) in given {
        match &strut.constraint {
            None => i.rule(
                is_given,
                name,
                "nothing",
                "",
                "must be given, or `constraint`",
            ),
            Some(_) => {
                let rule = "a constraint has its own, by frequency and damping_ratio";
                i.rule(!is_given, name, "given", "", rule);
            }
        }
    }
    check_curves(strut, i);
    if let Some(constraint) = &strut.constraint {
        i.within("constraint", |i| constraint.check(i));
    }
}

/// Curves count in the rates of spring and damper, and a spring has its rate where it carries the car.
fn check_curves(strut: &SuspensionFile, i: &mut Inspector) {
    let damping = strut.damping.map(|damping| damping.0);
    for (name, curve, rate) in [
        ("spring_curve", &strut.spring_curve, strut.stiffness),
        (
            "bump_curve",
            &strut.bump_curve,
            damping.map(|d| d.bump.rate),
        ),
        (
            "rebound_curve",
            &strut.rebound_curve,
            damping.map(|d| d.rebound.rate),
        ),
    ] {
        let rule = "needs a spring and a damper with a rate > 0";
        let holds = curve.is_empty() || rate.is_some_and(|rate| rate > 0.0);
        i.rule(holds, name, curve.len(), "points", rule);
    }
    let Some(at) = strut
        .spring_curve
        .iter()
        .position(|point| *point == (0.0, 0.0))
    else {
        return;
    };
    let beside = |n: usize| strut.spring_curve.get(n).map(|(x, force)| force / x);
    let slopes = [at.checked_sub(1).and_then(beside), beside(at + 1)]
        .into_iter()
        .flatten();
    let [low, high] = slopes.fold([f32::MAX, f32::MIN], |[low, high], x| {
        [low.min(x), high.max(x)]
    });
    let rate = strut.stiffness.unwrap_or(0.0);
    let rule =
        format!("must be the slope of spring_curve at jounce 0, to 1 %: {low} to {high} N/m");
    let holds = rate >= 0.99 * low && rate <= 1.01 * high;
    i.rule(low > high || holds, "stiffness", rate, "N/m", rule);
}

/// Reports tables over forces that are none.
fn check_by_force(compliance: &ComplianceFile, i: &mut Inspector) {
    for (name, tables) in compliance.by_force() {
        i.within(name, |i| {
            for (name, table) in [
                ("toe_deg", &tables.toe_deg),
                ("camber_deg", &tables.camber_deg),
            ] {
                let degrees = |i: &mut Inspector, x: &f32| {
                    i.within_range("angle", *x, -90.0, 90.0, "°");
                };
                i.within(name, |i| check_force_table(table, i, degrees));
            }
            let shift = |i: &mut Inspector, v: &Vec2| i.finite_vector("shift", v.extend(0.0), "m");
            i.within("shift", |i| check_force_table(&tables.shift, i, shift));
        });
    }
}

fn check_force_table<T>(table: &[(f32, T)], i: &mut Inspector, value: impl Fn(&mut Inspector, &T)) {
    let rule = format!("there must be at most {} points", Compliance::POINTS);
    i.rule(
        table.len() <= Compliance::POINTS,
        "",
        table.len(),
        "points",
        rule,
    );
    for (n, (force, y)) in table.iter().enumerate() {
        i.within(format!("[{n}]"), |i| {
            let rises = force.is_finite() && (n == 0 || *force > table[n - 1].0);
            let rule = "must be finite and above the point before";
            i.rule(rises, "force", *force, "", rule);
            value(i, y);
        });
    }
}

/// Rule for values that would rotate or shift a wheel without a side.
const ONE_WHEEL: &str = "must be 0 on an axle of one wheel";

/// Reports compliance not allowed for a wheel in the middle.
fn check_symmetric(compliance: &ComplianceFile, i: &mut Inspector) {
    for (name, table) in [
        ("toe_deg", &compliance.toe_deg),
        ("camber_deg", &compliance.camber_deg),
    ] {
        for (n, &(_, angle)) in table.iter().enumerate() {
            let name = format!("compliance.{name}[{n}]");
            i.rule(angle == 0.0, &name, angle, "", ONE_WHEEL);
        }
    }
    for (name, by_roll) in [
        ("roll_camber", compliance.roll_camber),
        ("roll_steer", compliance.roll_steer),
    ] {
        let name = format!("compliance.{name}");
        i.rule(by_roll == 0.0, &name, by_roll, "", ONE_WHEEL);
    }
    for (n, (_, shift)) in compliance.shift.iter().enumerate() {
        let name = format!("compliance.shift[{n}].y");
        i.rule(shift.y == 0.0, &name, shift.y, "m", ONE_WHEEL);
    }
    for (name, tables) in compliance.by_force() {
        let given = [
            tables.toe_deg.len(),
            tables.camber_deg.len(),
            tables.shift.len(),
        ];
        let name = format!("compliance.{name}");
        let none = given.iter().all(|count| *count == 0);
        i.rule(none, &name, "given", "", "an axle of one wheel has none");
    }
    for (name, table) in [
        ("suspension_point", &compliance.suspension_point),
        ("tire_point", &compliance.tire_point),
    ] {
        for (n, (_, shift)) in table.iter().enumerate() {
            let name = format!("compliance.{name}[{n}].y");
            i.rule(shift.y == 0.0, &name, shift.y, "m", ONE_WHEEL);
        }
    }
}

/// Reports values that contradict an axle's number of wheels.
fn check_wheels(axle: &AxleFile, i: &mut Inspector) {
    match (axle.wheels, axle.track) {
        (1, track) => {
            let rule = "an axle of one wheel has none";
            i.rule(track.is_none(), "track", track.unwrap_or(0.0), "m", rule);
            let right = axle.tire.right.as_deref();
            i.rule(right.is_none(), "tire.right", right.unwrap_or(""), "", rule);
            let s = &axle.suspension;
            for (name, angle) in [
                ("toe_deg", axle.toe_deg),
                ("suspension.camber_deg", s.camber_deg),
                (
                    "suspension.camber_at_max_compression_deg",
                    s.camber_at_max_compression_deg,
                ),
                (
                    "suspension.camber_at_max_droop_deg",
                    s.camber_at_max_droop_deg,
                ),
            ] {
                i.rule(angle == 0.0, name, angle, "", ONE_WHEEL);
            }
            check_symmetric(&axle.compliance, i);
            let none = axle.compliance_right.is_none();
            let rule = "an axle of one wheel has none";
            i.rule(none, "compliance_right", "given", "", rule);
        }
        (2, Some(track)) => i.positive("track", track, "m"),
        (2, None) => i.rule(false, "track", "nothing", "", "two wheels need one"),
        (other, _) => i.rule(false, "wheels", other, "", "must be 1 or 2"),
    }
}
