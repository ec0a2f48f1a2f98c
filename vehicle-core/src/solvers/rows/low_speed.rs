//! Wheels below 1 m/s: their carcasses follow where the contact really went (ROWS §5).
//!
//! The final speed of a substep says how a wheel that drives creeps. One that stands is deflected as the pose
//! moves: at the mean s̄ of both ends, plus what the engine moved body and ground away from the last step's end.

use crate::base::lanes::{Mask4, W4};
use crate::contracts::stateful_tire::TireRow;
use crate::exchange::state::WheelState;
use crate::stages::tire_use::ContactMotion;
use crate::stages::wheel_consts::WheelConsts;

use super::contact_space::RowBlock;
use super::ground_compliance::GroundCompliance;
use super::substep_context::{SubstepContext, SubstepInputs};
use super::tire_rows::Carcass;
use super::tuning::{LONG_SUBSTEP, SLOW};

/// The ground under the tangential rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct GroundGain {
    /// Change of the ground's speeds forward and to the left in the substep (`m/s`).
    pub(super) gain: [W4; 2],
    /// Wheels on bodies that can move.
    pub(super) moves: Mask4,
}

/// Factors by which carcasses are softened (–), ≥ 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Softness {
    /// Factors forward and to the left by the length of the substep: a force makes a car stand, whatever deflection the
    /// length allows.
    pub(super) own: [W4; 2],
    /// Factor by the ground's compliance; 1 on ground that no push moves.
    pub(super) ground_compliance: W4,
}

impl Default for Softness {
    /// Carcasses as firm as they are.
    fn default() -> Self {
        Self {
            own: [W4::ONE; 2],
            ground_compliance: W4::ONE,
        }
    }
}

/// Wheels below 1 m/s, and how they are displaced.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LowSpeed {
    slow: Mask4,
    /// Wheels whose carcasses follow the pose.
    follow: Mask4,
    /// Part of the speeds of their displacement that does not depend on the final ones (`m/s`).
    begun: [W4; 2],
}

impl LowSpeed {
    /// Wheels below 1 m/s, and the motion at which their law is evaluated: below 1 m/s, the slowest of the `present` one, the one
    /// before gravity, and that by which the contact is displaced. Gravity is already in the present velocity, the
    /// tire's force is not: a sticking wheel would appear to slide.
    ///
    /// ```text
    /// s̄ = begun + ½·s⁺,  begun = ½·s₀ + Δx/h
    /// ```
    ///
    /// Wheels with a `brake` (`N·m`) follow the pose in substeps of any length. Those that are not `there` do not count:
    /// they would always stand.
    #[inline]
    pub(super) fn new(
        present: ContactMotion,
        tangent: &RowBlock<2>,
        ground: &GroundGain,
        (brake, there): (W4, Mask4),
        now: &SubstepContext<'_>,
    ) -> (Self, ContactMotion) {
        let slow = present.slow() & there;
        if !slow.any() {
            return (Self::default(), present);
        }
        let at_start = tangent.speeds_at(&now.start);
        let start: [W4; 2] = core::array::from_fn(|n| at_start[n] + ground.gain[n]);
        let at = |[forward, left]: [W4; 2]| ContactMotion {
            forward,
            left,
            ..present
        };
        let slower = present.or_slower(&at(start));
        let (pose_drift, of_ground) = (now.pose_drift(), now.ground_drift());
        let pose_drift = tangent
            .jacobian
            .map(|row| row.speeds(&pose_drift) - ground.moves.keep(row.speeds(&of_ground)));
        let (half, per_time) = (W4::splat(0.5), W4::splat(now.per_second));
        let begun: [W4; 2] = core::array::from_fn(|n| start[n] * half + pose_drift[n] * per_time);
        let displaced = [
            begun[0] + present.forward * half,
            begun[1] + present.left * half,
        ];
        let follow = if now.h > LONG_SUBSTEP {
            slow & brake.gt(W4::ZERO)
        } else {
            slow
        };
        (
            Self {
                slow,
                follow,
                begun,
            },
            slower.or_slower(&at(displaced)),
        )
    }

    /// Bounds stiffness and damping of the carcasses, which act by their mean speed, by the mass that rests on the wheels, and
    /// on a body that moves when it is pushed by what that bears.
    #[inline]
    pub(super) fn soften(
        &self,
        carcass: &mut Carcass,
        ground_compliance: &GroundCompliance,
        inputs: &SubstepInputs<'_>,
        now: &SubstepContext<'_>,
    ) -> Softness {
        if !self.slow.any() {
            return Softness::default();
        }
        let mass = inputs.consts.rest_mass;
        let own = *carcass;
        let mut firm = own;
        firm.limit(self.follow, mass, now.h);
        ground_compliance.soften(carcass, self.slow, mass, now.h * now.count);
        carcass.limit(self.follow, mass, now.h);
        let over = |whole: &Carcass| -> [W4; 2] {
            // Wheels that carry nothing at rest have no stiffness to divide by.
            let least = W4::splat(f32::MIN_POSITIVE);
            core::array::from_fn(|n| whole.stiffness[n] / carcass.stiffness[n].max(least))
        };
        let [forward, left] = over(&firm);
        Softness {
            own: over(&own),
            ground_compliance: forward.max(left),
        }
    }

    /// Rewrites the rows of these wheels for the speed s̄ instead of the final one.
    ///
    /// ```text
    /// F = force − gain·s̄  ⇒  force ← force − gain·begun,  gain ← ½·gain
    /// ```
    #[inline]
    pub(super) fn follow_pose(&self, tire_rows: &mut [TireRow<W4>; 2]) {
        if !self.follow.any() {
            return;
        }
        for (row, begun) in tire_rows.iter_mut().zip(self.begun) {
            row.force = row.force - self.follow.keep(row.gain * begun);
            row.gain = self.follow.select(row.gain * W4::splat(0.5), row.gain);
        }
    }

    /// Weight of the rim's speed over that of the contact, whose speed counts by half (–).
    pub(super) fn rim_weight(&self) -> W4 {
        self.follow.select(W4::splat(2.0), W4::ONE)
    }
}

/// Steers four wheels to `angle` (`rad`, with toe). The contact of a wheel that does not roll stays where it is on the ground,
/// and so do the deflection of its carcass and its force: in the axes of the wheel, they turn back. Rolling renews contacts:
/// from a rim speed of 1 m/s on, all turns with the wheel.
#[inline]
pub fn steer_wheels(k: &WheelConsts, wheels: &mut WheelState, angle: W4) {
    let stands = W4::ONE - (wheels.spin * k.radius).abs() * W4::splat(1.0 / SLOW);
    let turned = (angle - wheels.steer) * stands.max(W4::ZERO);
    wheels.steer = angle;
    if !turned.same(W4::ZERO).all() {
        wheels.grip = wheels.grip.in_axes_turned_by(turned);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::lanes::V3x4;
    use crate::base::lanes::angles::sin_cos;
    use crate::base::velocity::VelocityLanes;
    use crate::contracts::rigid_bodies::BodyState;
    use crate::exchange::grip_memory::{GripMemory, RowsGrip};
    use crate::params::profile::RowsSettings;
    use crate::solvers::rows::contact_space::Jacobian;
    use crate::solvers::rows::observer::BodyObservation;
    use crate::solvers::rows::testing::{GRAVITY, H, Rig, car};
    use crate::stages::chassis::{Chassis, View};
    use crate::stages::contact::MovingGround;
    use glam::{Mat3, Vec3};
    use proptest::prelude::*;
    use rstest::rstest;

    /// The wheels in front stand.
    fn in_front() -> Mask4 {
        Mask4::from_fn(|lane| lane < 2)
    }

    /// A car that stands still.
    fn still() -> View {
        let body = BodyState::BLANK;
        Chassis::new(&body, body.linear_velocity, body.angular_velocity).view(GRAVITY)
    }

    /// One of `count` substeps of it (`s`).
    fn context<'a>(rig: &'a Rig, view: &'a View, h: f32, count: f32) -> SubstepContext<'a> {
        SubstepContext {
            settings: &RowsSettings::DEFAULT,
            load_line: rig.model.load_line(),
            view,
            start_matrix: &Mat3::IDENTITY,
            start: VelocityLanes::ZERO,
            unconstrained: VelocityLanes::ZERO,
            observation: &BodyObservation {
                velocity: VelocityLanes::ZERO,
                pose_drift: VelocityLanes::ZERO,
                external_change: VelocityLanes::ZERO,
                push: VelocityLanes::ZERO,
                velocity_jump: VelocityLanes::ZERO,
                is_rolling: false,
                placed: false,
            },
            ground: None,
            inverse_mass: 1.0 / rig.model.params().chassis.mass,
            inverse_inertia: &Mat3::IDENTITY,
            free_directions: None,
            h,
            per_second: 1.0 / h,
            count,
            fraction: 1.0 / count,
            remaining: 0.5 * (count - 1.0),
            is_rolling: false,
            limits_expansion: true,
            placed: false,
        }
    }

    /// The sample car's carcass, stiff, and softened on this ground; its rig.
    fn softened(ground: &MovingGround, h: f32, count: f32) -> (Carcass, Carcass, Softness, Rig) {
        let rig = Rig::new(car(|_| ()));
        let view = still();
        let now = context(&rig, &view, h, count);
        let inputs = SubstepInputs {
            consts: &rig.model.wheels()[0],
            curves: None,
            tires: &rig.model.tires()[0],
            control: &rig.control.wheels[0],
            limits: None,
            limits_engine: false,
            steering: &rig.steering[0],
            ground,
            swept: None,
            ends: None,
            edges: None,
        };
        let standing = LowSpeed {
            slow: in_front(),
            follow: in_front(),
            ..LowSpeed::default()
        };
        let stiff = Carcass {
            stiffness: [W4::splat(1e9); 2],
            damping_time: [W4::splat(0.5 * H); 2],
        };
        let [up, forward, left] = [Vec3::Z, Vec3::X, Vec3::Y]
            .map(|direction| Jacobian::new(V3x4::splat(direction), V3x4::ZERO, &Mat3::IDENTITY));
        let ground_compliance = GroundCompliance::new([&up, &forward, &left], &inputs, &now);
        let mut soft = stiff;
        let softness = standing.soften(&mut soft, &ground_compliance, &inputs, &now);
        (stiff, soft, softness, rig)
    }

    /// A body of this mass (`kg`) under all wheels, pushed at its center of mass.
    fn body(mass: f32) -> MovingGround {
        MovingGround {
            response: [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| V3x4::splat(axis / mass)),
            ..MovingGround::FIXED
        }
    }

    /// Carcasses act on the mass that rests on them; on a body, with twice a step's damping time on a fifth of what it
    /// resists with in a step.
    #[rstest]
    #[case::fixed_ground(f32::INFINITY, 1.0)]
    #[case::heavy(1e9, 1.0)]
    #[case::its_mass(1.0, 1.0)]
    #[case::in_two_substeps(1.0, 2.0)]
    fn carcasses_are_as_firm_as_the_ground_bears(#[case] ground: f32, #[case] count: f32) {
        let mass = Rig::new(car(|_| ())).model.params().chassis.mass;
        let (stiff, soft, softness, rig) = softened(&body(ground * mass), H, count);
        let rest = rig.model.wheels()[0].rest_mass.lane(0);
        let firm = rest / (H * H);
        let step = H * count;
        let (time, stiffness) = if ground == f32::INFINITY {
            (0.5 * H, firm)
        } else {
            let bearable = (0.2 * ground * rest / step).min(rest / step);
            (2.0 * step - 0.5 * H, bearable / (2.0 * step))
        };
        let near = |a: f32, b: f32| approx::assert_relative_eq!(a, b, max_relative = 1e-4);
        near(softness.ground_compliance.lane(0), firm / stiffness);
        for n in 0..2 {
            near(soft.stiffness[n].lane(0), stiffness);
            near(soft.damping_time[n].lane(0), time);
            near(softness.own[n].lane(0), 1e9 / stiffness);
            // A wheel that drives keeps its own.
            assert_eq!(soft.stiffness[n].lane(2), stiff.stiffness[n].lane(2));
            assert_eq!(soft.damping_time[n].lane(2), stiff.damping_time[n].lane(2));
            assert_eq!(softness.own[n].lane(2), 1.0);
        }
    }

    /// The spring of a carcass that acts by its end damps: its damping time counts less half a substep.
    #[rstest]
    #[case::soft(0.1, 2.0, 1.5)]
    #[case::hardly_damped(0.1, 0.3, 0.0)]
    #[case::damped_too_much(0.5, 4.0, 2.0)]
    #[case::stiff(2.0, 0.7, 0.7)]
    fn what_a_substep_damps_is_left_out(
        #[case] stiffness: f32,
        #[case] time: f32,
        #[case] left: f32,
    ) {
        let mut carcass = Carcass {
            stiffness: [W4::splat(stiffness / (H * H)); 2],
            damping_time: [W4::splat(time * H); 2],
        };
        let own = carcass;
        carcass.limit(in_front(), W4::ONE, H);
        approx::assert_relative_eq!(carcass.damping_time[1].lane(0), left * H);
        assert_eq!(carcass.damping_time[1].lane(2), own.damping_time[1].lane(2));
    }

    /// Wheels that stand follow the pose; in a long substep, those without a brake count their final speed.
    #[rstest]
    #[case::short(LONG_SUBSTEP, 0.0, true)]
    #[case::long(1.01 * LONG_SUBSTEP, 0.0, false)]
    #[case::long_and_braked(1.01 * LONG_SUBSTEP, 1.0, true)]
    fn standing_wheels_follow_the_pose(#[case] h: f32, #[case] brake: f32, #[case] follows: bool) {
        let rig = Rig::new(car(|_| ()));
        let view = still();
        let now = context(&rig, &view, h, 1.0);
        let present = ContactMotion {
            forward: W4::from_array([0.0, 0.5, 2.0, 0.5]),
            left: W4::ZERO,
            rim: W4::from_array([0.0, 0.5, 2.0, 2.0]),
        };
        let (tangent, ground) = (RowBlock::default(), GroundGain::default());
        let wheels = (W4::splat(brake), Mask4::ALL);
        let (standing, _) = LowSpeed::new(present, &tangent, &ground, wheels, &now);
        let follow = |lane| standing.follow.lane(lane);
        assert_eq!([0, 1, 2, 3].map(follow), [follows, follows, false, false]);
    }

    /// The sample car's wheels at these spins (`rad/s`), with deflected carcasses.
    fn wheels(spin: W4) -> WheelState {
        let grip = RowsGrip {
            deflection: [W4::splat(1e-3), W4::splat(-2e-3)],
            force: [W4::splat(300.0), W4::splat(500.0)],
        };
        WheelState {
            spin,
            grip: GripMemory::Rows(grip),
            ..WheelState::AT_REST
        }
    }

    /// Forward and to the left in the axes of wheels, seen in those of the vehicle.
    fn unsteered(wheels: &WheelState, of: fn(&RowsGrip) -> [W4; 2]) -> [W4; 2] {
        let (sin, cos) = sin_cos(wheels.steer);
        let [forward, left] = of(&wheels.grip.rows());
        [forward * cos - left * sin, forward * sin + left * cos]
    }

    proptest! {
        /// However a wheel that stands is steered, its carcass keeps its deflection over the ground; one that rolls takes it along.
        #[test]
        fn a_standing_contact_stays_where_it_is(angles in prop::collection::vec(-0.7f32..0.7, 1..6)) {
            let rig = Rig::new(car(|_| ()));
            let k = &rig.model.wheels()[0];
            let rolling = 1.01 / k.radius.lane(2);
            let start = wheels(W4::from_array([0.0, 0.0, rolling, -rolling]));
            let mut steered = start;
            for angle in angles {
                steer_wheels(k, &mut steered, W4::splat(angle));
                prop_assert_eq!(steered.steer, W4::splat(angle));
            }
            for (of, size) in [(|grip: &RowsGrip| grip.deflection) as fn(&RowsGrip) -> [W4; 2], |grip| grip.force]
                .into_iter().zip([1e-3, 500.0])
            {
                let (before, after) = (of(&start.grip.rows()), unsteered(&steered, of));
                let kept = of(&steered.grip.rows());
                for n in 0..2 {
                    prop_assert!((before[n].lane(0) - after[n].lane(0)).abs() < 1e-5 * size);
                    prop_assert_eq!(kept[n].lane(2), before[n].lane(2));
                    prop_assert_eq!(kept[n].lane(3), before[n].lane(3));
                }
            }
        }

        /// A row at the final speed gives what the row before gave at the mean one.
        #[test]
        fn rows_follow_the_mean_speed(
            force in -1e4f32..1e4, gain in 0f32..1e5, begun in -1f32..1.0, end in -1f32..1.0,
        ) {
            let standing = LowSpeed {
                follow: in_front(),
                begun: [W4::splat(begun); 2],
                ..LowSpeed::default()
            };
            let row = TireRow { force: W4::splat(force), gain: W4::splat(gain) };
            let mut rows = [row; 2];
            standing.follow_pose(&mut rows);
            let at = |row: &TireRow<W4>, lane: usize, speed: f32| {
                row.force.lane(lane) - row.gain.lane(lane) * speed
            };
            for observation in &rows {
                let expected = at(&row, 0, begun + 0.5 * end);
                prop_assert!((at(observation, 0, end) - expected).abs() < 1e-5 * (1e4 + 2.0 * gain));
                prop_assert_eq!(at(observation, 2, end), at(&row, 2, end));
            }
        }
    }
}
