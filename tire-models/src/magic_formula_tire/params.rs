//! Parameters of the Magic Formula as a tire of a vehicle: [`MagicFormulaParams`].

use serde::{Deserialize, Deserializer, Serialize};
use vehicle_core::{Check, Inspector};

use crate::magic_formula::coefficients::Coefficients;
use crate::magic_formula::mirror;
use crate::magic_formula::settings::{self, CombinedSlip, Settings, Version};
use crate::tir::{MagicFormulaFile, TirDocument, TirError, document_with};

/// Parameters of [`MagicFormulaTire`](super::MagicFormulaTire).
///
/// In a vehicle file, `file` names a `.tir` file, relative to the vehicle file, or `preset` one of
/// [`presets::FILES`](crate::presets::FILES); other keys override its contents. Coefficients have
/// the keys of `.tir` files, in SI units; without a file, absent ones have the values of
/// [`Coefficients::template`].
///
/// ```
/// use tire_models::TireRegistry;
///
/// let table = toml::from_str(
///     r#"
///     model = "magic-formula"
///     version = "6.1"
///     coefficients = { UNLOADED_RADIUS = 0.32, FNOMIN = 4200.0, PDY1 = 1.05 }
///     "#,
/// )?;
/// assert!(TireRegistry::with_builtins().build(table).is_ok());
/// let table = toml::from_str("model = 'magic-formula'\npreset = 'suv-255-55-r20'\nmirrored = true")?;
/// assert!(TireRegistry::with_builtins().build(table).is_ok());
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MagicFormulaParams {
    /// Version of the formulas: `"5.2"`, `"6.1"`, `"6.2"`, and `"mc"` for motorcycles.
    pub version: Version,
    /// Whether the tire is on the side of the car opposite to the one that its coefficients were measured on.
    pub mirrored: bool,
    /// Interpretation of the coefficients. By default without turn slip, for which few files have coefficients; the solver
    /// handles low speed.
    pub settings: Settings,
    /// The coefficients of the tire.
    pub coefficients: Coefficients,
}

impl<'de> Deserialize<'de> for MagicFormulaParams {
    /// Reads parameters; the version decides the values of absent coefficients.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Told {
            version: Version,
            #[serde(default)]
            mirrored: bool,
            #[serde(default = "Settings::vehicle")]
            settings: Settings,
            coefficients: Coefficients<Option<f64>>,
        }
        let told = Told::deserialize(deserializer)?;
        Ok(Self {
            version: told.version,
            mirrored: told.mirrored,
            settings: told.settings,
            coefficients: told
                .coefficients
                .over(&Coefficients::template_of(told.version)),
        })
    }
}

impl MagicFormulaParams {
    /// The tire of a file, on the side it was measured on. Without any coefficient of combined
    /// slip, it uses the friction ellipse.
    #[must_use]
    pub fn from_file(file: &MagicFormulaFile) -> Self {
        Self {
            version: file.version,
            mirrored: false,
            settings: Settings {
                combined_slip: file.combined_slip(),
                ..Settings::vehicle()
            },
            coefficients: file.coefficients.clone(),
        }
    }

    /// The coefficients used for this side: mirrored if the tire is.
    #[must_use]
    pub fn own_coefficients(&self) -> Coefficients {
        if self.mirrored {
            mirror::coefficients(&self.coefficients, self.version, self.settings.variant)
        } else {
            self.coefficients.clone()
        }
    }

    /// The tire as a new file in SI units: its [own coefficients](Self::own_coefficients), without
    /// those of combined slip if it uses the friction ellipse. Other settings cannot be stored in a
    /// file.
    ///
    /// # Errors
    /// If a coefficient is not finite.
    pub fn document(&self) -> Result<TirDocument, TirError> {
        let weighted = self.settings.combined_slip == CombinedSlip::Weighting;
        document_with(self.version, &self.own_coefficients(), |key| {
            weighted || !key.is_weight()
        })
    }
}

impl Check for MagicFormulaParams {
    fn check(&self, i: &mut Inspector) {
        i.within("coefficients", |i| {
            settings::check(self.version, &self.coefficients, i);
        });
    }
}
