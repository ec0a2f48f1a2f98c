//! Levels of detail of a fleet's cars by distance from the eye: the rungs of the file's own ladder, or usual ones.

use std::sync::Arc;

use glam::Vec3;
use jounce::core::detail::HYSTERESIS;
use jounce::core::params::Probe;
use jounce::core::{Checked, Detail, VehicleModel, VehicleParams};
use jounce::file::Car;
use jounce::jointed::{Ladder, Rung, WorldAbilities};

/// Abilities of the standalone world.
const WORLD: WorldAbilities = WorldAbilities {
    sweeps: true,
    triangles: true,
    joints: false,
};

/// Rungs of the usual ladder: name, updates per ground query, steps per update.
const USUAL: [(&str, u32, u32); 4] = [
    ("every step", 1, 1),
    ("ground every 4th step", 4, 1),
    ("update every 2nd step", 4, 2),
    ("update every 3rd step", 8, 3),
];
/// Distances from the eye at which the usual rungs end (`m`).
const ENDS: [f32; 3] = [40.0, 90.0, 180.0];

/// The ladder of a car's fleet.
pub(crate) fn ladder(car: &Car) -> Ladder {
    let own = car.ladder_in(WORLD).ok().flatten();
    own.unwrap_or_else(|| usual(&car.model()))
}

/// Usual ladder of a model: swept wheels, if the model has any, are on the nearest rung alone.
fn usual(model: &Arc<VehicleModel>) -> Ladder {
    let far = on_rays(model).map_or_else(|| Arc::clone(model), Arc::new);
    let rungs = USUAL.iter().enumerate();
    let rungs = rungs.map(|(n, (name, probe_every, update_every))| Rung {
        detail: Detail {
            probe_every: *probe_every,
            update_every: *update_every,
        },
        ..Rung::probing(name, Arc::clone(if n == 0 { model } else { &far }))
    });
    Ladder::new(rungs.collect(), ENDS.to_vec(), HYSTERESIS, WORLD).expect("rungs of one body")
}

/// This vehicle on rays; `None` if it casts rays already.
fn on_rays(model: &VehicleModel) -> Option<VehicleModel> {
    let params = model.params();
    if matches!(params.probe, Probe::Ray) {
        return None;
    }
    let params = VehicleParams {
        probe: Probe::Ray,
        ..VehicleParams::clone(params)
    };
    model.with_params(Checked::new(params).ok()?).ok()
}

/// Paint of a car on a rung when levels are shown; `None` keeps the usual paint of the finest rung.
pub(crate) fn paint(rung: usize) -> Option<Vec3> {
    const PAINTS: [Vec3; 5] = [
        Vec3::new(0.86, 0.60, 0.12),
        Vec3::new(0.24, 0.60, 0.28),
        Vec3::new(0.22, 0.42, 0.78),
        Vec3::new(0.56, 0.32, 0.70),
        Vec3::new(0.55, 0.56, 0.58),
    ];
    Some(PAINTS[rung.checked_sub(1)? % PAINTS.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce::presets;

    #[test]
    fn swept_wheels_are_near_only() {
        let (_, text) = presets::FILES[0];
        let swept = text.replacen("[chassis]", "[sweep]\n\n[chassis]", 1);
        let car = Car::parse(&swept, "swept").unwrap();
        let sweeps = |rung: &Rung| !matches!(rung.model.params().probe, Probe::Ray);
        let found: Vec<bool> = ladder(&car).rungs().iter().map(sweeps).collect();
        assert_eq!(found, [true, false, false, false]);
        let plain = ladder(&presets::sedan());
        let same = |rung: &Rung| Arc::ptr_eq(&rung.model, &plain.rungs()[0].model);
        assert!(plain.rungs().iter().all(same));
    }

    #[test]
    fn a_files_own_ladder_comes_first() {
        let (_, text) = presets::FILES[0];
        let rungs = "[ladder]\nrungs = [{ name = \"near\", end = 20.0 }, { name = \"three\", three_wheeler = \"tadpole\" }]";
        let own = text.replacen("[chassis]", &format!("{rungs}\n\n[chassis]"), 1);
        let own = ladder(&Car::parse(&own, "own").unwrap());
        assert_eq!((own.rungs().len(), own.ends()), (2, &[20.0][..]));
        let wheels = own.rungs()[1].model.params().wheels.iter();
        assert_eq!(wheels.filter(|wheel| wheel.enabled).count(), 3);
    }
}
