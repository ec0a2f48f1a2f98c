//! Axes and signs of numbers: [`TireFrame`], [`Quantity`], and the mirror image of a tire.
//!
//! Frames differ only in signs; one table says which quantities change theirs ([`TireFrame::flips`]):
//!
//! | | ISO-W, TYDEX W | adapted SAE, of Pacejka's book | SAE J670 of 1976 |
//! |---|---|---|---|
//! | axes | x forward, y left, z up | x forward, y right, z down | x forward, y right, z down |
//! | tan α | Vy/\|Vx\| | −Vy/\|Vx\| | Vy/\|Vx\| |
//! | at a positive α, Fy is | negative | positive | negative |
//! | load | positive | written positive | negative |
//!
//! From z up to z down is half a turn about x: Fy, Fz, My, Mz change their sign; Fx, Mx and the
//! inclination γ (about x) stay. The sign of α is a definition, independent of the axes: the book
//! has that of ISO-W, J670 the opposite. The same holds for turn slip φt, which the book defines as
//! −ψ̇/V with the yaw rate about its own z; in ISO-W and J670 it is the path's curvature about the
//! frame's own z. κ is the same in all.
//!
//! ```
//! use tire_models::frames::{TireFrame, Quantity};
//!
//! // A rig's positive slip angle with a negative side force. In the book both have one sign.
//! let angle = TireFrame::SaeJ670.convert(TireFrame::AdaptedSae, Quantity::SlipAngle, 0.05);
//! let force = TireFrame::SaeJ670.convert(TireFrame::AdaptedSae, Quantity::LateralForce, -3100.0);
//! assert_eq!((angle, force), (-0.05, -3100.0));
//! let force = TireFrame::SaeJ670.convert(TireFrame::IsoW, Quantity::LateralForce, -3100.0);
//! assert_eq!(force, 3100.0);
//! ```
//!
//! Sources: TYDEX 1.3 (1997); Pacejka, *Tire and Vehicle Dynamics*, 3rd ed. 2012, appendix 1; SAE
//! J670e (1976). Frames do not determine units: the formulas of 1987 to 1994 take degrees, per cent
//! and kN ([`crate::pacejka`]).

use core::ops::Neg;

use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::tire::TireTraits;
use vehicle_core::{TireForces, TireInput, TireModel, TireProperties};

use crate::real::Real;
use crate::steady::{Forces, SteadyInput, SteadyLaw};

/// Kind of a quantity, which decides about its sign in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// κ = −Vsx/|Vx|.
    SlipRatio,
    /// α, or its tangent.
    SlipAngle,
    /// γ, the inclination about the rolling direction.
    Inclination,
    /// φt, the curvature of the path.
    TurnSlip,
    /// Fx, a stiffness ∂Fx/∂κ, or a quantity without direction: speed, pressure, length, friction.
    LongitudinalForce,
    /// Fy.
    LateralForce,
    /// Fz.
    Load,
    /// Mx.
    OverturningMoment,
    /// My.
    RollingMoment,
    /// Mz.
    AligningMoment,
    /// ∂Fy/∂α.
    CorneringStiffness,
}

impl Quantity {
    /// Whether the quantity's sign is opposite on the mirror image of a tire: left and right exchanged, in the same frame.
    #[must_use]
    pub const fn is_odd(self) -> bool {
        matches!(
            self,
            Self::SlipAngle
                | Self::Inclination
                | Self::TurnSlip
                | Self::LateralForce
                | Self::OverturningMoment
                | Self::AligningMoment
        )
    }

    /// The value for the mirror image of a tire, in the same frame and unit.
    #[must_use]
    pub fn mirrored<T: Neg<Output = T>>(self, x: T) -> T {
        flipped(self.is_odd(), x)
    }
}

/// A frame: axes, and the definition of the slip angle in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TireFrame {
    /// ISO 8855 at the contact point, TYDEX W: the frame of everything in this crate.
    IsoW,
    /// The frame of Pacejka's book and of the formulas of 1989 and 1994.
    AdaptedSae,
    /// SAE J670 of 1976, the frame of test-rig data.
    SaeJ670,
}

impl TireFrame {
    /// Every frame.
    pub const ALL: [Self; 3] = [Self::IsoW, Self::AdaptedSae, Self::SaeJ670];

    /// Whether a quantity's sign in this frame is opposite to that in ISO-W.
    #[must_use]
    pub const fn flips(self, quantity: Quantity) -> bool {
        use Quantity as Q;
        let sae = matches!(self, Self::SaeJ670);
        match quantity {
            Q::SlipRatio | Q::Inclination | Q::LongitudinalForce | Q::OverturningMoment => false,
            Q::SlipAngle | Q::TurnSlip | Q::Load => sae,
            Q::LateralForce | Q::RollingMoment | Q::AligningMoment => !matches!(self, Self::IsoW),
            Q::CorneringStiffness => self.flips(Q::LateralForce) != self.flips(Q::SlipAngle),
        }
    }

    /// Converts a number from this frame to frame `to`, in the same unit.
    #[must_use]
    pub fn convert<T: Neg<Output = T>>(self, to: Self, quantity: Quantity, x: T) -> T {
        flipped(self.flips(quantity) != to.flips(quantity), x)
    }

    /// A slip of this frame in ISO-W, with a load written positive; also the inverse.
    #[must_use]
    pub fn slip<T: Real>(self, slip: SteadyInput<T>) -> SteadyInput<T> {
        let iso = Self::IsoW;
        SteadyInput {
            tan_angle: self.convert(iso, Quantity::SlipAngle, slip.tan_angle),
            camber: self.convert(iso, Quantity::Inclination, slip.camber),
            ..slip
        }
    }

    /// Forces of this frame in ISO-W; also the inverse.
    #[inline]
    #[must_use]
    pub fn forces<T: Real>(self, forces: Forces<T>) -> Forces<T> {
        let iso = Self::IsoW;
        Forces {
            longitudinal: forces.longitudinal,
            lateral: self.convert(iso, Quantity::LateralForce, forces.lateral),
            aligning_moment: self.convert(iso, Quantity::AligningMoment, forces.aligning_moment),
        }
    }
}

fn flipped<T: Neg<Output = T>>(flip: bool, x: T) -> T {
    if flip { -x } else { x }
}

/// Slip ratio κ (–) from a driving slip over the faster of rim and road, s = (Ωr − v)/max(Ωr, v),
/// within ±1: when braking both are equal; when driving κ = s/(1 − s), unbounded as s approaches 1.
#[must_use]
pub fn slip_ratio_of_driving_slip<T: Real>(s: T) -> T {
    let drives = s.gt(T::zero());
    s / T::select(drives, T::one() - s, T::one())
}

/// Driving slip (Ωr − v)/max(Ωr, v) (–) from a slip ratio κ (–) ≥ −1.
#[must_use]
pub fn driving_slip_of_slip_ratio<T: Real>(kappa: T) -> T {
    kappa / (T::one() + kappa.max(T::zero()))
}

/// A force and a moment in three axes (`N`, `N·m`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench<T> {
    /// Fx, Fy, Fz (`N`).
    pub force: [T; 3],
    /// Mx, My, Mz (`N·m`) about the origin of the frame.
    pub moment: [T; 3],
}

impl<T: Real> Wrench<T> {
    /// The wrench of ISO-W in the axes of a wheel carrier, TYDEX C: origin at the center of a wheel of this
    /// loaded radius (`m`), in the wheel's plane; x stays, y is the axle, all turned by the inclination γ (`rad`).
    #[must_use]
    pub fn in_carrier(self, loaded_radius: T, inclination: T) -> Self {
        let [force, moment] = [self.force, self.moment].map(|v| about_x(v, -inclination));
        Self {
            force,
            moment: moved(moment, force, loaded_radius),
        }
    }

    /// Inverse of [`Wrench::in_carrier`].
    #[must_use]
    pub fn in_contact(self, loaded_radius: T, inclination: T) -> Self {
        let moment = moved(self.moment, self.force, -loaded_radius);
        let [force, moment] = [self.force, moment].map(|v| about_x(v, inclination));
        Self { force, moment }
    }
}

/// A vector rotated about x (`rad`).
fn about_x<T: Real>([x, y, z]: [T; 3], angle: T) -> [T; 3] {
    let (sin, cos) = (angle.sin(), angle.cos());
    [x, cos * y - sin * z, sin * y + cos * z]
}

/// The moment about a point higher by a distance (`m`).
fn moved<T: Real>([mx, my, mz]: [T; 3], [fx, fy, _]: [T; 3], up: T) -> [T; 3] {
    [mx + up * fy, my - up * fx, mz]
}

impl<T: Real> SteadyInput<T> {
    /// The slip as seen by the tire of the other side.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            tan_angle: Quantity::SlipAngle.mirrored(self.tan_angle),
            camber: Quantity::Inclination.mirrored(self.camber),
            ..self
        }
    }
}

impl<T: Real> Forces<T> {
    /// The forces of the tire of the other side.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            lateral: Quantity::LateralForce.mirrored(self.lateral),
            aligning_moment: Quantity::AligningMoment.mirrored(self.aligning_moment),
            ..self
        }
    }
}

/// The mirror image of a law or tire model: one measured on the left side, used on the right.
///
/// ```
/// use tire_models::frames::Mirrored;
/// use tire_models::{Linear, LinearParams};
/// use vehicle_core::{Checked, TireInput, TireModel};
///
/// let params = LinearParams { slip_stiffness: 20.0, cornering_stiffness: 15.0, camber_stiffness: 1.0, trail: 0.0 };
/// let right = Mirrored(Linear::new(Checked::new(params)?));
/// let at = TireInput { tan_slip_angle: 0.02, load: 4e3, friction: 1.0, ..TireInput::default() };
/// // A linear tire has no side.
/// assert_eq!(right.forces(&at), right.0.forces(&at));
/// # Ok::<(), vehicle_core::InvalidParams>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mirrored<M>(pub M);

impl<T: Real, L: SteadyLaw<T>> SteadyLaw<T> for Mirrored<L> {
    fn forces(&self, slip: &SteadyInput<T>) -> Forces<T> {
        self.0.forces(&slip.mirrored()).mirrored()
    }

    fn grip(&self, slip: &SteadyInput<T>) -> [T; 2] {
        self.0.grip(&slip.mirrored())
    }
}

/// The mirror image of an input, of one wheel or four.
fn mirrored_input<T: Copy + Neg<Output = T>>(input: &TireInput<T>) -> TireInput<T> {
    TireInput {
        tan_slip_angle: Quantity::SlipAngle.mirrored(input.tan_slip_angle),
        lateral_speed: Quantity::SlipAngle.mirrored(input.lateral_speed),
        camber: Quantity::Inclination.mirrored(input.camber),
        ..*input
    }
}

/// The mirror image of forces, of one wheel or four.
fn mirrored_forces<T: Copy + Neg<Output = T>>(forces: &TireForces<T>) -> TireForces<T> {
    TireForces {
        lateral: Quantity::LateralForce.mirrored(forces.lateral),
        aligning_moment: Quantity::AligningMoment.mirrored(forces.aligning_moment),
        overturning_moment: Quantity::OverturningMoment.mirrored(forces.overturning_moment),
        ..*forces
    }
}

impl<M: TireModel> TireModel for Mirrored<M> {
    fn forces(&self, input: &TireInput) -> TireForces {
        mirrored_forces(&self.0.forces(&mirrored_input(input)))
    }

    fn traits(&self) -> TireTraits {
        self.0.traits()
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        self.0.properties(&mirrored_input(input))
    }

    fn properties4(&self, input: &TireInput<W4>, mask: Mask4) -> TireProperties<W4> {
        self.0.properties4(&mirrored_input(input), mask)
    }

    fn forces4(&self, input: &TireInput<W4>, mask: Mask4) -> TireForces<W4> {
        mirrored_forces(&self.0.forces4(&mirrored_input(input), mask))
    }
}

#[cfg(test)]
mod tests;
