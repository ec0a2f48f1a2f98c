//! An independent judge: a car in its plane of symmetry, massless wheels that are discs, ground that is a line.
//!
//! It shares no code with the library: exact geometry, the suspension's own spring, damper and stop, and short steps. A
//! wheel without mass passes the strut's force on along its contact's normal, through the hub, so that the force's power is
//! that of the strut:
//!
//! ```text
//! N·(n·u) = F(j, j̇),   force on the chassis N·n,   j̇ = −n·v_hub/(n·u)      u: the strut's direction, upwards
//! ```

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
}

/// A car in its plane of symmetry.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Mass (`kg`), and the mass that also the wheels' spins add along the ground.
    pub mass: [f64; 2],
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
        let (mut force, mut torque) = (DVec2::NEG_Y * (self.mass[0] * 9.81), 0.0);
        for axle in &self.axles {
            let arm = turn * axle.hub;
            let (jounce, normal) = axle.touch(ground, self.place + arm, up);
            if jounce < -axle.travel[1] {
                continue;
            }
            let hub = arm + up * jounce;
            let facing = normal.dot(up).max(0.2);
            let speed = normal.dot(self.velocity + self.rate * hub.perp());
            let push = normal * (axle.force(jounce, -speed / facing) / facing);
            force += push;
            torque += hub.perp_dot(push);
        }
        self.velocity += force / DVec2::new(self.mass[1], self.mass[0]) * h;
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
        };
        Judge {
            mass: [1500.0; 2],
            inertia: 2500.0,
            axles: vec![axle(1.4), axle(-1.4)],
            place: DVec2::new(0.0, 0.55),
            pitch: 0.0,
            velocity: DVec2::new(speed, 0.0),
            rate: 0.0,
        }
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
