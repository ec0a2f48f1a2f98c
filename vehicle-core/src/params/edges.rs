//! The edges of the ranges of parameters: what is just right, and what is just beyond, named by its path.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use glam::Vec3;
use rstest::rstest;

use super::*;
use crate::base::checked::Checked;
use crate::params::contact_policy::ContactPolicy;
use crate::testing;

/// Paths of the faults of a changed sample car, each up to its value.
fn faults(change: impl FnOnce(&mut VehicleParams)) -> Vec<String> {
    let mut params = testing::four_wheeler();
    change(&mut params);
    let Err(faults) = Checked::new(params) else {
        return Vec::new();
    };
    let path = |fault: &dyn core::fmt::Display| {
        let text = fault.to_string();
        text.split(" = ").next().unwrap_or_default().to_string()
    };
    faults.0.iter().map(|fault| path(fault)).collect()
}

/// How a number is put into the parameters.
type Set = fn(&mut VehicleParams, f32);

const NEVER: [f32; 2] = [f32::NAN, f32::INFINITY];
const QUARTER: f32 = core::f32::consts::FRAC_PI_2;

/// Numbers that must be above 0.
#[rstest]
#[case::radius("wheels[0].radius", |p: &mut VehicleParams, x: f32| p.wheels[0].radius = x)]
#[case::width("wheels[1].width", |p: &mut VehicleParams, x: f32| p.wheels[1].width = x)]
#[case::mass("wheels[2].mass", |p: &mut VehicleParams, x: f32| p.wheels[2].mass = x)]
#[case::inertia("wheels[3].inertia", |p: &mut VehicleParams, x: f32| p.wheels[3].inertia = x)]
#[case::spring("wheels[0].suspension.stiffness", |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.stiffness = x)]
#[case::stop("wheels[0].suspension.bump_stop_stiffness", |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.bump_stop_stiffness = x)]
#[case::rest("wheels[0].tire.rest_mass", |p: &mut VehicleParams, x: f32| p.wheels[0].tire.rest_mass = Some(x))]
#[case::least_friction("wheels[0].tire.friction_curve.[0][1]", |p: &mut VehicleParams, x: f32| {
    p.wheels[0].tire.friction_curve = [[0.0, x], [0.1, x.max(1.0)], [1.0, 0.5]];
})]
#[case::max_load("load_filter.max_load", |p: &mut VehicleParams, x: f32| p.load_filter.max_load = x)]
#[case::max_filtered("load_filter.max_filtered", |p: &mut VehicleParams, x: f32| p.load_filter.max_filtered = x)]
#[case::radius_scale("sweep.radius_scale", |p: &mut VehicleParams, x: f32| swept(p).radius_scale = x)]
#[case::width_scale("sweep.width_scale", |p: &mut VehicleParams, x: f32| swept(p).width_scale = x)]
#[case::slip("profile.explicit.slip.passive_denominator", |p: &mut VehicleParams, x: f32| testing::explicit(&mut p.profile).slip.passive_denominator = x)]
#[case::active("profile.explicit.slip.active_offset", |p: &mut VehicleParams, x: f32| testing::explicit(&mut p.profile).slip.active_offset = x)]
#[case::lateral("profile.explicit.slip.lateral_offset", |p: &mut VehicleParams, x: f32| testing::explicit(&mut p.profile).slip.lateral_offset = x)]
#[case::blend("profile.explicit.blend_speed", |p: &mut VehicleParams, x: f32| testing::explicit(&mut p.profile).blend_speed = x)]
#[case::knee_speed("wheels[0].suspension.damping.bump.knee.speed", |p: &mut VehicleParams, x: f32| knee(p).speed = x)]
fn positive_parameters(#[case] path: &str, #[case] set: Set) {
    assert_eq!(faults(|p| set(p, 1e-3)), Vec::<String>::new());
    for x in [0.0, -1.0].into_iter().chain(NEVER) {
        // Infinity may be beyond another rule, too.
        assert_eq!(
            faults(|p| set(p, x)).first().map(String::as_str),
            Some(path),
            "{x}"
        );
    }
}

/// Numbers that may be 0.
#[rstest]
#[case::bearing("wheels[0].damping", |p: &mut VehicleParams, x: f32| p.wheels[0].damping = x)]
#[case::rebound("wheels[0].suspension.damping.rebound.rate", |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.damping.rebound.rate = x)]
#[case::knee("wheels[0].suspension.damping.bump.knee.rate", |p: &mut VehicleParams, x: f32| knee(p).rate = x)]
#[case::compression("wheels[0].suspension.max_compression", |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.max_compression = x)]
#[case::droop("wheels[0].suspension.max_droop", |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.max_droop = x)]
#[case::bar("anti_roll[1].stiffness", |p: &mut VehicleParams, x: f32| p.anti_roll[1].stiffness = x)]
#[case::least_load("load_filter.min_load", |p: &mut VehicleParams, x: f32| p.load_filter.min_load = x)]
#[case::filter("load_filter.min_filtered", |p: &mut VehicleParams, x: f32| p.load_filter.min_filtered = x)]
#[case::threshold("substeps.threshold_speed", |p: &mut VehicleParams, x: f32| p.substeps.threshold_speed = x)]
#[case::inflation("sweep.inflation", |p: &mut VehicleParams, x: f32| swept(p).inflation = x)]
#[case::sticky_speed("profile.explicit.sticky.speed", |p: &mut VehicleParams, x: f32| testing::explicit(&mut p.profile).sticky.speed = x)]
#[case::sticky_time("profile.explicit.sticky.side_time", |p: &mut VehicleParams, x: f32| testing::explicit(&mut p.profile).sticky.side_time = x)]
#[case::sticky_damping("profile.explicit.sticky.forward_damping", |p: &mut VehicleParams, x: f32| testing::explicit(&mut p.profile).sticky.forward_damping = x)]
fn non_negative_parameters(#[case] path: &str, #[case] set: Set) {
    for x in [0.0, 0.1] {
        assert_eq!(faults(|p| set(p, x)), Vec::<String>::new(), "{x}");
    }
    for x in [-1e-3].into_iter().chain(NEVER) {
        assert_eq!(
            faults(|p| set(p, x)).first().map(String::as_str),
            Some(path),
            "{x}"
        );
    }
}

/// Ranges, ends included.
#[rstest]
#[case::toe("wheels[0].toe", -QUARTER, QUARTER, |p: &mut VehicleParams, x: f32| p.wheels[0].toe = x)]
#[case::camber("wheels[0].suspension.camber.at_rest", -QUARTER, QUARTER, |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.camber.at_rest = x)]
#[case::bump_camber("wheels[0].suspension.camber.at_max_compression", -QUARTER, QUARTER, |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.camber.at_max_compression = x)]
#[case::droop_camber("wheels[0].suspension.camber.at_max_droop", -QUARTER, QUARTER, |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.camber.at_max_droop = x)]
#[case::roll("wheels[0].suspension.roll_influence", 0.0, 1.0, |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.roll_influence = x)]
#[case::compliance("wheels[0].compliance.toe.[0].angle", -QUARTER, QUARTER, |p: &mut VehicleParams, x: f32| p.wheels[0].compliance.toe = vec![(0.0, x)])]
#[case::compliant("wheels[0].compliance.camber.[1].angle", -QUARTER, QUARTER, |p: &mut VehicleParams, x: f32| p.wheels[0].compliance.camber = vec![(0.0, 0.0), (0.1, x)])]
#[case::restitution("profile.explicit.stops.restitution", 0.0, 1.0, |p: &mut VehicleParams, x: f32| testing::explicit(&mut p.profile).stops.restitution = x)]
#[case::policy("sweep.point_angle", 0.0, core::f32::consts::PI, |p: &mut VehicleParams, x: f32| swept(p).policy = ContactPolicy { point_angle: x, ..ContactPolicy::DEFAULT })]
#[case::gain("profile.rows.observer_gain", 0.0, 1.0, |p: &mut VehicleParams, x: f32| testing::rows(&mut p.profile).observer_gain = x)]
#[case::substep("profile.rows.max_substep", 1e-5, 1.0, |p: &mut VehicleParams, x: f32| testing::rows(&mut p.profile).max_substep = x)]
#[case::lateral_links("wheels[0].compliance.links.lateral", -1.0, 1.0, |p: &mut VehicleParams, x: f32| linked(p).lateral = x)]
#[case::braked_links("wheels[0].compliance.links.braked", -1.0, 1.0, |p: &mut VehicleParams, x: f32| linked(p).braked = x)]
#[case::driven_links("wheels[0].compliance.links.driven", -1.0, 1.0, |p: &mut VehicleParams, x: f32| linked(p).driven = x)]
fn parameters_with_a_range(
    #[case] path: &str,
    #[case] low: f32,
    #[case] high: f32,
    #[case] set: Set,
) {
    for x in [low, 0.5 * (low + high), high] {
        assert_eq!(faults(|p| set(p, x)), Vec::<String>::new(), "{x}");
    }
    let beyond = 1e-3 * (high - low);
    for x in [low - beyond, high + beyond].into_iter().chain(NEVER) {
        assert_eq!(faults(|p| set(p, x)), [path], "{x}");
    }
}

/// Rules between numbers.
#[rstest]
#[case::curves_begin_at_zero("wheels[0].tire.friction_curve.[0][0]", |p: &mut VehicleParams, x: f32| p.wheels[0].tire.friction_curve[0][0] = 0.01 * x)]
#[case::slips_ascend("wheels[0].tire.friction_curve.[1][0]", |p: &mut VehicleParams, x: f32| p.wheels[0].tire.friction_curve[1][0] = 0.001 - 0.001 * x)]
#[case::slips_ascend_on("wheels[0].tire.friction_curve.[2][0]", |p: &mut VehicleParams, x: f32| p.wheels[0].tire.friction_curve[2][0] = 0.101 - 0.001 * x)]
#[case::friction_rises("wheels[0].tire.friction_curve.[1][1]", |p: &mut VehicleParams, x: f32| p.wheels[0].tire.friction_curve = [[0.0, 1.0], [0.1, 1.0 - 0.1 * x], [1.0, 0.5]])]
#[case::friction_falls("wheels[0].tire.friction_curve.[2][1]", |p: &mut VehicleParams, x: f32| p.wheels[0].tire.friction_curve[2][1] = 1.0 + 0.1 * x)]
#[case::friction_ends("wheels[0].tire.friction_curve.[2][1]", |p: &mut VehicleParams, x: f32| p.wheels[0].tire.friction_curve[2][1] = -0.1 * x)]
#[case::filter_has_a_range("load_filter.max_load", |p: &mut VehicleParams, x: f32| {
    p.load_filter.max_load = 2.0;
    p.load_filter.min_load = 1.9 + 0.1 * x;
})]
#[case::some_travel("wheels[0].suspension.max_compression + max_droop", |p: &mut VehicleParams, x: f32| {
    p.wheels[0].suspension.max_compression = 1e-3 - 1e-3 * x;
    p.wheels[0].suspension.max_droop = 0.0;
})]
#[case::travel_is_a_direction("wheels[0].suspension.travel_direction", |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.travel_direction = Vec3::NEG_Z * (1.0 + 0.002 * x))]
#[case::or_shorter("wheels[0].suspension.travel_direction", |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.travel_direction = Vec3::NEG_Z * (1.0 - 0.002 * x))]
#[case::two_wheels("anti_roll[0].wheels", |p: &mut VehicleParams, x: f32| p.anti_roll[0].wheels = [x as usize, 1])]
#[case::no_inertia("chassis.inertia", |p: &mut VehicleParams, x: f32| p.chassis.inertia.y = 1.0 - x)]
#[case::inertia_without_end("chassis.inertia", |p: &mut VehicleParams, x: f32| p.chassis.inertia.z = 1.0 / (1.0 - x))]
#[case::finite_product("chassis.products.yz", |p: &mut VehicleParams, x: f32| p.chassis.products[2] = 1.0 / (1.0 - x))]
#[case::roll_and_yaw("chassis.products", |p: &mut VehicleParams, x: f32| p.chassis.products[1] = 2000.0 + 2.0 * x)]
#[case::mass_in_sum("wheels[*].suspension.sprung_mass", |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.sprung_mass += 14.0 + 2.0 * x)]
#[case::less_in_sum("wheels[*].suspension.sprung_mass", |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.sprung_mass -= 14.0 + 2.0 * x)]
#[case::damper("wheels[0].suspension.damping", |p: &mut VehicleParams, x: f32| p.wheels[0].suspension.damping = (-x).into())]
#[case::slow_steps("substeps.slow", |p: &mut VehicleParams, x: f32| p.substeps.slow = 100 + x as u32)]
#[case::fast_steps("substeps.fast", |p: &mut VehicleParams, x: f32| p.substeps.fast = 1 - x as u32)]
#[case::ground("profile.max_ground_acceleration", |p: &mut VehicleParams, x: f32| p.profile.max_ground_acceleration = 1.0 - x)]
#[case::bends_ascend("wheels[0].compliance.toe.[1].jounce", |p: &mut VehicleParams, x: f32| p.wheels[0].compliance.toe = vec![(0.0, 0.0), (1e-3 - 1e-3 * x, 0.0)])]
#[case::forces_ascend("wheels[0].compliance.toe_by_force[1].[1].force", |p: &mut VehicleParams, x: f32| p.wheels[0].compliance.toe_by_force[1] = vec![(0.0, 0.0), (1e-3 - 1e-3 * x, 0.0)])]
#[case::moments_end("wheels[0].compliance.camber_by_force[2].[0].moment", |p: &mut VehicleParams, x: f32| p.wheels[0].compliance.camber_by_force[2] = vec![(1.0 / (1.0 - x), 0.0)])]
#[case::forces_shift("wheels[0].compliance.shift_by_force[0].[0].shift", |p: &mut VehicleParams, x: f32| p.wheels[0].compliance.shift_by_force[0] = vec![(0.0, glam::Vec2::X / (1.0 - x))])]
#[case::wheels_shift("wheels[0].compliance.shift.[0].shift", |p: &mut VehicleParams, x: f32| p.wheels[0].compliance.shift = vec![(0.0, glam::Vec2::X / (1.0 - x))])]
#[case::most_bends("wheels[0].compliance.camber", |p: &mut VehicleParams, x: f32| {
    let points = (0..32 + x as usize).map(|n| (0.01 * n as f32, 0.0));
    p.wheels[0].compliance.camber = points.collect();
})]
#[case::spring_rises("wheels[0].compliance.spring.[2].force over stiffness", |p: &mut VehicleParams, x: f32| {
    p.wheels[0].compliance.spring = vec![(0.0, 0.0), (0.1, 0.1), (0.2, 0.1 + 0.01 * (1.0 - x))];
})]
#[case::spring_carries("wheels[0].compliance.spring", |p: &mut VehicleParams, x: f32| {
    p.wheels[0].compliance.spring = vec![(-0.1, -0.1), (0.01 * x, 0.0), (0.1, 0.2)];
})]
#[case::damper_falls("wheels[0].compliance.rebound.[1]", |p: &mut VehicleParams, x: f32| {
    p.wheels[0].compliance.rebound = vec![(0.1, 0.1), (0.5, 0.1 - 0.01 * x)];
})]
#[case::damper_starts("wheels[0].compliance.bump.[0]", |p: &mut VehicleParams, x: f32| {
    p.wheels[0].compliance.bump = vec![(0.1 * (1.0 - x), 0.1)];
})]
#[case::shifts("wheels[0].compliance.tire_point.[0].shift", |p: &mut VehicleParams, x: f32| p.wheels[0].compliance.tire_point = vec![(0.0, Vec3::X / (1.0 - x))])]
#[case::roll_center("wheels[0].compliance.links.lateral_change", |p: &mut VehicleParams, x: f32| linked(p).lateral_change = 1.0 / (1.0 - x))]
#[case::all_linked("wheels[1].compliance.links", |p: &mut VehicleParams, x: f32| {
    linked(p);
    if x > 0.0 {
        p.wheels[1].compliance.links = None;
    }
})]
#[case::place("wheels[0].position", |p: &mut VehicleParams, x: f32| p.wheels[0].position.x = 1.0 / (1.0 - x))]
#[case::force_point("wheels[0].tire.application_point", |p: &mut VehicleParams, x: f32| p.wheels[0].tire.application_point.x = 1.0 / (1.0 - x))]
#[case::center("chassis.center_of_mass", |p: &mut VehicleParams, x: f32| p.chassis.center_of_mass.x = 1.0 / (1.0 - x))]
fn rules_between_parameters(#[case] path: &str, #[case] set: Set) {
    assert_eq!(faults(|p| set(p, 0.0)), Vec::<String>::new());
    assert_eq!(
        faults(|p| set(p, 1.0)).first().map(String::as_str),
        Some(path)
    );
}

/// The first wheel's links, of a car with links.
fn linked(params: &mut VehicleParams) -> &mut LinkSlopes {
    for wheel in &mut params.wheels {
        wheel.compliance.links = Some(LinkSlopes::default());
    }
    params.wheels[0].compliance.links.get_or_insert_default()
}

/// Settings of the sweeps of a car that has them.
fn swept(params: &mut VehicleParams) -> &mut SweepSettings {
    params.probe = Probe::Sweep(SweepSettings::DEFAULT);
    match &mut params.probe {
        Probe::Sweep(settings) => settings,
        _ => unreachable!(),
    }
}

/// Knee of the first wheel's damper.
fn knee(params: &mut VehicleParams) -> &mut DamperKnee {
    let bump = &mut params.wheels[0].suspension.damping.bump;
    bump.knee.insert(DamperKnee {
        speed: 0.1,
        rate: 900.0,
    })
}

/// A strut for another mass rides as before; as PhysX makes it, its damper stays.
#[rstest]
fn a_strut_is_retuned_for_its_mass(#[values(0.5, 1.0, 3.0)] ratio: f32) {
    let mut params = testing::four_wheeler();
    knee(&mut params);
    let before = params.wheels[0].suspension;
    let (after, as_physx) = (
        before.with_sprung_mass(ratio * before.sprung_mass),
        before.with_sprung_mass_as_physx(ratio * before.sprung_mass),
    );
    for strut in [after, as_physx] {
        assert_eq!(strut.sprung_mass, ratio * before.sprung_mass);
        assert_eq!(strut.stiffness, ratio * before.stiffness);
        assert_eq!(
            strut.bump_stop_stiffness,
            ratio * before.bump_stop_stiffness
        );
        assert_eq!(strut.max_droop, before.max_droop);
    }
    assert_eq!(as_physx.damping, before.damping);
    let (stroke, old) = (after.damping.bump, before.damping.bump);
    assert_eq!(stroke.rate, ratio * old.rate);
    let knee = DamperKnee {
        rate: ratio * 900.0,
        speed: 0.1,
    };
    assert_eq!(stroke.knee, Some(knee));
    assert_eq!(
        after.damping.rebound.rate,
        ratio * before.damping.rebound.rate
    );
    assert!(!before.damping.is_linear() && Damping::from(3.0).is_linear());
    let uneven = Damping {
        bump: Damping::from(2000.0).bump,
        rebound: Damping::from(5000.0).rebound,
    };
    assert_eq!((uneven.mean_rate(), uneven.is_linear()), (3500.0, false));
}

/// The moment of what the wheels carry and of what a support carries is that of the chassis.
#[test]
fn a_support_carries_its_own_moment() {
    let mut chassis = testing::four_wheeler().chassis;
    assert_eq!(chassis.on_wheels(), (1500.0, Vec3::ZERO));
    chassis.center_of_mass = Vec3::new(0.4, 0.1, -0.2);
    chassis.support = Some(Support {
        mass: 300.0,
        position: Vec3::new(2.0, -0.5, 0.3),
    });
    let (mass, center) = chassis.on_wheels();
    assert_eq!(mass, 1200.0);
    let moment = center * mass + Vec3::new(2.0, -0.5, 0.3) * 300.0;
    assert!(
        (moment - chassis.center_of_mass * 1500.0).length() < 1e-2,
        "{center}"
    );
    let params = VehicleParams {
        chassis,
        ..testing::four_wheeler()
    };
    let point = params.from_center_of_mass(Vec3::ONE);
    assert!((point - Vec3::new(0.6, 0.9, 1.2)).length() < 1e-6);
}

/// Slow below the threshold only.
#[test]
fn a_car_at_the_threshold_is_fast() {
    let policy = SubstepPolicy {
        threshold_speed: 5.0,
        slow: 7,
        fast: 2,
    };
    let counts = [0.0, 4.999, 5.0, 80.0].map(|speed| policy.count(speed));
    assert_eq!(counts, [7, 7, 2, 2]);
}
