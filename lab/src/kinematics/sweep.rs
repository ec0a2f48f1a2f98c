//! A suspension over its travel, and over that of its rack.

use jounce::core::Fault;

use super::carrier::CarrierPose;
use super::hardpoints::{HardPoints, Travel};
use super::linkage::Suspension;
use super::mechanism::Demand;
use super::stance::WheelStance;

/// Points of a sweep to either side of the design position.
const SIDE: u32 = 20;

/// Stances of a suspension over its travels; at the design position otherwise.
#[derive(Clone, Debug)]
pub(super) struct TravelSweep {
    /// Stances from full droop to full compression.
    pub(super) jounces: Vec<WheelStance>,
    /// Stances from the rack at the right to the left; empty for wheels that are not steered.
    pub(super) racks: Vec<WheelStance>,
}

impl TravelSweep {
    /// Moves a suspension through its travels.
    ///
    /// # Errors
    /// If the hard points do not restrain a wheel over the whole travel.
    pub(super) fn new(points: &HardPoints) -> Result<Self, Fault> {
        let suspension = Suspension::new(points)?;
        let Travel {
            compression,
            droop,
            rack,
        } = points.travel;
        let jounce = |x: f64| Demand {
            rises: [x, x],
            rack: 0.0,
        };
        let racked = |x: f64| Demand {
            rises: [0.0; 2],
            rack: x,
        };
        let falls = ways(&suspension, -droop, jounce, ("travel.droop", droop))?;
        let rises = ways(
            &suspension,
            compression,
            jounce,
            ("travel.compression", compression),
        )?;
        let (rights, lefts) = match points.is_steered() {
            false => (Vec::new(), Vec::new()),
            true => (
                ways(&suspension, -rack, racked, ("travel.rack", rack))?,
                ways(&suspension, rack, racked, ("travel.rack", rack))?,
            ),
        };
        Ok(Self {
            jounces: joined(falls, rises),
            racks: joined(rights, lefts),
        })
    }

    /// The design position.
    pub(super) fn design(&self) -> &WheelStance {
        &self.jounces[SIDE as usize]
    }
}

/// Joins two sequences of stances from the design position into one from end to end.
fn joined(mut first: Vec<WheelStance>, second: Vec<WheelStance>) -> Vec<WheelStance> {
    first.reverse();
    first.extend(second.into_iter().skip(1));
    first
}

/// Stances from the design position to `end`.
fn ways(
    suspension: &Suspension,
    end: f64,
    demand: impl Fn(f64) -> Demand,
    (path, given): (&str, f64),
) -> Result<Vec<WheelStance>, Fault> {
    let mut at: (CarrierPose, Demand) = (suspension.mechanism.design(), demand(0.0));
    let mut stances = Vec::new();
    for n in 0..=SIDE {
        // Adding zero makes −0 positive.
        let next = demand(end * f64::from(n) / f64::from(SIDE) + 0.0);
        let pose = suspension.mechanism.follow(at, next).map_err(|missed| {
            let reach = 1e3 * missed.rises[0].abs().max(missed.rack.abs());
            let rule = format!("these links cannot be assembled beyond {reach:.0} mm");
            Fault::new(path, given, "m", rule)
        })?;
        at = (pose, next);
        stances.push(WheelStance::new(suspension, &pose, next));
    }
    Ok(stances)
}
