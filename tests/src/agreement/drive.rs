//! Drives, and the differences between two of them.

use glam::{DVec3, Vec3};
use jounce::presets;
use proving_ground::stage::Stage;

use super::course::{Course, EDGE, Judged};
use super::{HEADING_BOUND, PATH_BOUND, SPEED_BOUND};
use crate::backend::Backend;
use crate::finding::{Failure, Measure, guarded};

/// The cars, by their names in [`presets`].
pub const CARS: [&str; 2] = ["sedan", "sports-car"];
/// Time step (`s`).
const DT: f32 = 1.0 / 60.0;
/// Steps of a drive: 10 s.
const STEPS: usize = 600;
/// Speed below which speeds are compared relative to it (`m/s`).
const SLOW: f64 = 1.0;

/// Positions of a car after each step, and its final motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The center of mass after each step (`m`, world).
    pub places: Vec<DVec3>,
    /// Speed after the last step (`m/s`).
    pub speed: f64,
    /// Heading after the last step, to the left of +x (`rad`).
    pub heading: f64,
}

impl Trace {
    /// Length of the path (`m`).
    #[must_use]
    pub fn length(&self) -> f64 {
        let steps = self.places.windows(2);
        steps.map(|pair| pair[0].distance(pair[1])).sum()
    }

    /// Largest distance from another path, over the length of this one (–).
    fn apart(&self, other: &Self) -> f64 {
        let pairs = self.places.iter().zip(&other.places);
        let apart = pairs.fold(0.0_f64, |most, (a, b)| most.max(a.distance(*b)));
        apart / self.length()
    }

    /// Whether the car ends beyond the edge.
    #[must_use]
    pub fn crossed(&self) -> bool {
        self.places.last().is_some_and(|place| place.x > EDGE)
    }
}

/// The drives of the cars of [`CARS`] on one course, in one backend.
pub type Traces = Result<Vec<Trace>, Failure>;

impl Course {
    /// Drives all cars.
    ///
    /// # Errors
    /// If the backend has no such ground, or loses a car.
    pub fn drive(&self, backend: &dyn Backend) -> Traces {
        let traces = CARS
            .iter()
            .map(|name| guarded(|| self.trace(backend, name)));
        traces.collect()
    }

    fn trace(&self, backend: &dyn Backend, name: &str) -> Result<Trace, Failure> {
        let car = presets::by_name(name).expect("the name is a preset's");
        let (world, terrain) = self.site.open(backend, DT)?;
        let mut stage = Stage::put(world, &terrain, &car, &self.scene(), DT)?;
        let mut places = Vec::with_capacity(STEPS);
        for n in 0..STEPS {
            stage.step(&(self.command)(n as f32 * DT))?;
            places.push(stage.position()?);
        }
        let body = stage.body()?;
        let ahead = body.rotation * Vec3::X;
        Ok(Trace {
            places,
            speed: f64::from(body.linear_velocity.length()),
            heading: libm::atan2(ahead.y.into(), ahead.x.into()),
        })
    }
}

/// The largest deviation of a drive from others, as a share of the bound.
///
/// # Errors
/// If it failed, or no other succeeded.
pub fn judge<'a>(
    course: &Course,
    own: &Traces,
    others: impl Iterator<Item = &'a Traces>,
) -> Result<Measure, Failure> {
    let own = own.as_ref().map_err(Clone::clone)?;
    let others = others.filter_map(|driven| driven.as_ref().ok());
    let parts = others.flat_map(|other| {
        let cars = own.iter().zip(other);
        cars.map(|(own, other)| part(course.judged, own, other))
    });
    let worst = parts.reduce(|a, b| {
        if b.value > a.value || b.value.is_nan() {
            b
        } else {
            a
        }
    });
    worst.ok_or_else(|| Failure::Broken("nobody to agree with".to_owned()))
}

/// The largest distance of the paths of two worlds on a course, over the path's length (–); `None` if a car is lost or
/// the course is not judged by the path.
#[must_use]
pub fn apart(course: &Course, a: &Traces, b: &Traces) -> Option<f64> {
    let (Judged::Path, Ok(a), Ok(b)) = (course.judged, a, b) else {
        return None;
    };
    a.iter().zip(b).map(|(a, b)| a.apart(b)).reduce(greater)
}

/// The difference between two drives of one car, as a share of the bound.
fn part(judged: Judged, a: &Trace, b: &Trace) -> Measure {
    match judged {
        Judged::Path => {
            let path = a.apart(b);
            let speed = (a.speed - b.speed).abs() / a.speed.max(SLOW);
            Measure {
                value: greater(path / PATH_BOUND, speed / SPEED_BOUND),
                note: format!("path {:.4} %, speed {:.4} %", 100.0 * path, 100.0 * speed),
            }
        }
        Judged::Crossing => {
            let turn = libm::remainder(a.heading - b.heading, core::f64::consts::TAU);
            let degrees = turn.abs().to_degrees();
            let word = |trace: &Trace| {
                if trace.crossed() {
                    "crossed"
                } else {
                    "stopped"
                }
            };
            let same = a.crossed() == b.crossed();
            Measure {
                value: if same {
                    degrees / HEADING_BOUND
                } else {
                    f64::INFINITY
                },
                note: format!("{}, {}, heading {degrees:.2}°", word(a), word(b)),
            }
        }
    }
}

/// The larger; NaN counts as larger.
fn greater(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(places: &[f64], speed: f64) -> Trace {
        Trace {
            places: places.iter().map(|x| DVec3::X * *x).collect(),
            speed,
            heading: 0.0,
        }
    }

    #[test]
    fn deviations_are_relative_to_what_is_allowed() {
        let a = trace(&[0.0, 50.0, 100.0], 20.0);
        let by_path = part(Judged::Path, &a, &trace(&[0.0, 50.4, 100.1], 20.1));
        assert!((by_path.value - 0.8).abs() < 1e-9, "{by_path:?}");
        let by_speed = part(Judged::Path, &a, &trace(&[0.0, 50.1, 100.1], 20.18));
        assert!((by_speed.value - 0.9).abs() < 1e-9, "{by_speed:?}");
    }

    #[test]
    fn nan_is_too_far() {
        let (a, still) = (trace(&[0.0, 50.0], 20.0), trace(&[0.0, 0.0], 20.0));
        for bad in [
            part(Judged::Path, &still, &still),
            part(Judged::Path, &a, &trace(&[0.0, 50.0], f64::NAN)),
        ] {
            assert!(bad.value.is_nan(), "{bad:?}");
        }
    }

    #[test]
    fn only_one_that_crosses_is_infinitely_far() {
        let [far, near] = [EDGE + 3.0, EDGE - 3.0].map(|x| trace(&[0.0, x], 1.0));
        assert_eq!(part(Judged::Crossing, &far, &near).value, f64::INFINITY);
        let turned = Trace {
            heading: 0.1,
            ..far.clone()
        };
        let value = part(Judged::Crossing, &far, &turned).value;
        assert!((value - 0.573).abs() < 1e-3, "{value}");
    }
}
