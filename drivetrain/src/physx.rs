//! The rules of both generations of PhysX's vehicles, and PhysX's default values.
//!
//! The rest of the crate names each choice by its effect ([`DriveLogic`](crate::DriveLogic),
//! [`SpeedAxis`](crate::SpeedAxis), [`AxleLaw`](crate::AxleLaw), [`TorqueBy`](crate::TorqueBy),
//! [`FreeAxle`](crate::FreeAxle), [`TrackCoupling`](crate::TrackCoupling)); PhysX's version is
//! implemented here, next to the clean law that it replaces. In documents and vehicle files the
//! first is `rules = "physx-4"` or `"physx-5"`, the others have keys of their own.
//!
//! | module | what | source |
//! |---|---|---|
//! | `gears` | timers and order of gear changes | ALGORITHMS §4.2, §4.3, §7.5 |
//! | `intention` | when the driver counts as accelerating | §3.8, §7.7 |
//! | `laws` | responses, steering, differentials, tracks | §4.9, §7.4, §7.6 |
//! | `defaults` | default engine, clutch, gears, differential, brakes | §4.1 |
//! | `presets` | the drives of the SDK by name | §4.1 |

mod gears;
mod intention;
mod laws;
mod defaults;
mod presets;

pub use presets::{four_wheel_drive, n_wheel_drive, tank};
