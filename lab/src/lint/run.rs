//! The car in the standalone world, driven for a few seconds.

use glam::Vec3;
use jounce::core::{Command, Gear, math};

use super::subject::{AnyCommand, LintedCar};
use crate::error::LabError;
use proving_ground::ground::Terrain;
use proving_ground::stage::{Scene, Setup, Stage};
use proving_ground::world::{self, WorldKind};

/// Command without pedals and steering.
pub(super) const NOTHING: AnyCommand = AnyCommand {
    throttle: 0.0,
    brake: 0.0,
    steer: 0.0,
    in_neutral: false,
};
/// Full throttle.
pub(super) const FLAT_OUT: AnyCommand = AnyCommand {
    throttle: 1.0,
    ..NOTHING
};
/// 40 % throttle.
pub(super) const GENTLY: AnyCommand = AnyCommand {
    throttle: 0.4,
    ..NOTHING
};
/// Out of gear.
pub(super) const COASTING: AnyCommand = AnyCommand {
    in_neutral: true,
    ..NOTHING
};
/// Full braking.
pub(super) const BRAKING: AnyCommand = AnyCommand {
    brake: 1.0,
    ..NOTHING
};

/// The car and its world.
pub(super) struct LintRun<'a> {
    pub(super) subject: &'a LintedCar<'a>,
    pub(super) stage: Stage,
}

impl<'a> LintRun<'a> {
    /// Places the car as the scene says, in its initial gear or first; its body collides with
    /// nothing.
    pub(super) fn new(subject: &'a LintedCar<'a>, scene: Scene) -> Result<Self, LabError> {
        let setup = Setup {
            world: WorldKind::Standalone,
            car: subject.car,
        };
        let stage = Stage::new(&setup, &prepared(subject, scene), 1.0 / subject.dt)?;
        Ok(Self { subject, stage })
    }

    /// Places the car on a terrain, without the scene's slope, in its initial gear or first.
    pub(super) fn over(
        subject: &'a LintedCar<'a>,
        terrain: &Terrain,
        scene: Scene,
    ) -> Result<Self, LabError> {
        let (scene, dt) = (prepared(subject, scene), subject.dt);
        let world = world::open(WorldKind::Standalone, terrain, dt)?;
        let stage = Stage::put(world, terrain, subject.car, &scene, dt)?;
        Ok(Self { subject, stage })
    }

    /// The car on level ground, accelerated to a speed (`m/s`) at 40 % throttle, in at most 8 s.
    pub(super) fn rolling(subject: &'a LintedCar<'a>, speed: f32) -> Result<Self, LabError> {
        let mut run = Self::new(subject, Scene::LEVEL)?;
        run.go_while(8.0, GENTLY, |run| run.speed() < speed)?;
        Ok(run)
    }

    /// The car on level ground, rolling at a speed (`m/s`) out of gear.
    pub(super) fn coasting(subject: &'a LintedCar<'a>, speed: f32) -> Result<Self, LabError> {
        let scene = Scene {
            speed,
            ..Scene::LEVEL
        };
        let mut run = Self::new(subject, scene)?;
        run.stage
            .vehicle
            .state_mut()
            .drive
            .force_gear(Gear::NEUTRAL);
        Ok(run)
    }

    fn command(&self, asked: AnyCommand) -> Command {
        self.subject.command(asked).unwrap_or_default()
    }

    pub(super) fn go(&mut self, seconds: f32, asked: AnyCommand) -> Result<(), LabError> {
        self.watch(seconds, asked, |_| ())
    }

    /// One step.
    pub(super) fn step(&mut self, asked: AnyCommand) -> Result<(), LabError> {
        Ok(self.stage.obey(&self.command(asked), self.stage.dt)?)
    }

    /// Continues for this many seconds, calling a function before each step.
    pub(super) fn watch(
        &mut self,
        seconds: f32,
        asked: AnyCommand,
        mut see: impl FnMut(&Self),
    ) -> Result<(), LabError> {
        let all = |run: &Self| {
            see(run);
            true
        };
        self.go_while(seconds, asked, all).map(|_| ())
    }

    /// Continues for at most this many seconds, while `more`; returns the elapsed time (`s`).
    pub(super) fn go_while(
        &mut self,
        seconds: f32,
        asked: AnyCommand,
        mut more: impl FnMut(&Self) -> bool,
    ) -> Result<f32, LabError> {
        let (command, dt) = (self.command(asked), self.stage.dt);
        let mut time = 0.0;
        while time < seconds && more(self) {
            self.stage.obey(&command, dt)?;
            time += dt;
        }
        Ok(time)
    }

    /// Continues like [`LintRun::go`]; returns for how long `is` holds (`s`).
    pub(super) fn timed(
        &mut self,
        seconds: f32,
        asked: AnyCommand,
        is: impl Fn(&Self) -> bool,
    ) -> Result<f32, LabError> {
        let mut time = 0.0;
        self.watch(seconds, asked, |run| {
            time += if is(run) { run.stage.dt } else { 0.0 };
        })?;
        Ok(time)
    }

    /// Whether a wheel of the car spins relative to the car's speed.
    pub(super) fn spins(&self) -> bool {
        let [_, fastest] = self.rims(self.subject.wheels().map(|(n, _)| n));
        spins(fastest, self.speed())
    }

    /// Speed over ground (`m/s`).
    pub(super) fn speed(&self) -> f32 {
        self.stage.velocity().truncate().length()
    }

    /// Curvature of the path of the car's heading (`1/m`), positive to the left.
    pub(super) fn curvature(&self) -> f32 {
        self.yaw_rate() / self.speed().max(0.1)
    }

    /// Yaw rate of the heading (`rad/s`), to the left.
    pub(super) fn yaw_rate(&self) -> f32 {
        self.stage.vehicle.updated_velocity().1.z
    }

    /// The maximum spin of a wheel (`rad/s`).
    pub(super) fn fastest_wheel(&self) -> f32 {
        let spins = self.stage.spins().into_iter();
        spins.fold(0.0, |most: f32, spin| most.max(spin.abs()))
    }

    /// The minimum and the maximum speed of the rims of some wheels (`m/s`).
    pub(super) fn rims(&self, wheels: impl Iterator<Item = usize>) -> [f32; 2] {
        let spins = self.stage.spins();
        let rims = wheels.map(|n| (spins[n] * self.subject.params.wheels[n].radius).abs());
        rims.fold([f32::INFINITY, 0.0], |[low, high], rim| {
            [low.min(rim), high.max(rim)]
        })
    }

    /// Lean of the body to the left (`rad`).
    pub(super) fn lean(&self) -> Result<f32, LabError> {
        let side = math::matrix(self.stage.body()?.rotation).y_axis;
        Ok(-libm::asinf(side.z.clamp(-1.0, 1.0)))
    }

    /// Angle between the car's heading and its path (`rad`), absolute.
    pub(super) fn sideslip(&self) -> Result<f32, LabError> {
        let (ahead, way) = (self.ahead()?.truncate(), self.stage.velocity().truncate());
        Ok(libm::atan2f(ahead.perp_dot(way), ahead.dot(way)).abs())
    }

    /// The car's forward direction (world axes).
    pub(super) fn ahead(&self) -> Result<Vec3, LabError> {
        Ok(math::matrix(self.stage.body()?.rotation).x_axis)
    }
}

/// The scene with the subject's body, in its initial gear or first.
fn prepared(subject: &LintedCar<'_>, scene: Scene) -> Scene {
    let gear = subject.car.model().drivetrain().initial_state().gear;
    Scene {
        hull: false,
        damping: subject.damping,
        gear: gear.max(Gear::FIRST),
        ..scene
    }
}

/// Whether a rim spins (`m/s`): faster than 1.5 times its proper speed plus 1 m/s.
pub(super) fn spins(rim: f32, proper: f32) -> bool {
    rim > 1.5 * proper + 1.0
}

#[cfg(test)]
mod tests {
    use super::super::LintSurroundings;
    use super::*;

    #[test]
    fn a_rim_spins_that_is_half_as_fast_again_and_more() {
        let spun = [
            (1.0, 0.0),
            (1.1, 0.0),
            (16.0, 10.0),
            (16.1, 10.0),
            (10.0, 10.0),
        ];
        let spun = spun.map(|(rim, proper)| spins(rim, proper));
        assert_eq!(spun, [false, true, false, true, false]);
    }

    /// A step is begun before the time is up; what is watched is seen before each.
    #[test]
    fn a_run_takes_its_time() {
        let sedan = jounce::presets::sedan();
        let subject = LintedCar::new(&sedan, &LintSurroundings::new(0.0625));
        let mut run = LintRun::new(&subject, Scene::LEVEL).unwrap();
        let mut seen = 0;
        run.watch(1.0, NOTHING, |_| seen += 1).unwrap();
        assert_eq!(seen, 16);
        assert_eq!(run.go_while(0.4, NOTHING, |_| true).unwrap(), 0.4375);
        assert_eq!(run.go_while(9.0, NOTHING, |_| false).unwrap(), 0.0);
        let mut left = 5;
        let more = |_: &LintRun<'_>| {
            left -= 1;
            left >= 0
        };
        assert_eq!(run.go_while(9.0, NOTHING, more).unwrap(), 0.3125);
        assert_eq!(run.timed(1.0, NOTHING, |_| true).unwrap(), 1.0);
        assert_eq!(run.timed(1.0, NOTHING, |_| false).unwrap(), 0.0);
    }

    /// Rolling straight on, all wheels are as fast as the car; steered to the right, it turns there on the
    /// circle of its speed and its rate.
    #[test]
    fn a_run_knows_how_its_car_moves() {
        let sedan = jounce::presets::sedan();
        let subject = LintedCar::new(&sedan, &LintSurroundings::new(1.0 / 60.0));
        let mut run = LintRun::rolling(&subject, 4.0).unwrap();
        assert!((4.0..4.5).contains(&run.speed()), "{}", run.speed());
        run.go(0.5, NOTHING).unwrap();
        let speed = run.speed();
        let [low, high] = run.rims(0..4);
        assert!(
            0.97 * speed < low && low <= high && high < 1.03 * speed,
            "{low} {high} {speed}"
        );
        assert!((run.fastest_wheel() - high / 0.33).abs() < 1e-3);
        assert!(!run.spins() && run.curvature().abs() < 1e-3);
        assert!(run.ahead().unwrap().x > 0.999);
        let right = AnyCommand {
            steer: 0.6,
            ..NOTHING
        };
        run.go(1.0, right).unwrap();
        let bend = run.yaw_rate() / run.speed();
        assert!(
            bend < -0.05 && (run.curvature() - bend).abs() < 1e-6,
            "{bend}"
        );
        assert!(run.ahead().unwrap().y < -0.1);
    }
}
