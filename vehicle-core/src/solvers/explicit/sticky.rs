//! Sticky contact of the explicit solver at low speed: timers that engage solver rows (ALGORITHMS §3.8).

use crate::base::lanes::{Mask4, W4};
use crate::params::profile::StickySettings;
use crate::stages::outputs::StickyRows;

/// Inputs of the timers of four wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stillness {
    /// Wheels whose timers run; those of others are reset.
    pub loaded: Mask4,
    /// Forward speed of the contact point (`m/s`).
    pub forward: W4,
    /// Lateral speed of the contact point (`m/s`).
    pub lateral: W4,
    /// Spin (`rad/s`).
    pub spin: W4,
    /// 1/radius (`1/m`).
    pub inverse_radius: W4,
    /// Whether the driver requests acceleration.
    pub accelerating: bool,
    /// Whether any wheel is braked.
    pub braking: bool,
}

/// Advances the times that the wheels have stood `still` (`s`), forward and laterally, and decides which stick.
#[inline]
#[must_use]
pub fn engage(
    settings: &StickySettings,
    seen: &Stillness,
    still: &mut [W4; 2],
    h: f32,
) -> StickyRows {
    let slow = W4::splat(settings.speed);
    let step = W4::splat(h);
    let forward_slow = seen.forward.abs().lt(slow);
    let spin_slow = seen.spin.abs().lt(slow * seen.inverse_radius);
    let counting = seen.loaded & Mask4::from_fn(|_| !seen.accelerating);
    still[0] = (counting & forward_slow & spin_slow).keep(still[0] + step);
    still[1] = (counting & seen.lateral.abs().lt(slow)).keep(still[1] + step);
    // In PhysX 5 the intention to accelerate resets the timers only.
    let locks = if settings.locks_when_braked {
        seen.braking
    } else {
        !seen.accelerating
    };
    let locked = forward_slow & seen.spin.same(W4::ZERO) & Mask4::from_fn(|_| locks);
    let long_enough = still[0].gt(W4::splat(settings.forward_time));
    let laterally_enough = still[1].gt(W4::splat(settings.side_time));
    StickyRows {
        longitudinal: seen.loaded & (locked | long_enough),
        lateral: still[0].gt(W4::ZERO) & laterally_enough,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::lanes::LANES;
    use crate::params::profile::ExplicitSettings;
    use crate::testing::uneven::{close, lanes, masks};
    use proptest::prelude::*;

    const STICKY: StickySettings = ExplicitSettings::PHYSX_4.sticky;

    fn standing(spin: f32, accelerating: bool) -> Stillness {
        Stillness {
            loaded: Mask4::ALL,
            forward: W4::splat(0.05),
            lateral: W4::splat(0.01),
            spin: W4::splat(spin),
            inverse_radius: W4::splat(2.0),
            accelerating,
            braking: false,
        }
    }

    #[test]
    fn a_rolling_wheel_sticks_once_it_stood_long_enough() {
        let mut still = [W4::ZERO; 2];
        let mut stuck_after = None;
        for step in 1..=120 {
            let sticky = engage(&STICKY, &standing(0.1, false), &mut still, 1.0 / 60.0);
            if sticky.longitudinal.all() && sticky.lateral.all() {
                stuck_after = Some(step);
                break;
            }
        }
        assert!(matches!(stuck_after, Some(60..=61)), "{stuck_after:?}");
    }

    #[test]
    fn a_locked_wheel_sticks_longitudinally_at_once() {
        let sticky = engage(&STICKY, &standing(0.0, false), &mut [W4::ZERO; 2], 0.01);
        assert!(sticky.longitudinal.all() && !sticky.lateral.any());
    }

    #[test]
    fn in_physx_5_a_locked_wheel_sticks_by_its_brake_alone() {
        let sticky = ExplicitSettings::PHYSX_5.sticky;
        let free = standing(0.0, false);
        let braked = Stillness {
            braking: true,
            ..free
        };
        let sticks = |seen| {
            engage(&sticky, seen, &mut [W4::ZERO; 2], 0.01)
                .longitudinal
                .any()
        };
        assert!(sticks(&braked) && !sticks(&free));
    }

    #[test]
    fn in_physx_5_the_accelerator_does_not_release_a_braked_wheel() {
        let sticky = ExplicitSettings::PHYSX_5.sticky;
        let seen = Stillness {
            braking: true,
            ..standing(0.0, true)
        };
        let mut still = [W4::splat(5.0); 2];
        let actual = engage(&sticky, &seen, &mut still, 0.01);
        assert!(actual.longitudinal.all() && !actual.lateral.any());
        assert_eq!(still, [W4::ZERO; 2]);
    }

    #[test]
    fn throttle_and_lift_off_release_a_sticking_wheel() {
        let old = [W4::splat(5.0); 2];
        let mut still = old;
        let pressed = engage(&STICKY, &standing(0.0, true), &mut still, 0.01);
        assert!(!pressed.longitudinal.any() && still[0] == W4::ZERO);
        let airborne = Stillness {
            loaded: Mask4::NONE,
            ..standing(0.0, false)
        };
        let mut still = old;
        let flying = engage(&STICKY, &airborne, &mut still, 0.01);
        assert!(!flying.longitudinal.any() && still[1] == W4::ZERO);
    }

    /// Numbers around a limit of 0.2, and none at all.
    fn slow_or_not() -> impl Strategy<Value = W4> {
        prop_oneof![lanes(-0.4..0.4), Just(W4::ZERO)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        /// ALGORITHMS §3.8 and §7.11, wheel by wheel: a timer counts while its wheel stands still, and is
        /// reset by any motion.
        #[test]
        fn timers_and_sticky_rows_are_those_of_each_wheel(
            (forward, lateral, spin) in (slow_or_not(), slow_or_not(), slow_or_not()),
            turns in 1f32..2.0,
            (loaded, braking, when_braked) in (masks(), any::<bool>(), any::<bool>()),
            (before, beside) in (lanes(0.9..1.1), lanes(0.9..1.1)),
        ) {
            let settings = StickySettings { locks_when_braked: when_braked, ..STICKY };
            let spin = spin * W4::splat(turns);
            let seen = Stillness { loaded, forward, lateral, spin, braking, ..standing(0.0, false) };
            let mut times = [before, beside];
            let actual = engage(&settings, &seen, &mut times, 0.01);
            for lane in 0..LANES {
                let on = loaded.lane(lane);
                let creeps = forward.lane(lane).abs() < 0.2;
                // Radius 0.5 m.
                let stands = on && creeps && spin.lane(lane).abs() < 0.4;
                let still = if stands { before.lane(lane) + 0.01 } else { 0.0 };
                let beside_still = on && lateral.lane(lane).abs() < 0.2;
                let aside = if beside_still { beside.lane(lane) + 0.01 } else { 0.0 };
                prop_assert!(close(times[0].lane(lane), still, 1.0));
                prop_assert!(close(times[1].lane(lane), aside, 1.0));
                let may_lock = braking || !when_braked;
                let locked = creeps && spin.lane(lane) == 0.0 && may_lock;
                prop_assert_eq!(actual.longitudinal.lane(lane), on && (locked || still > 1.0));
                prop_assert_eq!(actual.lateral.lane(lane), still > 0.0 && aside > 1.0);
            }
        }
    }
}
