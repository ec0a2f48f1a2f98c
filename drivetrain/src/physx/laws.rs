//! Laws of PhysX next to the clean ones that they replace (ALGORITHMS §4.9; `vehicle2`, §7.4 and
//! §7.6).

use crate::differential::{FreeAxle, TorqueBy, TrackCoupling};
use crate::response::SpeedAxis;
use crate::steering::{AxleLaw, SteeredAxle};

impl SpeedAxis {
    /// The speed (`m/s`) at which a table is read.
    pub(crate) fn read(self, forward_speed: f32) -> f32 {
        match self {
            Self::Magnitude => forward_speed.abs(),
            Self::Signed => forward_speed,
        }
    }
}

impl AxleLaw {
    /// Angles (left, right) in `rad` of an axle for a command and the response to it.
    #[inline]
    pub(crate) fn angles(self, axle: &SteeredAxle, command: f32, answer: f32) -> (f32, f32) {
        match self {
            Self::Maximum => axle.angles(answer),
            Self::Mean => axle.mean_angles(command),
        }
    }
}

impl SteeredAxle {
    /// [`angles`](Self::angles) in PhysX 5: the command is multiplied by the mean of both maximum
    /// angles.
    #[must_use]
    pub fn mean_angles(&self, command: f32) -> (f32, f32) {
        self.turned(-command * (0.5 * (self.max_steer[0] + self.max_steer[1])))
    }
}

impl TorqueBy {
    /// Torque share of a driven wheel.
    pub(crate) fn share(self, torque_ratio: f32, speed_ratio: f32) -> f32 {
        match self {
            Self::TorqueRatio => torque_ratio,
            Self::SpeedRatio => speed_ratio,
        }
    }
}

impl FreeAxle {
    /// Second speed over the first at which an axle locks that no limit of its own locks, while
    /// the center locks; `None` if it turns freely. `limited` says whether it has a limit; its
    /// ratio is now `present`.
    pub(crate) fn ratio(self, limited: bool, present: f32) -> Option<f32> {
        match self {
            Self::Open => None,
            Self::StopsSecond if !limited => Some(0.0),
            Self::StopsSecond => Some(present),
        }
    }
}

impl TrackCoupling {
    /// Weight of a track's speed for the engine, from its torque share.
    pub(crate) fn weight(self, torque_share: f32) -> f32 {
        match self {
            Self::ByTorque => torque_share,
            Self::ByHalves => 0.5,
        }
    }

    /// The throttle that the engine gets: what the gears leave, or all of `given`.
    pub(crate) fn throttle(self, left: f32, given: f32) -> f32 {
        match self {
            Self::ByTorque => left,
            Self::ByHalves => given,
        }
    }
}

#[cfg(test)]
mod tests;
