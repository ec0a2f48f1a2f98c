//! Numbers and words of data sheets.

use core::f64::consts::TAU;
use core::fmt;
use core::str::FromStr;

use clap::ValueEnum;

/// A number of a data sheet, in the first of its units; others are converted as they are read.
macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $($unit:literal = $factor:expr),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name(pub f64);

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                with_unit(text, &[$(($unit, $factor)),+]).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let units = [$($unit),+];
                write!(f, "{} {}", self.0, units[0])
            }
        }
    };
}

quantity!(
    /// Power of an engine (`kW`); a horsepower is that of SAE, a PS that of DIN 66036.
    SheetPower, "kW" = 1.0, "hp" = SheetPower::HP, "PS" = 0.735_498_75
);
quantity!(
    /// Torque of an engine (`N·m`).
    SheetTorque, "N·m" = 1.0, "Nm" = 1.0, "lb·ft" = 1.355_817_9, "lbft" = 1.355_817_9
);
quantity!(
    /// Mass of a car (`kg`).
    SheetMass, "kg" = 1.0, "t" = 1e3, "lb" = 0.453_592_37
);
quantity!(
    /// Length at a car (`m`).
    SheetLength, "m" = 1.0, "mm" = 1e-3, "in" = 0.0254
);
quantity!(
    /// Speed of an engine (`1/min`).
    SheetRpm, "rpm" = 1.0, "1/min" = 1.0
);
quantity!(
    /// Time (`s`).
    SheetTime, "s" = 1.0
);
quantity!(
    /// Speed of a car (`km/h`).
    SheetSpeed, "km/h" = 1.0, "mph" = 1.609_344
);
quantity!(
    /// Share (`%`).
    SheetPercent, "%" = 1.0
);

impl SheetPower {
    /// A horsepower of SAE (`kW`).
    pub(super) const HP: f64 = 0.745_699_9;
}

/// A number with one of these units, or without one in the first of them.
fn with_unit(text: &str, units: &[(&str, f64)]) -> Result<f64, String> {
    let text = text.trim();
    let start = text.find(|c: char| !(c.is_ascii_digit() || ['.', '-', '+'].contains(&c)));
    let (number, unit) = text.split_at(start.unwrap_or(text.len()));
    let unit = unit.trim();
    let known = units
        .iter()
        .find(|(name, _)| unit.eq_ignore_ascii_case(name));
    let factor = if unit.is_empty() {
        Some(1.0)
    } else {
        known.map(|(_, factor)| *factor)
    };
    let value = number.parse().ok().filter(|value: &f64| value.is_finite());
    let names = || {
        units
            .iter()
            .map(|(name, _)| *name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let value = value.zip(factor).map(|(value, factor)| value * factor);
    value.ok_or_else(|| format!("must be a number, in {}", names()))
}

/// Engine speeds at which torque or power is greatest (`1/min`): `3500`, or `1750-3500`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedRange {
    /// The lowest.
    pub from: f64,
    /// The highest.
    pub to: f64,
}

impl SpeedRange {
    /// The range of a single speed.
    #[must_use]
    pub const fn at(speed: f64) -> Self {
        Self {
            from: speed,
            to: speed,
        }
    }

    /// Middle of the range.
    #[must_use]
    pub fn middle(&self) -> f64 {
        0.5 * (self.from + self.to)
    }
}

impl FromStr for SpeedRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (from, to) = text.split_once(['-', '–']).unwrap_or((text, text));
        let (SheetRpm(from), SheetRpm(to)) = (from.parse()?, to.parse()?);
        Ok(Self { from, to })
    }
}

impl fmt::Display for SpeedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to {
            write!(f, "{}", self.from)
        } else {
            write!(f, "{}-{}", self.from, self.to)
        }
    }
}

/// The size of a tire, as in `205/55 R16`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TireSize {
    /// Width of the section (`mm`).
    pub width: f64,
    /// Height of the section over its width (`%`).
    pub aspect: f64,
    /// Diameter of the rim (`in`).
    pub rim: f64,
}

impl TireSize {
    /// Outer diameter without load (`m`).
    #[must_use]
    pub fn diameter(&self) -> f64 {
        0.0254 * self.rim + 2e-5 * self.width * self.aspect
    }

    /// Rolling radius (`m`): a turn is 3.05 diameters long (ETRTO, Standards Manual, at 60 km/h).
    #[must_use]
    pub fn rolling_radius(&self) -> f64 {
        3.05 * self.diameter() / TAU
    }
}

impl FromStr for TireSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Marks such as `P` before, `ZR` between, and load index and speed symbol (`91V`) behind do not count.
        let digits = |c: char| c.is_ascii_digit() || c == '.';
        let mut numbers = text.split(|c| !digits(c)).filter(|part| !part.is_empty());
        let mut next = || numbers.next().and_then(|number| number.parse::<f64>().ok());
        let size = (next(), next(), next());
        let shaped = text.contains('/') && text.to_ascii_uppercase().contains('R');
        let (Some(width), Some(aspect), Some(rim), true) = (size.0, size.1, size.2, shaped) else {
            return Err("must be a size such as 205/55 R16".to_owned());
        };
        Ok(Self { width, aspect, rim })
    }
}

impl fmt::Display for TireSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} R{}", self.width, self.aspect, self.rim)
    }
}

/// The axles that an engine drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DrivenAxles {
    /// The front axle.
    #[value(alias = "fwd")]
    Front,
    /// The rear axle.
    #[value(alias = "rwd")]
    Rear,
    /// Both axles.
    #[value(aliases = ["awd", "4wd"])]
    All,
}

impl FromStr for DrivenAxles {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        ValueEnum::from_str(text, true).map_err(|_| "must be front, rear or all".to_owned())
    }
}

impl fmt::Display for DrivenAxles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Front => "front",
            Self::Rear => "rear",
            Self::All => "all",
        })
    }
}
