//! Parameters of the whole vehicle, from the file's tables.

use glam::Vec3;
use vehicle_core::params::{
    Aerodynamics, ChassisParams, LoadFilter, Probe, SubstepPolicy, Support, WheelParams,
};
use vehicle_core::profile::{ExplicitSettings, RowsSettings, Solver};
use vehicle_core::sprung_mass::sprung_masses;
use vehicle_core::{Fault, Profile, VehicleParams};

use super::checks::check_places;
use super::tires::Tires;
use super::wheel::wheel;
use crate::file::axles::linked;
use crate::file::ladder::Wheels;
use crate::file::schema::{AxleFile, ProductsFile, SolverName, SweepFile, VehicleFile};

/// The chassis, with the load on its coupling unless that is invalid.
pub(super) fn chassis_params(file: &VehicleFile, coupled: bool) -> ChassisParams {
    let coupling = file.coupling.as_ref();
    let coupling = coupling.filter(|c| coupled && c.load != 0.0);
    let ProductsFile { xy, xz, yz } = file.chassis.products;
    ChassisParams {
        mass: file.chassis.mass,
        inertia: file.chassis.inertia,
        products: [xy, xz, yz],
        center_of_mass: file.chassis.center_of_mass,
        support: coupling.map(|coupling| Support {
            mass: coupling.load,
            position: coupling.position,
        }),
        design_gravity: file.chassis.design_gravity,
    }
}

/// Parameters of all wheels. If their `shares` of the mass are unknown because of a fault, each
/// wheel carries a placeholder.
pub(super) fn vehicle_params(
    file: &VehicleFile,
    chassis: ChassisParams,
    tires: &Tires<'_>,
    shares: Option<&[f32]>,
    faults: &mut Vec<Fault>,
) -> VehicleParams {
    let mut wheels = Vec::new();
    for (n, axle) in file.axles.iter().enumerate() {
        check_places(n, axle, file, faults);
        let models = axle_tires(n, axle, &tires.names, faults);
        for (place, model) in axle.wheel_centers().into_iter().zip(models) {
            let given = axle.suspension.sprung_mass;
            let unsprung = axle.unsprung.map_or(0.0, |unsprung| unsprung.mass);
            let share = shares.map_or(1.0, |shares| shares[wheels.len()] - unsprung);
            let sprung_mass = given.unwrap_or(share);
            let links = axle
                .links
                .map(|links| links.slopes(&linked(file, axle), place.y));
            let hub = axle.unsprung;
            let resistance = axle.tire.resistance(file.profile);
            wheels.push(WheelParams {
                unsprung: hub.map(|given| tires.unsprung(given, model, n, faults)),
                ..wheel(axle, place, sprung_mass, model, links, resistance)
            });
        }
    }
    VehicleParams {
        chassis,
        wheels,
        anti_roll: file.anti_roll.clone(),
        load_filter: file.load_filter.unwrap_or(LoadFilter::OFF),
        substeps: file.substeps.unwrap_or(SubstepPolicy::PHYSX),
        probe: probe(file),
        profile: profile(file),
        aerodynamics: aerodynamics(file),
    }
}

/// How the wheels of a file find the ground.
fn probe(file: &VehicleFile) -> Probe {
    let settings = || file.sweep.as_ref().map(SweepFile::settings);
    match file.contact() {
        Wheels::Auto => Probe::Auto,
        Wheels::Sections => Probe::Sections,
        Wheels::Sweeps => Probe::Sweep(settings().unwrap_or_default()),
        Wheels::Rays | Wheels::Rigid | Wheels::Constraints => Probe::Ray,
    }
}

/// Aerodynamics of a file that has some.
fn aerodynamics(file: &VehicleFile) -> Option<Aerodynamics> {
    let ends = file
        .axles
        .iter()
        .fold([f32::MAX, f32::MIN], |[last, first], axle| {
            [last.min(axle.x), first.max(axle.x)]
        });
    let air = file.aerodynamics.as_ref()?;
    Some(air.params(ends, file.chassis.hull.size))
}

/// Tire indices of an axle's wheels, 0 for an unknown name.
fn axle_tires(n: usize, axle: &AxleFile, tires: &[&str], faults: &mut Vec<Fault>) -> [usize; 2] {
    let mut numbered = |key: &str, named: &str| {
        let number = tires.iter().position(|name| *name == named);
        if number.is_none() {
            faults.push(Fault {
                path: format!("axles[{n}].tire.{key}"),
                value: format!("{named:?}"),
                rule: format!("must name one of the tires: {}", tires.join(", ")),
            });
        }
        number.unwrap_or(0)
    };
    let model = numbered("model", &axle.tire.model);
    match &axle.tire.right {
        Some(right) => [model, numbered("right", right)],
        None => [model; 2],
    }
}

/// The named profile with the file's solver and settings.
pub(super) fn profile(file: &VehicleFile) -> Profile {
    let named = file.profile.profile();
    let of_name = match named.solver {
        Solver::Rows(_) => SolverName::Rows,
        Solver::Explicit(_) => SolverName::Explicit,
    };
    let solver = match file.solver.unwrap_or(of_name) {
        SolverName::Rows => {
            let settings = file.rows.or(named.rows().copied());
            Solver::Rows(settings.unwrap_or(RowsSettings::DEFAULT))
        }
        SolverName::Explicit => {
            let settings = named.explicit().copied();
            Solver::Explicit(settings.unwrap_or(ExplicitSettings::DEFAULT))
        }
    };
    Profile {
        solver,
        limit_expansion: file.limit_expansion.unwrap_or(named.limit_expansion),
        tire_moments: file.tire_moments.unwrap_or(named.tire_moments),
        sprung_masses_may_differ: file
            .sprung_masses_may_differ
            .unwrap_or(named.sprung_masses_may_differ),
        ..named
    }
}

/// Sprung masses that carry the chassis, including its support; `None` if impossible, or if mass or positions are none.
pub(super) fn balance(
    file: &VehicleFile,
    chassis: &ChassisParams,
    faults: &mut Vec<Fault>,
) -> Option<Vec<f32>> {
    let wheel_centers: Vec<Vec3> = file
        .axles
        .iter()
        .flat_map(AxleFile::wheel_centers)
        .collect();
    let weighs = chassis.mass > 0.0 && chassis.mass.is_finite();
    if !weighs || !wheel_centers.iter().all(|place| place.is_finite()) {
        return None;
    }
    let mut fault = |path: &str, value: String, rule: String| {
        faults.push(Fault {
            path: path.to_owned(),
            value,
            rule,
        });
        None
    };
    let (mass, center) = chassis.on_wheels();
    let shares = match sprung_masses(&wheel_centers, center, mass, Vec3::Z) {
        Ok(shares) => shares,
        Err(error) => return fault("axles", error.value, error.rule),
    };
    let derived = file.axles.iter().flat_map(|axle| {
        axle.wheel_centers()
            .into_iter()
            .map(|_| axle.suspension.sprung_mass)
    });
    let beside = shares
        .iter()
        .zip(derived)
        .any(|(share, given)| given.is_none() && *share <= 0.0);
    match chassis.support {
        Some(support) if shares.iter().any(|share| *share <= 0.0) => fault(
            "coupling.load",
            format!("{} kg", support.mass),
            "must leave some weight to every wheel: here the center of what they carry is not \
             between them"
                .to_owned(),
        ),
        None if beside => fault(
            "chassis.center_of_mass",
            format!("({}, {}) m", center.x, center.y),
            format!(
                "lies outside the wheels, or too close to their edge: it must leave some weight to every wheel; they stand \
                 within {}",
                ground_of(&wheel_centers)
            ),
        ),
        _ => Some(shares),
    }
}

/// Extent of the wheels' positions, in words.
fn ground_of(wheel_centers: &[Vec3]) -> String {
    let low = wheel_centers.iter().copied().fold(Vec3::MAX, Vec3::min);
    let high = wheel_centers.iter().copied().fold(Vec3::MIN, Vec3::max);
    format!(
        "x = {} to {} m, y = {} to {} m",
        low.x, high.x, low.y, high.y
    )
}
