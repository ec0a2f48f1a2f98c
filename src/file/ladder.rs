//! `[ladder]` of a vehicle file: what the vehicle is by its distance from the camera, from wheels that are bodies to
//! no update.

use std::sync::Arc;

use jointed_wheels::{Attachments, Ladder, Rung, WorldAbilities};
use serde::{Deserialize, Serialize};
use tire_models::{Friction, FrictionParams, FrictionShape};
use vehicle_core::params::{Probe, SweepSettings, WheelParams};
use vehicle_core::retune::ThreeWheeler;
use vehicle_core::{
    Check, Checked, Detail, Fault, Inspector, InvalidParams, TireModel, VehicleModel, VehicleParams,
};

/// A vehicle's rungs of detail, from the nearest to the farthest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderSpec {
    /// The way back to a nearer rung takes a distance of less than its end over one plus this (–), 0…1: none flickers.
    #[serde(default = "usual_hysteresis")]
    pub hysteresis: f32,
    /// Rungs of the ladder, at least one.
    pub rungs: Vec<RungSpec>,
}

/// One rung: the vehicle of the file, but for what is said here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RungSpec {
    /// Name of the rung, in errors and reports.
    pub name: String,
    /// Contact of the rung's wheels with the ground.
    #[serde(default)]
    pub wheels: Wheels,
    /// Distance from the camera up to which it holds (`m`), > 0, farther than that of the rung before; the last has none.
    pub end: Option<f32>,
    /// Coefficient of friction of rigid wheels on the ground (–), ≥ 0; 1 by default.
    pub friction: Option<f32>,
    /// The struts of constraints.
    pub constraint: Option<SoftConstraint>,
    /// Fewer wheels: only these, by index. Sprung masses follow.
    pub only: Option<Vec<usize>>,
    /// Fewer wheels: three of four.
    pub three_wheeler: Option<ThreeWheeler>,
    /// Rates at which the rung probes the ground and is updated.
    #[serde(default)]
    pub detail: Detail,
}

/// Contact of wheels with the ground, of a vehicle or of a rung of its ladder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wheels {
    /// Wheels are bodies on joints; on the nearest rung only.
    Rigid,
    /// Wheels are tires that stick or slide, on struts that hold them at their design position; on rungs only.
    Constraints,
    /// Wheels meet sections of the ground's triangles in a world that gives them, and cast a ray each in another.
    Auto,
    /// Wheels meet sections of the ground's triangles.
    Sections,
    /// Wheels are swept, as `[sweep]` says.
    Sweeps,
    /// Wheels cast a ray each.
    #[default]
    #[serde(alias = "probes")]
    Rays,
}

/// A suspension as a soft constraint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoftConstraint {
    /// Frequency of the constraint (`Hz`), > 0.
    pub frequency: f32,
    /// Damping ratio of the constraint (–), ≥ 0.
    pub damping_ratio: f32,
}

impl Check for SoftConstraint {
    fn check(&self, i: &mut Inspector) {
        i.positive("frequency", self.frequency, "Hz");
        i.not_negative("damping_ratio", self.damping_ratio, "");
    }
}

const fn usual_hysteresis() -> f32 {
    vehicle_core::detail::HYSTERESIS
}

/// A world that can do everything.
const ABLE: WorldAbilities = WorldAbilities {
    sweeps: true,
    triangles: true,
    joints: true,
};

impl LadderSpec {
    /// The ladder of a vehicle in a world with these abilities.
    ///
    /// # Errors
    /// With every rung that the vehicle or the world cannot do; paths are those of a vehicle file.
    pub(super) fn build(
        &self,
        vehicle: &Arc<VehicleModel>,
        world: WorldAbilities,
    ) -> Result<Ladder, InvalidParams> {
        let (mut rungs, mut faults) = (Vec::new(), Vec::new());
        for (n, spec) in self.rungs.iter().enumerate() {
            let same = self.rungs[..n].iter().position(|one| one.is_same(spec));
            let known = same
                .and_then(|n| rungs.get(n))
                .map(|rung: &Rung| &rung.model);
            match spec.build(vehicle, known) {
                Ok(rung) => rungs.push(rung),
                Err(found) => faults.extend(found.into_iter().map(|fault| Fault {
                    path: format!("rungs[{n}].{}", fault.path),
                    ..fault
                })),
            }
        }
        if !faults.is_empty() {
            return Err(within_ladder(faults));
        }
        let ends = self.rungs.iter().filter_map(|rung| rung.end).collect();
        let ladder = Ladder::new(rungs, ends, self.hysteresis, world);
        ladder.map_err(|found| within_ladder(found.0))
    }

    /// Checks the ladder against its vehicle: the errors are what no world can do.
    pub(super) fn fit(&self, vehicle: &Arc<VehicleModel>) -> Result<(), Vec<Fault>> {
        self.build(vehicle, ABLE).map(drop).map_err(|found| found.0)
    }
}

fn within_ladder(faults: Vec<Fault>) -> InvalidParams {
    let placed = faults.into_iter().map(|fault| Fault {
        path: format!("ladder.{}", fault.path),
        ..fault
    });
    InvalidParams(placed.collect())
}

impl Check for LadderSpec {
    fn check(&self, i: &mut Inspector) {
        i.within_range("hysteresis", self.hysteresis, 0.0, 1.0, "");
        let rule = "must not be empty";
        i.rule(!self.rungs.is_empty(), "rungs", "[]", "", rule);
        let mut nearer = 0.0;
        for (n, rung) in self.rungs.iter().enumerate() {
            let is_last = n + 1 == self.rungs.len();
            i.within(format!("rungs[{n}]"), |i| {
                match rung.end {
                    Some(end) if !is_last => {
                        let rule = format!("must be finite and > {nearer}, the end before");
                        i.rule(end.is_finite() && end > nearer, "end", end, "m", rule);
                        nearer = end;
                    }
                    Some(end) => i.rule(false, "end", end, "m", "the last rung has none"),
                    None => i.rule(is_last, "end", "nothing", "", "must be given"),
                }
                let rule = "only the nearest of several rungs may be";
                let is_rigid = rung.wheels == Wheels::Rigid;
                let fits = !is_rigid || (n == 0 && !is_last);
                i.rule(fits, "wheels", "rigid", "", rule);
                rung.check(i);
            });
        }
    }
}

impl Check for RungSpec {
    fn check(&self, i: &mut Inspector) {
        let is = |wheels| self.wheels == wheels;
        let friction = self.friction.unwrap_or(1.0);
        i.not_negative("friction", friction, "");
        let allowed = is(Wheels::Rigid) || self.friction.is_none();
        i.rule(allowed, "friction", friction, "", "rigid wheels only");
        match &self.constraint {
            Some(constraint) => {
                i.within("constraint", |i| constraint.check(i));
                let rule = "wheels = \"constraints\" only";
                i.rule(is(Wheels::Constraints), "constraint", "given", "", rule);
            }
            None => {
                let rule = "must be given with wheels = \"constraints\"";
                let whole = !is(Wheels::Constraints);
                i.rule(whole, "constraint", "nothing", "", rule);
            }
        }
        let both = self.only.is_some() && self.three_wheeler.is_some();
        i.rule(!both, "only", "given", "", "or three_wheeler, not both");
        i.within("detail", |i| self.detail.check(i));
        if is(Wheels::Rigid) {
            let rule = "rigid wheels are all there, in every step";
            i.rule(self.only.is_none(), "only", "given", "", rule);
            let four = self.three_wheeler.is_none();
            i.rule(four, "three_wheeler", "given", "", rule);
            let often = self.detail == Detail::FULL;
            i.rule(often, "detail", "given", "", rule);
        }
    }
}

impl RungSpec {
    /// Whether two rungs are one vehicle that is probed and updated more or less often.
    fn is_same(&self, other: &Self) -> bool {
        let vehicle = |rung: &Self| Self {
            name: String::new(),
            end: None,
            detail: Detail::FULL,
            ..rung.clone()
        };
        vehicle(self) == vehicle(other)
    }

    fn build(
        &self,
        vehicle: &Arc<VehicleModel>,
        known: Option<&Arc<VehicleModel>>,
    ) -> Result<Rung, Vec<Fault>> {
        let model = match known {
            Some(model) => Arc::clone(model),
            None => self.model(vehicle)?,
        };
        let attachments = (self.wheels == Wheels::Rigid)
            .then(|| Attachments::of(&model, self.friction.unwrap_or(1.0)))
            .transpose();
        let unsuited = |fault| vec![Fault::new("wheels", "rigid", "", fault)];
        Ok(Rung {
            attachments: attachments.map_err(unsuited)?,
            detail: self.detail,
            ..Rung::probing(&self.name, model)
        })
    }

    /// Model of the vehicle on this rung.
    fn model(&self, vehicle: &Arc<VehicleModel>) -> Result<Arc<VehicleModel>, Vec<Fault>> {
        let mut params = vehicle.params().clone();
        match self.wheels {
            Wheels::Rays => params.probe = Probe::Ray,
            Wheels::Auto => params.probe = Probe::Auto,
            Wheels::Sections => params.probe = Probe::Sections,
            Wheels::Sweeps if params.probe.sweep().is_none() => {
                params.probe = Probe::Sweep(SweepSettings::DEFAULT);
            }
            Wheels::Rigid | Wheels::Constraints | Wheels::Sweeps => {}
        }
        self.take_wheels_off(&mut params)?;
        let sticking = self.constraint.map(|constraint| {
            for wheel in &mut params.wheels {
                constrain(wheel, constraint);
            }
            let shape = FrictionShape::Cone;
            let law = Checked::new(FrictionParams { shape }).map(Friction::new);
            law.map(|law| Arc::new(law) as Arc<dyn TireModel>)
        });
        if params == *vehicle.params() {
            return Ok(Arc::clone(vehicle));
        }
        let build = || {
            let params = Checked::new(params)?;
            match sticking {
                Some(law) => vehicle.with_tires(params, &[law?]),
                None => vehicle.with_params(params),
            }
        };
        build().map(Arc::new).map_err(|found| found.0)
    }

    fn take_wheels_off(&self, params: &mut VehicleParams) -> Result<(), Vec<Fault>> {
        if let Some(only) = &self.only {
            let count = params.wheels.len();
            let missing = only.iter().find(|wheel| **wheel >= count);
            if let Some(missing) = missing {
                let rule = format!("must name wheels within 0..{count}");
                return Err(vec![Fault::new("only", missing, "", rule)]);
            }
            let kept = params.enable_only(only);
            kept.map_err(|fault| vec![Fault::new("only", fault.value, "", fault.rule)])?;
        }
        if let Some(layout) = self.three_wheeler {
            let made = params.make_three_wheeler(layout);
            made.map_err(|fault| vec![Fault::new("three_wheeler", fault.value, "", fault.rule)])?;
        }
        Ok(())
    }
}

/// A wheel that sticks or slides, on a strut that is a constraint.
fn constrain(wheel: &mut WheelParams, constraint: SoftConstraint) {
    let SoftConstraint {
        frequency,
        damping_ratio,
    } = constraint;
    wheel.suspension = wheel.suspension.constrained(frequency, damping_ratio);
    let curves = &mut wheel.compliance;
    for curve in [&mut curves.spring, &mut curves.bump, &mut curves.rebound] {
        curve.clear();
    }
    wheel.tire.model = 0;
}

#[cfg(test)]
mod tests;
