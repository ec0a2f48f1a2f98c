//! Aerodynamic coefficients of a vehicle.

use core::f32::consts::PI;

use glam::Vec3;

use crate::base::checked::{Check, Inspector};
use crate::base::curve::Curve;

/// Aerodynamic coefficients of a vehicle: SAE J1594's, with its reference point on the ground in the middle of
/// wheelbase and track, about which a wind tunnel's balance measures.
///
/// With the velocity v of the center of mass through the air (vehicle frame), V = |v|, frontal area A, reference
/// length L and air of density ρ:
///
/// ```text
/// drag        F_x = −½ρA·c_D·V·v_x           side  F_y = −½ρA·c_S·V·v_y
/// from above  F_z = −½ρA·c_V·V·v_z
/// lift        F_z = ½ρA·c_L·v_x²,  F_x = −½ρA·c_L·v_x·v_z      at front and rear axle, ½L from the point
/// roll        M_x = ½ρAL·c_R·V·v_y           pitch M_y = −½ρAL·c_P·v_x²
/// yaw         M_z = −½ρAL·c_N·v_x·v_y
/// ```
///
/// In the flow of a wind tunnel (no `v_z`, yaw angle ψ) these are `½ρV²A` times `c_D·cos ψ`, `c_S·sin ψ`, `c_L·cos² ψ`,
/// `c_R·sin ψ` and `½·c_N·sin 2ψ`, which is right in every direction of the flow, backwards and across included: drag
/// and side force always take energy, and lift, which is at a right angle to the flow, does no work. So `c_S`, `c_R`
/// and `c_N` are the slopes per rad at ψ = 0, as tables give them. A curve over |ψ| (`rad`, 0…π; a single point for
/// any) says how the coefficients themselves change: the published value at ψ divided by the function of ψ above.
///
/// Coefficients of lift come from a balance under the wheels: drag, which acts above the ground, is in them.
/// Sources: SAE J1594; Milliken & Milliken, *Race Car Vehicle Dynamics* (1995), ch. 15; Schütz (ed.), *Hucho –
/// Aerodynamik des Automobils* (6th ed. 2013), ch. 4 and 5.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Aerodynamics {
    /// Frontal area (`m²`), > 0.
    pub area: f32,
    /// Reference length (`m`), > 0: the wheelbase.
    pub length: f32,
    /// Reference point (`m`, vehicle frame).
    pub point: Vec3,
    /// Drag (–), ≥ 0.
    pub drag: Curve,
    /// Side force (–), ≥ 0.
    pub side: Curve,
    /// Drag of air from above or below (–), ≥ 0.
    pub vertical: f32,
    /// Lift at the front axle (–), negative for downforce.
    pub lift_front: Curve,
    /// Lift at the rear axle (–).
    pub lift_rear: Curve,
    /// Rolling moment (–); positive rolls the body away from the wind.
    pub roll: Curve,
    /// Pitching moment besides that of the lifts (–); positive raises the nose.
    pub pitch: Curve,
    /// Yawing moment (–); positive turns the nose away from the wind, as that of most cars.
    pub yaw: Curve,
    /// Factors of ground effect (–) on the lift in front over the ride height there: how much higher than at the design
    /// position (`m`) the body is at an axle, minus the mean jounce of the wheels before or behind the reference point.
    #[cfg_attr(feature = "serde", serde(default))]
    pub lift_front_by_height: Option<Curve>,
    /// Factors of ground effect (–) on the lift at the rear over the ride height there. Pitch is the difference of
    /// both heights.
    #[cfg_attr(feature = "serde", serde(default))]
    pub lift_rear_by_height: Option<Curve>,
    /// Factors of ground effect (–) on drag, ≥ 0, over the mean of both ride heights.
    #[cfg_attr(feature = "serde", serde(default))]
    pub drag_by_height: Option<Curve>,
}

/// Checks a curve of values ≥ `least` over x within `low..=high`.
fn check_curve(
    i: &mut Inspector,
    name: &str,
    curve: &Curve,
    (low, high, unit): (f32, f32, &str),
    least: f32,
) {
    i.within(name, |i| {
        curve.check(i);
        for (n, [x, y]) in curve.0.iter().enumerate() {
            i.within(alloc::format!("[{n}]"), |i| {
                let within = x.is_nan() || (low..=high).contains(x);
                let rule = alloc::format!("must be within {low}..={high}");
                i.rule(within, "x", x, unit, rule);
                let enough = y.is_nan() || *y >= least;
                i.rule(enough, "y", y, "", alloc::format!("must be >= {least}"));
            });
        }
    });
}

impl Check for Aerodynamics {
    fn check(&self, i: &mut Inspector) {
        i.positive("area", self.area, "m²");
        i.positive("length", self.length, "m");
        i.finite_vector("point", self.point, "m");
        i.not_negative("vertical", self.vertical, "");
        let angles = (0.0, PI, "rad");
        for (name, curve) in [("drag", &self.drag), ("side", &self.side)] {
            check_curve(i, name, curve, angles, 0.0);
        }
        for (name, curve) in [
            ("lift_front", &self.lift_front),
            ("lift_rear", &self.lift_rear),
            ("roll", &self.roll),
            ("pitch", &self.pitch),
            ("yaw", &self.yaw),
        ] {
            check_curve(i, name, curve, angles, f32::MIN);
        }
        let heights = (f32::MIN, f32::MAX, "m");
        for (name, curve, least) in [
            ("lift_front_by_height", &self.lift_front_by_height, f32::MIN),
            ("lift_rear_by_height", &self.lift_rear_by_height, f32::MIN),
            ("drag_by_height", &self.drag_by_height, 0.0),
        ] {
            if let Some(curve) = curve {
                check_curve(i, name, curve, heights, least);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::checked::Checked;
    use alloc::string::ToString;
    use alloc::vec;
    use rstest::rstest;

    fn flat(factors: &mut Option<Curve>) -> &mut Curve {
        factors.get_or_insert(Curve(vec![[0.0, 1.0]]))
    }

    #[rstest]
    #[case::area(|a: &mut Aerodynamics| a.area = -2.0, "area = -2 m²: must be finite and > 0")]
    #[case::length(|a: &mut Aerodynamics| a.length = f32::NAN, "length = NaN m: must be finite and > 0")]
    #[case::point(|a: &mut Aerodynamics| a.point.z = f32::INFINITY, "point = [-0.25, 0, inf] m: must be finite")]
    #[case::vertical(|a: &mut Aerodynamics| a.vertical = -1.0, "vertical = -1: must be finite and >= 0")]
    #[case::thrust(|a: &mut Aerodynamics| a.drag.0[0][1] = -0.3, "drag.[0].y = -0.3: must be >= 0")]
    #[case::side(|a: &mut Aerodynamics| a.side.0[0][1] = -0.1, "side.[0].y = -0.1: must be >= 0")]
    #[case::unsorted(|a: &mut Aerodynamics| a.yaw = Curve(vec![[0.5, 0.1], [0.2, 0.1]]), "yaw.[1].x = 0.2: must be above the point before")]
    #[case::degrees(|a: &mut Aerodynamics| a.roll = Curve(vec![[0.0, 0.1], [30.0, 0.1]]), "roll.[1].x = 30 rad: must be within 0..=3.1415927")]
    #[case::nothing(|a: &mut Aerodynamics| a.lift_rear.0.clear(), "lift_rear = 0 points: there must be 1 to 8 points")]
    #[case::nan(|a: &mut Aerodynamics| a.pitch.0[0][1] = f32::NAN, "pitch.[0].y = NaN: must be finite")]
    #[case::lift(|a: &mut Aerodynamics| a.lift_front.0[0][1] = f32::INFINITY, "lift_front.[0].y = inf: must be finite")]
    #[case::height(|a: &mut Aerodynamics| flat(&mut a.lift_front_by_height).0[0][0] = f32::NAN, "lift_front_by_height.[0].x = NaN: must be finite")]
    #[case::rear_height(|a: &mut Aerodynamics| flat(&mut a.lift_rear_by_height).0.clear(), "lift_rear_by_height = 0 points: there must be")]
    #[case::pushed(|a: &mut Aerodynamics| flat(&mut a.drag_by_height).0[0][1] = -1.0, "drag_by_height.[0].y = -1: must be >= 0")]
    fn each_fault_is_named(#[case] change: fn(&mut Aerodynamics), #[case] expected: &str) {
        let mut air = crate::testing::aerodynamics();
        assert!(Checked::new(air.clone()).is_ok());
        change(&mut air);
        let text = Checked::new(air).map(|_| ()).unwrap_err().to_string();
        assert!(
            text.contains(expected) && text.starts_with("1 invalid"),
            "{text}"
        );
    }
}
