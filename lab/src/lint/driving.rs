//! The questions of the guide's "Troubleshooting" that a drive of a few seconds answers, on the level
//! ground of the standalone world.

use glam::Vec3;
use jounce::core::{Command, Gear, math};

use super::finding::{Findings, Rule, Severity, when};
use super::subject::{Asked, Subject};
use crate::error::LabError;
use crate::stage::{Scene, Setup, Stage};
use crate::world::WorldKind;

use Severity::{Error, Note, Warning};

/// Height that a car is put down from, so that its springs have something to do [m].
const DROP: f64 = 0.05;
/// No pedal, no steering.
const NOTHING: Asked = Asked {
    throttle: 0.0,
    brake: 0.0,
    steer: 0.0,
};
/// Full throttle.
const FLAT_OUT: Asked = Asked {
    throttle: 1.0,
    ..NOTHING
};
/// The pedal to the floor.
const BRAKING: Asked = Asked {
    brake: 1.0,
    ..NOTHING
};

/// Drives and says what did not work.
///
/// # Errors
/// If the world loses the car.
pub(super) fn look(subject: &Subject<'_>, findings: &mut Findings) -> Result<(), LabError> {
    if let Some(support) = subject.params.chassis.support {
        stands_by_a_support(support.mass, findings);
        return Ok(());
    }
    let rule = Rule {
        name: "takes-commands",
        section: "Troubleshooting",
    };
    if subject.command(FLAT_OUT).is_none() {
        let wanted = "commands of a car, of a tank, or wheel by wheel".to_owned();
        let proposal = "nothing: the drive of this vehicle is its own".to_owned();
        findings.add(
            Note,
            rule,
            "drivetrain",
            "takes no known command".to_owned(),
            [wanted, proposal],
        );
        return Ok(());
    }
    if subject.drives() {
        in_the_air(subject, findings)?;
    }
    let mut run = Run::new(subject, DROP)?;
    run.stand(findings)?;
    if subject.drives() {
        run.set_off(findings)?;
        run.coast(findings)?;
        run.stop(findings)?;
        if subject.steers() {
            Run::new(subject, 0.0)?.turn(findings)?;
        }
    }
    Ok(())
}

/// A semi-trailer falls over where nothing carries its coupling.
fn stands_by_a_support(load: f32, findings: &mut Findings) {
    let rule = Rule {
        name: "stands-alone",
        section: "Troubleshooting",
    };
    findings.add(
        Note,
        rule,
        "coupling.load",
        format!("{load:.0} kg rest on it: by itself it was not driven"),
        [
            "nothing: a semi-trailer stands on its truck".to_owned(),
            "`jounce drive`, which brings along what tows it".to_owned(),
        ],
    );
}

/// Engine and wheels without ground: "place the car very high above the ground".
fn in_the_air(subject: &Subject<'_>, findings: &mut Findings) -> Result<(), LabError> {
    let mut run = Run::new(subject, 500.0)?;
    run.go(4.0, FLAT_OUT)?;
    let engine = run.stage.vehicle.state().drive.engine_speed;
    let spin = run.fastest_wheel();
    if let Some(known) = &subject.engine {
        let rule = Rule {
            name: "engine-spins",
            section: "Troubleshooting: The Engine Rotation Refuses To Spin Quickly",
        };
        findings.add(
            when(engine < 0.3 * known.max_speed, Error),
            rule,
            "engine",
            format!(
                "{engine:.0} of {:.0} rad/s after 4 s at full throttle in the air",
                known.max_speed
            ),
            [
                "most of its greatest speed".to_owned(),
                "less engine inertia or damping, more peak torque, a torque curve of about 1"
                    .to_owned(),
            ],
        );
    }
    let rule = Rule {
        name: "wheels-spin",
        section: "Troubleshooting: The Engine Spins But the Wheels Refuse To Spin",
    };
    findings.add(
        when(spin < 2.0, Error),
        rule,
        "wheels",
        format!("{spin:.2} rad/s after 4 s at full throttle in the air"),
        [
            "the driven wheels turn".to_owned(),
            "a stronger clutch, a differential that drives wheels, less wheel inertia and damping"
                .to_owned(),
        ],
    );
    Ok(())
}

/// The car and the time since it began.
struct Run<'a> {
    subject: &'a Subject<'a>,
    stage: Stage,
}

impl<'a> Run<'a> {
    /// Puts the car on level ground or `lift` [m] over it, in its initial gear.
    fn new(subject: &'a Subject<'a>, lift: f64) -> Result<Self, LabError> {
        let gear = subject.car.kind().drivetrain().initial_state().gear;
        let scene = Scene {
            lift,
            hull: false,
            gear: gear.max(Gear::FIRST),
            ..Scene::LEVEL
        };
        let setup = Setup {
            world: WorldKind::Standalone,
            car: subject.car,
        };
        let stage = Stage::new(&setup, &scene, 1.0 / subject.dt)?;
        Ok(Self { subject, stage })
    }

    fn command(&self, asked: Asked) -> Command {
        self.subject.command(asked).unwrap_or_default()
    }

    fn go(&mut self, seconds: f32, asked: Asked) -> Result<(), LabError> {
        self.go_while(seconds, asked, |_| true).map(|_| ())
    }

    /// Goes on for so many seconds at most, while `more`; returns the time that it took [s].
    fn go_while(
        &mut self,
        seconds: f32,
        asked: Asked,
        more: impl Fn(&Self) -> bool,
    ) -> Result<f32, LabError> {
        let (command, dt) = (self.command(asked), self.stage.dt);
        let mut time = 0.0;
        while time < seconds && more(self) {
            self.stage.obey(&command, dt)?;
            time += dt;
        }
        Ok(time)
    }

    /// Speed over the ground [m/s].
    fn speed(&self) -> f32 {
        self.stage.velocity().truncate().length()
    }

    fn fastest_wheel(&self) -> f32 {
        let spins = self.stage.spins().into_iter();
        spins.fold(0.0, |most: f32, spin| most.max(spin.abs()))
    }

    /// The car's forward direction [world axes].
    fn ahead(&self) -> Result<Vec3, LabError> {
        Ok(math::matrix(self.stage.body()?.rotation).x_axis)
    }

    /// Put down, it comes to its height and keeps its place.
    fn stand(&mut self, findings: &mut Findings) -> Result<(), LabError> {
        let start = self.stage.position()?;
        self.go(4.0, BRAKING)?;
        let settled = self.stage.position()?;
        let travel = self.subject.wheels().map(|(_, wheel)| wheel.suspension);
        let least = travel.fold(f32::INFINITY, |least, s| least.min(s.max_compression));
        let sunk = (start.z - DROP - settled.z) as f32;
        let rule = Rule {
            name: "sinks",
            section: "Tuning Guide, PxVehicleSuspensionData: mSprungMass, mSpringStrength",
        };
        findings.add(
            when(sunk > 0.7 * least, Error).or(when(sunk.abs() > 0.3 * least.max(0.02), Warning)),
            rule,
            "chassis",
            format!("{:.0} mm below its design height at rest", 1000.0 * sunk),
            [
                "at its design height".to_owned(),
                "sprung masses that carry the car, stiffer springs".to_owned(),
            ],
        );
        self.go(2.0, BRAKING)?;
        let crept = self.stage.position()?.distance(settled);
        let rule = Rule {
            name: "stands-still",
            section: "Troubleshooting: Jittery Vehicles",
        };
        findings.add(
            when(crept > 0.1, Error).or(when(crept > 0.005, Warning)),
            rule,
            "chassis",
            format!("moved by {:.1} mm in 2 s, braked at rest", 1000.0 * crept),
            [
                "less than 5 mm".to_owned(),
                "more substeps, softer springs, more damping, solver = \"rows\"".to_owned(),
            ],
        );
        Ok(())
    }

    /// Full throttle: it moves, and leaves first gear.
    fn set_off(&mut self, findings: &mut Findings) -> Result<(), LabError> {
        let start = self.stage.position()?;
        self.go(4.0, FLAT_OUT)?;
        let (moved, spin) = (self.stage.position()? - start, self.fastest_wheel());
        let ahead = moved.as_vec3().dot(self.ahead()?);
        let rule = Rule {
            name: "moves",
            section: "Troubleshooting: The Wheels Are Spinning But The Vehicle Does Not Move Forwards; The Acceleration Feels Sluggish",
        };
        findings.add(
            when(ahead < 0.5, Error).or(when(ahead < 4.0, Warning)),
            rule,
            "chassis",
            format!("{ahead:.1} m ahead in 4 s at full throttle, fastest wheel {spin:.1} rad/s"),
            [
                "some metres".to_owned(),
                "more torque or lower gears where wheels stand; more friction, stiffness and load where they spin".to_owned(),
            ],
        );
        let high = |run: &Self| run.stage.vehicle.state().drive.gear > Gear::FIRST;
        let gears = self.subject.gearbox.as_ref().map_or(0, |g| g.forward.len());
        if self.subject.autobox.is_none() || gears < 2 {
            return self.go(4.0, FLAT_OUT);
        }
        self.go_while(20.0, FLAT_OUT, |run| !high(run))?;
        let rule = Rule {
            name: "leaves-first-gear",
            section: "Troubleshooting: The Vehicle Never Goes Beyond First Gear",
        };
        let drive = self.stage.vehicle.state().drive;
        findings.add(
            when(!high(self), Error),
            rule,
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

    /// Without throttle it gets slower.
    fn coast(&mut self, findings: &mut Findings) -> Result<(), LabError> {
        let before = self.speed();
        self.go(4.0, NOTHING)?;
        let after = self.speed();
        let rule = Rule {
            name: "slows-down",
            section: "Troubleshooting: The Vehicle Does Not Slow Down When Not Accelerating",
        };
        findings.add(
            when(before > 1.0 && after > 0.998 * before, Warning),
            rule,
            "drivetrain",
            format!("{before:.1} to {after:.1} m/s in 4 s without throttle"),
            [
                "slower".to_owned(),
                "more damping of engine and wheels".to_owned(),
            ],
        );
        Ok(())
    }

    /// Braked, it stops and stays.
    fn stop(&mut self, findings: &mut Findings) -> Result<(), LabError> {
        let before = self.speed();
        let longest = 2.0 + before / 1.5;
        let time = self.go_while(longest, BRAKING, |run| run.speed() > 0.05)?;
        let rule = Rule {
            name: "stops",
            section: "Tuning Guide, PxVehicleWheelData: mMaxBrakeTorque",
        };
        findings.add(
            when(self.speed() > 0.05, Error),
            rule,
            "brakes",
            format!(
                "{:.1} m/s after {time:.1} s of braking from {before:.1} m/s",
                self.speed()
            ),
            [
                format!("at rest within {longest:.1} s, 1.5 m/s² and more"),
                "stronger brakes".to_owned(),
            ],
        );
        self.go(1.0, BRAKING)?;
        let stood = self.stage.position()?;
        self.go(2.0, BRAKING)?;
        let crept = self.stage.position()?.distance(stood);
        let rule = Rule {
            name: "stays",
            section: "Troubleshooting: The Vehicle Slows Down Unnaturally",
        };
        findings.add(
            when(crept > 0.02, Warning),
            rule,
            "brakes",
            format!("moved by {:.0} mm in 2 s after it stopped", 1000.0 * crept),
            [
                "less than 20 mm".to_owned(),
                "more substeps at low speed, solver = \"rows\"".to_owned(),
            ],
        );
        Ok(())
    }

    /// Steered, it turns to that side.
    fn turn(&mut self, findings: &mut Findings) -> Result<(), LabError> {
        let part = Asked {
            throttle: 0.4,
            ..NOTHING
        };
        self.go_while(8.0, part, |run| run.speed() < 4.0)?;
        let before = self.ahead()?;
        self.go(3.0, Asked { steer: 0.6, ..part })?;
        let after = self.ahead()?;
        let right = before
            .cross(after)
            .dot(Vec3::NEG_Z)
            .atan2(before.dot(after));
        let rule = Rule {
            name: "steers",
            section: "Troubleshooting: The Vehicle Does Not Steer/Turn",
        };
        findings.add(
            when(right.abs() < 0.02, Error).or(when(right.abs() < 0.15, Warning)),
            rule,
            "steering",
            format!("{:.0}° in 3 s, steered to the right by 0.6", right.to_degrees()),
            [
                "a bend to the right".to_owned(),
                "greater steering angles, less inertia about z, more lateral stiffness and friction".to_owned(),
            ],
        );
        Ok(())
    }
}
