//! Contacts of bodies in a Jolt world: layers and friction as the contracts say, which are not Jolt's own rules.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use jounce::jolt::oxijolt::{
    BodyId, ContactCandidate, ContactListener, ContactManifold, ContactSettings, PhysicsWorld,
    ValidateResult, limits,
};
use jounce::scene::CollisionBox;

/// Properties of a body in its contacts.
#[derive(Clone, Copy)]
pub(super) struct JoltTouch {
    /// Layers of the body, and those that it touches.
    layers: [u32; 2],
    /// Coulomb's coefficient (–); the smaller one of two bodies decides.
    friction: f32,
}

impl JoltTouch {
    /// Ground in these layers; it takes the friction of the hull on it.
    pub(super) const fn ground(layers: u32) -> Self {
        Self {
            layers: [layers, u32::MAX],
            friction: limits::MAX_FRICTION,
        }
    }

    pub(super) const fn hull(hull: &CollisionBox) -> Self {
        Self {
            layers: [u32::MAX, hull.layers],
            friction: hull.friction,
        }
    }

    const fn touches(&self, other: &Self) -> bool {
        self.layers[0] & other.layers[1] != 0 && self.layers[1] & other.layers[0] != 0
    }
}

/// All bodies that touch something.
#[derive(Clone, Default)]
pub(super) struct JoltTouches(Arc<RwLock<HashMap<BodyId, JoltTouch>>>);

impl JoltTouches {
    /// Decides the contacts of a world from now on.
    pub(super) fn listen(&self, world: &mut PhysicsWorld) {
        world.set_contact_listener(Some(Arc::new(self.clone())));
    }

    pub(super) fn set(&self, body: BodyId, touch: JoltTouch) {
        let mut bodies = self.0.write().unwrap_or_else(PoisonError::into_inner);
        bodies.insert(body, touch);
    }

    pub(super) fn remove(&self, body: BodyId) {
        let mut bodies = self.0.write().unwrap_or_else(PoisonError::into_inner);
        bodies.remove(&body);
    }

    fn of(&self, bodies: [BodyId; 2]) -> Option<[JoltTouch; 2]> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Some([*known.get(&bodies[0])?, *known.get(&bodies[1])?])
    }

    fn settle(&self, manifold: &ContactManifold, settings: &mut ContactSettings) {
        let pair = &manifold.pair;
        if let Some([a, b]) = self.of([pair.body1, pair.body2]) {
            // Never an error: ground has Jolt's highest friction.
            let _ = settings.set_combined_friction(a.friction.min(b.friction));
        }
    }
}

impl ContactListener for JoltTouches {
    fn contact_validate(&self, contact: &ContactCandidate) -> ValidateResult {
        match self.of([contact.body1, contact.body2]) {
            Some([a, b]) if !a.touches(&b) => ValidateResult::RejectAllContactsForThisBodyPair,
            _ => ValidateResult::AcceptAllContactsForThisBodyPair,
        }
    }

    fn contact_added(&self, manifold: &ContactManifold, settings: &mut ContactSettings) {
        self.settle(manifold, settings);
    }

    fn contact_persisted(&self, manifold: &ContactManifold, settings: &mut ContactSettings) {
        self.settle(manifold, settings);
    }
}
