//! Contestants, and the ratios that are compared.

use jounce::presets;

use crate::contest::{Contender, Contestant, Stages};
use crate::course::CourseGround;
#[cfg(feature = "jolt")]
use crate::jolt::{self, WheeledVehicles};
use crate::ours::{DrivenFleet, car, explicit};
use crate::physx::{Library, PhysX, Setting};
use crate::rapier::{self, Controllers};

/// A quantity of a turn.
pub(crate) type StagePart = fn(&Stages) -> f64;

pub(crate) const UPDATE: StagePart = |stages| stages.update;
const VEHICLE: StagePart = Stages::vehicle;
const FRAME: StagePart = Stages::frame;

/// Ratio of the times of two contestants.
pub(crate) struct Ratio {
    /// Key in the JSON object, without the number of vehicles.
    pub(crate) key: String,
    pub(crate) long: String,
    pub(crate) short: String,
    pub(crate) part: StagePart,
}

impl Ratio {
    fn new(key: &str, long: &str, short: &str, part: StagePart) -> Self {
        Self {
            key: key.to_owned(),
            long: long.to_owned(),
            short: short.to_owned(),
            part,
        }
    }
}

/// An engine's own vehicles and our sedans in it, on each ground.
struct EnginePair {
    key: &'static str,
    own: &'static str,
    ours: &'static str,
    /// Part of the stages that is compared.
    part: StagePart,
}

const IN_RAPIER: EnginePair = EnginePair {
    key: "rapier_controller",
    own: "rapier controller",
    ours: "rows sedan on rapier",
    part: VEHICLE,
};

/// Jolt moves its vehicles within its step.
const IN_JOLT: EnginePair = EnginePair {
    key: "jolt_vehicle",
    own: "jolt wheeled vehicle",
    ours: "rows sedan on jolt",
    part: FRAME,
};

impl EnginePair {
    fn ratios(&self) -> impl Iterator<Item = Ratio> {
        CourseGround::ALL.into_iter().map(|ground| {
            let ground = ground.name();
            Ratio::new(
                &format!("{}_{ground}", self.key),
                &format!("{}, {ground}", self.own),
                &format!("{}, {ground}", self.ours),
                self.part,
            )
        })
    }

    fn makers<P: Contestant + 'static, O: Contestant + 'static>(
        &self,
        own: fn(CourseGround, usize) -> P,
        ours: fn(CourseGround, usize) -> O,
    ) -> Vec<Maker> {
        let pair = |ground: CourseGround| {
            let name = |whose: &str| format!("{whose}, {}", ground.name());
            [
                maker(name(self.own), move |count| own(ground, count)),
                maker(name(self.ours), move |count| ours(ground, count)),
            ]
        };
        CourseGround::ALL.into_iter().flat_map(pair).collect()
    }
}

/// Ratios that are compared, for every number of vehicles.
pub(crate) fn ratios() -> Vec<Ratio> {
    let update = |key, long, short| Ratio::new(key, long, short, UPDATE);
    let mut ratios = vec![
        update("physx_explicit_light", "physx", "explicit"),
        update(
            "physx_explicit_reports",
            "physx",
            "explicit, reports and poses",
        ),
        update(
            "physx_explicit_3_substeps",
            "physx, 3 substeps",
            "explicit, 3 substeps",
        ),
        update("physx_rows_sedan", "physx", "rows sedan"),
        update(
            "physx_rows_sedan_reports",
            "physx",
            "rows sedan, reports and poses",
        ),
        update("physx_rows_sports", "physx", "rows sports-car"),
        update("physx_rows_truck", "physx", "rows truck"),
        update("physx_rows_suv", "physx", "rows suv"),
        update("vehicle2_rows_sedan", "vehicle2", "rows sedan"),
        update("rows_6x6_over_4", "rows truck-6x6", "rows sedan"),
        update("rows_tank_over_4", "rows tank", "rows sedan"),
        update("rows_3_over_4", "rows tadpole", "rows sedan"),
    ];
    ratios.extend(IN_RAPIER.ratios().chain(IN_JOLT.ratios()));
    ratios
}

/// A fleet by its name, made when its turn in the list comes.
type Maker = (String, Box<dyn Fn(usize) -> Box<dyn Contestant>>);

fn maker<C: Contestant + 'static>(
    name: impl Into<String>,
    make: impl Fn(usize) -> C + 'static,
) -> Maker {
    (name.into(), Box::new(move |count| Box::new(make(count))))
}

fn physx(name: &str, setting: Setting) -> Maker {
    maker(name, move |count| PhysX::new(setting, count))
}

/// PhysX with query results, as a game that draws wheels asks for them.
const PHYSX: Setting = Setting {
    library: Library::Legacy,
    ground: CourseGround::Plane,
    substeps: 1,
    results: true,
};

/// Updates, all on a plane.
fn on_plane() -> Vec<Maker> {
    let sedan = |keys: &str, reports| {
        let car = car("sedan", keys);
        move |count| DrivenFleet::on_plane(&car, count, reports)
    };
    let mut makers = vec![
        physx("physx", PHYSX),
        maker("explicit", sedan(&explicit(1), false)),
        physx(
            "physx, no query results",
            Setting {
                results: false,
                ..PHYSX
            },
        ),
        maker("explicit, reports and poses", sedan(&explicit(1), true)),
        physx(
            "physx, 3 substeps",
            Setting {
                substeps: 3,
                ..PHYSX
            },
        ),
        maker("explicit, 3 substeps", sedan(&explicit(3), false)),
        physx(
            "vehicle2",
            Setting {
                library: Library::Vehicle2,
                ..PHYSX
            },
        ),
        maker("rows sedan", sedan("", false)),
        maker("rows sedan, reports and poses", sedan("", true)),
    ];
    for preset in ["sports-car", "truck", "suv", "truck-6x6", "tank", "tadpole"] {
        let car = presets::by_name(preset).expect("a preset");
        let name = format!("rows {preset}");
        makers.push(maker(name, move |count| {
            DrivenFleet::on_plane(&car, count, false)
        }));
    }
    makers
}

/// Whole frames in Rapier.
fn in_rapier() -> Vec<Maker> {
    IN_RAPIER.makers(Controllers::new, rapier::sedans)
}

/// Whole frames in Jolt.
#[cfg(feature = "jolt")]
fn in_jolt() -> Vec<Maker> {
    IN_JOLT.makers(WheeledVehicles::new, jolt::sedans)
}

#[cfg(not(feature = "jolt"))]
fn in_jolt() -> Vec<Maker> {
    Vec::new()
}

/// PhysX's stages on other grounds.
fn physx_elsewhere() -> Vec<Maker> {
    let grounds = [CourseGround::HeightField, CourseGround::Mesh];
    let fleet = |ground: CourseGround| {
        let name = format!("physx, {}", ground.name());
        physx(&name, Setting { ground, ..PHYSX })
    };
    grounds.map(fleet).into()
}

/// Groups of contenders that take turns with each other, of `count` vehicles each. A group is made when it is asked for.
pub(crate) fn groups(count: usize) -> impl Iterator<Item = Vec<Contender>> {
    let groups = [on_plane, in_rapier, in_jolt, physx_elsewhere];
    let made = groups.into_iter().map(move |makers| -> Vec<_> {
        let entry = |(name, make): Maker| Contender::new(name, count, make(count));
        makers().into_iter().map(entry).collect()
    });
    made.filter(|group| !group.is_empty())
}

/// Fleets whose cost per vehicle is asked for as they grow, by the key of its ratio.
const GROWING: [(&str, &str); 3] = [
    ("n5000_over_n100_explicit_light", "explicit"),
    ("n5000_over_n100_rows_sedan", "rows sedan"),
    ("n5000_over_n100_physx", "physx"),
];
/// Vehicles of a large and of a small fleet.
pub(crate) const LARGE_AND_SMALL: [usize; 2] = [5000, 100];

/// Large and small fleets of one kind that take turns with each other, each with the key of its ratio.
pub(crate) fn growth() -> impl Iterator<Item = (&'static str, [Contender; 2])> {
    on_plane().into_iter().filter_map(|(name, make)| {
        let (key, _) = GROWING.iter().find(|(_, growing)| *growing == name)?;
        let entry = |count| Contender::new(name.clone(), count, make(count));
        Some((*key, LARGE_AND_SMALL.map(entry)))
    })
}
