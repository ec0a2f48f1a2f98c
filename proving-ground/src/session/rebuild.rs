//! Changes of a session: worlds are opened anew with everything as it moves.

use jounce::core::{BodyId, Vehicle};
use jounce::file::Car;
use jounce::scene::BodyDesc;

use super::recording::{car, world_kind};
use super::{Change, DrivenCar, Session, fresh, heading};
use crate::course::{CourseBodies, CourseName, DrivingCourse, Moved};
use crate::error::ProvingError;
use crate::tow::{self, Hook, Towing};
use crate::world::{self, Pose, Start, World, WorldKind};

/// A world over a course, with its things.
type Opened = (Box<dyn World>, CourseBodies);

fn open(
    kind: WorldKind,
    course: &DrivingCourse,
    dt: f32,
    moved: Option<&Moved>,
) -> Result<Opened, ProvingError> {
    let mut world = world::open(kind, &course.terrain, dt)?;
    let bodies = course.furnish(&mut *world, moved)?;
    Ok((world, bodies))
}

/// A car at the start of a course.
pub(super) fn at_start(
    kind: WorldKind,
    course: &DrivingCourse,
    car: &Car,
    dt: f32,
) -> Result<(Box<dyn World>, CourseBodies, Vehicle), ProvingError> {
    let (mut world, bodies) = open(kind, course, dt, None)?;
    let start = Start {
        position: course.terrain.start,
        heading: 0.0,
    };
    let pose = world::rest_pose(&*world, &course.terrain, car, start)?;
    let body = world.add_chassis(car, &pose)?;
    Ok((world, bodies, fresh(car, body)))
}

impl Session {
    /// Makes a change.
    pub(super) fn make(&mut self, change: &Change) -> Result<(), ProvingError> {
        match change {
            Change::World(name) => self.go_on(world_kind(name)?, None),
            Change::Tune(text) => self.tune(car(text)?),
            Change::Vehicle(text) => self.stand(car(text)?),
            Change::Course(name) => self.start_over(*name),
            Change::Trailer(text) => match text {
                Some(text) => self.hitch(car(text)?),
                None => self.let_go(),
            },
            Change::Aid(name, enabled) => self.enable_aid(name, *enabled),
            Change::Upright => self.stand(self.driven.car.clone()),
            Change::Restart => self.start_over(self.course.name),
        }
    }

    fn enable_aid(&mut self, name: &str, enabled: bool) -> Result<(), ProvingError> {
        let vehicle = &mut self.driven.vehicle;
        let mut aids = vehicle.model().aids().iter();
        let aid = aids.position(|aid| aid.name() == name);
        let aid = aid
            .ok_or_else(|| ProvingError::Engine(format!("{name}: the vehicle has no such aid")))?;
        vehicle.state_mut().enable_aid(aid, enabled);
        Ok(())
    }

    fn start_over(&mut self, name: CourseName) -> Result<(), ProvingError> {
        let course = DrivingCourse::new(name)?;
        let car = self.driven.car.clone();
        let (world, bodies, vehicle) = at_start(self.kind, &course, &car, self.dt())?;
        (self.world, self.bodies, self.course) = (world, bodies, course);
        self.driven = DrivenCar { car, vehicle };
        self.trailer = None;
        Ok(())
    }

    /// Other numbers. The body is made anew only where its own have changed.
    fn tune(&mut self, car: Car) -> Result<(), ProvingError> {
        let old = &self.driven.car;
        let wheels = car.model().wheel_count();
        if wheels != old.model().wheel_count() {
            return self.stand(car);
        }
        let made = |car: &Car| (car.mass(), car.inertia(), car.center_of_mass(), car.hull);
        if made(&car) != made(old) {
            return self.go_on(self.kind, Some(car));
        }
        self.driven.vehicle.set_model(car.model());
        self.driven.car = car;
        Ok(())
    }

    /// A car at rest, on its wheels, where the present one is.
    fn stand(&mut self, car: Car) -> Result<(), ProvingError> {
        let (mut world, bodies) = open(self.kind, &self.course, self.dt(), Some(&self.moved()?))?;
        let body = self.body()?;
        let start = Start {
            position: body.position.truncate(),
            heading: heading(&body),
        };
        let pose = world::rest_pose(&*world, &self.course.terrain, &car, start)?;
        let id = world.add_chassis(&car, &pose)?;
        let vehicle = fresh(&car, id);
        (self.world, self.bodies) = (world, bodies);
        self.driven = DrivenCar { car, vehicle };
        self.trailer = None;
        Ok(())
    }

    /// Opens another world, in which everything moves on as it did. `car` replaces the driven one.
    fn go_on(&mut self, kind: WorldKind, car: Option<Car>) -> Result<(), ProvingError> {
        let (mut world, bodies) = open(kind, &self.course, self.dt(), Some(&self.moved()?))?;
        let old = &self.driven.car;
        let car = car.unwrap_or_else(|| old.clone());
        let mut desc = self.desc(&self.driven, &car)?;
        let shift = car.center_of_mass() - old.center_of_mass();
        desc.position += (desc.rotation * shift).as_dvec3();
        let body = world.add_body(&desc)?;
        let mut trailer = self.trailer.clone();
        if let Some(towed) = &mut trailer {
            let id = world.add_body(&self.desc(towed, &towed.car)?)?;
            let towing = Towing::driven(&car)?;
            let hook = towing.place(desc.position, desc.rotation);
            towing.couple(&towed.car, &mut *world, ([body, id], hook))?;
            towed.vehicle.set_body(id);
            tow::ignore(&mut towed.vehicle, body);
            tow::ignore(&mut self.driven.vehicle, id);
        }
        let vehicle = &mut self.driven.vehicle;
        vehicle.set_model(car.model());
        vehicle.set_body(body);
        self.driven.car = car;
        (self.trailer, self.kind) = (trailer, kind);
        (self.world, self.bodies) = (world, bodies);
        Ok(())
    }

    /// The body of a vehicle as it moves, made as of `car`.
    fn desc(&self, driven: &DrivenCar, car: &Car) -> Result<BodyDesc, ProvingError> {
        let pose = Pose {
            origin: glam::DVec3::ZERO,
            rotation: glam::Quat::IDENTITY,
        };
        self.as_it_is(driven.vehicle.body(), world::chassis(car, &pose))
    }

    /// Positions of platforms and boxes.
    fn moved(&self) -> Result<Moved, ProvingError> {
        let plans = self.course.platforms.iter();
        let tops = plans.zip(&self.bodies.platforms).map(|(plan, id)| {
            let motion = self.world.ground_motion(*id);
            motion.map_or(plan.top, |motion| motion.position)
        });
        // Where the last world had no boxes, they are where they belong.
        let boxes = self.course.boxes.iter().enumerate().map(|(n, made)| {
            let id: Option<&BodyId> = self.bodies.boxes.get(n);
            id.map_or(Ok(*made), |id| self.as_it_is(*id, *made))
        });
        Ok(Moved {
            tops: tops.collect(),
            boxes: boxes.collect::<Result<_, _>>()?,
        })
    }

    /// A trailer behind the car.
    fn hitch(&mut self, trailer: Car) -> Result<(), ProvingError> {
        self.let_go()?;
        let body = self.body()?;
        let start = Start {
            position: body.position.truncate(),
            heading: heading(&body),
        };
        let id = self.driven.vehicle.body();
        let towing = (Towing::driven(&self.driven.car)?, id);
        let terrain = &self.course.terrain;
        let (hook, vehicle) = Hook::up(&mut *self.world, terrain, towing, &trailer, (start, 0.0))?;
        tow::ignore(&mut self.driven.vehicle, hook.trailer());
        self.trailer = Some(DrivenCar {
            car: trailer,
            vehicle,
        });
        Ok(())
    }

    fn let_go(&mut self) -> Result<(), ProvingError> {
        if self.trailer.take().is_some() {
            self.driven.vehicle.filter_mut().ignore[1] = None;
            self.go_on(self.kind, None)?;
        }
        Ok(())
    }
}
