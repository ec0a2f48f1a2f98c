//! The cases of the table: what happens at curbs, walls, stairs and cracks, at 60, 120 and 240 Hz.

use glam::{DVec2, DVec3};
use jounce::core::CarCommand;
use jounce::core::params::Probe;
use proving_ground::ProvingError;
use proving_ground::stage::FREE;
use proving_ground::world::WorldKind;

use super::judge::jolts;
use super::rig::{Line, Rig, Start, ground_of, judged};

/// Steps in a second (`Hz`).
pub const RATES: [f32; 3] = [60.0, 120.0, 240.0];
/// Radii of wheels (`m`).
pub const RADII: [f32; 2] = [0.35, 0.5];
/// Phases at which steps begin before an obstacle.
const PHASES: usize = 5;
/// Curbs: height (`m`) and speed (`m/s`).
const CURBS: [(f64, f32); 2] = [(0.1, 5.0), (0.15, 10.0)];
/// Place at which cars begin before an obstacle (`m`).
const PLACE: f64 = -6.0;

/// One measurement: each value has the bound.
#[derive(Clone, Copy, Debug)]
pub struct GroundCase {
    /// Short name.
    pub name: &'static str,
    /// The measured quantity, with its unit.
    pub what: &'static str,
    /// The most that is right.
    pub most: f64,
    /// Decimal places.
    pub digits: usize,
    /// Measures with wheels of [`RADII`], at [`RATES`].
    pub measure: fn(WorldKind, Probe) -> Result<Vec<f64>, ProvingError>,
}

/// Every case.
pub const CASES: [GroundCase; 13] = [
    GroundCase {
        name: "curb-vertical",
        what: "curbs up: vertical jolt off the judge's [%]",
        most: 10.0,
        digits: 1,
        measure: |world, probe| {
            each_curb(world, probe, |found, judged| {
                off(found.jolt.y, judged.jolt.y)
            })
        },
    },
    GroundCase {
        name: "curb-horizontal",
        what: "curbs up: horizontal jolt off the judge's [%]",
        most: 15.0,
        digits: 1,
        measure: |world, probe| {
            each_curb(world, probe, |found, judged| {
                off(found.jolt.x, judged.jolt.x)
            })
        },
    },
    GroundCase {
        name: "curb-jolt",
        what: "curbs up: greatest change of velocity in 1/60 s [g]",
        most: 5.0,
        digits: 2,
        measure: |world, probe| each_curb(world, probe, |found, _| found.jolt.max_element()),
    },
    GroundCase {
        name: "curb-exit",
        what: "curbs up: speed behind them off the judge's [m/s]",
        most: 0.1,
        digits: 3,
        measure: |world, probe| {
            each_curb(world, probe, |found, judged| {
                let exits = found.exits.map(|exit| (exit - judged.exits[0]).abs());
                exits[0].max(exits[1])
            })
        },
    },
    GroundCase {
        name: "curb-spread",
        what: "curbs up: spread of that speed over rates and phases [m/s]",
        most: 0.06,
        digits: 3,
        measure: spread_of_exits,
    },
    GroundCase {
        name: "curb-clip",
        what: "curbs up and down: the shown wheel in the ground [mm]",
        most: 10.0,
        digits: 1,
        measure: |world, probe| {
            at_rates(|rate, radius| {
                let mut deepest = 0.0_f64;
                for (height, speed) in CURBS {
                    for height in [height, -height] {
                        deepest = deepest.max(
                            over(
                                world,
                                probe,
                                &Line::curb(height),
                                (radius, speed, rate),
                                FREE,
                            )?
                            .clip,
                        );
                    }
                }
                Ok(1e3 * deepest)
            })
        },
    },
    GroundCase {
        name: "curb-down",
        what: "curbs down: greatest change of velocity in 1/60 s [g]",
        most: 1.0,
        digits: 2,
        measure: |world, probe| {
            at_rates(|rate, radius| {
                let mut most = 0.0_f64;
                for (height, speed) in CURBS {
                    let found = over(
                        world,
                        probe,
                        &Line::curb(-height),
                        (radius, speed, rate),
                        FREE,
                    )?;
                    most = most.max(found.jolt.max_element());
                }
                Ok(most)
            })
        },
    },
    GroundCase {
        name: "curb-driven",
        what: "curbs up, braked and driven: the same change [g]",
        most: 5.0,
        digits: 2,
        measure: |world, probe| {
            at_rates(|rate, radius| {
                let braked = CarCommand { brake: 0.3, ..FREE };
                let driven = CarCommand {
                    throttle: 0.5,
                    ..FREE
                };
                let mut most = 0.0_f64;
                for (height, speed) in CURBS {
                    for command in [braked, driven] {
                        let found = over(
                            world,
                            probe,
                            &Line::curb(height),
                            (radius, speed, rate),
                            command,
                        )?;
                        most = most.max(found.jolt.max_element());
                    }
                }
                Ok(most)
            })
        },
    },
    GroundCase {
        name: "step",
        what: "a step of 0.7 radii at 5 m/s stops the car: rise of the body [mm]",
        most: 30.0,
        digits: 1,
        measure: |world, probe| {
            at_rates(|rate, radius| {
                let line = Line::curb(0.7 * f64::from(radius));
                let found = over(world, probe, &line, (radius, 5.0, rate), FREE)?;
                Ok(if found.stops() {
                    1e3 * found.rise
                } else {
                    f64::INFINITY
                })
            })
        },
    },
    GroundCase {
        name: "wall",
        what: "a wall at 8 m/s stops the car: the shown wheel in it [mm]",
        most: 30.0,
        digits: 1,
        measure: |world, probe| {
            at_rates(|rate, radius| {
                let found = over(world, probe, &Line::curb(3.0), (radius, 8.0, rate), FREE)?;
                Ok(if found.stops() {
                    1e3 * found.clip
                } else {
                    f64::INFINITY
                })
            })
        },
    },
    GroundCase {
        name: "crack",
        what: "a crack of 0.1 m at 10 m/s: how far the body sinks or rises [mm]",
        most: 10.0,
        digits: 2,
        measure: |world, probe| {
            at_rates(|rate, radius| {
                let line = Line(vec![[0.0, 0.0], [0.0, -0.5], [0.1, -0.5], [0.1, 0.0]]);
                let found = over(world, probe, &line, (radius, 10.0, rate), FREE)?;
                Ok(1e3 * found.rise.max(found.sink))
            })
        },
    },
    GroundCase {
        name: "stairs",
        what: "six stairs of 0.17 m at 6 m/s are climbed: missing height [mm]",
        most: 50.0,
        digits: 1,
        measure: |world, probe| {
            at_rates(|rate, radius| {
                let mut line = vec![[0.0, 0.0]];
                for n in 0..6 {
                    let (x, z) = (0.3 * f64::from(n), 0.17 * f64::from(n + 1));
                    line.extend([[x, z], [x + 0.3, z]]);
                }
                let driven = CarCommand {
                    throttle: 0.3,
                    ..FREE
                };
                let found = over(world, probe, &Line(line), (radius, 6.0, rate), driven)?;
                Ok(1e3 * (6.0 * 0.17 - found.height).abs())
            })
        },
    },
    GroundCase {
        name: "seams",
        what: "seams of level triangles at 40 m/s: vertical acceleration [g]",
        most: 0.01,
        digits: 4,
        measure: |world, probe| {
            at_rates(|rate, radius| {
                let line = (0..400).map(|n| [0.1 * f64::from(n) - 5.0, 0.0]);
                let found = over(
                    world,
                    probe,
                    &Line(line.collect()),
                    (radius, 40.0, rate),
                    FREE,
                )?;
                Ok(found.jolt.y)
            })
        },
    },
];

/// What a car does at an obstacle.
#[derive(Clone, Copy, Debug, Default)]
struct Passage {
    /// Greatest changes of velocity in 1/60 s, backward and vertical (`g`).
    jolt: DVec2,
    /// Least and greatest speed at the end (`m/s`).
    exits: [f64; 2],
    /// Deepest place of a shown wheel in the ground (`m`).
    clip: f64,
    /// Greatest rise and fall of the body over where it began (`m`).
    rise: f64,
    sink: f64,
    /// Height of the body at the end over where it began (`m`).
    height: f64,
}

impl Passage {
    /// Whether the car stands at the end, or rolls back.
    fn stops(&self) -> bool {
        self.exits[1] < 0.5
    }
}

/// Percentage by which a number is off another one.
fn off(found: f64, right: f64) -> f64 {
    100.0 * (found / right - 1.0).abs()
}

/// A measurement with every radius, at every rate.
fn at_rates(
    measure: impl Fn(f32, f32) -> Result<f64, ProvingError>,
) -> Result<Vec<f64>, ProvingError> {
    let mut values = Vec::new();
    for radius in RADII {
        for rate in RATES {
            values.push(measure(rate, radius)?);
        }
    }
    Ok(values)
}

fn start(
    world: WorldKind,
    probe: Probe,
    (radius, speed, rate): (f32, f32, f32),
    phase: usize,
) -> Start {
    let ahead = f64::from(speed / rate) * phase as f64 / PHASES as f64;
    Start {
        world,
        probe,
        radius,
        place: [PLACE + ahead, 0.0],
        speed,
        rate,
        angle: 0.0,
    }
}

/// Time in which a car passes an obstacle (`s`).
fn duration(speed: f32) -> f32 {
    0.5 + 14.0 / speed
}

/// The worst of a car's passages over a line, over phases; the last one's height at the end.
fn over(
    world: WorldKind,
    probe: Probe,
    line: &Line,
    at: (f32, f32, f32),
    command: CarCommand,
) -> Result<Passage, ProvingError> {
    let mut worst = Passage {
        exits: [f64::INFINITY, f64::NEG_INFINITY],
        ..Passage::default()
    };
    for phase in 0..PHASES {
        let found = pass(line, &start(world, probe, at, phase), command)?;
        worst = Passage {
            jolt: worst.jolt.max(found.jolt),
            clip: worst.clip.max(found.clip),
            rise: worst.rise.max(found.rise),
            sink: worst.sink.max(found.sink),
            exits: [
                worst.exits[0].min(found.exits[0]),
                worst.exits[1].max(found.exits[1]),
            ],
            ..found
        };
    }
    Ok(worst)
}

/// One passage. What happens while springs settle does not count.
fn pass(line: &Line, start: &Start, command: CarCommand) -> Result<Passage, ProvingError> {
    const SETTLED: f32 = 0.3;
    let mut rig = Rig::new(line.clone(), start)?;
    let begun = rig.body()?.position.z;
    let (mut velocities, mut passage) = (Vec::new(), Passage::default());
    for n in 0..(duration(start.speed) * start.rate) as usize {
        let body = rig.step(command)?;
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
        ..Passage::default()
    })
}

/// The worst over curbs and phases of what `compare` finds between a passage and the judge's.
fn each_curb(
    world: WorldKind,
    probe: Probe,
    compare: impl Fn(&Passage, &Passage) -> f64,
) -> Result<Vec<f64>, ProvingError> {
    at_rates(|rate, radius| {
        let mut worst = 0.0_f64;
        for (height, speed) in CURBS {
            let (line, at) = (Line::curb(height), (radius, speed, rate));
            let right = judge(&line, &start(world, probe, at, 0))?;
            let found = over(world, probe, &line, at, FREE)?;
            worst = worst.max(compare(&found, &right));
        }
        Ok(worst)
    })
}

/// Differences of the speeds behind curbs, per radius.
fn spread_of_exits(world: WorldKind, probe: Probe) -> Result<Vec<f64>, ProvingError> {
    let mut values = Vec::new();
    for radius in RADII {
        let mut worst = 0.0_f64;
        for (height, speed) in CURBS {
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for rate in RATES {
                let at = (radius, speed, rate);
                let found = over(world, probe, &Line::curb(height), at, FREE)?;
                (least, most) = (least.min(found.exits[0]), most.max(found.exits[1]));
            }
            worst = worst.max(most - least);
        }
        values.push(worst);
    }
    Ok(values)
}
