//! Ground planes of four wheels, from hits.

use glam::{DVec3, Mat3, Vec3};

use crate::base::lanes::{LANES, Mask4, V3x4, W4, by_number};
use crate::base::math;
use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::rigid_bodies::GroundMotion;
use crate::exchange::extra_states::BushingForces;
use crate::exchange::state::WheelState;
use crate::params::surface::SurfaceType;
use crate::params::wheel_shape::ShapeKind;
use crate::stages::strut_curves::{self, StrutCurves};
use crate::stages::wheel_consts::WheelConsts;

/// Result of a wheel's probe, for the step and its report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The hit.
    pub hit: GroundHit,
    /// Point of the hit relative to the center of mass at the time of the probe (`m`, world axes).
    pub point: Vec3,
    /// Height of the center of mass above the plane that the wheel stands on (`m`).
    pub height: f32,
    /// Whether a wheel can stand on the contact.
    pub carries: bool,
    /// Whether a wheel could roll onto the contact from its position; a swept wheel with no other hit stands on one
    /// out of its reach.
    pub in_reach: bool,
    /// Surface type, for reports.
    pub surface: SurfaceType,
    /// Friction of the tire on this ground, without its dependence on slip (–).
    pub friction: f32,
}

impl Contact {
    /// A contact from a ray's hit: the plane through it, of surface type 0. A ray that starts inside the ground
    /// gives nothing to stand on (ALGORITHMS §2.4).
    #[must_use]
    pub fn new(ray: &GroundRay, hit: GroundHit, friction: f32) -> Self {
        let point = ray.offset + ray.direction * hit.distance;
        Self {
            hit,
            point,
            height: -hit.normal.dot(point),
            carries: hit.distance != 0.0,
            in_reach: true,
            surface: SurfaceType::default(),
            friction,
        }
    }

    /// Whether no number of the contact is `NaN` or infinite.
    #[inline]
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let amounts = self.height.is_finite() && self.friction.is_finite();
        amounts && self.hit.normal.is_finite() && self.point.is_finite()
    }
}

/// Offsets, directions and lengths of four rays.
#[inline]
#[must_use]
pub fn ray_lanes(rays: [&GroundRay; LANES]) -> (V3x4, V3x4, W4) {
    let [x, y, z, _] = by_number(rays.map(|ray| ray.offset.extend(ray.direction.x)));
    let offset = V3x4 { x, y, z };
    let [x, y, z, length] = by_number(rays.map(|ray| ray.direction.extend(ray.length)));
    (offset, V3x4 { x, y, z }, length)
}

/// The contact of a lane, if the wheel can stand on it.
fn usable(contacts: &[Option<Contact>], lane: usize) -> Option<&Contact> {
    let contact = contacts.get(lane)?.as_ref();
    contact.filter(|contact| contact.carries)
}

/// Updates stored planes after the center of mass has moved by `moved` (`m`, world axes).
pub fn move_planes(wheels: &mut WheelState, moved: Vec3) {
    wheels.ground_height += wheels.ground_normal.dot(V3x4::splat(moved));
}

/// Ground planes under four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroundPlanes {
    /// Normals (world axes, unit); zero without ground.
    pub normal: V3x4,
    /// Height of the center of mass above them (`m`).
    pub height: W4,
}

impl GroundPlanes {
    /// The planes stored in a group's state, for a center of mass that has moved by `moved` since (`m`, world axes).
    #[inline]
    #[must_use]
    pub fn under(wheels: &WheelState, moved: Vec3) -> Self {
        Self {
            normal: wheels.ground_normal,
            height: wheels.ground_height + wheels.ground_normal.dot(V3x4::splat(moved)),
        }
    }

    /// Moves the planes with their ground for a time (`s`), to first order; normals then are no longer unit. The ground's rise is
    /// that at `points` (`m`, from the center of mass, world axes).
    pub fn follow(&mut self, ground: &MovingGround, points: V3x4, time: W4) {
        let turned = ground.spin.cross(self.normal) * time;
        self.normal = self.normal + turned;
        self.height = self.height - ground.rise * time - turned.dot(points);
    }
}

/// Ground that a probe found under four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProbedGround {
    /// The planes, for the center of mass at the time of the probe.
    pub planes: GroundPlanes,
    /// Friction of the tires on it (–).
    pub friction: W4,
}

impl ProbedGround {
    /// The ground of up to four contacts.
    #[must_use]
    pub fn under(contacts: &[Option<Contact>]) -> Self {
        let usable: [Option<&Contact>; LANES] = core::array::from_fn(|lane| usable(contacts, lane));
        let normals = usable.map(|c| c.map_or(Vec3::ZERO, |c| c.hit.normal));
        Self {
            planes: GroundPlanes {
                normal: V3x4::from_array(normals),
                height: W4::from_array(usable.map(|c| c.map_or(0.0, |c| c.height))),
            },
            friction: W4::from_array(usable.map(|c| c.map_or(0.0, |c| c.friction))),
        }
    }

    /// The ground under these wheels alone.
    #[inline]
    #[must_use]
    pub fn kept(&self, wheels: Mask4) -> Self {
        Self {
            planes: GroundPlanes {
                normal: self.planes.normal.kept(wheels),
                height: wheels.keep(self.planes.height),
            },
            friction: wheels.keep(self.friction),
        }
    }

    /// Stores the ground in a group's state.
    #[inline]
    pub fn store(&self, wheels: &mut WheelState) {
        wheels.ground_normal = self.planes.normal;
        wheels.ground_height = self.planes.height;
        wheels.ground_friction = self.friction;
    }
}

/// Four wheels with a shape in a step: swept ones, or those that meet sections of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptWheels {
    /// Shape of the wheels.
    pub kind: ShapeKind,
    /// Axles of the wheels, to the left, unit (vehicle frame).
    pub axle: V3x4,
    /// Half widths of the wheels (`m`); 0 for wheels that stand by their middle planes.
    pub half_width: W4,
    /// Whether a wheel in the ground stands on it.
    pub overlaps_carry: bool,
    /// Jounces and points that swept wheels keep from the step's start, if the solver takes jounce from the sweeps themselves.
    pub fixed: Option<FixedContact>,
}

/// Contact of four wheels at the step's start, fixed through the step (ALGORITHMS §3.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedContact {
    /// Jounce, without limits (`m`).
    pub jounce: W4,
    /// Points of the hits from the center of mass (`m`, world axes).
    pub point: V3x4,
}

impl SweptWheels {
    /// Orientation of the wheels by the last step's steering: sweeps precede the step's steering (ALGORITHMS
    /// §2.2).
    #[must_use]
    pub fn new(
        k: &WheelConsts,
        curves: Option<&StrutCurves>,
        bushings: Option<&BushingForces>,
        wheels: &WheelState,
        kind: ShapeKind,
        overlaps_carry: bool,
    ) -> Self {
        let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
        let jounce = known.keep(wheels.jounce);
        let camber = strut_curves::camber(k, curves, jounce, bushings).to_array();
        let toe = curves.map_or(W4::ZERO, |curves| curves.toe(jounce, bushings));
        let steer = (wheels.steer + toe).to_array();
        let axle = |lane: usize| {
            let (sin, cos) = math::sin_cos(steer[lane]);
            let (tilt, upright) = math::sin_cos(camber[lane]);
            Vec3::new(-sin * upright, cos * upright, tilt)
        };
        Self {
            kind,
            axle: V3x4::from_array(core::array::from_fn(axle)),
            half_width: k.half_width,
            overlaps_carry,
            fixed: None,
        }
    }
}

/// Motion of the ground under four wheels (world axes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingGround {
    /// Whether any of the ground moves.
    pub any: bool,
    /// Velocity of the ground body, extended to the vehicle's center of mass at the step's
    /// start (`m/s`).
    pub velocity: V3x4,
    /// Arm from the ground body's center of mass to the vehicle's, at the step's start (`m`).
    pub arm: V3x4,
    /// Angular velocity of the ground (`rad/s`).
    pub spin: V3x4,
    /// Speed of the ground along its normal at the contact point (`m/s`).
    pub rise: W4,
    /// Mass of dynamic bodies, infinite for others (`kg`).
    pub mass: W4,
    /// Velocity that dynamic bodies gain at the contact point per impulse there: the columns of symmetric matrices, 0
    /// for others (`1/kg`, world axes).
    pub response: [V3x4; 3],
    /// Contacts on bodies that can move.
    pub moves: Mask4,
}

impl MovingGround {
    /// Fixed ground.
    pub const FIXED: Self = Self {
        any: false,
        velocity: V3x4::ZERO,
        arm: V3x4::ZERO,
        spin: V3x4::ZERO,
        rise: W4::ZERO,
        mass: W4::splat(f32::INFINITY),
        response: [V3x4::ZERO; 3],
        moves: Mask4::NONE,
    };

    /// The ground of four contacts whose bodies have these `motions`, for a center of mass at `position`.
    #[must_use]
    pub fn under(
        contacts: &[Option<Contact>],
        motions: &[Option<GroundMotion>],
        position: DVec3,
    ) -> Self {
        let motion = |lane: usize| usable(contacts, lane).and(motions.get(lane).copied().flatten());
        let motions: [Option<GroundMotion>; LANES] = core::array::from_fn(motion);
        if motions.iter().all(Option::is_none) {
            return Self::FIXED;
        }
        let arm =
            |m: Option<GroundMotion>| m.map_or(Vec3::ZERO, |m| (position - m.position).as_vec3());
        let velocity = |m: Option<GroundMotion>| {
            m.map_or(Vec3::ZERO, |moving| {
                moving.linear_velocity + moving.angular_velocity.cross(arm(m))
            })
        };
        let spin = |m: Option<GroundMotion>| m.map_or(Vec3::ZERO, |m| m.angular_velocity);
        let rise = |lane: usize| {
            usable(contacts, lane).map_or(0.0, |contact| {
                let turned = spin(motions[lane]).cross(contact.point);
                contact.hit.normal.dot(velocity(motions[lane]) + turned)
            })
        };
        Self {
            any: true,
            velocity: V3x4::from_array(motions.map(velocity)),
            arm: V3x4::from_array(motions.map(arm)),
            spin: V3x4::from_array(motions.map(spin)),
            rise: W4::from_fn(rise),
            mass: W4::from_array(motions.map(|m| m.and_then(|m| m.mass).unwrap_or(f32::INFINITY))),
            response: columns(core::array::from_fn(|lane| {
                let at = |c: &Contact| response(motions[lane]?, c.point + arm(motions[lane]));
                usable(contacts, lane).and_then(at).unwrap_or(Mat3::ZERO)
            })),
            moves: Mask4::from_fn(|lane| motions[lane].is_some()),
        }
    }

    /// Inverse of the mass with which the ground resists a push along `direction` (unit, world axes) at the contact
    /// point (`1/kg`); 0 if no push moves it.
    #[must_use]
    pub fn inverse_mass_along(&self, direction: V3x4) -> W4 {
        let [x, y, z] = self.response;
        let V3x4 { x: a, y: b, z: c } = direction;
        direction.dot(x * a + y * b + z * c)
    }
}

/// Velocity that a body gains at `point` (`m`, from its center of mass) per impulse there (`1/kg`); `None` if no
/// impulse moves it.
///
/// ```text
/// W = 1/M + Sᵀ·I⁻¹·S,  S·p = r × p
/// ```
fn response(motion: GroundMotion, point: Vec3) -> Option<Mat3> {
    let linear = Mat3::from_diagonal(Vec3::splat(1.0 / motion.mass?));
    let arms = Mat3::from_cols(
        point.cross(Vec3::X),
        point.cross(Vec3::Y),
        point.cross(Vec3::Z),
    );
    Some(linear + arms.transpose() * motion.inverse_inertia * arms)
}

/// The columns of four matrices.
fn columns(matrices: [Mat3; LANES]) -> [V3x4; 3] {
    core::array::from_fn(|n| V3x4::from_array(matrices.map(|matrix| matrix.col(n))))
}

#[cfg(test)]
mod tests;
