//! Builds a mechanism with steering axis, springs and dampers from hard points.

use jounce::core::Fault;
use nalgebra::Unit;

use super::carrier::{Mount, Position};
use super::hardpoints::{HardPoints, StrutEnds};
use super::kinds::SuspensionKind;
use super::mechanism::{Mechanism, Restraint};

/// Axis about which a wheel steers.
#[derive(Clone, Copy, Debug)]
pub(super) enum SteeringAxis {
    /// The line through two ball joints of the carrier, the lower one first.
    Joints(Position, Position),
    /// The line from a ball joint of the carrier to the top of its strut, which is fixed in the body.
    Strut(Position, Position),
    /// The line about which the carrier turns as the rack moves, with its spring locked.
    Instant,
}

/// A suspension, ready to be moved.
#[derive(Clone, Debug)]
pub(super) struct Suspension {
    pub(super) mechanism: Mechanism,
    /// Direction of the wheel's axis at the design position, to the left.
    pub(super) axle: Position,
    pub(super) radius: f64,
    /// Steering axis of steered wheels.
    pub(super) steering: Option<SteeringAxis>,
    /// The ends of spring and damper, that at the body first.
    pub(super) struts: [Option<[Mount; 2]>; 2],
    /// Whether the carrier bears the drive's torque: an axle with its own final drive.
    pub(super) bears_drive: bool,
}

impl Suspension {
    /// Builds the suspension of hard points.
    ///
    /// # Errors
    /// If the links leave the carrier other degrees of freedom than the wheels' travel, or none.
    pub(super) fn new(points: &HardPoints) -> Result<Self, Fault> {
        let (toe, camber) = (
            points.wheel.toe_deg.to_radians(),
            points.wheel.camber_deg.to_radians(),
        );
        let suspension = Self {
            mechanism: Mechanism {
                joints: joints(points),
                centers: centers(points),
            },
            axle: Position::new(
                toe.sin() * camber.cos(),
                toe.cos() * camber.cos(),
                -camber.sin(),
            ),
            radius: points.wheel.radius,
            steering: points.is_steered().then(|| steering_axis(points)),
            struts: struts(points),
            bears_drive: points.kind == SuspensionKind::LiveAxle,
        };
        if suspension.mechanism.holds() {
            return Ok(suspension);
        }
        let rule = "must leave the wheel its travel and nothing else: these links bind, or let it move by itself";
        Err(Fault::new("points", "as given", "", rule))
    }
}

/// The mirrored point on the other side of the vehicle.
fn mirrored(place: Position) -> Position {
    Position::new(place.x, -place.y, place.z)
}

fn centers(points: &HardPoints) -> Vec<Position> {
    let left = points.center();
    match points.kind {
        SuspensionKind::LiveAxle => vec![left, mirrored(left)],
        _ => vec![left],
    }
}

fn joints(points: &HardPoints) -> Vec<Restraint> {
    let at = |name: &str| points.point(name);
    let steered = points.is_steered();
    let link = |(body, carrier): &(&str, &str)| Restraint::Link {
        body: at(body),
        carrier: at(carrier),
        racked: steered && *body == "tie_rod_inner",
    };
    let mut joints: Vec<Restraint> = points.kind.rods().iter().map(link).collect();
    match points.kind {
        SuspensionKind::Macpherson => joints.push(slider(at("strut_top"), at("strut_bottom"))),
        SuspensionKind::TrailingArm | SuspensionKind::SemiTrailingArm => {
            joints.extend(
                points
                    .kind
                    .points()
                    .iter()
                    .map(|name| Restraint::Pin(at(name))),
            );
        }
        SuspensionKind::LiveAxle => {
            // The first two are those of the left side; a link in the middle has no mirror image.
            let others = joints[..2].iter().filter_map(|joint| match joint {
                Restraint::Link { body, carrier, .. } if body.y != 0.0 || carrier.y != 0.0 => {
                    Some(Restraint::Link {
                        body: mirrored(*body),
                        carrier: mirrored(*carrier),
                        racked: false,
                    })
                }
                _ => None,
            });
            let others: Vec<Restraint> = others.collect();
            joints.extend(others);
        }
        SuspensionKind::DoubleWishbone | SuspensionKind::FiveLink => {}
    }
    joints
}

/// A strut whose top is fixed in the body.
fn slider(top: Position, bottom: Position) -> Restraint {
    let line = (top - bottom).normalize();
    let aside = if line.x.abs() < 0.7 {
        Position::x()
    } else {
        Position::y()
    };
    let first = line.cross(&aside).normalize();
    Restraint::Slider {
        body: top,
        carrier: bottom,
        across: [first, line.cross(&first)],
    }
}

fn steering_axis(points: &HardPoints) -> SteeringAxis {
    let at = |name: &str| points.point(name);
    match points.kind {
        SuspensionKind::DoubleWishbone => {
            SteeringAxis::Joints(at("lower_outer"), at("upper_outer"))
        }
        SuspensionKind::Macpherson => SteeringAxis::Strut(at("lower_outer"), at("strut_top")),
        _ => SteeringAxis::Instant,
    }
}

/// The ends of spring and damper; those of a strut are its own where none are given.
fn struts(points: &HardPoints) -> [Option<[Mount; 2]>; 2] {
    let own = (points.kind == SuspensionKind::Macpherson).then(|| {
        let [top, bottom] = ["strut_top", "strut_bottom"].map(|name| points.point(name));
        [Mount::Body(top), Mount::Carrier(bottom)]
    });
    [&points.spring, &points.damper].map(|ends| match ends {
        Some(ends) => Some(ends_of(points, ends)),
        None => own,
    })
}

fn ends_of(points: &HardPoints, ends: &StrutEnds) -> [Mount; 2] {
    let design = Position::from(ends.wheel);
    let arm = points.kind.arms().iter().find(|(name, _)| *name == ends.on);
    let wheel = match arm {
        None => Mount::Carrier(design),
        Some((_, names)) => {
            let [front, rear, joint] = names.map(|name| points.point(name));
            Mount::Arm {
                design,
                pivot: rear,
                axis: Unit::new_normalize(front - rear),
                joint,
            }
        }
    };
    [Mount::Body(Position::from(ends.body)), wheel]
}
