//! Meshes: built as data, uploaded once, drawn in instances.

use glam::{Mat4, Vec3, Vec4};
use three_d::{
    Blend, Context, CoreError, Cull, InstanceBuffer, Program, RenderStates, VertexBuffer, Viewport,
};

use super::convert::{matrix, vector, vectors};
use super::look::{Fine, Look};
use super::shaders::{CASTER_FRAGMENT, CASTER_VERTEX, SOLID_FRAGMENT, SOLID_VERTEX};
use super::{SKY, SUN};

/// Triangles with a color each; alpha is the gloss.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MeshData {
    pub(super) corners: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) colors: Vec<Vec4>,
}

impl MeshData {
    /// A flat triangle, counter-clockwise from outside.
    pub(super) fn triangle(&mut self, [a, b, c]: [Vec3; 3], color: Vec4) {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for corner in [a, b, c] {
            self.corners.push(corner);
            self.normals.push(normal);
            self.colors.push(color);
        }
    }

    /// A flat quadrilateral.
    pub(super) fn quad(&mut self, [a, b, c, d]: [Vec3; 4], color: Vec4) {
        self.triangle([a, b, c], color);
        self.triangle([a, c, d], color);
    }

    /// A box about a center.
    pub(super) fn add_box(&mut self, center: Vec3, half: Vec3, color: Vec4) {
        let at = |x: f32, y: f32, z: f32| center + half * Vec3::new(x, y, z);
        for sign in [1.0, -1.0_f32] {
            let faces = [
                [
                    at(sign, -sign, -1.0),
                    at(sign, sign, -1.0),
                    at(sign, sign, 1.0),
                    at(sign, -sign, 1.0),
                ],
                [
                    at(sign, sign, -1.0),
                    at(-sign, sign, -1.0),
                    at(-sign, sign, 1.0),
                    at(sign, sign, 1.0),
                ],
                [
                    at(-1.0, -sign, sign),
                    at(1.0, -sign, sign),
                    at(1.0, sign, sign),
                    at(-1.0, sign, sign),
                ],
            ];
            for face in faces {
                self.quad(face, color);
            }
        }
    }

    /// A white box about the origin.
    pub(super) fn cuboid(half: Vec3, color: Vec3) -> Self {
        let mut mesh = Self::default();
        mesh.add_box(Vec3::ZERO, half, color.extend(0.1));
        mesh
    }

    pub(super) fn upload(&self, context: &Context) -> SolidMesh {
        SolidMesh {
            corners: VertexBuffer::new_with_data(
                context,
                &self
                    .corners
                    .iter()
                    .map(|v| three_d::vec3(v.x, v.y, v.z))
                    .collect::<Vec<_>>(),
            ),
            normals: VertexBuffer::new_with_data(
                context,
                &self
                    .normals
                    .iter()
                    .map(|v| three_d::vec3(v.x, v.y, v.z))
                    .collect::<Vec<_>>(),
            ),
            colors: VertexBuffer::new_with_data(context, &vectors(&self.colors)),
        }
    }
}

/// A mesh on the graphics card.
pub(super) struct SolidMesh {
    pub(super) corners: VertexBuffer<three_d::Vec3>,
    pub(super) normals: VertexBuffer<three_d::Vec3>,
    pub(super) colors: VertexBuffer<three_d::Vec4>,
}

/// Draws solid meshes.
pub(super) struct Solid {
    context: Context,
    program: Program,
    /// Draws into shadow maps; `None` where there are none.
    casters: Option<Program>,
}

impl Solid {
    pub(super) fn new(context: &Context, look: Look) -> Result<Self, CoreError> {
        let casters = (look == Look::Fine)
            .then(|| Program::from_source(context, CASTER_VERTEX, CASTER_FRAGMENT));
        let fragment = look.fragment(SOLID_FRAGMENT);
        Ok(Self {
            context: context.clone(),
            program: Program::from_source(context, SOLID_VERTEX, &fragment)?,
            casters: casters.transpose()?,
        })
    }

    /// Draws what casts shadows into a shadow map.
    pub(super) fn cast(
        &self,
        mesh: &SolidMesh,
        instances: &[(Mat4, Vec4)],
        (viewport, view): (Viewport, Mat4),
    ) {
        let Some(program) = &self.casters else {
            return;
        };
        if instances.is_empty() || mesh.corners.vertex_count() == 0 {
            return;
        }
        program.use_uniform("view", matrix(view));
        program.use_vertex_attribute("position", &mesh.corners);
        let columns = self.columns(instances);
        for (name, column) in &columns[..3] {
            program.use_instance_attribute(name, column);
        }
        let (count, instances) = (mesh.corners.vertex_count(), instances.len() as u32);
        program.draw_arrays_instanced(RenderStates::default(), viewport, count, instances);
    }

    /// Rows of the poses, and tints.
    fn columns(
        &self,
        instances: &[(Mat4, Vec4)],
    ) -> [(&'static str, InstanceBuffer<three_d::Vec4>); 4] {
        let column = |pick: &dyn Fn(&(Mat4, Vec4)) -> Vec4| {
            let column: Vec<Vec4> = instances.iter().map(pick).collect();
            InstanceBuffer::new_with_data(&self.context, &vectors(&column))
        };
        [
            ("row_x", column(&|(at, _)| at.row(0))),
            ("row_y", column(&|(at, _)| at.row(1))),
            ("row_z", column(&|(at, _)| at.row(2))),
            ("tint", column(&|(_, tint)| *tint)),
        ]
    }

    /// Draws a mesh once for each pose; a tint with alpha below 1 is translucent.
    pub(super) fn draw(
        &self,
        mesh: &SolidMesh,
        instances: &[(Mat4, Vec4)],
        (viewport, view, eye): (Viewport, Mat4, Vec3),
        fine: Option<&Fine>,
    ) {
        if instances.is_empty() || mesh.corners.vertex_count() == 0 {
            return;
        }
        let program = &self.program;
        program.use_uniform("view", matrix(view));
        program.use_uniform("sun", vector(SUN));
        program.use_uniform("eye", vector(eye));
        program.use_uniform("sky", vector(SKY));
        if let Some(fine) = fine {
            fine.shade(program);
        }
        program.use_vertex_attribute("position", &mesh.corners);
        program.use_vertex_attribute("normal", &mesh.normals);
        program.use_vertex_attribute("color", &mesh.colors);
        // They must live until they are drawn.
        let columns = self.columns(instances);
        for (name, column) in &columns {
            program.use_instance_attribute(name, column);
        }
        let translucent = instances[0].1.w < 1.0;
        let states = RenderStates {
            cull: Cull::Back,
            blend: if translucent {
                Blend::TRANSPARENCY
            } else {
                Blend::Disabled
            },
            ..RenderStates::default()
        };
        let (count, instances) = (mesh.corners.vertex_count(), instances.len() as u32);
        program.draw_arrays_instanced(states, viewport, count, instances);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_of_a_box_look_outwards() {
        let mesh = MeshData::cuboid(Vec3::new(1.0, 2.0, 3.0), Vec3::ONE);
        assert_eq!(mesh.corners.len(), 36);
        for (corner, normal) in mesh.corners.iter().zip(&mesh.normals) {
            assert!(corner.dot(*normal) > 0.9, "{corner} {normal}");
        }
    }
}
