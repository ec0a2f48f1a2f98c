//! The tire models of this crate by name.

use std::sync::Arc;

use vehicle_core::{Checked, TireModel};

use crate::spec::{TireParams, TireRegistry};
use crate::tir::inlined;
use crate::{
    Bakker87Params, BrushParams, DugoffParams, FialaParams, FrictionParams, LinearParams,
    LuGreParams, MagicFormulaParams, MichiganParams, Pacejka89Params, Pacejka94Params,
    RelaxingParams, SlipCurvesParams, ThermalParams, TmEasyParams, TmSimpleParams,
};

impl TireRegistry {
    /// A registry of the models of this crate: `michigan`, `linear`, `friction`, `slip-curves`, `dugoff`,
    /// `fiala`, `brush`, `tmsimple`, `tmeasy`, `lugre`, `bakker-87`, `pacejka-89`, `pacejka-94`,
    /// `magic-formula`, and on top of any of them `relaxing` and `thermal`.
    #[must_use]
    pub fn with_builtins() -> Self {
        Self::empty("tire")
            .register::<MichiganParams>("michigan")
            .register::<LinearParams>("linear")
            .register::<FrictionParams>("friction")
            .register::<SlipCurvesParams>("slip-curves")
            .register::<DugoffParams>("dugoff")
            .register::<BrushParams>("brush")
            .register::<TmSimpleParams>("tmsimple")
            .register::<TmEasyParams>("tmeasy")
            .register::<LuGreParams>("lugre")
            .register::<Bakker87Params>("bakker-87")
            .with_inline(
                "fiala",
                |t, f| inlined(t, f, FialaParams::from_document),
                made::<FialaParams>,
            )
            .with_inline(
                "pacejka-89",
                |t, f| inlined(t, f, Pacejka89Params::from_document),
                made::<Pacejka89Params>,
            )
            .with_inline(
                "pacejka-94",
                |t, f| inlined(t, f, Pacejka94Params::from_document),
                made::<Pacejka94Params>,
            )
            .register::<MagicFormulaParams>("magic-formula")
            .register_over::<RelaxingParams>("relaxing")
            .register_over::<ThermalParams>("thermal")
    }
}

/// The model of checked parameters.
fn made<P: TireParams>(params: Checked<P>) -> Arc<dyn TireModel> {
    Arc::new(P::build(params))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SpecError;
    use rstest::rstest;
    use vehicle_core::TireInput;

    fn build_from(text: &str) -> Result<Arc<dyn TireModel>, SpecError> {
        TireRegistry::with_builtins().build(toml::from_str(text).unwrap())
    }

    #[test]
    fn a_written_tire_acts_as_the_same_tire_in_code() {
        let text = format!(
            "model = \"michigan\"\n{}",
            toml::to_string(&MichiganParams::physx()).unwrap()
        );
        let input = TireInput {
            slip_ratio: 0.1,
            tan_slip_angle: -0.1,
            radius: 0.3,
            load: 4000.0,
            rest_load: 4000.0,
            friction: 1.0,
            gravity: 9.81,
            ..TireInput::default()
        };
        let in_code = crate::Michigan::new(Checked::new(MichiganParams::physx()).unwrap());
        let from_file = build_from(&text).unwrap();
        assert_eq!(from_file.forces(&input), in_code.forces(&input));
    }

    #[rstest]
    #[case::missing("a = 1", "a tire needs `model = \"...\"`, one of: ")]
    #[case::unknown("model = \"magic\"", "no tire model is called \"magic\"; known are: ")]
    fn a_wrong_name_lists_the_right_ones(#[case] text: &str, #[case] message: &str) {
        let names: Vec<_> = TireRegistry::with_builtins()
            .names()
            .map(str::to_owned)
            .collect();
        let message = format!("{message}{}", names.join(", "));
        assert_eq!(build_from(text).unwrap_err().to_string(), message);
    }

    #[test]
    fn a_misspelled_parameter_is_refused() {
        let text = "model = \"linear\"\nslip_stifness = 1.0";
        let error = build_from(text).unwrap_err();
        assert!(matches!(error, SpecError::Malformed { .. }));
        assert!(error.to_string().contains("slip_stifness"), "{error}");
    }

    #[test]
    fn every_fault_is_reported() {
        let text = "model = \"linear\"\nslip_stiffness = -1.0\ncornering_stiffness = 0.0\n\
                    camber_stiffness = 0.0\ntrail = 0.0";
        let error = build_from(text).unwrap_err();
        let SpecError::Invalid { source, .. } = error else {
            panic!("{error}");
        };
        assert_eq!(source.0.len(), 2);
    }
}
