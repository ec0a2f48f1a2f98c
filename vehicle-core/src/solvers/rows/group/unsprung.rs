//! Unsprung masses of a group of wheels (ROWS §4.1).

use crate::base::lanes::{Mask4, V3x4, W4};
use crate::base::velocity::VelocityLanes;
use crate::exchange::state::WheelState;
use crate::solvers::rows::links::Links;
use crate::solvers::rows::strut;
use crate::solvers::rows::substep_context::{SubstepContext, SubstepInputs};
use crate::solvers::rows::unsprung::{UnsprungForces, UnsprungMasses, UnsprungStart};
use crate::stages::strut_curves;
use crate::stages::suspension;
use crate::stages::wheel_consts::{UnsprungConsts, WheelConsts};

use super::GroupRows;

impl GroupRows {
    /// Unsprung masses as the last substep left them; those of a car that was placed, where springs and tires balance. Speeds along the
    /// normal (`m/s`): `away` at the start, `level` the same over the ground's at the end, `unconstrained` at the end.
    #[inline(never)]
    pub(super) fn begin_unsprung_masses(
        &mut self,
        k: &WheelConsts,
        wheels: &WheelState,
        now: &SubstepContext<'_>,
        [away, level, unconstrained]: [W4; 3],
    ) {
        let Some(unsprung_mass) = k.unsprung_masses() else {
            return;
        };
        let depth = &self.contact_depth;
        let at = &mut self.compression;
        at.buried = strut::buried_unsprung_masses(k, depth, wheels, now.placed);
        let least = W4::splat(-suspension::LEAST_INCIDENCE);
        let facing = depth.reaches & depth.along.lt(least);
        let own = k.enabled & !at.buried;
        let unknown = wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
        let unknown = unknown | Mask4::from_fn(|_| now.placed);
        let gravity = -depth.normal.dot(V3x4::splat(now.view.gravity));
        let springs = self.forces.springs;
        let tire = unsprung_mass.tire_stiffness * at.support * at.incidence * at.incidence;
        let weight = unsprung_mass.mass * at.incidence * gravity;
        let balanced =
            (tire * depth.jounce - springs.preload - weight) / (tire + springs.stiffness);
        let stands = facing & balanced.lt(depth.jounce) & balanced.gt(-k.max_droop);
        let rest = stands.select(balanced.min(k.max_compression), -k.max_droop);
        let jounce = unknown.select(rest, wheels.jounce);
        let follows = stands.keep(-away * at.steepness);
        let speed = unknown.select(follows, wheels.jounce_speed);
        let step = W4::splat(now.h);
        let start = UnsprungStart {
            jounce,
            speed,
            deflection: facing.select((depth.jounce - jounce) * at.incidence, -W4::ONE),
            incidence: at.incidence,
            away: facing.keep(away),
            falling: facing.keep(level - gravity * step),
            middle: jounce + speed * step * W4::splat(0.5),
            push: W4::ZERO,
            led: W4::ZERO,
            h: now.h,
        };
        let unsprung_masses = UnsprungMasses::new(start, own, own & facing);
        at.touching = unsprung_masses.touching(unconstrained) | (at.touching & !own);
        at.jounce = own.select(jounce, at.jounce);
        at.middle = own.select(unsprung_masses.start.middle, at.middle);
        self.unsprung_masses = Some(unsprung_masses);
    }

    /// Prepares the rows of unsprung masses at the chassis' present `velocity`.
    #[inline(never)]
    pub(super) fn prepare_unsprung_masses(
        &mut self,
        inputs: &SubstepInputs<'_>,
        unsprung_mass: &UnsprungConsts,
        velocity: &VelocityLanes,
        now: &SubstepContext<'_>,
    ) {
        let tire = [self.tangent.impulses_of(0), self.tangent.impulses_of(1)];
        let led = Links::relieving(self.links.as_ref(), tire);
        let across = self.felt_across(inputs, unsprung_mass, velocity, now);
        let Some(unsprung_masses) = &mut self.unsprung_masses else {
            return;
        };
        unsprung_masses.start.led = led;
        let links = led * unsprung_masses.start.incidence * W4::splat(now.per_second);
        unsprung_masses.start.push = links - across;
        self.normal.read_velocity(velocity);
        let forces = UnsprungForces {
            k: inputs.consts,
            unsprung_mass,
            curves: inputs.curves,
            forces: &self.forces,
            most_damping: self.ground_compliance.most_damping(),
            tire: self.ground_compliance.bearable_tires(
                unsprung_mass.tire_stiffness * self.compression.support,
                unsprung_mass.tire_damping * self.compression.support,
                now.h * now.count,
            ),
        };
        unsprung_masses.prepare(&forces, &self.normal);
    }

    /// Inertial force of the unsprung masses' inertia along their travel as the chassis is accelerated across the normal (`N`), m·p·a: as a
    /// unsprung mass rises, its center moves across the normal by p per jounce, by the travel, by the links' slope, and by the camber's over
    /// its radius.
    fn felt_across(
        &self,
        inputs: &SubstepInputs<'_>,
        unsprung_mass: &UnsprungConsts,
        velocity: &VelocityLanes,
        now: &SubstepContext<'_>,
    ) -> W4 {
        let (k, normal) = (inputs.consts, self.contact_depth.normal);
        let mut path = -k.travel;
        if let Some(curves) = inputs.curves.filter(|curves| curves.leads) {
            let jounce = self.compression.jounce;
            let [forward, left] = curves.link_slopes(jounce, W4::ZERO);
            let sided = curves.beam & !k.center.y.same(W4::ZERO);
            let upright = W4::ONE / sided.select(k.center.y, W4::ONE);
            let tilts = sided.select(upright, strut_curves::camber_slope(k, curves, jounce));
            let give = self
                .unsprung_masses
                .map_or(W4::ZERO, |unsprung_masses| unsprung_masses.start.deflection);
            path.x += forward;
            path.y += left - tilts * (k.radius - give.max(W4::ZERO));
        }
        path = path - normal * normal.dot(path);
        let change = *velocity - now.start;
        let per_step = W4::splat(now.per_second);
        let swung = V3x4::splat_lanes(change.angular).cross(k.center);
        let felt =
            (V3x4::splat_lanes(change.linear) + swung) * per_step - V3x4::splat(now.view.gravity);
        unsprung_mass.mass * path.dot(felt)
    }
}
