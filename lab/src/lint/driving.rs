//! The questions of the guide's "Troubleshooting" that a drive of a few seconds answers, on level
//! ground in the standalone world.

use jounce::core::{Gear, MAX_WHEELS};

use super::finding::{Findings, Rule, Severity, above, below, when};
use super::ramp::TighteningBend;
use super::run::{BRAKING, FLAT_OUT, LintRun, NOTHING};
use super::subject::{AnyCommand, LintedCar};
use super::{bumps, handling, hunting, oversteers, rolling, tips, traction};
use crate::error::LabError;
use proving_ground::stage::Scene;

use Severity::{Error, Note, Warning};

/// Height from which a car is dropped, to exercise its springs (`m`).
const DROP: f64 = 0.05;
/// Response of the drive to the command of a car, of a tank, per wheel. Note if it accepts none: nothing is driven.
const TAKES_COMMANDS: Rule = Rule::new("takes-commands", "Troubleshooting");
/// Load of a trailer on its coupling: it is not driven by itself. Note.
const STANDS_ALONE: Rule = Rule::new("stands-alone", "Troubleshooting");
/// Engine speed after 4 s at full throttle, 500 m above the ground. Error below 0.3 of its maximum.
const ENGINE_SPINS: Rule = Rule::new(
    "engine-spins",
    "Troubleshooting: The Engine Rotation Refuses To Spin Quickly",
);
/// Speed of the fastest wheel after 4 s at full throttle, 500 m above the ground. Error below 2 rad/s.
const WHEELS_SPIN: Rule = Rule::new(
    "wheels-spin",
    "Troubleshooting: The Engine Spins But the Wheels Refuse To Spin",
);
/// Height against the design position, 4 s after a drop from 5 cm. Error above 0.7 of the compression, warning above
/// 0.3.
const SINKS: Rule = Rule::new(
    "sinks",
    "Tuning Guide, PxVehicleSuspensionData: mSprungMass, mSpringStrength",
);
/// Distance within 2 s, braked, 4 s after a drop from 5 cm. Error above 10 cm, warning above 5 mm.
const STANDS_STILL: Rule = Rule::new("stands-still", "Troubleshooting: Jittery Vehicles");
/// Share of the driven wheels (those that turned in the air) in the suspension forces at rest. Warning below 0.2.
const DRIVEN_LOAD: Rule = Rule::new(
    "driven-load",
    "Troubleshooting: The Wheels Are Spinning But The Vehicle Does Not Move Forwards",
);
/// Forward distance within 4 s at full throttle. Error below 0.5 m, warning below 4 m.
const MOVES: Rule = Rule::new(
    "moves",
    "Troubleshooting: The Wheels Are Spinning But The Vehicle Does Not Move Forwards; The Acceleration Feels Sluggish",
);
/// Gear after 24 s at full throttle at most, with an autobox and two gears. Error if first or lower.
const LEAVES_FIRST_GEAR: Rule = Rule::new(
    "leaves-first-gear",
    "Troubleshooting: The Vehicle Never Goes Beyond First Gear",
);
/// Speed before and after 4 s without throttle. Warning if 0.998 of it is left.
const SLOWS_DOWN: Rule = Rule::new(
    "slows-down",
    "Troubleshooting: The Vehicle Does Not Slow Down When Not Accelerating",
);
/// Time at the full brake until 5 cm/s. Error after 2 s + speed / 1.5 m/s².
const STOPS: Rule = Rule::new("stops", "Tuning Guide, PxVehicleWheelData: mMaxBrakeTorque");
/// Distance within 2 s, from 1 s after the full brake has stopped the car. Warning above 2 cm.
const STAYS: Rule = Rule::new(
    "stays",
    "Troubleshooting: The Vehicle Slows Down Unnaturally",
);
/// Sign changes of a wheel's slip from 6 m/s to rest, with a tenth of the brake; within ±0.05 a slip has no sign.
/// Warning above 6 times.
const SLIP_OSCILLATION: Rule = Rule::new(
    "slip-oscillation",
    "Troubleshooting: The Vehicle Slows Down Unnaturally",
);

/// Drives the vehicle, and reports failures.
///
/// # Errors
/// If the world loses the car.
pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) -> Result<(), LabError> {
    if let Some(support) = subject.params.chassis.support {
        stands_by_a_support(support.mass, findings);
        return Ok(());
    }
    if subject.command(FLAT_OUT).is_none() {
        let wanted = "commands of a car, of a tank, or per wheel".to_owned();
        let proposal = "nothing: this vehicle has a custom drive".to_owned();
        findings.add(
            Note,
            TAKES_COMMANDS,
            "drivetrain",
            "accepts no known command".to_owned(),
            [wanted, proposal],
        );
        return Ok(());
    }
    let mut driven = Vec::new();
    if subject.drives() {
        driven = in_the_air(subject, findings)?;
    }
    let mut run = LintRun::new(subject, lifted(DROP))?;
    run.body_damping(findings)?;
    run.stand(findings)?;
    rolling::look(subject, findings)?;
    if let Some(bend) = TighteningBend::drive(subject, subject.cruise())? {
        tips::look(subject, &bend, findings)?;
        if subject.drives() {
            oversteers::look(subject, &bend, findings)?;
        }
    }
    if subject.drives() {
        run.load(&driven, findings);
        run.set_off(findings)?;
        run.coast(findings)?;
        run.stop(findings)?;
        handling::look(subject, &driven, findings)?;
        traction::look(subject, findings)?;
        bumps::look(subject, findings)?;
        hunting::look(subject, findings)?;
        LintRun::rolling(subject, 6.0)?.roll_out(findings)?;
    }
    Ok(())
}

/// A trailer tips over if nothing holds its coupling.
fn stands_by_a_support(load: f32, findings: &mut Findings) {
    findings.add(
        Note,
        STANDS_ALONE,
        "coupling.load",
        format!("it carries {load:.0} kg: not driven without its towing vehicle"),
        [
            "nothing: a trailer stands on its towing vehicle".to_owned(),
            "`jounce drive`, which adds its towing vehicle".to_owned(),
        ],
    );
}

/// Engine and wheels without ground: "place the car very high above the ground". Returns the wheels
/// that the drive turned.
fn in_the_air(subject: &LintedCar<'_>, findings: &mut Findings) -> Result<Vec<usize>, LabError> {
    let mut run = LintRun::new(subject, lifted(500.0))?;
    run.go(4.0, FLAT_OUT)?;
    let engine = run.stage.vehicle.state().drive.engine_speed;
    let spin = run.fastest_wheel();
    if let Some(known) = &subject.engine {
        findings.add(
            below(engine, 0.3 * known.max_speed, Error),
            ENGINE_SPINS,
            "engine",
            format!(
                "{engine:.0} of {:.0} rad/s after 4 s at full throttle in the air",
                known.max_speed
            ),
            [
                "most of its maximum speed".to_owned(),
                "less engine inertia or damping, more peak torque, a torque curve of about 1"
                    .to_owned(),
            ],
        );
    }
    findings.add(
        below(spin, 2.0, Error),
        WHEELS_SPIN,
        "wheels",
        format!("{spin:.2} rad/s after 4 s at full throttle in the air"),
        [
            "the driven wheels turn".to_owned(),
            "a stronger clutch, a differential that drives wheels, less wheel inertia and damping"
                .to_owned(),
        ],
    );
    let spins = run.stage.spins().into_iter().enumerate();
    let turned = spins.filter(|(_, spin)| spin.abs() > 1.0);
    Ok(turned.map(|(n, _)| n).collect())
}

impl LintRun<'_> {
    /// Checks that a dropped vehicle settles at its height and keeps its position.
    fn stand(&mut self, findings: &mut Findings) -> Result<(), LabError> {
        let start = self.stage.position()?;
        self.go(4.0, BRAKING)?;
        let settled = self.stage.position()?;
        let travel = self.subject.wheels().map(|(_, wheel)| wheel.suspension);
        let least = travel.fold(f32::INFINITY, |least, s| least.min(s.max_compression));
        let sunk = (start.z - DROP - settled.z) as f32;
        findings.add(
            above(sunk, 0.7 * least, Error).or(above(sunk.abs(), 0.3 * least.max(0.02), Warning)),
            SINKS,
            "chassis",
            format!(
                "{} {} its design height at rest",
                length(sunk.abs()),
                if sunk < 0.0 { "above" } else { "below" }
            ),
            [
                "at its design height".to_owned(),
                "sprung masses that carry the car, stiffer springs".to_owned(),
            ],
        );
        self.go(2.0, BRAKING)?;
        let crept = self.stage.position()?.distance(settled);
        findings.add(
            above(crept, 0.1, Error).or(above(crept, 0.005, Warning)),
            STANDS_STILL,
            "chassis",
            format!("moved by {} in 2 s, braked at rest", length(crept as f32)),
            [
                "less than 5 mm".to_owned(),
                "more substeps, softer springs, more damping, solver = \"rows\"".to_owned(),
            ],
        );
        Ok(())
    }

    /// Checks that driven wheels carry enough load for traction at rest.
    fn load(&self, driven: &[usize], findings: &mut Findings) {
        let load = |n: usize| self.stage.vehicle.wheel_report(n).suspension_force;
        let all: f32 = self.subject.wheels().map(|(n, _)| load(n)).sum();
        let share = driven.iter().map(|n| load(*n)).sum::<f32>() / all;
        findings.add(
            below(share, 0.2, Warning),
            DRIVEN_LOAD,
            "chassis.center_of_mass",
            format!("driven wheels carry {share:.2} of the weight"),
            [
                "at least 0.2: traction is limited to friction times that".to_owned(),
                "a center of mass closer to the driven axle, or another axle driven".to_owned(),
            ],
        );
    }

    /// Full throttle: it moves, and leaves first gear.
    fn set_off(&mut self, findings: &mut Findings) -> Result<(), LabError> {
        let start = self.stage.position()?;
        self.go(4.0, FLAT_OUT)?;
        let (moved, spin) = (self.stage.position()? - start, self.fastest_wheel());
        let ahead = moved.as_vec3().dot(self.ahead()?);
        findings.add(
            below(ahead, 0.5, Error).or(below(ahead, 4.0, Warning)),
            MOVES,
            "chassis",
            format!("{ahead:.1} m forward in 4 s at full throttle, fastest wheel {spin:.1} rad/s"),
            [
                "several meters".to_owned(),
                "more torque or lower gears where wheels stand; more friction, stiffness and load where they spin".to_owned(),
            ],
        );
        let high = |run: &Self| run.stage.vehicle.state().drive.gear > Gear::FIRST;
        let gears = self.subject.gearbox.as_ref().map_or(0, |g| g.forward.len());
        if self.subject.autobox.is_none() || gears < 2 {
            return self.go(4.0, FLAT_OUT);
        }
        self.go_while(20.0, FLAT_OUT, |run| !high(run))?;
        let drive = self.stage.vehicle.state().drive;
        findings.add(
            when(!high(self), Error),
            LEAVES_FIRST_GEAR,
            "autobox",
            format!(
                "gear {} after 24 s at full throttle, engine {:.0} rad/s",
                drive.gear.0, drive.engine_speed
            ),
            [
                "second gear at least".to_owned(),
                "a longer latency, lower autobox.up, an engine that reaches it".to_owned(),
            ],
        );
        self.go(2.0, FLAT_OUT)
    }

    /// Checks that the vehicle slows down without throttle.
    fn coast(&mut self, findings: &mut Findings) -> Result<(), LabError> {
        let before = self.speed();
        self.go(4.0, NOTHING)?;
        let after = self.speed();
        findings.add(
            when(before > 1.0 && after > 0.998 * before, Warning),
            SLOWS_DOWN,
            "drivetrain",
            format!("{before:.1} to {after:.1} m/s in 4 s without throttle"),
            [
                "slower".to_owned(),
                "more damping of engine and wheels; damping of the body in the engine".to_owned(),
            ],
        );
        Ok(())
    }

    /// Checks that the vehicle stops under braking, and stays.
    fn stop(&mut self, findings: &mut Findings) -> Result<(), LabError> {
        let before = self.speed();
        let longest = 2.0 + before / 1.5;
        let time = self.go_while(longest, BRAKING, |run| run.speed() > 0.05)?;
        findings.add(
            above(self.speed(), 0.05, Error),
            STOPS,
            "brakes",
            format!(
                "{:.1} m/s after {time:.1} s of braking from {before:.1} m/s",
                self.speed()
            ),
            [
                format!("at rest within {longest:.1} s, 1.5 m/s² or more"),
                "stronger brakes".to_owned(),
            ],
        );
        self.go(1.0, BRAKING)?;
        let stood = self.stage.position()?;
        self.go(2.0, BRAKING)?;
        let crept = self.stage.position()?.distance(stood);
        findings.add(
            above(crept, 0.02, Warning),
            STAYS,
            "brakes",
            format!("moved by {} in 2 s after it stopped", length(crept as f32)),
            [
                "less than 20 mm".to_owned(),
                "more substeps at low speed, solver = \"rows\"".to_owned(),
            ],
        );
        Ok(())
    }

    /// Coasting to rest with light braking, its slips do not oscillate.
    fn roll_out(&mut self, findings: &mut Findings) -> Result<(), LabError> {
        let mut swings = [Swing::default(); MAX_WHEELS];
        let touched = AnyCommand {
            brake: 0.1,
            ..NOTHING
        };
        let time = self.go_while(10.0, touched, |run| {
            for (n, wheel) in run.subject.wheels() {
                let report = run.stage.vehicle.wheel_report(n);
                let over = report.spin * wheel.radius - report.forward_speed;
                swings[n].see(over / report.forward_speed.abs().max(1.0));
            }
            run.speed() > 0.02
        })?;
        let most = swings
            .map(|swing| swing.count)
            .into_iter()
            .fold(0, u32::max);
        findings.add(
            above(most, 6, Warning),
            SLIP_OSCILLATION,
            "wheels",
            format!("slip changes its sign {most} times in {time:.1} s, as the car rolls to rest"),
            [
                "at most 6 times".to_owned(),
                "solver = \"rows\"; else more substeps, 10 in substeps.slow and fast, or a greater profile.explicit.slip.passive_denominator".to_owned(),
            ],
        );
        Ok(())
    }
}

/// A length (`m`) in millimeters, or in meters where it is long.
fn length(length: f32) -> String {
    if length < 1.0 {
        format!("{:.1} mm", 1000.0 * length)
    } else {
        format!("{length:.1} m")
    }
}

/// An oscillating slip.
#[derive(Clone, Copy, Default)]
struct Swing {
    side: f32,
    count: u32,
}

impl Swing {
    /// Records a slip; those below 5 % are on neither side.
    fn see(&mut self, slip: f32) {
        if slip.abs() > 0.05 {
            self.count += u32::from(slip * self.side < 0.0);
            self.side = slip.signum();
        }
    }
}

/// Scene above level ground.
fn lifted(lift: f64) -> Scene {
    Scene {
        lift,
        ..Scene::LEVEL
    }
}

#[cfg(test)]
mod tests {
    use super::Swing;

    /// Slips up to 5 % are on neither side, and do not make a swing of two on the same side.
    #[test]
    fn a_slip_swings_when_it_comes_to_the_other_side() {
        for (slips, count) in [
            (&[0.1, 0.2, 0.06][..], 0),
            (&[0.1, -0.1, 0.1], 2),
            (&[0.1, 0.05, -0.05, 0.1], 0),
            (&[-0.1, 0.0, 0.051], 1),
            (&[0.05, -0.06, -0.3, 0.05], 0),
        ] {
            let mut swing = Swing::default();
            slips.iter().for_each(|slip| swing.see(*slip));
            assert_eq!(swing.count, count, "{slips:?}");
        }
    }
}
