//! The tires of a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tire_models::{SpecError, TireRegistry};
use toml::{Table, Value};
use vehicle_core::params::Unsprung;
use vehicle_core::{Fault, TireModel};

use crate::document::ModelSpec;
use crate::file::message::shown;
use crate::file::read::{FileFindings, Unread, read_by};
use crate::file::schema::UnsprungFile;

/// The tires of a file, in alphabetical order.
#[derive(Default)]
pub(super) struct Tires<'a> {
    pub(super) names: Vec<&'a str>,
    /// Tables of the tires, with references resolved.
    pub(super) specs: Vec<ModelSpec>,
    /// Models of the valid tires.
    pub(super) models: Vec<Arc<dyn TireModel>>,
}

impl<'a> Tires<'a> {
    pub(super) fn build(
        tables: &'a BTreeMap<String, Table>,
        registry: &TireRegistry,
        folder: Option<&Path>,
        findings: &mut FileFindings,
    ) -> Self {
        let mut tires = Self::default();
        for (name, table) in tables {
            tires.names.push(name);
            let spec = match registry.inlined(table.clone(), folder) {
                Ok(spec) => spec,
                Err(error) => {
                    findings.broken.extend(faults_of(name, table, error));
                    continue;
                }
            };
            let path = format!("tires.{name}");
            let faults = findings.count();
            match read_by(spec.clone(), &path, findings, |spec| made(registry, spec)) {
                Some(Ok(model)) if findings.count() == faults => {
                    tires.models.push(model);
                    tires.specs.push(ModelSpec(spec));
                }
                Some(Err(error)) => findings.broken.extend(faults_of(name, table, error)),
                // What stands in is no tire.
                _ => {}
            }
        }
        tires
    }

    /// The unsprung mass of a wheel on axle `n` with the tire number `model`: what is not given is that of the tire's `.tir`
    /// file. Where neither gives the damping, there is none; where neither gives the stiffness, that is a fault of the axle.
    pub(super) fn unsprung(
        &self,
        given: UnsprungFile,
        model: usize,
        n: usize,
        faults: &mut Vec<Fault>,
    ) -> Unsprung {
        // An invalid tire is a fault already, and has no number.
        let all_valid = self.specs.len() == self.names.len();
        let spec = self.specs.get(model).filter(|_| all_valid);
        let of_tire = |key| spec.and_then(|spec| coefficient(&spec.0, key));
        let stiffness = given
            .tire_stiffness
            .or_else(|| of_tire("VERTICAL_STIFFNESS"));
        let damping = given.tire_damping.or_else(|| of_tire("VERTICAL_DAMPING"));
        if stiffness.is_none() && spec.is_some() {
            let path = format!("axles[{n}].unsprung.tire_stiffness");
            let rule = format!(
                "must be given: tires.{} has no VERTICAL_STIFFNESS of a .tir file",
                self.names[model]
            );
            let fault = Fault::new(path, "nothing", "", rule);
            // Both wheels of an axle have it.
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        Unsprung {
            mass: given.mass,
            // Of a file with a fault, nothing is built.
            tire_stiffness: stiffness.unwrap_or(1.0),
            tire_damping: damping.unwrap_or(0.0),
        }
    }
}

/// The model of a table, or why it breaks its rules; an error if it cannot be read.
fn made(
    registry: &TireRegistry,
    spec: Table,
) -> Result<Result<Arc<dyn TireModel>, SpecError>, Unread> {
    match registry.build(spec) {
        Err(SpecError::Malformed { path, source, .. }) => Err(Unread {
            path,
            message: source.message().to_owned(),
        }),
        built => Ok(built),
    }
}

/// A coefficient of a tire, or of the inner law of one that modifies another.
fn coefficient(spec: &Table, key: &str) -> Option<f32> {
    let own = spec.get("coefficients").and_then(|all| all.get(key));
    let own = own.and_then(|value| value.clone().try_into().ok());
    own.or_else(|| coefficient(spec.get("law")?.as_table()?, key))
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
            value: shown(&Value::Table(table.clone())),
            rule: error.to_string().trim_end().replace('\n', " "),
        }],
    }
}
