//! Colliders besides bodies: shapes that rays find.

use std::sync::Arc;

use glam::{DMat3, DVec3, Quat, Vec3};
use jounce::core::checked::{Inspector, InvalidParams};
use jounce::core::{BodyId, MaterialId};
use jounce::scene::{HeightField, Triangles};

#[cfg(any(feature = "rapier", feature = "avian"))]
use parry3d::shape::{HeightFieldFlags, SharedShape, TriMeshFlags};
#[cfg(any(feature = "rapier", feature = "avian"))]
use parry3d::utils::Array2;

#[cfg(any(feature = "rapier", feature = "avian"))]
use crate::error::ProvingError;
use crate::ground::{Solid, Terrain};

/// A shape in its own axes.
#[derive(Clone, Debug, PartialEq)]
pub enum ColliderShape {
    /// The half space below a plane through the origin, with this outward unit normal.
    HalfSpace(DVec3),
    /// A solid box about the origin; half extents (`m`), > 0.
    Cuboid(Vec3),
    /// All points within `radius` (`m`, > 0) of the line along y from −`half_length` to `half_length` (`m`, ≥ 0).
    Capsule {
        /// Half of the line's length.
        half_length: f32,
        /// Radius of the capsule.
        radius: f32,
    },
    /// A surface of triangles, hit from both sides.
    Mesh(Triangles),
    /// A grid of heights.
    HeightField(HeightField),
}

impl ColliderShape {
    /// The surface as triangles, counter-clockwise as seen from outside; `None` for a half space
    /// and for a capsule, which have none. For engines without such a shape of their own.
    #[must_use]
    pub fn triangles(&self) -> Option<Triangles> {
        match self {
            Self::HalfSpace(_) | Self::Capsule { .. } => None,
            Self::Cuboid(half) => Some(cuboid(half.as_dvec3())),
            Self::Mesh(triangles) => Some(triangles.clone()),
            Self::HeightField(field) => Some(field.triangles()),
        }
    }

    fn check(&self, i: &mut Inspector) {
        match self {
            Self::HalfSpace(normal) => {
                let holds = (normal.length_squared() - 1.0).abs() < 0.02;
                i.rule(
                    holds,
                    "normal",
                    normal,
                    "",
                    "must be a unit vector within 1 %",
                );
            }
            Self::Cuboid(half) => {
                let holds = half.is_finite() && half.min_element() > 0.0;
                let rule = "must be finite and > 0 in every component";
                i.rule(holds, "half_extents", half, "m", rule);
            }
            Self::Capsule {
                half_length,
                radius,
            } => {
                i.not_negative("half_length", *half_length, "m");
                i.positive("radius", *radius, "m");
            }
            Self::Mesh(triangles) => {
                let count = triangles.corners.len();
                i.rule(count > 0, "triangles", count, "", "must be at least 1");
                let holds = triangles.vertices.iter().all(|v| v.is_finite());
                i.rule(holds, "vertices", "not finite", "", "must be finite");
                let known = |&c: &u32| (c as usize) < triangles.vertices.len();
                let holds = triangles.corners.iter().flatten().all(known);
                i.rule(holds, "corners", "too high", "", "must name vertices");
            }
            // Checked on creation.
            Self::HeightField(_) => {}
        }
    }
}

/// A collider: a shape with a pose, and the properties that rays report.
#[derive(Clone, Debug, PartialEq)]
pub struct ColliderSpec {
    /// Shape of the collider.
    pub shape: ColliderShape,
    /// Position of the shape's origin (`m`, world); if attached to a body, from the body's center
    /// of mass (`m`, vehicle axes).
    pub position: DVec3,
    /// Rotation of the shape's axes → world, or vehicle axes of the body; of unit length within 1 %.
    pub rotation: Quat,
    /// The material that hits report, where triangles have none of their own.
    pub material: MaterialId,
    /// Material of each triangle of a mesh or heightfield, by number; the others have `material`.
    pub triangle_materials: Option<Arc<[MaterialId]>>,
    /// Layers of the collider, one bit each.
    pub layers: u32,
    /// Whether the collider is a sensor, which nothing touches and rays never find.
    pub sensor: bool,
    /// Body that carries the collider, without added mass; `None` if fixed.
    pub body: Option<BodyId>,
}

impl ColliderSpec {
    /// A fixed solid with material 0 in all layers, its axes along the world's.
    #[must_use]
    pub const fn fixed(shape: ColliderShape, position: DVec3) -> Self {
        Self {
            shape,
            position,
            rotation: Quat::IDENTITY,
            material: MaterialId(0),
            triangle_materials: None,
            layers: u32::MAX,
            sensor: false,
            body: None,
        }
    }

    /// The block of a [platform](super::Platforms) with the center of its top at `top` (`m`, world).
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn platform(top: DVec3) -> Result<Self, InvalidParams> {
        let half = super::PLATFORM_HALF;
        let middle = top - DVec3::Z * f64::from(half.z);
        let block = Self::fixed(ColliderShape::Cuboid(half), middle);
        block.check().map(|()| block)
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// With every one that violates its rule.
    pub fn check(&self) -> Result<(), InvalidParams> {
        let mut inspector = Inspector::new();
        inspector.within("collider", |i| {
            i.rule(
                self.position.is_finite(),
                "position",
                self.position,
                "m",
                "must be finite",
            );
            let holds = (self.rotation.length_squared() - 1.0).abs() < 0.02;
            let rule = "must be a unit quaternion within 1 %";
            i.rule(holds, "rotation", self.rotation, "", rule);
            self.shape.check(i);
        });
        inspector.verdict()
    }

    /// A vector of the shape in the axes of the world, or of its body.
    #[must_use]
    pub fn turned(&self, vector: DVec3) -> DVec3 {
        DMat3::from_quat(self.rotation.as_dquat().normalize()) * vector
    }

    /// The surface as triangles (`m`, world), or relative to the center of mass of its body; `None`
    /// for a half space and for a capsule.
    #[must_use]
    pub fn triangles(&self) -> Option<Triangles> {
        let mut triangles = self.shape.triangles()?;
        for vertex in &mut triangles.vertices {
            *vertex = self.position + self.turned(*vertex);
        }
        Some(triangles)
    }
}

impl Terrain {
    /// The terrain as one collider.
    #[must_use]
    pub fn collider(&self) -> ColliderSpec {
        let (shape, position) = match &self.solid {
            Solid::HalfSpace { point, normal } => (ColliderShape::HalfSpace(*normal), *point),
            Solid::Triangles(triangles) => (ColliderShape::Mesh(triangles.clone()), DVec3::ZERO),
            Solid::HeightField(field) => (ColliderShape::HeightField(field.clone()), DVec3::ZERO),
        };
        let part = self.grounds.0.first();
        ColliderSpec {
            material: part.map_or(MaterialId(0), |part| part.material),
            triangle_materials: part.and_then(|part| part.triangle_materials.clone()),
            layers: self.layers(),
            ..ColliderSpec::fixed(shape, position)
        }
    }
}

/// Parry's shape for a collider, used by both engines, with its position (`m`) and rotation.
///
/// # Errors
/// If Parry rejects the triangles; `engine` is the caller's name.
#[cfg(any(feature = "rapier", feature = "avian"))]
pub(super) fn parry_shape(
    spec: &ColliderSpec,
    engine: &'static str,
) -> Result<(SharedShape, Vec3, Quat), ProvingError> {
    let (mut position, mut rotation) = (spec.position, spec.rotation.normalize());
    let shape = match &spec.shape {
        ColliderShape::HalfSpace(normal) => SharedShape::halfspace(normal.as_vec3()),
        ColliderShape::Cuboid(half) => SharedShape::cuboid(half.x, half.y, half.z),
        ColliderShape::Capsule {
            half_length,
            radius,
        } => SharedShape::capsule_y(*half_length, *radius),
        ColliderShape::Mesh(triangles) => {
            let vertices = triangles.vertices.iter().map(|v| v.as_vec3()).collect();
            let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
            let mesh = SharedShape::trimesh_with_flags(vertices, triangles.corners.clone(), flags);
            mesh.map_err(|error| ProvingError::Mesh {
                ground: engine.to_owned(),
                message: format!("refuses the mesh: {error:?}"),
            })?
        }
        ColliderShape::HeightField(field) => {
            let grid = ParryGrid::of(field);
            position += spec.turned(grid.middle);
            rotation *= grid.rotation;
            let heights = Array2::new(grid.rows, grid.columns, grid.heights);
            let flags = HeightFieldFlags::FIX_INTERNAL_EDGES;
            SharedShape::heightfield_with_flags(heights, grid.scale, flags)
        }
    };
    Ok((shape, position.as_vec3(), rotation))
}

/// The materials of a collider's triangles, by the numbers that they have in Parry; `None` if they have none of their own.
#[cfg(feature = "rapier")]
pub(super) fn parry_materials(spec: &ColliderSpec) -> Option<Vec<MaterialId>> {
    let materials = spec.triangle_materials.as_deref()?;
    let ColliderShape::HeightField(field) = &spec.shape else {
        return Some(materials.to_vec());
    };
    // Parry counts one half of all cells, then the other, against the field's x and along its y.
    let [across, along] = field.size().map(|heights| heights - 1);
    let half = |upper: usize| {
        let cells = (0..across)
            .rev()
            .flat_map(move |i| (0..along).map(move |j| i * along + j));
        let of = move |cell| materials.get(2 * cell + upper).copied();
        cells.map(move |cell| of(cell).unwrap_or(spec.material))
    };
    Some(half(0).chain(half(1)).collect())
}

/// A heightfield in Parry's layout: centered, heights along y, rows along z, with cells split from
/// `(row + 1, column)` to `(row, column + 1)`.
#[cfg(any(feature = "rapier", feature = "avian"))]
#[derive(Clone, Debug)]
struct ParryGrid {
    rows: usize,
    columns: usize,
    /// Column by column.
    heights: Vec<f32>,
    scale: Vec3,
    /// Center of the field at height 0, in the axes of the field's origin (`m`).
    middle: DVec3,
    /// Rotation from Parry's axes to those of the field's origin.
    rotation: Quat,
}

#[cfg(any(feature = "rapier", feature = "avian"))]
impl ParryGrid {
    /// Parry's rows run along the field's y, its columns against the field's x: then both split the
    /// cells along the same diagonals.
    fn of(field: &HeightField) -> Self {
        let [across, along] = field.size();
        let (extent, axes) = (field.extent(), field.axes());
        let runs = field.heights().chunks_exact(along).rev();
        let turn = [DVec3::NEG_X, DVec3::Z, DVec3::Y].map(|axis| axes.to_world(axis).as_vec3());
        Self {
            rows: along,
            columns: across,
            heights: runs.flatten().copied().collect(),
            scale: Vec3::new(extent.x as f32, 1.0, extent.y as f32),
            middle: field.origin() + axes.to_world((extent * 0.5).extend(0.0)),
            rotation: Quat::from_mat3(&glam::Mat3::from_cols_array_2d(&turn.map(Into::into))),
        }
    }
}

/// The six faces of a box, two triangles each.
fn cuboid(half: DVec3) -> Triangles {
    // Bit 0 is +x, bit 1 is +y, bit 2 is +z.
    let corner = |n: u32| {
        let side = |bit: u32| if n & bit == 0 { -1.0 } else { 1.0 };
        DVec3::new(side(1), side(2), side(4)) * half
    };
    let faces = [
        [1, 3, 7, 5],
        [2, 0, 4, 6],
        [3, 2, 6, 7],
        [0, 1, 5, 4],
        [4, 5, 7, 6],
        [2, 3, 1, 0],
    ];
    Triangles {
        vertices: (0..8).map(corner).collect(),
        corners: faces
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faces_of_a_box_face_outwards() {
        let half = DVec3::new(1.0, 2.0, 3.0);
        let triangles = cuboid(half);
        assert_eq!(triangles.corners.len(), 12);
        for corners in &triangles.corners {
            let [a, b, c] = corners.map(|n| triangles.vertices[n as usize]);
            let outwards = (b - a).cross(c - a).normalize();
            let distance = outwards.dot(a);
            assert_eq!(distance, outwards.abs().dot(half), "{corners:?}");
        }
    }

    #[test]
    fn every_fault_is_reported() {
        let mut bad = ColliderSpec::fixed(ColliderShape::Cuboid(Vec3::X), DVec3::NAN);
        bad.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 2.0);
        let text = bad.check().unwrap_err().to_string();
        for part in [
            "collider.position",
            "collider.rotation",
            "collider.half_extents",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}
