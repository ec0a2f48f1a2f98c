//! Sentences about forces.

use jounce::core::lanes::{Mask4, W4};
use jounce::core::tire_model::TireInput4;
use jounce::core::{TireForces, TireInput};

use super::grid::{LOADS, Point, SLIDING, SLIPS, directions, planar, slipping, still};
use super::{Case, Subject};
use crate::suite::{Failure, Measure, expect};

pub(super) const CASES: [Case; 13] = [
    sentence("without load or friction there is no force", carries),
    sentence("every finite input has a finite answer", finite),
    sentence("four wheels at once are the same bits", lanes),
    Case {
        name: "a sliding tire takes energy away",
        measures: "power over load and sliding speed, offset aside [−]",
        bound: 1e-5,
        run: dissipates,
    },
    Case {
        name: "force stays within the declared grip",
        measures: "force over grip, friction and load, less 1 [−]",
        bound: 1e-5,
        run: grips,
    },
    Case {
        name: "without slip there is no more force than declared",
        measures: "force over load, offset aside [−]",
        bound: 1e-5,
        run: offsets,
    },
    Case {
        name: "force follows slip no steeper than declared",
        measures: "slope over that declared, less 1 [−]",
        bound: 1e-2,
        run: steepness,
    },
    Case {
        name: "nothing jumps where the wheel stands or turns round",
        measures: "jump over load [−]",
        bound: 1e-3,
        run: turns_round,
    },
    Case {
        name: "nothing jumps as load and inclination change",
        measures: "jump over load [−]",
        bound: 1e-3,
        run: follows,
    },
    Case {
        name: "opposite slip has the opposite force",
        measures: "difference over friction and load [−]",
        bound: 1e-4,
        run: odd,
    },
    Case {
        name: "a mirrored wheel pushes the mirrored way",
        measures: "difference over friction and load, of the moment over the radius, too [−]",
        bound: 1e-4,
        run: mirrored,
    },
    Case {
        name: "the aligning moment has an arm of no more than the radius",
        measures: "moment over radius, grip, friction and load [−]",
        bound: 1.0,
        run: arm,
    },
    sentence("what its traits say is true", traits),
];

const fn sentence(name: &'static str, run: fn(&Subject<'_>) -> Result<Measure, Failure>) -> Case {
    Case {
        name,
        measures: "",
        bound: 0.0,
        run,
    }
}

/// The greatest of what was measured, and where.
fn worst<P: core::fmt::Debug>(found: impl Iterator<Item = (f64, P)>) -> Measure {
    let mut worst: Option<(f64, P)> = None;
    for (value, at) in found {
        // What is no number is the worst.
        let value = if value.is_nan() { f64::INFINITY } else { value };
        if worst.as_ref().is_none_or(|(most, _)| value > *most) {
            worst = Some((value, at));
        }
    }
    worst.map_or(Measure::KEPT, |(value, at)| Measure {
        value,
        note: format!("at {at:?}"),
    })
}

fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

fn difference(a: [f64; 2], b: [f64; 2]) -> f64 {
    length([a[0] - b[0], a[1] - b[1]])
}

/// All that a law answers.
fn all(forces: &TireForces) -> [f32; 4] {
    [
        forces.longitudinal,
        forces.lateral,
        forces.aligning_moment,
        forces.wheel_torque,
    ]
}

fn carries(subject: &Subject<'_>) -> Result<Measure, Failure> {
    for (point, _) in slipping(subject) {
        for point in [
            Point { load: 0.0, ..point },
            Point {
                friction: 0.0,
                ..point
            },
        ] {
            let forces = all(&point.forces(subject));
            let none = forces.iter().all(|force| *force == 0.0);
            expect(none, || format!("{forces:?} at {point:?}"))?;
        }
    }
    Ok(Measure::KEPT)
}

/// Numbers at the ends of what there is, and some between.
const EXTREMES: [f32; 12] = [
    0.0,
    f32::MIN_POSITIVE,
    1e-45,
    1e-20,
    1e-6,
    0.3,
    1.0,
    1e3,
    1e9,
    1e20,
    1e38,
    f32::MAX,
];
/// How many of their combinations are tried.
const COMBINATIONS: u32 = 200_000;

/// A sequence without pattern, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % count
    }

    fn positive(&mut self) -> f32 {
        EXTREMES[1 + self.below(EXTREMES.len() - 1)]
    }

    fn not_negative(&mut self) -> f32 {
        EXTREMES[self.below(EXTREMES.len())]
    }

    fn any(&mut self) -> f32 {
        let sign = if self.below(2) == 0 { 1.0 } else { -1.0 };
        sign * self.not_negative()
    }

    fn input(&mut self) -> TireInput {
        TireInput {
            slip_ratio: self.any(),
            tan_slip_angle: self.any(),
            forward_speed: self.any(),
            lateral_speed: self.any(),
            rim_speed: self.any(),
            radius: self.positive(),
            load: self.not_negative(),
            rest_load: self.positive(),
            camber: self.any(),
            friction: self.not_negative(),
            gravity: self.positive(),
        }
    }
}

fn finite(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let mut dice = Dice(1);
    for _ in 0..COMBINATIONS {
        let input = dice.input();
        let forces = all(&subject.tire.forces(&input));
        let finite = forces.iter().all(|force| force.is_finite());
        expect(finite, || format!("{forces:?} at {input:?}"))?;
    }
    Ok(Measure::KEPT)
}

fn lanes(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let points: Vec<_> = slipping(subject).map(|(point, _)| point).collect();
    for four in points.chunks_exact(4) {
        let inputs = [0, 1, 2, 3].map(|n: usize| four[n].input(subject));
        let field = |of: fn(&TireInput) -> f32| W4::from_array(inputs.each_ref().map(of));
        let together = TireInput4 {
            slip_ratio: field(|i| i.slip_ratio),
            tan_slip_angle: field(|i| i.tan_slip_angle),
            forward_speed: field(|i| i.forward_speed),
            lateral_speed: field(|i| i.lateral_speed),
            rim_speed: field(|i| i.rim_speed),
            radius: field(|i| i.radius),
            load: field(|i| i.load),
            rest_load: field(|i| i.rest_load),
            camber: field(|i| i.camber),
            friction: field(|i| i.friction),
            gravity: inputs[0].gravity,
        };
        let found = subject.tire.forces4(&together, Mask4::ALL);
        for (lane, input) in inputs.iter().enumerate() {
            let alone = all(&subject.tire.forces(input));
            let lane = [
                found.longitudinal,
                found.lateral,
                found.aligning_moment,
                found.wheel_torque,
            ]
            .map(|four| four.lane(lane));
            // 0 and −0 are the same force.
            expect(lane == alone, || {
                format!("{lane:?} for {alone:?} at {input:?}")
            })?;
        }
    }
    Ok(Measure::KEPT)
}

fn dissipates(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let offset = f64::from(subject.declared.offset);
    let powers = slipping(subject).map(|(point, slip)| {
        let ([x, y], [ratio, tangent]) = (planar(&point.forces(subject)), point.slip);
        let power = y * f64::from(tangent) - x * f64::from(ratio);
        let declared = if slip < SLIDING { offset } else { 0.0 };
        (
            power / (f64::from(point.load) * f64::from(slip)) - declared,
            point,
        )
    });
    Ok(worst(powers))
}

/// Fails where a declaration is so wide that it says nothing.
fn reached(what: &str, declared: f32, most: f64) -> Result<(), Failure> {
    expect(most >= 0.8 * f64::from(declared), || {
        format!("{what} {declared} is declared, and {most:.4} is all there is")
    })
}

fn grips(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let grip = subject.declared.grip;
    let shares = slipping(subject).map(|(point, _)| {
        let force = length(planar(&point.forces(subject)));
        (force / point.limit(), point)
    });
    let found = worst(shares);
    reached("grip", grip, found.value)?;
    Ok(Measure {
        value: found.value / f64::from(grip) - 1.0,
        ..found
    })
}

fn offsets(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let offset = subject.declared.offset;
    let shares = still(subject).map(|point| {
        let force = length(planar(&point.forces(subject)));
        (force / f64::from(point.load), point)
    });
    let found = worst(shares);
    reached("offset", offset, found.value)?;
    Ok(Measure {
        value: found.value - f64::from(offset),
        ..found
    })
}

/// Step of slips between which slopes are taken [−].
const STEP: f32 = 1.0 / 1024.0;

fn steepness(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let rest = f64::from(subject.declared.load);
    let slopes = still(subject).flat_map(|p| {
        directions().flat_map(move |[x, y]| {
            let at = move |slip: f32| Point {
                slip: [slip * x, slip * y],
                ..p
            };
            (0..512u16).map(move |n| {
                let here = at(f32::from(n) * STEP);
                let there = at(f32::from(n + 1) * STEP);
                let [a, b] = [here, there].map(|point| planar(&point.forces(subject)));
                (difference(a, b) / (f64::from(STEP) * rest), here)
            })
        })
    });
    let found = worst(slopes);
    let declared = subject.declared.slip_stiffness;
    reached("slip stiffness", declared, found.value)?;
    Ok(Measure {
        value: found.value / f64::from(declared) - 1.0,
        ..found
    })
}

/// Least speed that slips are taken over [m/s]: the rows solver's.
const LEAST_SPEED: f32 = 0.05;
/// Step of speeds [m/s].
const SPEED_STEP: f32 = 1.0 / 128.0;

/// A wheel whose ground passes at this speed, and that slides so fast forward and to the left [m/s].
fn passing(subject: &Subject<'_>, forward: f32, [along, left]: [f32; 2]) -> TireInput {
    let rim = forward + along;
    let over = forward.abs().max(rim.abs()).max(LEAST_SPEED);
    TireInput {
        slip_ratio: along / over,
        tan_slip_angle: left / over,
        forward_speed: forward,
        lateral_speed: left,
        rim_speed: rim,
        ..Point::plain(subject, [0.0; 2]).input(subject)
    }
}

/// How often the interval of a jump is halved.
const HALVINGS: u8 = 10;

/// By how much forces jump between two values that lie near each other [N]: what is left of their
/// difference as they come together.
fn jump(forces: impl Fn(f32) -> [f64; 2], [mut a, mut b]: [f32; 2]) -> f64 {
    let (mut at_a, mut at_b) = (forces(a), forces(b));
    for _ in 0..HALVINGS {
        let middle = 0.5 * (a + b);
        let between = forces(middle);
        if difference(at_a, between) > difference(between, at_b) {
            (b, at_b) = (middle, between);
        } else {
            (a, at_a) = (middle, between);
        }
    }
    difference(at_a, at_b)
}

fn turns_round(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let load = f64::from(subject.declared.load);
    let slides = directions().flat_map(|[x, y]| [0.0, 0.01, 0.5].map(|v| [v * x, v * y]));
    let jumps = slides.flat_map(|slide| {
        let at = move |forward| passing(subject, forward, slide);
        (-256..256i16).map(move |n| {
            let speeds = [n, n + 1].map(|n| f32::from(n) * SPEED_STEP);
            let found = jump(|v| planar(&subject.tire.forces(&at(v))), speeds);
            (found / load, at(speeds[0]))
        })
    });
    Ok(worst(jumps))
}

/// Steps between the ends of what is changed.
const CHANGES: u16 = 64;

/// The greatest jump over load as a point is changed between two ends.
fn changed(
    subject: &Subject<'_>,
    points: &[Point],
    [from, to]: [f32; 2],
    change: fn(Point, f32) -> Point,
) -> Measure {
    let load = f64::from(subject.declared.load);
    let step = (to - from) / f32::from(CHANGES);
    let jumps = points.iter().flat_map(|&point| {
        (0..CHANGES).map(move |n| {
            let ends = [n, n + 1].map(|n| from + f32::from(n) * step);
            let at = |value| planar(&change(point, value).forces(subject));
            (jump(at, ends) / load, change(point, ends[0]))
        })
    });
    worst(jumps)
}

fn follows(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let slips = directions().flat_map(|[x, y]| SLIPS.map(|slip| [slip * x, slip * y]));
    let points: Vec<_> = slips.map(|slip| Point::plain(subject, slip)).collect();
    let most = 2.0 * subject.declared.load;
    let load = changed(subject, &points, [0.0, most], |p, load| Point { load, ..p });
    let camber = changed(subject, &points, [-0.1, 0.1], |p, camber| Point {
        camber,
        ..p
    });
    Ok(if load.value > camber.value {
        load
    } else {
        camber
    })
}

fn odd(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let upright = slipping(subject).filter(|(point, _)| point.camber == 0.0);
    let found = upright.map(|(point, _)| {
        let opposite = Point {
            slip: point.slip.map(|slip| -slip),
            ..point
        };
        let [x, y] = planar(&opposite.forces(subject));
        let off = difference(planar(&point.forces(subject)), [-x, -y]);
        (off / point.limit(), point)
    });
    Ok(worst(found))
}

fn mirrored(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let radius = f64::from(subject.declared.radius);
    let found = slipping(subject).map(|(point, _)| {
        let [ratio, tangent] = point.slip;
        let mirrored = Point {
            slip: [ratio, -tangent],
            camber: -point.camber,
            ..point
        };
        let [own, other] = [point, mirrored].map(|point| point.forces(subject));
        let [x, y] = planar(&other);
        let moment = f64::from(own.aligning_moment) + f64::from(other.aligning_moment);
        let off = difference(planar(&own), [x, -y]).max(moment.abs() / radius);
        (off / point.limit(), point)
    });
    Ok(worst(found))
}

fn arm(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let greatest = f64::from(subject.declared.radius) * f64::from(subject.declared.grip);
    let found = slipping(subject).map(|(point, _)| {
        let moment = f64::from(point.forces(subject).aligning_moment).abs();
        (moment / (greatest * point.limit()), point)
    });
    Ok(worst(found))
}

fn traits(subject: &Subject<'_>) -> Result<Measure, Failure> {
    let (traits, declared) = (subject.tire.traits(), subject.declared);
    expect(traits.has_offsets || declared.offset == 0.0, || {
        format!(
            "it says that it has no offsets, and declares {}",
            declared.offset
        )
    })?;
    if !traits.friction_falls {
        let found = worst(falls(subject));
        expect(found.value <= 1e-4, || {
            let (value, note) = (found.value, &found.note);
            format!("it says that no force falls, and one falls by {value:.4} of the load {note}")
        })?;
    }
    Ok(Measure::KEPT)
}

/// By how much forces of an upright wheel fall from one slip to the next, along and across alone.
fn falls(subject: &Subject<'_>) -> impl Iterator<Item = (f64, Point)> {
    let directions = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let loads = LOADS.map(|load| load * subject.declared.load).into_iter();
    let lines = loads.flat_map(move |load| directions.map(|direction| (load, direction)));
    lines.flat_map(move |(load, [x, y])| {
        SLIPS.windows(2).map(move |pair| {
            let at = |slip: f32| Point {
                load,
                ..Point::plain(subject, [slip * x, slip * y])
            };
            let [before, after] = [at(pair[0]), at(pair[1])];
            let [a, b] = [before, after].map(|point| length(planar(&point.forces(subject))));
            ((a - b) / f64::from(load), after)
        })
    })
}
