//! Everything that the showroom displays, as data: for scripts, tests and the page.

use std::collections::BTreeMap;

use jounce::core::{Gear, Levers};
use proving_ground::course::Cover;
use serde::Serialize;

use super::Showroom;
use crate::fleet::PhaseCost;
use crate::flow::TorqueFlow;
use crate::parts::Part;

/// One wheel as shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownWheel {
    /// Name of the wheel in the vehicle file.
    pub name: String,
    /// Jounce (`m`).
    pub jounce: f32,
    /// Load (`N`).
    pub load: f32,
    /// Slip ratio, slip angle (–, `rad`).
    pub slip: [f32; 2],
    /// Share of the grip in use (–).
    pub grip_used: f32,
    /// Name of the ground cover below the wheel.
    pub cover: String,
}

/// A driver aid as shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownAid {
    /// Name of the aid, such as `abs`.
    pub name: String,
    /// Whether the driver aid is switched on.
    pub on: bool,
    /// Extent to which it acted last, 0…1.
    pub activity: f32,
}

/// Everything that the showroom displays, as words and numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownState {
    /// The dial's text, `km/h`.
    pub speed_text: String,
    /// Text of the engine-speed dial, `1/min`.
    pub rpm_text: String,
    /// Label of the gear: `N`, `R` or the number of the gear.
    pub gear_text: String,
    /// Forward speed (`m/s`), as the library reports it.
    pub speed: f32,
    /// Engine speed (`rad/s`).
    pub engine_speed: f32,
    /// Throttle of the last command (–).
    pub throttle: f32,
    /// Gear.
    pub gear: i8,
    /// Positions of the levers.
    pub levers: Levers,
    /// Driver aids of the car.
    pub aids: Vec<ShownAid>,
    /// Center of mass (`m`, world).
    pub position: [f64; 3],
    /// Steps and time of the session (–, `s`).
    pub steps: u64,
    /// Simulated time (`s`).
    pub time: f64,
    /// Digest of the motion.
    pub hash: String,
    /// The engine.
    pub engine: String,
    /// The course.
    pub course: String,
    /// The vehicle.
    pub vehicle: String,
    /// Solver and tire law.
    pub solver: String,
    /// Ground query of the wheels: `rays` or `sweeps`.
    pub contact: String,
    /// Name of the first tire's law.
    pub tires: String,
    /// Law of the differential, by its name in files.
    pub differential: String,
    /// Stiffness of the first spring (`N/m`), as the running vehicle has it.
    pub spring: f32,
    /// Torques from the engine to the wheels (`N·m`).
    pub torque: TorqueFlow,
    /// Findings of lint.
    pub lint: Vec<String>,
    /// The ghost's engine and distance (`m`).
    pub ghost: Option<(String, f64)>,
    /// Whether simulated time stands still.
    pub paused: bool,
    /// Simulated seconds per second (–).
    pub pace: f32,
    /// The open panel.
    pub panel: Option<String>,
    /// Path of the number that takes typed text.
    pub typed: Option<String>,
    /// Numbers of the vehicle file that are not as it was opened.
    pub changed: BTreeMap<String, f64>,
    /// Message of the last failure; `None` without one.
    pub fault: Option<String>,
    /// The wheels.
    pub wheels: Vec<ShownWheel>,
    /// Cars of the fleet.
    pub fleet: usize,
    /// Number of cars on each level of detail, from the finest.
    pub fleet_levels: Vec<usize>,
    /// Time that a step of the fleet takes, by its phases.
    pub fleet_cost: Option<PhaseCost>,
    /// Median length of the last frames (`ms`).
    pub frame_ms: f32,
}

/// A gear's letter.
#[must_use]
pub fn gear_text(gear: Gear) -> String {
    match gear.0 {
        0 => "N".to_owned(),
        -1 => "R".to_owned(),
        n if n < 0 => format!("R{}", -n),
        n => n.to_string(),
    }
}

/// A speed in km/h, without a sign.
#[must_use]
pub fn speed_text(speed: f32) -> String {
    format!("{:.0}", (speed * 3.6).abs())
}

/// An engine's speed in 1/min.
#[must_use]
pub fn rpm_text(speed: f32) -> String {
    format!("{:.0}", proving_ground::sample::rpm(speed))
}

impl Showroom {
    /// Collects everything that is displayed now.
    #[must_use]
    pub fn state(&self) -> ShownState {
        let session = self.sim.session();
        let report = self.report();
        let vehicle = &session.driven().vehicle;
        let engine_speed = self.engine_speed().unwrap_or(0.0);
        let model = vehicle.model();
        let position = match &self.fleet {
            Some(fleet) => fleet.driven().position.to_array(),
            None => session
                .body()
                .map_or([f64::NAN; 3], |body| body.position.to_array()),
        };
        ShownState {
            speed_text: speed_text(report.forward_speed),
            rpm_text: rpm_text(engine_speed),
            gear_text: gear_text(report.gear),
            speed: report.forward_speed,
            engine_speed,
            throttle: self.command().throttle,
            gear: report.gear.0,
            levers: self.driver.levers,
            aids: self.aids(),
            position,
            steps: session.steps(),
            time: session.steps() as f64 * f64::from(session.dt()),
            hash: session.hash().to_owned(),
            engine: session.world().name().to_owned(),
            course: session.course().name.name().to_owned(),
            vehicle: session.driven().car.name.clone(),
            solver: self.garage.part(Part::Solver).to_owned(),
            contact: self.garage.part(Part::Contact).to_owned(),
            torque: TorqueFlow::of(vehicle),
            lint: self
                .watch
                .findings
                .iter()
                .map(ToString::to_string)
                .collect(),
            tires: self.garage.part(Part::Tires).to_owned(),
            differential: self.garage.part(Part::Differential).to_owned(),
            spring: model.params().wheels[0].suspension.stiffness,
            ghost: self
                .sim
                .ghost()
                .map(|(name, apart)| (name.to_owned(), apart)),
            paused: self.sim.paused,
            pace: self.sim.pace,
            panel: self.panel.clone(),
            typed: self.typed.clone(),
            changed: self.garage.changed_numbers(),
            fault: self.fault.clone(),
            wheels: self.shown_wheels(),
            fleet: self
                .fleet
                .as_ref()
                .map_or(0, crate::fleet::FleetShow::count),
            fleet_levels: self
                .fleet
                .as_ref()
                .map_or_else(Vec::new, crate::fleet::FleetShow::on_levels),
            fleet_cost: self.fleet.as_ref().map(|fleet| fleet.cost),
            frame_ms: self.frame_time(),
        }
    }

    fn shown_wheels(&self) -> Vec<ShownWheel> {
        let vehicle = &self.sim.session().driven().vehicle;
        let params = vehicle.model().params().wheels.iter().enumerate();
        let wheels = params.map(|(n, wheel)| {
            let report = vehicle.wheel_report(n);
            let cover = if report.in_air {
                "air".to_owned()
            } else {
                format!("{:?}", Cover::of(report.surface))
            };
            ShownWheel {
                name: wheel.name.clone(),
                jounce: report.jounce,
                load: report.load,
                slip: [report.slip_ratio, report.slip_angle],
                grip_used: report.grip_used,
                cover: cover.to_lowercase(),
            }
        });
        wheels.collect()
    }
}
