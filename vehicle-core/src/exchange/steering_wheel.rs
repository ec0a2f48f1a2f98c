//! A steering wheel that torques move, with its column and rack.

/// A steering wheel, column and rack between two substeps. Angles and torques are those at the steering wheel, positive to
/// the **left** (ISO 8855), unlike commands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SteeringWheel {
    /// Angle of the steering wheel (`rad`).
    pub angle: f32,
    /// Angle of the pinion (`rad`): the steering wheel's without the twist of the column.
    pub pinion: f32,
    /// Speed of the pinion (`rad/s`).
    pub speed: f32,
    /// Deflection of rack and tie rods in their bushings by the road, as an angle of the pinion (`rad`).
    #[cfg_attr(feature = "serde", serde(rename = "give"))]
    pub compliance: f32,
    /// Wind-up of the treads of tires that do not roll, as an angle of the pinion (`rad`).
    #[cfg_attr(feature = "serde", serde(rename = "wound"))]
    pub wind_up: f32,
    /// Torque of the hands on the steering wheel (`N·m`), which they feel in the opposite direction.
    pub torque: f32,
    /// Torque of the power assist (`N·m`).
    pub assist: f32,
    /// Torque of the tires on the steering (`N·m`).
    pub road: f32,
}

impl SteeringWheel {
    /// Straight ahead, without torques.
    pub const STRAIGHT: Self = Self {
        angle: 0.0,
        pinion: 0.0,
        speed: 0.0,
        compliance: 0.0,
        wind_up: 0.0,
        torque: 0.0,
        assist: 0.0,
        road: 0.0,
    };

    /// Whether all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let angles = [self.angle, self.pinion, self.compliance, self.wind_up];
        let others = [self.speed, self.torque, self.assist, self.road];
        angles.iter().chain(&others).all(|x| x.is_finite())
    }
}
