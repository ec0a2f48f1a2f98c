//! Data sheet of a car.

use core::f64::consts::TAU;
use std::io;

use clap::Args;
use jounce::core::Fault;

use super::quantities::{
    DrivenAxles, SheetLength, SheetMass, SheetPercent, SheetPower, SheetRpm, SheetSpeed, SheetTime,
    SheetTorque, SpeedRange, TireSize,
};
use super::questions::Questions;

/// A data sheet as far as it was given by options.
#[derive(Args, Clone, Debug, Default)]
pub struct SheetFlags {
    /// Peak power: 110, 110kW, 150hp, 150PS
    #[arg(long, value_name = "KW")]
    pub power: Option<SheetPower>,
    /// Engine speed at peak power: 5700, or 5000-6000
    #[arg(long, value_name = "RPM")]
    pub power_at: Option<SpeedRange>,
    /// Peak torque: 230, 230Nm, 170lbft
    #[arg(long, value_name = "NM")]
    pub torque: Option<SheetTorque>,
    /// Engine speed at peak torque: 3500, or 1750-3500
    #[arg(long, value_name = "RPM")]
    pub torque_at: Option<SpeedRange>,
    /// Greatest engine speed, by default 1.14 times that of peak power
    #[arg(long, value_name = "RPM")]
    pub redline: Option<SheetRpm>,
    /// Mass ready to drive, with the driver: 1500, 1.5t, 3300lb
    #[arg(long, value_name = "KG")]
    pub mass: Option<SheetMass>,
    /// Weight on the front axle, by default 60 with front-wheel drive, 51 with rear-wheel drive, 55 with both
    #[arg(long, value_name = "PERCENT")]
    pub front_weight: Option<SheetPercent>,
    /// Wheelbase: 2.72, 2720mm
    #[arg(long, value_name = "M")]
    pub wheelbase: Option<SheetLength>,
    /// Track, by default 0.574 wheelbases
    #[arg(long, value_name = "M")]
    pub track: Option<SheetLength>,
    /// Height, by default 1.46: sets the frontal area and the height of the center of mass
    #[arg(long, value_name = "M")]
    pub height: Option<SheetLength>,
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
    /// Drag coefficient, by default 0.3
    #[arg(long, value_name = "CD")]
    pub drag: Option<f64>,
}

/// A data sheet, complete.
#[derive(Clone, Debug, PartialEq)]
pub struct CarSheet {
    /// Peak power (`kW`).
    pub power: f64,
    /// Engine speeds of peak power (`1/min`).
    pub power_at: SpeedRange,
    /// Peak torque (`N·m`).
    pub torque: f64,
    /// Engine speeds of peak torque (`1/min`).
    pub torque_at: SpeedRange,
    /// Greatest engine speed (`1/min`), if it is known.
    pub redline: Option<f64>,
    /// Mass (`kg`).
    pub mass: f64,
    /// Weight on the front axle (`%`).
    pub front_weight: f64,
    /// Wheelbase (`m`).
    pub wheelbase: f64,
    /// Track (`m`), if it is known.
    pub track: Option<f64>,
    /// Height (`m`), if it is known.
    pub height: Option<f64>,
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
    /// Drag coefficient (–), if it is known.
    pub drag: Option<f64>,
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
        let at = SpeedRange::at(5700.0);
        let power_at = ask.ask(&flags.power_at, "  at, rpm, or from-to", at)?;
        let usual = (1.25 * torque_of(power, power_at.from)).round();
        let torque = ask
            .ask(&flags.torque, "Peak torque, N·m", SheetTorque(usual))?
            .0;
        let at = SpeedRange::at((0.62 * power_at.from).round());
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
            redline: flags.redline.map(|rpm| rpm.0),
            mass,
            front_weight: flags
                .front_weight
                .map_or(usual_front(drive), |share| share.0),
            wheelbase,
            track: flags.track.map(|track| track.0),
            height: flags.height.map(|height| height.0),
            tires,
            drive,
            zero_to_100: zero_to_100.map(|time| time.0),
            top_speed: top_speed.map(|speed| speed.0),
            gears,
            final_drive: flags.final_drive,
            drag: flags.drag,
        })
    }

    /// The options that bring acceleration and top speed closer to the data sheet, as far as they were not given.
    pub(super) fn estimated(&self) -> Vec<&'static str> {
        let options = [
            ("--gears", self.gears == GEARS),
            ("--final-drive", self.final_drive.is_none()),
            ("--height", self.height.is_none()),
            ("--drag", self.drag.is_none()),
        ];
        let missing = options.into_iter().filter(|(_, missing)| *missing);
        missing.map(|(option, _)| option).collect()
    }

    /// Greatest engine speed of the car (`1/min`), or the usual one for its peak power.
    pub(super) fn redline(&self) -> f64 {
        self.redline.unwrap_or(1.14 * self.power_at.to)
    }

    /// Track of the car (`m`), or the usual one for its wheelbase.
    pub(super) fn track(&self) -> f64 {
        self.track.unwrap_or(0.574 * self.wheelbase)
    }

    /// Every entry of the sheet that contradicts another one or is no car's, at once.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut within = |flag: &str, value: f64, unit: &str, [least, most]: [f64; 2]| {
            if !(least..=most).contains(&value) {
                let other = other_unit(value, unit, [least, most]).unwrap_or_default();
                let rule = format!("must be within {least} and {most}{other}");
                faults.push(Fault::new(flag, value, unit, rule));
            }
        };
        let (power_at, torque_at) = (self.power_at, self.torque_at);
        within("--power", self.power, "kW", [1.0, 2000.0]);
        within("--power-at", power_at.from, "rpm", [500.0, power_at.to]);
        within("--power-at", power_at.to, "rpm", [500.0, 25e3]);
        within("--torque", self.torque, "N·m", [5.0, 5000.0]);
        within("--redline", self.redline(), "rpm", [power_at.to, 30e3]);
        within("--torque-at", torque_at.from, "rpm", [100.0, torque_at.to]);
        within("--torque-at", torque_at.to, "rpm", [100.0, power_at.from]);
        within("--mass", self.mass, "kg", [200.0, 10e3]);
        within("--front-weight", self.front_weight, "%", [25.0, 75.0]);
        within("--wheelbase", self.wheelbase, "m", [1.0, 7.0]);
        within("--track", self.track.unwrap_or(1.5), "m", [0.6, 3.0]);
        within("--height", self.height.unwrap_or(1.5), "m", [0.6, 4.5]);
        within("--tires: width", self.tires.width, "mm", [100.0, 450.0]);
        within("--tires: height", self.tires.aspect, "%", [20.0, 100.0]);
        within("--tires: rim", self.tires.rim, "in", [8.0, 26.0]);
        let zero_to_100 = self.zero_to_100.unwrap_or(10.0);
        within("--zero-to-100", zero_to_100, "s", [1.0, 100.0]);
        let top_speed = self.top_speed.unwrap_or(200.0);
        within("--top-speed", top_speed, "km/h", [40.0, 550.0]);
        let final_drive = self.final_drive.unwrap_or(1.0);
        within("--final-drive", final_drive, "", [0.5, 20.0]);
        within("--drag", self.drag.unwrap_or(0.3), "", [0.05, 2.0]);
        for (n, ratio) in self.gears.iter().enumerate() {
            let before = n.checked_sub(1).map_or(20.0, |n| self.gears[n]);
            within(&format!("--gears[{n}]"), *ratio, "", [0.1, before]);
        }
        faults.extend(self.too_much_power());
        faults
    }

    /// Fault of a power above that which the torque gives at its engine speed.
    fn too_much_power(&self) -> Option<Fault> {
        let (power, at) = (self.power, self.power_at.from);
        let most = 1.005 * self.torque;
        let needed = torque_of(power, at);
        // Data sheets have whole horsepower; what was converted from another unit is no whole number.
        let in_hp = power.fract() == 0.0 && torque_of(SheetPower::HP * power, at) <= most;
        let hint = if in_hp {
            format!("; if the power is in hp or PS, write {power}hp or {power}PS")
        } else {
            String::new()
        };
        let rule =
            format!("must be at least what {power} kW at {at} rpm are: {needed:.1} N·m{hint}");
        (needed > most).then(|| Fault::new("--torque", self.torque, "N·m", rule))
    }
}

/// Hint for a value that is within its bounds in another unit of data sheets.
fn other_unit(value: f64, unit: &str, [least, most]: [f64; 2]) -> Option<String> {
    let (other, factor) = match unit {
        "m" => ("mm", 1e-3),
        "kg" => ("t", 1e3),
        _ => return None,
    };
    let fits = (least..=most).contains(&(value * factor));
    fits.then(|| format!("; if it is in {other}, write {value}{other}"))
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
