//! Contacts of a wheel's tread with fixed ground: no sinking in, and Coulomb's friction.

use glam::{DVec3, Vec3};
use jointed_wheels::rows::{Ends, ImpulseRow, Movers, UNBOUNDED};
use vehicle_core::sweep_query::GroundSweep;
use vehicle_core::wheel_shape::{ShapeKind, WheelShape};
use vehicle_core::{BodyId, QueryFilter, math};

use crate::grounds::Grounds;

/// The tread of a wheel: a cylinder about y of its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tread {
    /// Radius (`m`), > 0.
    pub radius: f32,
    /// Width (`m`), > 0.
    pub width: f32,
    /// Coulomb's friction coefficient against any ground (–), ≥ 0.
    pub friction: f32,
    /// Layers of the ground that it touches, one bit each.
    pub layers: u32,
}

/// Sweeps begin this share of the radius before the wheel's place (–).
const BEFORE: f32 = 0.5;
/// Ground this close is in contact (`m`), plus the motion of a substep.
const MARGIN: f32 = 0.01;
/// Least cosine between a ground's normal and the way against a sweep: steeper ground is for the
/// other sweep.
const FACING: f32 = 0.5;
/// Normals up to this cosine apart are those of one contact.
const SAME: f32 = 0.95;

/// Ground near a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GroundTouch {
    /// Unit normal (world axes).
    normal: Vec3,
    /// Distance along it (`m`), negative for an overlap.
    gap: f32,
}

/// A contact's normal and impulse at the end of a substep (`N·s`, world axes).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pressed {
    normal: Vec3,
    impulse: Vec3,
}

/// A contact within a substep.
#[derive(Debug)]
pub(crate) struct TreadContact {
    /// Along the normal, along the tread, across it.
    rows: [ImpulseRow; 3],
    axes: [Vec3; 3],
    friction: f32,
}

impl Tread {
    fn shape(&self) -> WheelShape {
        WheelShape {
            kind: ShapeKind::Cylinder,
            radius: self.radius,
            half_width: 0.5 * self.width,
        }
    }

    /// The ground around a wheel with its center at `place` (`m`, in the ground's coordinates),
    /// which moves at `velocity` (`m/s`): under it, along −`up`, and where it moves to.
    pub(crate) fn touches(
        &self,
        ground: &Grounds,
        place: DVec3,
        [axle, up]: [Vec3; 2],
        velocity: Vec3,
        h: f32,
    ) -> Vec<GroundTouch> {
        let before = BEFORE * self.radius;
        let ahead = axle.cross(up);
        let ahead = ahead * velocity.dot(ahead).signum();
        let reach = MARGIN + math::sqrt(velocity.dot(velocity)) * h;
        let mut touches: Vec<GroundTouch> = Vec::new();
        for direction in [-up, ahead] {
            let sweep = GroundSweep {
                anchor: place,
                offset: -direction * before,
                axle,
                shape: self.shape(),
                direction,
                length: before + reach,
                filter: QueryFilter {
                    layers: self.layers,
                    ..QueryFilter::except(BodyId(0))
                },
            };
            ground.sweep(&sweep, &mut |hit| {
                let normal = hit.ground.normal;
                let facing = -normal.dot(direction);
                let gap = (hit.ground.distance - before) * facing;
                let known = |touch: &GroundTouch| touch.normal.dot(normal) > SAME;
                if facing < FACING {
                    return;
                }
                match touches.iter_mut().find(|touch| known(touch)) {
                    Some(touch) => touch.gap = touch.gap.min(gap),
                    None => touches.push(GroundTouch { normal, gap }),
                }
            });
        }
        touches
    }

    /// The contact with one ground of the wheel on `body`, started with what it had.
    pub(crate) fn start(
        &self,
        movers: &mut Movers,
        body: usize,
        axle: Vec3,
        (touch, before): (&GroundTouch, &[Pressed]),
        h: f32,
    ) -> TreadContact {
        let normal = touch.normal;
        let along = math::unit_or_zero(axle.cross(normal));
        let axes = [normal, along, normal.cross(along)];
        let ends = Ends {
            movers,
            bodies: [Some(body), None],
            arms: [self.arm(normal, axle), Vec3::ZERO],
            h,
        };
        let mut contact = TreadContact {
            rows: [
                ends.stop(normal, touch.gap),
                ends.still(axes[1], UNBOUNDED),
                ends.still(axes[2], UNBOUNDED),
            ],
            axes,
            friction: self.friction,
        };
        let known = |pressed: &&Pressed| pressed.normal.dot(normal) > SAME;
        if let Some(pressed) = before.iter().find(known) {
            for (row, axis) in contact.rows.iter_mut().zip(axes) {
                row.warm_start(movers, pressed.impulse.dot(axis));
            }
        }
        contact
    }

    /// From the wheel's center to its contact (`m`, world axes): the middle of its tread, or of its
    /// side.
    fn arm(&self, normal: Vec3, axle: Vec3) -> Vec3 {
        let aside = normal.dot(axle);
        if aside.abs() > FACING.max(0.7) {
            -axle * aside.signum() * 0.5 * self.width
        } else {
            -math::unit_or_zero(normal - axle * aside) * self.radius
        }
    }
}

impl TreadContact {
    /// As [`ImpulseRow::solve`], with the tangential impulse within the friction of the normal one.
    pub(crate) fn solve(&mut self, movers: &mut Movers, relax: bool) {
        let [press, along, across] = &mut self.rows;
        press.solve(movers, relax);
        let most = self.friction * press.impulse;
        let sought = [along.sought(movers), across.sought(movers)];
        let size = math::sqrt(sought[0] * sought[0] + sought[1] * sought[1]);
        let share = if size > most { most / size } else { 1.0 };
        along.set(movers, sought[0] * share);
        across.set(movers, sought[1] * share);
    }

    /// What to start the next substep's contact with.
    pub(crate) fn pressed(&self) -> Pressed {
        let parts = self.rows.iter().zip(self.axes);
        Pressed {
            normal: self.axes[0],
            impulse: parts.map(|(row, axis)| axis * row.impulse).sum(),
        }
    }
}
