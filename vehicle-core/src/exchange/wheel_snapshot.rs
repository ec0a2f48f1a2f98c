//! The state of a wheel as plain numbers.

use glam::Vec3;

use crate::base::lanes::LANES;
use crate::exchange::state::{VehicleState, WheelState};
use crate::exchange::tire_state::TireState;

/// The state of one wheel between steps, a copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelSnapshot {
    /// Spin (`rad/s`), positive rolling forward.
    pub spin: f32,
    /// Displayed spin (`rad/s`): blended toward rolling at low speed (ALGORITHMS §3.12).
    pub spin_shown: f32,
    /// Rotation angle (`rad`), within ±10π; within ±2π where
    /// [`ExplicitSettings::turns_once`](crate::profile::ExplicitSettings::turns_once) holds.
    pub angle: f32,
    /// Jounce at the end of the last substep (`m`); `None` after rest.
    pub jounce: Option<f32>,
    /// Jounce speed in the last substep (`m/s`); in the air, that of the ground under the wheel, 0 without
    /// ground.
    pub jounce_speed: f32,
    /// Steering angle of the last step, with toe (`rad`), positive to the left.
    pub steer: f32,
    /// Normal of the ground plane under the wheel (world axes); zero without ground.
    pub ground_normal: Vec3,
    /// Height of the center of mass above the ground plane under the wheel (`m`).
    pub ground_height: f32,
    /// Friction of the tire on the ground under the wheel (–).
    pub ground_friction: f32,
    /// Force of the wheel on the chassis along the ground's normal in the last substep (`N`).
    pub normal_force: f32,
    /// Longitudinal force of the tire on the chassis in the last substep (`N`), forward.
    pub longitudinal_force: f32,
    /// Lateral force of the tire on the chassis in the last substep (`N`), to the left.
    pub lateral_force: f32,
}

impl VehicleState {
    /// The state of wheel `wheel`.
    ///
    /// # Panics
    /// If there is no such wheel; the state holds wheels in fours, and those beyond the vehicle's are at rest.
    #[must_use]
    pub fn wheel(&self, wheel: usize) -> WheelSnapshot {
        let (wheels, lane) = (&self.wheels[wheel / LANES], wheel % LANES);
        let jounce = wheels.jounce.lane(lane);
        let [longitudinal, lateral] = wheels.grip.rows().force;
        WheelSnapshot {
            spin: wheels.spin.lane(lane),
            spin_shown: wheels.spin_shown.lane(lane),
            angle: wheels.angle.lane(lane),
            jounce: (jounce != WheelState::UNKNOWN).then_some(jounce),
            jounce_speed: wheels.jounce_speed.lane(lane),
            steer: wheels.steer.lane(lane),
            ground_normal: wheels.ground_normal.lane(lane),
            ground_height: wheels.ground_height.lane(lane),
            ground_friction: wheels.ground_friction.lane(lane),
            normal_force: wheels.normal_force.lane(lane),
            longitudinal_force: longitudinal.lane(lane),
            lateral_force: lateral.lane(lane),
        }
    }

    /// Sets the spin of wheel `wheel` (`rad/s`), positive rolling forward.
    ///
    /// # Panics
    /// As [`wheel`](Self::wheel).
    pub fn set_spin(&mut self, wheel: usize, spin: f32) {
        let wheels = &mut self.wheels[wheel / LANES];
        wheels.spin = wheels.spin.with_lane(wheel % LANES, spin);
    }

    /// States of the tires in wheel order; empty if no tire of the vehicle has any.
    #[must_use]
    pub fn tires(&self) -> &[TireState] {
        self.extras.tires()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::lanes::{V3x4, W4};
    use crate::exchange::grip_memory::{GripMemory, RowsGrip};
    use crate::exchange::state::DriveState;

    /// The sixth wheel is the second of the second four.
    #[test]
    fn wheels_are_read_and_set_by_index() {
        let mut state = VehicleState::at_rest(6, DriveState::default());
        assert_eq!(state.wheel(5).jounce, None);
        let count = |from: f32| W4::from_fn(|lane| from + lane as f32);
        state.wheels[1] = WheelState {
            spin: count(10.0),
            spin_shown: count(20.0),
            angle: count(30.0),
            jounce: count(40.0),
            jounce_speed: count(50.0),
            steer: count(60.0),
            grip: GripMemory::Rows(RowsGrip {
                force: [count(70.0), count(80.0)],
                ..RowsGrip::default()
            }),
            ground_normal: V3x4 {
                x: count(90.0),
                y: count(100.0),
                z: count(110.0),
            },
            ground_height: count(120.0),
            ground_friction: count(130.0),
            normal_force: count(140.0),
        };
        let expected = WheelSnapshot {
            spin: 11.0,
            spin_shown: 21.0,
            angle: 31.0,
            jounce: Some(41.0),
            jounce_speed: 51.0,
            steer: 61.0,
            ground_normal: Vec3::new(91.0, 101.0, 111.0),
            ground_height: 121.0,
            ground_friction: 131.0,
            normal_force: 141.0,
            longitudinal_force: 71.0,
            lateral_force: 81.0,
        };
        assert_eq!(state.wheel(5), expected);
        state.set_spin(5, -3.0);
        assert_eq!([4, 5, 6].map(|n| state.wheel(n).spin), [10.0, -3.0, 12.0]);
        assert_eq!(state.wheel(1).spin, 0.0);
    }
}
