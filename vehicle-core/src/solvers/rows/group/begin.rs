//! How a substep begins: where wheels meet the ground, how far their struts are compressed, rows at the last forces.

use core::hint::cold_path;

use crate::base::lanes::{V3x4, W4};
use crate::exchange::state::WheelState;
use crate::solvers::rows::contact_space::{Jacobian, inverse_moments};
use crate::solvers::rows::ground_compliance::GroundCompliance;
use crate::solvers::rows::lateral_midpoint::LateralMidpoint;
use crate::solvers::rows::links::Links;
use crate::solvers::rows::low_speed::GroundGain;
use crate::solvers::rows::raised::Raised;
use crate::solvers::rows::strut::{self, Compression, Extension, StrutForces};
use crate::solvers::rows::substep_context::{SubstepContext, SubstepInputs};
use crate::stages::alignment::WheelAlignment;
use crate::stages::chassis::View;
use crate::stages::slip;
use crate::stages::strut_curves::Springs;
use crate::stages::suspension::{self, ContactDepth};
use crate::stages::wheel_consts::WheelConsts;

use super::GroupRows;
use super::ground::{self, RowSpeeds};

impl GroupRows {
    /// Sets up contact geometry and Jacobians, and warm-starts the rows of touching wheels with the last
    /// substep's forces: λ₀ = F·h.
    #[inline]
    pub fn prepare(
        &mut self,
        inputs: &SubstepInputs<'_>,
        wheels: &WheelState,
        now: &SubstepContext<'_>,
    ) {
        if inputs.ground.any {
            self.prepare_on::<true>(inputs, wheels, now);
        } else {
            self.prepare_on::<false>(inputs, wheels, now);
        }
    }

    /// Sets up contact geometry and Jacobians on ground that can move or cannot. Compiled for each: most cannot, and
    /// its speeds are then no numbers to keep.
    #[inline(never)]
    fn prepare_on<const MOVING: bool>(
        &mut self,
        inputs: &SubstepInputs<'_>,
        wheels: &WheelState,
        now: &SubstepContext<'_>,
    ) {
        let ground = self.prepare_contact::<MOVING>(inputs, wheels, now);
        self.compress(inputs, wheels, &ground, now);
        self.warm_start::<MOVING>(inputs, wheels, &ground, now);
    }

    /// Sets up contact geometry and Jacobians; returns the speeds of the ground along the rows.
    #[inline(always)]
    fn prepare_contact<const MOVING: bool>(
        &mut self,
        inputs: &SubstepInputs<'_>,
        wheels: &WheelState,
        now: &SubstepContext<'_>,
    ) -> RowSpeeds {
        let k = inputs.consts;
        self.contact_depth = self.find_contact_depth(inputs, wheels, now);
        let ContactDepth { normal, bottom, .. } = self.contact_depth;
        let jounce = alignment_jounce(k, &self.contact_depth, wheels);
        let mut room = None;
        let bushings = Some(&self.bushings);
        let alignment = WheelAlignment::new(
            k,
            inputs.curves,
            inputs.steering,
            jounce,
            bushings,
            &mut room,
        );
        let axes = slip::tire_axes(normal, *alignment.steer_sin, *alignment.steer_cos);
        self.axes = axes;
        if k.feels_camber {
            self.inclination =
                slip::inclination(normal, *alignment.steer_sin, *alignment.steer_cos);
        }
        let moments = inverse_moments(now.inverse_inertia);
        let row = |direction, arm| match moments {
            Some(moments) => Jacobian::about_principal_axes(direction, arm, moments),
            None => Jacobian::of_arm(direction, arm, now.inverse_inertia),
        };
        // Through the point where the ray meets the ground, not the file's application point: only there, force
        // times speed is the power absorbed by the spring.
        self.normal.jacobian = [row(normal, bottom.cross(normal))];
        // Once there are some, in every substep.
        if let Some(curves) = inputs.curves.filter(|curves| curves.leads) {
            let (depth, axes) = (&self.contact_depth, &self.axes);
            let mut links = Links::new(curves, inputs, wheels, now, depth, axes, jounce);
            links.steer([*alignment.steer_sin, *alignment.steer_cos]);
            self.links = Some(links);
        } else if inputs.edges.is_some() {
            self.links = Some(Links::none([*alignment.tire_point, *alignment.side_point]));
        }
        if let (Some(edges), Some(links)) = (inputs.edges, &mut self.links) {
            links.roll_over(edges, k.travel, &self.contact_depth, &axes);
        }
        let (directions, [ahead, side]) = match &self.links {
            Some(links) => (links.directions(&axes, normal), links.points()),
            None => (
                [axes.longitudinal, axes.lateral],
                [alignment.tire_point, alignment.side_point],
            ),
        };
        let steered = [*alignment.steer_sin, *alignment.steer_cos];
        let lifts = self.links.as_ref().is_some_and(Links::lifts);
        let raised = lifts.then(|| Raised::new(&axes, steered, *side - *ahead));
        let arms = match &raised {
            Some(raised) => raised.arms(ahead, &directions),
            None => [ahead.cross(directions[0]), side.cross(directions[1])],
        };
        self.tangent.jacobian = [row(directions[0], arms[0]), row(directions[1], arms[1])];
        let ([up], [forward, left]) = (&self.normal.jacobian, &self.tangent.jacobian);
        let rows = [up, forward, left];
        // The ground's gain and what yields stay as they began on fixed ground.
        let mut ground = RowSpeeds::default();
        if MOVING {
            let points = [&self.contact_depth.bottom, ahead, side];
            ground = ground::row_speeds(inputs, now, points, rows, raised.as_ref());
            self.ground = GroundGain {
                gain: ground.gain,
                moves: inputs.ground.moves,
            };
            self.ground_compliance = GroundCompliance::new(rows, inputs, now);
        }
        if let Some(free) = &now.free_directions {
            cold_path();
            let rows = self.normal.jacobian.iter_mut();
            for row in rows.chain(&mut self.tangent.jacobian) {
                row.lock(free);
            }
        }
        ground
    }

    /// Contact depth of the wheels, along the axes in the middle of the substep.
    #[inline(always)]
    fn find_contact_depth(
        &self,
        inputs: &SubstepInputs<'_>,
        wheels: &WheelState,
        now: &SubstepContext<'_>,
    ) -> ContactDepth {
        let k = inputs.consts;
        let at_start = View {
            matrix: *now.start_matrix,
            ..*now.view
        };
        let mut depth =
            suspension::contact_depth(k, &at_start, wheels, inputs.ground, inputs.swept);
        depth.normal = wheels.ground_normal.rotated_back(&now.view.matrix);
        depth.along = depth.normal.dot(k.travel);
        if let Some(ends) = inputs.ends {
            depth.reaches = depth.reaches & ends.gt(W4::splat(now.view.elapsed));
        }
        match inputs.curves {
            Some(curves) if curves.shifts => {
                let by = curves
                    .contact_offset(alignment_jounce(k, &depth, wheels), Some(&self.bushings));
                depth.shifted(&k.travel, by)
            }
            _ => depth,
        }
    }

    /// Finds where in their travel the wheels are, and the forces that do not depend on speed.
    #[inline(always)]
    fn compress(
        &mut self,
        inputs: &SubstepInputs<'_>,
        wheels: &WheelState,
        ground: &RowSpeeds,
        now: &SubstepContext<'_>,
    ) {
        let k = inputs.consts;
        let [up] = &self.normal.jacobian;
        let away = up.speeds(&now.start) - ground.start[0];
        let unconstrained = up.speeds(&now.unconstrained) - ground.end[0];
        let springs = Springs {
            preload: k.preload,
            stiffness: k.stiffness,
        };
        let free = if now.limits_expansion && k.unsprung_masses().is_none() {
            Extension::of_mass(k, inputs.curves, wheels, springs, now.h)
        } else {
            Extension::full(k)
        };
        let slack = strut::slack(inputs.curves, springs);
        let depth = &self.contact_depth;
        self.compression = Compression::new(free, slack, depth, away, unconstrained, now.h);
        if let Some(ends) = inputs.ends {
            let after = *ends - W4::splat(now.view.elapsed);
            self.compression.end_after(after, depth, now.h);
        }
        self.compression.buried = strut::buried(k, depth, wheels, now.placed);
        self.forces = StrutForces {
            springs,
            ..StrutForces::default()
        };
        if k.unsprung_masses().is_some() {
            let falling = up.speeds(&now.start) - ground.end[0];
            self.begin_unsprung_masses(k, wheels, now, [away, falling, unconstrained]);
        }
    }

    /// Sets up the rows' coupling, and their impulses at the last substep's forces.
    #[inline(always)]
    fn warm_start<const MOVING: bool>(
        &mut self,
        inputs: &SubstepInputs<'_>,
        wheels: &WheelState,
        ground: &RowSpeeds,
        now: &SubstepContext<'_>,
    ) {
        let k = inputs.consts;
        let step = self.compression.touching.keep(W4::splat(now.h));
        let mut normal_impulses = wheels.normal_force * step;
        let tangent_impulses = wheels.grip.rows().force.map(|force| force * step);
        self.axles = k.axles;
        self.yaw = (self.contact_depth.normal).dot(V3x4::splat_lanes(now.unconstrained.angular));
        if MOVING {
            self.yaw = self.yaw - wheels.ground_normal.dot(inputs.ground.spin);
        }
        let [up, forward, left] = ground.end;
        let along = &self.tangent.jacobian;
        let tangent_ground = ground::at_the_end(self.yaw, now, along, [forward, left]);
        let sliding = along[1].speeds(&now.start) - ground.start[2];
        self.lateral_midpoint = LateralMidpoint::new(sliding + tangent_ground[1] - left);
        if let Some(unsprung_masses) = &self.unsprung_masses {
            // In the air, they push the chassis, too.
            let pushed = unsprung_masses.over_ground.select(W4::splat(now.h), step);
            normal_impulses = wheels.normal_force * pushed;
        }
        self.normal
            .prepare([up], [normal_impulses], now.inverse_mass);
        self.tangent
            .prepare(tangent_ground, tangent_impulses, now.inverse_mass);
        self.lead_by_beams();
        self.rest_load = k.rest_load;
        self.loaded_before = match &self.unsprung_masses {
            None => normal_impulses.gt(W4::ZERO),
            Some(unsprung_masses) => unsprung_masses
                .select(unsprung_masses.start.deflection, normal_impulses)
                .gt(W4::ZERO),
        };
    }
}

/// Jounce of the wheels at which their alignment is looked up (`m`): that of the ground, or an unsprung mass's own.
#[inline]
fn alignment_jounce(k: &WheelConsts, depth: &ContactDepth, wheels: &WheelState) -> W4 {
    let of_ground = depth.jounce.max(-k.max_droop);
    if k.unsprung_masses().is_none() {
        return of_ground;
    }
    let unknown = wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
    unknown.select(of_ground, wheels.jounce)
}
