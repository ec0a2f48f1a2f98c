//! The tires of a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tire_models::{SpecError, TireRegistry};
use toml::{Table, Value};
use vehicle_core::{Fault, TireModel};

use crate::document::ModelSpec;

/// The tires of a file, in alphabetical order.
#[derive(Default)]
pub(super) struct Tires<'a> {
    pub(super) names: Vec<&'a str>,
    /// Their tables, with references resolved.
    pub(super) specs: Vec<ModelSpec>,
    /// The valid ones.
    pub(super) models: Vec<Arc<dyn TireModel>>,
}

impl<'a> Tires<'a> {
    pub(super) fn build(
        tables: &'a BTreeMap<String, Table>,
        registry: &TireRegistry,
        folder: Option<&Path>,
        faults: &mut Vec<Fault>,
    ) -> Self {
        let mut tires = Self::default();
        for (name, table) in tables {
            tires.names.push(name);
            let inlined = registry.inlined(table.clone(), folder);
            let built = inlined.and_then(|spec| Ok((registry.build(spec.clone())?, spec)));
            match built {
                Ok((model, spec)) => {
                    tires.models.push(model);
                    tires.specs.push(ModelSpec(spec));
                }
                Err(error) => faults.extend(faults_of(name, table, error)),
            }
        }
        tires
    }
}

/// Faults of an invalid tire table.
fn faults_of(name: &str, table: &Table, error: SpecError) -> Vec<Fault> {
    let tire = format!("tires.{name}");
    match error {
        SpecError::Invalid { source, .. } => {
            let faults = source.0.into_iter().map(|fault| Fault {
                path: format!("{tire}.{}", fault.path),
                ..fault
            });
            faults.collect()
        }
        SpecError::Unresolved { source, .. } => vec![Fault {
            path: format!("{tire}.{}", source.key),
            value: source.value,
            rule: source.reason,
        }],
        error => vec![Fault {
            path: tire,
            value: Value::Table(table.clone()).to_string(),
            rule: error.to_string().trim_end().replace('\n', " "),
        }],
    }
}
