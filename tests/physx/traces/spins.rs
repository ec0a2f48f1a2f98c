//! True spins of wheels, of which files have only the displayed ones.

use glam::Vec3;
use jounce::core::internals::stage_results;
use jounce::core::lanes::{Groups, LANES, W4};
use jounce::core::state::WheelState;
use jounce::core::{Vehicle, math};
use proving_ground::scenario::{Legacy, Scenario};

use super::variants::{Updated, widest};
use super::{Recorded, explicit, lanes};

/// True spins from one update to the next.
pub(super) struct TrueSpins<'a> {
    scenario: &'a Scenario,
    frames: &'a [Recorded],
    /// Wheels after the last pair, if that pair was run: the file has only the recorded spin.
    last: Option<Groups<WheelState>>,
    /// Errors of the wheels' true spins by rounding (`rad/s`).
    doubts: Vec<f32>,
    /// Number of true spins that the recorded ones told better than our own.
    pub(super) read: usize,
}

impl<'a> TrueSpins<'a> {
    pub(super) const fn new(scenario: &'a Scenario, frames: &'a [Recorded]) -> Self {
        Self {
            scenario,
            frames,
            last: None,
            doubts: Vec::new(),
            read: 0,
        }
    }

    /// Forgets the last pair, after a pair that was not run.
    pub(super) fn forget(&mut self) {
        self.last = None;
        self.doubts.clear();
    }

    /// Errors of the true spins by rounding (`rad/s`); empty where the spins are recorded.
    pub(super) fn doubts(&self) -> &[f32] {
        &self.doubts
    }

    /// The true spins at the end of `before`: the recorded ones, except our own for wheels that the
    /// last update blended. `None` if there may be such wheels and no last update was run.
    pub(super) fn at(&self, before: &Recorded, first: bool) -> Option<Vec<f32>> {
        let wheels = 0..before.spin.len();
        match &self.last {
            Some(last) => {
                let own = |n: usize| {
                    let (wheels, lane) = (&last[n / LANES], n % LANES);
                    let (spin, shown) = (wheels.spin.lane(lane), wheels.spin_shown.lane(lane));
                    if spin == shown { before.spin[n] } else { spin }
                };
                Some(wheels.map(own).collect())
            }
            None if first || !wheels.clone().any(|n| self.may_be_blended(before, n)) => {
                Some(before.spin.clone())
            }
            None => None,
        }
    }

    /// Whether the recorded spin of a wheel may be blended: the wheel touches, is slow, and is neither braked nor driven.
    fn may_be_blended(&self, before: &Recorded, wheel: usize) -> bool {
        let model = self.scenario.model();
        let matrix = math::matrix(before.rotation);
        let (sin, cos) = before.steer[wheel].sin_cos();
        let heading = matrix * Vec3::new(cos, sin, 0.0);
        let arm = matrix * model.params().wheels[wheel].position;
        let speed = heading.dot(before.linear + before.angular.cross(arm));
        // The world's own step came after the wheel's, and turned it.
        let turned = before.linear.length() * before.angular.length() * self.scenario.dt();
        let blend_speed = explicit(self.scenario).blend_speed;
        // A wheel without a force counts as standing, where its strut expands slowly.
        let slow = before.in_air[wheel] || speed.abs() < blend_speed + 1.0 + turned;
        let in_gear = before.gear != 0 && !self.began_between_gears(before);
        let free = |legacy: &Legacy| legacy.is_free(wheel, before.f, before.analog, in_gear);
        let droop = model.params().wheels[wheel].suspension.max_droop;
        before.jounce[wheel] > -droop && slow && self.scenario.legacy().is_some_and(free)
    }

    /// Whether the update to this frame began between gears, as far as the frame before it is recorded: PhysX then cut the
    /// throttle although a gear was engaged at its end.
    fn began_between_gears(&self, frame: &Recorded) -> bool {
        let between = |earlier: &Recorded| earlier.gear != earlier.target_gear;
        let mut all = self.frames.iter();
        all.any(|earlier| earlier.f + 1 == frame.f && between(earlier))
    }

    /// Takes the wheels of `ours` after the update to `after`, and of the same update from `rounded` inputs. Where a
    /// spin was blended, the true one is known twice: by our own update, within what rounding makes of it, and by the
    /// recorded one, within what rounding of the rest makes of that, over the blended share. The nearer one counts;
    /// limited slip amplifies rounding from update to update, even in a coasting car.
    pub(super) fn follow(&mut self, ours: &Vehicle, rounded: &[Updated], after: &Recorded) {
        let mut groups = ours.state().wheels.clone();
        let blend_speed = W4::splat(explicit(self.scenario).blend_speed);
        self.doubts = vec![0.0; after.spin.len()];
        for (g, wheels) in groups.iter_mut().enumerate() {
            let share = stage_results::outputs(ours)[g].forward_speed.abs() / blend_speed;
            let stray = lanes(&after.spin, g) - wheels.spin_shown;
            let blended = !wheels.spin.same(wheels.spin_shown);
            let (here, shown) = (wheels.spin, wheels.spin_shown);
            let all = 0..LANES.min(after.spin.len() - g * LANES);
            for lane in all.filter(|&lane| blended.lane(lane)) {
                let moved = |vehicle: &Vehicle| {
                    let other = &vehicle.state().wheels[g];
                    [other.spin - here, other.spin_shown - shown].map(|four| four.lane(lane))
                };
                let share = share.lane(lane);
                let own = widest(rounded, |vehicle| moved(vehicle)[0]);
                let rest = widest(rounded, |vehicle| {
                    let [spin, shown] = moved(vehicle);
                    shown - share * spin
                });
                let read = (rest + f32::EPSILON * shown.lane(lane).abs()) / share;
                let off = if read < own {
                    stray.lane(lane) / share
                } else {
                    0.0
                };
                self.read += usize::from(read < own);
                wheels.spin += W4::from_fn(|at| if at == lane { off } else { 0.0 });
                self.doubts[g * LANES + lane] = own.min(read);
            }
        }
        self.last = Some(groups);
    }
}
