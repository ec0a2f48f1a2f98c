//! Jointed wheels of the standalone world.

use glam::{Mat3, Quat, Vec3};
use jointed_wheels::rows::JointStrut;
use jointed_wheels::{JointedError, JointedWheels, Motor, WheelDrive, WheelMotion, WheelMount};
use vehicle_core::{BodyError, BodyId, math};

use crate::body::BodyDesc;
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
        mounts: &[WheelMount],
    ) -> Result<Vec<BodyId>, JointedError> {
        self.body(chassis)?;
        if self.axles(chassis).is_ok() {
            return Err(JointedError::Twice(chassis));
        }
        let mut wheels: Vec<(BodyId, JointId)> = Vec::new();
        for mount in mounts {
            match self.attach(chassis, mount) {
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
            if let Some(JointDesc { frames, kind, .. }) = self.joint_mut(joint)
                && let JointKind::Wheel(wheel) = kind
            {
                frames[0].rotation = steered(wheel.upright, drive.steer);
                wheel.strut.free_travel = drive.free_travel;
                wheel.strut.motor = drive.motor;
            }
        }
        Ok(())
    }
}

/// The frame of a wheel that travels along z of `upright`, steered about that axis.
fn steered(upright: Quat, steer: f32) -> Quat {
    math::compose(upright, math::rotation_about(Vec3::Z, steer))
}

/// The rotation whose z is `up`, perpendicular to y, which it keeps.
fn upright(up: Vec3) -> Quat {
    Quat::from_mat3(&Mat3::from_cols(Vec3::Y.cross(up), Vec3::Y, up))
}

impl Standalone {
    fn axles(&self, chassis: BodyId) -> Result<&WheelSet, JointedError> {
        let mut all = self.constraints.axles.iter();
        let found = all.find(|axles| axles.chassis == chassis);
        found.ok_or(JointedError::NotAttached(chassis))
    }

    fn attach(
        &mut self,
        chassis: BodyId,
        mount: &WheelMount,
    ) -> Result<(BodyId, JointId), GroundError> {
        let base = *self.body(chassis)?.now();
        let arm = base.rotation * mount.position;
        let [about, across] = mount.inertia;
        let wheel = self.add(&BodyDesc {
            position: base.position + arm.as_dvec3(),
            rotation: base.rotation,
            linear_velocity: base.linear_velocity + base.angular_velocity.cross(arm),
            angular_velocity: base.angular_velocity,
            max_angular_speed: MAX_SPIN,
            sleep_threshold: base.sleep_threshold,
            ..BodyDesc::at_rest(base.position, mount.mass, Vec3::new(across, about, across))
        })?;
        let upright = upright(mount.up);
        let on_chassis = JointFrame {
            anchor: mount.position,
            rotation: upright,
        };
        let joined = self.join(&JointDesc {
            bodies: [chassis, wheel],
            frames: [on_chassis, JointFrame::at(Vec3::ZERO)],
            kind: JointKind::Wheel(WheelJoint {
                upright,
                strut: JointStrut {
                    stiffness: mount.stiffness,
                    damping: mount.damping,
                    free_travel: mount.free_travel,
                    limits: mount.limits,
                    motor: Motor::default(),
                },
                tread: Some(Tread {
                    radius: mount.radius,
                    width: mount.width,
                    friction: mount.friction,
                    layers: mount.layers,
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
        let turn = math::matrix(math::compose(base.rotation, desc.frames[0].rotation));
        let mount = math::matrix(base.rotation) * desc.frames[0].anchor;
        let apart = (wheel.position - base.position).as_vec3() - mount;
        let spin = wheel.angular_velocity - base.angular_velocity;
        Ok(WheelMotion {
            travel: apart.dot(turn.z_axis),
            spin: spin.dot(turn.y_axis),
        })
    }
}

#[cfg(test)]
mod tests;
