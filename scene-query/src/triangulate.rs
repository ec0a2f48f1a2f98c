//! Polygons cut into triangles: a fan where one fits, otherwise by ear clipping (G. H. Meisters, "Polygons have ears",
//! Am. Math. Monthly 82, 1975).

use glam::{DVec2, DVec3};

/// The triangles of a polygon, as indices of its corners, with its sense of rotation; `None` if its sides cross. A
/// polygon whose first corner sees all others becomes the fan around it.
pub(crate) fn triangulate(polygon: &[DVec3]) -> Option<Vec<[usize; 3]>> {
    let flat = flattened(polygon);
    let fan = (2..flat.len()).map(|n| [0, n - 1, n]);
    let areas = fan.clone().map(|[a, b, c]| area(flat[a], flat[b], flat[c]));
    let slight = ROUNDING * areas.clone().map(f64::abs).sum::<f64>();
    if crosses_itself(&flat, slight) {
        return None;
    }
    if areas.clone().all(|area| area >= -slight) {
        return Some(fan.collect());
    }
    clipped(&flat, slight)
}

/// Areas below this share of the whole are those of a straight line, rounded.
const ROUNDING: f64 = 1e-9;

/// The corners as seen against the polygon's normal, where they run to the left. A coordinate is dropped, so that
/// the others stay exact.
fn flattened(polygon: &[DVec3]) -> Vec<DVec2> {
    let normals = polygon[1..].windows(2);
    let normals = normals.map(|pair| (pair[0] - polygon[0]).cross(pair[1] - polygon[0]));
    // The sum of a fan is Newell's normal.
    let whole: DVec3 = normals.clone().sum();
    let longest = |a: DVec3, b: DVec3| if b.length() > a.length() { b } else { a };
    let largest = normals.fold(DVec3::ZERO, longest);
    let normal = if largest.dot(whole) < 0.0 {
        -largest
    } else {
        largest
    };
    let amount = normal.abs();
    let seen = |corner: &DVec3| match amount.max_element() {
        most if most == amount.x => (DVec2::new(corner.y, corner.z), normal.x),
        most if most == amount.y => (DVec2::new(corner.z, corner.x), normal.y),
        _ => (DVec2::new(corner.x, corner.y), normal.z),
    };
    let upright = polygon.iter().map(seen);
    let turned = upright.map(|(at, along)| {
        if along < 0.0 {
            DVec2::new(at.y, at.x)
        } else {
            at
        }
    });
    turned.collect()
}

/// Twice the area of a triangle, positive if its corners run to the left.
fn area(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// Whether any two sides of a polygon cross; sides that only touch do not. Areas within `slight` (`m²`) are zero.
fn crosses_itself(polygon: &[DVec2], slight: f64) -> bool {
    let count = polygon.len();
    let side = |n: usize| (polygon[n], polygon[(n + 1) % count]);
    let parts = |(a, b): (DVec2, DVec2), (c, d): (DVec2, DVec2)| {
        let (first, second) = (area(a, b, c), area(a, b, d));
        first.min(second) < -slight && first.max(second) > slight
    };
    (0..count).any(|n| {
        let mut later = (n + 2..count).map(side);
        later.any(|other| parts(side(n), other) && parts(other, side(n)))
    })
}

/// Cuts off one ear after the other; `None` if there is none, as sides cross. Areas within `slight` (`m²`) are zero.
fn clipped(polygon: &[DVec2], slight: f64) -> Option<Vec<[usize; 3]>> {
    let mut rest: Vec<usize> = (0..polygon.len()).collect();
    let mut triangles = Vec::new();
    while rest.len() > 2 {
        let count = rest.len();
        let around = |n: usize| {
            [
                rest[(n + count - 1) % count],
                rest[n],
                rest[(n + 1) % count],
            ]
        };
        let size = |n: usize| {
            let [a, b, c] = around(n).map(|corner| polygon[corner]);
            area(a, b, c)
        };
        let mut ears = (0..count).filter(|&n| size(n) > slight);
        match ears.find(|&n| is_empty(polygon, &rest, around(n))) {
            Some(ear) => {
                triangles.push(around(ear));
                rest.remove(ear);
            }
            // A corner on a straight line, or at the tip of a spike: nothing lies between its sides.
            None => {
                rest.remove((0..count).find(|&n| size(n).abs() <= slight)?);
            }
        }
    }
    Some(triangles)
}

/// Whether a triangle of three corners contains none of the `others`; points at the position of a corner do not count.
fn is_empty(polygon: &[DVec2], others: &[usize], [a, b, c]: [usize; 3]) -> bool {
    let [a, b, c] = [a, b, c].map(|n| polygon[n]);
    let inside = |p: DVec2| {
        let sides = [area(a, b, p), area(b, c, p), area(c, a, p)];
        sides.iter().all(|side| *side >= 0.0) && ![a, b, c].contains(&p)
    };
    others.iter().all(|&n| !inside(polygon[n]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn corners(flat: &[(f64, f64)], lift: fn(DVec2) -> DVec3) -> Vec<DVec3> {
        flat.iter().map(|&(x, y)| lift(DVec2::new(x, y))).collect()
    }

    /// Twice the area of a polygon, by its sides (the shoelace formula).
    fn shoelace(flat: &[DVec3]) -> DVec3 {
        let next = flat.iter().cycle().skip(1);
        flat.iter().zip(next).map(|(a, b)| a.cross(*b)).sum()
    }

    const DART: [(f64, f64); 4] = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (1.0, 4.0)];
    const CORNER: [(f64, f64); 6] = [
        (0.0, 0.0),
        (3.0, 0.0),
        (3.0, 1.0),
        (1.0, 1.0),
        (1.0, 3.0),
        (0.0, 3.0),
    ];
    const COMB: [(f64, f64); 9] = [
        (0.0, 0.0),
        (6.0, 0.0),
        (6.0, 3.0),
        (5.0, 1.0),
        (4.0, 3.0),
        (3.0, 1.0),
        (2.0, 3.0),
        (1.0, 1.0),
        (0.0, 3.0),
    ];
    /// A corner with further points on its sides.
    const STRAIGHT: [(f64, f64); 9] = [
        (0.0, 0.0),
        (1.1, 0.0),
        (3.0, 0.0),
        (3.0, 0.7),
        (3.0, 1.0),
        (1.0, 1.0),
        (1.0, 1.3),
        (1.0, 3.0),
        (0.0, 3.0),
    ];
    /// A square with a square hole, by a cut from one to the other.
    const FRAME: [(f64, f64); 10] = [
        (0.0, 0.0),
        (4.0, 0.0),
        (4.0, 4.0),
        (0.0, 4.0),
        (0.0, 0.0),
        (1.0, 1.0),
        (1.0, 3.0),
        (3.0, 3.0),
        (3.0, 1.0),
        (1.0, 1.0),
    ];

    /// Triangles with the polygon's sense whose areas add up to that of the polygon cover it once.
    #[rstest]
    fn a_polygon_is_covered_once_from_whatever_corner_it_starts(
        #[values(&DART[..], &CORNER[..], &COMB[..], &FRAME[..], &STRAIGHT[..])] flat: &[(
            f64,
            f64,
        )],
        #[values(
            |p: DVec2| p.extend(0.0),
            |p: DVec2| p.extend(0.3 * p.x - 0.2 * p.y),
            |p: DVec2| DVec3::new(0.0, p.y, p.x),
            |p: DVec2| DVec3::new(-p.y, 0.1 * p.x, p.x),
            |p: DVec2| DVec3::new(0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y, 0.3 * p.x),
        )]
        lift: fn(DVec2) -> DVec3,
    ) {
        let mut polygon = corners(flat, lift);
        let whole = shoelace(&polygon);
        for _ in 0..polygon.len() {
            polygon.rotate_left(1);
            let triangles = triangulate(&polygon).unwrap();
            let areas = triangles.iter().map(|t| shoelace(&t.map(|n| polygon[n])));
            let areas: Vec<DVec3> = areas.collect();
            let sense = |area: &DVec3| area.dot(whole);
            assert!(areas.iter().all(|area| sense(area) > -1e-9), "{areas:?}");
            let sum: DVec3 = areas.iter().sum();
            assert!(sum.abs_diff_eq(whole, 1e-12), "{sum}, not {whole}");
        }
    }

    #[test]
    fn a_polygon_that_its_first_corner_sees_is_a_fan() {
        let square = corners(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)], |p| {
            p.extend(2.0)
        });
        assert_eq!(triangulate(&square), Some(vec![[0, 1, 2], [0, 2, 3]]));
        let dart = corners(&DART, |p| p.extend(0.0));
        let seen = [1, 2, 3, 0].map(|n| dart[n]);
        assert_eq!(triangulate(&seen), Some(vec![[0, 1, 2], [0, 2, 3]]));
    }

    #[rstest]
    #[case::bow(&[(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)])]
    #[case::uneven_bow(&[(0.0, 0.0), (3.0, 1.0), (3.0, 0.0), (0.0, 2.0)])]
    #[case::star(&[(0.0, 1.0), (0.6, -0.8), (-1.0, 0.3), (1.0, 0.3), (-0.6, -0.8)])]
    fn sides_that_cross_are_no_polygon(#[case] flat: &[(f64, f64)]) {
        assert_eq!(triangulate(&corners(flat, |p| p.extend(0.0))), None);
    }

    #[test]
    fn a_face_without_area_stays_one() {
        let line = corners(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)], |p| {
            p.extend(0.0)
        });
        assert_eq!(triangulate(&line), Some(vec![[0, 1, 2], [0, 2, 3]]));
    }
}
