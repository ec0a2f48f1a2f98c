//! A carrier on links, sliders and pivots: the pose at a travel, and how it goes on from there.

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{DMatrix, DVector, Dyn, Owned, RowSVector, U7};

use super::carrier::{CarrierPose, Coordinates, Position};

/// One row of the equations by the coordinates.
pub(super) type EquationRow = RowSVector<f64, 7>;

/// A restraint of a carrier; points are those of the design position (`m`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Restraint {
    /// A rod of constant length with a ball joint at both ends.
    Link {
        /// End of the rod at the body.
        body: Position,
        /// End of the rod at the carrier.
        carrier: Position,
        /// Whether the rack moves the rod's end at the body.
        racked: bool,
    },
    /// A point of the body stays on a line of the carrier.
    Slider {
        /// The point.
        body: Position,
        /// A point of the line.
        carrier: Position,
        /// Two directions of the carrier across the line.
        across: [Position; 2],
    },
    /// A point of the carrier that stays where it is.
    Pin(Position),
}

/// Demands on the pose of a mechanism (`m`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Demand {
    /// Rises of the wheel centers over the design position; of one wheel, the first counts.
    pub(super) rises: [f64; 2],
    /// Travel of the rack to the left.
    pub(super) rack: f64,
}

/// A carrier and its restraints.
#[derive(Clone, Debug)]
pub(super) struct Mechanism {
    pub(super) joints: Vec<Restraint>,
    /// Wheel centers of the carrier: one, or those of a beam.
    pub(super) centers: Vec<Position>,
}

/// Greatest miss of the equations in a pose that counts as reached (`m`).
const REACHED: f64 = 1e-8;
/// Greatest miss of the equations in a pose that counts as reached, where there are more links than needed (`m`):
/// what their bushings give.
const GIVEN: f64 = 0.005;
/// Least singular value of the equations at which a carrier is fully restrained.
const HELD: f64 = 1e-5;
/// Greatest step of travel at a time (`m`).
const STEP: f64 = 0.004;
/// Greatest turn in a step: beyond, links have snapped over (`rad`).
const SNAP: f64 = 0.3;

impl Mechanism {
    /// The carrier at the design position.
    pub(super) fn design(&self) -> CarrierPose {
        CarrierPose::design(self.centers[0])
    }

    /// Whether the links restrain a carrier to the wheels' travel alone.
    pub(super) fn holds(&self) -> bool {
        let singular = self.slopes(&self.design(), 0.0).singular_values();
        singular.iter().filter(|value| **value > HELD).count() == 7
    }

    /// Whether the mechanism has more equations than coordinates: joints then share the remaining error.
    fn shares(&self) -> bool {
        self.joints.len() + self.centers.len() > 6
    }

    /// Allowed error of the equations (`m`).
    fn allowance(&self) -> f64 {
        if self.shares() { GIVEN } else { REACHED }
    }

    /// Goes from a pose at one demand to another demand, in small steps.
    ///
    /// # Errors
    /// With the demand that cannot be reached.
    pub(super) fn follow(
        &self,
        from: (CarrierPose, Demand),
        to: Demand,
    ) -> Result<CarrierPose, Demand> {
        let (mut pose, start) = from;
        let way = |a: f64, b: f64| (b - a).abs();
        let most = way(start.rack, to.rack)
            .max(way(start.rises[0], to.rises[0]))
            .max(way(start.rises[1], to.rises[1]));
        let steps = (most / STEP).ceil().max(1.0);
        for n in 1..=(steps as u32) {
            let share = f64::from(n) / steps;
            let mix = |a: f64, b: f64| a + share * (b - a);
            let demand = Demand {
                rises: [0, 1].map(|side| mix(start.rises[side], to.rises[side])),
                rack: mix(start.rack, to.rack),
            };
            pose = self.solve(&pose, demand).ok_or(demand)?;
        }
        Ok(pose)
    }

    /// The pose near another one; `None` if none meets the demand.
    fn solve(&self, near: &CarrierPose, demand: Demand) -> Option<CarrierPose> {
        let problem = Assembly {
            mechanism: self,
            pose: *near,
            demand,
        };
        let search = LevenbergMarquardt::new().with_tol(1e-14);
        let (solved, _) = search.minimize(problem);
        let miss = solved.mechanism.misses(&solved.pose, demand).amax();
        let turn = solved.pose.coordinates.fixed_rows::<4>(3) - near.coordinates.fixed_rows::<4>(3);
        (miss < self.allowance() && 2.0 * turn.norm() < SNAP).then_some(solved.pose)
    }

    /// Misses of the equations (`m`).
    pub(super) fn misses(&self, pose: &CarrierPose, demand: Demand) -> DVector<f64> {
        let mut misses = Vec::new();
        for joint in &self.joints {
            match joint {
                Restraint::Link { body, carrier, .. } => {
                    let (length, now) =
                        ((carrier - body).norm(), self.rod(joint, pose, demand.rack));
                    misses.push((now.norm_squared() - length * length) / (2.0 * length));
                }
                Restraint::Slider {
                    body,
                    carrier,
                    across,
                } => {
                    let off = body - pose.place(carrier);
                    misses.extend(across.map(|side| pose.turned(&side).dot(&off)));
                }
                Restraint::Pin(place) => misses.extend((pose.place(place) - place).iter()),
            }
        }
        for (center, rise) in self.centers.iter().zip(demand.rises) {
            misses.push(pose.place(center).z - center.z - rise);
        }
        misses.push(0.5 * (pose.coordinates.fixed_rows::<4>(3).norm_squared() - 1.0));
        DVector::from_vec(misses)
    }

    /// A link from its end at the body to that at the carrier (`m`).
    fn rod(&self, joint: &Restraint, pose: &CarrierPose, rack: f64) -> Position {
        let Restraint::Link {
            body,
            carrier,
            racked,
        } = joint
        else {
            return Position::zeros();
        };
        let moved = if *racked {
            Position::y() * rack
        } else {
            Position::zeros()
        };
        pose.place(carrier) - body - moved
    }

    /// Derivatives of the joints' equations by the coordinates.
    fn joint_slopes(&self, pose: &CarrierPose, rack: f64) -> Vec<EquationRow> {
        let mut rows: Vec<EquationRow> = Vec::new();
        for joint in &self.joints {
            match joint {
                Restraint::Link { body, carrier, .. } => {
                    let rod = self.rod(joint, pose, rack) / (carrier - body).norm();
                    rows.push(rod.transpose() * pose.slope(carrier));
                }
                Restraint::Slider {
                    body,
                    carrier,
                    across,
                } => {
                    let off = body - pose.place(carrier);
                    rows.extend(across.map(|side| {
                        off.transpose() * pose.turning(&side)
                            - pose.turned(&side).transpose() * pose.slope(carrier)
                    }));
                }
                Restraint::Pin(place) => {
                    let slope = pose.slope(place);
                    rows.extend((0..3).map(|axis| EquationRow::from(slope.row(axis))));
                }
            }
        }
        rows
    }

    /// Derivatives of all equations by the coordinates.
    fn slopes(&self, pose: &CarrierPose, rack: f64) -> DMatrix<f64> {
        let heights: Vec<EquationRow> = (0..self.centers.len())
            .map(|n| self.height_slope(pose, n))
            .collect();
        self.with_slopes(pose, rack, &heights)
    }

    /// Derivative of a wheel center's height by the coordinates.
    pub(super) fn height_slope(&self, pose: &CarrierPose, wheel: usize) -> EquationRow {
        EquationRow::from(pose.slope(&self.centers[wheel]).row(2))
    }

    /// Derivatives of the joints' equations, of further ones, and of the quaternion's length.
    fn with_slopes(&self, pose: &CarrierPose, rack: f64, further: &[EquationRow]) -> DMatrix<f64> {
        let mut rows = self.joint_slopes(pose, rack);
        rows.extend(further);
        let mut length = EquationRow::zeros();
        for n in 3..7 {
            length[n] = pose.coordinates[n];
        }
        rows.push(length);
        DMatrix::from_fn(rows.len(), 7, |row, column| rows[row][column])
    }

    /// Change of the coordinates, exact, as `further` quantities change at the given rates, and the rack at its own.
    pub(super) fn motion(
        &self,
        (pose, rack): (&CarrierPose, f64),
        further: &[(EquationRow, f64)],
        rack_rate: f64,
    ) -> Coordinates {
        let rows: Vec<EquationRow> = further.iter().map(|(row, _)| *row).collect();
        let slopes = self.with_slopes(pose, rack, &rows);
        let mut rates = DVector::zeros(slopes.nrows());
        let mut at = 0;
        for joint in &self.joints {
            match joint {
                Restraint::Link {
                    body,
                    carrier,
                    racked,
                } => {
                    if *racked {
                        let rod = self.rod(joint, pose, rack);
                        rates[at] = rack_rate * rod.y / (carrier - body).norm();
                    }
                    at += 1;
                }
                Restraint::Slider { .. } => at += 2,
                Restraint::Pin(_) => at += 3,
            }
        }
        for (n, (_, rate)) in further.iter().enumerate() {
            rates[at + n] = *rate;
        }
        let solved = slopes.svd(true, true).solve(&rates, HELD);
        solved.map_or(Coordinates::zeros(), |x| {
            Coordinates::from_iterator(x.iter().copied())
        })
    }
}

/// A pose in search.
struct Assembly<'a> {
    mechanism: &'a Mechanism,
    pose: CarrierPose,
    demand: Demand,
}

impl LeastSquaresProblem<f64, Dyn, U7> for Assembly<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, U7>;
    type ParameterStorage = Owned<f64, U7>;

    fn set_params(&mut self, x: &Coordinates) {
        self.pose = self.pose.at(*x);
    }

    fn params(&self) -> Coordinates {
        self.pose.coordinates
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        Some(self.mechanism.misses(&self.pose, self.demand))
    }

    fn jacobian(&self) -> Option<nalgebra::OMatrix<f64, Dyn, U7>> {
        let slopes = self.mechanism.slopes(&self.pose, self.demand.rack);
        let rows = slopes.nrows();
        Some(nalgebra::OMatrix::<f64, Dyn, U7>::from_fn_generic(
            Dyn(rows),
            U7,
            |row, column| slopes[(row, column)],
        ))
    }
}
