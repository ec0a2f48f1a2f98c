//! The ground of a course and what stands on it, on the graphics card: tiles in sight, fine where they are near.

use glam::{Mat4, Vec3};
use proving_ground::course::{CourseName, DrivingCourse};
use three_d::{
    Blend, BlendEquationType, BlendMultiplierType, Context, CoreError, Cull, DepthTest,
    ElementBuffer, Program, RenderStates, VertexBuffer, Viewport, WriteMask,
};

use super::convert::{matrix, vector, vectors};
use super::ground_shaders::{COVER_FRAGMENT, LAND_FRAGMENT, LAND_VERTEX};
use super::look::{Fine, Look};
use super::shade::Shade;
use super::shaders::{SHADE_FRAGMENT, SHADE_VERTEX};
use super::tile::{self, Tile};
use super::{SKY, SUN, in_sight};

/// Distance beyond which mist hides tiles (`m`).
const SIGHT: f32 = 750.0;
/// Levels of a tile: distance of the eye from which it is used, least distance of corners (`m`). Where a processor draws,
/// triangles count as much as pixels.
const LEVELS: [(f32, f64); 4] = [(10.0, 4.0), (40.0, 8.0), (100.0, 16.0), (240.0, 32.0)];

/// A tile on the graphics card.
struct TileMesh {
    /// Whether the mesh lies or stands on the relief.
    covers: bool,
    center: Vec3,
    radius: f32,
    fine: LandMesh,
    /// Coarser meshes with the distances from which they are drawn (`m`), from near to far; empty for few triangles.
    coarse: Vec<(f32, LandMesh)>,
}

struct LandMesh {
    points: VertexBuffer<three_d::Vec3>,
    normals: VertexBuffer<three_d::Vec3>,
    colors: VertexBuffer<three_d::Vec4>,
    corners: ElementBuffer<u32>,
}

/// The ground of one course.
pub(super) struct Land {
    pub(super) name: CourseName,
    ground: Program,
    cover: Program,
    shade: Program,
    /// The relief, then what is on it.
    tiles: Vec<TileMesh>,
}

/// Blending that multiplies the present color.
const DARKEN: Blend = Blend::Enabled {
    source_rgb_multiplier: BlendMultiplierType::DstColor,
    source_alpha_multiplier: BlendMultiplierType::Zero,
    destination_rgb_multiplier: BlendMultiplierType::Zero,
    destination_alpha_multiplier: BlendMultiplierType::One,
    rgb_equation: BlendEquationType::Add,
    alpha_equation: BlendEquationType::Add,
};

impl Land {
    pub(super) fn new(
        context: &Context,
        course: &DrivingCourse,
        look: Look,
    ) -> Result<Self, CoreError> {
        let vertex = look.vertex(LAND_VERTEX);
        let program =
            |fragment: &str| Program::from_source(context, &vertex, &look.fragment(fragment));
        let relief = tile::relief(&course.terrain.solid);
        let relief = relief
            .iter()
            .map(|tile| TileMesh::new(context, (tile, &LEVELS), false));
        let parts = tile::parts(&course.fixed);
        let parts = parts
            .iter()
            .map(|tile| TileMesh::new(context, (tile, &[]), true));
        let tiles = relief.chain(parts).collect();
        Ok(Self {
            name: course.name,
            ground: program(LAND_FRAGMENT)?,
            cover: program(COVER_FRAGMENT)?,
            shade: Program::from_source(context, SHADE_VERTEX, SHADE_FRAGMENT)?,
            tiles,
        })
    }

    /// Draws the tiles in sight.
    pub(super) fn draw(&self, viewport: Viewport, (view, eye): (Mat4, Vec3), fine: Option<&Fine>) {
        for program in [&self.ground, &self.cover] {
            program.use_uniform("view", matrix(view));
            program.use_uniform("sun", vector(SUN));
            program.use_uniform("sky", vector(SKY));
            if let Some(fine) = fine {
                fine.shade(program);
            }
        }
        for tile in self.tiles.iter().filter(|tile| tile.in_sight(view, eye)) {
            let program = if tile.covers {
                &self.cover
            } else {
                &self.ground
            };
            let mesh = tile.mesh(eye);
            program.use_vertex_attribute("position", &mesh.points);
            program.use_vertex_attribute("normal", &mesh.normals);
            program.use_vertex_attribute("color", &mesh.colors);
            let states = RenderStates {
                cull: Cull::Back,
                ..RenderStates::default()
            };
            program.draw_elements(states, viewport, &mesh.corners);
        }
    }

    /// Darkens what was drawn where the shadow falls: a second look at a few tiles, as most pixels lie in the sun.
    pub(super) fn darken(&self, viewport: Viewport, view: Mat4, eye: Vec3, shade: &Shade) {
        let program = &self.shade;
        program.use_uniform("view", matrix(view));
        program.use_uniform("sun", vector(SUN));
        program.use_uniform("caster", matrix(shade.caster));
        program.use_uniform("inverse", vector(shade.inverse));
        let reaches = |tile: &&TileMesh| shade.reaches(tile.center, tile.radius);
        for tile in self.tiles.iter().filter(reaches) {
            let mesh = tile.mesh(eye);
            program.use_vertex_attribute("position", &mesh.points);
            program.use_vertex_attribute("normal", &mesh.normals);
            let states = RenderStates {
                blend: DARKEN,
                cull: Cull::Back,
                depth_test: DepthTest::LessOrEqual,
                write_mask: WriteMask::COLOR,
            };
            program.draw_elements(states, viewport, &mesh.corners);
        }
    }
}

impl TileMesh {
    /// A tile, and the same at these levels.
    fn new(context: &Context, (tile, levels): (&Tile, &[(f32, f64)]), covers: bool) -> Self {
        let [low, high] =
            [Vec3::min, Vec3::max].map(|pick| tile.points.iter().copied().reduce(pick));
        let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
        let upload = |tile: &Tile| LandMesh::new(context, &tile.skirted());
        Self {
            covers,
            center: low.midpoint(high),
            radius: 0.5 * (high - low).length(),
            fine: upload(tile),
            coarse: tile
                .coarser(levels)
                .map(|(from, tile)| (from, upload(&tile)))
                .collect(),
        }
    }

    fn mesh(&self, eye: Vec3) -> &LandMesh {
        let far = (self.center - eye).length() - self.radius;
        let mut levels = self.coarse.iter().rev();
        levels
            .find(|(from, _)| far > *from)
            .map_or(&self.fine, |(_, mesh)| mesh)
    }

    /// Whether any part of the tile may be visible.
    fn in_sight(&self, view: Mat4, eye: Vec3) -> bool {
        if (self.center - eye).length() - self.radius > SIGHT {
            return false;
        }
        in_sight(view, self.center, self.radius)
    }
}

impl LandMesh {
    fn new(context: &Context, tile: &Tile) -> Self {
        let three = |list: &[Vec3]| list.iter().copied().map(vector).collect::<Vec<_>>();
        Self {
            points: VertexBuffer::new_with_data(context, &three(&tile.points)),
            normals: VertexBuffer::new_with_data(context, &three(&tile.normals)),
            colors: VertexBuffer::new_with_data(context, &vectors(&tile.colors)),
            corners: ElementBuffer::new_with_data(context, &tile.corners),
        }
    }
}
