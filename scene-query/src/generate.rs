//! Generated grounds: a hilly field, and a field as a mesh.

use glam::{DVec2, DVec3};
use vehicle_core::frame::Axis;
use vehicle_core::math;

use crate::axes::Axes;
use crate::error::{GroundError, check, positive};
use crate::heightfield::HeightField;

/// Parameters of [`hills`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hills {
    /// Random seed.
    pub seed: u64,
    /// Number of heights along each side of the square field, 2..=4096.
    pub size: usize,
    /// Spacing of the heights (`m`), > 0.
    pub cell: f64,
    /// Height of the highest hill or depth of the deepest valley (`m`), ≥ 0; less where slopes
    /// would exceed 12 %.
    pub amplitude: f64,
    /// The world's up axis.
    pub up: Axis,
}

/// The shortest and the longest wave [m]: shorter ones are bumps to a car, longer ones are
/// invisible from it.
const WAVELENGTHS: (f64, f64) = (60.0, 400.0);
/// Number of waves in the sum.
const WAVES: usize = 8;
/// Maximum slope (–), 12 %: the steepest of public roads.
const STEEPEST: f64 = 0.12;
/// The middle is level within the first radius (`m`) and reaches full height at the second.
const START: (f64, f64) = (15.0, 120.0);

/// One wave of the sum.
struct Wave {
    /// Height (–), before scaling.
    amplitude: f64,
    /// Phase per meter (`rad/m`).
    number: DVec2,
    /// Phase at the middle (`rad`).
    phase: f64,
}

/// Smooth hills around a level area, in a square field centered on the world's origin.
///
/// The heights are a sum of eight sine waves of 60 to 400 m, in directions and phases drawn from
/// the seed, with heights in proportion to their lengths; around the middle they fade out (level
/// within 15 m, full from 120 m on). The sum is scaled to the amplitude, or so that the steepest
/// slope is 12 % if that is less. The same numbers give the same bits on every platform.
///
/// # Errors
/// With every invalid number.
pub fn hills(hills: &Hills) -> Result<HeightField, GroundError> {
    check("hills", |i| {
        let holds = (2..=4096).contains(&hills.size);
        i.rule(holds, "size", hills.size, "", "must be within 2..=4096");
        positive(i, "cell", hills.cell, "m");
        let holds = hills.amplitude >= 0.0 && hills.amplitude.is_finite();
        i.rule(
            holds,
            "amplitude",
            hills.amplitude,
            "m",
            "must be finite and >= 0",
        );
    })?;
    let waves = waves(hills.seed);
    let half = (hills.size - 1) as f64 * hills.cell * 0.5;
    let along = |i: usize| i as f64 * hills.cell - half;
    let height = |i: usize, j: usize| {
        let at = DVec2::new(along(i), along(j));
        fade(at) * waves.iter().map(|wave| wave.height(at)).sum::<f64>()
    };
    let all = 0..hills.size;
    let mut rows: Vec<Vec<f32>> = all
        .clone()
        .map(|i| all.clone().map(|j| height(i, j) as f32).collect())
        .collect();
    let scale = scale(&rows, hills.cell, hills.amplitude);
    rows.iter_mut().flatten().for_each(|h| *h *= scale);
    let axes = Axes::up(hills.up);
    let corner = axes.to_world(DVec3::new(-half, -half, 0.0));
    HeightField::new(axes, corner, hills.cell, &rows)
}

/// The factor that brings heights to the amplitude (`m`), or as near as the maximum slope allows.
fn scale(rows: &[Vec<f32>], cell: f64, amplitude: f64) -> f32 {
    let highest = rows.iter().flatten().fold(0.0_f32, |h, x| h.max(x.abs()));
    let mut steepest = 0.0_f32;
    for (row, next) in rows.iter().zip(&rows[1..]) {
        for j in 0..row.len() - 1 {
            // The two triangles of the cell.
            let slopes = [
                [next[j] - row[j], next[j + 1] - next[j]],
                [next[j + 1] - row[j + 1], row[j + 1] - row[j]],
            ];
            for [x, y] in slopes {
                steepest = steepest.max(math::sqrt(x * x + y * y));
            }
        }
    }
    if highest > 0.0 && steepest > 0.0 {
        (amplitude as f32 / highest).min((STEEPEST * cell) as f32 / steepest)
    } else {
        0.0
    }
}

impl Wave {
    fn height(&self, at: DVec2) -> f64 {
        let angle = self.number.dot(at) + self.phase;
        // Whole turns are removed first, before precision is lost.
        let turns = angle / core::f64::consts::TAU;
        let rest = (turns - turns.floor()) * core::f64::consts::TAU;
        self.amplitude * f64::from(math::sin_cos(rest as f32).0)
    }
}

/// Waves with heights equal to their lengths, in arbitrary scale: all have the same slope.
fn waves(seed: u64) -> [Wave; WAVES] {
    let mut state = seed;
    let (short, long) = WAVELENGTHS;
    core::array::from_fn(|_| {
        let length = short + (long - short) * uniform(&mut state);
        let heading = (uniform(&mut state) * core::f64::consts::TAU) as f32;
        let (sin, cos) = math::sin_cos(heading);
        let number = core::f64::consts::TAU / length;
        Wave {
            amplitude: length,
            number: DVec2::new(f64::from(cos), f64::from(sin)) * number,
            phase: uniform(&mut state) * core::f64::consts::TAU,
        }
    })
}

/// 0 in the level area, 1 among the hills, a smooth step in between.
fn fade(at: DVec2) -> f64 {
    let share = ((at.length() - START.0) / (START.1 - START.0)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// The next number in 0..1 (`SplitMix64`, Steele, Lea, Flood 2014).
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z >> 11) as f64 / (1_u64 << 53) as f64
}

/// A field as the text of a Wavefront `.obj` file, in world coordinates (`m`): see
/// [`HeightField::triangles`] and [`Triangles::to_obj`](crate::Triangles::to_obj).
#[must_use]
pub fn to_obj(field: &HeightField) -> String {
    field.triangles().to_obj()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{Ground, Ray};
    use crate::mesh::TriangleMesh;
    use proptest::prelude::*;

    fn of_seed(seed: u64) -> Hills {
        Hills {
            seed,
            size: 201,
            cell: 2.0,
            amplitude: 8.0,
            up: Axis::Z,
        }
    }

    #[test]
    fn only_the_middle_is_level() {
        let field = hills(&of_seed(1)).unwrap();
        for at in [DVec3::ZERO, DVec3::new(10.0, -10.0, 0.0)] {
            assert_eq!(field.surface(at).unwrap(), at);
        }
        let rough = |i: usize| field.vertex(i, i).z.abs();
        let highest = (0..201).map(rough).fold(0.0, f64::max);
        assert!(highest > 2.0, "{highest}");
    }

    #[test]
    fn seeds_differ_and_repeat() {
        let field = |seed| hills(&of_seed(seed)).unwrap();
        assert_eq!(field(5), field(5));
        assert_ne!(field(5), field(6));
    }

    #[test]
    fn faults_are_reported_together() {
        let bad = Hills {
            size: 1,
            cell: f64::NAN,
            amplitude: -1.0,
            ..of_seed(1)
        };
        assert_eq!(
            hills(&bad).unwrap_err().to_string(),
            "3 invalid parameter(s):\n\
             hills.size = 1: must be within 2..=4096\n\
             hills.cell = NaN m: must be finite and > 0\n\
             hills.amplitude = -1 m: must be finite and >= 0"
        );
    }

    /// Published numbers of the generator.
    #[test]
    fn random_numbers_are_those_of_split_mix_64() {
        let mut state = 0;
        for number in [
            0xe220_a839_7b1d_cdaf,
            0x6e78_9e6a_a1b9_65f4,
            0x06c4_5d18_8009_454f_u64,
        ] {
            let share = number as f64 / 2.0_f64.powi(64);
            assert!((uniform(&mut state) - share).abs() < 1e-15);
        }
    }

    #[test]
    fn wave_heights_equal_lengths_and_headings_are_spread() {
        let (mut sum, mut longest, mut latest) = (DVec2::ZERO, 0.0_f64, 0.0_f64);
        let count = 100;
        for wave in (0..count).flat_map(waves) {
            let length = core::f64::consts::TAU / wave.number.length();
            assert!((wave.amplitude / length - 1.0).abs() < 1e-6);
            assert!(length > WAVELENGTHS.0 * 0.999 && length < WAVELENGTHS.1 * 1.001);
            assert!(wave.phase >= 0.0 && wave.phase < core::f64::consts::TAU);
            sum += wave.number * length;
            longest = longest.max(length);
            latest = latest.max(wave.phase);
        }
        // Headings cancel out as a random walk does.
        let walk = core::f64::consts::TAU * (count as f64 * WAVES as f64).sqrt();
        assert!(sum.length() < 3.0 * walk, "{sum}");
        assert!(
            longest > 0.95 * WAVELENGTHS.1 && latest > 6.0,
            "{longest} {latest}"
        );
    }

    #[test]
    fn a_wave_is_a_sine_everywhere() {
        let wave = Wave {
            amplitude: 3.0,
            number: DVec2::new(0.3, -0.7),
            phase: 1.1,
        };
        for n in -50..50_i8 {
            let at = DVec2::new(f64::from(n) * 1.7, f64::from(n) * -0.9 + 4.0);
            let exact = 3.0 * (0.3 * at.x - 0.7 * at.y + 1.1).sin();
            assert!((wave.height(at) - exact).abs() < 1e-5, "{at}");
        }
    }

    #[test]
    fn hills_begin_smoothly_around_the_start() {
        let (inner, outer) = START;
        let at = |share: f64| fade(DVec2::new(0.6, -0.8) * (inner + (outer - inner) * share));
        assert_eq!([at(-0.1), at(1.1)], [0.0, 1.0]);
        // The smooth step is odd about its middle, where it is steepest.
        for share in [0.0, 0.1, 0.25, 0.5] {
            assert!((at(share) + at(1.0 - share) - 1.0).abs() < 1e-12);
        }
        let slope = (at(0.501) - at(0.499)) / 0.002;
        assert!((slope - 1.5).abs() < 1e-4, "{slope}");
        assert!(at(1e-4) < 1e-7 && at(0.25) > 0.15 && at(0.25) < 0.16);
    }

    /// Up to the amplitude if slopes allow it, otherwise to the maximum slope.
    #[test]
    fn hills_reach_the_amplitude_or_the_maximum_slope() {
        for seed in 0..4 {
            let size = 61;
            let up_to = |amplitude| {
                let field = Hills {
                    amplitude,
                    size,
                    cell: 5.0,
                    ..of_seed(seed)
                };
                hills(&field).unwrap()
            };
            let low = up_to(0.5);
            let highest = low
                .heights()
                .iter()
                .fold(0.0_f32, |high, h| high.max(h.abs()));
            assert!((highest - 0.5).abs() < 1e-6, "{highest}");
            let triangles = up_to(1e4).triangles();
            let steepness = triangles.corners.iter().map(|corners| {
                let [a, b, c] = corners.map(|corner| triangles.vertices[corner as usize]);
                let normal = (b - a).cross(c - a);
                normal.x.hypot(normal.y) / normal.z
            });
            let steepest = steepness.fold(0.0, f64::max);
            assert!((steepest - STEEPEST).abs() < 1e-4, "{steepest}");
            assert!(up_to(0.0).heights().iter().all(|height| *height == 0.0));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn slopes_are_drivable(seed in any::<u64>(), amplitude in 0.0..1000.0_f64) {
            let field = hills(&Hills { amplitude, ..of_seed(seed) }).unwrap();
            for i in 0..200 {
                for j in 0..200 {
                    // One of the two triangles; both are measured the same way.
                    let [here, ahead, across] =
                        [(i, j), (i + 1, j), (i + 1, j + 1)].map(|(i, j)| field.vertex(i, j).z);
                    let (x, y) = (ahead - here, across - ahead);
                    prop_assert!((x * x + y * y).sqrt() / 2.0 <= 0.1201);
                    prop_assert!(here.abs() <= amplitude * 1.0001);
                }
            }
        }

        // The same surface by two implementations: grid walk, and tree of triangles.
        #[test]
        fn a_field_and_its_mesh_give_the_same_hits(
            seed in any::<u64>(),
            rays in prop::collection::vec(prop::array::uniform5(-1.0..1.0_f64), 20),
            snap in any::<bool>(),
        ) {
            let up = [Axis::Y, Axis::Z, Axis::NegX][(seed % 3) as usize];
            let field = hills(&Hills { size: 21, cell: 8.0, up, ..of_seed(seed) }).unwrap();
            let mesh = TriangleMesh::from_obj("hills.obj", &to_obj(&field)).unwrap();
            for [x, y, dx, dy, lean] in rays {
                // Vertices and edges when snapped to the grid.
                let grid = |v: f64| if snap { (v * 9.0).round() * 8.0 } else { v * 72.0 };
                let (dx, dy) = if snap { (0.0, 0.0) } else { (dx, dy) };
                let way = DVec3::new(dx, dy, -1.0 - lean.abs()).normalize();
                let ray = Ray {
                    origin: field.axes().to_world(DVec3::new(grid(x), grid(y), 8.5)),
                    direction: field.axes().to_world(way),
                    length: 40.0,
                };
                let (a, b) = (field.cast(&ray), mesh.cast(&ray));
                prop_assert_eq!(a.is_some(), b.is_some());
                if let (Some(a), Some(b)) = (a, b) {
                    prop_assert!((a.distance - b.distance).abs() < 1e-5);
                    if a.triangle == b.triangle {
                        prop_assert!((a.normal - b.normal).length() < 1e-5);
                    } else {
                        prop_assert!(snap, "{a:?} {b:?}");
                    }
                }
            }
        }
    }
}
