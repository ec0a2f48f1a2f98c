//! Orders to the showroom, by keys, panels, scripts and the page alike.

use proving_ground::course::CourseName;
use serde::{Deserialize, Serialize};

use crate::camera::View;
use crate::input::Pedal;
use crate::levers::Lever;
use crate::sliders::Slider;

/// One order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Press or release.
    Press(Pedal, bool),
    /// Release everything, as when the window loses the keyboard.
    Release,
    /// Changes to another engine, by name.
    Engine(String),
    /// Changes to a preset vehicle, by name.
    Vehicle(String),
    /// Opens a vehicle file's text, under the name with which its faults are reported.
    Open(String, String),
    /// Changes to another course.
    Course(CourseName),
    /// Sets one number of the vehicle file: its path, and the value.
    Tune(String, f64),
    /// Sets a slider, by its factor on the numbers of the file as it was opened.
    Slide(Slider, f64),
    /// Asks the library for unit and range of a number of the vehicle file.
    Ask(String),
    /// Looks for entries that the vehicle file leaves out and may have.
    Seek,
    /// Adds an entry that the vehicle file leaves out, by its path.
    Add(String),
    /// Sets the solver, `rows` or `explicit`.
    Solver(String),
    /// Sets the ground query of the wheels, `rays` or `sweeps`.
    Contact(String),
    /// Sets the law of all tires: `file` as in the file, or a law by name.
    Tires(String),
    /// Sets the differential of four wheels: `file` as in the file, or by name.
    Differential(String),
    /// Replaces the text of the vehicle file: the same car with other numbers, words, tables.
    Write(String),
    /// Takes the last change of numbers back.
    Undo,
    /// Changes to the other of two sets of numbers.
    Compare,
    /// Keeps the present numbers as the other set.
    Keep,
    /// Restores the vehicle as it was opened.
    Default,
    /// Goes back by this many seconds.
    Rewind(f32),
    /// Stops or goes on.
    Pause(bool),
    /// Sets the simulated seconds per second (–).
    Pace(f32),
    /// Makes one step while time stands still.
    Step,
    /// Selects a view of the car.
    View(View),
    /// Turns the camera about the car to this angle (`rad`); 0 is behind it.
    Orbit(f32),
    /// Sets the car on its wheels at its present position.
    Upright,
    /// Restores the start of the session.
    Restart,
    /// Attaches a trailer to the tractor, or removes it: the text of its file is a preset.
    Trailer(Option<String>),
    /// Starts a ghost that differs by this engine, solver, contact, tire law or differential; `None` removes it.
    Ghost(Option<String>),
    /// Shows a fleet of this many cars, 0 for none.
    Fleet(usize),
    /// Sets the level of detail of all cars in a fleet, from the finest; `None` chooses it by distance.
    Detail(Option<usize>),
    /// Shows or hides arrows, planes and lines.
    Inside(bool),
    /// Turns automatic gears on or off.
    Automatic(bool),
    /// Moves a lever to its next position.
    Lever(Lever),
    /// Switches a driver aid on or off, by its name.
    Aid(String, bool),
    /// Shows or hides how long frames take.
    FrameTime(bool),
    /// Opens a panel by name, or closes the open one.
    Panel(Option<String>),
    /// Turns the sound of engine and tires in the window on or off.
    Sound(bool),
    /// Writes the vehicle file, or offers it.
    Save,
    /// Writes the recording, or offers it.
    SaveRecording,
    /// Looks for problems of the vehicle by driving it, now.
    Lint,
    /// Repeats a recording, as JSON.
    Replay(String),
}

/// An order at a frame of a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptLine {
    /// Frames before the order, each of 1/60 s.
    pub frame: u64,
    /// The order.
    pub order: Order,
}

/// Reads a script: a JSON list of lines.
///
/// # Errors
/// If it is none.
pub fn script(text: &str) -> Result<Vec<ScriptLine>, serde_json::Error> {
    serde_json::from_str(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read() {
        let text = r#"[{"frame":0,"order":{"press":["throttle",true]}},
            {"frame":9,"order":{"engine":"rapier"}},{"frame":10,"order":"undo"},
            {"frame":11,"order":{"tune":["axes.0.x",1.5]}},{"frame":12,"order":{"course":"skid-pad"}}]"#;
        let lines = script(text).unwrap();
        assert_eq!(lines[0].order, Order::Press(Pedal::Throttle, true));
        assert_eq!(lines[2].order, Order::Undo);
        assert_eq!(lines[4].order, Order::Course(CourseName::SkidPad));
        assert!(script("[{\"frame\":0,\"order\":\"fly\"}]").is_err());
    }
}
