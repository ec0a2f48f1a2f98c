//! The ground of a course, and what stands on it.

use std::collections::BTreeMap;

use glam::{DVec3, Mat4, Vec2, Vec3, Vec4};
use jounce::scene::Triangles;
use proving_ground::course::{CourseName, Cover, DrivingCourse};
use proving_ground::ground::Solid;
use proving_ground::world::{ColliderShape, ColliderSpec};
use three_d::{
    Context, CoreError, Cull, ElementBuffer, Program, RenderStates, ScissorBox, VertexBuffer,
    Viewport,
};

use super::mesh::{matrix, vector, vectors};
use super::shaders::{LAND_FRAGMENT, LAND_VERTEX};
use super::tile::Tile;
use super::{SKY, SUN};

/// Side of a tile, of which only near ones in sight are drawn (`m`).
const TILE: f64 = 64.0;
/// Beyond this, mist hides them (`m`).
const SIGHT: f32 = 750.0;
/// From these distances on, tiles are drawn coarsely, with corners this far apart (`m`).
const COARSE: [(f32, f64); 3] = [(10.0, 4.0), (90.0, 8.0), (280.0, 16.0)];
/// The shadow falls within the caster's cube, this much larger, and what lies from there this far along the sun's rays (`m`).
const SHADE: (f32, f32) = (2.2, 8.0);
/// Half of the side of a plain without end (`m`).
const PLAIN: f64 = 1500.0;

/// A tile on the graphics card.
struct TileMesh {
    centre: Vec3,
    radius: f32,
    fine: LandMesh,
    /// For the distances of [`COARSE`], where that has fewer triangles.
    coarse: [Option<LandMesh>; COARSE.len()],
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
    context: Context,
    /// With the car's shadow, and elsewhere.
    shaded: Program,
    lit: Program,
    tiles: Vec<TileMesh>,
}

impl Land {
    pub(super) fn new(context: &Context, course: &DrivingCourse) -> Result<Self, CoreError> {
        let mut tiles: Vec<Tile> = match &course.terrain.solid {
            Solid::Triangles(triangles) => tiled(triangles),
            Solid::HalfSpace { .. } => vec![plain()],
        };
        let mut parts = Tile::default();
        for (n, spec) in course.fixed.iter().enumerate() {
            parts.add_part(spec, n);
        }
        if !parts.corners.is_empty() {
            tiles.push(parts);
        }
        Ok(Self {
            name: course.name,
            context: context.clone(),
            shaded: program(context, "#define SHADED")?,
            lit: program(context, "")?,
            tiles: tiles.iter().map(|tile| tile.upload(context)).collect(),
        })
    }

    /// Draws the tiles in sight; `caster` takes the world to the unit cube of the car, whose shadow falls. What takes a
    /// processor most is the shadow: only where it may fall, its program draws.
    pub(super) fn draw(&self, viewport: Viewport, view: Mat4, eye: Vec3, caster: Option<Mat4>) {
        let mut tiles: Vec<_> = self.tiles.iter().collect();
        tiles.retain(|tile| tile.in_sight(view, eye));
        // Near ones first: what they hide is not shaded.
        tiles.sort_by(|a, b| a.away(eye).total_cmp(&b.away(eye)));
        let shaded = caster.and_then(|caster| Some((caster, shade(viewport, view, caster)?)));
        if let Some((caster, part)) = shaded {
            let to_world = caster.inverse();
            let half = [to_world.x_axis, to_world.y_axis, to_world.z_axis].map(Vec4::length);
            let reach = SHADE.0 * half.iter().sum::<f32>() + SHADE.1;
            let place = to_world.w_axis.truncate();
            let near: Vec<_> = tiles
                .iter()
                .copied()
                .filter(|t| t.away(place) < reach)
                .collect();
            self.context.set_scissor(part);
            self.shaded.use_uniform("caster", matrix(caster));
            draw(&self.shaded, &near, viewport, view, eye);
        }
        self.context.set_scissor(viewport.into());
        draw(&self.lit, &tiles, viewport, view, eye);
    }
}

fn program(context: &Context, define: &str) -> Result<Program, CoreError> {
    Program::from_source(context, LAND_VERTEX, &format!("{define}{LAND_FRAGMENT}"))
}

fn draw(program: &Program, tiles: &[&TileMesh], viewport: Viewport, view: Mat4, eye: Vec3) {
    program.use_uniform("view", matrix(view));
    program.use_uniform("sun", vector(SUN));
    program.use_uniform("eye", vector(eye));
    program.use_uniform("sky", vector(SKY));
    let states = RenderStates {
        cull: Cull::None,
        ..RenderStates::default()
    };
    for tile in tiles {
        let mesh = tile.mesh(eye);
        program.use_vertex_attribute("position", &mesh.points);
        program.use_vertex_attribute("normal", &mesh.normals);
        program.use_vertex_attribute("color", &mesh.colors);
        program.draw_elements(states, viewport, &mesh.corners);
    }
}

/// The part of the picture where a shadow may fall; `None` if that is out of sight.
fn shade(viewport: Viewport, view: Mat4, caster: Mat4) -> Option<ScissorBox> {
    let to_world = caster.inverse();
    let corners = [-1.0, 1.0].map(|x| {
        [-1.0, 1.0]
            .map(|y| [-1.0, 1.0].map(|z| to_world.transform_point3(SHADE.0 * Vec3::new(x, y, z))))
    });
    let near = corners.into_iter().flatten().flatten();
    let points = near.flat_map(|point| [point, point - SUN * SHADE.1]);
    let seen: Vec<Vec4> = points.map(|point| view * point.extend(1.0)).collect();
    let size = Vec2::new(viewport.width as f32, viewport.height as f32);
    let behind = |point: &Vec4| point.w < 0.1;
    if seen.iter().all(behind) {
        return None;
    }
    // Some behind the eye: anywhere.
    let (low, high) = if seen.iter().any(behind) {
        (Vec2::ZERO, size)
    } else {
        let places = seen
            .iter()
            .map(|point| (0.5 + 0.5 * point.truncate().truncate() / point.w) * size);
        let (low, high) = (places.clone().reduce(Vec2::min)?, places.reduce(Vec2::max)?);
        (low.floor().max(Vec2::ZERO), high.ceil().min(size))
    };
    let part = high - low;
    (part.x >= 1.0 && part.y >= 1.0).then(|| ScissorBox {
        x: viewport.x + low.x as i32,
        y: viewport.y + low.y as i32,
        width: part.x as u32,
        height: part.y as u32,
    })
}

impl TileMesh {
    fn mesh(&self, eye: Vec3) -> &LandMesh {
        let away = self.away(eye);
        let levels = self.coarse.iter().zip(COARSE);
        let fits = levels.filter(|(_, (from, _))| away > *from);
        fits.filter_map(|(mesh, _)| mesh.as_ref())
            .next_back()
            .unwrap_or(&self.fine)
    }

    /// Distance of its nearest point at least; negative within.
    fn away(&self, eye: Vec3) -> f32 {
        (self.centre - eye).length() - self.radius
    }

    /// Whether a part of it may be seen.
    fn in_sight(&self, view: Mat4, eye: Vec3) -> bool {
        if self.away(eye) > SIGHT {
            return false;
        }
        let rows = [view.row(0), view.row(1), view.row(3)];
        let [x, y, w] = rows;
        [w + x, w - x, w + y, w - y].into_iter().all(|plane| {
            let normal = plane.truncate();
            normal.dot(self.centre) + plane.w > -self.radius * normal.length()
        })
    }
}

impl Tile {
    fn upload(&self, context: &Context) -> TileMesh {
        let [low, high] =
            [Vec3::min, Vec3::max].map(|pick| self.points.iter().copied().reduce(pick));
        let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
        let coarse = COARSE.map(|(_, cell)| {
            let coarse = self.coarse(cell);
            (coarse.corners.len() < self.corners.len()).then(|| coarse.skirted().mesh(context))
        });
        TileMesh {
            centre: low.midpoint(high),
            radius: 0.5 * (high - low).length(),
            fine: self.skirted().mesh(context),
            coarse,
        }
    }

    fn mesh(&self, context: &Context) -> LandMesh {
        let three = |list: &[Vec3]| list.iter().copied().map(vector).collect::<Vec<_>>();
        LandMesh {
            points: VertexBuffer::new_with_data(context, &three(&self.points)),
            normals: VertexBuffer::new_with_data(context, &three(&self.normals)),
            colors: VertexBuffer::new_with_data(context, &vectors(&self.colors)),
            corners: ElementBuffer::new_with_data(context, &self.corners),
        }
    }

    fn add_part(&mut self, spec: &ColliderSpec, n: usize) {
        let color = paint(spec, n);
        let Some(triangles) = spec.triangles() else {
            return;
        };
        for corners in &triangles.corners {
            let face = corners.map(|corner| triangles.vertices[corner as usize]);
            self.face(face, color);
        }
    }
}

/// The color of a part: covers, pavements, houses, ramps. Alpha draws the grid.
fn paint(spec: &ColliderSpec, n: usize) -> Vec4 {
    const HOUSES: [Vec3; 4] = [
        Vec3::new(0.80, 0.66, 0.52),
        Vec3::new(0.70, 0.42, 0.34),
        Vec3::new(0.74, 0.75, 0.72),
        Vec3::new(0.55, 0.62, 0.66),
    ];
    let cover = Cover::ALL
        .into_iter()
        .find(|cover| cover.material() == spec.material);
    match (cover, &spec.shape) {
        (Some(Cover::Ice), _) => Vec4::new(0.74, 0.88, 0.97, 0.0),
        (Some(Cover::Gravel), _) => Vec4::new(0.68, 0.60, 0.47, 0.0),
        (Some(Cover::Wet), _) => Vec4::new(0.24, 0.28, 0.34, 0.0),
        (_, ColliderShape::Cuboid(half)) if half.z > 1.0 => HOUSES[n % 4].extend(0.0),
        (_, ColliderShape::Cuboid(_)) => Vec4::new(0.66, 0.66, 0.64, 0.3),
        _ => Vec4::new(0.90, 0.62, 0.22, 0.0),
    }
}

/// A level plain.
fn plain() -> Tile {
    let color = Vec4::new(0.52, 0.54, 0.56, 1.0);
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0) * PLAIN;
    let mut tile = Tile::default();
    tile.face([at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0)], color);
    tile.face([at(-1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)], color);
    tile
}

/// Smooth relief in tiles, green below and paler above and where it is steep.
fn tiled(triangles: &Triangles) -> Vec<Tile> {
    let points: Vec<Vec3> = triangles.vertices.iter().map(|v| v.as_vec3()).collect();
    let mut normals = vec![Vec3::ZERO; points.len()];
    for corners in &triangles.corners {
        let [a, b, c] = corners.map(|corner| points[corner as usize]);
        let normal = (b - a).cross(c - a);
        for corner in corners {
            normals[*corner as usize] += normal * normal.z.signum();
        }
    }
    let mut tiles: BTreeMap<(i64, i64), (Tile, BTreeMap<u32, u32>)> = BTreeMap::new();
    for corners in &triangles.corners {
        let first = triangles.vertices[corners[0] as usize] / TILE;
        let key = (first.x.floor() as i64, first.y.floor() as i64);
        let (tile, known) = tiles.entry(key).or_default();
        for corner in corners {
            let index = *known.entry(*corner).or_insert_with(|| {
                let (point, normal) = (
                    points[*corner as usize],
                    normals[*corner as usize].normalize_or(Vec3::Z),
                );
                tile.points.push(point);
                tile.normals.push(normal);
                tile.colors.push(grass(point, normal));
                tile.points.len() as u32 - 1
            });
            tile.corners.push(index);
        }
    }
    let tiles = tiles.into_values().map(|(tile, _)| tile);
    tiles
        .map(|tile| Tile {
            relief: true,
            ..tile
        })
        .collect()
}

fn grass(point: Vec3, normal: Vec3) -> Vec4 {
    let steep = ((1.0 - normal.z) * 14.0).clamp(0.0, 1.0);
    let high = (point.z / 14.0 * 0.5 + 0.5).clamp(0.0, 1.0);
    let low = Vec3::new(0.33, 0.49, 0.22);
    let color = low
        .lerp(Vec3::new(0.60, 0.64, 0.34), high)
        .lerp(Vec3::new(0.58, 0.50, 0.38), 0.7 * steep);
    color.extend(0.9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::camera::rh::proj::opengl::perspective;
    use glam::camera::rh::view::look_at_mat4;

    #[test]
    fn a_shadow_is_looked_for_about_its_caster() {
        let viewport = Viewport::new_at_origo(1000, 500);
        let view = |eye: Vec3| {
            let turn = look_at_mat4(eye, Vec3::X, Vec3::Z);
            perspective(0.95, 2.0, 0.25, 1500.0) * turn
        };
        let part = |eye: Vec3| shade(viewport, view(eye), Mat4::IDENTITY);
        let far = part(Vec3::new(-60.0, 0.0, 20.0)).unwrap();
        assert!(
            far.width < 500 && far.x > 0 && far.x + (far.width as i32) < 1000,
            "{far:?}"
        );
        let within = part(Vec3::new(-1.0, 0.0, 1.0)).unwrap();
        assert_eq!((within.width, within.height), (1000, 500));
        assert!(part(Vec3::new(60.0, 0.0, 5.0)).is_some());
        let away = Mat4::from_translation(Vec3::X * 500.0);
        assert!(shade(viewport, view(Vec3::new(-20.0, 0.0, 5.0)), away).is_none());
    }
}
