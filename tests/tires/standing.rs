//! The standing table: a braked car on a slope, on every law and at every step.

mod bench;
mod grip;
mod slope;

use core::fmt;

use libtest_mimic::{Failed, Trial};

use crate::laws::{self, Tire};
use bench::Bench;

/// Rates of the world [Hz].
pub(crate) const RATES: [f32; 4] = [30.0, 60.0, 240.0, 1000.0];

/// One test per tire.
pub(crate) fn all() -> Vec<Trial> {
    laws::tires().into_iter().enumerate().map(trial).collect()
}

fn trial((n, tire): (usize, Tire)) -> Trial {
    let name = format!("standing::{n} {}", tire.name);
    Trial::test(name, move || {
        let bench = Bench::new(&tire).map_err(Failed::from)?;
        let mut failed: Vec<String> = Vec::new();
        for rate in RATES {
            let line = Line::of(&bench, rate).map_err(|error| Failed::from(error.to_string()))?;
            println!("{n} {} {line}", tire.name);
            let _ = &mut failed;
        }
        if failed.is_empty() {
            Ok(())
        } else {
            Err(Failed::from(failed.join("\n")))
        }
    })
}

struct Line(String);
impl Line {
    fn of(bench: &Bench, rate: f32) -> Result<Self, lab::LabError> {
        use std::fmt::Write;
        let mut s = String::new();
        let _ = write!(s, "{rate} Hz:");
        for deg in [11.309_932_f64, 30.0] {
            for heading in [core::f32::consts::PI, core::f32::consts::FRAC_PI_2] {
                let p = slope::parked(bench, deg, heading, rate)?;
                let _ = write!(s, " [{deg:.0} {:.3}mm chat {:.2} {:.2}]", p.creep, p.chatter[0], p.chatter[1]);
            }
        }
        for downhill in [slope::AHEAD, slope::LEFT] {
            let t = slope::tilt(bench, downhill, rate)?;
            let put = slope::put(bench, downhill, rate)?;
            let rest = slope::comes_to_rest(bench, downhill, rate)?;
            let _ = write!(s, "\n    {downhill}: slides at {:.4} (tan {:.3}), creep {:.3} mm/min; put {:.3}; rests {:.3} of {:.3}", t.ratio, t.tangent, t.creep, put, rest.0, rest.1);
        }
        Ok(Self(s))
    }
}
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
