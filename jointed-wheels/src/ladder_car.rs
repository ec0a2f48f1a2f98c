//! A car on the ladder of detail.

use std::sync::Arc;

use vehicle_core::{BodyId, BodyState, UpdateLevel, Vehicle};

use crate::car::JointedCar;
use crate::contract::JointedWheels;
use crate::error::JointedError;
use crate::ladder::Ladder;

/// A car that changes its rung as the camera comes and goes.
///
/// Before each step, [`watch`](Self::watch) switches it; then [`ride`](Self::ride) says how to step
/// it. Its body stays the same on all rungs, and whatever two neighbors both know goes on: pose,
/// velocities, spins and angles of the wheels, travel, steering, engine, clutch and gears, worn tires.
///
/// ```
/// use jointed_wheels::{JointedError, JointedWheels, LadderCar, Ride};
/// use vehicle_core::phases::step_with;
/// use vehicle_core::{Command, Environment, RigidBodies, SceneQuery};
///
/// fn step<W: SceneQuery + RigidBodies + JointedWheels>(
///     car: &mut LadderCar,
///     world: &mut W,
///     command: &Command,
///     environment: &Environment<'_>,
///     (step, distance, dt): (u64, f32, f32),
/// ) -> Result<(), JointedError> {
///     let mut state = [vehicle_core::BodyState::BLANK];
///     world.read(&[car.body()], &mut state)?;
///     car.watch(distance, &state[0], Some(world))?;
///     world.read(&[car.body()], &mut state)?;
///     match car.ride(step) {
///         Ride::Probing(vehicle, update_level) => {
///             step_with(update_level, vehicle, world, command, environment, dt)?;
///         }
///         Ride::Jointed(car) => car.step(world, &state[0], command, &environment.air, dt)?,
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct LadderCar {
    ladder: Arc<Ladder>,
    rung: usize,
    /// Kept while the car is on joints.
    vehicle: Vehicle,
    jointed: Option<JointedCar>,
}

/// Form in which to step a car on its present rung.
#[derive(Debug)]
pub enum Ride<'a> {
    /// Wheels that probe the ground: [`phases::step_with`](vehicle_core::phases::step_with) at this update level.
    Probing(&'a mut Vehicle, UpdateLevel),
    /// Wheels that are bodies: [`JointedCar::step`].
    Jointed(&'a mut JointedCar),
}

impl LadderCar {
    /// Puts a vehicle, new or running, on the farthest rung. Its body is of the ladder's mass, inertia
    /// and center of mass.
    #[must_use]
    pub fn new(ladder: Arc<Ladder>, mut vehicle: Vehicle) -> Self {
        let rung = ladder.rungs().len() - 1;
        ladder.rungs()[rung].adopt(&mut vehicle);
        Self {
            ladder,
            rung,
            vehicle,
            jointed: None,
        }
    }

    /// Goes to the [rung](Ladder::rung_at) of a `distance` from the camera (`m`): [`LadderCar::switch`].
    ///
    /// # Errors
    /// As there.
    pub fn watch<W: JointedWheels + ?Sized>(
        &mut self,
        distance: f32,
        state: &BodyState,
        joints: Option<&mut W>,
    ) -> Result<(), JointedError> {
        let rung = self.ladder.rung_at(distance, self.rung);
        self.switch(rung, state, joints)
    }

    /// Goes to a rung, between two steps. `state` is that of its body, which may change: read it
    /// again. `joints` is the world; a car neither on joints nor going there needs none.
    ///
    /// # Errors
    /// If the world cannot put the car on joints or take it from them: it then stays on its rung.
    ///
    /// # Panics
    /// If there is no such rung.
    pub fn switch<W: JointedWheels + ?Sized>(
        &mut self,
        rung: usize,
        state: &BodyState,
        joints: Option<&mut W>,
    ) -> Result<(), JointedError> {
        if rung == self.rung {
            return Ok(());
        }
        let target = &self.ladder.rungs()[rung];
        if let Some(attachments) = &target.attachments {
            let joints = joints.ok_or_else(|| JointedError::NoJoints(target.name.clone()))?;
            let mut vehicle = self.vehicle.clone();
            target.adopt(&mut vehicle);
            let car = JointedCar::take_over(joints, &vehicle, attachments.clone(), state)?;
            (self.vehicle, self.jointed) = (vehicle, Some(car));
        } else {
            if let Some(car) = &mut self.jointed {
                let name = || self.ladder.rungs()[self.rung].name.clone();
                let joints = joints.ok_or_else(|| JointedError::NoJoints(name()))?;
                car.hand_back(joints, &mut self.vehicle, state)?;
                self.jointed = None;
            }
            target.adopt(&mut self.vehicle);
        }
        self.rung = rung;
        Ok(())
    }

    /// Form in which to step the car in step number `step`, which decides whose turn it is to probe and to be updated.
    pub fn ride(&mut self, step: u64) -> Ride<'_> {
        if let Some(car) = &mut self.jointed {
            return Ride::Jointed(car);
        }
        let detail = self.ladder.rungs()[self.rung].detail;
        let update_level = self
            .vehicle
            .update_level(detail, step, self.vehicle.body().0);
        Ride::Probing(&mut self.vehicle, update_level)
    }

    /// Body of the car.
    #[must_use]
    pub fn body(&self) -> BodyId {
        self.vehicle.body()
    }

    /// Present rung of the car, from the nearest.
    #[must_use]
    pub const fn rung(&self) -> usize {
        self.rung
    }

    /// Ladder of the car.
    #[must_use]
    pub const fn ladder(&self) -> &Arc<Ladder> {
        &self.ladder
    }

    /// The vehicle; on joints, as it was taken from it.
    #[must_use]
    pub const fn vehicle(&self) -> &Vehicle {
        &self.vehicle
    }

    /// The vehicle, to change; on joints, changes last until it is off them.
    pub const fn vehicle_mut(&mut self) -> &mut Vehicle {
        &mut self.vehicle
    }

    /// The car on joints, if it is on them.
    #[must_use]
    pub const fn jointed(&self) -> Option<&JointedCar> {
        self.jointed.as_ref()
    }
}
