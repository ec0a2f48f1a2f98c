//! Orders obeyed.

use jounce::core::Levers;
use jounce::presets;
use proving_ground::session::{Change, Recording};
use proving_ground::world::WorldKind;

use super::Showroom;
use crate::fleet::FleetShow;
use crate::garage::Garage;
use crate::orders::Order;
use crate::parts::Part;
use crate::sim::Sim;
use crate::watch::Watch;

/// The text of a preset.
fn preset(name: &str) -> Result<&'static str, String> {
    let file = presets::FILES.into_iter().find(|(known, _)| *known == name);
    file.map(|(_, text)| text)
        .ok_or_else(|| format!("{name}: no such preset"))
}

impl Showroom {
    /// Obeys an order. A refused order changes nothing, and sets [`Showroom::fault`].
    pub fn obey(&mut self, order: Order) {
        let quiet = matches!(
            order,
            Order::Press(..)
                | Order::Release
                | Order::View(_)
                | Order::Orbit(_)
                | Order::Panel(_)
                | Order::Ask(_)
                | Order::Seek
                | Order::Sound(_)
                | Order::Lever(_)
                | Order::FrameTime(_)
        );
        if !quiet {
            self.told = None;
        }
        match self.try_to(order) {
            Ok(()) if quiet => {}
            Ok(()) => self.fault = None,
            Err(fault) => self.fault = Some(fault),
        }
    }

    fn try_to(&mut self, order: Order) -> Result<(), String> {
        match order {
            Order::Press(pedal, down) => self.driver.press(pedal, down),
            Order::Release => self.driver.release(),
            Order::View(view) => self.camera.view = view,
            Order::Orbit(angle) => self.camera.orbit = angle,
            Order::Inside(shown) => self.inside = shown,
            Order::Panel(name) => self.panel = name,
            Order::Lever(lever) => {
                self.garage.levers().move_on(lever, &mut self.driver.levers);
            }
            Order::FrameTime(shown) => self.frame_time_shown = shown,
            Order::Automatic(automatic) => self.driver.automatic = automatic,
            Order::Pause(paused) => self.sim.paused = paused,
            Order::Pace(pace) if pace > 0.0 && pace <= 1.0 => self.sim.pace = pace,
            Order::Pace(pace) => return Err(format!("pace {pace}: must be within 0..=1")),
            Order::Fleet(count) => {
                self.fleet =
                    (count > 0).then(|| FleetShow::new(&self.sim.session().driven().car, count));
            }
            Order::Detail(level) => {
                if let Some(fleet) = &mut self.fleet {
                    fleet.hold(level)?;
                }
            }
            Order::Sound(heard) => self.sound = heard,
            Order::Lint => {
                let session = self.sim.session();
                self.watch.look(&session.driven().car, session.dt())?;
            }
            Order::Save => {
                let name = format!("{}.toml", self.garage.name);
                crate::files::save(&name, &self.garage.text())?;
                self.told = Some(format!("saved as {name}"));
            }
            Order::SaveRecording => {
                let text = serde_json::to_string(self.sim.session().recording());
                let name = "recording.json";
                crate::files::save(name, &text.map_err(|error| error.to_string())?)?;
                self.told = Some(format!("saved as {name}"));
            }
            Order::Open(name, text) => self.open(&name, &text)?,
            Order::Vehicle(name) => self.open(&name, preset(&name)?)?,
            Order::Replay(text) => self.replay(&text)?,
            Order::Ask(path) => self.garage.ask(&path),
            Order::Seek => self.garage.look_for_spares(),
            Order::Tune(..)
            | Order::Slide(..)
            | Order::Add(_)
            | Order::Solver(_)
            | Order::Contact(_)
            | Order::Tires(_)
            | Order::Differential(_)
            | Order::Write(_)
            | Order::Undo
            | Order::Compare
            | Order::Keep
            | Order::Default => return self.tune(order),
            other => return self.travel(other),
        }
        Ok(())
    }

    /// Orders about time, course and engine.
    fn travel(&mut self, order: Order) -> Result<(), String> {
        let told = |error: proving_ground::ProvingError| error.to_string();
        match order {
            Order::Rewind(seconds) => {
                self.trails.clear();
                self.sim.rewind(seconds).map_err(told)?;
                self.follow()
            }
            Order::Step => {
                let (seen, dt) = (self.sim.report(), self.sim.session().dt());
                let command = self.driver.command(&seen, dt);
                self.sim.step(&command).map_err(told)
            }
            Order::Ghost(other) => {
                let change = other.clone().map(|name| self.other(name)).transpose()?;
                self.sim.haunt(other.zip(change)).map_err(told)
            }
            Order::Engine(name) => self.change(Change::World(name)),
            Order::Course(name) => self.jump(Change::Course(name)),
            Order::Aid(name, on) => self.change(Change::Aid(name, on)),
            Order::Upright => self.jump(Change::Upright),
            Order::Restart => self.jump(Change::Restart),
            Order::Trailer(name) => {
                let text = name
                    .map(|name| preset(&name).map(str::to_owned))
                    .transpose()?;
                self.change(Change::Trailer(text))
            }
            _ => Ok(()),
        }
    }

    /// The change to another engine or part, by its name.
    fn other(&self, name: String) -> Result<Change, String> {
        if name.parse::<WorldKind>().is_ok() {
            return Ok(Change::World(name));
        }
        let part = Part::named(&name).ok_or_else(|| format!("{name}: nothing is called so"))?;
        let mut garage = self.garage.clone();
        garage.swap(part, &name)?;
        Ok(Change::Tune(garage.text()))
    }

    fn change(&mut self, change: Change) -> Result<(), String> {
        self.sim.change(change).map_err(|error| error.to_string())
    }

    /// A change after which nothing lies where it lay.
    fn jump(&mut self, change: Change) -> Result<(), String> {
        self.trails.clear();
        self.change(change)
    }

    /// Opens a vehicle file. With faults, the last good car stays.
    fn open(&mut self, name: &str, text: &str) -> Result<(), String> {
        let garage = Garage::open(name, text)?;
        self.jump(Change::Vehicle(text.to_owned()))?;
        self.garage = garage;
        self.driver.levers = Levers::RELEASED;
        self.camera.present();
        self.inspect();
        Ok(())
    }

    /// Orders about the numbers of the file.
    fn tune(&mut self, order: Order) -> Result<(), String> {
        let mut garage = self.garage.clone();
        match order {
            Order::Tune(path, value) => garage.set(&path, value)?,
            Order::Slide(slider, factor) => garage.slide(slider, factor)?,
            Order::Add(path) => garage.add(&path)?,
            Order::Solver(name) => garage.swap(Part::Solver, &name)?,
            Order::Contact(name) => garage.swap(Part::Contact, &name)?,
            Order::Tires(name) => garage.swap(Part::Tires, &name)?,
            Order::Differential(name) => garage.swap(Part::Differential, &name)?,
            Order::Write(text) => garage.write(&text)?,
            Order::Undo => {
                garage.undo();
            }
            Order::Compare => garage.compare(),
            Order::Keep => garage.keep(),
            _ => garage.reset(),
        }
        if garage.text() != self.garage.text() {
            self.change(Change::Tune(garage.text()))?;
            self.inspect();
        }
        self.garage = garage;
        Ok(())
    }

    /// The static rules of lint, after a change.
    fn inspect(&mut self) {
        let session = self.sim.session();
        self.watch = Watch::new(&session.driven().car, session.dt());
    }

    /// Sets the vehicle file to the vehicle as it drove at the present moment of the recording, after a jump in time.
    /// Undo brings the file before the jump back.
    fn follow(&mut self) -> Result<(), String> {
        let (opened, now) = self.sim.session().recording().vehicle();
        let mut garage = match self.garage.opened_as(opened) {
            true => self.garage.clone(),
            false => Garage::open(&self.sim.session().driven().car.name, opened)?,
        };
        garage.write(now)?;
        self.garage = garage;
        self.inspect();
        Ok(())
    }

    fn replay(&mut self, text: &str) -> Result<(), String> {
        let recording: Recording = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let sim = Sim::replayed(&recording).map_err(|error| error.to_string())?;
        let found = sim.session().hash().to_owned();
        self.trails.clear();
        self.sim = sim;
        self.follow()?;
        if found == recording.hash {
            Ok(())
        } else {
            Err(format!(
                "replayed to {found}, recorded as {}",
                recording.hash
            ))
        }
    }
}
