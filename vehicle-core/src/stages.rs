//! One step, as data flows: free functions of plain data, which both solvers call.

pub mod wheel_consts;
pub mod steering;
pub mod strut_curves;
pub mod anti_roll;
pub mod tire_use;
pub mod kind;
pub mod contact;
pub mod chassis;
pub mod suspension;
pub mod load;
pub mod slip;
pub mod spin;
pub mod outputs;
