//! Jointed wheels of the standalone world.

use glam::{Mat3, Vec3};
use jointed_wheels::motion::{WheelBase, WheelBody, joint_frame};
use jointed_wheels::rows::JointStrut;
use jointed_wheels::{
    ChassisBody, JointedError, JointedWheels, Motor, WheelAttachment, WheelDrive, WheelMotion,
    WheelPlacing,
};
use vehicle_core::{BodyError, BodyId, Reaction, RigidBodies as _, math};

use crate::body::{BodyDesc, CollisionBox};
use crate::error::GroundError;
use crate::joint::{JointDesc, JointFrame, JointId, JointKind, WheelJoint, WheelSet};
use crate::standalone::Standalone;
use crate::tread::Tread;

/// Limit of a wheel's spin (`rad/s`).
const MAX_SPIN: f32 = 1000.0;

impl JointedWheels for Standalone {
    fn attach_wheels(
        &mut self,
        chassis: BodyId,
        attachments: &[WheelAttachment],
    ) -> Result<Vec<BodyId>, JointedError> {
        self.body(chassis)?;
        if self.axles(chassis).is_ok() {
            return Err(JointedError::Twice(chassis));
        }
        let mut wheels: Vec<(BodyId, JointId)> = Vec::new();
        for attachment in attachments {
            match self.attach(chassis, attachment) {
                Ok(wheel) => wheels.push(wheel),
                Err(fault) => {
                    for (wheel, _) in wheels {
                        self.remove(wheel)?;
                    }
                    return Err(JointedError::Engine(fault.to_string()));
                }
            }
        }
        let bodies = wheels.iter().map(|(wheel, _)| *wheel).collect();
        self.constraints.axles.push(WheelSet { chassis, wheels });
        Ok(bodies)
    }

    fn detach_wheels(&mut self, chassis: BodyId) -> Result<(), JointedError> {
        for (wheel, _) in self.axles(chassis)?.wheels.clone() {
            self.remove(wheel)?;
        }
        self.constraints
            .axles
            .retain(|axles| axles.chassis != chassis);
        Ok(())
    }

    fn place_wheels(
        &mut self,
        chassis: BodyId,
        starts: &[WheelPlacing],
    ) -> Result<(), JointedError> {
        let wheels = self.axles(chassis)?.wheels.clone();
        assert_eq!(wheels.len(), starts.len(), "one start per wheel");
        for ((wheel, joint), start) in wheels.iter().zip(starts) {
            self.steer(*joint, start.steer);
            let Some(desc) = self.joint(*joint) else {
                continue;
            };
            let now = *self.body(chassis)?.now();
            let put = base_of(&now, &desc.frames[0]).body_of(&start.motion);
            let body = self.body_mut(*wheel)?;
            body.now.position = now.position + put.place.as_dvec3();
            body.now.rotation = put.rotation;
            body.set_velocity(put.linear, put.angular);
            body.wake();
        }
        Ok(())
    }

    fn set_chassis(&mut self, chassis: BodyId, body: &ChassisBody) -> Result<(), JointedError> {
        let found = self.body_mut(chassis)?;
        let now = found.now;
        let changed = BodyDesc {
            position: now.position + (now.rotation * body.shift).as_dvec3(),
            linear_velocity: body.linear_velocity,
            angular_velocity: body.angular_velocity,
            mass: body.mass,
            inertia: body.inertia,
            hull: now.hull.map(|hull| CollisionBox {
                center: hull.center - body.shift,
                ..hull
            }),
            ..now
        };
        let fault = |fault: GroundError| JointedError::Engine(fault.to_string());
        changed.check().map_err(fault)?;
        found.describe(&changed);
        Ok(())
    }

    fn push_chassis(&mut self, push: &Reaction) -> Result<(), JointedError> {
        self.axles(push.body)?;
        self.react(core::slice::from_ref(push));
        Ok(())
    }

    fn wheel_motions(&self, chassis: BodyId, out: &mut [WheelMotion]) -> Result<(), JointedError> {
        let axles = self.axles(chassis)?;
        assert_eq!(axles.wheels.len(), out.len(), "one motion per wheel");
        for ((_, joint), out) in axles.wheels.iter().zip(out) {
            *out = self.motion(*joint)?;
        }
        Ok(())
    }

    fn drive_wheels(
        &mut self,
        chassis: BodyId,
        drives: &[WheelDrive],
        wake: bool,
    ) -> Result<(), JointedError> {
        let count = self.axles(chassis)?.wheels.len();
        assert_eq!(count, drives.len(), "one drive per wheel");
        if wake {
            self.wake(chassis)?;
        }
        for (wheel, drive) in drives.iter().enumerate() {
            let (_, joint) = self.axles(chassis)?.wheels[wheel];
            self.steer(joint, drive.steer);
            if let Some(JointDesc { kind, .. }) = self.joint_mut(joint)
                && let JointKind::Wheel(wheel) = kind
            {
                wheel.strut.free_travel = drive.free_travel;
                wheel.strut.motor = drive.motor;
            }
        }
        Ok(())
    }
}

/// A chassis as a wheel that it holds here sees it.
fn base_of(chassis: &BodyDesc, held: &JointFrame) -> WheelBase {
    WheelBase {
        frame: math::compose(chassis.rotation, held.rotation),
        arm: math::matrix(chassis.rotation) * held.anchor,
        linear: chassis.linear_velocity,
        angular: chassis.angular_velocity,
    }
}

impl Standalone {
    fn axles(&self, chassis: BodyId) -> Result<&WheelSet, JointedError> {
        let mut all = self.constraints.axles.iter();
        let found = all.find(|axles| axles.chassis == chassis);
        found.ok_or(JointedError::NotAttached(chassis))
    }

    /// Turns the frame of a wheel on its chassis.
    fn steer(&mut self, joint: JointId, steer: f32) {
        if let Some(JointDesc { frames, kind, .. }) = self.joint_mut(joint)
            && let JointKind::Wheel(wheel) = kind
        {
            let turned = math::rotation_about(Vec3::Z, steer);
            frames[0].rotation = math::compose(wheel.upright, turned);
        }
    }

    fn attach(
        &mut self,
        chassis: BodyId,
        attachment: &WheelAttachment,
    ) -> Result<(BodyId, JointId), GroundError> {
        let base = *self.body(chassis)?.now();
        let arm = base.rotation * attachment.position;
        let [about, across] = attachment.inertia;
        let inertia = Mat3::from_diagonal(Vec3::new(across, about, across));
        let wheel = self.add(&BodyDesc {
            position: base.position + arm.as_dvec3(),
            rotation: base.rotation,
            linear_velocity: base.linear_velocity + base.angular_velocity.cross(arm),
            angular_velocity: base.angular_velocity,
            max_angular_speed: MAX_SPIN,
            sleep_threshold: base.sleep_threshold,
            ..BodyDesc::at_rest(base.position, attachment.mass, inertia)
        })?;
        let upright = joint_frame(attachment.up, 0.0);
        let on_chassis = JointFrame {
            anchor: attachment.position,
            rotation: upright,
        };
        let joined = self.join(&JointDesc {
            bodies: [chassis, wheel],
            frames: [on_chassis, JointFrame::at(Vec3::ZERO)],
            kind: JointKind::Wheel(WheelJoint {
                upright,
                strut: JointStrut {
                    stiffness: attachment.stiffness,
                    damping: attachment.damping,
                    free_travel: attachment.free_travel,
                    limits: attachment.limits,
                    motor: Motor::default(),
                },
                tread: Some(Tread {
                    radius: attachment.radius,
                    width: attachment.width,
                    friction: attachment.friction,
                    layers: attachment.layers,
                }),
            }),
        });
        match joined {
            Ok(joint) => Ok((wheel, joint)),
            Err(fault) => {
                self.remove(wheel)?;
                Err(fault)
            }
        }
    }

    fn motion(&self, joint: JointId) -> Result<WheelMotion, BodyError> {
        let Some(desc) = self.joint(joint) else {
            return Ok(WheelMotion::default());
        };
        let [base, wheel] = desc.bodies.map(|id| self.body(id));
        let (base, wheel) = (base?.now(), wheel?.now());
        Ok(base_of(base, &desc.frames[0]).motion_of(&WheelBody {
            place: (wheel.position - base.position).as_vec3(),
            rotation: wheel.rotation,
            linear: wheel.linear_velocity,
            angular: wheel.angular_velocity,
        }))
    }
}

#[cfg(test)]
mod tests;
