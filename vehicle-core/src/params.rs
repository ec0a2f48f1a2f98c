//! The parameters of a vehicle, checked once and never changed by a step.

pub mod surface;
pub mod wheel_shape;
pub mod contact_policy;
pub mod profile;
mod aerodynamics;
mod compliance;
mod damping;
mod suspension;
mod tire;
mod unsprung;
mod wheel;
mod probe;
mod blank;
pub mod sprung_mass;
pub mod retune;

use alloc::format;
use alloc::vec::Vec;

use glam::{Mat3, Vec3};

pub use aerodynamics::Aerodynamics;
pub use compliance::{Compliance, LinkSlopes};
pub use damping::{DamperKnee, DamperStroke, Damping};
pub use probe::{Probe, SweepSettings};
pub use profile::SubstepPolicy;
pub use suspension::{AntiRollBar, CamberCurve, SuspensionParams};
pub use tire::{LoadFilter, TireFit};
pub use unsprung::Unsprung;
pub use wheel::WheelParams;

use crate::MAX_WHEELS;
use crate::base::checked::{Check, Inspector};
use crate::base::inertia;
use crate::params::profile::Profile;

/// Mass and inertia of the chassis, including the wheels' mass: wheels are not separate bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ChassisParams {
    /// Mass (`kg`), > 0.
    pub mass: f32,
    /// Moments of inertia about the vehicle's x, y and z axis through the center of mass (`kg·m²`), > 0.
    pub inertia: Vec3,
    /// Products of inertia Ixy, Ixz and Iyz in the same axes (`kg·m²`): Ixz = ∫ x·z dm is positive where what is ahead
    /// of the center of mass is high and what is behind it low, and the [tensor](Self::inertia_tensor) has −Ixz (see
    /// [`tensor`](crate::inertia::tensor)). Together with `inertia` every principal moment must be > 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub products: [f32; 3],
    /// Center of mass relative to the vehicle's origin (`m`, vehicle frame).
    pub center_of_mass: Vec3,
    /// Support that carries a part of it besides the wheels, if any.
    #[cfg_attr(feature = "serde", serde(default))]
    pub support: Option<Support>,
    /// Gravity that the vehicle is designed for (`m/s²`), > 0, usually [`DESIGN_GRAVITY`](Self::DESIGN_GRAVITY): under it, struts
    /// rest at jounce 0. It sets their preload and the rest loads of the tires, with which their stiffness scales; both stay
    /// what they are where gravity is another.
    #[cfg_attr(feature = "serde", serde(default = "ChassisParams::design_gravity"))]
    pub design_gravity: f32,
}

/// A support that carries a part of the chassis at rest besides its wheels: the coupling of a trailer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Support {
    /// Supported mass (`kg`), below the chassis' and not 0: negative where the chassis pulls its support up, as a
    /// tail-heavy trailer does.
    pub mass: f32,
    /// Position of the support (`m`, vehicle frame).
    pub position: Vec3,
}

impl AsRef<Self> for ChassisParams {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl ChassisParams {
    /// Gravity on Earth (`m/s²`), for which most vehicles are designed.
    pub const DESIGN_GRAVITY: f32 = 9.81;

    #[cfg(feature = "serde")]
    const fn design_gravity() -> f32 {
        Self::DESIGN_GRAVITY
    }

    /// Inertia tensor about the center of mass (`kg·m²`, vehicle axes).
    #[must_use]
    pub const fn inertia_tensor(&self) -> Mat3 {
        inertia::tensor(self.inertia, self.products)
    }

    /// Mass carried by the wheels at rest (`kg`), and its center (`m`, vehicle frame): the chassis' minus the
    /// support's.
    #[must_use]
    pub fn on_wheels(&self) -> (f32, Vec3) {
        let Some(support) = self.support else {
            return (self.mass, self.center_of_mass);
        };
        let mass = self.mass - support.mass;
        let moment = self.center_of_mass * self.mass - support.position * support.mass;
        (mass, moment / mass)
    }

    /// Every principal moment is > 0.
    fn check_inertia(&self, i: &mut Inspector) {
        let moments = self.inertia;
        let met = moments.is_finite() && moments.min_element() > 0.0;
        i.rule(met, "inertia", moments, "kg·m²", "must be finite and > 0");
        let finite = self.products.into_iter().all(f32::is_finite);
        i.within("products", |i| {
            for (name, product) in ["xy", "xz", "yz"].into_iter().zip(self.products) {
                i.finite(name, product, "kg·m²");
            }
        });
        let tensor = self.inertia_tensor();
        let (principal, _) = inertia::principal(tensor);
        let rule = format!(
            "every principal moment must be > 0, and with inertia = {moments} kg·m² they are {principal} kg·m²"
        );
        let [xy, xz, yz] = self.products;
        let value = format!("{{ xy = {xy}, xz = {xz}, yz = {yz} }}");
        let sound = !met || !finite || inertia::is_sound(tensor);
        i.rule(sound, "products", value, "kg·m²", rule);
    }
}

/// All parameters of a vehicle except tire models and drivetrain.
///
/// Positions are relative to the vehicle's origin, in the vehicle frame (x forward, y left, z up).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct VehicleParams {
    /// Mass and inertia.
    pub chassis: ChassisParams,
    /// Wheels in order: for a car front left, front right, rear left, rear right.
    pub wheels: Vec<WheelParams>,
    /// Anti-roll bars.
    pub anti_roll: Vec<AntiRollBar>,
    /// Filter from suspension force to tire load.
    pub load_filter: LoadFilter,
    /// Substeps per step of the explicit solver.
    pub substeps: SubstepPolicy,
    /// How wheels probe the ground.
    pub probe: Probe,
    /// Solver and rules.
    pub profile: Profile,
    /// Aerodynamic coefficients; `None` for a vehicle that the air does not affect.
    #[cfg_attr(feature = "serde", serde(default))]
    pub aerodynamics: Option<Aerodynamics>,
}

impl VehicleParams {
    /// All wheels have links or none.
    fn check_links(&self, i: &mut Inspector) {
        let linked = |wheel: &WheelParams| wheel.compliance.links.is_some();
        let first = self.wheels.first().is_some_and(linked);
        for (n, wheel) in self.wheels.iter().enumerate() {
            let rule = "all wheels have links, or none";
            let (path, links) = (format!("wheels[{n}].compliance.links"), linked(wheel));
            i.rule(links == first, &path, links, "", rule);
        }
    }

    /// All wheels have an unsprung mass or none, on the rows solver, and the larger part of mass and inertia is sprung.
    fn check_unsprung(&self, i: &mut Inspector) {
        let has = |n: usize| self.wheels[n].unsprung.is_some();
        for n in 0..self.wheels.len() {
            i.within(format!("wheels[{n}]"), |i| {
                let rule = "all wheels have an unsprung mass, or none";
                i.rule(has(n) == has(0), "unsprung", has(n), "", rule);
                let rule = "needs the rows solver: the explicit one's wheels have no mass";
                let solves = self.profile.rows().is_some();
                i.rule(solves || !has(n), "unsprung", "given", "", rule);
            });
        }
        let on = || self.wheels.iter().filter(|wheel| wheel.enabled);
        let sum = |of: fn(Vec3) -> f32| -> f32 {
            let part = |wheel: &WheelParams| {
                wheel.unsprung_mass() * of(self.from_center_of_mass(wheel.position))
            };
            on().map(part).sum()
        };
        let chassis = &self.chassis;
        for (name, unit, unsprung, whole) in [
            ("chassis.mass", "kg", sum(|_| 1.0), chassis.mass),
            (
                "chassis.inertia.x",
                "kg·m²",
                sum(|p| p.y * p.y),
                chassis.inertia.x,
            ),
            (
                "chassis.inertia.y",
                "kg·m²",
                sum(|p| p.x * p.x),
                chassis.inertia.y,
            ),
        ] {
            let met = unsprung == 0.0 || unsprung <= 0.5 * whole;
            let rule = format!(
                "includes that of the unsprung masses, which must be at most half: {unsprung} {unit}"
            );
            i.rule(met, name, whole, unit, rule);
        }
    }

    /// Relative tolerance of the sum of sprung masses to the chassis' mass (ALGORITHMS §4.1).
    const MASS_TOLERANCE: f32 = 0.01;

    /// Origin of the lever arms: positions of wheels and force points relative to the center of
    /// mass (`m`, vehicle frame).
    #[must_use]
    pub fn from_center_of_mass(&self, point: Vec3) -> Vec3 {
        point - self.chassis.center_of_mass
    }

    fn check_cross_rules(&self, i: &mut Inspector) {
        let enabled = || self.wheels.iter().filter(|wheel| wheel.enabled);
        i.rule(
            enabled().next().is_some(),
            "wheels",
            format!("{} enabled", enabled().count()),
            "",
            "at least one wheel must be enabled",
        );
        let masses = enabled().map(|wheel| wheel.suspension.sprung_mass + wheel.unsprung_mass());
        let sum: f32 = masses.sum();
        let (carried, _) = self.chassis.on_wheels();
        let off = (sum - carried).abs();
        let mass = match self.chassis.support {
            Some(_) => "chassis.mass - chassis.support.mass",
            None => "chassis.mass",
        };
        let has_unsprung = enabled().any(|wheel| wheel.unsprung.is_some());
        let and_unsprung = if has_unsprung {
            ", with the unsprung masses"
        } else {
            ""
        };
        i.rule(
            off <= Self::MASS_TOLERANCE * carried || self.profile.sprung_masses_may_differ,
            "wheels[*].suspension.sprung_mass",
            format!("{sum} in sum"),
            "kg",
            format!("must sum to {mass} = {carried} kg within 1 %{and_unsprung}"),
        );
        let explicit = self.profile.explicit();
        let outlives = explicit.is_some_and(|settings| settings.bars_outlive_wheels);
        for (n, bar) in self.anti_roll.iter().enumerate() {
            i.within(format!("anti_roll[{n}]"), |i| {
                for (k, wheel) in bar.wheels.into_iter().enumerate() {
                    let usable = self
                        .wheels
                        .get(wheel)
                        .is_some_and(|w| w.enabled || outlives);
                    let rule = format!("must name an enabled wheel, 0..{}", self.wheels.len());
                    i.rule(usable, &format!("wheels[{k}]"), wheel, "", rule);
                }
            });
        }
    }
}

impl Check for VehicleParams {
    fn check(&self, i: &mut Inspector) {
        i.within("chassis", |i| {
            i.positive("mass", self.chassis.mass, "kg");
            self.chassis.check_inertia(i);
            i.finite_vector("center_of_mass", self.chassis.center_of_mass, "m");
            i.positive("design_gravity", self.chassis.design_gravity, "m/s²");
            if let Some(support) = self.chassis.support {
                let mass = support.mass;
                let met = mass.is_finite() && mass != 0.0 && mass < self.chassis.mass;
                let rule = format!("must not be 0, and below mass = {} kg", self.chassis.mass);
                i.rule(met, "support.mass", support.mass, "kg", rule);
                i.finite_vector("support.position", support.position, "m");
            }
        });
        let count = self.wheels.len();
        i.rule(
            (1..=MAX_WHEELS).contains(&count),
            "wheels",
            count,
            "",
            format!("there must be 1 to {MAX_WHEELS}"),
        );
        for (n, wheel) in self.wheels.iter().enumerate() {
            i.within(format!("wheels[{n}]"), |i| wheel.check(i));
        }
        for (n, bar) in self.anti_roll.iter().enumerate() {
            i.within(format!("anti_roll[{n}]"), |i| bar.check(i));
        }
        i.within("load_filter", |i| self.load_filter.check(i));
        i.within("substeps", |i| self.substeps.check(i));
        i.within("sweep", |i| self.probe.check(i));
        i.within("profile", |i| self.profile.check(i));
        if let Some(air) = &self.aerodynamics {
            i.within("aerodynamics", |i| air.check(i));
        }
        self.check_links(i);
        self.check_unsprung(i);
        self.check_cross_rules(i);
    }
}

#[cfg(test)]
mod edges;
#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::checked::Checked;
    use crate::params::profile::RowsSettings;
    use crate::testing;
    use alloc::string::ToString;
    use rstest::rstest;

    fn faults(change: impl FnOnce(&mut VehicleParams)) -> alloc::string::String {
        let mut params = testing::four_wheeler();
        change(&mut params);
        match Checked::new(params) {
            Ok(_) => "none".to_string(),
            Err(faults) => faults.to_string(),
        }
    }

    #[test]
    fn the_sample_car_is_valid() {
        assert_eq!(faults(|_| ()), "none");
    }

    #[rstest]
    #[case::mass(|p: &mut VehicleParams| p.chassis.mass = 0.0, "chassis.mass = 0 kg: must be finite and > 0")]
    #[case::spring(|p: &mut VehicleParams| p.wheels[2].suspension.stiffness = -3.0,
        "wheels[2].suspension.stiffness = -3 N/m: must be finite and > 0")]
    #[case::nan(|p: &mut VehicleParams| p.wheels[1].radius = f32::NAN,
        "wheels[1].radius = NaN m: must be finite and > 0")]
    #[case::index(|p: &mut VehicleParams| p.anti_roll[0].wheels[1] = 9,
        "anti_roll[0].wheels[1] = 9: must name an enabled wheel, 0..4")]
    #[case::sum(|p: &mut VehicleParams| p.wheels[0].suspension.sprung_mass += 50.0,
        "wheels[*].suspension.sprung_mass = 1550 in sum kg: must sum to chassis.mass = 1500 kg within 1 %")]
    #[case::heavy_support(|p: &mut VehicleParams| p.chassis.support = Some(Support { mass: 1500.0, position: Vec3::X }),
        "chassis.support.mass = 1500 kg: must not be 0, and below mass = 1500 kg")]
    #[case::no_support(|p: &mut VehicleParams| p.chassis.support = Some(Support { mass: 0.0, position: Vec3::X }),
        "chassis.support.mass = 0 kg: must not be 0, and below mass = 1500 kg")]
    #[case::product(|p: &mut VehicleParams| p.chassis.products[1] = f32::NAN,
        "chassis.products.xz = NaN kg·m²: must be finite")]
    #[case::products(|p: &mut VehicleParams| {
        p.chassis.inertia = Vec3::new(500.0, 2400.0, 500.0);
        p.chassis.products = [0.0, 600.0, 20.0];
    }, "chassis.products = { xy = 0, xz = 600, yz = 20 } kg·m²: every principal moment must be > 0, \
        and with inertia = [500, 2400, 500] kg·m² they are [1099.8462, 2400.234, -100.08] kg·m²")]
    #[case::any_sum(|p: &mut VehicleParams| {
        p.wheels[0].suspension.sprung_mass += 50.0;
        p.profile.sprung_masses_may_differ = true;
    }, "none")]
    #[case::supported_sum(|p: &mut VehicleParams| p.chassis.support = Some(Support { mass: 300.0, position: Vec3::X }),
        "wheels[*].suspension.sprung_mass = 1500 in sum kg: must sum to chassis.mass - chassis.support.mass = 1200 kg within 1 %")]
    #[case::substeps(|p: &mut VehicleParams| p.substeps.slow = 0,
        "substeps.slow = 0: must be within 1..=100")]
    fn each_fault_is_named(#[case] change: fn(&mut VehicleParams), #[case] expected: &str) {
        let text = faults(change);
        assert!(text.contains(expected), "{text}");
    }

    #[rstest]
    #[case::short(|r: &mut RowsSettings| r.max_substep = 1e-6, "max_substep")]
    #[case::long(|r: &mut RowsSettings| r.max_substep = 1.5, "max_substep")]
    #[case::never(|r: &mut RowsSettings| r.sweeps = 0, "sweeps")]
    #[case::soft(|r: &mut RowsSettings| r.carcass_stiffness = 1e-30, "carcass_stiffness")]
    #[case::hard(|r: &mut RowsSettings| r.carcass_stiffness = 1e38, "carcass_stiffness")]
    #[case::slow(|r: &mut RowsSettings| r.carcass_damping_time = 1e30, "carcass_damping_time")]
    #[case::gain(|r: &mut RowsSettings| r.observer_gain = 1.1, "observer_gain")]
    #[case::nan(|r: &mut RowsSettings| r.observer_gain = f32::NAN, "observer_gain")]
    fn settings_of_the_rows_solver_have_their_ranges(
        #[case] change: fn(&mut RowsSettings),
        #[case] name: &str,
    ) {
        let text = faults(|p| change(testing::rows(&mut p.profile)));
        assert!(text.contains(&format!("profile.rows.{name} = ")), "{text}");
    }

    #[test]
    fn all_faults_are_reported_together() {
        let text = faults(|p| {
            p.chassis.mass = f32::NAN;
            p.wheels[0].suspension.stiffness = 0.0;
            p.wheels[3].radius = -1.0;
        });
        for path in [
            "chassis.mass",
            "wheels[0].suspension.stiffness",
            "wheels[3].radius",
        ] {
            assert!(text.contains(path), "{text}");
        }
    }
}
