//! PhysX 5.1.3's cars, through the shim: the only unsafe code of the project's own.

use core::ptr::NonNull;

use jounce::file::Car;
// Links the library.
use physx_sys as _;

use crate::clock::LapClock;
use crate::contest::{Contestant, Stages, too_few};
use crate::course::{CELL, CELLS, CourseGround, DT, heights_by_x, pedals, start};
use crate::ours;

/// A wheel as `shim/peers.h` declares it.
#[repr(C)]
#[derive(Clone, Copy)]
struct PeersWheel {
    center: [f32; 3],
    radius: f32,
    width: f32,
    mass: f32,
    inertia: f32,
    damping: f32,
    brake: f32,
    handbrake: f32,
    max_steer: f32,
    stiffness: f32,
    damper: f32,
    compression: f32,
    droop: f32,
    sprung_mass: f32,
}

#[repr(C)]
struct PeersCar {
    mass: f32,
    inertia: [f32; 3],
    half_extents: [f32; 3],
    hull_center: [f32; 3],
    peak_torque: f32,
    max_engine_speed: f32,
    engine_inertia: f32,
    lat_stiff_x: f32,
    lat_stiff_y: f32,
    long_stiff_per_g: f32,
    substeps: u32,
    wheels: [PeersWheel; 4],
}

#[repr(C)]
struct PeersGround {
    kind: u32,
    cells: u32,
    cell: f32,
    heights: *const f32,
}

#[repr(C)]
struct PeersStart {
    place: [f32; 3],
    speed: f32,
}

#[repr(C)]
struct PeersCommand {
    throttle: f32,
    brake: f32,
    steer: f32,
}

#[repr(C)]
struct PeersState {
    place: [f32; 3],
    speed: f32,
    wheels_on_ground: u32,
}

#[repr(C)]
struct PeersFleet {
    _opaque: [u8; 0],
}

type Creator = unsafe extern "C" fn(
    *const PeersCar,
    *const PeersGround,
    *const PeersStart,
    u32,
) -> *mut PeersFleet;

unsafe extern "C" {
    fn peers_legacy(
        car: *const PeersCar,
        ground: *const PeersGround,
        starts: *const PeersStart,
        count: u32,
    ) -> *mut PeersFleet;
    fn peers_vehicle2(
        car: *const PeersCar,
        ground: *const PeersGround,
        starts: *const PeersStart,
        count: u32,
    ) -> *mut PeersFleet;
    fn peers_free(fleet: *mut PeersFleet);
    fn peers_command(fleet: *mut PeersFleet, commands: *const PeersCommand);
    fn peers_probe(fleet: *mut PeersFleet, dt: f32);
    fn peers_update(fleet: *mut PeersFleet, dt: f32, results: u32);
    fn peers_step(fleet: *mut PeersFleet, dt: f32);
    fn peers_state(fleet: *const PeersFleet, car: u32) -> PeersState;
}

/// One of PhysX's two vehicle libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    Legacy,
    Vehicle2,
}

/// Settings of a fleet of PhysX's vehicles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) library: Library,
    pub(crate) ground: CourseGround,
    pub(crate) substeps: u32,
    /// Whether the benchmark writes out query results.
    pub(crate) results: bool,
}

/// Our sedan's numbers, with brakes and steering of `benches/sedan.toml`. PhysX calls left what lies at −y.
fn sedan(substeps: u32) -> PeersCar {
    let car: Car = ours::sedan();
    let spec = &car.spec().params;
    let center_of_mass = car.center_of_mass();
    let wheel = |n: usize| {
        let (from, front) = (&spec.wheels[n], n < 2);
        PeersWheel {
            center: (from.position - center_of_mass).to_array(),
            radius: from.radius,
            width: from.width,
            mass: from.mass,
            inertia: from.inertia,
            damping: from.damping,
            brake: if front { 1900.0 } else { 950.0 },
            handbrake: if front { 0.0 } else { 1600.0 },
            max_steer: if front { 36_f32.to_radians() } else { 0.0 },
            stiffness: from.suspension.stiffness,
            damper: from.suspension.damping.mean_rate(),
            compression: from.suspension.max_compression,
            droop: from.suspension.max_droop,
            sprung_mass: from.suspension.sprung_mass,
        }
    };
    PeersCar {
        mass: car.mass(),
        inertia: car.model().params().chassis.inertia.to_array(),
        half_extents: (0.5 * car.hull.size).to_array(),
        hull_center: (car.hull.center - center_of_mass).to_array(),
        peak_torque: 230.0,
        max_engine_speed: 680.0,
        engine_inertia: 0.22,
        lat_stiff_x: 2.0,
        lat_stiff_y: 14.0,
        long_stiff_per_g: 4500.0,
        substeps,
        wheels: [1, 0, 3, 2].map(wheel),
    }
}

/// Cars in a scene of PhysX's.
pub(crate) struct PhysX {
    fleet: NonNull<PeersFleet>,
    commands: Vec<PeersCommand>,
    results: bool,
}

impl PhysX {
    pub(crate) fn new(setting: Setting, count: usize) -> Self {
        let car = sedan(setting.substeps);
        let heights = heights_by_x();
        let ground = PeersGround {
            kind: match setting.ground {
                CourseGround::Plane => 0,
                CourseGround::HeightField => 1,
                CourseGround::Mesh => 2,
            },
            cells: CELLS as u32,
            cell: CELL as f32,
            heights: heights.as_ptr(),
        };
        let ride = ours::sedan().ride_height();
        let starts: Vec<PeersStart> = (0..count)
            .map(|n| {
                let (place, speed) = start(n, count);
                let height = setting.ground.height(place.x, place.y) + ride;
                PeersStart {
                    place: place.with_z(height).as_vec3().to_array(),
                    speed,
                }
            })
            .collect();
        let create: Creator = match setting.library {
            Library::Legacy => peers_legacy,
            Library::Vehicle2 => peers_vehicle2,
        };
        // SAFETY: all pointers are to living values of the layout in `shim/peers.h`, `starts` holds `count`, and the
        // shim keeps none of them.
        let fleet = unsafe { create(&car, &ground, starts.as_ptr(), count as u32) };
        Self {
            fleet: NonNull::new(fleet).expect("the shim returns a fleet"),
            commands: (0..count).map(|n| command(n, 0)).collect(),
            results: setting.results,
        }
    }

    fn state(&self, car: usize) -> PeersState {
        assert!(car < self.commands.len(), "there is no car {car}");
        // SAFETY: the fleet lives as long as `self`, and the car is one of it.
        unsafe { peers_state(self.fleet.as_ptr(), car as u32) }
    }
}

fn command(n: usize, step: usize) -> PeersCommand {
    let (throttle, brake, steer) = pedals(n, step);
    PeersCommand {
        throttle,
        brake,
        steer,
    }
}

impl Drop for PhysX {
    fn drop(&mut self) {
        // SAFETY: the fleet is from the shim, and is freed once.
        unsafe { peers_free(self.fleet.as_ptr()) }
    }
}

impl Contestant for PhysX {
    fn advance(&mut self, step: usize, watch: &mut LapClock) -> Stages {
        for (n, told) in self.commands.iter_mut().enumerate() {
            *told = command(n, step);
        }
        let fleet = self.fleet.as_ptr();
        // SAFETY: the fleet lives as long as `self`, which is borrowed mutably, and there is a command per car.
        unsafe {
            peers_command(fleet, self.commands.as_ptr());
            watch.start();
            peers_probe(fleet, DT);
            let probe = watch.lap();
            peers_update(fleet, DT, u32::from(self.results));
            let update = watch.lap();
            peers_step(fleet, DT);
            Stages {
                probe,
                update,
                // The update sets the bodies' velocities.
                apply: 0.0,
                step: watch.lap(),
            }
        }
    }

    fn fault(&self) -> Option<String> {
        let all = self.commands.len();
        let states: Vec<PeersState> = (0..all).map(|car| self.state(car)).collect();
        let lost = |state: &&PeersState| !state.speed.is_finite() || state.place[2].abs() > 5.0;
        if let Some(state) = states.iter().find(lost) {
            return Some(format!("a car is at {:?} m", state.place));
        }
        let rolling = states.iter().filter(|state| state.speed > 0.5).count();
        let grounded = states
            .iter()
            .filter(|state| state.wheels_on_ground > 0)
            .count();
        // Some stand, having braked.
        let standing = too_few(rolling, all, 4, "roll");
        let airborne = too_few(grounded, all, 4, "touch the ground");
        standing.or(airborne.filter(|_| self.results))
    }
}
