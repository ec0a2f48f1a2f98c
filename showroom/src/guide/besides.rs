//! Sentences on keys that the book leaves out.

/// Last keys of a path, sentence: of keys that the book leaves out. Longer ones stand before shorter ones.
pub(super) const BESIDES: &[(&str, &str)] = &[
    (
        "suspension.spring_curve",
        "Force of the spring beside the weight, over its travel: steeper toward the end is a bump rubber.",
    ),
    (
        "suspension.bump_curve",
        "Force of the damper over its speed as the wheel rises, instead of a rate.",
    ),
    (
        "suspension.rebound_curve",
        "Force of the damper over its speed as the wheel falls, instead of a rate.",
    ),
    (
        "suspension.sprung_mass",
        "What the wheel carries; left out, what balances the chassis.",
    ),
    (
        "design_gravity",
        "Under which struts carry the car at their middle. Less gravity lifts it, more presses it down.",
    ),
    (
        "tire.rolling_resistance",
        "What rolling takes, over the load: 0.006 to 0.012 on roads, more off them. The car coasts less far.",
    ),
    (
        "tire.rolling_resistance_rise",
        "How much the rolling resistance grows with the square of speed.",
    ),
    (
        "tire.kind",
        "The tires' row in a table of frictions: which rubber on which ground.",
    ),
    (
        "unsprung.tire_stiffness",
        "Of the tire under what hops with the wheel. Less of it bounces more slowly.",
    ),
    (
        "unsprung.tire_damping",
        "Of the tire under what hops with the wheel. Little of it lets the wheel bounce.",
    ),
    ("axles.z", "Height of the wheel's center over the origin."),
    (
        "products",
        "What lies high ahead and low behind, or aside, leans the axes about which the body turns.",
    ),
    (
        "sweep.radius_scale",
        "The swept wheel over the real one: smaller ones climb less.",
    ),
    (
        "sweep.width_scale",
        "The swept width over the real one: narrower ones pass closer by.",
    ),
    (
        "sweep.inflation",
        "How far the swept wheel is blown up on all sides.",
    ),
    (
        "sweep.point_angle_deg",
        "Hits farther than this from below the wheel are refused: walls are.",
    ),
    (
        "sweep.normal_angle_deg",
        "Hits on ground that leans more than this against the wheel are refused.",
    ),
    (
        "system.ratio_at_deg",
        "Turns of the steering wheel for one of the road wheels, at an angle of it.",
    ),
    (
        "system.wheel_inertia",
        "Of the steering wheel: more of it is calmer and answers later.",
    ),
    (
        "system.rack_inertia",
        "Of rack and road wheels, at the steering wheel.",
    ),
    (
        "system.column_stiffness",
        "Of the steering column. Less of it is softer around the middle.",
    ),
    (
        "system.rack_stiffness",
        "Between rack and road wheels. Less of it understeers.",
    ),
    (
        "system.damping",
        "Of the steering wheel, let go: more of it swings less.",
    ),
    (
        "system.friction",
        "Torque below which the steering wheel stays where it is.",
    ),
    (
        "assist.torque",
        "The hands' torque that a row of the power steering is about.",
    ),
    (
        "assist.by_speed",
        "Torque that the power steering adds, at a speed: less of it when fast feels firmer.",
    ),
    (
        "tread.stiffness",
        "Of a standing tire against turning on the spot: heavier parking.",
    ),
    (
        "tread.pressure",
        "In the contact of a standing tire: less of it is larger, and heavier to turn.",
    ),
    (
        "axis.caster_deg",
        "Lean of the steering axis to the rear: wheels turn back by themselves, and lean into bends.",
    ),
    (
        "axis.inclination_deg",
        "Lean of the steering axis inward: the car's weight turns the wheels back.",
    ),
    (
        "axis.trail",
        "How far ahead of the contact the axis meets the ground: side force turns the wheels back.",
    ),
    (
        "axis.scrub_radius",
        "How far inside the contact the axis meets the ground: braking on one side pulls at the wheel.",
    ),
    ("pitch", "Moment of the air that raises the nose."),
    (
        "carcass_damping_time",
        "How soon a standing tire stops swaying.",
    ),
    (
        "observer_gain",
        "How fast the solver learns of forces that it does not know.",
    ),
    (
        "light_throttle",
        "Share of the automatic's speeds at the lightest touch of the accelerator: lower changes up earlier with a light foot.",
    ),
    (
        "governor",
        "The accelerator sets the engine's speed; part of it between full throttle and none. 0: it sets the torque.",
    ),
    (
        "neutral_up",
        "Share of the engine's speed at which the automatic leaves neutral.",
    ),
    (
        "roll",
        "Height of a side wind's force, as a lean away from it.",
    ),
    ("yaw", "How a side wind turns the nose away from it."),
    ("mass", "Of one wheel with what moves with it."),
    (
        "inertia",
        "Resistance of a wheel to turning. More of it reacts later to throttle and brakes.",
    ),
    (
        "x",
        "Where the axle is, ahead of the origin. A longer wheelbase is calmer.",
    ),
    (
        "track",
        "Between the wheels of an axle. Wider rolls and lifts its inner wheels less.",
    ),
    (
        "radius",
        "Of the wheel. Larger ones gear the car longer and climb higher steps.",
    ),
    (
        "width",
        "Of the tire: drawn, and swept where wheels are swept.",
    ),
    ("damping", "Of the bearing. More of it slows a free wheel."),
    (
        "bump_stop_stiffness",
        "Beyond the travel. Keeps the body off the wheels; ten springs are usual.",
    ),
    (
        "force_height",
        "Where forces act, above the ground. Closer to the center of mass rolls less.",
    ),
    (
        "camber_at_max_compression_deg",
        "Camber with the spring at its stop.",
    ),
    ("camber_at_max_droop_deg", "Camber at full droop."),
    ("area", "Of the front, which the air coefficients refer to."),
    (
        "drag",
        "Sets the top speed: the force grows with the square of speed.",
    ),
    ("side", "Force of a wind from the side."),
    ("lift_front", "Negative presses the front axle down."),
    (
        "lift_rear",
        "Negative presses the rear axle down: more grip in fast bends.",
    ),
    ("camber_stiff_per_g", "Side force per camber and gravity."),
    ("camber_stiffness", "Side force over load per camber."),
    ("slip_stiffness", "Force over load per slip."),
    (
        "cornering_stiffness",
        "Side force over load per slip angle.",
    ),
    (
        "trail",
        "Lever of the side force, which turns the steering back.",
    ),
    ("idle_speed", "Below it, the engine keeps itself running."),
    (
        "idle_torque",
        "With how much torque it does; with more load it stalls.",
    ),
    (
        "closing_time",
        "How slowly the clutch brings the engine to the gearbox's speed.",
    ),
    (
        "creep_torque",
        "Lets the vehicle creep while the engine idles.",
    ),
    (
        "damping_full_throttle",
        "Friction of the engine with the throttle open.",
    ),
    (
        "damping_zero_throttle_disengaged",
        "How fast a free engine slows down.",
    ),
    ("static_friction", "Holds a car that is parked in gear."),
    (
        "forward",
        "Ratio of a gear. Close ones keep the engine in its best range.",
    ),
    ("reverse", "Ratio backwards, negative."),
    (
        "up",
        "Share of the engine's speed at which the automatic shifts up.",
    ),
    (
        "down",
        "Share of the engine's speed at which the automatic shifts down.",
    ),
    ("front_split", "Share of the left wheel in front."),
    ("rear_split", "Share of the left wheel at the rear."),
    (
        "torque_curve",
        "Share of the greatest torque at a share of the greatest speed.",
    ),
    (
        "hull",
        "The box of the body: length, width, height, and its center.",
    ),
    ("roll_center", "Height about which links let the body roll."),
    (
        "compliance",
        "How the wheel turns or shifts over its travel: jounce, then angle or way.",
    ),
    ("bump", "Damping as the wheel rises."),
    ("rebound", "Damping as the wheel falls."),
    (
        "knee",
        "From this speed of the damper on, another rate: softer on fast bumps.",
    ),
    (
        "anti_dive",
        "Share of braking that links carry instead of springs: the nose dips less.",
    ),
    (
        "anti_lift",
        "Share of braking that links carry instead of springs: the tail rises less.",
    ),
    (
        "anti_squat",
        "Share of drive that links carry instead of springs: the tail sinks less.",
    ),
    (
        "roll_center_change",
        "How the roll center moves with the wheel.",
    ),
    ("separation", "Between the axles that steer together."),
    ("point", "Where the air acts, from the origin."),
    (
        "wheelbase",
        "Over which the air's pitching is told as lifts.",
    ),
    ("vertical", "Force of air from above or below."),
    (
        "yaw_limit_deg",
        "How far the towed vehicle folds against the towing one, seen from above.",
    ),
    (
        "pitch_limit_deg",
        "How far the towed vehicle tips forward or back against the towing one.",
    ),
    (
        "roll_limit_deg",
        "How far the towed vehicle rolls against the towing one.",
    ),
    (
        "roll_stiffness",
        "Of the coupling: 0 is a ball, and a fifth wheel rolls as one with its trailer.",
    ),
    (
        "load",
        "Mass that rests on the coupling; a tail-heavy trailer's is negative.",
    ),
    ("position", "Of the joint, from the origin."),
    (
        "max_torques",
        "Of the motor on each wheel, at full throttle.",
    ),
    (
        "by_speed",
        "What becomes of a command at a speed: less steering when fast is calmer.",
    ),
    ("command", "The command that a row is about."),
    ("share", "Of the torque for this axle; all sum to 1."),
    (
        "air_share",
        "Share of the torque that a wheel in the air keeps.",
    ),
    (
        "least_grounded",
        "With fewer wheels on the ground, each keeps its share.",
    ),
    ("hold", "How firmly the inner track is held back in bends."),
    (
        "radii",
        "Of the sprockets: what a track's speed is over its spin.",
    ),
    (
        "speed_ratios",
        "Share of a wheel in the mean speed that the clutch sees.",
    ),
    (
        "torque_ratios",
        "Share of the torque for a wheel; negative turns it backward.",
    ),
    (
        "bias",
        "How much faster one side may turn before the axle locks; 1 is a lock.",
    ),
    ("target", "To which ratio of speeds a locking axle returns."),
    (
        "fast",
        "Substeps of the explicit solver from the threshold speed on.",
    ),
    (
        "slow",
        "Substeps of the explicit solver below the threshold speed: more are steadier.",
    ),
    ("threshold_speed", "Where slow ends and fast begins."),
    (
        "load_filter",
        "Of the explicit solver's tires: how far loads may leave those at rest.",
    ),
    (
        "wheels",
        "Of an axle: 1 or 2; of a differential: which, counted from 0.",
    ),
    ("front", "Wheels of the front axle, counted from 0."),
    ("rear", "Wheels of the rear axle, counted from 0."),
];
