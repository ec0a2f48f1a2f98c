//! Damping of the body by the engine.

use super::finding::{Findings, Rule, Severity, graded};
use super::run::LintRun;

use Severity::{Note, Warning};

/// Damping of the body in the engine: `--linear-damping`, `--angular-damping`, or `LintSurroundings::of` a body of a
/// running game. Note above 0; warning above 0.1 1/s, angular 1 1/s.
const BODY_DAMPING: Rule = Rule::new(
    "body-damping",
    "Troubleshooting: The Vehicle Does Not Slow Down When Not Accelerating",
);

impl LintRun<'_> {
    /// The damping that the engine has for the body.
    ///
    /// # Errors
    /// If the world loses the car.
    pub(super) fn body_damping(
        &self,
        findings: &mut Findings,
    ) -> Result<(), crate::error::LabError> {
        let body = self.stage.body()?;
        for (name, rate, bounds) in [
            ("linear", body.linear_damping, ([0.0, 0.0], [0.0, 0.1])),
            ("angular", body.angular_damping, ([0.0, 0.0], [0.0, 1.0])),
        ] {
            findings.add(
                graded(rate, (bounds.0, Note), (bounds.1, Warning)),
                BODY_DAMPING,
                &format!("the body's {name} damping"),
                format!("{rate} 1/s in the engine"),
                [
                    "0: air, tires and bearings slow a car; the body's own slows its falls and jumps, too"
                        .to_owned(),
                    "[aerodynamics], and more damping of engine and wheels".to_owned(),
                ],
            );
        }
        Ok(())
    }
}
