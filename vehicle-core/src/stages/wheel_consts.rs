//! Constants of wheels, prepared once: parameters become lanes, lever arms are relative to the center of mass.

use glam::Vec3;

use crate::base::lanes::{Mask4, V3x4, W4};
use crate::contracts::tire::TireForces;
use crate::params::{ChassisParams, Unsprung, WheelParams};

use super::axles::WheelAxles;

/// Constants of four wheels. Vectors are in the vehicle frame, from the center of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelConsts {
    /// Lanes that are wheels, enabled or not.
    pub present: Mask4,
    /// Lanes that are enabled wheels.
    pub enabled: Mask4,
    /// Opposite wheels of the axles.
    pub axles: WheelAxles,
    /// Radius (`m`), without load where the tire gives.
    pub radius: W4,
    /// Half of the width (`m`).
    pub half_width: W4,
    /// 1/radius (`1/m`).
    pub inverse_radius: W4,
    /// Moment of inertia about the axle (`kg·m²`).
    pub inertia: W4,
    /// 1/inertia (`1/(kg·m²)`).
    pub inverse_inertia: W4,
    /// Bearing damping (`N·m·s/rad`).
    pub damping: W4,
    /// Rolling resistance moment per load (`m`), and its rise with the square of speed (`s²/m`), of tires whose laws have none.
    pub rolling_arm: [W4; 2],
    /// Toe (`rad`), positive to the left.
    pub toe: W4,
    /// Wheel center at jounce 0 (`m`).
    pub center: V3x4,
    /// Wheel center at jounce 0, from the vehicle's origin (`m`).
    pub position: V3x4,
    /// Direction of droop, unit.
    pub travel: V3x4,
    /// Point of application of the suspension force (`m`).
    pub suspension_point: V3x4,
    /// Point of application of tire forces (`m`).
    pub tire_point: V3x4,
    /// Point of application of lateral tire forces (`m`): at the height given by the roll influence.
    pub side_point: V3x4,
    /// Roll influence (–), 0…1.
    pub roll_influence: W4,
    /// Whether any wheel's lateral force acts at another point than the longitudinal one.
    pub lowers_sides: bool,
    /// Start of the suspension ray: the top of the wheel at full compression (`m`).
    pub ray_start: V3x4,
    /// Distance from there to the ground at jounce 0 (`m`).
    pub rest_distance: W4,
    /// Length of the ray (`m`).
    pub ray_length: W4,
    /// Spring stiffness (`N/m`).
    pub stiffness: W4,
    /// Damper coefficient at low speed in compression (`N·s/m`).
    pub damper: W4,
    /// Stiffness of the bump stop (`N/m`).
    pub bump_stop: W4,
    /// Stiffness of all anti-roll bars at the wheel with the opposite wheel fixed (`N/m`).
    pub bar_stiffness: W4,
    /// Sprung mass (`kg`).
    pub sprung_mass: W4,
    /// Mass whose present weight preloads the spring (`kg`).
    pub preload_mass: W4,
    /// Additional force of the spring at jounce 0 (`N`).
    pub preload: W4,
    /// Gravity that the vehicle is designed for (`m/s²`).
    pub design_gravity: f32,
    /// Wheel mass (`kg`).
    pub wheel_mass: W4,
    /// Mass on the tire at rest (`kg`).
    pub rest_mass: W4,
    /// Load of the tire at rest under the design gravity (`N`).
    pub rest_load: W4,
    /// Travel from rest to full compression (`m`).
    pub max_compression: W4,
    /// Travel from rest to full droop (`m`).
    pub max_droop: W4,
    /// Camber at jounce 0 (`rad`).
    pub camber_at_rest: W4,
    /// Camber per meter of compression (`rad/m`).
    pub camber_per_compression: W4,
    /// Camber per meter of droop (`rad/m`).
    pub camber_per_droop: W4,
    /// Friction curve: the slips of its second and third point.
    pub curve_slip: [W4; 2],
    /// Friction curve: the friction factors of its three points.
    pub curve_friction: [W4; 3],
    /// Whether any wheel's friction curve is not flat.
    pub friction_curved: bool,
    /// Whether any wheel's friction falls with slip, by its curve or its tire's law.
    pub friction_falls: bool,
    /// Whether any wheel's tire has force at zero slip, for example by camber.
    pub has_offsets: bool,
    /// Whether the force of any wheel's tire depends on camber.
    pub feels_camber: bool,
    /// Wheels whose tires' moments act on the vehicle.
    pub moments: Mask4,
    /// Wheels whose tires provide properties.
    pub properties: Mask4,
    /// Wheels with stateful tires.
    pub stateful: Mask4,
    /// 1 for tires whose friction is a cone, −1 for those where it is a pyramid.
    pub friction_shape: W4,
    /// Whether the wheels have an unsprung mass: all of a vehicle, or none.
    pub has_unsprung: bool,
    /// How, if they do: see [`Self::unsprung_masses`].
    pub unsprung_masses: UnsprungConsts,
}

/// Constants of wheels between their struts and their tires.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnsprungConsts {
    /// Unsprung mass (`kg`).
    pub mass: W4,
    /// Vertical stiffness of the tire (`N/m`).
    pub tire_stiffness: W4,
    /// Vertical damping of the tire (`N·s/m`).
    pub tire_damping: W4,
}

impl UnsprungConsts {
    /// Constants of unsprung masses; `None` for wheels without any.
    fn new<'a>(wheel: impl Fn(usize) -> &'a WheelParams) -> Option<Self> {
        wheel(0).unsprung?;
        let scalar =
            |f: fn(Unsprung) -> f32| W4::from_fn(|lane| wheel(lane).unsprung.map_or(0.0, f));
        Some(Self {
            mass: scalar(|unsprung_mass| unsprung_mass.mass),
            tire_stiffness: scalar(|unsprung_mass| unsprung_mass.tire_stiffness),
            tire_damping: scalar(|unsprung_mass| unsprung_mass.tire_damping),
        })
    }
}

impl WheelConsts {
    /// Constants of the unsprung masses, if the wheels have any.
    // Not kept as an option, whose tag would be of 16 bytes, and in which that of `Groups` would hide.
    #[inline]
    #[must_use]
    pub fn unsprung_masses(&self) -> Option<&UnsprungConsts> {
        self.has_unsprung.then_some(&self.unsprung_masses)
    }

    /// Moment on the chassis per force along a strut's droop (`m`).
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[must_use]
    pub fn suspension_arm(&self, lane: usize) -> Vec3 {
        let point = self.suspension_point.lane(lane);
        point.cross(self.travel.lane(lane))
    }

    /// Camber at a jounce (`m`), in (`rad`) (ALGORITHMS §3.7).
    #[inline]
    #[must_use]
    pub fn camber(&self, jounce: W4) -> W4 {
        let compressed = jounce.gt(W4::ZERO);
        let change = compressed.select(
            jounce * self.camber_per_compression,
            -(jounce * self.camber_per_droop),
        );
        self.camber_at_rest + change
    }

    /// Rolling resistance that acts on the spins (`N·m`), ≥ 0, at a load (`N`) and a forward speed (`m/s`): the law's where its
    /// moments act and it tells one, elsewhere that of the tire's fit.
    ///
    /// ```text
    /// M = (c + c₂·v²)·N·r
    /// ```
    #[inline]
    #[must_use]
    pub fn rolling_resistance(&self, forces: &TireForces<W4>, load: W4, speed: W4) -> W4 {
        let own = self.moments.keep(forces.rolling_resistance.max(W4::ZERO));
        let [arm, rise] = self.rolling_arm;
        let fit = (arm + rise * (speed * speed)) * load;
        own.gt(W4::ZERO).select(own, fit)
    }

    /// Whether any wheel may have rolling resistance.
    pub(super) fn resists_rolling(&self) -> bool {
        let most = self.rolling_arm[0].max(self.rolling_arm[1]);
        self.moments.any() || most.gt(W4::ZERO).any()
    }

    /// Prepares up to four wheels; missing lanes repeat the first wheel, disabled. The preloads are those of the chassis' design
    /// gravity, unless they `follow` the present one.
    pub(super) fn new(wheels: &[WheelParams], chassis: &ChassisParams, follow: bool) -> Self {
        let center_of_mass = chassis.center_of_mass;
        let wheel = |lane: usize| wheels.get(lane).unwrap_or(&wheels[0]);
        let scalar = |f: fn(&WheelParams) -> f32| W4::from_fn(|lane| f(wheel(lane)));
        let arm = |f: fn(&WheelParams) -> Vec3| {
            V3x4::from_array(core::array::from_fn(|lane| f(wheel(lane)) - center_of_mass))
        };
        let radius = scalar(|w| w.radius);
        let max_compression = scalar(|w| w.suspension.max_compression);
        let max_droop = scalar(|w| w.suspension.max_droop);
        let center = arm(|w| w.position);
        let tire_point = arm(|w| w.tire.application_point);
        let roll_influence = scalar(|w| w.suspension.roll_influence);
        let travel = V3x4::from_array(core::array::from_fn(|lane| {
            wheel(lane).suspension.travel_direction
        }));
        let preload_mass = W4::from_fn(|lane| {
            let strut = &wheel(lane).suspension;
            if strut.free_at_droop {
                0.0
            } else {
                strut.sprung_mass
            }
        });
        let free_at_droop = W4::from_fn(|lane| {
            let strut = &wheel(lane).suspension;
            if strut.free_at_droop {
                strut.stiffness * strut.max_droop
            } else {
                0.0
            }
        });
        let designed = W4::splat(if follow { 0.0 } else { chassis.design_gravity });
        let rest_mass = W4::from_fn(|lane| {
            let w = wheel(lane);
            w.tire.rest_mass.unwrap_or(
                w.unsprung
                    .map_or(w.mass, |unsprung_mass| unsprung_mass.mass)
                    + w.suspension.sprung_mass,
            )
        });
        let curve = |point: usize, axis: usize| {
            W4::from_fn(|lane| wheel(lane).tire.friction_curve[point][axis])
        };
        let curve_friction = [curve(0, 1), curve(1, 1), curve(2, 1)];
        Self {
            present: Mask4::from_fn(|lane| lane < wheels.len()),
            enabled: Mask4::from_fn(|lane| wheels.get(lane).is_some_and(|w| w.enabled)),
            axles: WheelAxles::new(wheels),
            radius,
            half_width: scalar(|w| 0.5 * w.width),
            inverse_radius: W4::ONE / radius,
            inertia: scalar(|w| w.inertia),
            inverse_inertia: W4::ONE / scalar(|w| w.inertia),
            damping: scalar(|w| w.damping),
            rolling_arm: [
                scalar(|w| w.tire.rolling_resistance[0]) * radius,
                scalar(|w| w.tire.rolling_resistance[1]) * radius,
            ],
            toe: scalar(|w| w.toe),
            center,
            position: V3x4::from_array(core::array::from_fn(|lane| wheel(lane).position)),
            travel,
            suspension_point: arm(|w| w.suspension.application_point),
            tire_point,
            side_point: lowered(tire_point, roll_influence),
            roll_influence,
            lowers_sides: wheels.iter().any(|w| w.suspension.roll_influence != 1.0),
            ray_start: center - travel * (radius + max_compression),
            rest_distance: radius + radius + max_compression,
            ray_length: radius + radius + radius + max_compression + max_droop,
            stiffness: scalar(|w| w.suspension.stiffness),
            damper: scalar(|w| w.suspension.damping.bump.rate),
            bump_stop: scalar(|w| w.suspension.bump_stop_stiffness),
            bar_stiffness: W4::ZERO,
            sprung_mass: scalar(|w| w.suspension.sprung_mass),
            preload_mass: if follow { preload_mass } else { W4::ZERO },
            preload: preload_mass * designed + free_at_droop,
            design_gravity: chassis.design_gravity,
            wheel_mass: scalar(|w| w.mass),
            rest_mass,
            rest_load: rest_mass * W4::splat(chassis.design_gravity),
            max_compression,
            max_droop,
            camber_at_rest: scalar(|w| w.suspension.camber.at_rest),
            camber_per_compression: per_travel(
                scalar(|w| w.suspension.camber.at_max_compression),
                max_compression,
            ),
            camber_per_droop: per_travel(scalar(|w| w.suspension.camber.at_max_droop), max_droop),
            curve_slip: [curve(1, 0), curve(2, 0)],
            curve_friction,
            friction_curved: curve_friction != [curve_friction[0]; 3],
            friction_falls: false,
            has_offsets: false,
            feels_camber: false,
            moments: Mask4::NONE,
            properties: Mask4::NONE,
            stateful: Mask4::NONE,
            friction_shape: W4::ONE,
            has_unsprung: wheel(0).unsprung.is_some(),
            unsprung_masses: UnsprungConsts::new(wheel).unwrap_or_default(),
        }
    }
}

/// Points at a share of their height relative to the center of mass.
pub(crate) fn lowered(point: V3x4, share: W4) -> V3x4 {
    V3x4 {
        z: point.z * share,
        ..point
    }
}

/// `value/travel`; without travel, `value` per meter (ALGORITHMS §3.7).
pub(super) fn per_travel(value: W4, travel: W4) -> W4 {
    value * travel.gt(W4::ZERO).select(W4::ONE / travel, W4::ONE)
}
