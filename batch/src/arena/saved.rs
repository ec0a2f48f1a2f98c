//! Cars of an arena, saved and restored.

use std::sync::Arc;

use jounce::core::{Vehicle, phases};

use super::Arena;
use crate::error::BatchError;
use crate::setup::Design;
use crate::snapshot::{CarRecord, TrailerRecord};

impl Arena {
    /// A car as it is.
    pub(crate) fn record(&self, design: &Design, n: usize, index: usize) -> CarRecord {
        let vehicle = &self.fleet.vehicles()[n];
        let width = design.actions.len();
        CarRecord {
            index,
            episode: self.episodes[n].clone(),
            vehicle: vehicle.state().clone(),
            body: self.world.body(vehicle.body()).expect("its body").clone(),
            action: self.actions[n * width..][..width].to_vec(),
            trailer: self.joints.get(n).map(|&joint| {
                let vehicle = &self.fleet.vehicles()[self.count() + n];
                TrailerRecord {
                    vehicle: vehicle.state().clone(),
                    body: self.world.body(vehicle.body()).expect("its body").clone(),
                    impulses: self.world.joint_impulses(joint).expect("its joint"),
                }
            }),
        }
    }

    /// Puts a checked car back.
    pub(crate) fn put_back(&mut self, design: &Design, n: usize, record: CarRecord) {
        let model = &design.models[record.episode.model];
        let vehicle = &mut self.fleet.vehicles_mut()[n];
        if !Arc::ptr_eq(vehicle.model(), &model.model) {
            *vehicle = Vehicle::new(Arc::clone(&model.model), vehicle.body());
        }
        phases::reset(vehicle, &record.vehicle).expect("it was checked");
        vehicle
            .set_grip(record.episode.grip)
            .expect("it was checked");
        let id = vehicle.body();
        self.world.restore_body(id, record.body).expect("its body");
        if let Some(trailer) = record.trailer {
            let count = self.count();
            let vehicle = &mut self.fleet.vehicles_mut()[count + n];
            phases::reset(vehicle, &trailer.vehicle).expect("it was checked");
            let grip = record.episode.grip;
            vehicle.set_grip(grip).expect("it was checked");
            let id = vehicle.body();
            self.world.restore_body(id, trailer.body).expect("its body");
            let impulses = trailer.impulses;
            self.world.set_joint_impulses(self.joints[n], impulses);
        }
        let width = design.actions.len();
        self.actions[n * width..][..width].copy_from_slice(&record.action);
        self.episodes[n] = record.episode;
        self.errors[n] = None;
    }
}

impl CarRecord {
    /// Whether the car can be put back into a batch of this design.
    pub(crate) fn check(&self, design: &Design) -> Result<(), BatchError> {
        let episode = &self.episode;
        let model = design.models.get(episode.model);
        let groups = model.map(|model| model.new.wheels.len());
        let amounts = [episode.grip, episode.payload];
        let groups_of_trailer = self.trailer.as_ref().map(|it| it.vehicle.wheels.len());
        let own_trailer = design.trailer.as_ref().map(|it| it.new.wheels.len());
        let sound = groups == Some(self.vehicle.wheels.len())
            && self.action.len() == design.actions.len()
            && groups_of_trailer == own_trailer
            && amounts
                .iter()
                .all(|&amount| amount >= 0.0 && amount.is_finite())
            && episode.wind.is_finite()
            && episode.start.is_finite()
            && episode.laps.are_finite();
        if sound {
            return Ok(());
        }
        let expected = "of a batch with these cars and actions";
        Err(BatchError::argument("snapshot", expected, "another", ""))
    }
}
