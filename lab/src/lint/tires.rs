//! Tires at the load that they carry at rest, against those of vehicles: they may be scaled, or measured in other units.

use super::finding::{Findings, Rule, Severity, when};
use super::grip::RestingTire;
use super::plausible::significant;
use super::proportions::is_heavy;
use super::subject::LintedCar;

use Severity::Note;

/// Peak lateral friction, and cornering and slip stiffness over the load, of each tire at its rest load. Note outside 0.6–1.8,
/// 6–30 1/rad and 6–60 up to 3.5 t, 3–30 1/rad and 4–60 above.
const TIRE_SCALE: Rule = Rule::new(
    "tire-scale",
    "not in the guide: Gillespie, Fundamentals of Vehicle Dynamics (1992), chapter 10: cornering coefficients 0.1 to 0.2 1/°",
);

/// A property of a tire: its usual values, and the keys that scale it.
struct TireProperty {
    name: &'static str,
    unit: &'static str,
    /// Usual values of cars and of heavier vehicles.
    usual: [[f32; 2]; 2],
    /// An everyday value.
    everyday: f32,
    keys: &'static str,
}

/// Friction.
const FRICTION: TireProperty = TireProperty {
    name: "peak friction",
    unit: "",
    usual: [[0.6, 1.8]; 2],
    everyday: 1.0,
    keys: "LMUX and LMUY of a Magic Formula, friction_curve of other laws",
};
/// Cornering stiffness over the load.
const CORNERING: TireProperty = TireProperty {
    name: "cornering stiffness over the load",
    unit: " 1/rad",
    usual: [[6.0, 30.0], [3.0, 30.0]],
    everyday: 12.0,
    keys: "LKY of a Magic Formula, lat_stiff_y or cornering_stiffness of other laws",
};
/// Slip stiffness over the load.
const SLIP: TireProperty = TireProperty {
    name: "slip stiffness over the load",
    unit: "",
    usual: [[6.0, 60.0], [4.0, 60.0]],
    everyday: 15.0,
    keys: "LKX of a Magic Formula, long_stiff_per_g or slip_stiffness of other laws",
};

pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) {
    for (n, wheel) in subject.wheels() {
        let tire = RestingTire::new(subject, n);
        if tire.load <= 0.0 {
            continue;
        }
        let stiffness = [tire.cornering_stiffness(), tire.slip_stiffness()];
        let [cornering, slip] = stiffness.map(|stiffness| stiffness / tire.load);
        let friction = tire.peak_friction();
        for (property, value) in [(FRICTION, friction), (CORNERING, cornering), (SLIP, slip)] {
            property.look(subject, &wheel.name, value, findings);
        }
    }
}

impl TireProperty {
    fn look(&self, subject: &LintedCar<'_>, wheel: &str, value: f32, findings: &mut Findings) {
        let (name, unit) = (self.name, self.unit);
        let [least, most] = self.usual[usize::from(is_heavy(subject))];
        // Laws of the other sign are told by `tire-forces`.
        findings.add(
            when(value > 0.0 && !(least..=most).contains(&value), Note),
            TIRE_SCALE,
            wheel,
            format!("{name} {}{unit} at its rest load", significant(value)),
            [
                format!(
                    "{least} to {most}{unit}, about {}{unit} on a road",
                    self.everyday
                ),
                format!(
                    "{} times of it: {}",
                    significant(self.everyday / value),
                    self.keys
                ),
            ],
        );
    }
}
