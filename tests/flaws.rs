//! The suite detects faults: worlds with one flaw each, and the case that detects it.

mod flawed;

use flawed::{Flaw, Flawed};
use proving_ground::world::WorldKind;
use vehicle_conformance::case::Case;
use vehicle_conformance::finding::Verdict;
use vehicle_conformance::suite::cases;

/// Flaws that were observed in engines and adapters, and the case that detects each.
const FLAWS: [(Flaw, &str); 26] = [
    (
        Flaw::ShortRays,
        "a hit at exactly the length counts on a plane",
    ),
    (Flaw::LongRays, "a miss is no hit"),
    (Flaw::NormalsAlongRays, "a mesh is where it is"),
    (Flaw::NoOffsets, "an offset counts from its anchor"),
    (Flaw::Misplaced, "a plane is where it is"),
    (Flaw::NoMaterials, "a hit names its material"),
    (
        Flaw::NoTriangles,
        "a mesh names its triangles by their number",
    ),
    (Flaw::NoBodies, "ground that moves names its body"),
    (Flaw::AllLayers, "a collider answers if it shares a layer"),
    (Flaw::IgnoresNobody, "a body that is ignored never answers"),
    (Flaw::OneFilterPerBatch, "one batch serves many filters"),
    (
        Flaw::ReversedBatch,
        "the order of a batch changes no answer",
    ),
    (Flaw::MissingIsBlank, "a body that is not there is an error"),
    (Flaw::AddsStepMotions, "a step motion sets velocities"),
    (
        Flaw::GravityByImpulse,
        "a body whose gravity is canceled does not drift",
    ),
    (
        Flaw::GravityByImpulse,
        "gravity that wheels carry in part acts in part",
    ),
    (
        Flaw::CancelsNoTorque,
        "a carried angular acceleration is canceled about the world's axes",
    ),
    (
        Flaw::ActsTwice,
        "nothing of an outcome is left after its step",
    ),
    (
        Flaw::ActsTwice,
        "an acceleration acts on top of gravity for one step",
    ),
    (Flaw::WakesAlways, "an outcome that does not wake does not"),
    (Flaw::ReactsTwice, "a reaction pushes for one step"),
    (Flaw::ReactsAwake, "a reaction wakes"),
    (Flaw::NoDamping, "damping slows a body"),
    (
        Flaw::SlipperyHulls,
        "a hull slides as far as its friction lets it",
    ),
    (Flaw::DeadHulls, "a hull bounces with its restitution"),
    (
        Flaw::TakesAnyNumber,
        "numbers that are not finite are refused",
    ),
];

/// Flaws of a world in which boxes and cars collide, each with the case that finds it.
const FLAWS_OF_HULLS: [(Flaw, &str); 4] = [
    (
        Flaw::AllLayersOfHulls,
        "a hull touches what is in its layers",
    ),
    (
        Flaw::BoxesAreGhosts,
        "hulls of boxes and cars stand on each other",
    ),
    (Flaw::JoinsNothing, "joined bodies do not collide"),
    (Flaw::CarsAreGround, "cars are ground only if asked for"),
];

fn case(name: &str) -> &'static Case {
    cases()
        .find(|case| case.name == name)
        .expect("there is such a case")
}

#[test]
fn every_flaw_shows() {
    let alone = FLAWS.map(|found| (WorldKind::Standalone, found));
    let among = FLAWS_OF_HULLS.map(|found| (WorldKind::Rapier, found));
    for (world, (flaw, name)) in alone.into_iter().chain(among) {
        let sound = case(name).find(&Flawed(Flaw::None, world), &[]);
        assert_eq!(sound.verdict, Verdict::Pass, "{name}: {sound:?}");
        let found = case(name).find(&Flawed(flaw, world), &[]);
        assert_eq!(found.verdict, Verdict::Fail, "{flaw:?}, {name}: {found:?}");
    }
}

#[test]
fn a_world_that_acts_twice_agrees_with_nobody() {
    let courses = cases().filter(|case| case.tier == vehicle_conformance::case::Tier::Agreement);
    let flawed = |flaw| Flawed(flaw, WorldKind::Standalone);
    let judge = flawed(Flaw::None);
    for case in courses.take(3) {
        let same = case.find(&flawed(Flaw::None), &[&judge]);
        assert_eq!(same.verdict, Verdict::Pass, "{}: {same:?}", case.name);
        let other = case.find(&flawed(Flaw::ActsTwice), &[&judge]);
        assert_eq!(other.verdict, Verdict::Fail, "{}: {other:?}", case.name);
    }
}
