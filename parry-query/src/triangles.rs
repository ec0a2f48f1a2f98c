//! A few rays on a mesh or a heightfield: the triangles near all of them are looked up once.

use glam::Vec3;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::query::{Ray, RayCast, RayIntersection};
use parry3d::shape::{FeatureId, HeightField, TriMesh, Triangle};

use crate::wheel::rounding;

/// Most rays that look together: those of a car.
pub(crate) const TOGETHER: usize = 4;

/// A ray, and how far it looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Its start and its unit direction.
    pub(crate) ray: Ray,
    /// Hits beyond this distance do not count (`m`).
    pub(crate) within: f32,
}

impl Look {
    /// Initial value: no length, hits nothing.
    pub(crate) const BLANK: Self = Self {
        ray: Ray {
            origin: Vec3::ZERO,
            dir: Vec3::ZERO,
        },
        within: 0.0,
    };
}

/// With more triangles than these near some rays, fewer are near each of them; with more near one ray, it is a long one.
const MOST: usize = 32;

/// A shape of triangles.
pub(crate) trait Triangles: RayCast {
    /// Calls `visit` with triangles that may touch a box, up to [`MOST`]; returns whether these are all of them.
    fn visit_near(&self, near: &Aabb, visit: impl FnMut(u32, &Triangle)) -> bool;

    /// The nearest hit of a ray that none of the triangles near it stops.
    fn cast_in_gap(&self, look: &Look) -> Option<TriangleHit>;
}

/// Where a ray hits a triangle, in the axes of the triangles.
///
/// Parry's own type has the triangle's number beside the normal. A number is a denormal if it is read as `f32`, as the
/// fourth lane of a normal that a quaternion turns, and arithmetic with denormals takes a hundred times as long.
#[derive(Clone, Copy)]
pub(crate) struct TriangleHit {
    normal: Vec3,
    distance: f32,
    number: u32,
    feature: FeatureId,
}

impl TriangleHit {
    fn new(hit: &RayIntersection, number: u32) -> Self {
        Self {
            normal: hit.normal,
            distance: hit.time_of_impact,
            number,
            feature: hit.feature,
        }
    }

    fn turned_by(&self, pose: &Pose) -> RayIntersection {
        RayIntersection::new(self.distance, pose.rotation * self.normal, self.feature)
            .with_subshape(self.number)
    }
}

/// A ray in the axes of the triangles.
#[derive(Clone, Copy)]
struct Local {
    look: Look,
    /// Around the ray, and wider by the rounding of its coordinates.
    bounds: Aabb,
    nearest: Option<TriangleHit>,
}

impl Local {
    const BLANK: Self = Self {
        look: Look::BLANK,
        bounds: Aabb {
            mins: Vec3::ZERO,
            maxs: Vec3::ZERO,
        },
        nearest: None,
    };

    fn new(Look { ray, within }: Look, pose: &Pose) -> Self {
        let ray = ray.inverse_transform_by(pose);
        let end = ray.origin + ray.dir * within;
        let border = Vec3::splat(rounding(within, ray.origin));
        Self {
            look: Look { ray, within },
            bounds: Aabb {
                mins: ray.origin.min(end) - border,
                maxs: ray.origin.max(end) + border,
            },
            nearest: None,
        }
    }

    fn offer(&mut self, hit: TriangleHit) {
        let key = |hit: &TriangleHit| (hit.distance, hit.number);
        if self.nearest.is_none_or(|best| key(&hit) < key(&best)) {
            self.nearest = Some(hit);
        }
    }
}

/// As [`cast_rays`](crate::ray::cast_rays), on a shape of triangles.
///
/// Which triangles are tried with a ray depends on this ray alone: those whose box touches its own.
pub(crate) fn cast_on_triangles(
    shape: &impl Triangles,
    pose: &Pose,
    looks: &[Look],
    mut found: impl FnMut(usize, RayIntersection),
) {
    let mut rays = [Local::BLANK; TOGETHER];
    let rays = &mut rays[..looks.len()];
    for (ray, look) in rays.iter_mut().zip(looks) {
        *ray = Local::new(*look, pose);
    }
    search(shape, rays);
    for (n, Local { look, nearest, .. }) in rays.iter().enumerate() {
        if let Some(hit) = nearest.or_else(|| shape.cast_in_gap(look)) {
            found(n, hit.turned_by(pose));
        }
    }
}

/// Searches for some rays together, else for each by itself, else as Parry does.
fn search(shape: &impl Triangles, rays: &mut [Local]) {
    let mut near = rays[0].bounds;
    for ray in &rays[1..] {
        near = Aabb::new(near.mins.min(ray.bounds.mins), near.maxs.max(ray.bounds.maxs));
    }
    // Parry casts rays without end, too.
    let finite = near.mins.is_finite() && near.maxs.is_finite();
    let all = finite && shape.visit_near(&near, |number, triangle| try_one(number, triangle, rays));
    if all {
        return;
    }
    match rays {
        [one] => {
            let Look { ray, within } = one.look;
            let hit = shape.cast_local_ray_and_get_normal(&ray, within, true);
            one.nearest = hit.map(|hit| TriangleHit::new(&hit, hit.subshape));
        }
        several => several
            .iter_mut()
            .for_each(|one| search(shape, core::slice::from_mut(one))),
    }
}

fn try_one(number: u32, triangle: &Triangle, rays: &mut [Local]) {
    let Triangle { a, b, c } = *triangle;
    let bounds = Aabb {
        mins: a.min(b).min(c),
        maxs: a.max(b).max(c),
    };
    for local in rays {
        let Look { ray, within } = &local.look;
        if !touch(&bounds, &local.bounds) {
            continue;
        }
        if let Some(hit) = triangle.cast_local_ray_and_get_normal(ray, *within, true) {
            local.offer(TriangleHit::new(&hit, number));
        }
    }
}

fn touch(a: &Aabb, b: &Aabb) -> bool {
    a.mins.cmple(b.maxs).all() && a.maxs.cmpge(b.mins).all()
}

impl Triangles for TriMesh {
    fn visit_near(&self, near: &Aabb, mut visit: impl FnMut(u32, &Triangle)) -> bool {
        for (count, number) in self.bvh().intersect_aabb(near).enumerate() {
            if count == MOST {
                return false;
            }
            visit(number, &self.triangle(number));
        }
        true
    }

    fn cast_in_gap(&self, _: &Look) -> Option<TriangleHit> {
        None
    }
}

impl Triangles for HeightField {
    fn visit_near(&self, near: &Aabb, mut visit: impl FnMut(u32, &Triangle)) -> bool {
        let (rows, columns) = (self.nrows(), self.ncols());
        let (i, j) = self.unclamped_elements_range_in_local_aabb(near);
        let within = |range: core::ops::Range<isize>, count: usize| {
            let clamp = |cell: isize| cell.clamp(0, count as isize) as usize;
            clamp(range.start)..clamp(range.end)
        };
        let (i, j) = (within(i, rows), within(j, columns));
        if 2 * i.len() * j.len() > MOST {
            return false;
        }
        for j in j {
            for i in i.clone() {
                let (left, right) = self.triangles_at(i, j);
                // As Parry numbers them.
                let number = (j * rows + i) as u32;
                let other = number + (rows * columns) as u32;
                left.into_iter().for_each(|left| visit(number, &left));
                right.into_iter().for_each(|right| visit(other, &right));
            }
        }
        true
    }

    /// A ray along an edge of two triangles can miss both by rounding: a car that drives along one would fall through.
    /// It is cast again, offset towards the middle of the field (so that it cannot leave it); the distance is then
    /// measured along the original ray to the plane of the triangle found.
    fn cast_in_gap(&self, look: &Look) -> Option<TriangleHit> {
        let Look { ray, within } = look;
        // One millimeter, or the single-precision resolution of a large field. Unequal in x and
        // z, to avoid running along a diagonal.
        let step = (2e-6 * self.scale().abs().max_element()).max(1e-3);
        let aside = Vec3::new(
            -step.copysign(ray.origin.x),
            0.0,
            -0.7 * step.copysign(ray.origin.z),
        );
        let moved = ray.translate_by(aside);
        let hit = self.cast_local_ray_and_get_normal(&moved, within + step, true)?;
        let mut hit = TriangleHit::new(&hit, hit.subshape);
        hit.distance += hit.normal.dot(aside) / hit.normal.dot(ray.dir);
        (0.0..=*within).contains(&hit.distance).then_some(hit)
    }
}
