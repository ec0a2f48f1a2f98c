//! Avian as a world.
