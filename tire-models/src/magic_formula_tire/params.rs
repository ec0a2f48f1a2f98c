//! Parameters of the Magic Formula as a tire of a vehicle: [`MagicFormulaParams`].

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector};

use crate::magic_formula::coefficients::{Coefficients, KEYS, Key};
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MagicFormulaParams {
    /// Version of the formulas: `"5.2"`, `"6.1"`, `"6.2"`.
    pub version: Version,
    /// Whether the tire is on the opposite side to the one its coefficients were measured on.
    #[serde(default)]
    pub mirrored: bool,
    /// How the coefficients are interpreted. By default without turn slip, for which few files have
    /// coefficients; the solver handles low speed.
    #[serde(default = "Settings::vehicle")]
    pub settings: Settings,
    /// The coefficients of the tire.
    pub coefficients: Coefficients,
}

impl MagicFormulaParams {
    /// The tire of a file, on the side it was measured on. Without any coefficient of combined
    /// slip, it uses the friction ellipse.
    #[must_use]
    pub fn from_file(file: &MagicFormulaFile) -> Self {
        let absent = |key: &Key| file.defaulted.contains(&key.name);
        let mut settings = Settings::vehicle();
        if KEYS.iter().filter(|key| is_weight(key)).all(absent) {
            settings.combined_slip = CombinedSlip::FrictionEllipse;
        }
        Self {
            version: file.version,
            mirrored: false,
            settings,
            coefficients: file.coefficients.clone(),
        }
    }

    /// The coefficients used for this side: mirrored if the tire is.
    #[must_use]
    pub fn own_coefficients(&self) -> Coefficients {
        if self.mirrored {
            mirror::coefficients(&self.coefficients, self.settings.variant)
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
            weighted || !is_weight(key)
        })
    }
}

/// Whether a coefficient is one of combined slip.
fn is_weight(key: &Key) -> bool {
    key.name.starts_with('R') && key.section.ends_with("COEFFICIENTS")
}

impl Check for MagicFormulaParams {
    fn check(&self, i: &mut Inspector) {
        i.within("coefficients", |i| {
            settings::check(&settings::known_to(self.version, &self.coefficients), i);
        });
    }
}
