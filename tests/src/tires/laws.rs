//! Requirements on forces.

use super::grid::{LOADS, Point, SLIDING, SLIPS, planar, slipping, still};
use super::measures::{difference, length, reached, worst};
use super::{LawCase, LawUnderTest, smooth, total};
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [LawCase; 13] = [
    sentence("without load or friction there is no force", total::carries),
    sentence("every finite input has a finite answer", total::finite),
    sentence("four wheels at once are the same bits", total::lanes),
    LawCase {
        name: "a sliding tire takes energy away",
        measures: "power over load and sliding speed, offset aside [−]",
        bound: 1e-5,
        run: dissipates,
    },
    LawCase {
        name: "force stays within the declared grip",
        measures: "force over grip, friction and load, less 1 [−]",
        bound: 1e-5,
        run: grips,
    },
    LawCase {
        name: "without slip there is no more force than declared",
        measures: "force over load, offset aside [−]",
        bound: 1e-5,
        run: offsets,
    },
    LawCase {
        name: "force follows slip no steeper than declared",
        measures: "slope over that declared, less 1 [−]",
        bound: 1e-2,
        run: smooth::steepness,
    },
    LawCase {
        name: "nothing jumps where the wheel stands or turns round",
        measures: "jump over load [−]",
        bound: 1e-3,
        run: smooth::turns_round,
    },
    LawCase {
        name: "nothing jumps as load and inclination change",
        measures: "jump over load [−]",
        bound: 1e-3,
        run: smooth::follows,
    },
    LawCase {
        name: "opposite slip has the opposite force",
        measures: "difference over friction and load [−]",
        bound: 1e-4,
        run: odd,
    },
    LawCase {
        name: "a mirrored wheel pushes the mirrored way",
        measures: "difference over friction and load, of the moment over the radius, too [−]",
        bound: 1e-4,
        run: mirrored,
    },
    LawCase {
        name: "the aligning moment has an arm of no more than the radius",
        measures: "moment over radius, grip, friction and load [−]",
        bound: 1.0,
        run: arm,
    },
    sentence("what its traits say is true", traits),
];

const fn sentence(
    name: &'static str,
    run: fn(&LawUnderTest<'_>) -> Result<Measure, Failure>,
) -> LawCase {
    LawCase {
        name,
        measures: "",
        bound: 0.0,
        run,
    }
}

fn dissipates(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
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

fn grips(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
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

fn offsets(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
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

fn odd(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
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

fn mirrored(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
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

fn arm(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
    let greatest = f64::from(subject.declared.radius) * f64::from(subject.declared.grip);
    let found = slipping(subject).map(|(point, _)| {
        let moment = f64::from(point.forces(subject).aligning_moment).abs();
        (moment / (greatest * point.limit()), point)
    });
    Ok(worst(found))
}

fn traits(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
    let (traits, declared) = (subject.tire.traits(), subject.declared);
    expect(traits.has_offsets || declared.offset == 0.0, || {
        format!(
            "it says that it has no offsets, and declares {}",
            declared.offset
        )
    })?;
    if !traits.feels_camber {
        let found = worst(by_camber(subject));
        expect(found.value == 0.0, || {
            let (value, note) = (found.value, &found.note);
            format!(
                "it says that it feels no camber, and its forces change by {value:.4} of the grip {note}"
            )
        })?;
    }
    if !traits.friction_falls {
        let found = worst(falls(subject));
        expect(found.value <= 1e-4, || {
            let (value, note) = (found.value, &found.note);
            format!("it says that no force falls, and one falls by {value:.4} of the load {note}")
        })?;
    }
    Ok(Measure::KEPT)
}

/// Changes of forces by camber.
fn by_camber(subject: &LawUnderTest<'_>) -> impl Iterator<Item = (f64, Point)> {
    slipping(subject).map(|(point, _)| {
        let upright = Point {
            camber: 0.0,
            ..point
        };
        let [own, other] = [point, upright].map(|point| planar(&point.forces(subject)));
        (difference(own, other) / point.limit(), point)
    })
}

/// Decrease of an upright wheel's forces from one slip to the next, in pure longitudinal and lateral slip.
fn falls(subject: &LawUnderTest<'_>) -> impl Iterator<Item = (f64, Point)> {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use jounce::core::tire::TireTraits;
    use jounce::core::{TireForces, TireInput, TireModel};

    use crate::tires::{Declared, check};

    /// A law whose grip falls with inclination, whatever it declares.
    #[derive(Debug)]
    struct Leaning {
        feels_camber: bool,
    }

    impl TireModel for Leaning {
        fn traits(&self) -> TireTraits {
            TireTraits {
                feels_camber: self.feels_camber,
                ..TireTraits::PLAIN
            }
        }

        fn forces(&self, input: &TireInput) -> TireForces {
            let [along, across] = [20.0 * input.slip_ratio, -20.0 * input.tan_slip_angle];
            let friction = input.friction * (1.0 - input.camber.abs());
            let scale = input.load * friction / along.hypot(across).max(friction);
            TireForces {
                longitudinal: scale * along,
                lateral: scale * across,
                ..TireForces::default()
            }
        }
    }

    #[test]
    fn a_law_that_denies_its_camber_is_told() {
        let complains = |feels_camber| {
            let tire: Arc<dyn TireModel> = Arc::new(Leaning { feels_camber });
            let complaints = check(&tire, &Declared::within_the_circle(0.3, 4000.0));
            complaints
                .iter()
                .any(|complaint| complaint.contains("feels no camber"))
        };
        assert_eq!([true, false].map(complains), [false, true]);
    }
}
