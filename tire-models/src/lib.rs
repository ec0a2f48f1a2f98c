//! Tire laws for the contract [`vehicle_core::TireModel`], and the registry that builds one from a
//! vehicle file.
//!
//! ```
//! use tire_models::{Michigan, MichiganParams};
//! use vehicle_core::{Checked, TireInput, TireModel};
//!
//! let tire = Michigan::new(Checked::new(MichiganParams::physx()).unwrap());
//! let forces = tire.forces(&TireInput {
//!     slip_ratio: 0.05,
//!     radius: 0.3,
//!     load: 4000.0,
//!     rest_load: 4000.0,
//!     friction: 1.0,
//!     gravity: 9.81,
//!     ..TireInput::default()
//! });
//! assert!(forces.longitudinal > 0.0 && forces.longitudinal <= 4000.0);
//! ```
//!
//! | module | law |
//! |---|---|
//! | [`michigan`] | combined slip as in the PhysX vehicle SDK: four stiffnesses |
//! | [`linear`] | constant stiffnesses inside the friction circle |
//! | [`friction`] | no slip curve: sticks, or slides in a cone or pyramid of friction |
//! | [`slip_curves`] | user-drawn curves of friction over slip |
//! | [`dugoff`] | two stiffnesses and a friction circle in closed form |
//! | [`fiala`] | a brush with a friction that falls with slip |
//! | [`brush`] | bristles of two stiffnesses, static and kinetic friction |
//! | [`tmsimple`] | a saturating sine, of Rill |
//! | [`tmeasy`] | curves from five numbers, of Rill |
//! | [`lugre`] | bristles with their own state |
//! | [`bakker87`], [`pacejka89`], [`pacejka94`] | the Magic Formulas before 1996; [`pacejka`] is what they share |
//! | [`magic_formula`], [`magic_formula_tire`] | Pacejka's Magic Formula 5.2, 6.1 and 6.2; as a tire of vehicles |
//! | [`relaxing`], [`thermal`] | additions to any law: relaxation lengths; temperature, wear,
//! pressure |
//! | [`presets`] | preset tires |
//! | [`tir`] | files of Magic Formula parameters |
//! | [`frames`] | axes and signs of ISO, SAE and Pacejka's book; mirror images |
//! | [`steady`] | how a law written once becomes a model |
//! | [`derivatives`] | exact slopes of any law |
//! | [`real`] | the number types of the formulas |
//! | [`registry`] | models of any sort by name |
//! | [`spec`] | tire models by name: what a vehicle file's `model = "…"` means |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod real;
mod limits;
pub mod registry;
pub mod spec;
pub mod steady;
pub mod frames;
pub mod magic_formula;
pub mod pacejka;
pub mod bakker87;
pub mod brush;
pub mod dugoff;
pub mod fiala;
pub mod linear;
pub mod friction;
pub mod lugre;
pub mod michigan;
pub mod pacejka89;
pub mod pacejka94;
pub mod relaxing;
pub mod slip_curves;
pub mod thermal;
mod rill;
pub mod tmsimple;
pub mod tmeasy;
pub mod tir;
pub mod presets;
pub mod magic_formula_tire;
mod builtins;
pub mod derivatives;

pub use bakker87::{Bakker87, Bakker87Params};
pub use brush::{Brush, BrushParams};
pub use dugoff::{Dugoff, DugoffParams};
pub use fiala::{Fiala, FialaParams};
pub use friction::{Friction, FrictionParams, FrictionShape};
pub use linear::{Linear, LinearParams};
pub use lugre::{LuGre, LuGreParams};
pub use magic_formula_tire::{MagicFormulaParams, MagicFormulaTire};
pub use michigan::{Michigan, MichiganParams};
pub use pacejka89::{Pacejka89, Pacejka89Params};
pub use pacejka94::{Pacejka94, Pacejka94Params};
pub use registry::{Registry, SpecError, Unresolved, table_of};
pub use relaxing::{Relaxing, RelaxingParams};
pub use slip_curves::{SlipCurves, SlipCurvesParams};
pub use spec::{TireOver, TireParams, TireRegistry};
pub use thermal::{Thermal, ThermalParams};
pub use tmeasy::{TmEasy, TmEasyParams};
pub use tmsimple::{TmSimple, TmSimpleParams};
