//! Stance of a suspension at a travel: angles of the wheel, displacements of its points, axes and ratios.

use super::carrier::{CarrierPose, Coordinates, Position};
use super::linkage::{SteeringAxis, Suspension};
use super::mechanism::{Demand, EquationRow};

/// A left wheel at a travel of the suspension; lengths in `m`, angles in `rad`. Signs are those of vehicle files: toe is
/// positive inward, camber negative with the top inward.
#[derive(Clone, Copy, Debug)]
pub(super) struct WheelStance {
    /// Rise of the wheel's center over the design position, of both wheels alike.
    pub(super) jounce: f64,
    /// Way of the rack to the left.
    pub(super) rack: f64,
    pub(super) toe: f64,
    pub(super) camber: f64,
    /// The wheel's center.
    pub(super) center: Position,
    /// Lowest point of the wheel, at the ground.
    pub(super) contact: Position,
    /// Height of the roll center over the ground.
    pub(super) roll_center: f64,
    /// Displacement of the contact forward per rise, for a wheel that the brake locks to its carrier (–).
    pub(super) braked: f64,
    /// Forward displacement per rise of the point at which the drive's force acts (–): the wheel's center, or the contact
    /// where the carrier bears the drive's torque.
    pub(super) driven: f64,
    /// Instant center in side view, for a locked wheel: ahead of the contact, and over the ground. `None` if the carrier does
    /// not pitch.
    pub(super) side_view: Option<[f64; 2]>,
    /// Steering angle of a beam to the left per angle by which the body rolls to the right.
    pub(super) roll_steer: Option<f64>,
    /// Steering geometry of a steered wheel.
    pub(super) steering: Option<SteeringGeometry>,
    /// Motion ratios of spring and damper: compression per jounce (–).
    pub(super) ratios: [Option<f64>; 2],
}

/// A steering axis, seen from the wheel.
#[derive(Clone, Copy, Debug)]
pub(super) struct SteeringGeometry {
    /// Caster, positive with the top rearward.
    pub(super) caster: f64,
    /// Kingpin inclination, positive with the top inward.
    pub(super) inclination: f64,
    /// Distance at which the axis meets the ground inward of the contact.
    pub(super) scrub: f64,
    /// Distance at which the axis meets the ground ahead of the contact.
    pub(super) trail: f64,
}

/// Pitch rate per rise below which a carrier has no instant center (`rad/m`): it is 10 km away.
const PITCHES: f64 = 1e-4;

impl WheelStance {
    /// Computes the stance at a pose that meets a demand of equal rises.
    pub(super) fn new(suspension: &Suspension, pose: &CarrierPose, demand: Demand) -> Self {
        let mechanism = &suspension.mechanism;
        let axle = pose.turned(&suspension.axle);
        let plumb = axle * axle.z - Position::z();
        let down = plumb.normalize();
        let center = pose.place(&mechanism.centers[0]);
        let contact = center + down * suspension.radius;
        let instant = Instantaneous {
            suspension,
            pose,
            demand,
        };
        let rising = instant.rising([1.0, 1.0]);
        let way = |place: &Position| pose.slope(&pose.design_of(place)) * rising;
        let (held, carried) = (way(&contact), way(&center));
        let spin = pose.spin(&rising);
        let pitches = spin.y.abs() > PITCHES;
        let drive = if suspension.bears_drive {
            held
        } else {
            carried
        };
        let (roll_center, roll_steer) = match mechanism.centers.len() {
            1 => {
                // Of the lowest point, whichever point of the wheel that is: the wheel rolls.
                let leaning = pose.turning(&suspension.axle) * rising;
                let turning = (leaning * axle.z + axle * leaning.z) / plumb.norm();
                let path = carried + (turning - down * down.dot(&turning)) * suspension.radius;
                (contact.y * path.y / path.z, None)
            }
            _ => instant.roll(&center, &contact),
        };
        Self {
            jounce: demand.rises[0],
            rack: demand.rack,
            toe: axle.x.atan2(axle.y),
            camber: -axle.z.asin(),
            center,
            contact,
            roll_center,
            braked: held.x / held.z,
            driven: drive.x / drive.z,
            side_view: pitches.then(|| [held.z / spin.y, -held.x / spin.y]),
            roll_steer,
            steering: suspension
                .steering
                .and_then(|axis| instant.steering(&axis, &axle, &contact)),
            ratios: suspension
                .struts
                .map(|ends| Some(-(length_slope(&ends?, pose) * rising)[0])),
        }
    }
}

/// Derivative of a strut's length by the coordinates.
fn length_slope(ends: &[super::carrier::Mount; 2], pose: &CarrierPose) -> EquationRow {
    let [(body, fixed), (wheel, moving)] = ends.map(|end| end.at(pose));
    (wheel - body).normalize().transpose() * (moving - fixed)
}

/// A suspension at a pose.
struct Instantaneous<'a> {
    suspension: &'a Suspension,
    pose: &'a CarrierPose,
    demand: Demand,
}

impl Instantaneous<'_> {
    fn motion(&self, further: &[(EquationRow, f64)], rack_rate: f64) -> Coordinates {
        let at = (self.pose, self.demand.rack);
        self.suspension.mechanism.motion(at, further, rack_rate)
    }

    /// Change of the coordinates as the wheels rise at these rates.
    fn rising(&self, rates: [f64; 2]) -> Coordinates {
        let mechanism = &self.suspension.mechanism;
        let wheels = 0..mechanism.centers.len();
        let heights: Vec<(EquationRow, f64)> = wheels
            .map(|n| (mechanism.height_slope(self.pose, n), rates[n]))
            .collect();
        self.motion(&heights, 0.0)
    }

    /// Height of a beam's roll center over the ground, and its roll steer.
    fn roll(&self, center: &Position, contact: &Position) -> (f64, Option<f64>) {
        let rolling = self.rising([1.0, -1.0]);
        let spin = self.pose.spin(&rolling);
        let middle = Position::new(center.x, 0.0, center.z);
        let way = self.pose.slope(&self.pose.design_of(&middle)) * rolling;
        let height = center.z + way.y / spin.x - contact.z;
        (height, Some(-spin.z / spin.x))
    }

    /// The steering axis as the wheel with this `axle` and `contact` sees it.
    fn steering(
        &self,
        axis: &SteeringAxis,
        axle: &Position,
        contact: &Position,
    ) -> Option<SteeringGeometry> {
        let (point, along) = match axis {
            SteeringAxis::Joints(lower, upper) => {
                let [lower, upper] = [lower, upper].map(|joint| self.pose.place(joint));
                (lower, upper - lower)
            }
            SteeringAxis::Strut(lower, top) => {
                let lower = self.pose.place(lower);
                (lower, top - lower)
            }
            SteeringAxis::Instant => self.turning_axis()?,
        };
        let along = along * along.z.signum();
        let ground = point + along * ((contact.z - point.z) / along.z) - contact;
        let ahead = axle.cross(&Position::z()).normalize();
        let outward = Position::z().cross(&ahead);
        Some(SteeringGeometry {
            caster: (-along.x).atan2(along.z),
            inclination: (-along.y).atan2(along.z),
            scrub: -ground.dot(&outward),
            trail: ground.dot(&ahead),
        })
    }

    /// The line about which the rack turns the carrier with its spring locked, or without one, with its wheel at its height.
    fn turning_axis(&self) -> Option<(Position, Position)> {
        let [spring, damper] = self.suspension.struts;
        let locked = match spring.or(damper) {
            Some(ends) => length_slope(&ends, self.pose),
            None => self.suspension.mechanism.height_slope(self.pose, 0),
        };
        let turning = self.motion(&[(locked, 0.0)], 1.0);
        let spin = self.pose.spin(&turning);
        let center = self.suspension.mechanism.centers[0];
        let way = self.pose.slope(&center) * turning;
        let point = self.pose.place(&center) + spin.cross(&way) / spin.norm_squared();
        (spin.norm() > 1e-6).then_some((point, spin))
    }
}
