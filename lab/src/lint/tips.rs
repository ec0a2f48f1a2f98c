//! Cars that tip over: statically, and in a turn in the shape of a J.

use super::finding::{Findings, Rule, Severity, when};
use super::ramp::{TIPPED, TighteningBend, left};
use super::run::LintRun;
use super::subject::{G, LintedCar};
use crate::error::LabError;

use Severity::{Note, Warning};

/// A J-turn out of gear, as NHTSA drives it (80 km/h, less for small or slow vehicles; a step to 8 times the steering
/// of 0.3 g), and half the track over the height of the center of mass, from where lateral forces act, against the peak
/// friction of the tires. Warning if the vehicle tips over; note if the wheels of a side lift, or the ratio is below
/// the friction. Above 4536 kg, as trucks tip: warning if it tips, or would, below 0.42 g (UN Regulation 111).
const TIPS: Rule = Rule::new(
    "tips",
    "Gillespie, Fundamentals of Vehicle Dynamics (1992), chapter 9; the J-turn of NHTSA, 68 FR 59249 (2003)",
);
/// The J-turn is for vehicles up to this (`kg`): 10,000 lb.
const LIGHT: f32 = 4536.0;
/// Lateral acceleration (g) up to which heavier ones must not tip: UN Regulation 111, a tilt of 23°.
const HEAVY_STANDS: f32 = 0.42;
/// Wheels of a side are lifted that are in the air for longer than this (`s`).
const LIFTS: f32 = 0.3;
/// Part of the static limit that a car uses in a J-turn: it rolls on its springs, and swings beyond.
const SWING: f32 = 0.75;

/// Turns a bend into a J, and reports a car that tips over, or that would before its tires slide.
///
/// # Errors
/// If the world loses the car.
pub(super) fn look(
    subject: &LintedCar<'_>,
    bend: &TighteningBend,
    findings: &mut Findings,
) -> Result<(), LabError> {
    let Some(reach) = subject.footing().map(|[right, left]| right.min(left)) else {
        return Ok(());
    };
    let turn = JTurn::drive(subject, bend)?;
    let stability = Stability {
        limit: reach / subject.tipping_height(),
        friction: subject.peak_friction(),
        light: subject.params.chassis.mass <= LIGHT,
    };
    let Stability {
        limit, friction, ..
    } = stability;
    let wanted = stability.wanted();
    let (lever, height) = (reach / wanted, subject.tipping_height());
    let lower = subject.params.chassis.center_of_mass.z - (height - lever);
    findings.add(
        stability.severity(&turn, bend.greatest() / G),
        TIPS,
        "chassis.center_of_mass",
        format!(
            "{} in a J-turn at {:.0} km/h; half track over height of the center of mass {limit:.2}, peak friction of \
             the tires {friction:.2}",
            turn.words(),
            3.6 * bend.speed
        ),
        [
            format!("a ratio of at least {wanted:.2}, as a car swings on its springs"),
            format!(
                "center_of_mass {lower:.2} m up, or a track of {:.2} m, or tires with a friction of {:.2}",
                2.0 * wanted * height,
                friction * limit / wanted,
            ),
        ],
    );
    Ok(())
}

/// Static limits at which a car tips or slides.
struct Stability {
    /// Half of the track over the height of the center of mass (–): the lateral acceleration (g) at which a stiff car tips.
    limit: f32,
    /// Peak friction of the tires (–).
    friction: f32,
    /// Whether the vehicle must slide before it tips, as cars do and trucks do not.
    light: bool,
}

impl Stability {
    /// Lateral acceleration (g) that the vehicle must withstand.
    const fn needed(&self) -> f32 {
        if self.light {
            self.friction
        } else {
            HEAVY_STANDS
        }
    }

    /// Static limit (g) that the vehicle needs to withstand it, not below the present one.
    const fn wanted(&self) -> f32 {
        self.needed().max(self.limit) / SWING
    }

    /// Severity of a J-turn, or of a limit below the needed one, for a car whose bends reach a lateral acceleration (g).
    fn severity(&self, turn: &JTurn, bend: f32) -> Option<Severity> {
        let low = (0.0..self.needed()).contains(&self.limit);
        if self.light {
            let lifts = turn.lifted > LIFTS;
            when(turn.tipped(), Warning).or(when(lifts || low, Note))
        } else {
            when(low || (turn.tipped() && bend < HEAVY_STANDS), Warning)
        }
    }
}

/// Result of a J-turn: a step of steering to 8 times the angle of 0.3 g, out of gear.
struct JTurn {
    /// Greatest roll angle (`rad`), absolute.
    lean: f32,
    /// Time for which all wheels of a side were in the air (`s`).
    lifted: f32,
}

impl JTurn {
    fn drive(subject: &LintedCar<'_>, bend: &TighteningBend) -> Result<Self, LabError> {
        let steer = (8.0 * bend.steer_at(0.3 * G)).min(1.0);
        let mut run = LintRun::coasting(subject, bend.speed)?;
        run.go(0.2, left(0.0))?;
        let mut turn = Self {
            lean: 0.0,
            lifted: 0.0,
        };
        let mut time = 0.0;
        while time < 4.0 && !turn.tipped() {
            run.step(left(steer))?;
            time += subject.dt;
            turn.lean = turn.lean.max(run.lean()?.abs());
            if run.on_one_side() {
                turn.lifted += subject.dt;
            }
        }
        Ok(turn)
    }

    const fn tipped(&self) -> bool {
        self.lean >= TIPPED
    }

    const fn words(&self) -> &'static str {
        if self.tipped() {
            "tips over"
        } else if self.lifted > LIFTS {
            "lifts the wheels of a side"
        } else {
            "stays on its wheels"
        }
    }
}

impl LintRun<'_> {
    /// Whether all wheels of either side are in the air.
    fn on_one_side(&self) -> bool {
        let middle = self.subject.params.chassis.center_of_mass.y;
        let in_air = |side: f32| {
            let mut of_side = self
                .subject
                .wheels()
                .filter(|(_, wheel)| (wheel.position.y - middle) * side > 0.0);
            of_side.all(|(n, _)| self.stage.vehicle.wheel_report(n).in_air)
        };
        in_air(1.0) || in_air(-1.0)
    }
}
