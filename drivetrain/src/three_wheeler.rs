//! Drives of four-wheelers that lose a wheel (ALGORITHMS §4.9), the counterpart of
//! [`VehicleParams::make_three_wheeler`](vehicle_core::VehicleParams::make_three_wheeler).

use vehicle_core::retune::ThreeWheeler;

use crate::differential::{Differential, Differential4W};
use crate::engine_drive::EngineDriveParams;
use crate::steering::SteeringParams;

impl EngineDriveParams {
    /// Adapts differential and steering of a car that loses a wheel. Only the four-wheel
    /// differential changes; the others distribute the share of a removed wheel to the rest in
    /// proportion.
    pub fn make_three_wheeler(&mut self, layout: ThreeWheeler) {
        if let Differential::FourWheel(differential) = &mut self.differential {
            differential.make_three_wheeler(layout);
        }
        self.steering.make_three_wheeler(layout);
    }
}

impl Differential4W {
    /// Gives the torque of the pair that loses a wheel to the remaining wheel. Nothing changes if
    /// the differential does not connect the removed wheel.
    pub fn make_three_wheeler(&mut self, layout: ThreeWheeler) {
        let is_removed = |wheel: &usize| *wheel == layout.removed();
        let Some(place) = self.wheels.iter().position(is_removed) else {
            return;
        };
        let (split, bias) = if place < 2 {
            (&mut self.front_split, &mut self.front_bias)
        } else {
            (&mut self.rear_split, &mut self.rear_bias)
        };
        *split = if place % 2 == 0 { 0.0 } else { 1.0 };
        // A differential that never acts.
        *bias = f32::MAX;
    }
}

impl SteeringParams {
    /// Removes the Ackermann correction if the axle that loses a wheel steers: as in PhysX, from
    /// all axles.
    pub fn make_three_wheeler(&mut self, layout: ThreeWheeler) {
        let wheels = [layout.removed(), layout.middle()];
        let loses = |wheel: usize| wheels.contains(&wheel);
        let mut steered = self.axles.iter().filter(|axle| axle.max_steer != [0.0; 2]);
        if steered.any(|axle| loses(axle.left) || loses(axle.right)) {
            self.axles.iter_mut().for_each(|axle| axle.accuracy = 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steering::SteeredAxle;
    use alloc::vec;

    #[test]
    fn the_middle_wheel_gets_its_axles_torque() {
        for (layout, shares) in [
            (ThreeWheeler::Tadpole, [0.225, 0.225, 0.0, 0.55]),
            (ThreeWheeler::Delta, [0.0, 0.45, 0.275, 0.275]),
        ] {
            let mut differential = Differential4W::physx();
            differential.make_three_wheeler(layout);
            let mut spins = [20.0; 4];
            spins[layout.removed()] = 0.0;
            assert_eq!(differential.shares(spins, 0.0), shares);
        }
    }

    #[test]
    fn the_removed_wheel_is_found_by_its_index() {
        let physx = Differential4W::physx();
        for (wheels, layout, splits) in [
            ([1, 0, 3, 2], ThreeWheeler::Tadpole, [0.5, 1.0]),
            ([1, 0, 3, 2], ThreeWheeler::Delta, [1.0, 0.5]),
            ([2, 3, 0, 1], ThreeWheeler::Tadpole, [0.0, 0.5]),
            ([0, 1, 4, 5], ThreeWheeler::Tadpole, [0.5, 0.5]),
        ] {
            let mut differential = Differential4W { wheels, ..physx };
            differential.make_three_wheeler(layout);
            let found = [differential.front_split, differential.rear_split];
            assert_eq!(found, splits, "{wheels:?} {layout:?}");
        }
    }

    #[test]
    fn an_axle_with_one_wheel_has_no_ackermann_correction() {
        let axle = |left: usize, steer: f32| SteeredAxle {
            left,
            right: left + 1,
            max_steer: [steer; 2],
            accuracy: 1.0,
            width: 1.6,
            separation: 2.7,
            counter: false,
        };
        let front = SteeringParams {
            axles: vec![axle(0, 0.6), axle(2, 0.0)],
            ..SteeringParams::default()
        };
        for (layout, accuracy) in [(ThreeWheeler::Tadpole, 1.0), (ThreeWheeler::Delta, 0.0)] {
            let mut steering = front.clone();
            steering.make_three_wheeler(layout);
            assert!(steering.axles.iter().all(|axle| axle.accuracy == accuracy));
        }
    }

    #[test]
    fn a_drive_adapts_differential_and_steering() {
        let layout = ThreeWheeler::Delta;
        let mut params = crate::physx::four_wheel_drive(4);
        params.steering.axles = vec![SteeredAxle {
            left: 0,
            right: 1,
            max_steer: [0.6; 2],
            accuracy: 1.0,
            width: 1.6,
            separation: 2.7,
            counter: false,
        }];
        params.make_three_wheeler(layout);
        let mut differential = Differential4W::physx();
        differential.make_three_wheeler(layout);
        assert_eq!(params.differential, Differential::FourWheel(differential));
        assert_eq!(params.steering.axles[0].accuracy, 0.0);
    }

    /// Losing either wheel of the axle is enough.
    #[test]
    fn losing_either_wheel_removes_ackermann() {
        for (left, right, accuracy) in [(0, 5, 0.0), (5, 0, 0.0), (5, 1, 0.0), (5, 6, 1.0)] {
            let mut steering = SteeringParams {
                axles: vec![SteeredAxle {
                    left,
                    right,
                    max_steer: [0.6, 0.0],
                    accuracy: 1.0,
                    width: 1.6,
                    separation: 2.7,
                    counter: false,
                }],
                ..SteeringParams::default()
            };
            steering.make_three_wheeler(ThreeWheeler::Delta);
            assert_eq!(steering.axles[0].accuracy, accuracy, "{left} {right}");
        }
    }
}
