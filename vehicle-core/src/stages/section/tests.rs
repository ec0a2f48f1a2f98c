//! Wheels on triangles, against discs that come down in small steps onto sampled ground.

use super::*;
use proptest::prelude::*;
use rstest::rstest;

const WHEEL: SectionWheel = SectionWheel {
    center: Vec3::new(1.2, 0.7, -0.3),
    travel: Vec3::NEG_Z,
    axle: Vec3::Y,
    radius: 0.35,
    half_width: 0.1,
    max_compression: 0.1,
    max_droop: 0.12,
    jounce: 0.0,
};

/// Two triangles of a strip across the wheel, from one place to another in its plane (`m`, from its center at jounce 0).
fn strip([x0, z0]: [f32; 2], [x1, z1]: [f32; 2]) -> [[Vec3; 3]; 2] {
    let at = |x: f32, y: f32, z: f32| WHEEL.center + Vec3::new(x, y, z);
    let (a, b) = (at(x0, -2.0, z0), at(x1, -2.0, z1));
    let (c, d) = (at(x1, 2.0, z1), at(x0, 2.0, z0));
    [[a, b, c], [a, c, d]]
}

/// The best support of a wheel on ground through these points of its plane.
fn stand(wheel: &SectionWheel, profile: &[[f32; 2]]) -> Option<Support> {
    let strips = profile.windows(2).flat_map(|ends| strip(ends[0], ends[1]));
    let supports = strips.filter_map(|triangle| wheel.stand(&triangle, true));
    supports.reduce(|a, b| if b.jounce > a.jounce { b } else { a })
}

/// Least height of a disc's center over a profile: the greatest of z + √(r² − x²) over its points.
fn envelope(profile: &[[f32; 2]]) -> f64 {
    let radius = f64::from(WHEEL.radius);
    let mut highest = f64::NEG_INFINITY;
    for ends in profile.windows(2) {
        let [[x0, z0], [x1, z1]] = [ends[0], ends[1]].map(|end| end.map(f64::from));
        for n in 0..=4000 {
            let part = f64::from(n) / 4000.0;
            let (x, z) = (x0 + (x1 - x0) * part, z0 + (z1 - z0) * part);
            if x.abs() < radius {
                highest = highest.max(z + (radius * radius - x * x).sqrt());
            }
        }
    }
    highest
}

proptest! {
    /// On ground without walls, a wheel stands where a disc touches it first.
    #[test]
    fn a_wheel_stands_on_the_envelope_of_its_disc(
        heights in proptest::collection::vec(-0.45f32..-0.3, 9),
    ) {
        let profile: alloc::vec::Vec<_> = heights.iter().enumerate().map(|(n, z)| [0.1 * n as f32 - 0.4, *z]).collect();
        let inclined = profile.windows(2).all(|ends| (ends[1][1] - ends[0][1]).abs() < 0.1);
        prop_assume!(inclined);
        let support = stand(&WHEEL, &profile).unwrap();
        prop_assert!((f64::from(support.jounce) - envelope(&profile)).abs() < 1e-5);
        // Its normal leads from the point to the hub, or is the face's, which is tangent there.
        let hub = WHEEL.center + Vec3::Z * support.jounce;
        let radial = (hub - support.point) * (1.0 / WHEEL.radius);
        let in_plane = radial - Vec3::Y * radial.y;
        prop_assert!((in_plane - support.normal).length() < 1e-2, "{in_plane} {:?}", support);
    }

    /// Seams between level triangles are not felt, wherever they are.
    #[test]
    fn seams_are_not_felt(seam in -0.3f32..0.3) {
        let support = stand(&WHEEL, &[[-3.0, -0.4], [seam, -0.4], [3.0, -0.4]]).unwrap();
        prop_assert!((support.jounce + 0.05).abs() < 1e-6);
        prop_assert!((support.normal - Vec3::Z).length() < 1e-6);
    }
}

/// An edge `ahead` of the hub, which lies `drop` below it, lifts the wheel along the line to the hub.
#[rstest]
#[case::low(0.2, 0.3)]
#[case::just_touching(0.3, 0.16)]
fn an_edge_lifts_along_the_line_to_the_hub(#[case] ahead: f32, #[case] drop: f32) {
    let profile = [[-2.0, -0.4], [ahead, -0.4], [ahead, -drop], [2.0, -drop]];
    let support = stand(&WHEEL, &profile).unwrap();
    let rise = (0.35f32 * 0.35 - ahead * ahead).sqrt();
    assert!((support.jounce - (rise - drop)).abs() < 1e-6, "{support:?}");
    let normal = Vec3::new(-ahead, 0.0, rise) / 0.35;
    assert!((support.normal - normal).length() < 1e-5, "{support:?}");
}

/// A step is climbed by its height: up to 0.66 radii above the ground on which the wheel stands.
#[rstest]
#[case::climbed(0.22, true)]
#[case::a_wall(0.24, false)]
fn steps_are_climbed_by_their_height(
    #[case] height: f32,
    #[case] climbed: bool,
    #[values(0.05, 0.2, 0.33)] ahead: f32,
) {
    let ground = -0.35;
    let top = ground + height;
    let profile = [[-2.0, ground], [ahead, ground], [ahead, top], [2.0, top]];
    let support = stand(&WHEEL, &profile).unwrap();
    assert_eq!(support.jounce > 1e-3, climbed && ahead < 0.3, "{support:?}");
}

/// A roof is no ground, nor is the underside of a solid; a surface with two sides is ground from below, too.
#[rstest]
fn roofs_are_no_ground() {
    let roof = [[-1.0, 0.2], [1.0, 0.2]];
    assert_eq!(stand(&WHEEL, &roof), None);
    let [triangle, _] = strip([-1.0, -0.4], [1.0, -0.4]);
    let [a, b, c] = triangle;
    let turned = [a, c, b];
    let found = [(triangle, true), (turned, true), (turned, false)];
    let found = found.map(|(triangle, solid)| WHEEL.stand(&triangle, solid).is_some());
    assert_eq!(found, [true, false, true]);
}

/// A curb that only the shoulder of the tire reaches carries it; one beside the tire does not.
#[rstest]
#[case::under_the_shoulder(0.08, true)]
#[case::beside(0.11, false)]
fn shoulders_stand_on_curbs(#[case] aside: f32, #[case] carried: bool) {
    let at = |x: f32, y: f32| WHEEL.center + Vec3::new(x, y, -0.3);
    let top = [at(-1.0, aside), at(1.0, aside), at(0.0, 2.0)];
    let support = WHEEL.stand(&top, true);
    assert_eq!(support.is_some(), carried);
    if let Some(support) = support {
        assert!((support.jounce - 0.05).abs() < 1e-6 && support.normal == Vec3::Z);
    }
}

/// On ground that falls to the side, the middle of the wheel counts.
#[test]
fn crossfall_does_not_lift() {
    let slope = |y: f32| -0.4 + 0.1 * y;
    let at = |x: f32, y: f32| WHEEL.center + Vec3::new(x, y, slope(y));
    let support = WHEEL
        .stand(&[at(-3.0, -3.0), at(3.0, -3.0), at(0.0, 4.0)], true)
        .unwrap();
    assert!((support.jounce + 0.05).abs() < 1e-6, "{support:?}");
}

/// Nothing that is not finite is stood on.
#[rstest]
fn triangles_without_numbers_are_no_ground(
    #[values(0, 1, 2)] corner: usize,
    #[values(f32::NAN, f32::INFINITY)] x: f32,
) {
    let [mut triangle, _] = strip([-1.0, -0.4], [1.0, -0.4]);
    triangle[corner].x = x;
    let support = WHEEL.stand(&triangle, true);
    assert!(
        support.is_none_or(|support| support.jounce.is_finite() && support.point.is_finite()),
        "{support:?}"
    );
}

/// A block of ground beside, below or ahead of the wheel, as its side that faces the hub.
fn wall(ahead: f32, [low, high]: [f32; 2], turned: f32) -> [[Vec3; 3]; 2] {
    let (sin, cos) = math::sin_cos(turned);
    let hub = WHEEL.center;
    let at = |along: f32, z: f32| {
        hub + Vec3::new(ahead * cos - along * sin, ahead * sin + along * cos, z)
    };
    let (a, b) = (at(-2.0, low), at(2.0, low));
    let (c, d) = (at(2.0, high), at(-2.0, high));
    // Counter-clockwise as seen from the hub.
    [[a, d, c], [a, c, b]]
}

fn obstacles(triangles: [[Vec3; 3]; 2], reach: f32) -> alloc::vec::Vec<Obstacle> {
    let found = triangles
        .iter()
        .filter_map(|triangle| WHEEL.obstacle(triangle, true, reach));
    found.collect()
}

/// The gap to a wall is that between disc and wall: at the hub's height by the radius, lower or higher by a chord, at an angle also
/// by the half width.
#[rstest]
#[case::tall(0.6, [-0.35, 2.0], 0.0, 0.25)]
#[case::low(0.6, [-0.35, -0.1], 0.0, 0.6 - 0.335_41)]
#[case::overhead(0.6, [0.2, 2.0], 0.0, 0.6 - 0.287_23)]
#[case::in_it(0.3, [-0.35, 2.0], 0.0, -0.05)]
#[case::aside(0.6, [-0.35, 2.0], 0.5, 0.6 - 0.35 * 0.877_58 - 0.1 * 0.479_43)]
fn walls_have_a_gap(
    #[case] ahead: f32,
    #[case] heights: [f32; 2],
    #[case] turned: f32,
    #[case] gap: f32,
) {
    let found = obstacles(wall(ahead, heights, turned), 1.0);
    assert!(!found.is_empty());
    for obstacle in found {
        assert!((obstacle.gap - gap).abs() < 1e-4, "{obstacle:?}");
        let (sin, cos) = math::sin_cos(turned);
        assert!((obstacle.direction + Vec3::new(cos, sin, 0.0)).length() < 1e-5);
        assert_eq!(obstacle.hub, WHEEL.center);
    }
}

/// What can be climbed, is out of reach, over the wheel, or seen from behind is no wall.
#[rstest]
#[case::a_curb(wall(0.4, [-0.35, -0.13], 0.0), 0)]
#[case::above_it(wall(0.4, [0.36, 2.0], 0.0), 0)]
#[case::far(wall(1.4, [-0.35, 2.0], 0.0), 0)]
#[case::near(wall(0.4, [-0.35, 2.0], 0.0), 1)]
#[case::both_parts(wall(0.4, [-0.35, 0.3], 0.0), 2)]
#[case::from_behind(wall(0.4, [-0.35, 2.0], 0.0).map(|[a, b, c]| [a, c, b]), 0)]
#[case::inclined(strip([0.2, -0.35], [1.2, 1.35]), 0)]
fn only_walls_are_walls(#[case] triangles: [[Vec3; 3]; 2], #[case] count: usize) {
    assert_eq!(obstacles(triangles, 0.5).len(), count);
}

/// On ground that only falls aside, seams are not felt either: edges of its triangles beside the middle lift no more than its
/// plane.
#[rstest]
fn seams_across_a_crossfall_are_not_felt(#[values(-0.2, -0.003, 0.0, 0.004, 0.1)] seam: f32) {
    let slope = |y: f32| -0.4 + 0.1 * y;
    let at = |x: f32, y: f32| WHEEL.center + Vec3::new(x, y, slope(y));
    let (a, b, c) = (at(-3.0, -3.0), at(seam, -3.0), at(3.0, -3.0));
    let (d, e, f) = (at(3.0, 3.0), at(seam, 3.0), at(-3.0, 3.0));
    let triangles = [[a, b, e], [a, e, f], [b, c, d], [b, d, e]];
    let supports = triangles
        .iter()
        .filter_map(|triangle| WHEEL.stand(triangle, true));
    let highest = supports
        .map(|support| support.jounce)
        .reduce(f32::max)
        .unwrap();
    assert!((highest + 0.05).abs() < 1e-6, "{highest}");
}

/// A wall of several rows of triangles is no step: none of its seams is climbed.
#[test]
fn seams_of_walls_are_not_climbed() {
    let rows = [-0.35, -0.3, -0.25, -0.2, 0.5].map(|z| [0.1, z]);
    let profile = [&[[-2.0, -0.35]], &rows[..], &[[2.0, 0.5]]].concat();
    let support = stand(&WHEEL, &profile).unwrap();
    assert!(support.jounce.abs() < 1e-5, "{support:?}");
}

/// A wheel that leans stands on level ground as on a plane, wherever the seam between two triangles runs and whatever its angle.
#[rstest]
fn seams_under_leaning_wheels_are_not_felt(
    #[values(-0.1, -0.02, 0.03)] lean: f32,
    #[values(-0.1, -0.004, -1e-4, 0.0, 0.003, 0.2)] seam: f32,
    #[values(-0.9, 0.0, 0.8)] angle: f32,
    #[values(-0.05, 0.04)] jounce: f32,
) {
    let (sin, cos) = math::sin_cos(lean);
    let wheel = SectionWheel {
        axle: Vec3::new(0.0, cos, sin),
        jounce,
        ..WHEEL
    };
    let at = |x: f32, y: f32| WHEEL.center + Vec3::new(x, y, -0.35);
    let along = math::tan(angle) * 3.0;
    let (a, b, c) = (at(-5.0, -3.0), at(seam - along, -3.0), at(5.0, -3.0));
    let (d, e, f) = (at(5.0, 3.0), at(seam + along, 3.0), at(-5.0, 3.0));
    let triangles = [[a, b, e], [a, e, f], [b, c, d], [b, d, e]];
    let supports = triangles
        .iter()
        .filter_map(|triangle| wheel.stand(triangle, true));
    let best = supports
        .reduce(|a, b| if b.jounce > a.jounce { b } else { a })
        .unwrap();
    assert!((best.jounce - 0.35 * (cos - 1.0)).abs() < 1e-6, "{best:?}");
    assert!((best.normal - Vec3::Z).length() < 2e-3, "{best:?}");
}

/// A wheel that leans climbs a square edge as an upright one does, within its lean's square: the edge pushes it neither to the left nor to
/// the right, and both shoulders find the same plane.
#[rstest]
fn leaning_wheels_climb_straight(#[values(-0.03, 0.02)] lean: f32) {
    let (sin, cos) = math::sin_cos(lean);
    let leaning = SectionWheel {
        axle: Vec3::new(0.0, cos, sin),
        ..WHEEL
    };
    let profile = [[0.2, -0.25], [2.0, -0.25]];
    let [upright, leant] = [WHEEL, leaning].map(|wheel| stand(&wheel, &profile).unwrap());
    assert!((upright.jounce - leant.jounce).abs() < 1e-3);
    assert!(leant.normal.y.abs() < 1e-6, "{leant:?}");
    let heights = [upright, leant].map(|support| support.normal.dot(support.point));
    assert!((heights[0] - heights[1]).abs() < 1e-3, "{heights:?}");
}
