//! Faults of raw input.

use core::ops::RangeInclusive;

/// Raw input that was refused; nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InputFault {
    /// A value that is not finite.
    #[error("input.{field} = {value}: must be finite")]
    NotFinite {
        /// The field.
        field: &'static str,
        /// Its value.
        value: f32,
    },
    /// A time step that is not finite or not positive.
    #[error("time step = {0} s: must be finite and > 0")]
    TimeStep(f32),
}

/// Clamps raw values and records whether any was out of range.
#[derive(Debug, Default)]
pub(crate) struct Clamping {
    pub(crate) clamped: bool,
}

impl Clamping {
    /// `value` clamped to `range`.
    pub(crate) fn clamp(
        &mut self,
        field: &'static str,
        value: f32,
        range: RangeInclusive<f32>,
    ) -> Result<f32, InputFault> {
        finite(field, value)?;
        self.clamped |= !range.contains(&value);
        Ok(value.clamp(*range.start(), *range.end()))
    }
}

pub(crate) fn finite(field: &'static str, value: f32) -> Result<f32, InputFault> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(InputFault::NotFinite { field, value })
    }
}

pub(crate) fn time_step(dt: f32) -> Result<f32, InputFault> {
    if dt > 0.0 && dt.is_finite() {
        Ok(dt)
    } else {
        Err(InputFault::TimeStep(dt))
    }
}
