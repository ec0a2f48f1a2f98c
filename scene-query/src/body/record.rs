//! What of a body is written: principal axes follow from the inertia.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use vehicle_core::LockedAxes;

use super::{Body, BodyDesc};
use crate::error::{GroundError, check};
use crate::sleep::Sleep;

/// A [`Body`] as it is written; [`Body`] has what its fields mean.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BodyRecord {
    now: BodyDesc,
    sleep: Sleep,
    locked: LockedAxes,
    motion: [Vec3; 2],
    reaction: [Vec3; 2],
    push: [Vec3; 2],
}

impl From<Body> for BodyRecord {
    fn from(body: Body) -> Self {
        Self {
            now: body.now,
            sleep: body.sleep,
            locked: body.locked,
            motion: body.motion,
            reaction: body.reaction,
            push: body.push,
        }
    }
}

impl TryFrom<BodyRecord> for Body {
    type Error = GroundError;

    fn try_from(record: BodyRecord) -> Result<Self, GroundError> {
        record.now.check()?;
        check("body", |i| {
            for [linear, angular] in [record.motion, record.reaction] {
                i.finite_vector("acceleration", linear, "m/s²");
                i.finite_vector("angular_acceleration", angular, "rad/s²");
            }
            i.finite_vector("force", record.push[0], "N");
            i.finite_vector("torque", record.push[1], "N·m");
            let rule = "must be finite";
            i.rule(record.sleep.is_finite(), "sleep", f32::NAN, "", rule);
        })?;
        Ok(Self {
            sleep: record.sleep,
            locked: record.locked,
            motion: record.motion,
            reaction: record.reaction,
            push: record.push,
            ..Self::new(&record.now)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, Mat3, Quat};

    fn body() -> Body {
        let inertia = Mat3::from_cols_array(&[3.0, 0.1, 0.2, 0.1, 4.0, 0.3, 0.2, 0.3, 5.0]);
        let mut body = Body::new(&BodyDesc {
            rotation: Quat::from_rotation_z(0.3),
            linear_velocity: Vec3::new(1.0, 0.1, 1e-20),
            ..BodyDesc::at_rest(DVec3::new(0.1, 1e6, 3.0), 12.0, inertia)
        });
        body.set_push(Vec3::X, Vec3::Y);
        body.set_motion([Vec3::Z, Vec3::ONE]);
        body.update_sleep(0.01);
        body
    }

    #[test]
    fn a_written_body_is_the_same_to_the_bit() {
        let text = serde_json::to_string(&body()).unwrap();
        assert_eq!(serde_json::from_str::<Body>(&text).unwrap(), body());
    }

    #[test]
    fn a_written_body_with_an_invalid_number_is_refused() {
        let text = serde_json::to_string(&body()).unwrap();
        let massless = text.replace("\"mass\":12.0", "\"mass\":-12.0");
        let error = serde_json::from_str::<Body>(&massless).unwrap_err();
        assert!(error.to_string().contains("body.mass"), "{error}");
        let mut pushed = BodyRecord::from(body());
        pushed.push[0].x = f32::INFINITY;
        let error = Body::try_from(pushed).unwrap_err().to_string();
        assert!(error.contains("body.force"), "{error}");
        let mut restless = BodyRecord::from(body());
        restless.motion[1].y = f32::NAN;
        let error = Body::try_from(restless).unwrap_err().to_string();
        assert!(error.contains("body.angular_acceleration"), "{error}");
    }
}
