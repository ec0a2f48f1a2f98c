//! The Magic Formula of Pacejka, versions 5.2 (PAC2002), 6.1 and 6.2, and that of motorcycles
//! (`PAC_MC`), in steady state.
//!
//! Everything is in ISO-W: x along the rolling direction, y to the left. κ = −Vsx/Vx, tan α =
//! Vy/|Vx|, positive inclination tilts the top to the right. Formulas are written once for any
//! [`Real`]: single and double precision, four lanes, and dual numbers, which give exact
//! derivatives.
//!
//! ```
//! use tire_models::magic_formula::{Coefficients, Load, MagicFormula, Settings, Slip, Version};
//!
//! let tire = MagicFormula::<f64>::new(&Coefficients::template(), Version::V61, Settings::mf_tyre())?;
//! let at = tire.at_load(&Load::new(4000.0));
//! let forces = tire.planar(&at, &Slip { ratio: 0.05, angle: 0.02, ..Slip::rolling(20.0) });
//! let aligning = tire.aligning(&at, &forces);
//! assert!(forces.longitudinal > 2000.0 && forces.lateral < 0.0 && aligning.moment > 0.0);
//! # Ok::<(), vehicle_core::InvalidParams>(())
//! ```
//!
//! Only what is needed is computed: [`MagicFormula::at_load`] gathers everything that depends on
//! load, inclination and pressure, and serves any number of slips; [`MagicFormula::planar`] gives
//! Fx and Fy, [`MagicFormula::aligning`] Mz from them, and so on.
//!
//! Sources: \[B\] Pacejka, *Tire and Vehicle Dynamics*, 3rd ed. 2012; \[P\] Besselink, Schmeitz,
//! Pacejka, *Vehicle System Dynamics* 48 (2010) S1; MFT: the solver of TNO/Siemens, where it
//! departs from \[B\], as the authors of MFeval found. Equation numbers are given with the
//! formulas. Motorcycles: de Vries and Pacejka, *Motorcycle tire measurements and models*, VSD 28
//! (1998), and \[B\], chapter 11, with the keys of MF-MCTyre 1.1.
//!
//! | module | |
//! |---|---|
//! | [`coefficients`] | the numbers of a tire, one field per key of a file |
//! | [`version`], [`settings`] | version, variant, what happens out of range |
//! | [`limits`] | valid ranges, and which limits acted |
//! | [`context`] | what depends on load, inclination and pressure alone |
//! | [`motion`] | slip as input of the formulas; low speed |
//! | [`longitudinal`], [`lateral`], [`combined`] | forces |
//! | [`turn_slip`] | path curvature: the factors ζ |
//! | [`aligning`], [`overturning`], [`rolling_resistance`] | moments |
//! | [`radius`], [`patch`], [`relaxation`] | geometry, stiffness, relaxation lengths |
//! | [`mirror`] | a left tire on the right side |
//! | `steady` | as a steady law, at one speed |

pub mod version;
pub mod coefficients;
pub mod limits;
pub mod settings;
pub(crate) mod shape;
pub mod load;
pub mod turn_slip;
pub mod motion;
pub mod mirror;
pub mod longitudinal;
pub mod lateral;
mod weights;
mod trail;
pub mod context;
pub mod combined;
pub mod aligning;
pub mod overturning;
pub mod rolling_resistance;
pub mod patch;
mod root;
pub mod radius;
pub mod relaxation;
pub(crate) mod properties;
mod steady;

use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::{Inspector, InvalidParams};

use crate::real::Real;

pub use aligning::Aligning;
pub use coefficients::{Coefficients, Dimension, Key};
pub use combined::Planar;
pub use context::LoadContext;
pub use limits::{Clamped, OutOfRange, OutsideRange};
pub use load::Load;
pub use motion::Slip;
pub use patch::Patch;
pub use radius::{Deflection, Rolling};
pub use relaxation::Relaxation;
pub use settings::{CombinedSlip, Settings, SlipDefinition, Variant, Version};

/// A tire: checked coefficients and settings.
#[derive(Clone, Debug, PartialEq)]
pub struct MagicFormula<T> {
    /// Coefficients; those that the version does not use have neutral values.
    c: Coefficients<T>,
    version: Version,
    settings: Settings,
    /// Terms that these coefficients do not have.
    without: Without,
    /// Tangents of the slip angle's limits, if these are on and at most 90°.
    tangents: Option<(T, T)>,
    /// Factor of its own pressure on its rolling resistance.
    own_resistance: T,
}

/// Terms that are absent because their coefficients are zero; they are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Without {
    /// Shifts of the weighting functions.
    shifts: bool,
    /// Side force by slip ratio.
    ratio_side_force: bool,
    /// Decay of friction with slip speed.
    decay: bool,
    /// Arm of Fx for Mz.
    arm: bool,
}

impl MagicFormula<W4> {
    /// This tire on the wheels `own` and `other` on the rest, if both have the same formulas and settings.
    pub(crate) fn joined(&self, own: Mask4, other: &Self) -> Option<Self> {
        let alike = self.version == other.version
            && self.settings == other.settings
            && self.without == other.without;
        let tangents = match (self.tangents, other.tangents) {
            (Some(ours), Some(theirs)) => {
                let tangents = (own.select(ours.0, theirs.0), own.select(ours.1, theirs.1));
                Some(Some(tangents))
            }
            (None, None) => Some(None),
            _ => None,
        };
        Some(Self {
            c: self
                .c
                .zip(&other.c, |&ours, &theirs| own.select(ours, theirs)),
            tangents: tangents.filter(|_| alike)?,
            own_resistance: own.select(self.own_resistance, other.own_resistance),
            ..self.clone()
        })
    }
}

impl<T: Real> MagicFormula<T> {
    /// A tire of these coefficients.
    ///
    /// # Errors
    /// If the coefficients are unusable, with every fault: values that are not finite, a radius,
    /// speed, load, stiffness or pressure used as a divisor that is not positive, or an
    /// [essential](Version::essential) one that is 0.
    pub fn new(
        coefficients: &Coefficients,
        version: Version,
        settings: Settings,
    ) -> Result<Self, InvalidParams> {
        let mut inspector = Inspector::new();
        settings::check(version, coefficients, &mut inspector);
        inspector.verdict()?;
        Ok(Self::checked(coefficients, version, settings))
    }

    /// A tire from checked coefficients.
    pub(crate) fn checked(
        coefficients: &Coefficients,
        version: Version,
        settings: Settings,
    ) -> Self {
        let c = settings::known_to(version, coefficients);
        let c = if settings.every_range {
            c
        } else {
            settings::with_ranges(&c, version)
        };
        let without = Without {
            shifts: [c.RHX1, c.RHY1, c.RHY2].iter().all(|&r| r == 0.0),
            ratio_side_force: [c.RVY1, c.RVY2, c.RVY3].iter().all(|&r| r == 0.0),
            decay: c.LMUV == 0.0,
            arm: [c.SSZ1, c.SSZ2, c.SSZ3, c.SSZ4].iter().all(|&s| s == 0.0),
        };
        let tangents = motion::tangents_of_limits(&c, settings);
        let c = c.map(|&x| T::of(x));
        Self {
            own_resistance: rolling_resistance::by_pressure(&c, c.INFLPRES),
            c,
            version,
            settings,
            without,
            tangents,
        }
    }

    /// Returns these formulas with another number type for the coefficients, such as [duals](crate::real::Dual) for derivatives
    /// with respect to them. They are not checked.
    #[must_use]
    pub fn with_coefficients<U: Real>(&self, coefficients: Coefficients<U>) -> MagicFormula<U> {
        MagicFormula {
            own_resistance: rolling_resistance::by_pressure(&coefficients, coefficients.INFLPRES),
            c: coefficients,
            // Computed from the angles.
            tangents: None,
            version: self.version,
            settings: self.settings,
            // A zero coefficient still has a derivative.
            without: Without {
                shifts: false,
                ratio_side_force: false,
                decay: false,
                arm: false,
            },
        }
    }

    /// The coefficients as this tire uses them.
    #[must_use]
    pub fn coefficients(&self) -> &Coefficients<T> {
        &self.c
    }

    /// The version of the formulas.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// Settings by which the coefficients are interpreted.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// `curvature ≤ 1`, where limits are on.
    #[inline]
    fn curvature(&self, e: T) -> T {
        if self.settings.limits.is_some() {
            e.min(T::one())
        } else {
            e
        }
    }
}

#[cfg(test)]
mod tests;
