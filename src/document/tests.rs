//! Round trips in three formats, migration, and refused documents.

use super::*;
use crate::presets;
use driver_input::{BrakeKeys, TankMode, TankRates};
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::internals::{ExtraStates, GripMemory, RowsGrip};
use vehicle_core::lanes::W4;
use vehicle_core::params::SweepSettings;
use vehicle_core::profile::{ExplicitSettings, Profile, RowsSettings, Solver};
use vehicle_core::{
    CarCommand, DriveState, Gear, GearCommand, TankCommand, TireState, WheelCommand,
};

/// The round trip through each format.
fn there_and_back<T: Record + Clone>(record: &T) -> [T; 3] {
    let document = Document(record.clone());
    let toml = toml::to_string(&document).unwrap();
    let json = serde_json::to_string(&document).unwrap();
    let binary = postcard::to_allocvec(&document).unwrap();
    let Document(from_toml) = toml::from_str(&toml).unwrap();
    let Document(from_json) = serde_json::from_str(&json).unwrap();
    let Document(from_binary) = postcard::from_bytes(&binary).unwrap();
    [from_toml, from_json, from_binary]
}

#[test]
fn every_preset_round_trips_and_builds_the_same_kind() {
    let models = Registries::with_builtins();
    for (name, _) in presets::FILES {
        let car = presets::by_name(name).unwrap();
        for read in there_and_back(car.spec()) {
            assert_eq!(&read, car.spec(), "{name}");
            let model = read.build(&models).unwrap();
            assert_eq!(model.params(), car.model().params(), "{name}");
        }
        assert!(
            there_and_back(&car.spec().params)
                .iter()
                .all(|p| *p == car.spec().params)
        );
    }
}

/// Schema 1 had the settings of both solvers side by side.
#[rstest]
#[case::rows("sedan", "rows")]
#[case::explicit("physx-snippet", "explicit")]
fn settings_of_schema_1_move_into_their_solver(#[case] name: &str, #[case] solver: &str) {
    let spec = presets::by_name(name).unwrap().spec().clone();
    let mut table = Table::try_from(Document(spec.clone())).unwrap();
    table.insert("schema".to_owned(), 1.into());
    let profile = table["params"]["profile"].as_table_mut().unwrap();
    let own = profile["solver"][solver].as_table().unwrap().clone();
    let (rows, explicit) = (RowsSettings::FINE, ExplicitSettings::PHYSX_5);
    profile.insert("rows".to_owned(), Value::try_from(rows).unwrap());
    profile.extend(Table::try_from(explicit).unwrap());
    if solver == "rows" {
        profile.insert("rows".to_owned(), own.into());
    } else {
        profile.extend(own);
    }
    // Newer than that schema.
    for newer in ["sleep_keeps_jounce", "preload_follows_gravity"] {
        profile.remove(newer);
    }
    profile.insert("solver".to_owned(), solver.into());
    let Document(read): Document<VehicleSpec> = toml::from_str(&table.to_string()).unwrap();
    assert_eq!(read, spec);
}

/// A document of schema 2 named the units of its numbers.
#[rstest]
#[case::vehicle(Document(presets::sedan().spec().clone()), &["params", "profile"])]
#[case::params(Document(presets::sedan().spec().params.clone()), &["profile"])]
fn units_of_schema_2_must_be_si<T: Record + PartialEq + core::fmt::Debug>(
    #[case] document: Document<T>,
    #[case] profile: &[&str],
) {
    let mut table = Table::try_from(&document).unwrap();
    table.insert("schema".to_owned(), 2.into());
    let read = |units: &str| {
        let mut root = Value::Table(table.clone());
        let profile = profile
            .iter()
            .fold(&mut root, |table, key| &mut table[*key]);
        let units = units.parse::<Table>().unwrap();
        profile
            .as_table_mut()
            .unwrap()
            .insert("units".to_owned(), units.into());
        toml::from_str::<Document<T>>(&toml::to_string(&root).unwrap())
    };
    let Document(expected) = document;
    let Document(si) = read("length = 1.0\nmass = 1").unwrap();
    assert_eq!(si, expected);
    let error = read("length = 100.0\nmass = 1.0").unwrap_err().to_string();
    assert!(
        error.contains("from schema 2 to 3: profile.units.length must be 1"),
        "{error}"
    );
}

/// A state of schema 1 had one field for a deflection or a time.
#[test]
fn the_grip_of_schema_1_is_that_of_the_rows_solver() {
    let mut state = VehicleState::at_rest(4, DriveState::default());
    let [deflection, force] = [[1e-4, -2e-4], [500.0, -300.0]].map(|pair| pair.map(W4::splat));
    state.wheels[0].grip = GripMemory::Rows(RowsGrip { deflection, force });
    let mut table = state_of_schema(1, &state);
    table.insert("braking".to_owned(), 0.0.into());
    let group = table["wheels"]["one"][0].as_table_mut().unwrap();
    group.remove("grip");
    for (key, lanes) in [
        ("hold_forward", deflection[0]),
        ("hold_sideways", deflection[1]),
        ("forward_force", force[0]),
        ("left_force", force[1]),
    ] {
        group.insert(key.to_owned(), Value::try_from(lanes).unwrap());
    }
    let Document(read): Document<VehicleState> = toml::from_str(&table.to_string()).unwrap();
    assert_eq!(read, state);
    table["wheels"]["one"][0]
        .as_table_mut()
        .unwrap()
        .remove("left_force");
    let error = toml::from_str::<Document<VehicleState>>(&table.to_string()).unwrap_err();
    assert!(
        error.to_string().contains("left_force is missing"),
        "{error}"
    );
}

/// A state as a document of an old schema, before the names of schema 6.
fn state_of_schema(schema: i64, state: &VehicleState) -> Table {
    let mut table = Table::try_from(Document(state.clone())).unwrap();
    table.insert("schema".to_owned(), schema.into());
    let back = |table: &mut Table, names: [&str; 2]| {
        let value = table.remove(names[1]).unwrap();
        table.insert(names[0].to_owned(), value);
    };
    let last = table["last_step"].as_table_mut().unwrap();
    back(
        last["ground"].as_table_mut().unwrap(),
        ["place", "position"],
    );
    back(last, ["place", "position"]);
    for names in [
        ["handover", "last_step"],
        ["given", "input_digest"],
        ["slept_on", "ground_digest"],
    ] {
        back(&mut table, names);
    }
    table
}

/// A state of schema 5 had other names for the last step and the digests.
#[test]
fn a_state_of_schema_5_has_other_names() {
    let mut state = VehicleState::at_rest(4, DriveState::default());
    state.last_step.position.x = 1.0;
    state.last_step.ground.position.y = 2.0;
    (state.input_digest, state.ground_digest) = (3, 4);
    let old = state_of_schema(5, &state);
    let read: Document<VehicleState> = toml::from_str(&old.to_string()).unwrap();
    assert_eq!(read, Document(state));
}

/// A state of schema 2 records only the braking torques among the loads that kept the car at rest.
#[test]
fn a_state_of_schema_2_does_not_know_what_held_it() {
    let state = VehicleState::at_rest(4, DriveState::default());
    let mut table = state_of_schema(2, &state);
    table.remove("given");
    table.remove("slept_on");
    let read = |table: &Table| toml::from_str::<Document<VehicleState>>(&table.to_string());
    let error = read(&table).unwrap_err().to_string();
    assert!(
        error.contains("from schema 2 to 3: braking is missing"),
        "{error}"
    );
    table.insert("braking".to_owned(), 1500.0.into());
    assert_eq!(read(&table).unwrap(), Document(state));
}

/// A state of schema 4 had a list of tires, and nothing of a steering wheel.
#[test]
fn a_state_of_schema_4_keeps_its_tires() {
    let mut state = VehicleState::at_rest(4, DriveState::default());
    let worn = TireState {
        lengths: [0.0; 2],
        values: [3.0; 6],
    };
    state.extras = ExtraStates::new(vec![worn; 4], None);
    let mut table = state_of_schema(4, &state);
    let extras = table.remove("extras").unwrap();
    table.insert("tires".to_owned(), extras["tires"].clone());
    let read: Document<VehicleState> = toml::from_str(&table.to_string()).unwrap();
    assert_eq!(read, Document(state));
}

/// A state of schema 3 records only the reported velocity of moving ground.
#[test]
fn a_state_of_schema_3_forgets_its_ground() {
    let mut state = VehicleState::at_rest(4, DriveState::default());
    state.last_step.ground.rotation[3] = 1.0;
    let mut table = state_of_schema(3, &state);
    let ground = table["handover"]["ground"].as_table_mut().unwrap();
    ground.remove("lag");
    let read: Document<VehicleState> = toml::from_str(&table.to_string()).unwrap();
    assert!(!read.0.last_step.ground.is_known());
    state.last_step.ground = read.0.last_step.ground;
    assert_eq!(read, Document(state));
}

/// Settings that are `bool`s in code are words in documents.
#[rstest]
#[case::own(explicit(ExplicitSettings::DEFAULT), ["Clamp", "acceleration", "steered", "ground", "down-strut", "own-jounce"])]
#[case::physx_4(Profile::PHYSX_4, ["Refuse", "velocity-change", "steered", "ground", "down-strut", "ground-jounce"])]
#[case::physx_5(Profile::PHYSX_5, ["Refuse", "velocity-change", "axle", "wheel-end", "into-ground", "own-jounce"])]
fn choices_are_words(#[case] profile: Profile, #[case] words: [&str; 6]) {
    let table = Table::try_from(profile).unwrap();
    let settings = &table["solver"]["explicit"];
    let keys = [
        "output",
        "tire_axes",
        "contact_point",
        "gravity_across",
        "expansion",
    ];
    let found = keys.map(|key| settings[key].as_str().unwrap());
    assert_eq!(table["commands"].as_str(), Some(words[0]));
    assert_eq!(found, words[1..]);
    assert_eq!(Profile::deserialize(table).unwrap(), profile);
}

fn explicit(settings: ExplicitSettings) -> Profile {
    Profile {
        solver: Solver::Explicit(settings),
        ..Profile::DEFAULT
    }
}

#[test]
fn an_unknown_word_is_refused_with_the_known_ones() {
    let mut table = Table::try_from(SweepSettings::DEFAULT).unwrap();
    assert_eq!(table["hits"].as_str(), Some("all"));
    table.insert("hits".to_owned(), "first".into());
    let read = SweepSettings::deserialize(table.clone()).unwrap();
    assert!(!read.all_hits);
    table.insert("hits".to_owned(), "last".into());
    let error = SweepSettings::deserialize(table).unwrap_err().to_string();
    assert!(
        error.contains("unknown variant `last`, expected `first` or `all`"),
        "{error}"
    );
}

#[test]
fn an_infinite_limit_survives_json() {
    let params = presets::physx_snippet().spec().params.clone();
    assert_eq!(params.profile.max_ground_acceleration, f32::INFINITY);
    let json = serde_json::to_string(&Document(params)).unwrap();
    assert!(
        json.contains("\"max_ground_acceleration\":\"infinite\""),
        "{json}"
    );
}

#[rstest]
#[case::car(Command::Car(CarCommand { gear: GearCommand::Engage(Gear(-1)), ..CarCommand::default() }))]
#[case::tank(Command::Tank(TankCommand { thrust: [-0.3, 1.0], ..TankCommand::default() }))]
#[case::wheels(Command::Wheels(WheelCommand { drive: [1.5; 20], ..WheelCommand::default() }))]
fn commands_round_trip(#[case] command: Command) {
    assert_eq!(there_and_back(&command), [command; 3]);
}

/// Names in documents that predate the names of the choices in code.
#[test]
fn drives_keep_their_names_in_documents() {
    let mut drive = drivetrain::physx::tank(4, true);
    drive.gearbox.logic = drivetrain::DriveLogic::PHYSX_5;
    drive.steering.axle_law = drivetrain::AxleLaw::Mean;
    drive.steering.response.speed_axis = drivetrain::SpeedAxis::Signed;
    let toml = toml::to_string(&drive).unwrap();
    assert_eq!(toml.matches("\nrules = \"physx-5\"\n").count(), 1, "{toml}");
    for (key, count) in [
        ("axle_law = \"mean\"", 1),
        ("speed_axis = \"signed\"", 1),
        ("speed_axis = \"magnitude\"", 4),
        ("coupling = \"by-halves\"", 1),
    ] {
        let found = toml.matches(&format!("\n{key}\n")).count();
        assert_eq!(found, count, "{key} in {toml}");
    }
    let read: drivetrain::EngineDriveParams = toml::from_str(&toml).unwrap();
    assert_eq!(read, drive);
    let ratios = drivetrain::MultiWheel {
        torque_by: drivetrain::TorqueBy::SpeedRatio,
        ..drivetrain::MultiWheel::default()
    };
    let locking = drivetrain::LockingDifferential {
        ratios,
        front: [0, 1],
        rear: [2, 3],
        front_limit: None,
        rear_limit: None,
        center_limit: None,
        rate: None,
        free_axle: drivetrain::FreeAxle::StopsSecond,
    };
    let toml = toml::to_string(&locking).unwrap();
    for key in [
        "torque_by = \"speed-ratio\"",
        "free_axle = \"stops-second\"",
    ] {
        assert!(toml.contains(key), "{toml}");
    }
}

fn comes_back<T: Record + Clone + PartialEq + core::fmt::Debug>(record: &T) {
    for read in there_and_back(record) {
        assert_eq!(read, *record);
    }
}

#[test]
fn input_smoothing_and_its_state_round_trip() {
    comes_back(&CarSmoothing::physx_keys());
    comes_back(&CarSmoothing::for_car(&presets::sedan().model()));
    comes_back(&TankSmoothing {
        rates: TankRates::PHYSX_SAMPLE,
        mode: TankMode::Special,
        brake_keys: BrakeKeys::PullBack,
    });
    comes_back(&ReverseSpeeds::PHYSX);
    comes_back(&CounterSteer {
        gain: 2.5,
        tolerance: 0.05,
        limit: 1.0,
    });
    comes_back(&CarHands {
        throttle: 0.1,
        left: 1.0 / 3.0,
        clamped: true,
        ..CarHands::default()
    });
    comes_back(&TankHands {
        thrust: [0.1, -1.0 / 3.0],
        ..TankHands::default()
    });
    comes_back(&AutoReverse { held: true });
    let mut old = Table::try_from(Document(CarSmoothing::physx_pad())).unwrap();
    old.insert("schema".to_owned(), 1.into());
    let Document(read): Document<CarSmoothing> = toml::from_str(&old.to_string()).unwrap();
    assert_eq!(read, CarSmoothing::physx_pad());
    let misspelt = toml::to_string(&Document(CarSmoothing::physx_pad())).unwrap();
    let misspelt = misspelt.replace("sharpness", "sharpnes");
    let error = toml::from_str::<Document<CarSmoothing>>(&misspelt).unwrap_err();
    assert!(error.to_string().contains("sharpnes"), "{error}");
}

/// A position of which `f32` keeps too few digits; found by [`states_round_trip_bit_for_bit`].
#[test]
fn a_far_position_round_trips() {
    let mut state = VehicleState::at_rest(1, DriveState::default());
    state.position.y = f64::from(-562_578.44_f32) / 3.0;
    for read in there_and_back(&state) {
        assert_eq!(read, state);
    }
}

proptest! {
    #[test]
    fn states_round_trip_bit_for_bit(
        numbers in proptest::array::uniform8(-1e6..1e6_f32),
        wheels in 1..=20_usize,
    ) {
        let mut state = VehicleState::at_rest(wheels, DriveState::default());
        state.drive.engine_speed = numbers[0];
        state.drive.target_gear = Gear(3);
        state.position.y = f64::from(numbers[1]) / 3.0;
        state.last_step.rotation[3] = numbers[2];
        for group in state.wheels.iter_mut() {
            group.spin = W4::from_fn(|lane| numbers[3 + lane] / 7.0);
            group.ground_normal.z = group.spin;
        }
        for read in there_and_back(&state) {
            prop_assert_eq!(&read, &state);
        }
    }
}

/// A record whose field was renamed from schema 1 to 2 and got a unit from 2 to 3.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spring {
    stiffness: f32,
}

impl Record for Spring {
    const SCHEMA: Schema = Schema {
        name: "spring",
        steps: &[
            |table| {
                let strength = table.remove("strength").ok_or("strength is missing")?;
                table.insert("stiffness".to_owned(), strength);
                Ok(())
            },
            |table| {
                let value = table.get_mut("stiffness").ok_or("stiffness is missing")?;
                let per_mm = value.as_float().ok_or("stiffness is not a number")?;
                *value = Value::Float(1000.0 * per_mm);
                Ok(())
            },
        ],
    };
}

#[rstest]
#[case::first("strength = 25.0\nschema = 1")]
#[case::second("stiffness = 25.0\nschema = 2")]
#[case::third("stiffness = 25000.0\nschema = 3")]
fn every_earlier_schema_is_read(#[case] text: &str) {
    let text = format!("document = \"spring\"\n{text}");
    let Document(spring): Document<Spring> = toml::from_str(&text).unwrap();
    assert_eq!(spring.stiffness, 25_000.0);
    let json = serde_json::to_string(&text.parse::<Table>().unwrap()).unwrap();
    assert_eq!(serde_json::from_str(&json).ok(), Some(Document(spring)));
}

#[rstest]
#[case::newer("document = \"spring\"\nschema = 4", "schema = 4: must be 1 to 3")]
#[case::none("document = \"spring\"", "schema = nothing: must be 1 to 3")]
#[case::other(
    "document = \"damper\"\nschema = 1",
    "document = \"damper\": must be \"spring\""
)]
#[case::step(
    "document = \"spring\"\nschema = 1",
    "from schema 1 to 2: strength is missing"
)]
#[case::field(
    "document = \"spring\"\nschema = 3\nstiffness = 1.0\nlength = 2",
    "unknown field `length`"
)]
fn unknown_documents_are_refused(#[case] text: &str, #[case] said: &str) {
    let error = toml::from_str::<Document<Spring>>(text).unwrap_err();
    assert!(error.to_string().contains(said), "{error}");
}

#[test]
fn binary_documents_of_another_schema_are_refused_naming_both() {
    let of = |name: &str, version: u32| postcard::to_allocvec(&(name, version, 25_000.0_f32));
    let present = of("spring", 3).unwrap();
    assert!(postcard::from_bytes::<Document<Spring>>(&present).is_ok());
    for (name, version, said) in [
        (
            "spring",
            2,
            "schema = 2: binary documents must be of schema 3",
        ),
        ("spring", 4, "schema = 4: must be 1 to 3"),
        ("damper", 3, "document = \"damper\": must be \"spring\""),
    ] {
        assert_eq!(
            Spring::SCHEMA
                .require(name, version)
                .unwrap_err()
                .to_string(),
            said
        );
        let bytes = of(name, version).unwrap();
        assert!(postcard::from_bytes::<Document<Spring>>(&bytes).is_err());
    }
}

/// Inserts an unknown field into each table in turn: all are refused.
#[test]
fn unknown_fields_are_refused_at_every_depth() {
    let car = presets::sedan();
    let tables = [
        Table::try_from(Document(car.spec().params.clone())).unwrap(),
        Table::try_from(Document(VehicleState::at_rest(4, DriveState::default()))).unwrap(),
    ];
    let read = |n: usize, table: Table| {
        let text = table.to_string();
        match n {
            0 => toml::from_str::<Document<VehicleParams>>(&text).is_ok(),
            _ => toml::from_str::<Document<VehicleState>>(&text).is_ok(),
        }
    };
    for (n, table) in tables.iter().enumerate() {
        assert!(read(n, table.clone()), "it is read as it is");
        let mut count = 0;
        for path in paths(&Value::Table(table.clone()), &[]) {
            let mut changed = Value::Table(table.clone());
            let place = path.iter().fold(&mut changed, |value, step| match value {
                Value::Table(table) => &mut table[step.as_str()],
                Value::Array(list) => &mut list[step.parse::<usize>().unwrap()],
                _ => unreachable!("paths lead through tables and lists"),
            });
            let Value::Table(place) = place else { continue };
            place.insert("surprise".to_owned(), Value::Integer(1));
            let Value::Table(changed) = changed else {
                unreachable!("it was one")
            };
            assert!(!read(n, changed), "{path:?}");
            count += 1;
        }
        assert!(count > 5, "{count} tables");
    }
}

/// Paths of the tables within a value.
fn paths(value: &Value, at: &[String]) -> Vec<Vec<String>> {
    let child = |step: String| [at, &[step]].concat();
    match value {
        Value::Table(table) => {
            let inner = table
                .iter()
                .flat_map(|(key, value)| paths(value, &child(key.clone())));
            inner.chain([at.to_vec()]).collect()
        }
        Value::Array(list) => {
            let parts = list.iter().enumerate();
            parts
                .flat_map(|(n, value)| paths(value, &child(n.to_string())))
                .collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn an_unknown_model_is_named_with_the_known_ones() {
    let mut spec = presets::sedan().spec().clone();
    spec.drive
        .0
        .insert("model".to_owned(), Value::String("sail".to_owned()));
    let error = spec
        .build(&Registries::with_builtins())
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "no drive model is called \"sail\"; known are: direct, electric, engine"
    );
}

#[test]
fn surfaces_without_grip_are_dry() {
    use vehicle_core::{SurfaceType, Surfaces, TireType};

    let old = "types = {}\nfriction = [[0.8]]";
    let mut surfaces: Surfaces = toml::from_str(old).unwrap();
    assert_eq!(surfaces.grip(), 1.0);
    surfaces.set_grip(0.5).unwrap();
    let text = toml::to_string(&surfaces).unwrap();
    let again: Surfaces = toml::from_str(&text).unwrap();
    assert_eq!(again.friction(SurfaceType(0), TireType(0)), 0.4);
}
