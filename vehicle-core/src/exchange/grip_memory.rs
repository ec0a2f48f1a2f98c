//! Solver state of the wheels' grip between substeps.

use crate::base::lanes::angles::sin_cos;
use crate::base::lanes::{W4, are_finite};
use crate::params::profile::Solver;

/// Grip memory of one of the solvers. Each solver uses only the forces of the other's memory.
// `repr(u8)`: a tag of one byte; the default is one of 16.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GripMemory {
    /// Grip memory of the rows solver.
    Rows(RowsGrip),
    /// Grip memory of the explicit solver.
    Explicit(ExplicitGrip),
}

/// Deflections of the carcasses, and the forces that warm-start the next substep's rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct RowsGrip {
    /// Longitudinal and lateral deflections of carcasses of their own stiffness (`m`), positive if their forces push the
    /// chassis forward or to the left.
    pub deflection: [W4; 2],
    /// Longitudinal and lateral forces on the chassis in the last substep (`N`).
    pub force: [W4; 2],
}

/// Timers of sticky contact (ALGORITHMS §3.8), and relaxed tire forces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ExplicitGrip {
    /// Time for which the wheels have had no longitudinal and no lateral speed (`s`).
    pub still: [W4; 2],
    /// Longitudinal and lateral forces of relaxing carcasses (`N`): slip stiffness times the slip at which the tire's law was
    /// evaluated; 0 for other tires.
    pub relaxed: [W4; 2],
}

impl GripMemory {
    /// Memory of the rows solver without deflection (`m`) and force (`N`).
    pub const NONE: Self = Self::Rows(RowsGrip {
        deflection: [W4::ZERO; 2],
        force: [W4::ZERO; 2],
    });

    /// The memory of the rows solver.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> RowsGrip {
        match self {
            Self::Rows(own) => *own,
            Self::Explicit(other) => RowsGrip {
                force: other.relaxed,
                ..RowsGrip::default()
            },
        }
    }

    /// The memory of the explicit solver.
    #[inline]
    #[must_use]
    pub fn explicit(&self) -> ExplicitGrip {
        match self {
            Self::Explicit(own) => *own,
            Self::Rows(other) => ExplicitGrip {
                relaxed: other.force,
                ..ExplicitGrip::default()
            },
        }
    }

    /// Memory of the explicit solver, mutable, made of the rows solver's as by [`Self::explicit`].
    #[inline]
    pub(crate) fn explicit_mut(&mut self) -> &mut ExplicitGrip {
        if let Self::Rows(_) = self {
            *self = Self::Explicit(self.explicit());
        }
        match self {
            Self::Explicit(own) => own,
            Self::Rows(_) => unreachable!("it was replaced"),
        }
    }

    /// This memory, converted for `solver`.
    #[must_use]
    pub(crate) fn of(&self, solver: &Solver) -> Self {
        match solver {
            Solver::Rows(_) => Self::Rows(self.rows()),
            Solver::Explicit(_) => Self::Explicit(self.explicit()),
        }
    }

    /// Memory of the wheels given by `source`, as group and lane, for each lane; zero where there is none. All
    /// groups must have the solver of the first one.
    #[must_use]
    pub(crate) fn gathered<'a>(&self, source: impl Fn(usize) -> Option<(&'a Self, usize)>) -> Self {
        let lanes = |of: &dyn Fn(&Self) -> W4| {
            W4::from_fn(|lane| source(lane).map_or(0.0, |(group, wheel)| of(group).lane(wheel)))
        };
        let both =
            |of: fn(&Self) -> [W4; 2]| core::array::from_fn(|n| lanes(&|group| of(group)[n]));
        match self {
            Self::Rows(_) => Self::Rows(RowsGrip {
                deflection: both(|group| group.rows().deflection),
                force: both(|group| group.rows().force),
            }),
            Self::Explicit(_) => Self::Explicit(ExplicitGrip {
                still: both(|group| group.explicit().still),
                relaxed: both(|group| group.explicit().relaxed),
            }),
        }
    }

    /// This memory with forces times `factor` (–), by lane.
    #[must_use]
    pub(crate) fn with_forces_times(self, factor: W4) -> Self {
        let times = |forces: [W4; 2]| forces.map(|force| force * factor);
        match self {
            Self::Rows(own) => Self::Rows(RowsGrip {
                force: times(own.force),
                ..own
            }),
            Self::Explicit(own) => Self::Explicit(ExplicitGrip {
                relaxed: times(own.relaxed),
                ..own
            }),
        }
    }

    /// The memory of the rows solver in axes that are turned by `angle` (`rad`), to the left.
    #[must_use]
    pub(crate) fn in_axes_turned_by(self, angle: W4) -> Self {
        let Self::Rows(own) = self else {
            return self;
        };
        let (sin, cos) = sin_cos(angle);
        let turned = |[longitudinal, lateral]: [W4; 2]| {
            [
                longitudinal * cos + lateral * sin,
                lateral * cos - longitudinal * sin,
            ]
        };
        Self::Rows(RowsGrip {
            deflection: turned(own.deflection),
            force: turned(own.force),
        })
    }

    /// Whether all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        are_finite(self.numbers())
    }

    /// All numbers of the memory.
    #[inline]
    pub(crate) fn numbers(&self) -> [W4; 4] {
        let ([a, b], [c, d]) = match self {
            Self::Rows(own) => (own.deflection, own.force),
            Self::Explicit(own) => (own.still, own.relaxed),
        };
        [a, b, c, d]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORCE: [W4; 2] = [W4::splat(500.0), W4::splat(-300.0)];
    const HELD: [W4; 2] = [W4::splat(0.5), W4::splat(0.25)];

    #[test]
    fn solvers_share_forces_only() {
        let rows = GripMemory::Rows(RowsGrip {
            deflection: HELD,
            force: FORCE,
        });
        let explicit = GripMemory::Explicit(ExplicitGrip {
            still: HELD,
            relaxed: FORCE,
        });
        assert_eq!(rows.rows().deflection, HELD);
        assert_eq!(explicit.explicit().still, HELD);
        for mut memory in [rows, explicit] {
            let expected = memory.explicit();
            assert_eq!(*memory.explicit_mut(), expected);
            assert_eq!(memory, GripMemory::Explicit(expected));
            assert_eq!(
                (memory.rows().force, memory.explicit().relaxed),
                (FORCE, FORCE)
            );
        }
        assert_eq!(explicit.rows().deflection, [W4::ZERO; 2]);
        assert_eq!(rows.explicit().still, [W4::ZERO; 2]);
    }

    #[test]
    fn only_forces_scale() {
        for memory in [
            GripMemory::Rows(RowsGrip {
                deflection: HELD,
                force: FORCE,
            }),
            GripMemory::Explicit(ExplicitGrip {
                still: HELD,
                relaxed: FORCE,
            }),
        ] {
            let twice = memory.with_forces_times(W4::splat(2.0));
            assert_eq!(
                twice.rows().force,
                FORCE.map(|force| force * W4::splat(2.0))
            );
            assert_eq!(twice.rows().deflection, memory.rows().deflection);
            assert_eq!(twice.explicit().still, memory.explicit().still);
        }
    }

    #[test]
    fn one_non_finite_number_is_detected() {
        let bad = [W4::ZERO, W4::from_array([0.0, 0.0, f32::NAN, 0.0])];
        let deflection = GripMemory::Rows(RowsGrip {
            deflection: bad,
            ..RowsGrip::default()
        });
        let relaxed = GripMemory::Explicit(ExplicitGrip {
            relaxed: bad,
            ..ExplicitGrip::default()
        });
        assert!(!deflection.is_finite() && !relaxed.is_finite());
        assert!(GripMemory::NONE.is_finite());
    }
}
