//! The standing table: a braked car on slopes, on every tire and at every step.
//!
//! Each line is a tire at a step. Pairs are values nose down and across the slope:
//!
//! * *creep*: motion of a car parked on 20 % and on 30°, after 2 s;
//! * *slides at*: force that a slowly tilted car needs when it begins to slide, over the peak force
//!   of its tires under their loads there;
//! * *put*, *slid*: the same ratio, up to which a car that is put down stays, and a sliding car
//!   comes to rest; the latter with the value of the law, the force of a sliding tire over its peak;
//! * *chatter*: sign changes of a tire's force, beyond a thousandth of its load, while the car is parked.

mod band;
mod bench;
mod grip;
mod parked;
mod slope;

use core::f32::consts::{FRAC_PI_2, PI};
use core::fmt;
use std::env;

use glam::Vec3;
use proving_ground::ProvingError;
use vehicle_conformance::harness::Trial;
use vehicle_conformance::stability::Goal;

use crate::laws::{self, Tire};
use band::Band;
pub(crate) use bench::Bench;
use parked::Parked;

/// Rates of the world [Hz]: in the long form of these tests (`JOUNCE_LONG=1`), and in the quick one, which
/// leaves out the rate that takes three quarters of the time.
const LONG_RATES: [f32; 4] = [30.0, 60.0, 240.0, 1000.0];
const QUICK_RATES: [f32; 3] = [30.0, 60.0, 240.0];

/// Tested rates of the world (`Hz`).
pub(crate) fn rates() -> &'static [f32] {
    if env::var_os("JOUNCE_LONG").is_some() {
        &LONG_RATES
    } else {
        &QUICK_RATES
    }
}

/// The slopes on which cars are parked [°]: 20 % and 30°.
const SLOPES: [f64; 2] = [11.31, 30.0];

/// Bounds: mm per minute, shares, changes per second.
const CREEP: Goal = Goal::Below(1.0);
const SLIDES: Goal = Goal::Within(0.98, 1.02);
const CHATTER: Goal = Goal::AtMost(3.0);
/// Maximum deviation from the law of the slope on which a sliding car comes to rest (–).
const OFF_THE_LAW: f64 = 0.03;

/// Tires that, across the slope, do not come to rest where their law predicts, and why. Each must
/// fail.
const OFF_ACROSS: [(&str, &str); 1] = [(
    "fiala",
    "it knows no combined slip: a locked tire's force does not point against its slide, and the little slip \
     along that toe makes takes what holds across",
)];

/// One test per tire.
pub(crate) fn all() -> Vec<Trial> {
    laws::tires().into_iter().enumerate().map(trial).collect()
}

fn trial((n, tire): (usize, Tire)) -> Trial {
    let name = format!("standing::{n} {}", tire.name).replace(' ', "_");
    Trial::new(name, move || {
        let bench = Bench::new(&tire, "rows")?;
        let lines = rates().iter();
        let lines = lines.map(|&rate| Line::of(&tire.name, &bench, rate));
        judge(lines, |line| line.broken().collect())
    })
}

/// Prints lines; fails with those outside their bounds, naming the bounds.
pub(crate) fn judge<L: fmt::Display>(
    lines: impl IntoIterator<Item = Result<L, ProvingError>>,
    broken: impl Fn(&L) -> Vec<&'static str>,
) -> Result<(), String> {
    let mut complaints = Vec::new();
    for line in lines {
        let line = line.map_err(|error| error.to_string())?;
        println!("{line}");
        complaints.extend(broken(&line).iter().map(|what| format!("{what}: {line}")));
    }
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n"))
    }
}

/// A tire at a step.
struct Line<'a> {
    tire: &'a str,
    rate: f32,
    parked: Parked,
    /// Slopes on which the tire's peak forces do not suffice (`°`).
    too_steep: Vec<f64>,
    /// Nose down and across.
    bands: [Band; 2],
}

impl<'a> Line<'a> {
    fn of(tire: &'a str, bench: &Bench, rate: f32) -> Result<Self, ProvingError> {
        let bands = [
            Band::of(bench, Vec3::X, rate)?,
            Band::of(bench, Vec3::Y, rate)?,
        ];
        let (mut parked, mut too_steep) = (Parked::default(), Vec::new());
        for slope in SLOPES {
            for (heading, band) in [PI, FRAC_PI_2].into_iter().zip(&bands) {
                if slope.to_radians().tan() < band.peak {
                    parked = parked.worse(Parked::on(bench, slope, heading, rate)?);
                } else {
                    too_steep.push(slope);
                }
            }
        }
        Ok(Self {
            tire,
            rate,
            parked,
            too_steep,
            bands,
        })
    }

    /// Names of the requirements that are not met.
    fn broken(&self) -> impl Iterator<Item = &'static str> {
        let all = |holds: fn(&Band) -> bool| self.bands.iter().all(holds);
        let checks = [
            // 20 % is within the grip of any tire.
            ("parked", !self.too_steep.contains(&SLOPES[0])),
            ("creep", CREEP.admits(self.parked.creep)),
            ("chatter", CHATTER.admits(self.parked.chatter)),
            ("slides", all(|band| SLIDES.admits(band.slides))),
            (
                "creep before it slides",
                all(|band| CREEP.admits(band.creep)),
            ),
            ("slid", self.rests_by_the_law() == self.should_rest()),
            ("put", all(|band| band.put > band.law - OFF_THE_LAW)),
        ];
        checks
            .into_iter()
            .filter(|(_, holds)| !holds)
            .map(|(what, _)| what)
    }

    /// Whether a sliding car comes to rest where the law predicts, nose down and across.
    fn rests_by_the_law(&self) -> [bool; 2] {
        let near = |band: &Band| (band.rests / band.law - 1.0).abs() < OFF_THE_LAW;
        self.bands.each_ref().map(near)
    }

    fn should_rest(&self) -> [bool; 2] {
        [true, OFF_ACROSS.iter().all(|(tire, _)| *tire != self.tire)]
    }
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |of: fn(&Band) -> f64| {
            let [along, across] = self.bands.each_ref().map(of);
            format!("{along:.3}/{across:.3}")
        };
        write!(
            f,
            "{:<22} 1/{:<4} s: creep {:.2} mm/min ({CREEP}); peak {}; slides at {} ({SLIDES}), at 0.98 creeps {} mm/min; \
             put {}; slid {} (by the law {}); chatter {:.2}/s ({CHATTER})",
            self.tire,
            self.rate,
            self.parked.creep,
            pair(|band| band.peak),
            pair(|band| band.slides),
            pair(|band| band.creep),
            pair(|band| band.put),
            pair(|band| band.rests),
            pair(|band| band.law),
            self.parked.chatter,
        )?;
        for slope in &self.too_steep {
            write!(f, "; {slope}° is beyond its grip")?;
        }
        let off = OFF_ACROSS.iter().find(|(tire, _)| *tire == self.tire);
        off.map_or(Ok(()), |(_, why)| write!(f, "; across {why}"))
    }
}
