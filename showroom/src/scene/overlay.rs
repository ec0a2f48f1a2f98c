//! Colored triangles without light over the picture: arrows, lines, planes, skid marks, dust.

use std::collections::VecDeque;

use glam::{Mat4, Vec3, Vec4};
use jounce::core::Vehicle;
use proving_ground::course::Cover;
use three_d::{
    Blend, Context, CoreError, Cull, DepthTest, Program, RenderStates, VertexBuffer, Viewport,
    WriteMask,
};

use super::convert::{matrix, vector, vectors};
use super::shaders::{PLAIN_FRAGMENT, PLAIN_VERTEX};
use super::turned_to;
use crate::sim::Place;

/// Triangles of one frame: some in the scene, some seen through everything.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    inside: Vec<(Vec3, Vec4)>,
    above: Vec<(Vec3, Vec4)>,
}

impl Overlay {
    fn triangle(&mut self, corners: [Vec3; 3], color: Vec4, through: bool) {
        let list = if through {
            &mut self.above
        } else {
            &mut self.inside
        };
        list.extend(corners.map(|corner| (corner, color)));
    }

    /// A quadrilateral in the scene.
    pub fn quad(&mut self, [a, b, c, d]: [Vec3; 4], color: Vec4) {
        self.triangle([a, b, c], color, false);
        self.triangle([a, c, d], color, false);
    }

    /// A line of this thickness (`m`), seen through everything.
    pub fn line(&mut self, from: Vec3, to: Vec3, thick: f32, color: Vec4) {
        let turn = turned_to(to - from);
        for axis in [Vec3::Y, Vec3::Z] {
            let side = turn * axis * (0.5 * thick);
            let [a, b, c, d] = [from - side, from + side, to + side, to - side];
            self.triangle([a, b, c], color, true);
            self.triangle([a, c, d], color, true);
        }
    }

    /// An arrow, seen through everything.
    pub fn arrow(&mut self, from: Vec3, vector: Vec3, color: Vec4) {
        let length = vector.length();
        if length < 0.02 {
            return;
        }
        let head = (0.3 * length).min(0.22);
        let neck = from + vector * (1.0 - head / length);
        self.line(from, neck, 0.045, color);
        let turn = turned_to(vector);
        for axis in [Vec3::Y, Vec3::Z] {
            let side = turn * axis * (0.45 * head);
            self.triangle([neck - side, neck + side, from + vector], color, true);
        }
    }

    /// A disc about a point across a normal, seen through everything.
    pub fn disc(&mut self, center: Vec3, normal: Vec3, radius: f32, color: Vec4) {
        self.cone(center, normal, radius, 0.0, color);
    }

    /// The surface about an axis from a tip: `radius` wide at this height (`m`).
    pub fn cone(&mut self, tip: Vec3, axis: Vec3, radius: f32, high: f32, color: Vec4) {
        const SIDES: u8 = 20;
        let turn = turned_to(axis);
        let at = |n: u8| {
            let angle = core::f32::consts::TAU * f32::from(n) / f32::from(SIDES);
            tip + turn * Vec3::new(high, radius * angle.cos(), radius * angle.sin())
        };
        for n in 0..SIDES {
            self.triangle([tip, at(n), at(n + 1)], color, true);
        }
    }

    /// Number of triangles.
    #[must_use]
    pub fn triangles(&self) -> usize {
        (self.inside.len() + self.above.len()) / 3
    }
}

/// Draws overlays.
pub(super) struct OverlayPainter {
    context: Context,
    program: Program,
}

impl OverlayPainter {
    pub(super) fn new(context: &Context) -> Result<Self, CoreError> {
        Ok(Self {
            context: context.clone(),
            program: Program::from_source(context, PLAIN_VERTEX, PLAIN_FRAGMENT)?,
        })
    }

    pub(super) fn draw(&self, viewport: Viewport, view: Mat4, overlay: &Overlay) {
        for (list, depth_test) in [
            (&overlay.inside, DepthTest::LessOrEqual),
            (&overlay.above, DepthTest::Always),
        ] {
            if list.is_empty() {
                continue;
            }
            let places: Vec<_> = list.iter().map(|(place, _)| vector(*place)).collect();
            let colors: Vec<_> = list.iter().map(|(_, color)| *color).collect();
            let places = VertexBuffer::new_with_data(&self.context, &places);
            let colors = VertexBuffer::new_with_data(&self.context, &vectors(&colors));
            self.program.use_uniform("view", matrix(view));
            self.program.use_vertex_attribute("position", &places);
            self.program.use_vertex_attribute("color", &colors);
            let states = RenderStates {
                blend: Blend::TRANSPARENCY,
                cull: Cull::None,
                depth_test,
                write_mask: WriteMask::COLOR,
            };
            self.program
                .draw_arrays(states, viewport, places.vertex_count());
        }
    }
}

/// A piece of a skid mark.
#[derive(Clone, Copy, Debug)]
struct Mark {
    corners: [Vec3; 4],
    dark: f32,
}

/// A puff of dust or smoke.
#[derive(Clone, Copy, Debug)]
struct Puff {
    place: Vec3,
    drift: Vec3,
    age: f32,
    color: Vec3,
}

/// Pieces of marks and puffs that are kept.
const MARKS: usize = 900;
const PUFFS: usize = 90;
/// Lifetime of a puff (`s`).
const PUFF_LIFE: f32 = 1.1;
const PUFF_SIDES: u8 = 10;
/// Value of `skid_info` below which a tire slides.
const ROLLS: f32 = 0.85;

/// Skid marks and dust that tires leave behind, from their reports.
#[derive(Debug, Default)]
pub struct Trails {
    marks: VecDeque<Mark>,
    puffs: VecDeque<Puff>,
    /// End of each wheel's mark.
    ends: Vec<Option<[Vec3; 2]>>,
    clock: u32,
}

impl Trails {
    /// Forgets everything, as after a jump.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Looks at a vehicle after a step, `car` being where it was at the step's start within a step.
    pub fn step(&mut self, vehicle: &Vehicle, car: &Place, dt: f32) {
        self.clock = self.clock.wrapping_add(1);
        let count = vehicle.model().wheel_count();
        self.ends.resize(count, None);
        for wheel in 0..count {
            let report = vehicle.wheel_report(wheel);
            let slides = !report.in_air && report.skid_info < ROLLS && report.load > 0.0;
            if !slides {
                self.ends[wheel] = None;
                continue;
            }
            let normal = report
                .longitudinal_direction
                .cross(report.lateral_direction);
            let place = super::near(car.position, report.ground_point) + normal * 0.012;
            let half =
                report.lateral_direction * (0.45 * vehicle.model().params().wheels[wheel].width);
            let edge = [place - half, place + half];
            let hard = (1.0 - report.skid_info) * report.grip_used.min(1.0);
            let moved = |old: &[Vec3; 2]| (old[0] - edge[0]).length();
            match self.ends[wheel] {
                Some(old) if moved(&old) < 0.15 => {}
                Some(old) if moved(&old) < 2.5 => {
                    self.leave(old, edge, hard);
                    self.ends[wheel] = Some(edge);
                }
                _ => self.ends[wheel] = Some(edge),
            }
            if hard > 0.25 && self.clock.wrapping_add(wheel as u32).is_multiple_of(3) {
                self.puff(place, Cover::of(report.surface));
            }
        }
        for puff in &mut self.puffs {
            puff.age += dt;
            puff.place += puff.drift * dt;
        }
        self.puffs.retain(|puff| puff.age < PUFF_LIFE);
    }

    fn leave(&mut self, old: [Vec3; 2], edge: [Vec3; 2], hard: f32) {
        if self.marks.len() == MARKS {
            self.marks.pop_front();
        }
        self.marks.push_back(Mark {
            corners: [old[0], old[1], edge[1], edge[0]],
            dark: (0.25 + 0.6 * hard).min(0.75),
        });
    }

    fn puff(&mut self, place: Vec3, cover: Cover) {
        if self.puffs.len() == PUFFS {
            self.puffs.pop_front();
        }
        let color = match cover {
            Cover::Gravel => Vec3::new(0.72, 0.62, 0.47),
            Cover::Wet | Cover::Ice => Vec3::new(0.85, 0.90, 0.95),
            Cover::Asphalt => Vec3::splat(0.86),
        };
        let sway = ((self.clock % 7) as f32 - 3.0) * 0.15;
        self.puffs.push_back(Puff {
            place: place + Vec3::Z * 0.1,
            drift: Vec3::new(sway, -sway, 0.8),
            age: 0.0,
            color,
        });
    }

    /// Adds marks and dust to an overlay, seen from `eye`.
    pub fn draw(&self, overlay: &mut Overlay, eye: Vec3) {
        for mark in &self.marks {
            overlay.quad(mark.corners, Vec4::new(0.05, 0.05, 0.05, mark.dark));
        }
        for puff in &self.puffs {
            let share = puff.age / PUFF_LIFE;
            let size = 0.2 + 0.9 * share;
            let to_eye = (eye - puff.place).normalize_or(Vec3::X);
            let side = to_eye.cross(Vec3::Z).normalize_or(Vec3::Y) * size;
            let up = side.cross(to_eye);
            // Fades from the middle to the rim.
            let [middle, rim] = [0.5 * (1.0 - share), 0.0].map(|alpha| puff.color.extend(alpha));
            let around = |n: u8| {
                let angle = core::f32::consts::TAU * f32::from(n) / f32::from(PUFF_SIDES);
                puff.place + side * angle.cos() + up * angle.sin()
            };
            for n in 0..PUFF_SIDES {
                let corners = [(puff.place, middle), (around(n), rim), (around(n + 1), rim)];
                overlay.inside.extend(corners);
            }
        }
    }
}
