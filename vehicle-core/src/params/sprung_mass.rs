//! Distribution of a chassis' mass over its struts.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use glam::{DVec2, Vec3};

use crate::base::checked::Fault;

/// Sprung mass (`kg`) of each strut so that together they carry `mass` (`kg`) with its center at
/// `center` (`m`). `points` (`m`) and `center` have one origin; `up` is the direction of gravity's
/// axis, in the same axes.
///
/// One wheel carries all, two share by lever along their line, three are determined, more share as evenly as
/// balance allows (least squares; ALGORITHMS §6.1). With the center outside the struts, some masses are
/// negative.
///
/// # Errors
/// If there are no wheels, or they stand on one point or line, where they cannot balance the mass.
pub fn sprung_masses(
    points: &[Vec3],
    center: Vec3,
    mass: f32,
    up: Vec3,
) -> Result<Vec<f32>, Fault> {
    let across = if up.x.abs() < 0.5 { Vec3::X } else { Vec3::Y };
    let e1 = crate::base::math::unit_or_zero(up.cross(across));
    let e2 = up.cross(e1);
    let flat = |p: Vec3| {
        let arm = (p - center).as_dvec3();
        DVec2::new(arm.dot(e1.as_dvec3()), arm.dot(e2.as_dvec3()))
    };
    let arms: Vec<DVec2> = points.iter().map(|&p| flat(p)).collect();
    let fault = |rule| {
        let wheels = format!("{} wheel(s)", points.len());
        Fault::new("wheels", wheels, "", rule)
    };
    let masses = match arms[..] {
        [] => return Err(fault("there must be at least one wheel")),
        [_] => Some(vec![f64::from(mass)]),
        [a, b] => two(a, b, f64::from(mass)),
        _ => many(&arms, f64::from(mass)),
    };
    let rule = "the struts stand on one point or line and cannot balance the mass";
    let masses = masses.ok_or_else(|| fault(rule))?;
    Ok(masses.into_iter().map(|m| m as f32).collect())
}

/// Minimum distance (`m`) of distinct points, and minimum determinant of a solvable system.
const LEAST: f64 = 1e-6;

/// Two struts: levers along the line through them; an offset across it is ignored. `None` for one point.
fn two(a: DVec2, b: DVec2, mass: f64) -> Option<Vec<f64>> {
    let line = b - a;
    let length = libm::sqrt(line.dot(line));
    if length <= LEAST {
        return None;
    }
    let direction = line / length;
    let (ra, rb) = (a.dot(direction), b.dot(direction));
    let first = mass * rb / (rb - ra);
    Some(vec![first, mass - first])
}

/// Three or more: the masses nearest to equal that balance the center. They are an affine
/// function of the strut's position, so three unknowns suffice for any number of wheels. `None` for struts on one line.
fn many(arms: &[DVec2], mass: f64) -> Option<Vec<f64>> {
    let count = arms.len() as f64;
    let mean: DVec2 = arms.iter().copied().sum::<DVec2>() / count;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for arm in arms {
        let d = *arm - mean;
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
    }
    let determinant = xx * yy - xy * xy;
    if determinant <= LEAST {
        return None;
    }
    // Balance: Σ mᵢ·dᵢ = −mass·mean, with mᵢ = mass/n + slope·dᵢ.
    let moment = -mean * mass;
    let slope = DVec2::new(
        (moment.x * yy - moment.y * xy) / determinant,
        (moment.y * xx - moment.x * xy) / determinant,
    );
    let masses = arms.iter();
    Some(
        masses
            .map(|arm| mass / count + slope.dot(*arm - mean))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use alloc::string::ToString as _;
    use proptest::prelude::*;

    fn at(x: f32, y: f32) -> Vec3 {
        Vec3::new(x, y, -1.0)
    }

    #[test]
    fn the_sample_car_balances() {
        let car = testing::four_wheeler();
        let points: Vec<Vec3> = car.wheels.iter().map(|w| w.position).collect();
        let masses = sprung_masses(&points, Vec3::ZERO, 1500.0, Vec3::Z).unwrap();
        for (mass, wheel) in masses.iter().zip(&car.wheels) {
            assert!((mass - wheel.suspension.sprung_mass).abs() < 1e-2);
        }
    }

    #[test]
    fn unbalanced_struts_are_an_error() {
        let sprung = |points: &[Vec3]| sprung_masses(points, Vec3::ZERO, 100.0, Vec3::Z);
        let refused = |points: &[Vec3]| sprung(points).unwrap_err().to_string();
        assert_eq!(
            refused(&[]),
            "wheels = 0 wheel(s): there must be at least one wheel"
        );
        let degenerate =
            "wheel(s): the struts stand on one point or line and cannot balance the mass";
        assert_eq!(sprung(&[at(1.0, 0.0)]), Ok(vec![100.0]));
        let one_point = [at(1.0, 0.0), at(1.0, 0.0)];
        assert_eq!(refused(&one_point), format!("wheels = 2 {degenerate}"));
        let one_line = [at(-1.0, 0.0), at(1.0, 0.0), at(2.0, 0.0)];
        assert_eq!(refused(&one_line), format!("wheels = 3 {degenerate}"));
        let behind = [at(1.0, 0.0), at(2.0, 0.0)];
        assert_eq!(sprung(&behind), Ok(vec![200.0, -100.0]));
    }

    proptest! {
        #[test]
        fn masses_sum_and_balance(
            xs in proptest::collection::vec((-2.0f32..2.0, -1.0f32..1.0), 3..8),
        ) {
            let points: Vec<Vec3> = xs.iter().map(|&(x, y)| at(x, y)).collect();
            let center = points.iter().sum::<Vec3>() / points.len() as f32;
            if let Ok(masses) = sprung_masses(&points, center, 900.0, Vec3::Z) {
                let total: f32 = masses.iter().sum();
                prop_assert!((total - 900.0).abs() < 0.1);
                let moment: Vec3 = points.iter().zip(&masses).map(|(p, m)| *p * *m).sum();
                let off = moment / total - center;
                prop_assert!(off.x.abs() < 1e-2 && off.y.abs() < 1e-2, "{off}");
            }
        }

        /// Whichever way is up, wherever the center is: forces and moments balance, and the masses are an
        /// affine function of the strut's position, which those nearest to equal are.
        #[test]
        fn masses_balance_with_minimum_variation(
            positions in proptest::collection::vec((-2.0_f32..2.0, -1.0_f32..1.0, -0.5_f32..0.5), 4..7),
            center in (-1.0_f32..1.0, -0.5_f32..0.5),
            up in (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0),
        ) {
            let up = Vec3::from(up).normalize_or(Vec3::Z);
            let (e1, e2) = up.any_orthonormal_pair();
            // Heights of struts do not matter.
            let points: Vec<Vec3> = positions.iter().map(|&(x, y, z)| e1 * x + e2 * y + up * z).collect();
            let actual = sprung_masses(&points, e1 * center.0 + e2 * center.1 + up * 3.0, 900.0, up);
            let Ok(masses) = actual else { return Ok(()) };
            let most = masses.iter().fold(900.0, |most: f32, mass| most.max(mass.abs()));
            let sum = |f: &dyn Fn(usize) -> f32| (0..masses.len()).map(|n| masses[n] * f(n)).sum::<f32>();
            prop_assert!((sum(&|_| 1.0) - 900.0).abs() < 1e-4 * most);
            let moments = [sum(&|n| positions[n].0 - center.0), sum(&|n| positions[n].1 - center.1)];
            prop_assert!(moments.iter().all(|m| m.abs() < 1e-3 * most), "{moments:?}");
            // Of any four positions, each is a combination of the others, and so is its mass.
            let area = |a: usize, b: usize, c: usize| {
                let (p, q, r) = (positions[a], positions[b], positions[c]);
                (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)
            };
            let combined = area(1, 2, 3) * masses[0] - area(0, 2, 3) * masses[1] + area(0, 1, 3) * masses[2]
                - area(0, 1, 2) * masses[3];
            prop_assert!(combined.abs() < 1e-3 * most, "{combined}");
        }

        /// The lever's law, along any line.
        #[test]
        fn two_struts_share_by_levers(
            ends in ((-2.0_f32..2.0, -2.0_f32..2.0), (-2.0_f32..2.0, -2.0_f32..2.0)), share in -0.5_f32..1.5,
        ) {
            let (a, b) = (at(ends.0.0, ends.0.1), at(ends.1.0, ends.1.1));
            prop_assume!((a - b).length() > 0.1);
            // Across the line, the center may be anywhere.
            let center = a.lerp(b, share) + (b - a).cross(Vec3::Z);
            let masses = sprung_masses(&[a, b], center, 400.0, Vec3::Z).unwrap();
            prop_assert!((masses[0] - 400.0 * (1.0 - share)).abs() < 0.05, "{masses:?}");
            prop_assert!((masses[1] - 400.0 * share).abs() < 0.05, "{masses:?}");
        }
    }
}
