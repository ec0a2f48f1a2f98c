//! The worlds of the proving ground as backends.

use proving_ground::world::WorldKind;

use crate::backend::{Backend, Expected, Need, expected};
use crate::suite::without;

impl Backend for WorldKind {
    fn expected_failures(&self) -> Vec<Expected> {
        match (*self).name() {
            "standalone" => STANDALONE.to_vec(),
            "rapier" => RAPIER.to_vec(),
            "avian" => AVIAN.to_vec(),
            "box3d" => without(&[Need::BackFaces], "Box3D's meshes have one side")
                .chain(without(&[Need::Triangles], NO_TRIANGLES))
                .chain(without(&[Need::WheelColliders], BOX3D_WHEELS))
                .chain(without(&[Need::JointedWheels], NO_JOINTED_WHEELS))
                .chain(BOX3D)
                .collect(),
            "jolt" => without(&[Need::WheelColliders], JOLT_WHEELS)
                .chain(without(&[Need::Triangles], NO_TRIANGLES))
                .chain(without(&[Need::JointedWheels], NO_JOINTED_WHEELS))
                .chain(without(&[Need::LockedAxes], JOLT_LOCKS))
                .chain(JOLT)
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// Reason for a six-wheeler on a lorry that rolls on its tires' resistance, at 30 Hz.
const LATE_LORRY: &str = "a lorry with rolling resistance carries a braked six-wheeler off by 1.1 mm at 30 Hz, where 1 is allowed; \
                          without, by 0.85";

/// Reason for a tractor at 30 and 60 Hz.
const SETTLING_STARTS: &str = "as it settles, a tractor turns its engine by a third of its idle speed: it counts as started, \
                               and the clutch opens";

const STANDALONE: [Expected; 7] = [
    expected("others::hauled", LATE_LORRY),
    expected(
        "colliders attached to an ignored body never answer",
        "a body of the standalone world has one collider, its hull",
    ),
    expected("loops-seldom", SELDOM_IN_LOOPS),
    expected("others::loops-seldom", SELDOM_IN_LOOPS),
    expected("ski-jump", SLOW_STOPS),
    expected("coarse::ski-jump", SLOW_STOPS),
    expected("others::ski-jump", SLOW_STOPS),
];

/// Reason for cars that leave the track of a loop and land between two updates.
const SELDOM_IN_LOOPS: &str = "at 30 Hz, a car that is updated in every third step keeps forces of a landing: it gains up to 4 % of \
                               its energy";

/// Reason for axles that swing on their bump stops until a ramp ends.
const SLOW_STOPS: &str = "in substeps of 1/60 s, bump stops swing too slowly: of the truck 5.2 % at 60 Hz, of others up to \
                          7.5 % at 30 Hz, in substeps of 1/30 s up to 18 %";

const RAPIER: [Expected; 12] = [
    expected("others::hauled", LATE_LORRY),
    expected("others::parked-in-gear", SETTLING_STARTS),
    expected("others::woken", SETTLING_STARTS),
    expected(
        "others::landing",
        "a three-wheeler rebounds from 50 m by 26 % more at 30 Hz than at 960, where 20 are allowed",
    ),
    expected("loops-seldom", SELDOM_IN_LOOPS),
    expected("others::loops-seldom", SELDOM_IN_LOOPS),
    expected("ski-jump", SLOW_STOPS),
    expected("coarse::ski-jump", SLOW_STOPS),
    expected("others::ski-jump", SLOW_STOPS),
    expected(
        "a hull bounces with its restitution",
        "soft continuous collision detection takes 0.35 m/s before a bounce, where 0.25 are allowed",
    ),
    expected(
        "100 km away, a body moves as it is told",
        "Rapier's coordinates are of single precision: 8 mm there",
    ),
    expected(
        "in a world of centimeters, bodies fall as fast",
        "Rapier limits speeds to 400 units a second, unless its length_unit is set to 100",
    ),
];

const AVIAN: [Expected; 6] = [
    expected(
        "100 km away, a body moves as it is told",
        "Avian's coordinates are of single precision: 8 mm there",
    ),
    expected("loops-seldom", SELDOM_IN_LOOPS),
    expected("ski-jump", SLOW_STOPS),
    expected("coarse::ski-jump", SLOW_STOPS),
    expected("landing", AVIAN_HULLS),
    expected("coarse::landing", AVIAN_HULLS),
];

const AVIAN_HULLS: &str =
    "fast hulls sink into the ground by a step's way, and Avian throws them out";

const NO_TRIANGLES: &str = "its backend does not tell triangles, yet";

const NO_JOINTED_WHEELS: &str = "its backend has no wheels that are bodies, yet";

const BOX3D_WHEELS: &str = "Box3D asks once per pair of shapes, so that a wheel's contacts with \
                            road and curb of one mesh cannot be told apart";

const BOX3D: [Expected; 10] = [
    expected("landing", FAST_HULLS),
    expected("coarse::landing", FAST_HULLS),
    expected("loops-seldom", SELDOM_IN_LOOPS),
    expected("ski-jump", SLOW_STOPS),
    expected("coarse::ski-jump", SLOW_STOPS),
    expected(
        "free axes take motions as before",
        "a body with locked axes is 0.4 mm/s off in Box3D, where 0.1 are allowed",
    ),
    expected(
        "each triangle of a mesh is something of its own",
        "Box3D's casts tell of one triangle per mesh",
    ),
    expected(
        "a wheel touches a curb first where it should",
        "Box3D casts wheels with 32 corners: 2.6 mm at an edge, where 2 are allowed",
    ),
    expected("a wall in front of wheels stops a swept car", BOX3D_WHEELS),
    expected(
        "in a world of centimeters, bodies fall as fast",
        "Box3D limits speeds to 400 units a second, unless its units are set otherwise",
    ),
];

const FAST_HULLS: &str =
    "how high a car rebounds from its hull depends on the rate: by 6 times in Jolt at 30 Hz";

const JOLT_WHEELS: &str = "wheels cannot follow their springs as parts of a body of Jolt: as bound by oxijolt, a body \
                           whose parts move loses the inertia that it was given";

const JOLT_LOCKS: &str =
    "Jolt locks axes of a body when it is made, and the cases lock those of bodies that are there";

const NEAREST: &str = "Jolt, as bound by oxijolt, tells of the nearest hit only";

const JOLT: [Expected; 14] = [
    expected("landing", FAST_HULLS),
    expected("coarse::landing", FAST_HULLS),
    expected("loops-seldom", SELDOM_IN_LOOPS),
    expected("ski-jump", SLOW_STOPS),
    expected("coarse::ski-jump", SLOW_STOPS),
    expected(
        "a mesh names its triangles by their number",
        "Jolt reorders triangles: they have other numbers, by which they are told apart",
    ),
    expected(
        "of two at the same place, always the same one answers",
        "Jolt's tree decides, which changes with what is added",
    ),
    expected(
        "a body that is ignored never answers",
        "Jolt leaves one body out of a query: of two on one ray, the second hides the ground",
    ),
    expected(
        "colliders attached to an ignored body never answer",
        "a body of Jolt has one shape, which is complete when it is made",
    ),
    expected("a sweep through several things tells of each", NEAREST),
    expected("each triangle of a mesh is something of its own", NEAREST),
    expected("an overlap does not hide what comes later", NEAREST),
    expected("a wall in front of wheels stops a swept car", JOLT_WHEELS),
    expected(
        "a body that an acceleration holds falls asleep",
        "Jolt restarts the time until sleep with each force: parked cars with solver = \"explicit\" stay awake",
    ),
];
