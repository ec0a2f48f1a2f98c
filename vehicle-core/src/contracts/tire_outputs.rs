//! Queries of the rows solver to four tires at once, which save work in laws that evaluate a load once.

use crate::base::lanes::W4;
use crate::contracts::tire::{TireForces, TireProperties};

/// Quantities requested of four tires in addition to their forces at a slip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TireRequest {
    /// Forces at the opposite slip.
    pub opposite: bool,
    /// Aligning and overturning moment at the opposite slip.
    pub opposite_moments: bool,
    /// Properties.
    pub properties: bool,
}

/// Forces and properties of four wheels at one load, camber and friction; default where not requested.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireOutputs {
    /// Forces, moments and rolling resistance at the slip.
    pub forces: TireForces<W4>,
    /// Forces at the opposite slip; moments that are not requested and rolling resistance may be any finite numbers.
    pub opposite: TireForces<W4>,
    /// Properties.
    pub properties: TireProperties<W4>,
}
