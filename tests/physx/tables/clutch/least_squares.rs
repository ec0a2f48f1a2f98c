//! The coupled solve of wheels that turn together, and the error that rounding may cause in PhysX's.

use glam::{Mat3, Vec3};
use jounce::core::drivetrain::WheelControl;
use jounce::core::lanes::{LANES, W4};

use super::Rig;

/// Error of spins and of the engine's speed in PhysX's least squares (`rad/s`): the normal equations are solved in single
/// precision there.
pub(super) struct Lost {
    spins: Vec<f64>,
    engine: f64,
}

impl Lost {
    pub(super) fn of(rig: &Rig, h: f32) -> Self {
        let unknowns = Unknowns::new(rig);
        let equations = equations(rig, &unknowns, f64::from(h));
        let fine = eliminated(normal(&equations, double), double);
        let coarse = normal(&equations, single);
        let coarse = match rig.equal_bound_spins {
            true => by_cofactors(&coarse),
            false => eliminated(coarse, single),
        };
        let lost: Vec<f64> = coarse.iter().zip(fine).map(|(a, b)| a - b).collect();
        let spin = |of: &Option<(usize, f64)>| of.map_or(0.0, |(n, ratio)| lost[n] * ratio);
        Self {
            spins: unknowns.of.iter().map(spin).collect(),
            engine: lost[unknowns.engine],
        }
    }

    /// Speeds of wheels and engine, off by what is lost; locked wheels stand still.
    pub(super) fn added(&self, (spins, engine): (Vec<f32>, f32)) -> (Vec<f32>, f32) {
        let spin = |(spin, lost): (f32, &f64)| match spin {
            0.0 => 0.0,
            spin => (f64::from(spin) + lost) as f32,
        };
        let spins = spins.into_iter().zip(&self.spins).map(spin);
        (spins.collect(), (f64::from(engine) + self.engine) as f32)
    }
}

/// Unknown and factor of which each wheel's spin is a multiple, if it is coupled to others.
struct Unknowns {
    of: Vec<Option<(usize, f64)>>,
    /// The last one, the engine's speed.
    engine: usize,
}

impl Unknowns {
    fn new(rig: &Rig) -> Self {
        let mut wheel_couplings = [None; 1 + jounce::core::MAX_WHEELS];
        let mut next = 0;
        let mut another = || {
            next += 1;
            next - 1
        };
        let mut of = Vec::new();
        for n in 0..rig.spin.len() {
            let (wheels, lane) = (&rig.control.wheels[n / LANES], n % LANES);
            let shares = wheels.torque_share.abs() + wheels.speed_share.abs();
            of.push(match wheels.wheel_coupling[lane] {
                0 if shares.lane(lane) == 0.0 => None,
                0 => Some((another(), 1.0)),
                wheel_coupling => {
                    let unknown = wheel_couplings[usize::from(wheel_coupling)]
                        .get_or_insert_with(&mut another);
                    Some((*unknown, f64::from(wheels.coupling_ratio.lane(lane))))
                }
            });
        }
        Self { of, engine: next }
    }
}

/// Equations of the unknowns, one for each coupled wheel and one for the engine: factors, with the right-hand side as
/// the last.
fn equations(rig: &Rig, unknowns: &Unknowns, h: f64) -> Vec<Vec<f64>> {
    let coupling = rig.control.coupling.as_ref().expect("an engine");
    let [clutch, ratio] = [coupling.clutch, coupling.ratio].map(f64::from);
    let value = |n: usize, field: fn(&WheelControl) -> W4| {
        f64::from(field(&rig.control.wheels[n / LANES]).lane(n % LANES))
    };
    let coupled = || {
        (0..)
            .zip(&unknowns.of)
            .filter_map(|(n, of)| of.map(|of| (n, of)))
    };
    let engine = unknowns.engine;
    let mut mean = vec![0.0; engine + 2];
    for (n, (unknown, multiple)) in coupled() {
        mean[unknown] += value(n, |w| w.speed_share) * multiple;
    }
    let scaled = |by: f64| -> Vec<f64> { mean.iter().map(|share| share * by).collect() };
    let mut equations = Vec::new();
    for (n, (unknown, multiple)) in coupled() {
        let (spin, tire) = (f64::from(rig.spin[n]), f64::from(rig.tire[n]));
        let wheel = &rig.params.wheels[n];
        let per_inertia = h / f64::from(wheel.inertia);
        let drive = per_inertia * value(n, |w| w.torque_share) * clutch * ratio;
        let mut row = scaled(drive * ratio);
        row[unknown] += (1.0 + per_inertia * f64::from(wheel.damping)) * multiple;
        row[engine] = -drive;
        let brake = if spin == 0.0 { 0.0 } else { -spin.signum() };
        let push = brake * value(n, |w| w.brake) + tire;
        row[engine + 1] = spin + per_inertia * push;
        equations.push(row);
    }
    let [inertia, damping, torque, speed] = [
        coupling.inertia,
        coupling.damping,
        coupling.torque,
        rig.engine_speed,
    ]
    .map(f64::from);
    let mut row = scaled(-(h / inertia * clutch * ratio));
    row[engine] = 1.0 + h / inertia * (clutch + damping);
    row[engine + 1] = speed + h / inertia * torque;
    equations.push(row);
    equations
}

/// The normal equations, with the right-hand sides as their last; every result is `rounded`.
fn normal(equations: &[Vec<f64>], rounded: fn(f64) -> f64) -> Vec<Vec<f64>> {
    let size = equations[0].len() - 1;
    let mut normal = vec![vec![0.0; size + 1]; size];
    for row in equations {
        for (i, line) in normal.iter_mut().enumerate() {
            for (sum, x) in line.iter_mut().zip(row) {
                *sum = rounded(*sum + rounded(rounded(row[i]) * rounded(*x)));
            }
        }
    }
    normal
}

/// Solution of the normal equations by elimination, as in `vehicle2`.
fn eliminated(mut normal: Vec<Vec<f64>>, rounded: fn(f64) -> f64) -> Vec<f64> {
    let size = normal.len();
    for i in 0..size {
        let pivot = normal[i].clone();
        let others = normal.iter_mut().enumerate().filter(|(n, _)| *n != i);
        for (_, line) in others {
            let factor = rounded(line[i] / pivot[i]);
            for (x, above) in line.iter_mut().zip(&pivot) {
                *x = rounded(*x - rounded(factor * above));
            }
        }
    }
    (0..size)
        .map(|i| rounded(normal[i][size] / normal[i][i]))
        .collect()
}

/// The solution of three equations by cofactors in single precision, as in the legacy SDK.
fn by_cofactors(normal: &[Vec<f64>]) -> Vec<f64> {
    let column = |n: usize| Vec3::from_array([0, 1, 2].map(|line| normal[line][n] as f32));
    let matrix = Mat3::from_cols(column(0), column(1), column(2));
    let solution = matrix.inverse() * column(3);
    solution.to_array().map(f64::from).to_vec()
}

fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

fn double(x: f64) -> f64 {
    x
}
