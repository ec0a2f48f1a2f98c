//! The settings of a step. Those of most vehicles are the default ones: these are constants to the compiler, so that a
//! substep asks for none of them.

use crate::params::profile::ExplicitSettings;

/// Where the settings of a step are.
pub(super) trait Habits: Copy {
    /// The settings.
    fn settings(&self) -> &ExplicitSettings;
}

/// The default settings, known to the compiler.
#[derive(Clone, Copy, Debug)]
pub(super) struct UsualHabits;

impl Habits for UsualHabits {
    #[inline(always)]
    fn settings(&self) -> &ExplicitSettings {
        &ExplicitSettings::DEFAULT
    }
}

/// Any settings.
impl Habits for &ExplicitSettings {
    #[inline(always)]
    fn settings(&self) -> &ExplicitSettings {
        self
    }
}
