//! `USE_MODE`: the forces that a file asks a solver to compute, encoded in one number.

use super::error::TirFault;

/// A decoded `USE_MODE` in the encoding of MF-Tyre, Adams and `RecurDyn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UseMode {
    /// Requested forces.
    pub forces: WantedForces,
    /// Response of forces to slip over time.
    pub dynamics: Dynamics,
    /// Contact of the tire with the road.
    pub contact: ContactMethod,
    /// Whether the parameters are for the tire of the other side (a negative number).
    pub mirrored: bool,
}

/// Forces that a solver is asked to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedForces {
    /// Fz alone.
    Vertical,
    /// Fz, Fx and My.
    Longitudinal,
    /// Fz, Fy, Mx and Mz.
    Lateral,
    /// All forces and moments, without combined slip.
    Uncombined,
    /// All forces and moments, with combined slip.
    Combined,
    /// All forces and moments, with combined slip and turn slip.
    TurnSlip,
}

/// Response of forces to slip over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dynamics {
    /// Forces follow slip instantly.
    SteadyState,
    /// Forces follow slip by constant relaxation lengths.
    LinearRelaxation,
    /// Forces follow slip by relaxation lengths that depend on slip; in PAC2002, by a mass in the contact.
    NonlinearTransient,
    /// Forces follow slip by a belt that is a rigid ring.
    RigidRing,
}

/// Contact of the tire with the road.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactMethod {
    /// Contact left to the solver.
    Unspecified,
    /// Contact at one point of a smooth road.
    Smooth,
    /// Contact of a circular cross-section.
    Circular,
    /// Contact on a moving road.
    Moving,
    /// Contact over obstacles that are uniform across the tire.
    Road2D,
    /// Contact over any obstacles.
    Road3D,
}

impl UseMode {
    /// Decodes the number.
    ///
    /// # Errors
    /// If one of its digits is invalid.
    pub fn decode(code: i32) -> Result<Self, TirFault> {
        use {ContactMethod as C, Dynamics as D, WantedForces as F};
        let none = || TirFault::UseMode(code);
        let digit = |place: u32| (code.unsigned_abs() / place % 10) as usize;
        if code.unsigned_abs() >= 1000 {
            return Err(none());
        }
        let forces = [
            F::Vertical,
            F::Longitudinal,
            F::Lateral,
            F::Uncombined,
            F::Combined,
            F::TurnSlip,
        ];
        let dynamics = [
            D::SteadyState,
            D::LinearRelaxation,
            D::NonlinearTransient,
            D::RigidRing,
        ];
        let contact = [
            C::Unspecified,
            C::Smooth,
            C::Circular,
            C::Moving,
            C::Road2D,
            C::Road3D,
        ];
        Ok(Self {
            forces: *forces.get(digit(1)).ok_or_else(none)?,
            dynamics: *dynamics.get(digit(10)).ok_or_else(none)?,
            contact: *contact.get(digit(100)).ok_or_else(none)?,
            mirrored: code < 0,
        })
    }

    /// The number that encodes this mode.
    #[must_use]
    pub const fn code(self) -> i32 {
        let code = self.forces as i32 + 10 * self.dynamics as i32 + 100 * self.contact as i32;
        if self.mirrored { -code } else { code }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_sign_are_decoded() {
        let mode = UseMode::decode(-114).unwrap();
        assert_eq!(mode.forces, WantedForces::Combined);
        assert_eq!(mode.dynamics, Dynamics::LinearRelaxation);
        assert_eq!(mode.contact, ContactMethod::Smooth);
        assert!(mode.mirrored);
    }

    #[test]
    fn every_mode_round_trips_and_others_are_refused() {
        let known = (-999..=999).filter(|&code| match UseMode::decode(code) {
            Ok(mode) => {
                assert_eq!(mode.code(), code);
                true
            }
            Err(fault) => {
                assert_eq!(fault, TirFault::UseMode(code));
                false
            }
        });
        assert_eq!(known.count(), 2 * 6 * 4 * 6 - 1);
        assert!(UseMode::decode(1004).is_err() && UseMode::decode(i32::MIN).is_err());
    }
}
