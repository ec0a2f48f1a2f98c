//! What can be asked of the showroom: by keys, panels, scripts and the page alike.

use proving_ground::course::CourseName;
use serde::{Deserialize, Serialize};

use crate::camera::View;
use crate::input::Pedal;

/// One order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Press or release.
    Press(Pedal, bool),
    /// Release everything, as when the window loses the keyboard.
    Release,
    /// Another engine, by name.
    Engine(String),
    /// A preset vehicle, by name.
    Vehicle(String),
    /// A vehicle file's text, under a name that faults are told with.
    Open(String, String),
    /// Another course.
    Course(CourseName),
    /// One number of the vehicle file: its path, and the value.
    Tune(String, f64),
    /// Asks the library for unit and range of a number of the vehicle file.
    Ask(String),
    /// Looks for what the vehicle file leaves out and may have.
    Seek,
    /// Adds something that it leaves out, by its path.
    Add(String),
    /// The solver, `rows` or `explicit`.
    Solver(String),
    /// What wheels probe the ground with, `rays` or `sweeps`.
    Contact(String),
    /// All tires: `file` as in the file, or a law by name.
    Tires(String),
    /// The differential of four wheels: `file` as in the file, or by name.
    Differential(String),
    /// Another text of the vehicle file: the same car with other numbers, words, tables.
    Write(String),
    /// Takes the last change of numbers back.
    Undo,
    /// Changes to the other of two sets of numbers.
    Compare,
    /// Keeps the present numbers as the other set.
    Keep,
    /// The vehicle as it was opened.
    Default,
    /// Back by this many seconds.
    Rewind(f32),
    /// Stops or goes on.
    Pause(bool),
    /// How fast time passes.
    Pace(f32),
    /// One step while it stands still.
    Step,
    /// A way to look.
    View(View),
    /// The car on its wheels where it is.
    Upright,
    /// Everything as at the start.
    Restart,
    /// The trailer of the tractor on or off: the text of its file is a preset.
    Trailer(Option<String>),
    /// A ghost that differs by this engine, solver, contact, tire law or differential; or none.
    Ghost(Option<String>),
    /// So many cars, 0 for none.
    Fleet(usize),
    /// In fleets, a level of detail for all cars, from the finest; none goes by distance.
    Detail(Option<usize>),
    /// Arrows, planes and lines.
    Inside(bool),
    /// Automatic gears.
    Automatic(bool),
    /// A panel by name, or none.
    Panel(Option<String>),
    /// Lets engine and tires be heard, in the window.
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
    /// Frames before it, each of 1/60 s.
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
