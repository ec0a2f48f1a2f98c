//! Coupled wheels: those of a track or a locked axle share one unknown, so that there are more equations than
//! unknowns. As in PhysX, the solution is that of least squares (ALGORITHMS §4.9, §7.13). A balance of wheel couplings is one
//! equation and one unknown more.
//!
//! Normal equations in double precision, by Cholesky decomposition: at most 22 unknowns, no allocation. A
//! general library would need more code for its storage than these thirty lines.

use super::{ROWS, System};
use crate::base::lanes::{LANES, W4};
use crate::contracts::drivetrain::Control;
use crate::stages::wheel_consts::WheelConsts;

/// Every wheel alone, the balance, and the engine.
const UNKNOWNS: usize = ROWS + 2;
/// Weight of the balance among the equations: it holds to single precision, whatever residual coupled wheels leave.
const HEAVY: f64 = 1e4;
/// Pivots below this share of their diagonal count as zero.
const LEAST_PIVOT: f64 = 1e-12;

/// The unknown of which a wheel's spin is a multiple.
#[derive(Clone, Copy)]
struct Link {
    unknown: usize,
    ratio: f64,
    /// Weight in the sum of spins that is kept at 0, and spin per impulse of the balance.
    balance: [f64; 2],
}

/// The unknown of each wheel; `None` for wheels without wheel coupling and clutch.
struct WheelLinks {
    of: [Option<Link>; ROWS],
    /// The impulse that balances the wheel couplings, if they are.
    balance: Option<usize>,
    /// Number of unknowns, the engine last.
    unknowns: usize,
}

impl WheelLinks {
    fn new(consts: &[WheelConsts], control: &Control) -> Self {
        let mut links = Self {
            of: [None; ROWS],
            balance: None,
            unknowns: 0,
        };
        let mut wheel_couplings = [None; ROWS];
        for (g, c) in control.wheels.iter().enumerate() {
            for lane in consts[g].enabled.lanes() {
                let wheel_coupling = c.wheel_coupling_of(lane, control.wheel_couplings);
                let geared = c.torque_share.lane(lane) != 0.0 || c.speed_share.lane(lane) != 0.0;
                let known =
                    wheel_coupling.and_then(|wheel_coupling| wheel_couplings[wheel_coupling]);
                let unknown = match known {
                    Some(unknown) => unknown,
                    None if wheel_coupling.is_some() || geared => links.another(),
                    None => continue,
                };
                if let Some(wheel_coupling) = wheel_coupling {
                    wheel_couplings[wheel_coupling] = Some(unknown);
                }
                let of_coupling =
                    |of: W4, without| wheel_coupling.map_or(without, |_| f64::from(of.lane(lane)));
                let weight = of_coupling(c.balance, 0.0);
                links.of[g * LANES + lane] = Some(Link {
                    unknown,
                    ratio: of_coupling(c.coupling_ratio, 1.0),
                    balance: [
                        weight,
                        weight * f64::from(consts[g].inverse_inertia.lane(lane)),
                    ],
                });
            }
        }
        let mut linked = links.of.iter().flatten();
        if linked.any(|link| link.balance[0] != 0.0) {
            links.balance = Some(links.another());
        }
        links.another();
        links
    }

    fn another(&mut self) -> usize {
        self.unknowns += 1;
        self.unknowns - 1
    }

    fn engine(&self) -> usize {
        self.unknowns - 1
    }
}

/// Normal equations, filled equation by equation.
struct Normal {
    matrix: [[f64; UNKNOWNS]; UNKNOWNS],
    known: [f64; UNKNOWNS],
    size: usize,
}

impl Normal {
    /// Adds `row·x = known`.
    fn add(&mut self, row: &[f64; UNKNOWNS], known: f64) {
        for i in 0..self.size {
            for j in 0..=i {
                self.matrix[i][j] += row[i] * row[j];
            }
            self.known[i] += row[i] * known;
        }
    }

    /// The solution; `None` if it is not unique.
    fn solved(mut self) -> Option<[f64; UNKNOWNS]> {
        for i in 0..self.size {
            let whole = self.matrix[i][i];
            for j in 0..=i {
                let mut left = self.matrix[i][j];
                for k in 0..j {
                    left -= self.matrix[i][k] * self.matrix[j][k];
                }
                self.matrix[i][j] = if i > j {
                    left / self.matrix[j][j]
                } else if left > LEAST_PIVOT * whole {
                    libm::sqrt(left)
                } else {
                    return None;
                };
            }
        }
        let mut x = self.known;
        for i in 0..self.size {
            for k in 0..i {
                x[i] -= self.matrix[i][k] * x[k];
            }
            x[i] /= self.matrix[i][i];
        }
        for i in (0..self.size).rev() {
            for k in i + 1..self.size {
                x[i] -= self.matrix[k][i] * x[k];
            }
            x[i] /= self.matrix[i][i];
        }
        Some(x)
    }
}

impl System {
    /// Solves with wheel couplings; `ratios_count`: whether ratios apply to the result. Without a unique solution, speeds
    /// are unchanged.
    pub(super) fn bind(&mut self, consts: &[WheelConsts], control: &Control, ratios_count: bool) {
        let links = WheelLinks::new(consts, control);
        let Some(x) = self.normal(&links).solved() else {
            return;
        };
        for wheel in 0..self.rows {
            self.spin[wheel] = match links.of[wheel] {
                Some(Link { unknown, ratio, .. }) if ratios_count => (ratio * x[unknown]) as f32,
                Some(Link { unknown, .. }) => x[unknown] as f32,
                None => self.known[wheel] / self.diagonal[wheel],
            };
        }
        self.engine = x[links.engine()] as f32;
    }

    fn normal(&self, links: &WheelLinks) -> Normal {
        let mut normal = Normal {
            matrix: [[0.0; UNKNOWNS]; UNKNOWNS],
            known: [0.0; UNKNOWNS],
            size: links.unknowns,
        };
        let linked = || {
            links
                .of
                .iter()
                .enumerate()
                .filter_map(|(n, l)| Some((n, (*l)?)))
        };
        let mut mean = [0.0; UNKNOWNS];
        for (wheel, link) in linked() {
            mean[link.unknown] += f64::from(self.mean[wheel]) * link.ratio;
        }
        for (wheel, link) in linked() {
            let drive = f64::from(self.drive[wheel]);
            let mut row = mean.map(|mean| drive * mean);
            row[link.unknown] += f64::from(self.diagonal[wheel]) * link.ratio;
            row[links.engine()] = -drive;
            if let Some(balance) = links.balance {
                row[balance] = -link.balance[1];
            }
            normal.add(&row, f64::from(self.known[wheel]));
        }
        if links.balance.is_some() {
            let mut row = [0.0; UNKNOWNS];
            for (_, link) in linked() {
                row[link.unknown] += HEAVY * link.balance[0] * link.ratio;
            }
            normal.add(&row, 0.0);
        }
        let drive = f64::from(self.engine_drive);
        let mut row = mean.map(|mean| -drive * mean);
        row[links.engine()] = f64::from(self.engine_diagonal);
        normal.add(&row, f64::from(self.engine_known));
        normal
    }
}

#[cfg(test)]
mod tests;
