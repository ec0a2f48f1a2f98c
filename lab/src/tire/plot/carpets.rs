//! The carpets of a page: quantities, families, and explanations.

use glam::DVec2;
use jounce::core::TireForces;

use super::family::{Family, Peak, across, along, newtons};
use super::lines::{
    Points, Vary, dense, even, family, kept, lateral, over_load, plane, signed, sweep, unless_zero,
};
use super::subject::{State, Subject};
use crate::report::{AxisQuantity, Carpet, FamilyCurve, Place};

const ANGLE: AxisQuantity = quantity("slip angle", "α", "°");
const RATIO: AxisQuantity = quantity("slip ratio", "κ", "%");
const CAMBER: AxisQuantity = quantity("camber", "γ", "°");
const LOAD: AxisQuantity = quantity("load", "Fz", "kN");
const FX: AxisQuantity = quantity("longitudinal force", "Fx", "kN");
const FY: AxisQuantity = quantity("lateral force", "Fy", "kN");
const MX: AxisQuantity = quantity("overturning moment", "Mx", "N·m");
const MZ: AxisQuantity = quantity("aligning moment", "Mz", "N·m");
const FRICTION: AxisQuantity = quantity("friction", "F/Fz", "−");
const CORNERING: AxisQuantity = quantity("cornering stiffness", "Cα", "kN/°");
const SLIPPING: AxisQuantity = quantity("slip stiffness", "Cκ", "kN");
const RELAXATION: AxisQuantity = quantity("relaxation length", "σ", "m");

/// Prominence of lines of combined slip.
const COMBINED: f64 = 0.6;
/// Maximum slips along curves of combined slip (`%`, `°`).
const SWEPT: [f64; 2] = [100.0, 45.0];
/// Cambers of a family, and the range of its slip angles (`°`).
const CAMBERS: [f64; 5] = [-4.0, -2.0, 0.0, 2.0, 4.0];
const SMALL_ANGLE: f64 = 2.0;
/// Maximum camber of camber thrust (`°`).
const GREATEST_CAMBER: f64 = 8.0;
/// Pressures of a family relative to the tire's own.
const PRESSURES: [f64; 3] = [0.8, 1.0, 1.2];
/// Minimum change of force over load that counts as an effect.
const FELT: f64 = 1e-5;
/// Height of a carpet on the page (`px`).
const HEIGHT: u32 = 290;

/// Finds the maximum force at slips of a sign.
type Greatest = fn(&Subject, &State, f64) -> Peak;

const fn quantity(name: &'static str, symbol: &'static str, unit: &'static str) -> AxisQuantity {
    AxisQuantity { name, symbol, unit }
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
        let how =
            "Without slip ratio and camber. The remainder at α = 0 is ply steer and conicity.";
        carpet("Lateral force", (ANGLE, self.family.angle), FY, lines, how)
    }

    pub(super) fn longitudinal(&self) -> Carpet {
        let reach = self.family.ratio;
        let lines = self.by_load(Place::End, |subject, at| {
            let force =
                |percent: f64, f: &TireForces| DVec2::new(percent, f64::from(f.longitudinal) / 1e3);
            sweep(subject, Vary::Ratio, even(reach), at, force)
        });
        let how = "Without slip angle and camber: to the left it brakes, to the right it drives.";
        carpet("Longitudinal force", (RATIO, reach), FX, lines, how)
    }

    /// Carpet of the aligning moment, for laws with moments that act.
    pub(super) fn aligning(&self) -> Option<Carpet> {
        let lines = self.over_angle(Place::Peak, |subject, f| {
            let acts = if subject.has_moments() { 1.0 } else { 0.0 };
            acts * f64::from(f.aligning_moment)
        });
        let how = "Where it decreases, the driver feels that the peak of Fy is near.";
        some(carpet(
            "Aligning moment",
            (ANGLE, self.family.angle),
            MZ,
            lines,
            how,
        ))
    }

    /// Carpet of the overturning moment, for laws that have one.
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
        let points = |subject: &Subject, degrees: &f64| {
            let angle = degrees.to_radians();
            let at = State {
                angle,
                ..self.state(self.family.at)
            };
            sweep(subject, Vary::Ratio, dense(SWEPT[0]), &at, plane)
        };
        let angles = kept(self.family.angle);
        let lines = self.lines(&angles, |_, a| signed(*a, "°"), Place::Middle, points);
        let load = newtons(self.family.at);
        let how =
            format!("At {load}: each line keeps its slip angle while κ goes from −100 % to 100 %.");
        square("Slip ratio sweeps, slip angle stays", lines, how)
    }

    pub(super) fn cornered(&self) -> Carpet {
        let points = |subject: &Subject, percent: &f64| {
            let ratio = percent / 100.0;
            let at = State {
                ratio,
                ..self.state(self.family.at)
            };
            sweep(subject, Vary::Angle, dense(SWEPT[1]), &at, plane)
        };
        let ratios = kept(self.family.ratio);
        let lines = self.lines(&ratios, |_, k| signed(*k, " %"), Place::Middle, points);
        let load = newtons(self.family.at);
        let how =
            format!("At {load}: each line keeps its slip ratio while α goes from −45° to 45°.");
        square("Slip angle sweeps, slip ratio stays", lines, how)
    }

    /// Carpet of the lateral force at inclination angles, for laws that depend on them.
    pub(super) fn cambered(&self) -> Option<Carpet> {
        let points = |subject: &Subject, degrees: &f64| {
            let camber = degrees.to_radians();
            let at = State {
                camber,
                ..self.state(self.family.at)
            };
            if !self.feels_camber(subject) {
                return Vec::new();
            }
            sweep(subject, Vary::Angle, even(SMALL_ANGLE), &at, lateral)
        };
        let lines = self.lines(&CAMBERS, |_, c| signed(*c, "°"), Place::End, points);
        let load = newtons(self.family.at);
        let how = format!("At {load} and small slip angles, for the cambers γ at the lines.");
        some(carpet(
            "Lateral force of a leaning tire",
            (ANGLE, SMALL_ANGLE),
            FY,
            lines,
            &how,
        ))
    }

    /// Carpet of the camber thrust, for laws that depend on inclination.
    pub(super) fn thrust(&self) -> Option<Carpet> {
        let lines = self.by_load(Place::End, |subject, at| {
            if !self.feels_camber(subject) {
                return Vec::new();
            }
            sweep(subject, Vary::Camber, even(GREATEST_CAMBER), at, lateral)
        });
        let how = "Without slip. A tire that leans to the right, and pushes to the right, has a negative Fy.";
        some(carpet(
            "Camber thrust",
            (CAMBER, GREATEST_CAMBER),
            FY,
            lines,
            how,
        ))
    }

    /// Carpet of the lateral force by pressure, for laws that depend on it.
    pub(super) fn inflated(&self) -> Option<Carpet> {
        let (at, reach) = (self.state(self.family.at), self.family.angle);
        let lines =
            self.by_pressure(|inflated| sweep(inflated, Vary::Angle, even(reach), &at, lateral));
        let how = format!(
            "At {}, for pressures around the tire's own.",
            newtons(self.family.at)
        );
        some(carpet(
            "Lateral force by pressure",
            (ANGLE, reach),
            FY,
            lines,
            &how,
        ))
    }

    /// Carpet of the cornering stiffness by pressure, for laws that depend on it.
    pub(super) fn inflated_stiffness(&self) -> Option<Carpet> {
        let lines = self.by_pressure(|inflated| self.over_load(inflated, cornering_stiffness));
        let how = "A softer tire has a longer contact and a weaker carcass: which of them wins depends on the load.";
        some(self.against_load("Cornering stiffness by pressure", CORNERING, lines, how))
    }

    pub(super) fn friction(&self) -> Carpet {
        let ways: [(_, Greatest); 2] = [("along", along), ("across", across)];
        let points = |subject: &Subject, (_, peak): &(&str, Greatest)| {
            self.over_load(subject, |subject, at| {
                let [left, right] = [-1.0, 1.0].map(|sign| peak(subject, at, sign).friction);
                left.max(right)
            })
        };
        let lines = self.lines(&ways, |_, (name, _)| (*name).to_owned(), Place::End, points);
        let how = "Maximum Fx and Fy of pure slip, divided by the load.";
        self.against_load("Peak friction", FRICTION, lines, how)
    }

    pub(super) fn cornering_stiffness(&self) -> Carpet {
        let lines = self.single(cornering_stiffness);
        let how = "Slope of the lateral force over slip angle at zero slip.";
        self.against_load("Cornering stiffness", CORNERING, lines, how)
    }

    pub(super) fn slip_stiffness(&self) -> Carpet {
        let lines = self.single(|subject, at| subject.stiffness(at)[0] / 1e3);
        let how = "Slope of the longitudinal force over slip ratio at zero slip: force per 100 %.";
        self.against_load("Slip stiffness", SLIPPING, lines, how)
    }

    /// Carpet of the relaxation lengths, for laws that provide them.
    pub(super) fn relaxation(&self) -> Option<Carpet> {
        let points = |subject: &Subject, (_, n): &(&str, usize)| {
            unless_zero(self.over_load(subject, |subject, at| {
                f64::from(subject.properties(at).relaxation_length[*n])
            }))
        };
        let ways = [("along", 0), ("across", 1)];
        let lines = self.lines(&ways, |_, (name, _)| (*name).to_owned(), Place::End, points);
        let how = "The distance over which a force builds up to 63 % after a step of slip.";
        some(self.against_load("Relaxation length", RELAXATION, lines, how))
    }

    fn state(&self, load: f64) -> State {
        State {
            load,
            friction: self.family.friction,
            ..State::default()
        }
    }

    /// Lateral force over load at a slip angle and a camber (`rad`).
    fn share(&self, subject: &Subject, angle: f64, camber: f64) -> f64 {
        let at = State {
            angle,
            camber,
            ..self.state(self.family.at)
        };
        f64::from(subject.forces(&at).lateral) / at.load
    }

    fn feels_camber(&self, subject: &Subject) -> bool {
        (self.share(subject, 0.0, 0.03) - self.share(subject, 0.0, -0.03)).abs() > FELT
    }

    fn lines<M>(
        &self,
        members: &[M],
        name: impl Fn(&Subject, &M) -> String,
        place: Place,
        points: impl Fn(&Subject, &M) -> Points,
    ) -> Vec<FamilyCurve> {
        family(self.subjects, members, name, place, points)
    }

    /// Curves for the family's loads.
    fn by_load(
        &self,
        place: Place,
        points: impl Fn(&Subject, &State) -> Points,
    ) -> Vec<FamilyCurve> {
        let at_load = |subject: &Subject, load: &f64| points(subject, &self.state(*load));
        self.lines(&self.family.loads, |_, load| newtons(*load), place, at_load)
    }

    /// Curves over slip angle for the family's loads, of quantities that are not zero.
    fn over_angle(
        &self,
        place: Place,
        value: impl Fn(&Subject, &TireForces) -> f64,
    ) -> Vec<FamilyCurve> {
        self.by_load(place, |subject, at| {
            let point = |degrees: f64, f: &TireForces| DVec2::new(degrees, value(subject, f));
            unless_zero(sweep(
                subject,
                Vary::Angle,
                even(self.family.angle),
                at,
                point,
            ))
        })
    }

    fn over_load(&self, subject: &Subject, value: impl Fn(&Subject, &State) -> f64) -> Points {
        let greatest = self.family.greatest_load();
        over_load(subject, greatest, &self.state(greatest), value)
    }

    /// One curve over load for each tire.
    fn single(&self, value: impl Fn(&Subject, &State) -> f64) -> Vec<FamilyCurve> {
        let points = |subject: &Subject, (): &()| self.over_load(subject, &value);
        self.lines(&[()], |_, ()| String::new(), Place::End, points)
    }

    fn against_load(
        &self,
        title: &str,
        y: AxisQuantity,
        lines: Vec<FamilyCurve>,
        how: &str,
    ) -> Carpet {
        let x = (LOAD, [0.0, self.family.greatest_load() / 1e3]);
        Carpet {
            x,
            ..carpet(title, (LOAD, 0.0), y, lines, how)
        }
    }

    /// Curves at pressures around each tire's own, for laws that depend on pressure; dashed if the
    /// pressure is outside the tire's range.
    fn by_pressure(&self, points: impl Fn(&Subject) -> Points) -> Vec<FamilyCurve> {
        let force = |subject: &Subject| self.share(subject, 0.05, 0.0);
        let points = |subject: &Subject, share: &f64| {
            let inflated = |share: f64| subject.inflated(share * subject.pressure()?);
            let [Some(soft), Some(hard), Some(at)] = [0.9, 1.1, *share].map(inflated) else {
                return Vec::new();
            };
            if (force(&soft) - force(&hard)).abs() <= FELT {
                return Vec::new();
            }
            let covered = at.covers_its_pressure();
            let points = points(&at).into_iter();
            points
                .map(|(point, known)| (point, known && covered))
                .collect()
        };
        let name = |subject: &Subject, share: &f64| {
            let pressure = subject.pressure().unwrap_or(0.0);
            format!("{:.0} kPa", share * pressure / 1e3)
        };
        self.lines(&PRESSURES, name, Place::End, points)
    }
}

/// [kN/°].
fn cornering_stiffness(subject: &Subject, state: &State) -> f64 {
    subject.stiffness(state)[1].to_radians() / 1e3
}

fn carpet(
    title: &str,
    (x, reach): (AxisQuantity, f64),
    y: AxisQuantity,
    lines: Vec<FamilyCurve>,
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

fn square(title: &str, lines: Vec<FamilyCurve>, how: String) -> Carpet {
    let strength = COMBINED;
    let lines = lines
        .into_iter()
        .map(|line| FamilyCurve { strength, ..line });
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
