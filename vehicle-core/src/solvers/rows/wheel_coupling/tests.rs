//! The solve of a wheel coupling's speed: balance of shaft, brakes and tires.

mod balanced;
mod geared;

use super::*;
use crate::base::math;
use proptest::prelude::*;

/// A wheel by itself.
impl CoupledWheel {
    /// Forward impulse of the tire at a spin (`N·s`), clamped to the friction circle; and whether it slides.
    ///
    /// ```text
    /// λ_x = λ₀ + traction·Ω,   ρ² = λ_x² + λ_y²
    /// slides (ρ > bound):  λ_x·bound/ρ,  slope traction·(bound/ρ)·(λ_y/ρ)²
    /// ```
    #[must_use]
    fn tire_at(&self, spin: f32) -> (Sloped, bool) {
        let forward = self.standing_impulse + self.traction * spin;
        let square = forward * forward + self.lateral_impulse * self.lateral_impulse;
        if square <= self.bound * self.bound {
            let slope = self.traction;
            return (
                Sloped {
                    value: forward,
                    slope,
                },
                false,
            );
        }
        let share = self.bound / math::sqrt(square);
        let sideways = self.lateral_impulse * self.lateral_impulse / square;
        let limited = Sloped {
            value: forward * share,
            slope: self.traction * share * sideways,
        };
        (limited, true)
    }

    /// Impulse that shaft and brake must add for the wheel to turn at `spin` (`N·m·s`):
    /// `(I + hζ)·Ω + r·λ_x(Ω) − y`.
    #[must_use]
    fn need_at(&self, spin: f32) -> Sloped {
        let (tire, _) = self.tire_at(spin);
        Sloped {
            value: self.effective_inertia * spin + self.radius * tire.value - self.momentum,
            slope: self.effective_inertia + self.radius * tire.slope,
        }
    }
}

prop_compose! {
    fn wheel()(
        ratio in prop_oneof![0.3f32..3.0, -3f32..-0.3],
        momentum in -200f32..200.0, effective_inertia in 0.5f32..20.0, radius in 0.2f32..0.8,
        standing_impulse in -300f32..300.0, traction in 0f32..2000.0,
        lateral_impulse in -300f32..300.0, bound in 0f32..200.0,
    ) -> CoupledWheel {
        CoupledWheel {
            ratio, momentum, effective_inertia, radius, standing_impulse, traction, lateral_impulse, bound,
            brake: 0.0,
        }
    }
}

/// A single wheel coupling of these wheels.
fn wheel_couplings(wheels: &[CoupledWheel], brake: f32, guess: f32) -> WheelCouplings {
    let mut wheel_couplings = WheelCouplings::none();
    for (n, wheel) in wheels.iter().enumerate() {
        wheel_couplings.add(wheel, (0, n / LANES, n % LANES));
    }
    wheel_couplings.find_standing();
    (
        wheel_couplings.wheel_couplings[0].brake,
        wheel_couplings.wheel_couplings[0].guess,
    ) = (f64::from(brake), guess);
    wheel_couplings
}

proptest! {
    /// A turning wheel coupling needs the shaft's impulse less that of its brakes; a standing one needs at most the
    /// brakes' maximum.
    #[test]
    fn a_couplings_speed_solves_its_equation(
        wheels in prop::collection::vec(wheel(), 1..9),
        brake in prop_oneof![Just(0f32), 0f32..400.0],
        impulse in -1000f32..1000.0, guess in -50f32..50.0,
    ) {
        let wheel_couplings = wheel_couplings(&wheels, brake, guess);
        let speed = wheel_couplings.speed_at(0, impulse).value;
        let left = impulse - wheel_couplings.need_at(0, speed).value;
        let scale: f32 = wheels.iter().map(|m| m.effective_inertia * speed.abs() + 500.0).sum();
        let near = 1e-4 * scale;
        if speed == 0.0 {
            prop_assert!(left.abs() <= brake + near, "{left} {brake}");
        } else {
            prop_assert!((left - speed.signum() * brake).abs() < near, "{left} {brake} {speed}");
        }
    }

    /// Speed and its slope do not fall with the torque.
    #[test]
    fn a_couplings_speed_rises_with_its_torque(
        wheels in prop::collection::vec(wheel(), 1..9),
        brake in 0f32..200.0, impulse in -500f32..500.0,
    ) {
        let wheel_couplings = wheel_couplings(&wheels, brake, 0.0);
        let [low, high] = [impulse, impulse + 5.0].map(|impulse| wheel_couplings.speed_at(0, impulse));
        prop_assert!(high.value >= low.value - 1e-3, "{low:?} {high:?}");
        prop_assert!(low.slope >= 0.0 && high.slope >= 0.0);
    }

    /// Wheels side by side need what they need one by one, to the last bit.
    #[test]
    fn fours_need_the_impulse_of_their_wheels(
        wheels in prop::collection::vec(wheel(), 1..9), other in wheel(), speed in -50f32..50.0,
    ) {
        let mut wheel_couplings = wheel_couplings(&wheels, 0.0, 0.0);
        wheel_couplings.add(&other, (1, 2, 3));
        wheel_couplings.find_standing();
        for (wheel_coupling, wheels) in [(0, &wheels[..]), (1, &[other][..])] {
            let needs = |speed: f32| {
                let mut total = Total::default();
                for wheel in wheels {
                    let need = wheel.need_at(wheel.ratio * speed);
                    total.add(Sloped {
                        value: wheel.ratio * need.value,
                        slope: wheel.ratio * wheel.ratio * need.slope,
                    });
                }
                total.sum()
            };
            prop_assert_eq!(wheel_couplings.need_at(wheel_coupling, speed), needs(speed));
            prop_assert_eq!(wheel_couplings.wheel_couplings[wheel_coupling].standing, needs(0.0).value);
        }
    }

    /// The tire's force stays within its circle and keeps its sign.
    #[test]
    fn a_tire_keeps_within_its_circle(wheel in wheel(), spin in -100f32..100.0) {
        let (tire, slides) = wheel.tire_at(spin);
        prop_assert!(tire.value.abs() <= wheel.bound * 1.0001 + 1e-6);
        prop_assert!(tire.slope >= 0.0);
        let unbounded = wheel.standing_impulse + wheel.traction * spin;
        prop_assert!(tire.value * unbounded >= 0.0);
        prop_assert_eq!(slides, unbounded.hypot(wheel.lateral_impulse) > wheel.bound);
    }
}
