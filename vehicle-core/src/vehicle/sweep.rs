//! Probing with wheels that have a width: plans sweeps and selects the ground plane.

use alloc::sync::Arc;

use glam::{DVec3, Vec3};

use super::{StepError, Vehicle};
use crate::MAX_WHEELS;
use crate::base::ids::BodyId;
use crate::base::lanes::{LANES, W4};
use crate::base::math;
use crate::contracts::ground::QueryFilter;
use crate::contracts::rigid_bodies::{BodyState, GroundMotion};
use crate::contracts::sweep_query::{GroundSweep, SweepHit, SweepQuery};
use crate::exchange::state::WheelState;
use crate::params::surface::Surfaces;
use crate::params::wheel_shape::WheelShape;
use crate::params::{Probe, SweepSettings};
use crate::stages::chassis::Chassis;
use crate::stages::contact::{Contact, SweptWheels};
use crate::stages::suspension;
use crate::vehicle::ground_chord::time_ahead;

pub(super) const NO_SWEEP: GroundSweep = GroundSweep {
    anchor: DVec3::ZERO,
    offset: Vec3::ZERO,
    axle: Vec3::Y,
    shape: WheelShape {
        kind: crate::params::wheel_shape::ShapeKind::Cylinder,
        radius: 0.0,
        half_width: 0.0,
    },
    direction: Vec3::NEG_Z,
    length: 0.0,
    filter: QueryFilter {
        layers: 0,
        ignore: [None; 2],
        dynamic_bodies: false,
    },
};

/// A hit that a wheel can stand on, and its jounce there (`m`).
#[derive(Clone, Copy, Debug)]
struct StandableHit {
    hit: SweepHit,
    jounce: f32,
    /// Height of the center of mass above the plane (`m`).
    height: f32,
    /// Whether the wheel can roll onto the hit from its present position.
    in_reach: bool,
}

impl StandableHit {
    /// Whether this standing is preferred: one in reach over one out of reach; in reach, the highest. Out of
    /// reach are the top of a wall, and the ground in which a wheel was placed: there, the lowest is most
    /// likely ground.
    fn is_better_than(&self, other: &Self) -> bool {
        match (self.in_reach, other.in_reach) {
            (true, true) => self.jounce > other.jounce,
            (false, false) => self.jounce < other.jounce,
            (new, _) => new,
        }
    }
}

impl Vehicle {
    /// Settings of the sweeps, if wheels are swept.
    #[must_use]
    pub(crate) fn sweep_settings(&self) -> Option<SweepSettings> {
        self.model.params().probe.sweep()
    }

    /// Shape and orientation of the wheels in a step; `None` if they are probed by rays.
    pub(super) fn swept_wheels(&self, group: usize) -> Option<SweptWheels> {
        match self.probe() {
            Probe::Ray | Probe::Auto => None,
            Probe::Sweep(_) => Some(self.orientation(group)),
            Probe::Sections => Some(SweptWheels {
                half_width: W4::ZERO,
                overlaps_carry: true,
                ..self.orientation(group)
            }),
        }
    }

    /// Orientation of the wheels by the last step's steering.
    pub(super) fn orientation(&self, group: usize) -> SweptWheels {
        let settings = self.sweep_settings().unwrap_or_default();
        let overlaps = self.model.params().profile.overlaps_carry;
        let (k, curves) = (&self.model.wheels()[group], self.model.curves(group));
        SweptWheels::new(
            k,
            curves,
            self.state.extras.bushing_forces(group),
            &self.state.wheels[group],
            settings.shape,
            overlaps,
        )
    }

    /// Direct sweeps set jounce and point of contact once for a step of the explicit solver that begins with this
    /// `chassis` (ALGORITHMS §3.3); the body has `moved` since the probe (`m`, world axes).
    pub(super) fn hold_direct_sweeps(&mut self, chassis: &Chassis, gravity: Vec3, moved: Vec3) {
        if !self
            .sweep_settings()
            .is_some_and(|settings| settings.direct)
        {
            return;
        }
        let view = chassis.view(gravity);
        for (g, k) in self.model.wheels().iter().enumerate() {
            let Some(swept) = &mut self.swept[g] else {
                continue;
            };
            let contacts = &self.contacts[g * LANES..];
            let point = |lane: usize| Some(contacts.get(lane)?.as_ref()?.point - moved);
            let (wheels, ground) = (&self.state.wheels[g], &self.ground.ground()[g]);
            let contact = suspension::fix_contact(k, &view, wheels, ground, swept, point);
            swept.fixed = Some(contact);
        }
    }

    /// Implements [`phases::plan_sweeps`](crate::phases::plan_sweeps).
    pub(crate) fn plan_sweeps(&self, body: &BodyState, sweeps: &mut [GroundSweep]) {
        let settings = self.sweep_settings().expect("wheels are swept");
        assert_eq!(
            sweeps.len(),
            self.model.wheel_count(),
            "one sweep per wheel"
        );
        let matrix = math::matrix(body.rotation);
        let looks_ahead = self.model.params().profile.rows().is_some();
        for (g, sweeps) in sweeps.chunks_mut(LANES).enumerate() {
            let k = &self.model.wheels()[g];
            let axle = self.swept_wheels(g).expect("wheels are swept").axle;
            let mut offset = k.ray_start.rotated(&matrix);
            let direction = k.travel.rotated(&matrix);
            let axle = axle.rotated(&matrix);
            // A ray starts at the shape's center and is longer by twice the radius.
            let mut length = k.ray_length - (k.radius + k.radius);
            if looks_ahead {
                let ahead = self.look_ahead(g, body, &matrix);
                offset = offset + ahead.displacement;
                length += ahead.extension;
            }
            for (lane, sweep) in sweeps.iter_mut().enumerate() {
                let wheel = &self.model.params().wheels[g * LANES + lane];
                *sweep = GroundSweep {
                    anchor: body.position,
                    offset: offset.lane(lane),
                    axle: axle.lane(lane),
                    shape: settings.swept_shape(wheel.radius, wheel.width),
                    direction: direction.lane(lane),
                    length: length.lane(lane),
                    filter: self.wheel_filter(g * LANES + lane),
                };
            }
        }
    }

    /// Implements [`phases::sweep`](crate::phases::sweep).
    pub(crate) fn sweep(
        &mut self,
        body: &BodyState,
        query: &dyn SweepQuery,
        surfaces: &Surfaces,
        mut motion: impl FnMut(BodyId) -> Option<GroundMotion>,
    ) -> Result<(), StepError> {
        let mut sweeps = [NO_SWEEP; MAX_WHEELS];
        let sweeps = &mut sweeps[..self.model.wheel_count()];
        self.plan_sweeps(body, sweeps);
        let standings = self.stand_on_hits(sweeps, query);
        let model = Arc::clone(&self.model);
        let (time, grip) = (time_ahead(&self.state, body.position), self.grip);
        self.take_contacts_ahead(body.position, time, |wheel| {
            let standing = standings[wheel]?;
            let ground = standing.hit.ground;
            let surface = surfaces.surface_type(ground.material);
            let contact = Contact {
                hit: ground,
                point: standing.hit.point,
                height: standing.height,
                carries: true,
                in_reach: standing.in_reach,
                surface,
                friction: grip * surfaces.friction(surface, model.params().wheels[wheel].tire.kind),
            };
            Some((contact, ground.body.and_then(&mut motion)))
        })
    }

    /// Implements [`phases::examine_sweeps`](crate::phases::examine_sweeps).
    pub(crate) fn examine_sweeps(
        &self,
        body: &BodyState,
        query: &dyn SweepQuery,
        on_hit: &mut dyn FnMut(usize, SweepHit, bool),
    ) {
        let mut sweeps = [NO_SWEEP; MAX_WHEELS];
        let sweeps = &mut sweeps[..self.model.wheel_count()];
        self.plan_sweeps(body, sweeps);
        self.judge_hits(sweeps, query, &mut |wheel, hit, standing| {
            on_hit(wheel, hit, standing.is_some());
        });
    }

    /// The ground of each wheel (ALGORITHMS §2.4).
    fn stand_on_hits(
        &self,
        sweeps: &[GroundSweep],
        query: &dyn SweepQuery,
    ) -> [Option<StandableHit>; MAX_WHEELS] {
        let mut standings: [Option<StandableHit>; MAX_WHEELS] = [None; MAX_WHEELS];
        self.judge_hits(sweeps, query, &mut |wheel, _, standing| {
            let (Some(new), old) = (standing, &mut standings[wheel]) else {
                return;
            };
            if old.is_none_or(|old| new.is_better_than(&old)) {
                *old = Some(new);
            }
        });
        standings
    }

    /// Calls `on_hit` with each hit of the sweeps and the wheel's standing on it, `None` where it may not stand.
    fn judge_hits(
        &self,
        sweeps: &[GroundSweep],
        query: &dyn SweepQuery,
        on_hit: &mut dyn FnMut(usize, SweepHit, Option<StandableHit>),
    ) {
        let settings = self.sweep_settings().expect("wheels are swept");
        let standing = |wheel: usize, hit| self.standing(&settings, wheel, &sweeps[wheel], hit);
        if settings.all_hits {
            query.sweep_all(sweeps, &mut |wheel, hit| {
                let claimed = standing(wheel, hit)
                    .and_then(|new| self.claimed(&settings, wheel, &sweeps[wheel], new));
                on_hit(wheel, hit, claimed);
            });
        } else {
            let mut hits = [None; MAX_WHEELS];
            query.sweep_first(sweeps, &mut hits[..sweeps.len()]);
            for (wheel, hit) in hits.into_iter().enumerate() {
                if let Some(hit) = hit {
                    on_hit(wheel, hit, standing(wheel, hit));
                }
            }
        }
    }

    /// The standing of a wheel on a hit; `None` if it cannot stand there.
    fn standing(
        &self,
        settings: &SweepSettings,
        wheel: usize,
        sweep: &GroundSweep,
        hit: SweepHit,
    ) -> Option<StandableHit> {
        let overlaps = hit.ground.distance == 0.0;
        if overlaps && !self.model.params().profile.overlaps_carry {
            return None;
        }
        let (normal, travel) = (hit.ground.normal, sweep.direction);
        let along = normal.dot(travel);
        if along >= 0.0 {
            return None;
        }
        let lowest =
            self.center(wheel, sweep) + self.shape(settings, wheel).lowest(normal, sweep.axle);
        // An overlap has no distance from which jounce would follow.
        let jounce = if settings.direct && !overlaps {
            let params = &self.model.params().wheels[wheel];
            params.suspension.max_compression + params.radius - hit.ground.distance
        } else {
            normal.dot(lowest - hit.point) / along
        };
        Some(StandableHit {
            hit,
            jounce,
            height: -normal.dot(lowest - travel * jounce),
            in_reach: true,
        })
    }

    /// The standing, if the hit belongs to the suspension and not to rigid contact.
    fn claimed(
        &self,
        settings: &SweepSettings,
        wheel: usize,
        sweep: &GroundSweep,
        standing: StandableHit,
    ) -> Option<StandableHit> {
        let (policy, travel) = (&settings.policy, sweep.direction);
        let (normal, point) = (standing.hit.ground.normal, standing.hit.point);
        let in_plane = |arm: Vec3| arm - sweep.axle * arm.dot(sweep.axle);
        if policy.leaves_gap {
            // The point of the wheel at jounce 0 that comes to stand on the plane, from its center.
            let foot = if settings.direct {
                in_plane(point - self.center(wheel, sweep)) + travel * standing.jounce
            } else {
                let lowest = self.shape(settings, wheel).lowest(normal, sweep.axle);
                math::unit_or_zero(in_plane(lowest)) * self.model.params().wheels[wheel].radius
            };
            // The shape must have started on the open side of the plane.
            let began_above = normal.dot(sweep.offset + foot - point) >= 0.0;
            let radial = math::unit_or_zero(foot);
            let rigid = began_above && policy.is_suspensions(travel, radial, normal);
            return rigid.then_some(standing);
        }
        // Like the wheel's collider: at its last jounce.
        let last = self.state.wheels[wheel / LANES].jounce.lane(wheel % LANES);
        let jounce = if last == WheelState::UNKNOWN {
            0.0
        } else {
            last
        };
        let wheel_center = self.center(wheel, sweep) - travel * jounce;
        let radial = math::unit_or_zero(in_plane(point - wheel_center));
        let in_reach = policy.is_suspensions(travel, radial, normal);
        let faces = policy.is_suspensions(travel, travel, normal);
        faces.then_some(StandableHit {
            in_reach,
            ..standing
        })
    }

    /// The wheel of actual size.
    fn shape(&self, settings: &SweepSettings, wheel: usize) -> WheelShape {
        let params = &self.model.params().wheels[wheel];
        WheelShape {
            kind: settings.shape,
            radius: params.radius,
            half_width: 0.5 * params.width,
        }
    }

    /// Center of a wheel at jounce 0 relative to the anchor (`m`, world axes).
    fn center(&self, wheel: usize, sweep: &GroundSweep) -> Vec3 {
        let params = &self.model.params().wheels[wheel];
        sweep.offset + sweep.direction * (params.radius + params.suspension.max_compression)
    }
}
