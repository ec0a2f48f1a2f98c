//! One row of each table, by our laws.

use std::collections::BTreeMap;

use jounce::core::{Checked, TireInput, TireModel};
use jounce::tires::bakker87::Bakker87Params;
use jounce::tires::brush::BrushParams;
use jounce::tires::dugoff::DugoffParams;
use jounce::tires::fiala::FialaParams;
use jounce::tires::michigan::{self, Michigan, MichiganParams, Stiffnesses};
use jounce::tires::pacejka::Shapes;
use jounce::tires::pacejka89::Pacejka89Params;
use jounce::tires::pacejka94::Pacejka94Params;
use jounce::tires::real::Real;
use jounce::tires::steady::{Forces, SteadyInput, SteadyLaw};
use jounce::tires::tmeasy::{self, TmEasyParams};
use jounce::tires::tmsimple::TmSimpleParams;
use serde::Deserialize;

use super::{Parameters, given};
use crate::table::Row;

type Cells = Result<Vec<f64>, String>;

/// A number of any type that can be compared.
pub(super) trait Number: Real + Into<f64> {}
impl<T: Real + Into<f64>> Number for T {}

fn cells<T: Number, const N: usize>(values: [T; N]) -> Cells {
    Ok(values.map(Into::into).to_vec())
}

/// A slip without camber; the caller sets friction and speed.
fn slip<T: Real>(ratio: T, tan_angle: T, load: T, friction: T) -> SteadyInput<T> {
    SteadyInput {
        ratio,
        tan_angle,
        camber: T::zero(),
        load,
        friction,
        speed: T::zero(),
    }
}

/// Coefficients of a list with exactly this many.
fn array<T: Real, const N: usize>(values: &[f64]) -> Result<[T; N], String> {
    let values: &[f64; N] = values
        .try_into()
        .map_err(|_| format!("{} coefficients of {N}", values.len()))?;
    Ok(values.map(T::of))
}

/// Coefficients of a curve that may be absent.
fn array_or_none<T: Real, const N: usize>(values: Option<&Vec<f64>>) -> Result<[T; N], String> {
    values.map_or(Ok([T::zero(); N]), |values| array(values))
}

pub(super) fn bakker87<T: Number>(row: &Row<'_>, parameters: &Parameters) -> Cells {
    let set: BTreeMap<String, (Vec<f64>, f64)> = parameters.set("bakker1987")?;
    let curve = |name: &str| set.get(name).ok_or_else(|| format!("no curve {name}"));
    let (x, y, m) = (curve("Fx")?, curve("Fy")?, curve("Mz")?);
    let law = Bakker87Params::<T> {
        longitudinal_shape: T::of(x.1),
        lateral_shape: T::of(y.1),
        aligning_shape: T::of(m.1),
        longitudinal: array(&x.0)?,
        lateral: array(&y.0)?,
        aligning: array(&m.0)?,
        greatest_load: T::of(1e9),
    };
    let shapes = law.shapes(given(row, "Fz_kN")?, given(row, "gamma_deg")?);
    let shape = match row.text("quantity")? {
        "Fx" => shapes.longitudinal,
        "Fy" => shapes.lateral,
        "Mz" => shapes.aligning,
        other => return Err(format!("quantity {other}")),
    };
    let value = shape.at(given(row, "x")?);
    cells([value, shape.b, shape.c, shape.d, shape.e_positive])
}

/// The three curves of a row of the two formulas that follow.
fn pure<T: Number>(row: &Row<'_>, shapes: &Shapes<T>) -> Cells {
    let angle = given(row, "alpha_deg")?;
    cells([
        shapes.longitudinal.at(given(row, "kappa_percent")?),
        shapes.lateral.at(angle),
        shapes.aligning.at(angle),
    ])
}

/// Lists of coefficients in the order of the file: Fy, Fx, Mz.
type Lists = (Vec<f64>, Vec<f64>, Option<Vec<f64>>);

pub(super) fn pacejka89<T: Number>(row: &Row<'_>, parameters: &Parameters) -> Cells {
    let set: Lists = parameters.set(&format!("pac89_{}", row.text("set")?))?;
    let law = Pacejka89Params::<T> {
        longitudinal: array(&set.1)?,
        lateral: array(&set.0)?,
        aligning: array_or_none(set.2.as_ref())?,
        greatest_load: T::of(1e9),
    };
    pure(
        row,
        &law.shapes(given(row, "Fz_kN")?, given(row, "gamma_deg")?),
    )
}

pub(super) fn pacejka94<T: Number>(row: &Row<'_>, parameters: &Parameters) -> Cells {
    let set: Lists = parameters.set(&format!("pac94_{}", row.text("set")?))?;
    let law = Pacejka94Params::<T> {
        longitudinal: array(&set.1)?,
        lateral: array(&set.0)?,
        aligning: array_or_none(set.2.as_ref())?,
        greatest_load: T::of(1e9),
    };
    pure(
        row,
        &law.shapes(given(row, "Fz_kN")?, given(row, "gamma_deg")?),
    )
}

/// Forces along and across, and the moment.
fn all<T: Number>(forces: Forces<T>) -> Cells {
    cells([forces.longitudinal, forces.lateral, forces.aligning_moment])
}

pub(super) fn brush<T: Number>(row: &Row<'_>, _: &Parameters) -> Cells {
    let stiffness = given(row, "cp_N_m2")?;
    let load = given(row, "Fz")?;
    let law = BrushParams::<T> {
        tread_stiffness_x: stiffness,
        tread_stiffness_y: stiffness,
        half_length: given(row, "a")?,
        nominal_load: load,
        load_sensitivity: T::zero(),
        kinetic_friction: T::one(),
        stribeck_speed: T::one(),
    };
    let (ratio, tan) = (given(row, "kappa")?, given(row, "tan_alpha")?);
    all(law.forces(&slip(ratio, tan, load, given(row, "mu")?)))
}

pub(super) fn dugoff<T: Number>(row: &Row<'_>, _: &Parameters) -> Cells {
    let law = DugoffParams::<T> {
        slip_stiffness: given(row, "Cx")?,
        cornering_stiffness: given(row, "Cy")?,
    };
    let (ratio, tan) = (given(row, "kappa")?, given(row, "tan_alpha")?);
    all(law.forces(&slip(ratio, tan, given(row, "Fz")?, given(row, "mu")?)))
}

pub(super) fn fiala<T: Number>(row: &Row<'_>, _: &Parameters) -> Cells {
    let law = FialaParams::<T> {
        slip_stiffness: given(row, "CSLIP")?,
        cornering_stiffness: given(row, "CALPHA")?,
        sliding_friction: given(row, "UMIN")?,
        static_friction: given(row, "UMAX")?,
        width: given(row, "width")?,
    };
    let tan = given::<T>(row, "alpha")?.tan();
    let friction = given::<T>(row, "mu")? / given(row, "mu0")?;
    let slip = slip(given(row, "kappa")?, tan, given(row, "Fz")?, friction);
    all(law.forces_uncombined(&slip))
}

/// Parameters as multiples of the load: the nominal one, and twice that.
#[derive(Deserialize)]
#[expect(non_snake_case, reason = "names of the file")]
struct TmEasySet {
    dfx0: [f64; 2],
    fxm: [f64; 2],
    fxs: [f64; 2],
    sxm: [f64; 2],
    sxs: [f64; 2],
    dfy0: [f64; 2],
    fym: [f64; 2],
    fys: [f64; 2],
    sym: [f64; 2],
    sys: [f64; 2],
    nL0: [f64; 2],
    sq0: [f64; 2],
    sqe: [f64; 2],
}

impl TmEasySet {
    fn law<T: Real>(&self, nominal: T) -> TmEasyParams<T> {
        let slips = |pair: [f64; 2]| pair.map(T::of);
        let forces = |pair: [f64; 2]| {
            let twice = T::of(2.0) * nominal;
            [T::of(pair[0]) * nominal, T::of(pair[1]) * twice]
        };
        TmEasyParams {
            nominal_load: nominal,
            contact_length: T::zero(),
            initial_x: forces(self.dfx0),
            peak_x: forces(self.fxm),
            peak_slip_x: slips(self.sxm),
            sliding_x: forces(self.fxs),
            sliding_slip_x: slips(self.sxs),
            initial_y: forces(self.dfy0),
            peak_y: forces(self.fym),
            peak_slip_y: slips(self.sym),
            sliding_y: forces(self.fys),
            sliding_slip_y: slips(self.sys),
            trail: slips(self.nL0),
            trail_zero_slip: slips(self.sq0),
            trail_end_slip: slips(self.sqe),
        }
    }
}

pub(super) fn tmeasy<T: Number>(row: &Row<'_>, parameters: &Parameters) -> Cells {
    /// Friction in the measurements of the sets, and the speed that is added to the circumferential
    /// speed (`m/s`).
    const MEASURED_FRICTION: f64 = 0.8;
    const SMOOTHING: f64 = 0.01;
    let number = |column| given::<T>(row, column);
    let set: TmEasySet = parameters.set(&format!("tmeasy_{}", row.text("set")?))?;
    let half = T::of(0.5);
    let nominal = half * number("load_capacity_N")?;
    let (load, depth) = (number("Fz")?, number("depth")?);
    let free = half * number("rim_diameter")? + number("width")? * number("aspect")?;
    let rim = number("omega")? * (free - depth / T::of(3.0));
    let slips = tmeasy::slips(number("vx")?, number("vy")?, rim, T::of(SMOOTHING));
    let length = T::of(2.0) * (free * depth).sqrt();
    let friction = number("mu_road")? / T::of(MEASURED_FRICTION);
    let f = set.law(nominal).forces_at(slips, load, friction, length);
    let relative = tmeasy::relative_load(load, nominal);
    cells([
        slips[0],
        slips[1],
        relative,
        f.longitudinal,
        f.lateral,
        f.aligning_moment,
    ])
}

pub(super) fn tmsimple<T: Number>(row: &Row<'_>, _: &Parameters) -> Cells {
    let nominal = given::<T>(row, "pn")?;
    // 1.05·v·q − 0.05·v·q² of the nominal load is v at that, 1.9·v at twice that.
    let forces = |v: f64| [T::of(v) * nominal, T::of(1.9 * v) * nominal];
    let law = TmSimpleParams {
        nominal_load: nominal,
        initial_x: forces(18.0),
        peak_x: forces(1.05),
        sliding_x: forces(0.8),
        initial_y: forces(15.0),
        peak_y: forces(1.0),
        sliding_y: forces(0.83),
    };
    let slips = [given(row, "sx")?, given(row, "sy")?];
    let f = law.forces_at(slips, given(row, "Fz")?, given(row, "muscale")?);
    cells([f.longitudinal, f.lateral])
}

/// The formula in double precision, with unrounded constants.
pub(super) fn michigan(row: &Row<'_>, _: &Parameters) -> Cells {
    /// Slips below this count as 0 in PhysX.
    const MINIMUM_SLIP: f64 = 1e-5;
    let number = |column| row.given(column);
    let significant = |column| {
        let slip = row.given(column)?;
        Ok::<_, String>(if slip.abs() >= MINIMUM_SLIP {
            slip
        } else {
            0.0
        })
    };
    let (load, friction) = (number("load")?, number("friction")?);
    let grown = michigan::growth(3.0 * load / number("restLoad")? / number("latStiffX")?);
    let lateral = number("latStiffY")? * grown;
    let stiffnesses = Stiffnesses {
        lateral,
        longitudinal: number("longStiff")?,
        // PhysX 5: the force is toward the side to which the wheel's top inclines.
        camber_over_lateral: -number("camberStiff")? / lateral,
    };
    let f = michigan::forces(
        &stiffnesses,
        significant("long_slip")?,
        libm::tan(significant("lat_slip")?),
        significant("camber")?,
        friction * load,
    );
    // PhysX does not bound it; the table does, at full sliding.
    let torque = -(f.longitudinal * number("wheel_radius")?);
    cells([torque, f.longitudinal, f.lateral, f.aligning_moment])
}

/// The model of vehicles, against PhysX in single precision.
pub(super) fn michigan_in_a_vehicle(row: &Row<'_>, _: &Parameters) -> Cells {
    let number = |column| given::<f32>(row, column);
    let rest_load = number("restLoad")?;
    let params = MichiganParams {
        lat_stiff_x: number("latStiffX")?,
        lat_stiff_y: number("latStiffY")? / rest_load,
        long_stiff_per_g: number("longStiff")?,
        camber_stiff_per_g: number("camberStiff")?,
        physical_camber: true,
        ..MichiganParams::physx()
    };
    let checked = Checked::new(params).map_err(|error| error.to_string())?;
    let angle = number("lat_slip")?;
    let f = Michigan::new(checked).forces(&TireInput {
        slip_ratio: number("long_slip")?,
        tan_slip_angle: libm::tanf(angle),
        radius: number("wheel_radius")?,
        load: number("load")?,
        rest_load,
        camber: number("camber")?,
        friction: number("friction")?,
        gravity: 1.0,
        ..TireInput::default()
    });
    cells([f.wheel_torque, f.longitudinal, f.lateral, f.aligning_moment])
}
