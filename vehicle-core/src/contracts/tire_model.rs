//! The contract [`TireModel`]: force from slip. A pure law without time step and state, except as declared by
//! [`StatefulTire`].

use alloc::sync::Arc;
use core::any::Any;
use core::fmt::Debug;

use crate::base::lanes::{LANES, Mask4, W4};
use crate::contracts::stateful_tire::StatefulTire;
use crate::contracts::tire::{TireForces, TireInput, TireProperties, TireTraits};
#[doc(hidden)]
pub use crate::contracts::tire_outputs::{TireOutputs, TireRequest};

/// A tire law.
///
/// * It is a pure function: the same input gives the same output; there is no time step.
/// * It is total: every finite input gives finite output, and zero load or zero friction gives
///   zero force.
/// * Forces oppose slip: away from a model's own offsets, longitudinal force has the sign of the
///   slip ratio and lateral force the opposite sign of the slip angle.
pub trait TireModel: Any + Debug + Send + Sync {
    /// Forces of one wheel.
    fn forces(&self, input: &TireInput) -> TireForces;

    /// Traits of the model's forces. The safe default causes more calls.
    fn traits(&self) -> TireTraits {
        TireTraits::UNKNOWN
    }

    /// Properties of the tire at this load, camber and friction, independent of the input's slips and speeds.
    /// Called only if the law's traits say so.
    fn properties(&self, input: &TireInput) -> TireProperties {
        TireProperties::plain(input)
    }

    /// The law as a stateful one; by default it has no state.
    fn stateful(&self) -> Option<&dyn StatefulTire> {
        None
    }

    /// Properties of four wheels, under the conditions of [`TireModel::forces4`].
    #[doc(hidden)]
    fn properties4(&self, input: &TireInput<W4>, mask: Mask4) -> TireProperties<W4> {
        let mut lanes = [TireProperties::default(); LANES];
        for (i, lane) in lanes.iter_mut().enumerate() {
            if mask.lane(i) {
                *lane = self.properties(&input.lane(i));
            }
        }
        TireProperties::of(&lanes)
    }

    /// Forces of four wheels at a slip, and other requested quantities at the same load, camber and friction,
    /// under the conditions of [`TireModel::forces4`].
    ///
    /// The provided method calls the others one by one. A model that saves work by evaluating a load once
    /// overrides it, and must give the same bits.
    #[doc(hidden)]
    fn evaluate4(&self, input: &TireInput<W4>, mask: Mask4, request: TireRequest) -> TireOutputs {
        let mut outputs = TireOutputs {
            forces: self.forces4(input, mask),
            ..TireOutputs::default()
        };
        if request.opposite {
            outputs.opposite = self.forces4(&input.opposite(), mask);
        }
        if request.properties {
            outputs.properties = self.properties4(input, mask);
        }
        outputs
    }

    /// This model on the wheels `own` and `other` on the rest, in one: laws whose parameters may differ from lane to
    /// lane evaluate the tires of all wheels at once. `None`, the default, leaves them apart. Of the result only the
    /// methods for four wheels are called, and they must give the same bits.
    #[doc(hidden)]
    fn joined(&self, own: Mask4, other: &dyn TireModel) -> Option<Arc<dyn TireModel>> {
        let _ = (own, other);
        None
    }

    /// Forces of four wheels; lanes outside `mask` are not used and may be anything finite.
    ///
    /// The provided method calls [`TireModel::forces`] lane by lane. A model that overrides it must give the
    /// same bits.
    #[doc(hidden)]
    fn forces4(&self, input: &TireInput<W4>, mask: Mask4) -> TireForces<W4> {
        let mut lanes = [TireForces::default(); LANES];
        for (i, lane) in lanes.iter_mut().enumerate() {
            if mask.lane(i) {
                *lane = self.forces(&input.lane(i));
            }
        }
        TireForces::of(&lanes)
    }
}
