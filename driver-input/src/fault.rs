//! What is wrong with raw input.

use core::ops::RangeInclusive;

/// Raw input that cannot be used; nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InputFault {
    /// A value that is not finite.
    #[error("input.{field} = {value}: must be finite")]
    NotFinite {
        /// Which value.
        field: &'static str,
        /// What it was.
        value: f32,
    },
    /// No time passes, or not a finite one.
    #[error("time step = {0} s: must be finite and > 0")]
    TimeStep(f32),
}

/// Looks through raw values one by one and remembers whether any was clamped.
#[derive(Debug, Default)]
pub(crate) struct Look {
    pub(crate) clamped: bool,
}

impl Look {
    /// `value` within `range`.
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
