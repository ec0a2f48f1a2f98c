//! The Magic Formula as a vehicle's tire: from a `.tir` file, a preset or a table to a
//! [`TireModel`](vehicle_core::TireModel).

mod params;
mod source;
mod model;

use std::path::Path;

use toml::Table;
use vehicle_core::Checked;

use crate::registry::Unresolved;
use crate::spec::TireParams;

pub use model::MagicFormulaTire;
pub use params::MagicFormulaParams;

impl TireParams for MagicFormulaParams {
    type Model = MagicFormulaTire;
    fn build(params: Checked<Self>) -> MagicFormulaTire {
        MagicFormulaTire::new(params)
    }

    fn inlined(table: Table, folder: Option<&Path>) -> Result<Table, Unresolved> {
        source::inlined(table, folder)
    }
}
