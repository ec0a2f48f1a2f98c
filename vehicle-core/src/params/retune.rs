//! Variants of a vehicle's parameters: other mass, other center of mass, other wheels.
//!
//! Springs, dampers and bump stops scale with the sprung masses, so that natural frequencies and damping ratios
//! are unchanged. [`Vehicle::set_model`](crate::Vehicle::set_model) applies a variant to a running vehicle, after
//! it is checked again.

use alloc::format;
use alloc::vec::Vec;

use glam::Vec3;

use crate::base::checked::Fault;
use crate::params::sprung_mass::sprung_masses;
use crate::params::{
    CamberCurve, ChassisParams, LinkSlopes, SuspensionParams, VehicleParams, WheelParams,
};

/// Retunes a strut for another sprung mass (`kg`).
type Retuned = fn(SuspensionParams, f32) -> SuspensionParams;

/// Natural frequency of PhysX's chassis-mass helper (`rad/s`) (ALGORITHMS §4.12).
const HELPER_FREQUENCY: f32 = 9.66;
/// Damping ratio of the same helper (–).
const HELPER_DAMPING: f32 = 0.62;

/// Natural frequency of a constraint's limits (`rad/s`): 20 Hz, hard for a car and soft for a substep.
const LIMIT_FREQUENCY: f32 = 20.0 * core::f32::consts::TAU;

impl SuspensionParams {
    /// This strut as a constraint with limits: it holds the wheel at its design position, as softly as a natural
    /// frequency (`Hz`, > 0) and a damping ratio (–, ≥ 0) say, and stops it at full compression. From about 10 Hz on,
    /// it is as good as rigid.
    #[must_use]
    pub fn constrained(self, frequency: f32, damping_ratio: f32) -> Self {
        let omega = core::f32::consts::TAU * frequency;
        let stop = LIMIT_FREQUENCY.max(omega);
        Self {
            stiffness: omega * omega * self.sprung_mass,
            damping: (2.0 * damping_ratio * omega * self.sprung_mass).into(),
            bump_stop_stiffness: stop * stop * self.sprung_mass,
            ..self
        }
    }

    /// This strut with the spring and damper that PhysX's chassis-mass helper gives a sprung mass (`kg`): natural
    /// frequency 9.66 rad/s, damping ratio 0.62 (ALGORITHMS §4.12).
    #[must_use]
    pub fn tuned_for(self, sprung_mass: f32) -> Self {
        Self {
            stiffness: HELPER_FREQUENCY * HELPER_FREQUENCY * sprung_mass,
            damping: (HELPER_DAMPING * 2.0 * HELPER_FREQUENCY * sprung_mass).into(),
            sprung_mass,
            ..self
        }
    }
}

impl VehicleParams {
    /// Sets the chassis' mass (`kg`) and distributes it evenly among all wheels, each strut retuned (ALGORITHMS
    /// §4.12). The support's mass is unchanged.
    pub fn set_chassis_mass(&mut self, mass: f32) {
        self.chassis.mass = mass;
        let each = self.chassis.on_wheels().0 / self.wheels.len() as f32;
        for wheel in &mut self.wheels {
            wheel.suspension = wheel.suspension.tuned_for(each - wheel.unsprung_mass());
        }
    }

    /// Sets the mass (`kg`): moments and products of inertia, the masses on the wheels and the support's mass scale in
    /// proportion; unsprung masses are unchanged.
    pub fn set_mass(&mut self, mass: f32) {
        let ratio = mass / self.chassis.mass;
        self.chassis.mass = mass;
        self.chassis.inertia *= ratio;
        self.chassis.products = self.chassis.products.map(|product| product * ratio);
        if let Some(support) = &mut self.chassis.support {
            support.mass *= ratio;
        }
        for wheel in &mut self.wheels {
            let (strut, unsprung) = (wheel.suspension, wheel.unsprung_mass());
            let sprung = (strut.sprung_mass + unsprung) * ratio - unsprung;
            wheel.suspension = strut.with_sprung_mass(sprung);
        }
    }

    /// Moves the center of mass (`m`, vehicle frame): sprung masses follow (ALGORITHMS §6.2). Wheel positions
    /// and the support's mass are unchanged.
    ///
    /// # Errors
    /// If the struts cannot carry the mass there; the parameters are then unchanged.
    pub fn move_center_of_mass(&mut self, center: Vec3) -> Result<(), Fault> {
        let on = self.wheels_on();
        self.balance(&on, center, SuspensionParams::with_sprung_mass)?;
        self.chassis.center_of_mass = center;
        Ok(())
    }

    /// Enables these wheels and disables all others: sprung masses follow, and anti-roll bars of disabled
    /// wheels are removed.
    ///
    /// # Errors
    /// If these wheels cannot carry the mass; the parameters are then unchanged.
    ///
    /// # Panics
    /// If there is no such wheel.
    pub fn enable_only(&mut self, wheels: &[usize]) -> Result<(), Fault> {
        let center = self.chassis.center_of_mass;
        self.balance(wheels, center, SuspensionParams::with_sprung_mass)?;
        for (n, wheel) in self.wheels.iter_mut().enumerate() {
            wheel.enabled = wheels.contains(&n);
        }
        let on = |wheel: &usize| wheels.contains(wheel);
        self.anti_roll.retain(|bar| bar.wheels.iter().all(on));
        Ok(())
    }

    /// The vehicle with only these wheels, in this order: sprung masses and the wheel indices of anti-roll bars
    /// follow. Bars of other wheels are removed.
    ///
    /// # Errors
    /// If these wheels cannot carry the mass.
    ///
    /// # Panics
    /// If there is no such wheel.
    pub fn with_wheels(&self, wheels: &[usize]) -> Result<Self, Fault> {
        let mut version = self.clone();
        version.enable_only(wheels)?;
        let all = core::mem::take(&mut version.wheels);
        version.wheels = wheels.iter().map(|&n| all[n].clone()).collect();
        for wheel in version.anti_roll.iter_mut().flat_map(|bar| &mut bar.wheels) {
            let index = wheels.iter().position(|kept| kept == wheel);
            *wheel = index.unwrap_or_default();
        }
        Ok(version)
    }

    /// Indices of the enabled wheels.
    fn wheels_on(&self) -> Vec<usize> {
        let on = |n: &usize| self.wheels[*n].enabled;
        (0..self.wheels.len()).filter(on).collect()
    }

    /// Distributes the wheels' part of the mass among these wheels, for a center of mass at `center`.
    fn balance(&mut self, wheels: &[usize], center: Vec3, retuned: Retuned) -> Result<(), Fault> {
        let points: Vec<Vec3> = wheels.iter().map(|&n| self.wheels[n].position).collect();
        let chassis = ChassisParams {
            center_of_mass: center,
            ..self.chassis
        };
        let (mass, center) = chassis.on_wheels();
        let masses = sprung_masses(&points, center, mass, Vec3::Z)?;
        let sprung = |(&n, mass): (&usize, f32)| mass - self.wheels[n].unsprung_mass();
        let masses: Vec<f32> = wheels.iter().zip(masses).map(sprung).collect();
        if masses.iter().any(|mass| *mass <= 0.0) {
            let rule = "must be between the struts";
            return Err(Fault::new("chassis.center_of_mass", center, "m", rule));
        }
        for (&n, mass) in wheels.iter().zip(masses) {
            let strut = &mut self.wheels[n].suspension;
            *strut = retuned(*strut, mass);
        }
        Ok(())
    }
}

/// The axle of a four-wheeler that keeps both wheels when one is removed (ALGORITHMS §4.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ThreeWheeler {
    /// The front axle; of the rear axle, the second wheel stays.
    Tadpole,
    /// The rear axle; of the front axle, the second wheel stays.
    Delta,
}

impl ThreeWheeler {
    /// Index of the removed wheel.
    #[must_use]
    pub const fn removed(self) -> usize {
        match self {
            Self::Tadpole => 2,
            Self::Delta => 0,
        }
    }

    /// Index of the wheel that is moved to the middle.
    #[must_use]
    pub const fn middle(self) -> usize {
        self.removed() + 1
    }
}

impl VehicleParams {
    /// Makes a four-wheeler (front pair, rear pair) a three-wheeler: one wheel and its anti-roll bar are
    /// removed, the opposite wheel moves to the middle of the vehicle, sprung masses follow. One-sided properties of the
    /// opposite wheel, which would now steer the vehicle, are removed: toe, camber, and the lateral part of its travel
    /// and of its force points, compliance included.
    ///
    /// The drivetrain must follow, too: the three-wheelers of the crate `jounce-drivetrain`.
    ///
    /// # Errors
    /// If there are not four enabled wheels, or three cannot carry the mass; the parameters are then unchanged.
    pub fn make_three_wheeler(&mut self, layout: ThreeWheeler) -> Result<(), Fault> {
        self.disable_wheel(layout, SuspensionParams::with_sprung_mass)?;
        self.wheels[layout.middle()].belong_to_no_side();
        self.anti_roll
            .retain(|bar| !bar.wheels.contains(&layout.removed()));
        Ok(())
    }

    /// Removes a wheel, moves the opposite wheel to the middle and rebalances the rest with struts `retuned`.
    ///
    /// # Errors
    /// If there are not four enabled wheels, or three cannot carry the mass; the parameters are then unchanged.
    pub(crate) fn disable_wheel(
        &mut self,
        layout: ThreeWheeler,
        retuned: Retuned,
    ) -> Result<(), Fault> {
        let on = self.wheels_on().len();
        if self.wheels.len() != 4 || on != 4 {
            let rule = "a three-wheeler is made of a car with four wheels that are on";
            return Err(Fault::new("wheels", format!("{on} enabled"), "", rule));
        }
        let (removed, center) = (layout.removed(), self.chassis.center_of_mass);
        let before = self.wheels[layout.middle()].clone();
        let middle = &mut self.wheels[layout.middle()];
        for point in [
            &mut middle.position,
            &mut middle.suspension.application_point,
            &mut middle.tire.application_point,
        ] {
            point.y = center.y;
        }
        let kept = [1, 2, 3].map(|n| (removed + n) % 4);
        if let Err(error) = self.balance(&kept, center, retuned) {
            self.wheels[layout.middle()] = before;
            return Err(error);
        }
        self.wheels[removed].enabled = false;
        Ok(())
    }
}

impl WheelParams {
    /// Makes the wheel its own mirror image, in the middle of the vehicle.
    fn belong_to_no_side(&mut self) {
        let (strut, compliance) = (&mut self.suspension, &mut self.compliance);
        self.toe = 0.0;
        strut.camber = CamberCurve::default();
        let travel = strut.travel_direction;
        strut.travel_direction = Vec3::new(travel.x, 0.0, travel.z).normalize_or(Vec3::NEG_Z);
        compliance.toe.clear();
        compliance.camber.clear();
        (compliance.roll_camber, compliance.roll_steer) = (0.0, 0.0);
        compliance.toe_by_force = Default::default();
        compliance.camber_by_force = Default::default();
        compliance.shift_by_force = Default::default();
        compliance
            .shift
            .iter_mut()
            .for_each(|(_, shift)| shift.y = 0.0);
        compliance.links = compliance.links.map(LinkSlopes::of_no_side);
        let points = [&mut compliance.suspension_point, &mut compliance.tire_point];
        points
            .into_iter()
            .flatten()
            .for_each(|(_, shift)| shift.y = 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::checked::Checked;
    use crate::params::Support;
    use crate::testing;
    use alloc::string::ToString as _;
    use alloc::vec;
    use glam::Vec2;
    use rstest::rstest;

    /// Natural frequencies (`rad/s`) and damping ratios (–) of the wheels that are on.
    fn ride(params: &VehicleParams) -> Vec<[f32; 2]> {
        let on = params.wheels.iter().filter(|wheel| wheel.enabled);
        on.map(|wheel| {
            let s = &wheel.suspension;
            let frequency = libm::sqrtf(s.stiffness / s.sprung_mass);
            [
                frequency,
                s.damping.mean_rate() / (2.0 * frequency * s.sprung_mass),
            ]
        })
        .collect()
    }

    fn assert_same_ride(changed: &VehicleParams, before: &VehicleParams) {
        let total: f32 = changed
            .wheels_on()
            .iter()
            .map(|&n| changed.wheels[n].suspension.sprung_mass)
            .sum();
        let (carried, _) = changed.chassis.on_wheels();
        assert!((total / carried - 1.0).abs() < 1e-5, "{total}");
        let [expected, ..] = ride(before)[..] else {
            panic!("there are wheels");
        };
        for actual in ride(changed) {
            for (a, b) in actual.iter().zip(expected) {
                assert!((a / b - 1.0).abs() < 1e-5, "{actual:?} {expected:?}");
            }
        }
        Checked::new(changed.clone()).expect("the version is sound");
    }

    /// The sample car whose struts all ride alike.
    fn four_wheeler() -> VehicleParams {
        let mut car = testing::four_wheeler();
        for wheel in &mut car.wheels {
            wheel.suspension = wheel.suspension.tuned_for(wheel.suspension.sprung_mass);
        }
        car
    }

    #[rstest]
    #[case::heavier(|car: &mut VehicleParams| car.set_mass(2100.0))]
    #[case::lighter(|car: &mut VehicleParams| car.set_mass(900.0))]
    #[case::center(|car: &mut VehicleParams| car.move_center_of_mass(Vec3::new(0.2, 0.05, 0.1)).unwrap())]
    #[case::wheel_off(|car: &mut VehicleParams| {
        car.move_center_of_mass(Vec3::new(0.5, -0.3, 0.0)).unwrap();
        car.enable_only(&[0, 1, 3]).unwrap();
    })]
    #[case::off_and_on(|car: &mut VehicleParams| {
        car.move_center_of_mass(Vec3::new(0.5, -0.3, 0.0)).unwrap();
        car.enable_only(&[0, 1, 3]).unwrap();
        car.enable_only(&[0, 1, 2, 3]).unwrap();
    })]
    #[case::tadpole(|car: &mut VehicleParams| car.make_three_wheeler(ThreeWheeler::Tadpole).unwrap())]
    #[case::delta(|car: &mut VehicleParams| car.make_three_wheeler(ThreeWheeler::Delta).unwrap())]
    fn retuning_keeps_frequencies_and_damping_ratios(#[case] change: fn(&mut VehicleParams)) {
        let before = four_wheeler();
        let mut car = before.clone();
        change(&mut car);
        assert_ne!(car, before);
        assert_same_ride(&car, &before);
    }

    /// A fifth of the mass rests on a coupling over the front axle; sprung masses are what balances then.
    #[rstest]
    #[case::heavier(|car: &mut VehicleParams| car.set_mass(2100.0), 0.2)]
    #[case::center(|car: &mut VehicleParams| car.move_center_of_mass(Vec3::new(0.1, 0.05, 0.1)).unwrap(), 0.2)]
    #[case::helper(|car: &mut VehicleParams| car.set_chassis_mass(2100.0), 300.0 / 2100.0)]
    fn the_supports_mass_is_not_on_the_wheels(
        #[case] change: fn(&mut VehicleParams),
        #[case] share: f32,
    ) {
        let mut car = four_wheeler();
        let position = Vec3::new(car.wheels[0].position.x, 0.0, 0.5);
        car.chassis.support = Some(Support {
            mass: 300.0,
            position,
        });
        car.move_center_of_mass(Vec3::new(0.3, 0.0, 0.1)).unwrap();
        let before = car.clone();
        change(&mut car);
        let support = car.chassis.support.unwrap();
        assert!((support.mass / car.chassis.mass - share).abs() < 1e-6);
        assert_eq!(support.position, position);
        assert_same_ride(&car, &before);
    }

    #[test]
    fn the_middle_wheel_is_symmetric() {
        let mut car = four_wheeler();
        for wheel in &mut car.wheels {
            let side = wheel.position.y.signum();
            wheel.toe = -0.01 * side;
            wheel.suspension.camber.at_rest = 0.02 * side;
            wheel.suspension.travel_direction = Vec3::new(0.0, 0.1 * side, -0.995);
            wheel.compliance.toe = vec![(0.0, 0.01 * side)];
            wheel.compliance.camber = vec![(0.0, 0.01 * side)];
            (wheel.compliance.roll_camber, wheel.compliance.roll_steer) = (1.0, 0.1);
            wheel.compliance.shift = vec![(0.0, Vec2::new(0.1, 0.2 * side))];
            wheel.compliance.toe_by_force[1] = vec![(-1e3, 0.01), (1e3, -0.01)];
            wheel.compliance.camber_by_force[2] = vec![(0.0, 0.01 * side)];
            wheel.compliance.shift_by_force[0] = vec![(0.0, Vec2::new(0.1, 0.2 * side))];
            wheel.compliance.tire_point = vec![(0.0, Vec3::new(0.1, 0.2 * side, 0.3))];
            wheel.compliance.links = Some(LinkSlopes {
                lateral: 0.1 * side,
                lateral_change: -side,
                beam: true,
                braked: 0.2,
                driven: 0.3,
            });
        }
        let before = car.clone();
        car.make_three_wheeler(ThreeWheeler::Tadpole).unwrap();
        let mut plain = four_wheeler().wheels[3].clone();
        plain.position.y = car.chassis.center_of_mass.y;
        plain.compliance.shift = vec![(0.0, Vec2::new(0.1, 0.0))];
        plain.compliance.tire_point = vec![(0.0, Vec3::new(0.1, 0.0, 0.3))];
        plain.compliance.links = Some(LinkSlopes {
            braked: 0.2,
            driven: 0.3,
            ..LinkSlopes::default()
        });
        let middle = &car.wheels[3];
        assert_eq!(
            (middle.toe, middle.suspension.camber),
            (0.0, CamberCurve::default())
        );
        assert_eq!(middle.suspension.travel_direction, Vec3::NEG_Z);
        assert_eq!(middle.compliance, plain.compliance);
        assert_eq!(middle.position, plain.position);
        assert_eq!(car.wheels[0].toe, before.wheels[0].toe);

        let mut as_physx = before.clone();
        as_physx
            .make_three_wheeler_as_physx(ThreeWheeler::Tadpole)
            .unwrap();
        assert_eq!(as_physx.wheels[3].toe, before.wheels[3].toe);
    }

    #[test]
    fn bars_follow_the_selection_of_wheels() {
        let mut car = four_wheeler();
        car.wheels.extend(car.wheels.clone());
        car.anti_roll.truncate(1);
        car.anti_roll[0].wheels = [6, 7];
        car.enable_only(&[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
        let version = car.with_wheels(&[7, 6, 1, 0]).unwrap();
        assert_eq!(version.wheels.len(), 4);
        assert_eq!(version.anti_roll[0].wheels, [1, 0]);
        assert_same_ride(&version, &car);
        assert!(car.with_wheels(&[0, 1, 2, 3]).unwrap().anti_roll.is_empty());
    }

    #[test]
    fn an_unbalanced_change_leaves_the_parameters_unchanged() {
        let before = four_wheeler();
        let mut car = before.clone();
        let behind = Vec3::new(-9.0, 0.0, 0.0);
        let text = |result: Result<(), Fault>| result.unwrap_err().to_string();
        let outside = "chassis.center_of_mass = [-9, 0, 0] m: must be between the struts";
        assert_eq!(text(car.move_center_of_mass(behind)), outside);
        assert_eq!(
            text(car.enable_only(&[])),
            "wheels = 0 wheel(s): there must be at least one wheel"
        );
        assert_eq!(car, before);
        car.chassis.center_of_mass = Vec3::new(-9.0, 0.0, 0.0);
        assert_eq!(text(car.make_three_wheeler(ThreeWheeler::Delta)), outside);
        car.chassis.center_of_mass = before.chassis.center_of_mass;
        assert_eq!(car, before);
        car.wheels.truncate(3);
        assert_eq!(
            text(car.make_three_wheeler(ThreeWheeler::Tadpole)),
            "wheels = 3 enabled: a three-wheeler is made of a car with four wheels that are on"
        );
    }
}
