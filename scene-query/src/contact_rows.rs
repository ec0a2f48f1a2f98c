//! A contact of the standalone world's rows: it pushes, and its friction holds within Coulomb's law.

use glam::Vec3;
use jointed_wheels::rows::{Ends, ImpulseRow, Movers};
use vehicle_core::math;

/// A contact within a substep.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ContactRows {
    rows: [ImpulseRow; 3],
    axes: [Vec3; 3],
    friction: f32,
}

/// Two directions across a unit `normal`, and across each other.
pub(crate) fn tangents(normal: Vec3) -> [Vec3; 2] {
    let size = normal.abs();
    let other = if size.x <= size.y && size.x <= size.z {
        Vec3::X
    } else if size.y <= size.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let tangent = math::unit_or_zero(normal.cross(other));
    [tangent, normal.cross(tangent)]
}

impl ContactRows {
    /// A contact with this `gap` (`m`), negative for an overlap, along the first of `axes`, the unit
    /// normal on the first body; friction of this coefficient (–) acts along the other two and aims at
    /// the velocity `target` (`m/s`, world axes) against the second body.
    pub(crate) fn new(
        ends: &Ends<'_>,
        axes: [Vec3; 3],
        gap: f32,
        target: Vec3,
        friction: f32,
    ) -> Self {
        let [normal, along, across] = axes;
        Self {
            rows: [
                ends.stop(normal, gap),
                ends.moving(along, target.dot(along)),
                ends.moving(across, target.dot(across)),
            ],
            axes,
            friction,
        }
    }

    /// Starts with an impulse of the last substep (`N·s`, world axes).
    pub(crate) fn warm_start(&mut self, movers: &mut Movers, impulse: Vec3) {
        for (row, axis) in self.rows.iter_mut().zip(self.axes) {
            row.warm_start(movers, impulse.dot(axis));
        }
    }

    /// Solves the normal row, and the tangential rows within its friction, as [`ImpulseRow::solve`] does.
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

    /// Unit normal on the first body (world axes).
    pub(crate) fn normal(&self) -> Vec3 {
        self.axes[0]
    }

    /// Impulse of the contact on the first body (`N·s`, world axes).
    pub(crate) fn impulse(&self) -> Vec3 {
        let parts = self.rows.iter().zip(self.axes);
        parts.map(|(row, axis)| axis * row.impulse).sum()
    }

    /// Whether the bodies press on each other in this contact.
    pub(crate) fn presses(&self, movers: &Movers) -> bool {
        self.rows[0].sought(movers) > 0.0
    }
}
