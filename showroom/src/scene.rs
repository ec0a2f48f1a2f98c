//! Drawing: light shading that a processor can do, from what the library reports.

mod shaders;
mod ground_shaders;
mod convert;
mod look;
mod mesh;
mod solids;
mod body;
mod shade;
mod tile;
mod land;
mod scenery;
mod pen;
mod overlay;

use glam::{DVec3, Mat4, Quat, Vec3, Vec4};
use proving_ground::course::DrivingCourse;
use proving_ground::session::Session;
use proving_ground::world::PLATFORM_HALF;
use three_d::{ClearState, Context, CoreError, RenderTarget, Viewport};

use crate::camera::Follower;
use crate::fleet::FleetShow;
use crate::sim::{Moving, Place};
use body::Lit;
use land::Land;
pub use look::Look;
use look::{Fine, Surface};
use mesh::{MeshData, Solid, SolidMesh};
pub use overlay::{Overlay, Trails};
use pen::{Pen, VehicleMeshes, renew};
use scenery::Scenery;
use shade::Shade;
use solids::Slab;

/// Colors of the sky and of the sun.
const SKY: Vec3 = Vec3::new(0.71, 0.80, 0.88);
/// Direction to the sun.
pub const SUN: Vec3 = Vec3::new(-0.424, 0.424, 0.8);

/// A ghost nearer to the car than this (`m`) would only flicker through its faces.
const APART: f64 = 0.02;

/// Everything that is drawn, on the graphics card.
pub struct Scene {
    context: Context,
    look: Look,
    /// What a fine picture takes; `None` of a plain one.
    fine: Option<Fine>,
    solid: Solid,
    land: Option<Land>,
    scenery: Option<Scenery>,
    slab: SolidMesh,
    car: Option<VehicleMeshes>,
    trailer: Option<VehicleMeshes>,
    cube: SolidMesh,
    overlay: overlay::OverlayPainter,
}

impl core::fmt::Debug for Scene {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scene").finish_non_exhaustive()
    }
}

/// Contents of a picture.
#[derive(Debug)]
pub struct Picture<'a> {
    /// The session.
    pub session: &'a Session,
    /// Poses of everything that moves.
    pub moving: &'a Moving,
    /// Camera.
    pub camera: &'a Follower,
    /// Arrows, lines, marks and dust.
    pub overlay: &'a Overlay,
    /// Fleet to draw instead of the session's car.
    pub fleet: Option<&'a FleetShow>,
    /// Whether cars of the fleet are painted by their levels of detail.
    pub levels: bool,
    /// Part of the screen that the picture fills (pixels).
    pub viewport: Viewport,
}

impl Picture<'_> {
    fn course(&self) -> &DrivingCourse {
        self.fleet.map_or(self.session.course(), FleetShow::course)
    }

    /// Lamps of the car and its trailer that are lit now.
    fn lit(&self) -> Lit {
        let session = self.session;
        let time = session.steps() as f64 * f64::from(session.dt());
        let gear = session.driven().vehicle.state().drive.gear;
        Lit::by(session.command(), gear, time)
    }

    /// The shadow of the car; none of a fleet.
    fn shade(&self) -> Option<Shade> {
        let place = self.moving.car.places.first();
        let place = place.filter(|_| self.fleet.is_none())?;
        let ground = self.course().terrain.height(place.position.truncate());
        let high = ground.map_or(0.0, |ground| place.position.z - ground);
        Some(Shade::of(&self.session.driven().car, place, high as f32))
    }
}

/// Drawing does not fail.
fn done(draw: impl FnOnce()) -> Result<(), CoreError> {
    draw();
    Ok(())
}

impl Scene {
    /// Prepares an empty scene of this look; `None` measures how fast the renderer is.
    ///
    /// # Errors
    /// If the shaders do not compile.
    pub fn new(context: &Context, look: Option<Look>) -> Result<Self, CoreError> {
        let look = look.map_or_else(|| Look::of(context), Ok)?;
        let fine = (look == Look::Fine).then(|| Fine::new(context));
        Ok(Self {
            context: context.clone(),
            look,
            fine: fine.transpose()?,
            solid: Solid::new(context, look)?,
            land: None,
            scenery: None,
            slab: slab().upload(context),
            car: None,
            trailer: None,
            cube: MeshData::cuboid(Vec3::ONE, Vec3::ONE).upload(context),
            overlay: overlay::OverlayPainter::new(context)?,
        })
    }

    /// Draws a picture.
    ///
    /// # Errors
    /// If the graphics card refuses.
    pub fn draw(
        &mut self,
        target: &RenderTarget<'_>,
        picture: &Picture<'_>,
    ) -> Result<(), CoreError> {
        self.prepare(picture)?;
        if self.fine.is_none() {
            return self.draw_onto(Surface::Direct(target), picture);
        }
        self.cast(picture)?;
        if let Some(fine) = &mut self.fine {
            fine.prepare(target.width(), target.height());
        }
        if let Some(fine) = &self.fine
            && let Some(surface) = fine.surface()
        {
            self.draw_onto(surface, picture)?;
            fine.finish(target)?;
        }
        Ok(())
    }

    /// Draws the shadow map.
    fn cast(&mut self, picture: &Picture<'_>) -> Result<(), CoreError> {
        let Some(mut fine) = self.fine.take() else {
            return Ok(());
        };
        let about = match picture.fleet {
            Some(fleet) => fleet.driven().position,
            None => picture
                .moving
                .car
                .places
                .first()
                .map_or(DVec3::ZERO, |car| car.position),
        };
        let done = fine.cast(about.as_vec3(), |viewport, view| {
            let pen = Pen {
                solid: &self.solid,
                viewport,
                view,
                eye: picture.camera.eye.as_vec3(),
                fine: None,
                casting: true,
            };
            self.paint(&pen, picture);
        });
        self.fine = Some(fine);
        done
    }

    fn draw_onto(&self, surface: Surface<'_>, picture: &Picture<'_>) -> Result<(), CoreError> {
        let viewport = picture.viewport;
        let view = picture
            .camera
            .matrix(viewport.width as f32 / viewport.height.max(1) as f32);
        surface.clear(ClearState::color_and_depth(SKY.x, SKY.y, SKY.z, 1.0, 1.0));
        let eye = picture.camera.eye.as_vec3();
        let pen = Pen {
            solid: &self.solid,
            viewport,
            view,
            eye,
            fine: self.fine.as_ref(),
            casting: false,
        };
        // What hides the ground comes first: hidden pixels cost nothing.
        surface.write(|| self.paint(&pen, picture))?;
        if let Some(land) = &self.land {
            surface.write(|| land.draw(viewport, (view, eye), self.fine.as_ref()))?;
            if let Some(shade) = picture.shade().filter(|_| self.fine.is_none())
                && let Some(frame) = shade.frame(viewport, view)
            {
                surface.write_partially(frame, || land.darken(viewport, view, eye, &shade))?;
            }
        }
        if let Some(fine) = &self.fine {
            surface.write(|| fine.sky(viewport, view, eye))?;
        }
        if picture.fleet.is_none() {
            surface.write(|| self.paint_over(&pen, picture))?;
        }
        Ok(())
    }

    /// Makes the meshes of a course or a car that has not been drawn yet.
    fn prepare(&mut self, picture: &Picture<'_>) -> Result<(), CoreError> {
        let course = picture.course();
        if self
            .land
            .as_ref()
            .is_none_or(|land| land.name != course.name)
        {
            self.land = Some(Land::new(&self.context, course, self.look)?);
            self.scenery = Some(Scenery::new(&self.context, course));
        }
        let driven = picture.session.driven();
        renew(&self.context, &mut self.car, Some(&driven.car));
        renew(
            &self.context,
            &mut self.trailer,
            picture.session.trailer().map(|towed| &towed.car),
        );
        Ok(())
    }

    fn paint(&self, pen: &Pen<'_>, picture: &Picture<'_>) {
        let moving = picture.moving;
        if let Some(scenery) = &self.scenery {
            let sight = |place: Vec3, height: f32| in_sight(pen.view, place, height);
            scenery.each(pen.eye, sight, |mesh, places| pen.draw(mesh, places));
        }
        if let Some(fleet) = picture.fleet {
            if let Some(meshes) = &self.car {
                pen.fleet(meshes, fleet, picture.levels);
            }
            return;
        }
        let lit = picture.lit();
        for (meshes, shape) in [(&self.car, &moving.car), (&self.trailer, &moving.trailer)] {
            if let Some(meshes) = meshes {
                pen.vehicle(meshes, shape, Vec4::ONE, &lit);
            }
        }
        self.paint_things(pen, picture);
    }

    /// Draws transparent things: the ghost where its position differs from the car's, arrows, marks, dust.
    fn paint_over(&self, pen: &Pen<'_>, picture: &Picture<'_>) {
        let [car, ghost] = [&picture.moving.car, &picture.moving.ghost]
            .map(|shape| shape.places.first().map(|chassis| chassis.position));
        let apart = car
            .zip(ghost)
            .is_some_and(|(car, ghost)| car.distance(ghost) > APART);
        if let Some(meshes) = self.car.as_ref().filter(|_| apart) {
            let ghostly = Vec4::new(0.45, 0.75, 1.0, 0.35);
            pen.vehicle(meshes, &picture.moving.ghost, ghostly, &Lit::default());
        }
        self.overlay.draw(pen.viewport, pen.view, picture.overlay);
    }

    fn paint_things(&self, pen: &Pen<'_>, picture: &Picture<'_>) {
        let boxes = picture
            .session
            .course()
            .boxes
            .iter()
            .zip(&picture.moving.boxes.places);
        let boxes = boxes.filter_map(|(made, place)| {
            let hull = made.hull.as_ref()?;
            let at = pose(place) * Mat4::from_translation(hull.center);
            Some((
                at * Mat4::from_scale(hull.half_extents),
                Vec4::new(0.80, 0.62, 0.38, 1.0),
            ))
        });
        pen.draw(&self.cube, &boxes.collect::<Vec<_>>());
        let slabs = picture.moving.platforms.places.iter();
        let slabs = slabs.map(|place| (pose(place), Vec4::ONE));
        pen.draw(&self.slab, &slabs.collect::<Vec<_>>());
    }
}

/// A platform with its top at the origin, checkered, so that one sees it turn.
fn slab() -> MeshData {
    const FIELDS: u8 = 8;
    let (half, mut mesh) = (PLATFORM_HALF, MeshData::default());
    let slab = |z: f32| Slab::new([-half.x, half.x], half.y, z);
    let gray = Vec4::new(0.55, 0.57, 0.62, 0.1);
    let block = mesh.block(slab(-2.0 * half.z), slab(0.0), gray);
    let share = |n: u8| [n, n + 1].map(|n| f32::from(n) / f32::from(FIELDS));
    for field in 0..FIELDS * FIELDS {
        let (column, row) = (field % FIELDS, field / FIELDS);
        if (column + row) % 2 == 0 {
            mesh.panel(block.top, share(column), share(row), gray * 0.8);
        }
    }
    let yellow = Vec4::new(0.92, 0.72, 0.12, 0.1);
    for side in [block.left, block.right, block.front, block.rear] {
        mesh.panel(side, [0.0, 1.0], [0.9, 1.0], yellow);
    }
    mesh
}

/// Whether any part of a sphere may be visible.
fn in_sight(view: Mat4, center: Vec3, radius: f32) -> bool {
    let rows = [view.row(0), view.row(1), view.row(3)];
    let [x, y, w] = rows;
    [w + x, w - x, w + y, w - y].into_iter().all(|plane| {
        let normal = plane.truncate();
        normal.dot(center) + plane.w > -radius * normal.length()
    })
}

/// A pose as a matrix.
fn pose(place: &Place) -> Mat4 {
    Mat4::from_rotation_translation(place.rotation, place.position.as_vec3())
}

/// A rotation that turns x to this direction.
pub(crate) fn turned_to(direction: Vec3) -> Quat {
    Quat::from_rotation_arc(Vec3::X, direction.normalize_or(Vec3::X))
}

/// A point near a position (`m`, world).
pub(crate) fn near(place: DVec3, offset: Vec3) -> Vec3 {
    (place + offset.as_dvec3()).as_vec3()
}
