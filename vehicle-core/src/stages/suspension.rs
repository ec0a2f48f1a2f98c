//! Wheel travel over the ground, and strut forces.

use glam::{Mat3, Vec3};

use crate::base::lanes::{Mask4, V3x4, W4};
use crate::exchange::state::WheelState;
use crate::params::profile::ExplicitSettings;
use crate::stages::chassis::View;
use crate::stages::contact::{FixedContact, GroundPlanes, MovingGround, SweptWheels};
use crate::stages::strut_curves::StrutCurves;
use crate::stages::wheel_consts::WheelConsts;

/// A ray supports a wheel of the rows solver only while its incidence −n·travel exceeds this (–), with a part of the strut's force
/// that reaches 1 at twice this. With all of it from here on, a suv that rolled over hung on its wheels and rocked without end.
pub const LEAST_INCIDENCE: f32 = 0.25;

/// Contact of four wheels with the ground in a substep (vehicle frame, from the center of mass).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// Wheels that reach the ground.
    pub touching: Mask4,
    /// Normal of the ground.
    pub normal: V3x4,
    /// Travel direction · normal (–), < 0 where touching.
    pub along: W4,
    /// Lowest point of the wheel, where it meets the ground (`m`).
    pub bottom: V3x4,
    /// Jounce (`m`), positive in compression, within its limits; full droop in the air.
    pub jounce: W4,
    /// Jounce speed (`m/s`); 0 where the last jounce is unknown.
    pub jounce_speed: W4,
    /// Compression beyond the stop given by the geometry, along the normal (`m`); > 0 means that the limit is
    /// exceeded.
    pub beyond_stop: W4,
}

/// Intersections of suspension rays with the ground planes (vehicle frame, from the center of mass).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactDepth {
    /// Wheels whose ray points into the ground and starts above it.
    pub reaches: Mask4,
    /// Normal of the ground.
    pub normal: V3x4,
    /// Travel direction · normal (–).
    pub along: W4,
    /// Lowest point of the wheel's middle plane, where it meets the ground (`m`).
    pub bottom: V3x4,
    /// Jounce given by the ground, without limits (`m`).
    pub jounce: W4,
}

impl ContactDepth {
    /// Contact depth of wheels that are moved `by` so much (`m`).
    #[must_use]
    pub fn shifted(self, travel: &V3x4, by: V3x4) -> Self {
        let faces = self.along.lt(W4::ZERO);
        let risen = self.normal.dot(by) / faces.select(self.along, -W4::ONE);
        Self {
            bottom: self.bottom + by - *travel * risen,
            jounce: self.jounce + risen,
            ..self
        }
    }
}

/// Intersects suspension rays or swept wheels with the ground planes at the present pose (ALGORITHMS §3.2,
/// §3.3). Moving ground has moved since the step's start.
#[inline]
#[must_use]
pub fn contact_depth(
    k: &WheelConsts,
    view: &View,
    wheels: &WheelState,
    ground: &MovingGround,
    swept: Option<&SweptWheels>,
) -> ContactDepth {
    let mut planes = GroundPlanes::under(wheels, view.moved);
    if ground.any {
        planes.height = planes.height - ground.rise * W4::splat(view.elapsed);
    }
    reach_planes(k, &view.matrix, &planes, swept)
}

/// Contact depth of suspensions on these ground `planes`, for a vehicle with this rotation `matrix` (vehicle → world axes).
#[inline]
fn reach_planes(
    k: &WheelConsts,
    matrix: &Mat3,
    planes: &GroundPlanes,
    swept: Option<&SweptWheels>,
) -> ContactDepth {
    let height = planes.height;
    let normal = planes.normal.rotated_back(matrix);
    if let Some(swept) = swept {
        return reach_of_shape(k, swept, normal, height);
    }
    let start_height = height + normal.dot(k.ray_start);
    let along = normal.dot(k.travel);
    let faces = along.lt(W4::ZERO);
    let distance = -start_height / faces.select(along, -W4::ONE);
    ContactDepth {
        reaches: k.enabled & faces & start_height.ge(W4::ZERO),
        normal,
        along,
        bottom: k.ray_start + k.travel * distance,
        jounce: k.rest_distance - distance,
    }
}

/// Planes for a step in which four wheels have this `displacement` (`m`, vehicle frame): they lead from the
/// planes on which wheels stand at its start to the `next`, on which they will stand at its end.
///
/// Each passes through where its wheel will stand. Its inclination is between those of both planes, and such that it passes
/// through where the wheel stands now, if one between them does. Along an arc, this is the chord, which is as steep as the arc in
/// its middle; at an edge that a swept wheel touches, it rises no higher than to the ground at the end.
///
/// ```text
/// ρ(n) = n·d/n·w                                rise of the jounce over the displacement d on a plane
/// ρ    = j₁ − j₀, bounded by ρ(n₀) and ρ(n₁)    0: start, 1: end
/// n    = n₁ + d′·(ρ − ρ(n₁))·(n₁·w)/d′²         d′: the part of d across w
/// ```
#[must_use]
pub fn chord(
    k: &WheelConsts,
    matrix: &Mat3,
    [start, next]: [&GroundPlanes; 2],
    swept: Option<&SweptWheels>,
    displacement: V3x4,
) -> GroundPlanes {
    let (from, to) = (
        reach_planes(k, matrix, start, swept),
        reach_planes(k, matrix, next, swept),
    );
    let across = displacement - k.travel * displacement.dot(k.travel);
    let square = across.dot(across);
    let both = from.along.lt(W4::ZERO) & to.along.lt(W4::ZERO) & square.gt(W4::ZERO);
    if !both.any() {
        return *next;
    }
    let rise = |on: &ContactDepth| on.normal.dot(displacement) / both.select(on.along, -W4::ONE);
    let [first, last] = [rise(&from), rise(&to)];
    let end = to.jounce + last;
    let between = (end - from.jounce)
        .max(first.min(last))
        .min(first.max(last));
    let steeper = (between - last) * to.along / both.select(square, W4::ONE);
    let normal = to.normal + across * both.keep(steeper);
    let length = both.select(normal.dot(normal), W4::ONE).sqrt();
    let mut chord = GroundPlanes {
        normal: (normal * (W4::ONE / length)).rotated(matrix),
        height: next.height,
    };
    let depth = reach_planes(k, matrix, &chord, swept);
    let missing = end - depth.jounce - rise(&depth);
    chord.height += both.keep(missing * depth.along);
    GroundPlanes {
        normal: chord.normal.kept_or(both, next.normal),
        height: both.select(chord.height, next.height),
    }
}

/// Places swept wheels on planes with these normals, `height` below the center of mass (ALGORITHMS §3.3).
fn reach_of_shape(k: &WheelConsts, swept: &SweptWheels, normal: V3x4, height: W4) -> ContactDepth {
    let lowest = swept
        .kind
        .lowest(k.radius, swept.half_width, normal, swept.axle);
    let middle = k.center + lowest.middle;
    let along = normal.dot(k.travel);
    let faces = along.lt(W4::ZERO);
    // The shoulder that touches first determines the lift; the wheel stands on its middle plane.
    let above = height + normal.dot(middle + lowest.aside);
    let jounce = above / faces.select(along, -W4::ONE);
    let start = middle - k.travel * (k.radius + k.max_compression);
    let started_above = (height + normal.dot(start)).ge(W4::ZERO);
    let reaches = if swept.overlaps_carry {
        k.enabled & faces
    } else {
        k.enabled & faces & started_above
    };
    ContactDepth {
        reaches,
        normal,
        along,
        bottom: middle - k.travel * jounce,
        jounce,
    }
}

/// Jounces that swept wheels keep through a step that begins at this view, and the `points` of their hits
/// (`m`, world axes, from the center of mass); without one, that where the wheel stands on its plane.
#[must_use]
pub fn fix_contact(
    k: &WheelConsts,
    view: &View,
    wheels: &WheelState,
    ground: &MovingGround,
    swept: &SweptWheels,
    points: impl Fn(usize) -> Option<Vec3>,
) -> FixedContact {
    let depth = contact_depth(k, view, wheels, ground, Some(swept));
    let bottom = depth.bottom.rotated(&view.matrix);
    let point = |lane: usize| points(lane).unwrap_or_else(|| bottom.lane(lane));
    FixedContact {
        jounce: depth.jounce,
        point: V3x4::from_array(core::array::from_fn(point)),
    }
}

/// The ground of swept wheels that keep what they met at the step's start (ALGORITHMS §3.3): their jounce, and
/// points that are fixed in the world, seen on the planes of the wheels.
fn reach_fixed(
    k: &WheelConsts,
    view: &View,
    wheels: &WheelState,
    swept: &SweptWheels,
    fixed: &FixedContact,
) -> ContactDepth {
    let normal = wheels.ground_normal.rotated_back(&view.matrix);
    let along = normal.dot(k.travel);
    let point = (fixed.point - V3x4::splat(view.moved)).rotated_back(&view.matrix);
    ContactDepth {
        reaches: k.enabled & along.lt(W4::ZERO),
        normal,
        along,
        bottom: point - swept.axle * swept.axle.dot(point - k.center),
        jounce: fixed.jounce,
    }
}

/// Contact of wheels at the present pose (ALGORITHMS §3.2, §3.4), where swept ones do not keep it.
#[inline(always)]
#[must_use]
pub fn touch(
    k: &WheelConsts,
    view: &View,
    wheels: &WheelState,
    ground: &MovingGround,
    swept: Option<&SweptWheels>,
    h: f32,
) -> Touch {
    let kept = swept.and_then(|swept| Some((swept, swept.fixed.as_ref()?)));
    let depth = match kept {
        Some((swept, fixed)) => reach_fixed(k, view, wheels, swept, fixed),
        None => contact_depth(k, view, wheels, ground, swept),
    };
    let raw = depth.jounce;
    let touching = depth.reaches & raw.gt(-k.max_droop);
    let bounded = raw.gt(k.max_compression).select(k.max_compression, raw);
    let jounce = touching.select(bounded, -k.max_droop);
    let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
    let change = (jounce - wheels.jounce) / W4::splat(h);
    Touch {
        touching,
        normal: depth.normal,
        along: depth.along,
        bottom: depth.bottom,
        jounce,
        jounce_speed: (touching & known).keep(change),
        beyond_stop: touching.keep(depth.along * (k.max_compression - raw)),
    }
}

/// Wheels that the spring cannot extend as fast as the ground falls away carry nothing although they touch
/// (ALGORITHMS §3.5).
#[must_use]
pub fn outrun(k: &WheelConsts, view: &View, touch: &Touch, before: W4, h: f32) -> Mask4 {
    let fall = k.travel.dot(V3x4::splat(view.gravity));
    let spring = (before + k.max_droop) * k.stiffness / k.wheel_mass;
    let reachable = (spring + fall) * W4::splat(h);
    touch.jounce_speed.lt(W4::ZERO) & touch.jounce.le(W4::ZERO) & touch.jounce_speed.lt(-reachable)
}

/// Computes the jounce speed also for wheels that droop over ground. Limited expansion (by dampers of the
/// coefficient `limiting` (`N·s/m`)) lifts wheels that spring and mass do not extend as fast as the ground falls
/// away: they leave it at a jounce of their own (ALGORITHMS §7.9). `before` is the state before [`touch`].
#[inline]
#[must_use]
pub fn limit_extension(
    k: &WheelConsts,
    view: &View,
    before: &WheelState,
    touch: &Touch,
    limiting: Option<W4>,
    h: f32,
) -> Touch {
    let (step, zero) = (W4::splat(h), W4::ZERO);
    let known = !before.jounce.same(W4::splat(WheelState::UNKNOWN));
    // Without ground, a wheel would be at full droop at once.
    let over_ground = before.ground_normal.dot(before.ground_normal).gt(zero);
    let speed = (touch.jounce - before.jounce) / step;
    let Some(damper) = limiting else {
        return Touch {
            jounce_speed: (known & over_ground).keep(speed),
            ..*touch
        };
    };
    let extension = before.jounce + k.max_droop;
    let pushed = extension * k.stiffness * step / k.wheel_mass - before.jounce_speed;
    let damped = pushed + before.jounce_speed * damper * step / k.wheel_mass;
    let outward = pushed.ge(zero);
    let own = outward.select(damped.max(zero), damped.min(zero));
    let fall = k.travel.dot(V3x4::splat(view.gravity)) * step;
    let reachable = own + own.gt(zero).keep(fall);
    let late = known & speed.lt(zero) & speed.lt(-reachable);
    let jounce = late.select(before.jounce - own * step, touch.jounce);
    let off = late & jounce.gt(touch.jounce);
    Touch {
        touching: touch.touching & !off,
        jounce,
        jounce_speed: late.select(-own, (known & over_ground).keep(speed)),
        ..*touch
    }
}

/// Coefficient of the dampers (`N·s/m`) at a jounce speed (`m/s`).
#[inline]
#[must_use]
pub fn damper(k: &WheelConsts, curves: Option<&StrutCurves>, jounce_speed: W4) -> W4 {
    curves.map_or(k.damper, |curves| curves.damper(jounce_speed))
}

/// Force of spring and damper along the strut (`N`), with the carried weight (ALGORITHMS §3.6). `weight` is
/// gravity along the strut (`m/s²`), ≥ 0; `damper` the dampers' coefficient at this speed (`N·s/m`).
#[inline]
#[must_use]
pub fn strut(k: &WheelConsts, weight: W4, damper: W4, touch: &Touch, damper_may_pull: bool) -> W4 {
    let carried = k.preload_mass * weight + k.preload;
    let spring = (carried + k.stiffness * touch.jounce).max(W4::ZERO);
    let force = spring + damper * touch.jounce_speed;
    if damper_may_pull {
        force
    } else {
        force.max(W4::ZERO)
    }
}

/// Suspension force on the chassis along the ground's normal (`N`); 0 where not `loaded` (ALGORITHMS §3.6).
/// Limited so that a dynamic body under a wheel is accelerated by at most `max_acceleration` (`m/s²`).
#[inline(always)]
#[must_use]
pub fn force(
    k: &WheelConsts,
    curves: Option<&StrutCurves>,
    settings: &ExplicitSettings,
    view: &View,
    touch: &Touch,
    (ground, max_acceleration): (&MovingGround, f32),
    loaded: Mask4,
) -> W4 {
    let gravity = V3x4::splat(view.gravity);
    let weight = k.travel.dot(gravity).max(W4::ZERO);
    let borne = if settings.bears_gravity_into_ground {
        touch.normal.dot(gravity).lt(W4::ZERO)
    } else {
        weight.gt(W4::ZERO)
    };
    let across = gravity - k.travel * k.travel.dot(gravity);
    let carried_by_ground = borne.keep(touch.normal.dot(across) * k.sprung_mass);
    let damper = damper(k, curves, touch.jounce_speed);
    let strut = strut(k, weight, damper, touch, settings.damper_may_pull);
    let share = if settings.project_suspension_force {
        -touch.along
    } else {
        W4::ONE
    };
    let force = share * strut - carried_by_ground;
    if !ground.any {
        return loaded.keep(force);
    }
    let limit = ground.mass * W4::splat(max_acceleration);
    let bounded = force.gt(limit).select(limit, force);
    loaded.keep(bounded.lt(-limit).select(-limit, bounded))
}

/// Ends of the wheels along their travel (`m`, from the center of mass).
#[must_use]
pub fn wheel_end(k: &WheelConsts, touch: &Touch) -> V3x4 {
    k.center + k.travel * (k.radius - touch.jounce)
}

/// Velocity of chassis points relative to the ground there (`m/s`, vehicle frame).
#[inline(always)]
#[must_use]
pub fn contact_velocity(view: &View, point: V3x4, ground: &MovingGround) -> V3x4 {
    let own = V3x4::splat(view.linear) + V3x4::splat(view.angular).cross(point);
    if !ground.any {
        return own;
    }
    own - ground_velocity(view, point, ground)
}

/// Velocity of the ground at its points (`m/s`, vehicle frame).
#[must_use]
pub fn ground_velocity(view: &View, point: V3x4, ground: &MovingGround) -> V3x4 {
    if !ground.any {
        return V3x4::ZERO;
    }
    let moved = ground.spin.cross(V3x4::splat(view.moved));
    let velocity = (ground.velocity + moved).rotated_back(&view.matrix);
    let spin = ground.spin.rotated_back(&view.matrix);
    velocity + spin.cross(point)
}

/// The ground under a point of the chassis through a substep (`m/s`, vehicle frame in the substep's middle).
#[derive(Clone, Copy, Debug)]
pub struct GroundVelocities {
    /// The mean velocity of the chassis' point if it stands on the ground.
    pub mean: V3x4,
    /// Change of the velocity in the substep, beside the change of the chassis' point as the chassis turns.
    pub gain: V3x4,
}

/// The ground under a `point` of the chassis in a substep of `h` (`s`), which begins at this view's pose.
///
/// Both rotate in the substep, and the chassis moves at the mean of its initial and final velocity, along the chord: with
/// x = ω·h, that is shorter than the mean's arc by x²/24. Without this, a turntable throws a car out (ROWS §3).
#[must_use]
pub fn ground_velocities(
    view: &View,
    point: V3x4,
    ground: &MovingGround,
    h: f32,
) -> GroundVelocities {
    let spin = ground.spin.rotated_back(&view.matrix);
    let own_speed = ground.velocity - ground.spin.cross(ground.arm);
    let elapsed = W4::splat(view.elapsed);
    let center = ground.arm + V3x4::splat(view.moved) - own_speed * elapsed;
    let center = center.rotated_back(&view.matrix);
    let swung = spin.cross(center);
    let arm =
        center + (swung + spin.cross(swung) * W4::splat(0.25 * h)) * W4::splat(0.5 * h) + point;
    let own_spin = V3x4::splat(view.angular);
    let (velocity, own_velocity) = (spin.cross(arm), own_spin.cross(point));
    let (bend, own_bend) = (spin.cross(velocity), own_spin.cross(own_velocity));
    let chord = spin.cross(bend) - own_spin.cross(own_bend);
    GroundVelocities {
        mean: own_speed.rotated_back(&view.matrix)
            + velocity
            + chord * W4::splat(h * h * (1.0 / 24.0)),
        gain: (bend - own_bend) * W4::splat(h),
    }
}

#[cfg(test)]
mod tests;
