//! The settings of a step. Those of most vehicles are the default ones: these are constants to the compiler, so that a
//! substep asks for none of them.

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
