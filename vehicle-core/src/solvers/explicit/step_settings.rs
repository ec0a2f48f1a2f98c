//! The settings of a step. The default ones are constants to the compiler, for 3 to 4 % of the instructions of an update.

use crate::params::profile::ExplicitSettings;

/// Access to the settings of a step.
pub(super) trait StepSettings: Copy {
    /// The settings.
    fn get(&self) -> &ExplicitSettings;
}

/// The default settings, known to the compiler.
#[derive(Clone, Copy, Debug)]
pub(super) struct DefaultSettings;

impl StepSettings for DefaultSettings {
    #[inline(always)]
    fn get(&self) -> &ExplicitSettings {
        &ExplicitSettings::DEFAULT
    }
}

/// Any settings.
impl StepSettings for &ExplicitSettings {
    #[inline(always)]
    fn get(&self) -> &ExplicitSettings {
        self
    }
}
