//! The ladder of detail: what a car is by its distance from the camera, from wheels that are bodies
//! to no update.

use std::sync::Arc;

use vehicle_core::detail::level_at;
use vehicle_core::params::Probe;
use vehicle_core::{Check as _, Detail, Inspector, InvalidParams, Vehicle, VehicleModel};

use crate::attachment::Attachments;
use crate::error::JointedError;

/// One rung of a ladder: a model of a vehicle with its level of detail.
#[derive(Clone, Debug)]
pub struct Rung {
    /// Name of the rung, in errors and reports.
    pub name: String,
    /// Model of the vehicle on this rung: its law of tires and struts, rays or sweeps, all or fewer wheels.
    pub model: Arc<VehicleModel>,
    /// Rates at which the vehicle probes the ground and is updated; unused on joints.
    pub detail: Detail,
    /// Wheels of the vehicle as bodies on joints; `None` if they probe the ground.
    pub attachments: Option<Attachments>,
}

impl Rung {
    /// Wheels that probe the ground, in full detail.
    #[must_use]
    pub fn probing(name: &str, model: Arc<VehicleModel>) -> Self {
        Self {
            name: name.to_owned(),
            model,
            detail: Detail::FULL,
            attachments: None,
        }
    }

    /// Wheels that are bodies, with this coefficient of `friction` on the ground (–).
    ///
    /// # Errors
    /// If joints cannot carry the vehicle: [`Attachments::of`].
    pub fn rigid(
        name: &str,
        model: Arc<VehicleModel>,
        friction: f32,
    ) -> Result<Self, JointedError> {
        let attachments = Attachments::of(&model, friction)?;
        Ok(Self {
            attachments: Some(attachments),
            ..Self::probing(name, model)
        })
    }

    /// Changes a vehicle, new or running, to this rung: each wheel goes on as the one that was nearest. This is how
    /// vehicles of a [`Fleet`](vehicle_core::Fleet) change their rung; onto joints and off them,
    /// [`LadderCar::switch`](crate::LadderCar::switch) does.
    pub fn adopt(&self, vehicle: &mut Vehicle) {
        let sources = sources(vehicle.model(), &self.model);
        let same = vehicle.model().wheel_count() == self.model.wheel_count();
        if same && sources.iter().enumerate().all(|(n, from)| *from == Some(n)) {
            vehicle.set_model(Arc::clone(&self.model));
        } else {
            vehicle.set_model_with(Arc::clone(&self.model), &sources);
        }
    }
}

/// The enabled wheel of `old` nearest to each wheel of `new`; of several, the first.
fn sources(old: &VehicleModel, new: &VehicleModel) -> Vec<Option<usize>> {
    let wheels = &old.params().wheels;
    let on = |n: &usize| wheels[*n].enabled;
    let places = new.params().wheels.iter().map(|wheel| wheel.position);
    let nearest = places.map(|place| {
        let far = |n: &usize| (wheels[*n].position - place).length_squared();
        let all = (0..wheels.len()).filter(on);
        all.min_by(|a, b| far(a).total_cmp(&far(b)))
    });
    nearest.collect()
}

/// Abilities of a world that rungs of a ladder need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldAbilities {
    /// Whether the world sweeps wheels: [`SceneQuery::sweeps`](vehicle_core::SceneQuery::sweeps).
    pub sweeps: bool,
    /// Whether the world tells the triangles of its ground: [`SceneQuery::triangles`](vehicle_core::SceneQuery::triangles).
    pub triangles: bool,
    /// Whether the world has [`JointedWheels`](crate::JointedWheels).
    pub joints: bool,
}

/// Rungs of one vehicle by distance.
#[derive(Clone, Debug)]
pub struct Ladder {
    rungs: Vec<Rung>,
    ends: Vec<f32>,
    hysteresis: f32,
}

impl Ladder {
    /// Rungs from the nearest to the farthest: rung `n` ends at the distance `ends[n]` (`m`, > 0,
    /// ascending), the last one has no end; the way back takes a `hysteresis` (–), 0…1 ([`level_at`]). Only the first
    /// may stand on joints.
    ///
    /// # Errors
    /// With every rung that such a world cannot do, or that is another body than the first: mass,
    /// inertia and center of mass stay the same on all; with ends or a hysteresis that do not fit.
    pub fn new(
        rungs: Vec<Rung>,
        ends: Vec<f32>,
        hysteresis: f32,
        world: WorldAbilities,
    ) -> Result<Self, InvalidParams> {
        let mut inspector = Inspector::new();
        for (n, rung) in rungs.iter().enumerate() {
            inspector.within(format!("rungs[{n}]"), |i| {
                check_rung(i, rung, world);
                let rule = "only the nearest rung may stand on joints, and not alone";
                let fits = rung.attachments.is_none() || (n == 0 && rungs.len() > 1);
                i.rule(fits, "attachments", &rung.name, "", rule);
                let same = is_same_body(&rungs[0].model, &rung.model);
                let rule = "must have the mass, inertia and center of mass of the first";
                i.rule(same, "kind", &rung.name, "", rule);
            });
        }
        let found = format!("{ends:?}");
        let rise = ends.windows(2).all(|pair| pair[0] < pair[1]);
        let sound = ends.iter().all(|end| *end > 0.0 && end.is_finite());
        let rule = "must be finite, > 0 and ascend, one fewer than rungs";
        let fit = rise && sound && ends.len() + 1 == rungs.len();
        inspector.rule(fit, "ends", found, "m", rule);
        inspector.within_range("hysteresis", hysteresis, 0.0, 1.0, "");
        inspector.verdict()?;
        Ok(Self {
            rungs,
            ends,
            hysteresis,
        })
    }

    /// The rungs, from the nearest to the farthest; at least one.
    #[must_use]
    pub fn rungs(&self) -> &[Rung] {
        &self.rungs
    }

    /// Distances at which the rungs end (`m`), the last one excepted.
    #[must_use]
    pub fn ends(&self) -> &[f32] {
        &self.ends
    }

    /// The rung at a `distance` (`m`) of a vehicle on rung `present`. At an unknown distance (`NaN`), the rung stays.
    #[must_use]
    pub fn rung_at(&self, distance: f32, present: usize) -> usize {
        if distance.is_nan() {
            return present;
        }
        level_at(&self.ends, self.hysteresis, distance, present)
    }
}

fn check_rung(i: &mut Inspector, rung: &Rung, world: WorldAbilities) {
    rung.detail.check(i);
    let joints = rung.attachments.is_none() || world.joints;
    let rule = "needs wheels on joints, which this world lacks";
    i.rule(joints, "attachments", &rung.name, "", rule);
    if rung.attachments.is_some() {
        return;
    }
    let (able, rule) = match rung.model.params().probe {
        Probe::Ray | Probe::Auto => (true, ""),
        Probe::Sweep(_) => (world.sweeps, "needs sweeps, which this world lacks"),
        Probe::Sections => (world.triangles, "needs triangles, which this world lacks"),
    };
    i.rule(able, "kind", &rung.name, "", rule);
}

fn is_same_body(a: &VehicleModel, b: &VehicleModel) -> bool {
    let [a, b] = [a, b].map(|model| model.params().chassis);
    (a.mass, a.inertia, a.center_of_mass) == (b.mass, b.inertia, b.center_of_mass)
}
