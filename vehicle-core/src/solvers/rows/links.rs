//! Points of application of tire forces, and links of a suspension that lead them to the body (ROWS §3).
//!
//! As a wheel rises by dj, its contact moves by `p·dj` in the vehicle frame: against the travel, and by the links' slopes
//! forward and to the left. On the ground, dj follows from the body's motion, so that a row in direction d has the speed
//!
//! ```text
//! s = d·(v + p·j̇),  j̇ = −n·v/i   ⇒   s = (d − t·n)·v,   t = d·p/i      i: incidence −n·travel
//! ```
//!
//! with v of the body at the contact. An impulse in the row acts in the same direction d − t·n: what the links carry
//! does not bend the spring, presses the wheel on the ground, `N = N_strut − Σ t·F`, and neither makes nor takes energy.
//! Since the contact's position depends on the pose alone, a car that swings to and fro comes back to where it was, if rows
//! count the displacement between two poses and not that at the speed of the first: the contact is that of the substep's middle, by
//! ½h·l̇ farther along the ray, with the speed l̇ = n·v/i of the ray's length.
//!
//! A beam axle stays parallel to the ground while the body rolls: its wheels' lateral forces act along the ground at the
//! height z of the roll center, and the couple lifts one wheel and presses the other, `N = N_strut ∓ Σ F·z/track`. Below
//! 1 m/s, the links' slopes of other wheels fade to the same: a carcass that stands is many times stiffer than a tire's, and
//! a car that rocks would scrub its way across the ground.

use crate::base::lanes::{LANES, Mask4, OppositeWheels, V3x4, W4};
use crate::exchange::state::WheelState;
use crate::stages::slip::TireAxes;
use crate::stages::strut_curves::StrutCurves;
use crate::stages::suspension::{self, ContactDepth, LEAST_INCIDENCE};
use crate::stages::wheel_consts::lowered;

use super::substep_context::{SubstepContext, SubstepInputs};
use super::tuning::{LEAST_TRACK, MOST_TILT, SLOW};

/// The links of four wheels at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Links {
    /// Tilts t of the tangential rows, forward and to the left (–).
    tilt: [W4; 2],
    /// Contact of the ray with the ground in the middle of the substep (`m`).
    contact: V3x4,
    /// Point of application of lateral impulses (`m`).
    side: V3x4,
    /// Height of that point over the ground (`m`).
    height: W4,
    /// 1/distance of the contact from the opposite wheel's, positive to the left (`1/m`); 0 without one, or if nothing lifts.
    inverse_track: W4,
    opposite: OppositeWheels,
    /// Whether any lateral impulse acts above the ground, so that there are couples.
    lifts: bool,
    /// Parts of the tires' directions, forward and to the left, along the body's lateral axis (–).
    across: [W4; 2],
    /// Impulses that beams take from the wheels (`N·s`).
    couple: W4,
}

impl Links {
    /// Links at a `jounce` (`m`), with the forces of the last substep.
    #[inline(always)]
    #[must_use]
    pub(super) fn new(
        curves: &StrutCurves,
        inputs: &SubstepInputs<'_>,
        wheels: &WheelState,
        now: &SubstepContext<'_>,
        depth: &ContactDepth,
        axes: &TireAxes,
        jounce: W4,
    ) -> Self {
        let k = inputs.consts;
        let velocity = over_ground(inputs, now, depth);
        let speed = axes.longitudinal.dot(velocity).abs();
        let speed = speed.max(axes.lateral.dot(velocity).abs());
        let rolls = (speed / W4::splat(SLOW)).min(W4::ONE);
        let alone = curves.beam.select(W4::ZERO, rolls);
        let [forward, left] = curves.link_slopes(jounce, braked(inputs, wheels));
        let incidence = (-depth.along).max(W4::splat(LEAST_INCIDENCE));
        let longer = depth.normal.dot(velocity) / incidence * W4::splat(0.5 * now.h);
        let contact = depth.bottom + k.travel * longer;
        let most = W4::splat(MOST_TILT);
        let tilt = |d: &V3x4, slopes: [W4; 2]| {
            let along = d.x * slopes[0] + d.y * slopes[1] - d.dot(k.travel);
            (along / incidence).max(-most).min(most)
        };
        let height = left * k.center.y * (W4::ONE - alone);
        let mut side = contact + depth.normal * height;
        if k.lowers_sides {
            side = lowered(side, k.roll_influence);
        }
        let lifts = !height.same(W4::ZERO).all();
        let slopes = [forward * rolls, left * alone];
        Self {
            tilt: [
                tilt(&axes.longitudinal, slopes),
                tilt(&axes.lateral, slopes) * curves.beam.select(W4::ONE - rolls, W4::ONE),
            ],
            height,
            contact,
            side,
            inverse_track: if lifts {
                inverse_track(axes.lateral.dot(contact), k.center.y, curves.opposite)
            } else {
                W4::ZERO
            },
            opposite: curves.opposite,
            lifts,
            across: [W4::ZERO, W4::ONE],
            couple: W4::ZERO,
        }
    }

    /// No links, of wheels whose impulses forward and to the left act at these `points` (`m`).
    #[must_use]
    pub(super) fn none([contact, side]: [V3x4; 2]) -> Self {
        Self {
            tilt: [W4::ZERO; 2],
            contact,
            side,
            height: W4::ZERO,
            inverse_track: W4::ZERO,
            opposite: OppositeWheels::new([0; LANES]),
            lifts: false,
            across: [W4::ZERO, W4::ONE],
            couple: W4::ZERO,
        }
    }

    /// Lets wheels at `edges` roll over them as wheels without mass that only their struts lead: as they rise, they move along their
    /// travel, so that a body which sinks on a strut does not scrub its wheel against the edge.
    #[cold]
    pub(super) fn roll_over(
        &mut self,
        edges: Mask4,
        travel: V3x4,
        depth: &ContactDepth,
        axes: &TireAxes,
    ) {
        let incidence = (-depth.along).max(W4::splat(LEAST_INCIDENCE));
        for (tilt, d) in self
            .tilt
            .iter_mut()
            .zip([&axes.longitudinal, &axes.lateral])
        {
            *tilt = edges.select(-d.dot(travel) / incidence, *tilt);
        }
        self.contact = depth.bottom.kept_or(edges, self.contact);
    }

    /// Sets the sine and cosine of the wheels' steering angle.
    #[inline]
    pub(super) fn steer(&mut self, across: [W4; 2]) {
        self.across = across;
    }

    /// Whether any lateral impulse acts above or below the ground.
    #[inline]
    #[must_use]
    pub(super) fn lifts(&self) -> bool {
        self.lifts
    }

    /// Directions in which tangential impulses act, from the tire's `axes` and the ground's `normal`.
    #[inline]
    #[must_use]
    pub(super) fn directions(&self, axes: &TireAxes, normal: V3x4) -> [V3x4; 2] {
        let [long, lat] = self.tilt;
        [
            axes.longitudinal - normal * long,
            axes.lateral - normal * lat,
        ]
    }

    /// Points of application of impulses forward and to the left (`m`).
    #[inline]
    #[must_use]
    pub(super) fn points(&self) -> [&V3x4; 2] {
        [&self.contact, &self.side]
    }

    /// Leads the tires' impulses forward and to the left (`N·s`) through beams, before a sweep: what one wheel of an axle loses, the
    /// other has.
    #[inline]
    pub(super) fn lead(&mut self, tire: [W4; 2]) {
        if self.lifts {
            self.couple = self.couple_of(tire);
        }
    }

    /// The couples of beams under impulses forward and to the left, as what they take off each wheel (`N·s`).
    #[inline]
    fn couple_of(&self, [ahead, left]: [W4; 2]) -> W4 {
        let [sin, cos] = self.across;
        let couple = (ahead * sin + left * cos) * self.height;
        (couple + self.opposite.of(couple)) * self.inverse_track
    }

    /// Normal impulse of the wheels on the ground, ≥ 0, from the impulses of the struts and those forward and to the
    /// left (`N·s`).
    #[inline]
    #[must_use]
    pub(super) fn normal_impulses(links: Option<&Self>, strut: W4, tire: [W4; 2]) -> W4 {
        let Some(Self { tilt, couple, .. }) = links else {
            return strut;
        };
        let whole = strut - tilt[0] * tire[0] - tilt[1] * tire[1] - *couple;
        strut.gt(W4::ZERO).keep(whole.max(W4::ZERO))
    }

    /// Parts of a tire's impulses forward and to the left that lift its wheel (–).
    #[inline]
    #[must_use]
    pub(super) fn lifting(&self) -> [W4; 2] {
        self.tilt
    }

    /// Impulse of the rows forward and to the left that pushes the body down along the normal (`N·s`).
    #[must_use]
    pub(super) fn tilted(links: Option<&Self>, [ahead, left]: [W4; 2]) -> W4 {
        links.map_or(W4::ZERO, |links| {
            links.tilt[0] * ahead + links.tilt[1] * left
        })
    }

    /// Impulse by which links relieve the wheels' pressure on the ground, the couples of beams included (`N·s`).
    #[must_use]
    pub(super) fn relieving(links: Option<&Self>, tire: [W4; 2]) -> W4 {
        let couple = links.map_or(W4::ZERO, |links| links.couple_of(tire));
        Self::tilted(links, tire) + couple
    }
}

/// 1/distance of contacts from those of the opposite wheels, positive to the left (`1/m`), from where they and their wheels' centers are across
/// the ground (`m`); 0 without one.
#[inline]
fn inverse_track(contact: W4, center: W4, opposite: OppositeWheels) -> W4 {
    let track = contact - opposite.of(contact);
    let apart = (center - opposite.of(center)).abs();
    let has_opposite = apart.gt(W4::ZERO);
    let least = apart * W4::splat(LEAST_TRACK);
    let track = track
        .lt(W4::ZERO)
        .select(track.min(-least), track.max(least));
    has_opposite.keep(W4::ONE / has_opposite.select(track, W4::ONE))
}

/// Velocities over the ground of the body where wheels touch it (`m/s`).
fn over_ground(inputs: &SubstepInputs<'_>, now: &SubstepContext<'_>, depth: &ContactDepth) -> V3x4 {
    let turning = V3x4::splat_lanes(now.start.angular).cross(depth.bottom);
    let velocity = V3x4::splat_lanes(now.start.linear) + turning;
    if inputs.ground.any {
        velocity - suspension::ground_velocities(now.view, depth.bottom, inputs.ground, now.h).mean
    } else {
        velocity
    }
}

/// Share of the longitudinal forces that the brakes bear, 0…1: the brake's torque, if it is less than the force's.
fn braked(inputs: &SubstepInputs<'_>, wheels: &WheelState) -> W4 {
    let [longitudinal, _] = wheels.grip.rows().force;
    let brake = inputs.control.brake;
    let by_brake = brake / (longitudinal.abs() * inputs.consts.radius).max(brake);
    brake.gt(W4::ZERO).keep(by_brake)
}
