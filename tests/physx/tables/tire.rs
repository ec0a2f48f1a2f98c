//! Tables of tire axes, slips, friction, load and force.

use jounce::core::internals::explicit::sticky::{self, Stillness};
use jounce::core::internals::load::LoadLine;
use jounce::core::internals::slip;
use jounce::core::internals::wheel_consts::WheelConsts;
use jounce::core::lanes::{Mask4, V3x4, W4};
use jounce::core::math;
use jounce::core::params::LoadFilter;
use jounce::core::profile::{ExplicitSettings, SlipSettings};
use jounce::core::{Checked, TireInput, TireModel};
use jounce::tires::{Michigan, MichiganParams};

use super::{Outputs, one, vector, yes};
use crate::row::Row;

pub(crate) fn axes(row: &Row<'_>) -> Option<Outputs> {
    // The stage works in the chassis' frame; turn the row's vectors into one where the lateral
    // direction is y.
    let y = row.vector("chassis_lat_dir");
    let normal = row.vector("hit_normal");
    let x = math::unit_or_zero(y.any_orthogonal_vector());
    let frame = glam::Mat3::from_cols(x, y, x.cross(y));
    let (sin, cos) = math::sin_cos(row.number("steer"));
    let local = V3x4::splat(frame.transpose() * normal);
    let axes = slip::tire_axes(local, W4::splat(sin), W4::splat(cos));
    Some(vec![
        ("out_long_dir", vector(frame * axes.longitudinal.lane(0))),
        ("out_lat_dir", vector(frame * axes.lateral.lane(0))),
    ])
}

pub(crate) fn slips(row: &Row<'_>) -> Option<Outputs> {
    let settings = SlipSettings {
        passive_denominator: row.number("min_long_slip_denominator"),
        active_counts_spin: !row.flag("is_tank"),
        ..ExplicitSettings::PHYSX_4.slip
    };
    let forward = W4::splat(row.number("long_speed"));
    let rim = W4::splat(row.number("wheel_omega") * row.number("radius"));
    let active = row.flag("accel_applied") | row.flag("brake_applied");
    let active = Mask4::from_array([active; 4]);
    let ratio = slip::slip_ratio(&settings, active, forward, rim);
    let lateral = W4::splat(row.number("lat_speed"));
    let tangent = slip::tan_slip_angle(&settings, forward, lateral);
    Some(vec![
        ("out_long_slip", one(ratio.lane(0))),
        ("out_lat_slip", one(math::atan(tangent.lane(0)))),
    ])
}

/// Six numbers x0, y0, x1, y1, x2, y2.
pub(crate) fn curve(row: &Row<'_>) -> [[f32; 2]; 3] {
    let v = row.list("friction_vs_slip");
    [[v[0], v[1]], [v[2], v[3]], [v[4], v[5]]]
}

pub(crate) fn friction_curve(row: &Row<'_>) -> Option<Outputs> {
    let k: WheelConsts = super::suspension::wheel(|w| w.tire.friction_curve = curve(row));
    let factor = slip::curve_friction(&k, W4::splat(row.number("long_slip")));
    let friction = row.number("friction_multiplier") * factor.lane(0);
    Some(vec![("out_friction", one(friction))])
}

/// Four numbers: minimum load and its filtered value, maximum load and its filtered value.
pub(crate) fn filter(v: &[f32]) -> LoadFilter {
    LoadFilter {
        min_load: v[0],
        min_filtered: v[1],
        max_load: v[2],
        max_filtered: v[3],
    }
}

pub(crate) fn load_filter(row: &Row<'_>) -> Option<Outputs> {
    let filter = filter(&row.list("filter"));
    let load = LoadLine::of(&filter).tire_load(W4::splat(row.number("norm_load")), W4::ONE);
    Some(vec![("out", one(load.lane(0)))])
}

pub(crate) fn sticky(row: &Row<'_>) -> Option<Outputs> {
    let settings = ExplicitSettings::PHYSX_4.sticky;
    let (forward, lateral) = (row.number("long_speed"), row.number("lat_speed"));
    let seen = Stillness {
        loaded: Mask4::ALL,
        forward: W4::splat(forward),
        lateral: W4::splat(lateral),
        spin: W4::splat(row.number("wheel_omega")),
        inverse_radius: W4::splat(1.0 / row.number("radius")),
        accelerating: row.flag("intention_to_accelerate"),
        braking: false,
    };
    let mut still = ["fwd_timer", "side_timer"].map(|key| W4::splat(row.number(key)));
    let sticky = sticky::engage(&settings, &seen, &mut still, row.number("dt"));
    let (long, lat) = (sticky.longitudinal.lane(0), sticky.lateral.lane(0));
    let target = |held: bool, speed: f32| if held { speed } else { 0.0 };
    Some(vec![
        ("out_fwd_timer", one(still[0].lane(0))),
        ("out_side_timer", one(still[1].lane(0))),
        ("out_fwd_active", yes(long)),
        ("out_side_active", yes(lat)),
        (
            "out_fwd_target_speed",
            one(target(long, settings.forward_target * forward)),
        ),
        (
            "out_side_target_speed",
            one(target(lat, settings.side_target * lateral)),
        ),
    ])
}

/// The tire of a row or of a nested object.
pub(crate) fn model(row: &Row<'_>) -> Michigan {
    let params = MichiganParams {
        lat_stiff_x: row.number("lat_stiff_x"),
        lat_stiff_y: row.number("lat_stiff_y"),
        long_stiff_per_g: row.number("long_stiff_per_g"),
        camber_stiff_per_g: row.number("camber_stiff_per_g"),
        ..MichiganParams::physx()
    };
    Michigan::new(Checked::new(params).expect("PhysX's parameters are valid"))
}

pub(crate) fn michigan(row: &Row<'_>) -> Option<Outputs> {
    for known in ["set", "friction_vs_slip", "wheel_omega"] {
        row.ignore(known);
    }
    // The table varies the normalized load and the load independently; the law has their ratio as
    // the rest load, and otherwise only friction × load.
    let (load, rest_load) = (row.number("load"), row.number("rest_load"));
    let consistent = row.number("norm_load") * rest_load;
    let forces = model(row).forces(&TireInput {
        slip_ratio: row.number("long_slip"),
        tan_slip_angle: f64::from(row.number("lat_slip")).tan() as f32,
        forward_speed: 0.0,
        lateral_speed: 0.0,
        rim_speed: 0.0,
        radius: row.number("radius"),
        load: consistent,
        rest_load,
        camber: row.number("camber"),
        friction: row.number("friction") * load / consistent,
        gravity: row.number("gravity"),
        ..TireInput::default()
    });
    Some(vec![
        ("out_wheel_torque", one(forces.wheel_torque)),
        ("out_long_force", one(forces.longitudinal)),
        ("out_lat_force", one(forces.lateral)),
        ("out_align_moment", one(forces.aligning_moment)),
    ])
}
