//! Mapping from keys of a vehicle file to parameters.

/// The effect of a key on the parameters at a path.
///
/// In a path, `*` matches any part within a step and `**` any part at all; the matches in the key's
/// pattern fill the `{}` of the parameters' in order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    /// The parameters equal the key's value, in radians for an angle.
    Is(&'static str),
    /// The parameters are this many times the key's value on the left wheel, and the opposite on the right one.
    Mirrored(f64, &'static str),
    /// The parameters depend on the key.
    Moves(&'static str),
    /// The parameters may depend on the key, among others.
    Follows(&'static str),
    /// Other keys may not allow the key to change alone.
    Bound,
}
use Effect::{Bound, Follows, Is, Mirrored, Moves};

/// Shares of the load transfer refer to positions, brakes and the center of mass.
const LINKS: Effect = Follows("wheels.*.compliance.links.**");
const SPRUNG_MASSES: Effect = Follows("wheels.*.suspension.sprung_mass");

/// Keys with their effects; the first match counts. Wheels are named by axle and side; one in the
/// middle counts as left.
pub(super) const RULES: &[(&str, &[Effect])] = &[
    ("schema", &[Bound]),
    ("name", &[Is("name"), Is("car.name")]),
    ("description", &[Is("car.description")]),
    (
        "profile",
        &[
            Follows("params.profile.**"),
            Follows("wheels.*.tire.rolling_resistance[0]"),
        ],
    ),
    // A steering wheel needs the rows solver.
    ("solver", &[Bound, Follows("params.profile.solver.**")]),
    ("limit_expansion", &[Is("params.profile.limit_expansion")]),
    ("tire_moments", &[Is("params.profile.tire_moments")]),
    ("wheels", &[Bound]),
    (
        "sprung_masses_may_differ",
        &[Is("params.profile.sprung_masses_may_differ")],
    ),
    ("aids.**", &[Is("aids.{}")]),
    ("rows.*", &[Is("params.profile.solver.rows.{}")]),
    (
        "sweep.point_angle_deg",
        &[Is("params.probe.sweep.policy.point_angle")],
    ),
    (
        "sweep.normal_angle_deg",
        &[Is("params.probe.sweep.policy.normal_angle")],
    ),
    ("sweep.*", &[Is("params.probe.sweep.{}")]),
    (
        "chassis.design_gravity",
        &[Is("params.chassis.design_gravity")],
    ),
    ("chassis.mass", &[Is("params.chassis.mass"), SPRUNG_MASSES]),
    (
        "chassis.center_of_mass[*]",
        &[
            Is("params.chassis.center_of_mass[{}]"),
            SPRUNG_MASSES,
            LINKS,
        ],
    ),
    ("chassis.inertia[*]", &[Is("params.chassis.inertia[{}]")]),
    ("chassis.products.xy", &[Is("params.chassis.products[0]")]),
    ("chassis.products.xz", &[Is("params.chassis.products[1]")]),
    ("chassis.products.yz", &[Is("params.chassis.products[2]")]),
    (
        "chassis.hull.*",
        &[Is("car.hull.{}"), Follows("params.aerodynamics.vertical")],
    ),
    (
        "aerodynamics.area",
        &[
            Is("params.aerodynamics.area"),
            Follows("params.aerodynamics.vertical"),
        ],
    ),
    (
        "aerodynamics.wheelbase",
        &[Is("params.aerodynamics.length")],
    ),
    (
        "aerodynamics.point[*]",
        &[Is("params.aerodynamics.point[{}]")],
    ),
    (
        "aerodynamics.vertical",
        &[Is("params.aerodynamics.vertical")],
    ),
    (
        "aerodynamics.by_yaw_deg.*[*][*]",
        &[Moves("params.aerodynamics.{}[{}][{}]")],
    ),
    (
        "aerodynamics.ground_effect.*[*][*]",
        &[Is("params.aerodynamics.{}_by_height[{}][{}]")],
    ),
    (
        "aerodynamics.*",
        &[
            Is("params.aerodynamics.{}[0][1]"),
            Follows("params.aerodynamics.{}[1][1]"),
        ],
    ),
    (
        "coupling.load",
        &[
            Is("car.coupling.load"),
            Is("params.chassis.support.mass"),
            SPRUNG_MASSES,
        ],
    ),
    (
        "coupling.position[*]",
        &[
            Is("car.coupling.position[{}]"),
            Is("params.chassis.support.position[{}]"),
            SPRUNG_MASSES,
        ],
    ),
    ("coupling.towed_by", &[Is("car.coupling.towed_by")]),
    ("*coupling.*_limit_deg", &[Is("car.{}coupling.{}_limit")]),
    (
        "rear_coupling.position[*]",
        &[Is("car.rear_coupling.position[{}]")],
    ),
    ("*coupling.*", &[Is("car.{}coupling.{}")]),
    (
        "ladder.rungs[*].wheels",
        &[Bound, Is("car.ladder.rungs[{}].wheels")],
    ),
    // A wheel that is missing, or named twice, carries nothing.
    (
        "ladder.rungs[*].only[*]",
        &[Bound, Is("car.ladder.rungs[{}].only[{}]")],
    ),
    ("ladder.**", &[Is("car.ladder.{}")]),
    ("target.*.*", &[Is("car.target.{}.{}")]),
    ("axles[*].name", &[Moves("wheels.{}/*.name")]),
    (
        "axles[*].x",
        &[
            Is("wheels.{}/*.position[0]"),
            Is("wheels.{}/*.suspension.application_point[0]"),
            Is("wheels.{}/*.tire.application_point[0]"),
            Follows("drive.steering.axles.*.separation"),
            LINKS,
            Follows("params.aerodynamics.length"),
            Follows("params.aerodynamics.point[0]"),
            SPRUNG_MASSES,
        ],
    ),
    ("axles[*].wheels", &[Bound]),
    (
        "axles[*].track",
        &[
            Mirrored(0.5, "wheels.{}/*.position[1]"),
            Mirrored(0.5, "wheels.{}/*.suspension.application_point[1]"),
            Mirrored(0.5, "wheels.{}/*.tire.application_point[1]"),
            Is("drive.steering.axles.{}.width"),
            SPRUNG_MASSES,
            LINKS,
        ],
    ),
    ("axles[*].z", &[Is("wheels.{}/*.position[2]"), LINKS]),
    (
        "axles[*].radius",
        &[
            Is("wheels.{}/*.radius"),
            Follows("drive.radii[*]"),
            Follows("wheels.{}/*.position[2]"),
            Follows("wheels.{}/*.inertia"),
            LINKS,
            Follows("drive.differential.tank.tracks[*].radii[*]"),
        ],
    ),
    (
        "axles[*].mass",
        &[Is("wheels.{}/*.mass"), Follows("wheels.{}/*.inertia")],
    ),
    ("axles[*].toe_deg", &[Mirrored(-1.0, "wheels.{}/*.toe")]),
    (
        "axles[*].suspension.stiffness",
        &[
            Bound,
            Is("wheels.{}/*.suspension.stiffness"),
            Follows("wheels.{}/*.suspension.bump_stop_stiffness"),
            Follows("wheels.{}/*.compliance.spring[**"),
        ],
    ),
    // A constraint is of the mass that it carries.
    (
        "axles[*].suspension.sprung_mass",
        &[
            Is("wheels.{}/*.suspension.sprung_mass"),
            Follows("wheels.{}/*.suspension.stiffness"),
            Follows("wheels.{}/*.suspension.damping.*.rate"),
        ],
    ),
    (
        "axles[*].suspension.constraint.*",
        &[
            Follows("wheels.{}/*.suspension.stiffness"),
            Follows("wheels.{}/*.suspension.damping.*.rate"),
        ],
    ),
    (
        "axles[*].suspension.damping",
        &[
            Is("wheels.{}/*.suspension.damping.*.rate"),
            Follows("wheels.{}/*.compliance.bump[**"),
            Follows("wheels.{}/*.compliance.rebound[**"),
        ],
    ),
    (
        "axles[*].suspension.*_curve[*][0]",
        &[Bound, Is("wheels.{}/*.compliance.{}[{}][0]")],
    ),
    // Forces count in the rates.
    (
        "axles[*].suspension.*_curve[*][1]",
        &[Bound, Moves("wheels.{}/*.compliance.{}[{}][1]")],
    ),
    (
        "axles[*].suspension.damping.*.rate",
        &[
            Is("wheels.{}/*.suspension.damping.{}.rate"),
            Follows("wheels.{}/*.compliance.{}[**"),
        ],
    ),
    (
        "axles[*].suspension.damping.**",
        &[Is("wheels.{}/*.suspension.damping.{}")],
    ),
    (
        "axles[*].suspension.force_height",
        &[Is("wheels.{}/*.suspension.application_point[2]")],
    ),
    (
        "axles[*].suspension.camber_deg",
        &[Mirrored(-1.0, "wheels.{}/*.suspension.camber.at_rest")],
    ),
    (
        "axles[*].suspension.camber_*_deg",
        &[Mirrored(-1.0, "wheels.{}/*.suspension.camber.{}")],
    ),
    ("axles[*].suspension.*", &[Is("wheels.{}/*.suspension.{}")]),
    (
        "axles[*].links.roll_center",
        &[Moves("wheels.{}/*.compliance.links.lateral")],
    ),
    (
        "axles[*].links.roll_center_change",
        &[Moves("wheels.{}/*.compliance.links.lateral_change")],
    ),
    (
        "axles[*].links.beam",
        &[Is("wheels.{}/*.compliance.links.beam")],
    ),
    ("axles[*].links.*", &[Bound, LINKS]),
    (
        "axles[*].unsprung.mass",
        &[Is("wheels.{}/*.unsprung.mass"), SPRUNG_MASSES],
    ),
    ("axles[*].unsprung.*", &[Is("wheels.{}/*.unsprung.{}")]),
    (
        "axles[*].compliance_right.**",
        &[Follows("wheels.{}/right.compliance.**")],
    ),
    (
        "axles[*].compliance.by_longitudinal_force.**",
        &[Follows("wheels.{}/*.compliance.*_by_force[0]**")],
    ),
    (
        "axles[*].compliance.by_lateral_force.**",
        &[Follows("wheels.{}/*.compliance.*_by_force[1]**")],
    ),
    (
        "axles[*].compliance.by_aligning_moment.**",
        &[Follows("wheels.{}/*.compliance.*_by_force[2]**")],
    ),
    (
        "axles[*].compliance.roll_*",
        &[Is("wheels.{}/*.compliance.roll_{}")],
    ),
    (
        "axles[*].compliance.shift[*][1][1]",
        &[Mirrored(1.0, "wheels.{}/*.compliance.shift[{}][1][1]")],
    ),
    (
        "axles[*].compliance.shift[*][**]",
        &[Is("wheels.{}/*.compliance.shift[{}][{}]")],
    ),
    (
        "axles[*].compliance.*_deg[*][0]",
        &[Is("wheels.{}/*.compliance.{}[{}][0]")],
    ),
    (
        "axles[*].compliance.*_deg[*][1]",
        &[Mirrored(-1.0, "wheels.{}/*.compliance.{}[{}][1]")],
    ),
    (
        "axles[*].compliance.*_point[*][1][1]",
        &[Mirrored(1.0, "wheels.{}/*.compliance.{}_point[{}][1][1]")],
    ),
    (
        "axles[*].compliance.*_point[*][**]",
        &[Is("wheels.{}/*.compliance.{}_point[{}][{}]")],
    ),
    (
        "axles[*].tire.model",
        &[
            Bound,
            Is("wheels.{}/left.tire.model"),
            Follows("wheels.{}/right.tire.model"),
        ],
    ),
    ("axles[*].tire.right", &[Is("wheels.{}/right.tire.model")]),
    (
        "axles[*].tire.friction_curve[0][0]",
        &[Bound, Is("wheels.{}/*.tire.friction_curve[0][0]")],
    ),
    (
        "axles[*].tire.force_height",
        &[Is("wheels.{}/*.tire.application_point[2]")],
    ),
    (
        "axles[*].tire.rolling_resistance",
        &[Is("wheels.{}/*.tire.rolling_resistance[0]")],
    ),
    (
        "axles[*].tire.rolling_resistance_rise",
        &[Is("wheels.{}/*.tire.rolling_resistance[1]")],
    ),
    ("axles[*].tire.**", &[Is("wheels.{}/*.tire.{}")]),
    (
        "axles[*].brakes.max_torque",
        &[Is("drive.brakes.{}/*.max_torque"), LINKS],
    ),
    ("axles[*].brakes.*", &[Is("drive.brakes.{}/*.{}")]),
    (
        "axles[*].steering.max_deg",
        &[
            Is("drive.steering.axles.{}.max_steer**"),
            Follows("drive.steering.system.rack**"),
        ],
    ),
    (
        "axles[*].steering.axis.caster_deg",
        &[Follows("drive.steering.system.axes[*].caster")],
    ),
    (
        "axles[*].steering.axis.inclination_deg",
        &[Follows("drive.steering.system.axes[*].inclination")],
    ),
    (
        "axles[*].steering.axis.trail",
        &[Follows("drive.steering.system.axes[*].trail")],
    ),
    (
        "axles[*].steering.axis.scrub_radius",
        &[Follows("drive.steering.system.axes[*].offset")],
    ),
    (
        "axles[*].steering.ackermann",
        &[Is("drive.steering.axles.{}.accuracy")],
    ),
    ("axles[*].steering.*", &[Is("drive.steering.axles.{}.{}")]),
    ("axles[*].*", &[Is("wheels.{}/*.{}")]),
    (
        "anti_roll[*].wheels[*]",
        &[Bound, Is("params.anti_roll[{}].wheels[{}]")],
    ),
    (
        "anti_roll[*].stiffness",
        &[Is("params.anti_roll[{}].stiffness")],
    ),
    ("load_filter.*", &[Is("params.load_filter.{}")]),
    ("substeps.*", &[Is("params.substeps.{}")]),
    ("tires.*.model", &[Bound]),
    ("tires.*.preset", &[Follows("tires.{}.**")]),
    ("tires.*.**", &[Is("tires.{}.{}")]),
    ("drivetrain.model", &[Bound]),
    ("drivetrain.differential.model", &[Bound]),
    // Wheels have one motor each, and none of those that creep holds by one pedal.
    (
        "drivetrain.motors[*].wheels[*]",
        &[Bound, Is("drive.motors[{}].wheels[{}]")],
    ),
    (
        "drivetrain.regeneration.one_pedal",
        &[Bound, Is("drive.regeneration.one_pedal")],
    ),
    (
        "drivetrain.differential.**wheels[*]",
        &[Bound, Is("drive.differential.*.{}wheels[{}]")],
    ),
    (
        "drivetrain.differential.*_limit.*",
        &[Bound, Is("drive.differential.*.{}_limit.{}")],
    ),
    (
        "drivetrain.differential.front[*]",
        &[Bound, Is("drive.differential.*.front[{}]")],
    ),
    (
        "drivetrain.differential.rear[*]",
        &[Bound, Is("drive.differential.*.rear[{}]")],
    ),
    (
        "drivetrain.differential.tracks[*].side",
        &[Bound, Is("drive.differential.tank.tracks[{}].side")],
    ),
    (
        "drivetrain.differential.**",
        &[Is("drive.differential.*.{}")],
    ),
    (
        "drivetrain.steering.system.ratio_at_deg**",
        &[Bound, Follows("drive.steering.system.rack**")],
    ),
    // Parts of the greatest torque, over parts of the last speed.
    (
        "drivetrain.engine.net_*[*][*]",
        &[
            Bound,
            Follows("drive.engine.torque_curve**"),
            Follows("drive.engine.peak_torque"),
            Follows("drive.engine.max_speed"),
        ],
    ),
    // The last row of a map is the net torque.
    (
        "drivetrain.engine.torque_map.**",
        &[
            Bound,
            Is("drive.engine.torque_map.{}"),
            Follows("drive.engine.torque_curve**"),
            Follows("drive.engine.peak_torque"),
            Follows("drive.engine.max_speed"),
        ],
    ),
    // With net torque, the curve is over parts of its greatest speed.
    (
        "drivetrain.engine.max_speed",
        &[
            Is("drive.engine.max_speed"),
            Follows("drive.engine.torque_curve**"),
        ],
    ),
    // A converter has no capacity where both sides turn alike, and a torque ratio of 1.
    (
        "drivetrain.converter.*[*][*]",
        &[Bound, Is("drive.converter.{}[{}][{}]")],
    ),
    ("drivetrain.**", &[Is("drive.{}")]),
];

/// The parts of a path matched by the stars of a pattern, if it matches.
pub(super) fn captures<'a>(pattern: &str, path: &'a str) -> Option<Vec<&'a str>> {
    let Some((before, after)) = pattern.split_once('*') else {
        return (pattern == path).then(Vec::new);
    };
    let path = path.strip_prefix(before)?;
    let (after, most) = match after.strip_prefix('*') {
        Some(after) => (after, path.len()),
        None => (after, path.find('.').unwrap_or(path.len())),
    };
    let ends = (0..=most).filter(|&end| path.is_char_boundary(end));
    ends.rev().find_map(|end| {
        let others = captures(after, &path[end..])?;
        Some([&[&path[..end]], &others[..]].concat())
    })
}

/// A pattern with its `{}` filled in order.
pub(super) fn filled(pattern: &str, captured: &[&str]) -> String {
    captured.iter().fold(pattern.to_owned(), |text, part| {
        text.replacen("{}", part, 1)
    })
}
