//! All cases: quantity, goal, and peers' results.
//!
//! Figures of peers: the vehicles that Jolt 5.6 and Rapier 0.36 bring along, as `examples/peers` prints them, and PhysX 5.1,
//! by its recorded drives.

use super::finding::{CarFinding, Goal};
use super::stage::Setup;
use super::{Preset, carried, energy, limit, loads, parked, riders, rolling, slip, strides};
use proving_ground::ProvingError;

/// One measurement.
#[derive(Clone, Copy, Debug)]
pub struct StabilityCase {
    /// Its short name.
    pub name: &'static str,
    /// The measured quantity, with its unit.
    pub what: &'static str,
    /// The goal.
    pub goal: Goal,
    /// The goal with substeps twice as long as the preset's: as measured, rounded up.
    pub coarse: Goal,
    /// The best peer's result.
    pub peer: &'static str,
    /// Decimal places.
    pub digits: usize,
    /// The measurement for one car.
    pub measure: fn(&Setup<'_>) -> Result<CarFinding, ProvingError>,
}

impl StabilityCase {
    /// The bound with these settings.
    #[must_use]
    pub fn bound(&self, preset: Preset) -> Goal {
        match preset {
            Preset::Shipped | Preset::Fine => self.goal,
            Preset::Coarse => self.coarse,
        }
    }
}

const PARKED: &str = "PhysX 3.3 until it sleeps; Jolt 37-1094; Rapier 104-1264";

/// How far a platform with 3 m/s² goes astray in the one step of 1/30 s in which a car does not know it (`mm`).
const A_STEP_LATE: f64 = 3.3;

/// Every case.
pub const CASES: [StabilityCase; 40] = [
    StabilityCase {
        name: "parked-nose-down",
        what: "parked 20° nose down, brake: drift [mm]",
        goal: Goal::Below(0.5),
        coarse: Goal::Below(0.5),
        peer: PARKED,
        digits: 3,
        measure: parked::nose_down,
    },
    StabilityCase {
        name: "parked-across",
        what: "parked 20° across, brake: drift [mm]",
        goal: Goal::Below(0.5),
        coarse: Goal::Below(0.5),
        peer: PARKED,
        digits: 3,
        measure: parked::across,
    },
    StabilityCase {
        name: "parked-handbrake",
        what: "parked 20°, handbrake only: drift [mm]",
        goal: Goal::Below(0.5),
        coarse: Goal::Below(0.6),
        peer: PARKED,
        digits: 3,
        measure: parked::handbrake,
    },
    StabilityCase {
        name: "parked-in-gear",
        what: "parked 20°, in gear, engine off: drift [mm]",
        goal: Goal::Below(0.5),
        coarse: Goal::Below(0.5),
        peer: PARKED,
        digits: 3,
        measure: parked::in_gear,
    },
    StabilityCase {
        name: "turntable",
        what: "braked on a turntable: drift [mm]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(1.0),
        peer: "none",
        digits: 3,
        measure: parked::turntable,
    },
    StabilityCase {
        name: "to-and-fro",
        what: "braked, platform to and fro: drift [mm]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(1.0),
        peer: "none",
        digits: 3,
        measure: parked::to_and_fro,
    },
    StabilityCase {
        name: "pushed",
        what: "braked 5°, pushed by 0.27 g: drift [mm]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(1.0),
        peer: "none",
        digits: 3,
        measure: parked::pushed,
    },
    StabilityCase {
        name: "leaned-on",
        what: "braked 20°, box of half its mass leans: drift [mm]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(1.0),
        peer: "none",
        digits: 3,
        measure: parked::leaned_on,
    },
    StabilityCase {
        name: "loaded",
        what: "braked 10°, loads of -0.9 to 3 weights: drift [mm]",
        goal: Goal::Below(0.5),
        coarse: Goal::Below(1.0),
        peer: "none",
        digits: 3,
        measure: loads::loaded,
    },
    StabilityCase {
        name: "sideways",
        what: "braked, pushed aside by 0.95 of what it holds [mm]",
        goal: Goal::Below(0.5),
        coarse: Goal::Below(0.5),
        peer: "none",
        digits: 3,
        measure: loads::at_the_limit,
    },
    StabilityCase {
        name: "swinging",
        what: "braked 10°, swinging load: drift [mm]",
        goal: Goal::Below(0.5),
        coarse: Goal::Below(1.0),
        peer: "none",
        digits: 3,
        measure: loads::swinging,
    },
    StabilityCase {
        name: "pressed-at-speed",
        what: "pushed at 40 m/s: ride height, spread [mm]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(1.0),
        peer: "none",
        digits: 3,
        measure: loads::pressed_at_speed,
    },
    StabilityCase {
        name: "loads-at-speed",
        what: "pushed at 40 m/s: loads off closed form [%]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(1.0),
        peer: "none",
        digits: 3,
        measure: loads::loads_at_speed,
    },
    StabilityCase {
        name: "carried-off",
        what: "braked on a platform to 40 m/s and back: off [mm]",
        goal: Goal::Below(1.0),
        // A carcass that is loaded at once swings by as much again as it yields in such substeps.
        coarse: Goal::Below(A_STEP_LATE),
        peer: "none",
        digits: 3,
        measure: carried::carried_off,
    },
    StabilityCase {
        name: "guided",
        what: "the same on a platform that follows poses: off [mm]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(A_STEP_LATE),
        peer: "none",
        digits: 3,
        measure: carried::guided,
    },
    StabilityCase {
        name: "carried-late",
        what: "the same, moved after the car's update: off at the end [mm]",
        goal: Goal::Below(A_STEP_LATE),
        coarse: Goal::Below(A_STEP_LATE),
        peer: "none",
        digits: 3,
        measure: carried::carried_late,
    },
    StabilityCase {
        name: "hauled",
        what: "braked on a lorry's bed, there and back: off [mm]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(1.0),
        peer: "none",
        digits: 3,
        measure: carried::hauled,
    },
    StabilityCase {
        name: "roof-load",
        what: "braked 10°, box of 1, 2 weights on the roof [mm]",
        // 0.1 where the box stays; on Avian it slides by 10 mm at 30 Hz, and rocks the car.
        goal: Goal::Below(1.0),
        coarse: Goal::Below(1.0),
        peer: "none",
        digits: 3,
        measure: riders::roof_load,
    },
    StabilityCase {
        name: "stacked",
        what: "braked 10°, a car on the roof of its like [mm]",
        goal: Goal::Below(0.5),
        coarse: Goal::Below(0.5),
        peer: "none",
        digits: 3,
        measure: riders::stacked,
    },
    StabilityCase {
        name: "hit",
        what: "hit while it stands or flies: momentum off [%]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(1.0),
        peer: "none",
        digits: 3,
        measure: riders::hit,
    },
    StabilityCase {
        name: "released",
        what: "released on 10°: speed after 0.1 s / ideal",
        goal: Goal::AtLeast(0.95),
        coarse: Goal::AtLeast(0.95),
        peer: "after a step: Jolt 0.92; Rapier 1.00",
        digits: 3,
        measure: rolling::released,
    },
    StabilityCase {
        name: "woken",
        what: "asleep in gear 20°, clutch pressed: way / awake",
        goal: Goal::Within(0.99, 1.01),
        coarse: Goal::Within(0.99, 1.01),
        peer: "-",
        digits: 4,
        measure: rolling::woken,
    },
    StabilityCase {
        name: "half-braked",
        what: "20°, brakes hold half: acceleration / ideal",
        goal: Goal::Within(0.98, 1.02),
        coarse: Goal::Within(0.98, 1.02),
        peer: "PhysX stays locked",
        digits: 3,
        measure: rolling::half_braked,
    },
    StabilityCase {
        name: "ice",
        what: "20°, locked on ice 0.3: acceleration / ideal",
        goal: Goal::Within(0.98, 1.02),
        coarse: Goal::Within(0.98, 1.02),
        peer: "PhysX stays locked",
        digits: 3,
        measure: rolling::on_ice,
    },
    StabilityCase {
        name: "stop",
        what: "100-0 km/h: way, spread 30-240 Hz [%]",
        goal: Goal::Below(0.3),
        coarse: Goal::Below(1.5),
        peer: "Jolt 0.4; Rapier 0.9",
        digits: 3,
        measure: strides::stop,
    },
    StabilityCase {
        name: "launch",
        what: "0-100 km/h (less if slow): time, spread [%]",
        goal: Goal::Below(0.5),
        coarse: Goal::Below(1.0),
        peer: "Jolt 3.8",
        digits: 3,
        measure: strides::launch,
    },
    StabilityCase {
        name: "circle-radius",
        what: "steady circle: radius, spread 30-480 Hz [%]",
        goal: Goal::Below(0.1),
        coarse: Goal::Below(0.1),
        peer: "-",
        digits: 3,
        measure: strides::circle_radius,
    },
    StabilityCase {
        name: "circle-roll",
        what: "steady circle: roll, spread 30-480 Hz [%]",
        goal: Goal::Below(0.1),
        coarse: Goal::Below(0.1),
        peer: "Jolt 8-fold",
        digits: 3,
        measure: strides::circle_roll,
    },
    StabilityCase {
        name: "drop",
        what: "2 m drop: lowest point, spread 30-240 Hz [%]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(1.0),
        peer: "-",
        digits: 3,
        measure: strides::drop,
    },
    StabilityCase {
        name: "grip",
        what: "braked in a bend at 100 km/h: force / grip",
        // The sum of the loads has rounding errors.
        goal: Goal::AtMost(1.000_001),
        coarse: Goal::AtMost(1.000_001),
        peer: "Jolt 1.41; Rapier 1.16",
        digits: 6,
        measure: slip::braked_in_a_bend,
    },
    StabilityCase {
        name: "slalom-way",
        what: "slalom, 0.95 of the grip: off 240 Hz [% of way]",
        goal: Goal::Below(1.0),
        // The truck near its grip, in substeps of 1/30 s.
        coarse: Goal::Below(1.5),
        peer: "-",
        digits: 3,
        measure: limit::slalom_way,
    },
    StabilityCase {
        name: "slalom-heading",
        what: "slalom, 0.95 of the grip: heading off 240 Hz [°]",
        goal: Goal::Below(3.0),
        coarse: Goal::Below(3.0),
        peer: "-",
        digits: 3,
        measure: limit::slalom_heading,
    },
    StabilityCase {
        name: "mirrored",
        what: "slalom and its mirror image: apart [cm]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(5.0),
        peer: "-",
        digits: 3,
        measure: limit::mirrored,
    },
    StabilityCase {
        name: "braking-way",
        what: "150-0 km/h, hands off: off 240 Hz [% of way]",
        goal: Goal::Below(1.0),
        coarse: Goal::Below(3.5),
        peer: "-",
        digits: 3,
        measure: limit::braking_way,
    },
    StabilityCase {
        name: "braking-heading",
        what: "150-0 km/h, hands off: heading off 240 Hz [°]",
        goal: Goal::Below(3.0),
        coarse: Goal::Below(3.0),
        peer: "-",
        digits: 3,
        measure: limit::braking_heading,
    },
    StabilityCase {
        name: "lowest-rate",
        what: "lowest stable rate at full throttle [Hz]",
        goal: Goal::AtMost(7.0),
        coarse: Goal::AtMost(7.0),
        peer: "Jolt 20; Rapier 8",
        digits: 0,
        measure: strides::lowest_rate,
    },
    StabilityCase {
        name: "spins-stopped",
        what: "spin's sign changes after a stop",
        goal: Goal::AtMost(0.0),
        coarse: Goal::AtMost(0.0),
        peer: "-",
        digits: 0,
        measure: slip::stopped,
    },
    StabilityCase {
        name: "spins-put-down",
        what: "spin's sign changes, put down at 0.1 m/s",
        goal: Goal::AtMost(2.0),
        coarse: Goal::AtMost(2.0),
        peer: "-",
        digits: 0,
        measure: slip::put_down,
    },
    StabilityCase {
        name: "energy",
        what: "energy above the start's [parts of it]",
        goal: Goal::AtMost(0.0),
        coarse: Goal::AtMost(0.0),
        peer: "-",
        digits: 6,
        measure: energy::above_the_start,
    },
    StabilityCase {
        name: "energy-step",
        what: "most that a step gains [% of the start's]",
        goal: Goal::AtMost(0.1),
        // Steps of random lengths: a carcass gives its force back as softly as the present substep bears.
        coarse: Goal::AtMost(0.5),
        peer: "-",
        digits: 4,
        measure: energy::gain_of_a_step,
    },
];
