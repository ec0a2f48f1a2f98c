//! The carpets of a page: which quantity over which, for what, and how to read it.

use glam::DVec2;
use jounce::core::TireForces;

use super::family::{Family, across, along, newtons, round};
use super::subject::{State, Subject};
use crate::report::{Carpet, Line, Place, Quantity};

const ANGLE: Quantity = quantity("slip angle", "α", "°");
const RATIO: Quantity = quantity("slip ratio", "κ", "%");
const CAMBER: Quantity = quantity("camber", "γ", "°");
const LOAD: Quantity = quantity("load", "Fz", "kN");
const FX: Quantity = quantity("longitudinal force", "Fx", "kN");
const FY: Quantity = quantity("lateral force", "Fy", "kN");
const MX: Quantity = quantity("overturning moment", "Mx", "N·m");
const MZ: Quantity = quantity("aligning moment", "Mz", "N·m");
const FRICTION: Quantity = quantity("friction", "F/Fz", "−");
const CORNERING: Quantity = quantity("cornering stiffness", "Cα", "kN/°");
const SLIPPING: Quantity = quantity("slip stiffness", "Cκ", "kN");
const RELAXATION: Quantity = quantity("relaxation length", "σ", "m");

/// Points of a curve over slip, and over load.
const POINTS: [u16; 2] = [240, 40];
/// What curves of combined slip keep, over the greatest slip of pure slip.
const KEPT: [f64; 4] = [0.05, 0.1, 0.2, 0.6];
/// How much its lines stand out.
const COMBINED: f64 = 0.6;
/// Greatest slips that curves of combined slip go through [%, °].
const SWEPT: [f64; 2] = [100.0, 45.0];
/// Cambers of a family, and slip angles that it is drawn over [°].
const CAMBERS: [f64; 5] = [-4.0, -2.0, 0.0, 2.0, 4.0];
const SMALL_ANGLE: f64 = 2.0;
/// Greatest camber of camber thrust [°].
const GREATEST_CAMBER: f64 = 8.0;
/// Pressures of a family over the tire's own.
const PRESSURES: [f64; 3] = [0.8, 1.0, 1.2];
/// Least change of force over load that counts as one.
const FELT: f64 = 1e-5;
/// Which of the page's colours tires have, one after the other: neighbours differ most.
const COLOURS: [usize; 6] = [0, 1, 4, 5, 3, 2];
/// Height of a carpet on the page [px].
const HEIGHT: u32 = 290;

/// Points, and whether they are known rather than extrapolated.
type Points = Vec<(DVec2, bool)>;

const fn quantity(name: &'static str, symbol: &'static str, unit: &'static str) -> Quantity {
    Quantity { name, symbol, unit }
}

/// The carpets of these tires.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carpets<'a> {
    pub(super) subjects: &'a [Subject],
    pub(super) family: &'a Family,
}

impl Carpets<'_> {
    pub(super) fn lateral(&self) -> Carpet {
        let lines = self.over_angle(Place::End, |_, f| f64::from(f.lateral) / 1e3);
        let how = "Without slip ratio and camber. What is left at α = 0 is ply steer and conicity.";
        carpet("Lateral force", (ANGLE, self.family.angle), FY, lines, how)
    }

    pub(super) fn longitudinal(&self) -> Carpet {
        let points = |subject: &Subject, load: &f64| {
            sweep(
                subject,
                even(self.family.ratio, POINTS[0]),
                |percent| State {
                    ratio: percent / 100.0,
                    ..self.state(*load)
                },
                |percent, f| DVec2::new(percent, f64::from(f.longitudinal) / 1e3),
            )
        };
        let lines = self.lines(&self.family.loads, load_name, Place::End, points);
        let how = "Without slip angle and camber: to the left it brakes, to the right it drives.";
        carpet(
            "Longitudinal force",
            (RATIO, self.family.ratio),
            FX,
            lines,
            how,
        )
    }

    /// Of laws whose moments act.
    pub(super) fn aligning(&self) -> Option<Carpet> {
        let lines = self.over_angle(Place::Peak, |subject, f| {
            let acts = if subject.has_moments() { 1.0 } else { 0.0 };
            acts * f64::from(f.aligning_moment)
        });
        let how = "Where it falls off, the tire tells the driver that the peak of Fy is near.";
        some(carpet(
            "Aligning moment",
            (ANGLE, self.family.angle),
            MZ,
            lines,
            how,
        ))
    }

    /// Of laws that have it.
    pub(super) fn overturning(&self) -> Option<Carpet> {
        let lines = self.over_angle(Place::End, |_, f| f64::from(f.overturning_moment));
        let how = "The load moves sideways under the rim as the carcass bends.";
        some(carpet(
            "Overturning moment",
            (ANGLE, self.family.angle),
            MX,
            lines,
            how,
        ))
    }

    pub(super) fn braked(&self) -> Carpet {
        let angles = kept(self.family.angle);
        let points = |subject: &Subject, degrees: &f64| {
            sweep(
                subject,
                dense(SWEPT[0], POINTS[0]),
                |percent| State {
                    ratio: percent / 100.0,
                    angle: degrees.to_radians(),
                    ..self.state(self.family.at)
                },
                plane,
            )
        };
        let lines = self.lines(&angles, |_, a| with_sign(*a, "°"), Place::Middle, points);
        let load = newtons(self.family.at);
        let how =
            format!("At {load}: each line keeps its slip angle while κ goes from −100 % to 100 %.");
        square("Slip ratio sweeps, slip angle stays", lines, how)
    }

    pub(super) fn cornered(&self) -> Carpet {
        let ratios = kept(self.family.ratio);
        let points = |subject: &Subject, percent: &f64| {
            sweep(
                subject,
                dense(SWEPT[1], POINTS[0]),
                |degrees| State {
                    ratio: percent / 100.0,
                    angle: degrees.to_radians(),
                    ..self.state(self.family.at)
                },
                plane,
            )
        };
        let lines = self.lines(&ratios, |_, k| with_sign(*k, " %"), Place::Middle, points);
        let load = newtons(self.family.at);
        let how =
            format!("At {load}: each line keeps its slip ratio while α goes from −45° to 45°.");
        square("Slip angle sweeps, slip ratio stays", lines, how)
    }

    /// Of laws that feel camber.
    pub(super) fn cambered(&self) -> Option<Carpet> {
        let points = |subject: &Subject, camber: &f64| {
            if !self.feels_camber(subject) {
                return Vec::new();
            }
            sweep(
                subject,
                even(SMALL_ANGLE, POINTS[0]),
                |degrees| State {
                    angle: degrees.to_radians(),
                    camber: camber.to_radians(),
                    ..self.state(self.family.at)
                },
                |degrees, f| DVec2::new(degrees, f64::from(f.lateral) / 1e3),
            )
        };
        let name = |_: &Subject, camber: &f64| with_sign(*camber, "°");
        let lines = self.lines(&CAMBERS, name, Place::End, points);
        let how = format!(
            "At {} and small slip angles, for the cambers γ at the lines.",
            newtons(self.family.at)
        );
        some(carpet(
            "Lateral force of a leaning tire",
            (ANGLE, SMALL_ANGLE),
            FY,
            lines,
            &how,
        ))
    }

    /// Of laws that feel camber.
    pub(super) fn thrust(&self) -> Option<Carpet> {
        let points = |subject: &Subject, load: &f64| {
            if !self.feels_camber(subject) {
                return Vec::new();
            }
            sweep(
                subject,
                even(GREATEST_CAMBER, POINTS[0]),
                |degrees| State {
                    camber: degrees.to_radians(),
                    ..self.state(*load)
                },
                |degrees, f| DVec2::new(degrees, f64::from(f.lateral) / 1e3),
            )
        };
        let lines = self.lines(&self.family.loads, load_name, Place::End, points);
        let how = "Without slip. A tire that leans to the right, and pushes to the right, has a negative Fy.";
        some(carpet(
            "Camber thrust",
            (CAMBER, GREATEST_CAMBER),
            FY,
            lines,
            how,
        ))
    }

    /// Of laws that feel pressure.
    pub(super) fn inflated(&self) -> Option<Carpet> {
        let points = |subject: &Subject, inflated: &Subject| {
            let curve = sweep(
                inflated,
                even(self.family.angle, POINTS[0]),
                |degrees| State {
                    angle: degrees.to_radians(),
                    ..self.state(self.family.at)
                },
                |degrees, f| DVec2::new(degrees, f64::from(f.lateral) / 1e3),
            );
            within_pressures(subject, inflated, curve)
        };
        let lines = self.by_pressure(points);
        let how = format!(
            "At {}, for pressures around the tire's own.",
            newtons(self.family.at)
        );
        some(carpet(
            "Lateral force by pressure",
            (ANGLE, self.family.angle),
            FY,
            lines,
            &how,
        ))
    }

    /// Of laws that feel pressure.
    pub(super) fn inflated_stiffness(&self) -> Option<Carpet> {
        let points = |subject: &Subject, inflated: &Subject| {
            let curve = self.over_load(inflated, cornering_stiffness);
            within_pressures(subject, inflated, curve)
        };
        let lines = self.by_pressure(points);
        let how = "Where lines cross, a softer tire becomes the stiffer one.";
        some(self.against_load("Cornering stiffness by pressure", CORNERING, lines, how))
    }

    pub(super) fn friction(&self) -> Carpet {
        let ways = [
            ("along", along as fn(&Subject, &State, f64) -> _),
            ("across", across),
        ];
        let lines = self.lines(
            &ways,
            |_, (name, _)| (*name).to_owned(),
            Place::End,
            |subject, (_, peak)| {
                self.over_load(subject, |subject, state| {
                    let peaks = [-1.0, 1.0].map(|sign| peak(subject, state, sign).friction);
                    peaks[0].max(peaks[1])
                })
            },
        );
        let how = "Greatest Fx and Fy of pure slip over the load.";
        self.against_load("Peak friction", FRICTION, lines, how)
    }

    pub(super) fn cornering_stiffness(&self) -> Carpet {
        let lines = self.single(cornering_stiffness);
        let how = "How fast the lateral force grows with slip angle, where there is none.";
        self.against_load("Cornering stiffness", CORNERING, lines, how)
    }

    pub(super) fn slip_stiffness(&self) -> Carpet {
        let lines = self.single(|subject, state| subject.stiffness(state)[0] / 1e3);
        let how = "How fast the longitudinal force grows with slip ratio, where there is none: force per 100 %.";
        self.against_load("Slip stiffness", SLIPPING, lines, how)
    }

    /// Of laws that tell it.
    pub(super) fn relaxation(&self) -> Option<Carpet> {
        let lines = self.lines(
            &[("along", 0), ("across", 1)],
            |_, (name, _)| (*name).to_owned(),
            Place::End,
            |subject, (_, n)| {
                unless_zero(self.over_load(subject, |subject, state| {
                    f64::from(subject.properties(state).relaxation_length[*n])
                }))
            },
        );
        let how = "The way in which a force builds up to 63 % after a step of slip.";
        some(self.against_load("Relaxation length", RELAXATION, lines, how))
    }

    fn state(&self, load: f64) -> State {
        State {
            load,
            friction: self.family.friction,
            ..State::default()
        }
    }

    fn feels_camber(&self, subject: &Subject) -> bool {
        let state = self.state(self.family.at);
        let lateral = |camber: f64| {
            let leaning = State { camber, ..state };
            f64::from(subject.forces(&leaning).lateral) / state.load
        };
        (lateral(0.03) - lateral(-0.03)).abs() > FELT
    }

    /// Curves over slip angle for the family's loads.
    fn over_angle(&self, place: Place, value: impl Fn(&Subject, &TireForces) -> f64) -> Vec<Line> {
        let points = |subject: &Subject, load: &f64| {
            let curve = sweep(
                subject,
                even(self.family.angle, POINTS[0]),
                |degrees| State {
                    angle: degrees.to_radians(),
                    ..self.state(*load)
                },
                |degrees, f| DVec2::new(degrees, value(subject, f)),
            );
            unless_zero(curve)
        };
        self.lines(&self.family.loads, load_name, place, points)
    }

    /// A curve of a tire over load [kN].
    fn over_load(&self, subject: &Subject, value: impl Fn(&Subject, &State) -> f64) -> Points {
        let loads = (1..=POINTS[1]).map(|n| f64::from(n) / f64::from(POINTS[1]));
        let states = loads.map(|share| self.state(share * self.family.greatest_load()));
        let points = states.map(|state| {
            let at = DVec2::new(state.load / 1e3, value(subject, &state));
            (at, subject.covers(&state))
        });
        points.collect()
    }

    /// One curve over load for each tire.
    fn single(&self, value: impl Fn(&Subject, &State) -> f64) -> Vec<Line> {
        let points = |subject: &Subject, (): &()| self.over_load(subject, &value);
        self.lines(&[()], |_, ()| String::new(), Place::End, points)
    }

    fn against_load(&self, title: &str, y: Quantity, lines: Vec<Line>, how: &str) -> Carpet {
        let x = (LOAD, [0.0, self.family.greatest_load() / 1e3]);
        Carpet {
            x,
            ..carpet(title, (LOAD, 0.0), y, lines, how)
        }
    }

    /// Curves at pressures around each tire's own.
    fn by_pressure(&self, points: impl Fn(&Subject, &Subject) -> Points) -> Vec<Line> {
        let state = State {
            angle: 0.05,
            ..self.state(self.family.at)
        };
        let force = |subject: &Subject| f64::from(subject.forces(&state).lateral) / state.load;
        let points = |subject: &Subject, share: &f64| {
            let inflated = |share: f64| subject.inflated(share * subject.pressure()?);
            let [Some(soft), Some(hard), Some(at)] = [0.9, 1.1, *share].map(inflated) else {
                return Vec::new();
            };
            if (force(&soft) - force(&hard)).abs() <= FELT {
                return Vec::new();
            }
            points(subject, &at)
        };
        let name = |subject: &Subject, share: &f64| {
            let pressure = subject.pressure().unwrap_or(0.0);
            format!("{:.0} kPa", share * pressure / 1e3)
        };
        self.lines(&PRESSURES, name, Place::End, points)
    }

    /// A line for each tire and member of a family, unless it has no points; words stand at those of the
    /// first tire that has some.
    fn lines<M>(
        &self,
        members: &[M],
        name: impl Fn(&Subject, &M) -> String,
        place: Place,
        points: impl Fn(&Subject, &M) -> Points,
    ) -> Vec<Line> {
        let mut lines = Vec::new();
        let several = self.subjects.len() > 1;
        for (subject, colour) in self.subjects.iter().zip(COLOURS) {
            for (n, member) in members.iter().enumerate() {
                let (text, points) = (name(subject, member), points(subject, member));
                if points.is_empty() {
                    continue;
                }
                let named = if text.is_empty() {
                    subject.name.clone()
                } else {
                    format!("{}, {text}", subject.name)
                };
                let strongest = n + 1 == members.len();
                let legend = if several && strongest {
                    subject.name.as_str()
                } else {
                    ""
                };
                let first = lines
                    .first()
                    .is_none_or(|line: &Line| line.colour == colour);
                lines.push(Line {
                    legend: legend.to_owned(),
                    name: named,
                    label: (place, if first { text } else { String::new() }),
                    colour,
                    strength: (n + 1) as f64 / members.len() as f64,
                    points,
                });
            }
        }
        lines
    }
}

/// What the law says as something goes through values.
fn sweep(
    subject: &Subject,
    values: impl Iterator<Item = f64>,
    state: impl Fn(f64) -> State,
    point: impl Fn(f64, &TireForces) -> DVec2,
) -> Points {
    let points = values.map(|value| {
        let state = state(value);
        (
            point(value, &subject.forces(&state)),
            subject.covers(&state),
        )
    });
    points.collect()
}

/// The curve of something that a law has if it is ever other than zero.
fn unless_zero(curve: Points) -> Points {
    if curve.iter().all(|(at, _)| at.y == 0.0) {
        return Vec::new();
    }
    curve
}

/// Values from −`most` to `most` at even distances.
fn even(most: f64, count: u16) -> impl Iterator<Item = f64> {
    (0..=count).map(move |n| most * (2.0 * f64::from(n) / f64::from(count) - 1.0))
}

/// The same, close together where slip is small.
fn dense(most: f64, count: u16) -> impl Iterator<Item = f64> {
    even(1.0, count).map(move |share| most * share * share * share)
}

/// Both forces [kN].
fn plane(_: f64, forces: &TireForces) -> DVec2 {
    DVec2::new(f64::from(forces.longitudinal), f64::from(forces.lateral)) / 1e3
}

/// [kN/°].
fn cornering_stiffness(subject: &Subject, state: &State) -> f64 {
    subject.stiffness(state)[1].to_radians() / 1e3
}

/// The curve, dashed if the pressure lies outside of the range of the tire.
fn within_pressures(subject: &Subject, inflated: &Subject, mut curve: Points) -> Points {
    let range = subject.pressures();
    let within = |p: f64| range.is_none_or(|[low, high]| (low..=high).contains(&p));
    if !inflated.pressure().is_none_or(within) {
        curve.iter_mut().for_each(|(_, known)| *known = false);
    }
    curve
}

fn load_name(_: &Subject, load: &f64) -> String {
    newtons(*load)
}

/// Round slips on both sides of zero that curves of combined slip keep.
fn kept(reach: f64) -> Vec<f64> {
    let right = KEPT.map(|share| round(share * reach));
    let left = right.iter().rev().map(|slip| -slip);
    left.chain([0.0]).chain(right).collect()
}

/// A number of a family around zero.
fn with_sign(value: f64, unit: &str) -> String {
    let size = (value.abs() * 100.0).round() / 100.0;
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{size}{unit}")
}

fn carpet(
    title: &str,
    (x, reach): (Quantity, f64),
    y: Quantity,
    lines: Vec<Line>,
    how: &str,
) -> Carpet {
    Carpet {
        title: title.to_owned(),
        how: how.to_owned(),
        x: (x, [-reach, reach]),
        y,
        square: false,
        lines,
        height: HEIGHT,
    }
}

fn square(title: &str, lines: Vec<Line>, how: String) -> Carpet {
    let strength = COMBINED;
    let lines = lines.into_iter().map(|line| Line { strength, ..line });
    let lines = lines.collect();
    Carpet {
        square: true,
        how,
        ..carpet(title, (FX, 0.0), FY, lines, "")
    }
}

/// The carpet, if there is a line on it.
fn some(carpet: Carpet) -> Option<Carpet> {
    (!carpet.lines.is_empty()).then_some(carpet)
}
