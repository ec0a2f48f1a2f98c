//! Ground without an engine.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// In data-flow order.
pub mod axes;
pub mod error;
pub mod ground;
pub mod plane;
mod profile;
pub mod ramp;
pub mod steps;
pub mod heightfield;
mod heightfield_text;
pub mod mesh;
mod obj;
pub mod grounds;
mod sleep;
pub mod body;
mod hull;
pub mod standalone;

pub use axes::Axes;
pub use body::{Body, BodyDesc, Hull};
pub use error::GroundError;
pub use ground::{Gap, Ground, Hit, Ray};
pub use grounds::{Grounds, Part};
pub use heightfield::HeightField;
pub use mesh::TriangleMesh;
pub use plane::Plane;
pub use ramp::Ramp;
pub use standalone::Standalone;
pub use steps::Steps;
