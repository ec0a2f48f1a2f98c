//! Bodies under the wheels that can move. Most vehicles never stand on one, and keep nothing.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use crate::MAX_WHEELS;
use crate::base::lanes::{Groups, LANES};
use crate::contracts::rigid_bodies::GroundMotion;
use crate::stages::contact::{Contact, MovingGround};
use crate::stages::outputs::GroundPushes;

/// Fixed ground under any number of wheels.
static FIXED: [MovingGround; MAX_WHEELS.div_ceil(LANES)] =
    [MovingGround::FIXED; MAX_WHEELS.div_ceil(LANES)];

/// Knowledge of the bodies under a vehicle's wheels; made when a wheel first meets one that can move.
#[derive(Clone, Debug, Default)]
pub(super) struct GroundBodies(Option<Box<Known>>);

#[derive(Clone, Debug)]
struct Known {
    /// Motion of each wheel's ground in the step of a probe.
    motions: Vec<Option<GroundMotion>>,
    ground: Groups<MovingGround>,
    pushes: Groups<GroundPushes>,
}

impl Known {
    fn new(wheels: usize) -> Self {
        Self {
            motions: vec![None; wheels],
            ground: Groups::for_wheels(wheels, |_| MovingGround::FIXED),
            pushes: Groups::for_wheels(wheels, |_| GroundPushes::default()),
        }
    }
}

impl GroundBodies {
    /// Takes the motion of each wheel's ground, none if all of it is fixed, for a center of mass at `position`.
    #[inline]
    pub(super) fn take(
        &mut self,
        contacts: &[Option<Contact>],
        motions: &[Option<GroundMotion>],
        position: DVec3,
    ) {
        if motions.iter().all(Option::is_none) {
            self.forget();
        } else {
            self.know(contacts, motions, position);
        }
    }

    fn know(
        &mut self,
        contacts: &[Option<Contact>],
        motions: &[Option<GroundMotion>],
        position: DVec3,
    ) {
        let known = self
            .0
            .get_or_insert_with(|| Box::new(Known::new(contacts.len())));
        known.motions.copy_from_slice(motions);
        for (g, ground) in known.ground.iter_mut().enumerate() {
            let from = g * LANES;
            *ground = MovingGround::under(&contacts[from..], &motions[from..], position);
        }
    }

    /// Forgets moving ground: it is fixed from now on.
    pub(super) fn forget(&mut self) {
        if let Some(known) = &mut self.0 {
            known.motions.fill(None);
            known.ground.fill(MovingGround::FIXED);
        }
    }

    /// Subtracts a `shift` of the world's origin (`m`).
    pub(super) fn shift_origin(&mut self, shift: DVec3) {
        if let Some(known) = &mut self.0 {
            let motions = known.motions.iter_mut().flatten();
            motions.for_each(|motion| motion.position -= shift);
        }
    }

    /// Forgets how the wheels pushed it.
    pub(super) fn forget_pushes(&mut self) {
        if let Some(known) = &mut self.0 {
            known.pushes.fill(GroundPushes::default());
        }
    }

    /// The motion of the first wheel's ground that can move.
    pub(super) fn first_motion(&self) -> Option<GroundMotion> {
        self.0.as_ref()?.motions.iter().find_map(|motion| *motion)
    }

    /// Mass of the body under wheel `wheel`, if a push moves it (`kg`).
    pub(super) fn mass(&self, wheel: usize) -> Option<f32> {
        self.0.as_ref()?.motions[wheel]?.mass
    }

    /// Whether any body under the wheels can move.
    pub(super) fn moves(&self) -> bool {
        let known = self.0.as_ref();
        known.is_some_and(|known| known.ground.iter().any(|ground| ground.any))
    }

    /// The ground per group of wheels; fixed ground has as many groups as a vehicle can have.
    pub(super) fn ground(&self) -> &[MovingGround] {
        self.0.as_ref().map_or(&FIXED, |known| &known.ground)
    }

    /// The ground per group of wheels, and room for what they do to it; fixed ground has none.
    pub(super) fn for_step(&mut self) -> (&[MovingGround], &mut [GroundPushes]) {
        match &mut self.0 {
            Some(known) => (&known.ground, &mut known.pushes),
            None => (&FIXED, &mut []),
        }
    }

    /// Forces of the wheels of a group on their ground.
    pub(super) fn pushes(&self, group: usize) -> Option<&GroundPushes> {
        Some(&self.0.as_ref()?.pushes[group])
    }
}
