//! The Magic Formula as a tire of a vehicle: [`MagicFormulaParams`], [`MagicFormulaTire`].

use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::Table;
use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::tire_model::{
    TireAnswers4, TireForces4, TireInput4, TireProperties4, TireTraits, TireWants,
};
use vehicle_core::units::{Scaled, UnitScale};
use vehicle_core::{Check, Checked, Inspector, TireForces, TireInput, TireModel, TireProperties};

use crate::real::{Real, each};
use crate::registry::Unresolved;
use crate::spec::TireParams;
use crate::tir::{Document, MagicFormulaFile, TirError, document_with};

use super::coefficients::{Coefficients, KEYS, Key};
use super::limits::bounded;
use super::settings::{self, CombinedSlip, Settings, Version};
use super::{
    Load, LoadContext, MagicFormula, Slip, mirror, overturning, rolling_resistance, source,
};

/// Parameters of [`MagicFormulaTire`].
///
/// In a vehicle file, `file` names a `.tir` file, relative to the vehicle file, or `preset` one of
/// [`presets::FILES`](crate::presets::FILES); what stands beside goes before what is there. Coefficients
/// have the keys of `.tir` files, in SI units; without a file, absent ones are those of
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
    /// Whether the tire is on the other side than the coefficients were measured for.
    #[serde(default)]
    pub mirrored: bool,
    /// How the coefficients are read. By default without turn slip, which costs a third more and few files have
    /// coefficients for; low speed is the solver's affair.
    #[serde(default = "Settings::vehicle")]
    pub settings: Settings,
    /// The numbers of the tire.
    pub coefficients: Coefficients,
}

impl MagicFormulaParams {
    /// The tire of a file, on the side that it was measured for. Without any coefficient of combined
    /// slip, it has the friction ellipse.
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

    /// The coefficients that the tire is computed with: those of the other side where it is mirrored.
    #[must_use]
    pub fn own_coefficients(&self) -> Coefficients {
        if self.mirrored {
            mirror::coefficients(&self.coefficients, self.settings.variant)
        } else {
            self.coefficients.clone()
        }
    }

    /// The tire as a new file in SI units: its [own coefficients](Self::own_coefficients), without those of
    /// combined slip where it has the friction ellipse. No other setting has a place in a file.
    ///
    /// # Errors
    /// If a coefficient is not finite.
    pub fn document(&self) -> Result<Document, TirError> {
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

/// Coefficients of 6.2 that are no plain numbers, though files give them in SI units: powers of length
/// and mass.
const WITH_DIMENSION: [(&str, (i32, i32)); 4] = [
    ("Q_CAM2", (-1, 0)),
    ("Q_FYS1", (1, 1)),
    ("Q_FYS2", (1, 1)),
    ("Q_FYS3", (1, 1)),
];

impl Scaled for MagicFormulaParams {
    fn scaled(&self, scale: UnitScale) -> Self {
        let mut coefficients = self.coefficients.clone();
        for (key, value) in self.coefficients.iter() {
            let special = WITH_DIMENSION.iter().find(|(name, _)| *name == key.name);
            let (length, mass) = special.map_or(key.dimension.powers(), |(_, powers)| *powers);
            coefficients.set(key.name, value * scale.factor(length, mass));
        }
        Self {
            coefficients,
            ..self.clone()
        }
    }
}

impl TireParams for MagicFormulaParams {
    type Model = MagicFormulaTire;
    fn build(params: Checked<Self>) -> MagicFormulaTire {
        MagicFormulaTire::new(params)
    }

    fn inlined(table: Table, folder: Option<&Path>) -> Result<Table, Unresolved> {
        source::inlined(table, folder)
    }
}

/// The Magic Formula as a [`TireModel`].
///
/// The solver's slip ratio and tangent are taken as κ and tan α; friction is grip over that of the
/// measurement. Forces depend on slip alone, so that they are continuous where the wheel turns round; the
/// aligning moment turns round with the direction of travel, over `VXLOW`. Rolling resistance is that at
/// no less than `VXLOW`, and also holds a standing wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct MagicFormulaTire {
    one: MagicFormula<f32>,
    four: MagicFormula<W4>,
}

/// What a solver tells of wheels, as the formulas take it.
#[derive(Clone, Copy)]
struct Wheel<T> {
    load: Load<T>,
    slip: Slip<T>,
    /// What the aligning moment is multiplied with: −1 backward, 1 forward.
    direction: T,
    radius: T,
}

/// What moments have of a wheel's load alone, for any number of slips.
struct Moments<T> {
    overturning: overturning::AtLoad<T>,
    resistance: rolling_resistance::AtLoad<T>,
}

impl<T: Real> Moments<T> {
    #[inline]
    fn new(tire: &MagicFormula<T>, at: &LoadContext<T>) -> Self {
        Self {
            overturning: overturning::AtLoad::new(tire, at),
            resistance: rolling_resistance::AtLoad::new(tire, at),
        }
    }
}

/// Properties of a wheel, in the order of [`TireProperties`].
struct Properties<T>([[T; 2]; 3]);

/// Forces of a wheel, in the order of [`TireForces`].
struct Forces<T>([T; 6]);

impl MagicFormulaTire {
    /// A tire with these parameters.
    #[must_use]
    pub fn new(params: Checked<MagicFormulaParams>) -> Self {
        let params = params.into_inner();
        let settings = Settings {
            low_speed: false,
            ..params.settings
        };
        let c = params.own_coefficients();
        Self {
            one: MagicFormula::checked(&c, params.version, settings),
            four: MagicFormula::checked(&c, params.version, settings),
        }
    }

    /// The formulas themselves, for what a [`TireModel`] does not ask.
    #[must_use]
    pub fn formula(&self) -> &MagicFormula<f32> {
        &self.one
    }
}

impl Wheel<f32> {
    fn of(tire: &MagicFormula<f32>, input: &TireInput) -> Self {
        Self::new(
            tire,
            [
                input.forward_speed,
                input.slip_ratio,
                input.tan_slip_angle,
                input.camber,
                input.load,
                input.friction,
                input.radius,
                input.yaw_speed,
                input.pressure,
            ],
        )
    }
}

impl Wheel<W4> {
    fn of4(tire: &MagicFormula<W4>, input: &TireInput4) -> Self {
        Self::new(
            tire,
            [
                input.forward_speed,
                input.slip_ratio,
                input.tan_slip_angle,
                input.camber,
                input.load,
                input.friction,
                input.radius,
                input.yaw_speed,
                input.pressure,
            ],
        )
    }
}

impl<T: Real> Wheel<T> {
    /// Speed, slips, camber, load, friction, radius, yaw speed, pressure.
    #[inline]
    fn new(tire: &MagicFormula<T>, x: [T; 9]) -> Self {
        let [
            speed,
            ratio,
            tangent,
            camber,
            load,
            grip,
            radius,
            yaw_speed,
            pressure,
        ] = x;
        let slow = tire.c.VXLOW.max(T::of(1e-3));
        let direction = (speed / slow).clamp(-T::one(), T::one());
        let rolling = speed.abs().max(slow);
        let inflated = T::select(pressure.gt(T::zero()), pressure, tire.c.INFLPRES);
        Self {
            load: Load {
                inclination: camber,
                grip,
                pressure: Some(inflated),
                ..Load::new(load)
            },
            slip: Slip {
                ratio,
                angle: tangent.atan(),
                tangent: Some(bounded(tangent, 1e15)),
                // Curvature of the path; backward, everything is turned round.
                turn: -(bounded(yaw_speed, 1e15) / rolling) * direction,
                ..Slip::rolling(rolling)
            },
            direction,
            radius,
        }
    }

    /// The same at the opposite slip.
    #[inline]
    fn opposite(&self) -> Self {
        let Slip {
            ratio,
            angle,
            tangent,
            ..
        } = self.slip;
        Self {
            slip: Slip {
                ratio: -ratio,
                angle: -angle,
                tangent: tangent.map(|tangent| -tangent),
                ..self.slip
            },
            ..*self
        }
    }

    /// Forces at its slip; moments are 0 if they are not asked for.
    #[inline]
    fn forces(
        &self,
        tire: &MagicFormula<T>,
        at: &LoadContext<T>,
        moments: Option<&Moments<T>>,
    ) -> Forces<T> {
        let planar = tire.planar(at, &self.slip);
        let greatest = T::of(1e30);
        let carries = self.load.force.gt(T::zero()) & self.load.grip.gt(T::zero());
        let sound = |x: T| T::select(carries & x.abs().le(greatest), x, T::zero());
        let along = sound(planar.longitudinal);
        let radius = self.radius.clamp(T::zero(), T::of(1e6));
        let torque = T::zero() - along * radius;
        let across = sound(planar.lateral);
        let Some(moments) = moments else {
            let none = T::zero();
            return Forces([along, across, none, none, none, torque]);
        };
        let aligning = tire.aligning(at, &planar).moment * self.direction;
        let overturning = tire.overturning_of(&moments.overturning, at, &planar);
        // The wheel here rolls forward; where it turns backward all the same, My changes its sign.
        let resistance = tire.rolling_resistance_of(&moments.resistance, &planar);
        Forces([
            along,
            across,
            sound(aligning),
            sound(overturning),
            sound(resistance.abs()),
            torque,
        ])
    }
}

/// Of a tire at a load, without slip.
#[inline]
fn properties<T: Real>(tire: &MagicFormula<T>, at: &LoadContext<T>) -> Properties<T> {
    let c = &tire.c;
    let anew;
    let levels = match &at.levels {
        Some(levels) => levels,
        // Without slip, friction has not decayed.
        None => {
            anew = tire.levels(at, None);
            &anew
        }
    };
    let (x, y) = (&levels.longitudinal, &levels.lateral);
    let relaxation = tire.relaxation_of(at, y.stiffness);
    // Of D, what the sine comes to.
    let quarter = T::of(core::f64::consts::FRAC_PI_2);
    let most = |shape: T| (shape.min(T::one()) * quarter).sin();
    let load = at.load() * at.scale;
    let sound = |x: T| T::select(x.abs().le(T::of(1e30)), x.abs(), T::zero());
    Properties([
        [
            sound(x.friction * load * most(c.PCX1 * c.LCX)),
            sound(y.friction * load * most(c.PCY1 * c.LCY)),
        ],
        [
            sound(at.longitudinal.stiffness * at.scale),
            sound(y.stiffness * at.scale),
        ],
        [
            sound(relaxation.longitudinal_length),
            sound(relaxation.lateral_length),
        ],
    ])
}

impl TireModel for MagicFormulaTire {
    fn traits(&self) -> TireTraits {
        TireTraits::UNKNOWN
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        let at = self.one.at_load(&Wheel::of(&self.one, input).load);
        let [grip, slip_stiffness, relaxation_length] = properties(&self.one, &at).0;
        TireProperties {
            grip,
            slip_stiffness,
            relaxation_length,
        }
    }

    fn properties4(&self, input: &TireInput4, _: Mask4) -> TireProperties4 {
        let at = self.four.at_load(&Wheel::of4(&self.four, input).load);
        properties(&self.four, &at).into()
    }

    fn forces(&self, input: &TireInput) -> TireForces {
        let wheel = Wheel::of(&self.one, input);
        let at = self.one.at_load(&wheel.load);
        let moments = Moments::new(&self.one, &at);
        let [
            longitudinal,
            lateral,
            aligning_moment,
            overturning_moment,
            rolling_resistance,
            wheel_torque,
        ] = wheel.forces(&self.one, &at, Some(&moments)).0;
        TireForces {
            longitudinal,
            lateral,
            aligning_moment,
            overturning_moment,
            rolling_resistance,
            wheel_torque,
        }
    }

    fn answers4(&self, input: &TireInput4, mask: Mask4, wants: TireWants) -> TireAnswers4 {
        let wheel = Wheel::of4(&self.four, input);
        let at = self.four.at_load(&wheel.load);
        let moments = Moments::new(&self.four, &at);
        let forces = wheel.forces(&self.four, &at, Some(&moments));
        let mut answers = TireAnswers4 {
            forces: forces.within(mask),
            ..TireAnswers4::default()
        };
        if wants.opposite {
            let moments = wants.opposite_moments.then_some(&moments);
            let forces = wheel.opposite().forces(&self.four, &at, moments);
            answers.opposite = forces.within(mask);
        }
        if wants.properties {
            answers.properties = properties(&self.four, &at).into();
        }
        answers
    }

    fn forces4(&self, input: &TireInput4, mask: Mask4) -> TireForces4 {
        let wheel = Wheel::of4(&self.four, input);
        let at = self.four.at_load(&wheel.load);
        let moments = Moments::new(&self.four, &at);
        let forces = wheel.forces(&self.four, &at, Some(&moments));
        forces.within(mask)
    }
}

impl From<Properties<W4>> for TireProperties4 {
    fn from(Properties([grip, slip_stiffness, relaxation_length]): Properties<W4>) -> Self {
        Self {
            grip,
            slip_stiffness,
            relaxation_length,
        }
    }
}

impl Forces<W4> {
    /// As a solver takes them, 0 in lanes outside of `mask`.
    fn within(self, mask: Mask4) -> TireForces4 {
        let [
            longitudinal,
            lateral,
            aligning_moment,
            overturning_moment,
            rolling_resistance,
            wheel_torque,
        ] = each(self.0, |x, _| mask.keep(x));
        TireForces4 {
            longitudinal,
            lateral,
            aligning_moment,
            overturning_moment,
            rolling_resistance,
            wheel_torque,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use proptest::prelude::*;
    use vehicle_core::lanes::LANES;

    fn params() -> MagicFormulaParams {
        let mut coefficients = Coefficients::template();
        (coefficients.PHY1, coefficients.PVY1) = (0.003, 0.02);
        MagicFormulaParams {
            version: Version::V61,
            mirrored: false,
            settings: Settings::vehicle(),
            coefficients,
        }
    }

    fn tire(params: MagicFormulaParams) -> MagicFormulaTire {
        MagicFormulaTire::new(Checked::new(params).unwrap())
    }

    fn input(slip_ratio: f32, tan_slip_angle: f32) -> TireInput {
        TireInput {
            slip_ratio,
            tan_slip_angle,
            forward_speed: 15.0,
            radius: 0.31,
            load: 4000.0,
            rest_load: 4000.0,
            friction: 1.0,
            gravity: 9.81,
            ..TireInput::default()
        }
    }

    #[test]
    fn forces_are_those_of_the_formulas() {
        let tire = tire(params());
        let formula = tire.formula();
        let at = formula.at_load(&Load::new(4000.0));
        let slip = Slip {
            ratio: 0.06,
            angle: libm::atanf(0.05),
            ..Slip::rolling(15.0)
        };
        let planar = formula.planar(&at, &slip);
        let found = tire.forces(&input(0.06, 0.05));
        assert_eq!(found.longitudinal, planar.longitudinal);
        assert_eq!(found.lateral, planar.lateral);
        assert_eq!(found.aligning_moment, formula.aligning(&at, &planar).moment);
        assert_eq!(found.overturning_moment, formula.overturning(&at, &planar));
        let resistance = -formula.rolling_resistance(&at, &planar);
        assert!(resistance > 0.0);
        assert_eq!(found.rolling_resistance, resistance);
        assert_relative_eq!(found.wheel_torque, -0.31 * planar.longitudinal);
    }

    #[test]
    fn properties_are_those_of_the_curves() {
        let mut params = params();
        // Without rise, both directions are alike.
        params.coefficients.PVY1 = 0.0;
        let tire = tire(params);
        let told = tire.properties(&input(0.5, 0.5));
        let slips = (1..3000).map(|i| 1e-3 * i as f32);
        let most = |of: fn(&TireForces) -> f32, at: fn(f32) -> TireInput| {
            let forces = slips.clone().map(|s| of(&tire.forces(&at(s))).abs());
            forces.fold(0.0, f32::max)
        };
        let along = most(|f| f.longitudinal, |s| input(s, 0.0));
        let across = most(|f| f.lateral, |s| input(0.0, s));
        assert_relative_eq!(told.grip[0], along, max_relative = 2e-3);
        assert_relative_eq!(told.grip[1], across, max_relative = 2e-3);

        let slope = |a: f32, b: f32| (a - b).abs() / 2e-3;
        let f = |x, y| tire.forces(&input(x, y));
        let stiffness = [
            slope(f(1e-3, 0.0).longitudinal, f(-1e-3, 0.0).longitudinal),
            slope(f(0.0, 1e-3).lateral, f(0.0, -1e-3).lateral),
        ];
        for (told, found) in told.slip_stiffness.into_iter().zip(stiffness) {
            assert_relative_eq!(told, found, max_relative = 0.01);
        }
        let c = tire.formula().coefficients();
        for (n, carcass) in [c.LONGITUDINAL_STIFFNESS, c.LATERAL_STIFFNESS]
            .into_iter()
            .enumerate()
        {
            let length = told.slip_stiffness[n] / carcass;
            assert_relative_eq!(told.relaxation_length[n], length, max_relative = 1e-5);
        }
    }

    #[test]
    fn reversing_is_continuous_and_turns_the_aligning_moment() {
        let tire = tire(params());
        let at_speed = |forward_speed| {
            tire.forces(&TireInput {
                forward_speed,
                ..input(0.02, 0.03)
            })
        };
        let (back, forth) = (at_speed(-5.0), at_speed(5.0));
        assert_eq!(back.lateral, forth.lateral);
        assert_eq!(back.aligning_moment, -forth.aligning_moment);
        assert_eq!(back.rolling_resistance, forth.rolling_resistance);
        let standing = at_speed(0.0).rolling_resistance;
        assert!(standing > 0.0 && standing < forth.rolling_resistance);
        let (before, after) = (at_speed(-1e-5), at_speed(1e-5));
        assert_relative_eq!(
            before.aligning_moment,
            after.aligning_moment,
            epsilon = 1e-2
        );
    }

    #[test]
    fn the_other_side_mirrors_forces() {
        let left = tire(params());
        let right = tire(MagicFormulaParams {
            mirrored: true,
            ..params()
        });
        let leaning = |tan_slip_angle, camber| TireInput {
            camber,
            ..input(0.03, tan_slip_angle)
        };
        let (l, r) = (
            left.forces(&leaning(0.04, 0.05)),
            right.forces(&leaning(-0.04, -0.05)),
        );
        assert_relative_eq!(l.longitudinal, r.longitudinal, max_relative = 1e-6);
        assert_relative_eq!(l.lateral, -r.lateral, max_relative = 1e-6);
        assert_relative_eq!(l.aligning_moment, -r.aligning_moment, max_relative = 1e-5);
    }

    #[test]
    fn a_world_in_centimetres_has_the_same_tire() {
        let scale = UnitScale::CENTIMETRES;
        let (si, scaled) = (tire(params()), tire(params().scaled(scale)));
        let one = input(0.04, -0.05);
        let hundred = TireInput {
            forward_speed: 1500.0,
            radius: 31.0,
            load: 400_000.0,
            ..one
        };
        let (a, b) = (si.forces(&one), scaled.forces(&hundred));
        assert_relative_eq!(b.longitudinal, 100.0 * a.longitudinal, max_relative = 1e-5);
        assert_relative_eq!(b.lateral, 100.0 * a.lateral, max_relative = 1e-5);
        assert_relative_eq!(
            b.aligning_moment,
            1e4 * a.aligning_moment,
            max_relative = 1e-4
        );
    }

    #[test]
    fn faults_name_the_coefficient() {
        let mut bad = params();
        (bad.coefficients.FNOMIN, bad.coefficients.PCX1) = (-1.0, f64::INFINITY);
        let error = Checked::new(bad).unwrap_err().to_string();
        assert!(
            error.contains("coefficients.FNOMIN = -1: must be > 0"),
            "{error}"
        );
        assert!(error.contains("coefficients.PCX1"), "{error}");
    }

    proptest! {
        #[test]
        fn finite_for_every_finite_input_and_the_same_in_lanes(
            x in prop::array::uniform7(prop::array::uniform4(
                proptest::num::f32::NORMAL | proptest::num::f32::SUBNORMAL,
            )),
        ) {
            let tire = tire(params());
            let lanes = x.map(W4::from_array);
            let four = TireInput4 {
                slip_ratio: lanes[0],
                tan_slip_angle: lanes[1],
                forward_speed: lanes[2],
                camber: lanes[3],
                load: lanes[4].abs(),
                friction: lanes[5].abs(),
                radius: lanes[6].abs(),
                rest_load: W4::ONE,
                gravity: 9.81,
                ..TireInput4::default()
            };
            let found = tire.forces4(&four, Mask4::ALL);
            let told = tire.properties4(&four, Mask4::ALL);
            let wants = TireWants { opposite: true, opposite_moments: true, properties: true };
            prop_assert_eq!(tire.answers4(&four, Mask4::ALL, wants), TireAnswers4 {
                forces: found,
                opposite: tire.forces4(&four.opposite(), Mask4::ALL),
                properties: told,
            });
            for lane in 0..LANES {
                let own = tire.properties(&four.lane(lane));
                for (a, b) in [
                    (own.grip, told.grip),
                    (own.slip_stiffness, told.slip_stiffness),
                    (own.relaxation_length, told.relaxation_length),
                ] {
                    for n in 0..2 {
                        prop_assert!(a[n].is_finite() && a[n] >= 0.0);
                        prop_assert_eq!(a[n].to_bits(), b[n].lane(lane).to_bits());
                    }
                }
                let one = tire.forces(&four.lane(lane));
                for (a, b) in [
                    (one.longitudinal, found.longitudinal),
                    (one.lateral, found.lateral),
                    (one.aligning_moment, found.aligning_moment),
                    (one.overturning_moment, found.overturning_moment),
                    (one.rolling_resistance, found.rolling_resistance),
                    (one.wheel_torque, found.wheel_torque),
                ] {
                    prop_assert!(a.is_finite());
                    prop_assert_eq!(a.to_bits(), b.lane(lane).to_bits());
                }
            }
        }
    }
}
