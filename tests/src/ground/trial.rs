//! A car's passages over a line of ground, and what the judge says of them.

use core::f64::consts::FRAC_PI_6;

use glam::{DVec2, DVec3};
use jounce::core::CarCommand;
use jounce::core::params::Probe;
use proving_ground::ProvingError;
use proving_ground::stage::FREE;
use proving_ground::world::WorldKind;

use super::judge::jolts;
use super::rig::{Line, Rig, Start, ground_of, judged};

/// Phases at which steps begin before an obstacle.
const PHASES: usize = 5;
/// Curbs: height (`m`) and speed (`m/s`).
const CURBS: [(f64, f32); 2] = [(0.1, 5.0), (0.15, 10.0)];
/// Place at which cars begin before an obstacle (`m`).
const PLACE: f64 = -6.0;
/// Time in which springs settle, and which does not count (`s`).
const SETTLED: f32 = 0.3;
/// Angle of an oblique curb (`rad`).
const OBLIQUE: f64 = FRAC_PI_6;

/// A car with a contact in a world.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The world.
    pub world: WorldKind,
    /// How wheels find the ground.
    pub probe: Probe,
    /// Radius of the wheels (`m`).
    pub radius: f32,
    /// Steps in a second (`Hz`).
    pub rate: f32,
}

/// What a car does at an obstacle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    /// Greatest changes of velocity in 1/60 s, backward and vertical (`g`).
    pub(super) jolt: DVec2,
    /// Least and greatest speed at the end (`m/s`).
    pub(super) exits: [f64; 2],
    /// Deepest place of a shown wheel in the ground (`m`).
    pub(super) clip: f64,
    /// Greatest rise of the body over where it began, and greatest fall below (`m`).
    pub(super) rise: f64,
    pub(super) sink: f64,
    /// Height of the body at the end over where it began (`m`).
    pub(super) height: f64,
}

impl Passage {
    const NONE: Self = Self {
        jolt: DVec2::ZERO,
        exits: [f64::INFINITY, f64::NEG_INFINITY],
        clip: 0.0,
        rise: 0.0,
        sink: 0.0,
        height: 0.0,
    };

    /// Whether the car stands at the end, or rolls back.
    pub(super) fn stops(&self) -> bool {
        self.exits[1] < 0.5
    }

    /// The worst of two passages; the height of the other.
    fn worst(self, other: Self) -> Self {
        let [[least, most], [low, high]] = [self.exits, other.exits];
        Self {
            jolt: self.jolt.max(other.jolt),
            exits: [least.min(low), most.max(high)],
            clip: self.clip.max(other.clip),
            rise: self.rise.max(other.rise),
            sink: self.sink.max(other.sink),
            height: other.height,
        }
    }
}

impl Trial {
    /// The worst of a car's passages over a line at a speed (`m/s`), over phases; the last one's height at the end.
    pub(super) fn over(
        &self,
        line: &Line,
        speed: f32,
        command: CarCommand,
    ) -> Result<Passage, ProvingError> {
        let mut worst = Passage::NONE;
        for phase in 0..PHASES {
            worst = worst.worst(pass(line, &self.start(speed, phase, command))?);
        }
        Ok(worst)
    }

    /// The worst over curbs up, or down with a `sign` of −1, and commands.
    pub(super) fn over_curbs(
        &self,
        sign: f64,
        commands: &[CarCommand],
    ) -> Result<Passage, ProvingError> {
        let mut worst = Passage::NONE;
        for (height, speed) in CURBS {
            for command in commands {
                let found = self.over(&Line::curb(sign * height), speed, *command)?;
                worst = worst.worst(found);
            }
        }
        Ok(worst)
    }

    /// The worst over curbs up that the car meets at 30°.
    pub(super) fn over_oblique_curbs(&self) -> Result<Passage, ProvingError> {
        let mut worst = Passage::NONE;
        for (height, speed) in CURBS {
            for phase in 0..PHASES {
                let start = Start {
                    angle: OBLIQUE,
                    ..self.start(speed, phase, FREE)
                };
                worst = worst.worst(pass(&Line::curb(height), &start)?);
            }
        }
        Ok(worst)
    }

    /// The worst over curbs up of what `compare` finds between a car's passages and the judge's, with a command.
    pub(super) fn beside_the_judge(
        &self,
        command: CarCommand,
        compare: impl Fn(&Passage, &Passage) -> f64,
    ) -> Result<f64, ProvingError> {
        let mut worst = 0.0_f64;
        for (height, speed) in CURBS {
            let line = Line::curb(height);
            let right = judge(&line, &self.start(speed, 0, command))?;
            let found = self.over(&line, speed, command)?;
            worst = worst.max(compare(&found, &right));
        }
        Ok(worst)
    }

    /// Difference of the speeds behind curbs up over phases and these `rates` (`Hz`; result `m/s`).
    pub(super) fn spread(&self, rates: &[f32]) -> Result<f64, ProvingError> {
        let mut worst = 0.0_f64;
        for (height, speed) in CURBS {
            let mut all = Passage::NONE;
            for rate in rates {
                let trial = Self {
                    rate: *rate,
                    ..*self
                };
                all = all.worst(trial.over(&Line::curb(height), speed, FREE)?);
            }
            worst = worst.max(all.exits[1] - all.exits[0]);
        }
        Ok(worst)
    }

    fn start(&self, speed: f32, phase: usize, command: CarCommand) -> Start {
        let ahead = f64::from(speed / self.rate) * phase as f64 / PHASES as f64;
        Start {
            world: self.world,
            probe: self.probe,
            radius: self.radius,
            place: [PLACE + ahead, 0.0],
            speed,
            rate: self.rate,
            angle: 0.0,
            command,
        }
    }
}

/// Time in which a car passes an obstacle (`s`).
fn duration(speed: f32) -> f32 {
    0.5 + 14.0 / speed
}

/// One passage.
fn pass(line: &Line, start: &Start) -> Result<Passage, ProvingError> {
    let mut rig = Rig::new(line.clone(), start)?;
    let begun = rig.body()?.position.z;
    let (mut velocities, mut passage) = (Vec::new(), Passage::NONE);
    for n in 0..(duration(start.speed) * start.rate) as usize {
        let body = rig.step()?;
        if (n as f32) < SETTLED * start.rate {
            continue;
        }
        // That of the body is the mean over its step.
        let DVec3 { x, z, .. } = rig.vehicle.updated_velocity().0.as_dvec3();
        velocities.push(DVec2::new(x, z));
        passage.clip = passage.clip.max(rig.clip()?);
        passage.height = body.position.z - begun;
        passage.rise = passage.rise.max(passage.height);
        passage.sink = passage.sink.max(-passage.height);
        passage.exits = [x; 2];
    }
    passage.jolt = jolts(&velocities, start.rate as usize);
    Ok(passage)
}

/// A passage before the judge.
fn judge(line: &Line, start: &Start) -> Result<Passage, ProvingError> {
    // As many windows of 1/60 s as the phases of all passages see.
    let told = start.rate as usize * PHASES;
    let mut judge = judged(start)?;
    let seconds = f64::from(duration(start.speed));
    let velocities = judge.drive(&ground_of(line), seconds, told);
    Ok(Passage {
        jolt: jolts(&velocities, told),
        exits: [judge.velocity.x; 2],
        ..Passage::NONE
    })
}
