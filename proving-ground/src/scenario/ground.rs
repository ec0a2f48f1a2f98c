//! Ground and obstacles of a scenario. Headers describe them in words and formulas; the words are
//! matched, the numbers read.

use glam::{DVec3, Quat, Vec3};
use jounce::core::{Axis, math};
use jounce::scene::{Axes, GroundError, HeightField, Triangles};

use super::ScenarioError;
use super::axes::from_physx;
use super::header::{Bumps, GroundData};
use crate::ground::Terrain;
use crate::world::{ColliderShape, ColliderSpec};

/// The layer of drivable ground.
pub(super) const DRIVABLE: u32 = 1;
/// The layer of obstacles for the chassis only.
pub(super) const SOLID: u32 = 2;

/// An obstacle.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Shape of the obstacle, its axes along the world's.
    pub shape: ColliderShape,
    /// Center of the obstacle (`m`).
    pub center: DVec3,
    /// Half extents of the shape's box (`m`), > 0.
    pub half_extents: Vec3,
    /// Whether wheels drive on the obstacle, and only wheels touch it; otherwise only the chassis does.
    pub drivable: bool,
}

impl Obstacle {
    /// A box.
    const fn cuboid(center: DVec3, half_extents: Vec3, drivable: bool) -> Self {
        Self {
            shape: ColliderShape::Cuboid(half_extents),
            center,
            half_extents,
            drivable,
        }
    }

    /// Number `n` of the drivable capsules that lie across the road, by its `radius` (`m`).
    fn capsule(n: usize, radius: f32) -> Self {
        let center = [0.0, radius, CAPSULES_APART * (n + 1) as f32];
        Self {
            shape: ColliderShape::Capsule {
                half_length: CAPSULE_HALF_LENGTH,
                radius,
            },
            center: from_physx(center).as_dvec3(),
            half_extents: from_physx([CAPSULE_HALF_LENGTH + radius, radius, radius]),
            drivable: true,
        }
    }

    /// Whether a wheel meets the obstacle differently from PhysX's wheels, which are prisms.
    #[must_use]
    pub const fn is_round(&self) -> bool {
        matches!(self.shape, ColliderShape::Capsule { .. })
    }

    /// The obstacle for any world.
    #[must_use]
    pub fn collider(&self) -> ColliderSpec {
        ColliderSpec {
            layers: if self.drivable { DRIVABLE } else { SOLID },
            ..ColliderSpec::fixed(self.shape.clone(), self.center)
        }
    }
}

/// Half of the distance between the centers of a capsule's ends, and of one capsule from the next (`m`).
const CAPSULE_HALF_LENGTH: f32 = 3.0;
const CAPSULES_APART: f32 = 5.0;

/// The ground of a header, and its obstacles in the order in which a car meets them.
pub(super) fn read(ground: &GroundData) -> Result<(Terrain, Vec<Obstacle>), GroundFault> {
    let (terrain, obstacles) = described(ground)?;
    Ok((terrain.in_layers(DRIVABLE), obstacles))
}

fn described(ground: &GroundData) -> Result<(Terrain, Vec<Obstacle>), GroundFault> {
    match ground {
        GroundData::Plane { normal, d } => Ok((plane("plane", *normal, *d)?, vec![])),
        GroundData::Mesh(bumps) => Ok((Surface::read(bumps)?.mesh()?, vec![])),
        GroundData::Hf(bumps) => Ok((Surface::read(bumps)?.height_field()?, vec![])),
        GroundData::Curb { box_height, words } => {
            let (height, curb) = curb(words, *box_height)?;
            Ok((plane("curb", UP, -height)?, vec![curb]))
        }
        GroundData::Wall { words } => Ok((plane("wall", UP, 0.0)?, vec![wall(words)?])),
        GroundData::Capsules { capsule_radii } => {
            let numbered = capsule_radii.iter().enumerate();
            let capsules = numbered.map(|(n, &radius)| Obstacle::capsule(n, radius));
            Ok((plane("capsules", UP, 0.0)?, capsules.collect()))
        }
    }
}

/// Faults of a header's ground.
#[derive(Debug)]
pub(super) enum GroundFault {
    /// Unknown words.
    Words(String),
    /// Numbers that do not form a valid ground.
    Numbers(GroundError),
}

impl From<GroundError> for GroundFault {
    fn from(error: GroundError) -> Self {
        Self::Numbers(error)
    }
}

impl GroundFault {
    /// Converts the fault to one of `file`.
    pub(super) fn of(self, file: &str) -> ScenarioError {
        match self {
            Self::Words(words) => ScenarioError::Unsupported {
                file: file.to_owned(),
                what: format!("ground: {words}"),
            },
            Self::Numbers(error) => error.into(),
        }
    }
}

/// PhysX's up axis.
const UP: [f32; 3] = [0.0, 1.0, 0.0];

/// The PhysX plane with this normal and n·x + d = 0.
///
/// PhysX stores a plane as the pose that rotates x into its normal, in single precision: the normal
/// reported by its rays is off by rounding, for flat ground by 1.2e-7 to one side. Jumps amplify
/// that difference between left and right wheels, so it is reproduced.
fn plane(name: &str, [x, y, z]: [f32; 3], d: f32) -> Result<Terrain, GroundError> {
    let turn = math::unit(Quat::from_xyzw(0.0, -z, y, 1.0 + x));
    let q = math::unit(turn);
    let (two_x, two_w) = (2.0 * q.x, 2.0 * q.w);
    let normal = [
        q.w * two_w - 1.0 + q.x * two_x,
        q.z * two_w + q.y * two_x,
        -q.y * two_w + q.z * two_x,
    ];
    let normal = from_physx(normal).as_dvec3();
    Terrain::plane(name.to_owned(), normal * -f64::from(d), normal)
}

/// Words of a curb, in the spelling of the traces.
const CURB: &str = "static drivable box centred x={},z={}, half extents ({},h/2,{}), on plane \
                    y={}; collides only with wheel shapes";
const WALL: &str = "static box centre ({},{},{}) half extents ({},{},{}), collides with chassis \
                    box only; not drivable";

/// Height of the plane (`m`), and the curb with height `rise` (`m`) on it.
fn curb(words: &str, rise: f32) -> Result<(f32, Obstacle), GroundFault> {
    let [x, z, wide, long, height] = numbers(words, CURB)?;
    let center = from_physx([x, height + 0.5 * rise, z]).as_dvec3();
    let half_extents = from_physx([wide, 0.5 * rise, long]);
    Ok((height, Obstacle::cuboid(center, half_extents, true)))
}

fn wall(words: &str) -> Result<Obstacle, GroundFault> {
    let [x, y, z, wide, high, long] = numbers(words, WALL)?;
    let center = from_physx([x, y, z]).as_dvec3();
    let half_extents = from_physx([wide, high, long]);
    Ok(Obstacle::cuboid(center, half_extents, false))
}

const HEIGHT: &str = "h(x,z)=amp*({}*sin(k*z)+{}*sin({}*k*z+{}*k*x)); vertices at x=x0+i*cell, \
                      z=z0+j*cell; mesh quad (i,j): a=(i,j) b=(i,j+1) c=(i+1,j) d=(i+1,j+1), \
                      triangles a,b,c and b,d,c; outside: nothing";

/// Waves over a square grid, in PhysX's axes.
struct Surface<'a> {
    bumps: &'a Bumps,
    /// The factors of the formula.
    factors: [f32; 4],
}

impl<'a> Surface<'a> {
    fn read(bumps: &'a Bumps) -> Result<Self, GroundFault> {
        let factors = numbers(&bumps.height, HEIGHT)?;
        Ok(Self { bumps, factors })
    }

    /// Height at a position (`m`), rounded to the quantum if there is one.
    fn height(&self, x: f64, z: f64) -> f64 {
        let [along, across, skew_z, skew_x] = self.factors.map(f64::from);
        let (amp, k) = (f64::from(self.bumps.amp), f64::from(self.bumps.k));
        let waves = along * libm::sin(k * z) + across * libm::sin(skew_z * k * z + skew_x * k * x);
        match self.bumps.height_quantum.map(f64::from) {
            Some(quantum) => libm::round(amp * waves / quantum) * quantum,
            None => amp * waves,
        }
    }

    /// The position of a vertex along one axis that starts at `start` (`m`).
    fn place(&self, start: f32, n: usize) -> f64 {
        f64::from(start) + n as f64 * f64::from(self.bumps.cell)
    }

    fn mesh(&self) -> Result<Terrain, GroundError> {
        let n = self.bumps.n;
        let vertex = |i: usize, j: usize| {
            let (x, z) = (self.place(self.bumps.x0, i), self.place(self.bumps.z0, j));
            // PhysX's vertices are in single precision.
            from_physx([x as f32, self.height(x, z) as f32, z as f32]).as_dvec3()
        };
        let quad = |i: usize, j: usize| {
            let number = |i: usize, j: usize| (i * n + j) as u32;
            let (a, b) = (number(i, j), number(i, j + 1));
            let (c, d) = (number(i + 1, j), number(i + 1, j + 1));
            [[a, b, c], [b, d, c]]
        };
        let grid = |n: usize| (0..n).flat_map(move |i| (0..n).map(move |j| (i, j)));
        let triangles = Triangles {
            vertices: grid(n).map(|(i, j)| vertex(i, j)).collect(),
            corners: grid(n.saturating_sub(1))
                .flat_map(|(i, j)| quad(i, j))
                .collect(),
        };
        Terrain::triangles("mesh".to_owned(), triangles)
    }

    /// Our cells are split from corner `(i, j)` to `(i + 1, j + 1)`, PhysX's along the other
    /// diagonal: ours runs along PhysX's x, then against its z.
    fn height_field(&self) -> Result<Terrain, GroundError> {
        let bumps = self.bumps;
        let last = self.place(bumps.z0, bumps.n.saturating_sub(1));
        let field = HeightField::from_fn(
            Axes::new(Axis::Y, Axis::Z)?,
            DVec3::new(last, f64::from(bumps.x0), 0.0),
            f64::from(bumps.cell),
            [bumps.n, bumps.n],
            |along, against| self.height(f64::from(bumps.x0) + along, last - against),
        )?;
        Ok(Terrain::height_field("hf".to_owned(), field))
    }
}

/// The numbers in `words` at the `{}` of `pattern`; everything else must match.
fn numbers<const N: usize>(words: &str, pattern: &str) -> Result<[f32; N], GroundFault> {
    let unknown = || GroundFault::Words(words.to_owned());
    let mut pieces = pattern.split("{}");
    let first = pieces.next().unwrap_or_default();
    let mut rest = words.strip_prefix(first).ok_or_else(unknown)?;
    let mut found = [0.0; N];
    for (slot, piece) in found.iter_mut().zip(&mut pieces) {
        let is_of_number = |c: char| c.is_ascii_digit() || "+-.e".contains(c);
        let end = rest.find(|c| !is_of_number(c)).unwrap_or(rest.len());
        *slot = rest[..end].parse().map_err(|_| unknown())?;
        rest = rest[end..].strip_prefix(piece).ok_or_else(unknown)?;
    }
    let complete = rest.is_empty() && pieces.next().is_none();
    complete.then_some(found).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{self, World, WorldKind};
    use glam::DVec2;
    use rstest::rstest;

    fn bumps(height_quantum: Option<f32>) -> Bumps {
        Bumps {
            n: 5,
            cell: 1.0,
            x0: -2.0,
            z0: -1.0,
            amp: 0.12,
            k: 0.5,
            height: HEIGHT
                .replacen("{}", "0.7", 1)
                .replacen("{}", "0.3", 1)
                .replacen("{}", "1.7", 1)
                .replacen("{}", "0.6", 1),
            height_quantum,
        }
    }

    #[test]
    fn mesh_and_height_field_are_the_same_surface() {
        let grounds = [
            GroundData::Mesh(bumps(Some(0.02))),
            GroundData::Hf(bumps(Some(0.02))),
        ];
        let [mesh, field] = grounds.map(|ground| read(&ground).unwrap().0);
        // In PhysX's cell (0, 0) on either side of the diagonal, at a vertex, and outside.
        for (x, y) in [(-0.7, -1.8), (-0.2, -1.4), (1.0, 0.0), (-1.1, 0.0)] {
            let height = |terrain: &Terrain| terrain.height(DVec2::new(x, y));
            match (height(&mesh), height(&field)) {
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-3, "{a} {b}"),
                (a, b) => assert_eq!((a, b, x), (None, None, -1.1)),
            }
        }
        let wave = 0.12 * (0.7 * f64::sin(0.5) + 0.3 * f64::sin(0.85));
        let found = mesh.height(DVec2::new(1.0, 0.0)).unwrap();
        assert!(
            (found - (wave / 0.02).round() * 0.02).abs() < 1e-3,
            "{found}"
        );
    }

    #[test]
    fn a_curb_stands_on_its_plane_and_a_wall_at_its_position() {
        let words = "static drivable box centred x=0,z=20, half extents (4,h/2,2), on plane y=0; \
                     collides only with wheel shapes";
        let (height, curb) = curb(words, 0.5).unwrap();
        assert_eq!((height, curb.center), (0.0, DVec3::new(20.0, 0.0, 0.25)));
        assert_eq!(curb.half_extents, Vec3::new(2.0, 4.0, 0.25));
        let wall = wall(
            "static box centre (0,1.5,15) half extents (20,1.5,0.5), collides with chassis box \
             only; not drivable",
        )
        .unwrap();
        assert_eq!(wall.center, DVec3::new(15.0, 0.0, 1.5));
        assert_eq!(wall.half_extents, Vec3::new(0.5, 20.0, 1.5));
    }

    #[test]
    fn capsules_lie_across_the_road_one_behind_the_other() {
        let ground = serde_json::json!({ "kind": "capsules", "capsule_radii": [0.1, 0.25] });
        let (terrain, capsules) = read(&serde_json::from_value(ground).unwrap()).unwrap();
        assert_eq!(terrain.height(DVec2::ZERO), Some(0.0));
        let [_, second] = capsules.as_slice() else {
            panic!("{capsules:?}");
        };
        assert!(second.drivable && second.is_round());
        assert_eq!(second.half_extents, Vec3::new(0.25, 3.25, 0.25));
        for &kind in WorldKind::all() {
            let mut world = world::open(kind, &terrain, 0.01).unwrap();
            for capsule in &capsules {
                world.add_collider(&capsule.collider()).unwrap();
            }
            are_round(&*world);
        }
    }

    /// The heights of capsules of the radii 0.1 and 0.25.
    fn are_round(world: &dyn World) {
        let height = |x, y| world.ground_at(DVec2::new(x, y)).unwrap().0.z;
        let heights = [
            (5.0, 0.0),
            (10.0, 0.0),
            (10.0, 2.9),
            (10.15, -2.9),
            (10.0, 3.15),
            (10.0, 3.26),
        ];
        for ((x, y), expected) in heights.into_iter().zip([0.2, 0.5, 0.5, 0.45, 0.45, 0.0]) {
            let found = height(x, y);
            assert!(
                (found - expected).abs() < 1e-3,
                "{} {x} {y}: {found}",
                world.name()
            );
        }
    }

    #[rstest]
    #[case("a {} b {}", "a 1 b -2.5e-3", Some([1.0, -2.5e-3]))]
    #[case("a {} b {}", "a 1 b 2 c", None)]
    #[case("a {} b {}", "a 1 c 2", None)]
    #[case("a {} b {}", "a x b 2", None)]
    #[case("a {} b {}", "", None)]
    #[case("a {} b {} c {}", "a 1 b 2 c 3", None)]
    fn words_must_match(
        #[case] pattern: &str,
        #[case] words: &str,
        #[case] found: Option<[f32; 2]>,
    ) {
        assert_eq!(numbers(words, pattern).ok(), found);
    }
}
