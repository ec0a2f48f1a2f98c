//! An independent judge: a car in its plane of symmetry, massless wheels that are discs, ground that is a line.
//!
//! It shares no code with the library: exact geometry, the suspension's own spring, damper and stop, and short steps. A
//! wheel without mass passes the strut's force on along its contact's normal, through the hub, so that the force's power is
//! that of the strut:
//!
//! ```text
//! N·(n·u) + T·(t·u) = F(j, j̇),   force on the chassis N·n + T·t,   j̇ = −n·v/(n·u)
//! |T| ≤ μ·N,   T drives the rim to the speed t·(v + j̇·u) of the hub     u: the strut's direction, upwards
//! ```
//!
//! A wheel that rolls over an edge turns about it, and so turns faster while it climbs.

use glam::{DMat2, DVec2};

/// Steps in a second (`1/s`).
const RATE: f64 = 19_200.0;

/// An axle: its two wheels together.
#[derive(Clone, Copy, Debug)]
pub struct JudgedAxle {
    /// Hub at jounce 0, from the center of mass (`m`): forward and up.
    pub hub: DVec2,
    /// Radius of the wheels (`m`).
    pub radius: f64,
    /// Force at jounce 0 (`N`).
    pub preload: f64,
    /// Stiffness (`N/m`).
    pub stiffness: f64,
    /// Damping up to the knee, in bump and rebound (`N·s/m`).
    pub damping: f64,
    /// Damping in bump beyond the knee (`N·s/m`).
    pub fast_damping: f64,
    /// Speed of the knee (`m/s`).
    pub knee: f64,
    /// Greatest jounce before the stop, and greatest droop (`m`).
    pub travel: [f64; 2],
    /// Stiffness of the stop (`N/m`).
    pub stop: f64,
    /// Moment of inertia of the wheels over the square of their radius (`kg`).
    pub spin_mass: f64,
    /// Friction of the tires on the ground (–).
    pub friction: f64,
    /// Torque of the brakes over the radius (`N`).
    pub brake: f64,
    /// Speed of the rims (`m/s`).
    pub rim: f64,
}

/// A car in its plane of symmetry.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Mass (`kg`).
    pub mass: f64,
    /// Moment of inertia about the pitch axis (`kg·m²`).
    pub inertia: f64,
    /// Axles.
    pub axles: Vec<JudgedAxle>,
    /// Center of mass (`m`).
    pub place: DVec2,
    /// Pitch, nose up (`rad`).
    pub pitch: f64,
    /// Velocity of the center of mass (`m/s`).
    pub velocity: DVec2,
    /// Pitch rate (`rad/s`).
    pub rate: f64,
}

impl JudgedAxle {
    /// Force of the strut at a jounce (`m`) and its rate (`m/s`), never pulling (`N`).
    fn force(&self, jounce: f64, rate: f64) -> f64 {
        let damper = if rate > self.knee {
            self.damping * self.knee + self.fast_damping * (rate - self.knee)
        } else {
            self.damping * rate
        };
        let stop = self.stop * (jounce - self.travel[0]).max(0.0);
        (self.preload + self.stiffness * jounce + damper + stop).max(0.0)
    }

    /// Jounce at which the wheel touches a line of ground, and the normal there; the hub is at `hub` at jounce 0, the strut
    /// leads along `up`.
    fn touch(&self, ground: &[DVec2], hub: DVec2, up: DVec2) -> (f64, DVec2) {
        let mut best = (f64::NEG_INFINITY, up);
        let mut offer = |jounce: f64, contact: DVec2| {
            if jounce > best.0 {
                best = (jounce, (hub + up * jounce - contact) / self.radius);
            }
        };
        for corner in ground {
            let arm = *corner - hub;
            let (along, aside) = (arm.dot(up), arm.perp_dot(up));
            let square = self.radius * self.radius - aside * aside;
            if square > 0.0 {
                offer(along + square.sqrt(), *corner);
            }
        }
        for ends in ground.windows(2) {
            let run = ends[1] - ends[0];
            let Some(run_unit) = run.try_normalize() else {
                continue;
            };
            let normal = run_unit.perp();
            let facing = normal.dot(up);
            if facing < 0.1 {
                continue;
            }
            let jounce = (self.radius - normal.dot(hub - ends[0])) / facing;
            let contact = hub + up * jounce - normal * self.radius;
            let part = (contact - ends[0]).dot(run_unit);
            if (0.0..=run.length()).contains(&part) {
                offer(jounce, contact);
            }
        }
        best
    }
}

impl JudgedAxle {
    /// Force of the ground on wheels at a `jounce` (`m`) that touch it with this `normal`, and whose strut along `up` stands on a chassis
    /// with this `speed` at the hub (`m/s`; result `N`).
    fn push(&self, jounce: f64, normal: DVec2, up: DVec2, speed: DVec2) -> DVec2 {
        let tangent = -normal.perp();
        let (facing, climbs) = (normal.dot(up).max(0.2), tangent.dot(up));
        let rate = -normal.dot(speed) / facing;
        let strut = self.force(jounce, rate);
        let slip = self.rim - tangent.dot(speed + up * rate);
        // Nearly rigid: a step takes a fifth of the slip.
        let wanted = 0.2 * self.spin_mass * RATE * slip;
        let most =
            |way: f64| self.friction * strut / (facing + way * self.friction * climbs).max(0.1);
        let along = wanted.clamp(-most(-1.0), most(1.0));
        let pressing = ((strut - along * climbs) / facing).max(0.0);
        normal * pressing + tangent * along
    }

    /// Turns the wheels for a time `h` (`s`) by the ground's force `along` their way (`N`) and the brake; returns the torque that
    /// the brake bears (`N·m`).
    fn turn(&mut self, along: f64, h: f64) -> f64 {
        let free = self.rim - along * h / self.spin_mass;
        let most = self.brake * h / self.spin_mass;
        self.rim = free - free.clamp(-most, most);
        (free - self.rim) * self.spin_mass / h * self.radius
    }
}

impl Judge {
    /// Drives over a line of ground for a time (`s`); returns the velocity in every one of so many steps a second.
    pub fn drive(&mut self, ground: &[DVec2], seconds: f64, told: usize) -> Vec<DVec2> {
        let h = 1.0 / RATE;
        let every = RATE as usize / told;
        let mut velocities = Vec::new();
        for n in 0..(seconds * RATE) as usize {
            if n % every == 0 {
                velocities.push(self.velocity);
            }
            self.step(ground, h);
        }
        velocities
    }

    fn step(&mut self, ground: &[DVec2], h: f64) {
        let turn = DMat2::from_angle(self.pitch);
        let up = turn.y_axis;
        let (mut force, mut torque) = (DVec2::NEG_Y * (self.mass * 9.81), 0.0);
        for axle in &mut self.axles {
            let arm = turn * axle.hub;
            let (jounce, normal) = axle.touch(ground, self.place + arm, up);
            let hub = arm + up * jounce;
            let speed = self.velocity + self.rate * hub.perp();
            let push = if jounce < -axle.travel[1] {
                DVec2::ZERO
            } else {
                axle.push(jounce, normal, up, speed)
            };
            force += push;
            torque += hub.perp_dot(push) - axle.turn(push.dot(-normal.perp()), h);
        }
        self.velocity += force / self.mass * h;
        self.rate += torque / self.inertia * h;
        self.place += self.velocity * h;
        self.pitch += self.rate * h;
    }
}

/// Greatest change of velocity in 1/60 s (`g`), up or down, and against the motion, of velocities at so many steps a second.
#[must_use]
pub fn jolts(velocities: &[DVec2], rate: usize) -> DVec2 {
    let changes = velocities.windows(rate / 60 + 1);
    let g = 60.0 / 9.81;
    changes.fold(DVec2::ZERO, |worst, part| {
        let change = (part[part.len() - 1] - part[0]) * g;
        worst.max(DVec2::new(-change.x, change.y.abs()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn car(speed: f64, damping: f64) -> Judge {
        let axle = |x: f64| JudgedAxle {
            hub: DVec2::new(x, -0.2),
            radius: 0.35,
            preload: 0.5 * 1500.0 * 9.81,
            stiffness: 60e3,
            damping,
            fast_damping: damping,
            knee: 0.5,
            travel: [0.3, 0.12],
            stop: 400e3,
            spin_mass: 1e-3,
            friction: 0.0,
            brake: 0.0,
            rim: 0.0,
        };
        Judge {
            mass: 1500.0,
            inertia: 2500.0,
            axles: vec![axle(1.4), axle(-1.4)],
            place: DVec2::new(0.0, 0.55),
            pitch: 0.0,
            velocity: DVec2::new(speed, 0.0),
            rate: 0.0,
        }
    }

    /// Brakes take momentum from car and rims: their own force, or that of friction and what locked rims had.
    #[rstest]
    #[case::brakes(2000.0, 1.0, 4000.0)]
    #[case::friction(1e6, 0.5, 0.5 * 1500.0 * 9.81 + 2.0 * 10.0 * 20.0)]
    fn brakes_stop_it(#[case] brake: f64, #[case] friction: f64, #[case] expected: f64) {
        let mut car = car(20.0, 4800.0);
        for axle in &mut car.axles {
            (axle.spin_mass, axle.friction, axle.brake, axle.rim) = (10.0, friction, brake, 20.0);
        }
        car.drive(&[DVec2::new(-99.0, 0.0), DVec2::new(99.0, 0.0)], 1.0, 60);
        let turned: f64 = car.axles.iter().map(|axle| axle.rim * axle.spin_mass).sum();
        let lost = 20.0 * (1500.0 + 20.0) - (1500.0 * car.velocity.x + turned);
        assert!((lost / expected - 1.0).abs() < 1e-3, "{lost} {expected}");
    }

    /// On level ground it stays as it is.
    #[test]
    fn it_rests_on_level_ground() {
        let mut car = car(10.0, 4800.0);
        let told = car.drive(&[DVec2::new(-99.0, 0.0), DVec2::new(99.0, 0.0)], 2.0, 60);
        assert!(
            told.iter()
                .all(|v| (*v - DVec2::new(10.0, 0.0)).length() < 1e-9)
        );
    }

    /// The speed behind a curb follows from the energy: what lifts the car, and what dampers took while the wheels rose at the
    /// rate that the disc's geometry gives (r: radius, L: distance of the first touch).
    ///
    /// ```text
    /// v² − 2·g·h − (8·c·v/m)·(r·artanh(L/r) − L)
    /// ```
    #[test]
    fn a_curb_takes_what_lifts_and_dampers_take() {
        let [v, h, r, c, m] = [10.0, 0.05, 0.35, 2400.0, 1500.0_f64];
        let ground = [(-99.0, 0.0), (5.0, 0.0), (5.0, h), (99.0, h)].map(DVec2::from);
        let mut car = car(v, 2.0 * c);
        car.drive(&ground, 4.0, 60);
        let reach = (2.0 * r * h - h * h).sqrt();
        let taken = 8.0 * c * v / m * (r * f64::atanh(reach / r) - reach);
        let left = (v * v - 2.0 * 9.81 * h - taken).sqrt();
        assert!(
            (car.velocity.x - left).abs() < 0.03,
            "{} {left}",
            car.velocity.x
        );
    }
}
