//! Data sheet of a car.

use core::f64::consts::TAU;
use core::fmt;
use core::str::FromStr;
use std::io;

use clap::{Args, ValueEnum};
use jounce::core::Fault;

use super::questions::Questions;

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
    SheetPower, "kW" = 1.0, "hp" = 0.745_699_9, "PS" = 0.735_498_75
);
quantity!(
    /// Torque of an engine (`N·m`).
    SheetTorque, "N·m" = 1.0, "Nm" = 1.0, "lb·ft" = 1.355_817_9, "lbft" = 1.355_817_9
);
quantity!(
    /// Mass of a car (`kg`).
    SheetMass, "kg" = 1.0, "lb" = 0.453_592_37
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

/// Engine speeds at which the torque is greatest (`1/min`): `3500`, or `1750-3500`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedRange {
    /// The lowest.
    pub from: f64,
    /// The highest.
    pub to: f64,
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
    Front,
    /// The rear axle.
    Rear,
    /// Both axles.
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

/// A data sheet as far as it was given by options.
#[derive(Args, Clone, Debug, Default)]
pub struct SheetFlags {
    /// Peak power: 110, 110kW, 150hp, 150PS
    #[arg(long, value_name = "KW")]
    pub power: Option<SheetPower>,
    /// Engine speed at peak power
    #[arg(long, value_name = "RPM")]
    pub power_at: Option<SheetRpm>,
    /// Peak torque: 230, 230Nm, 170lbft
    #[arg(long, value_name = "NM")]
    pub torque: Option<SheetTorque>,
    /// Engine speed at peak torque: 3500, or 1750-3500
    #[arg(long, value_name = "RPM")]
    pub torque_at: Option<SpeedRange>,
    /// Greatest engine speed
    #[arg(long, value_name = "RPM")]
    pub redline: Option<SheetRpm>,
    /// Mass ready to drive, with the driver: 1500, 1500kg, 3300lb
    #[arg(long, value_name = "KG")]
    pub mass: Option<SheetMass>,
    /// Weight on the front axle
    #[arg(long, value_name = "PERCENT")]
    pub front_weight: Option<SheetPercent>,
    /// Wheelbase: 2.72, 2720mm
    #[arg(long, value_name = "M")]
    pub wheelbase: Option<SheetLength>,
    /// Track, by default 0.574 wheelbases
    #[arg(long, value_name = "M")]
    pub track: Option<SheetLength>,
    /// Size of the tires, such as "205/55 R16"
    #[arg(long, value_name = "SIZE")]
    pub tires: Option<TireSize>,
    /// Driven axles
    #[arg(long, value_name = "AXLES")]
    pub drive: Option<DrivenAxles>,
    /// Time from rest to 100 km/h: becomes a target of the file
    #[arg(long, value_name = "S")]
    pub zero_to_100: Option<SheetTime>,
    /// Top speed: gears are laid out for it, and it becomes a target of the file
    #[arg(long, value_name = "KMH")]
    pub top_speed: Option<SheetSpeed>,
    /// Ratios of the forward gears, first gear first: 3.6,2.05,1.38
    #[arg(long, value_name = "RATIOS", value_delimiter = ',')]
    pub gears: Vec<f64>,
    /// Ratio of the final drive, by default for the top speed at the engine speed of peak power
    #[arg(long, value_name = "RATIO")]
    pub final_drive: Option<f64>,
    /// Drag coefficient
    #[arg(long, value_name = "CD")]
    pub drag: Option<f64>,
}

/// A data sheet, complete.
#[derive(Clone, Debug, PartialEq)]
pub struct CarSheet {
    /// Peak power (`kW`).
    pub power: f64,
    /// Engine speed at peak power (`1/min`).
    pub power_at: f64,
    /// Peak torque (`N·m`).
    pub torque: f64,
    /// Engine speeds of peak torque (`1/min`).
    pub torque_at: SpeedRange,
    /// Greatest engine speed (`1/min`).
    pub redline: f64,
    /// Mass (`kg`).
    pub mass: f64,
    /// Weight on the front axle (`%`).
    pub front_weight: f64,
    /// Wheelbase (`m`).
    pub wheelbase: f64,
    /// Track (`m`).
    pub track: f64,
    /// Size of all tires.
    pub tires: TireSize,
    /// Driven axles.
    pub drive: DrivenAxles,
    /// Time to 100 km/h (`s`), if it is known.
    pub zero_to_100: Option<f64>,
    /// Top speed (`km/h`), if it is known.
    pub top_speed: Option<f64>,
    /// Ratios of the forward gears (–).
    pub gears: Vec<f64>,
    /// Ratio of the final drive (–), if it is known.
    pub final_drive: Option<f64>,
    /// Drag coefficient (–).
    pub drag: f64,
}

/// The gears of the sedan that ships.
const GEARS: [f64; 6] = [3.6, 2.05, 1.38, 1.03, 0.84, 0.7];

impl CarSheet {
    /// The data sheet of these options; what they leave out is asked, and has plain defaults.
    ///
    /// # Errors
    /// If a stream of the questions fails.
    pub(super) fn ask(flags: &SheetFlags, ask: &mut Questions<'_>) -> io::Result<Self> {
        let power = ask
            .ask(&flags.power, "Peak power, kW", SheetPower(110.0))?
            .0;
        let power_at = ask.ask(&flags.power_at, "  at, rpm", SheetRpm(5700.0))?.0;
        let usual = (1.25 * torque_of(power, power_at)).round();
        let torque = ask
            .ask(&flags.torque, "Peak torque, N·m", SheetTorque(usual))?
            .0;
        let at = (0.62 * power_at).round();
        let at = SpeedRange { from: at, to: at };
        let torque_at = ask.ask(&flags.torque_at, "  at, rpm, or from-to", at)?;
        let mass = ask
            .ask(&flags.mass, "Mass with driver, kg", SheetMass(1500.0))?
            .0;
        let wheelbase = ask
            .ask(&flags.wheelbase, "Wheelbase, m", SheetLength(2.72))?
            .0;
        let size = TireSize {
            width: 225.0,
            aspect: 50.0,
            rim: 17.0,
        };
        let tires = ask.ask(&flags.tires, "Tires", size)?;
        let drive = ask.ask(
            &flags.drive,
            "Driven axles: front, rear, all",
            DrivenAxles::Front,
        )?;
        let zero_to_100 = ask.ask_option(&flags.zero_to_100, "0-100 km/h, s", "unknown")?;
        let top_speed = ask.ask_option(&flags.top_speed, "Top speed, km/h", "unknown")?;
        let gears = if flags.gears.is_empty() {
            GEARS.to_vec()
        } else {
            flags.gears.clone()
        };
        Ok(Self {
            power,
            power_at,
            torque,
            torque_at,
            redline: flags.redline.map_or(1.14 * power_at, |rpm| rpm.0),
            mass,
            front_weight: flags
                .front_weight
                .map_or(usual_front(drive), |share| share.0),
            wheelbase,
            track: flags.track.map_or(0.574 * wheelbase, |track| track.0),
            tires,
            drive,
            zero_to_100: zero_to_100.map(|time| time.0),
            top_speed: top_speed.map(|speed| speed.0),
            gears,
            final_drive: flags.final_drive,
            drag: flags.drag.unwrap_or(0.30),
        })
    }

    /// Every entry of the sheet that contradicts another one or is no car's, at once.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut within = |flag: &str, value: f64, unit: &str, least: f64, most: f64| {
            if !(least..=most).contains(&value) {
                let rule = format!("must be within {least} and {most}");
                faults.push(Fault::new(flag, value, unit, rule));
            }
        };
        within("--power", self.power, "kW", 1.0, 2000.0);
        within("--power-at", self.power_at, "rpm", 500.0, 25e3);
        within("--torque", self.torque, "N·m", 5.0, 5000.0);
        within("--redline", self.redline, "rpm", self.power_at, 30e3);
        within(
            "--torque-at",
            self.torque_at.from,
            "rpm",
            100.0,
            self.torque_at.to,
        );
        within(
            "--torque-at",
            self.torque_at.to,
            "rpm",
            100.0,
            self.power_at,
        );
        within("--mass", self.mass, "kg", 200.0, 10e3);
        within("--front-weight", self.front_weight, "%", 25.0, 75.0);
        within("--wheelbase", self.wheelbase, "m", 1.0, 7.0);
        within("--track", self.track, "m", 0.6, 3.0);
        within("--tires: width", self.tires.width, "mm", 100.0, 450.0);
        within("--tires: height", self.tires.aspect, "%", 20.0, 100.0);
        within("--tires: rim", self.tires.rim, "in", 8.0, 26.0);
        within(
            "--zero-to-100",
            self.zero_to_100.unwrap_or(10.0),
            "s",
            1.0,
            100.0,
        );
        within(
            "--top-speed",
            self.top_speed.unwrap_or(200.0),
            "km/h",
            40.0,
            550.0,
        );
        within(
            "--final-drive",
            self.final_drive.unwrap_or(1.0),
            "",
            0.5,
            20.0,
        );
        within("--drag", self.drag, "", 0.05, 2.0);
        for (n, ratio) in self.gears.iter().enumerate() {
            let before = n.checked_sub(1).map_or(20.0, |n| self.gears[n]);
            within(&format!("--gears[{n}]"), *ratio, "", 0.1, before);
        }
        let needed = torque_of(self.power, self.power_at);
        if needed > 1.005 * self.torque {
            let rule = format!(
                "must be at least what {} kW at {} rpm are: {needed:.1} N·m",
                self.power, self.power_at
            );
            faults.push(Fault::new("--torque", self.torque, "N·m", rule));
        }
        faults
    }
}

/// Torque (`N·m`) of a power (`kW`) at a speed (`1/min`).
pub(super) fn torque_of(power: f64, rpm: f64) -> f64 {
    1e3 * power / (rpm * TAU / 60.0)
}

/// Usual weight on the front axle (`%`).
fn usual_front(drive: DrivenAxles) -> f64 {
    match drive {
        DrivenAxles::Front => 60.0,
        DrivenAxles::Rear => 51.0,
        DrivenAxles::All => 55.0,
    }
}
