//! `jounce replay`: a recording of the showroom, repeated to the same bits.

use std::path::PathBuf;

use clap::Args;
use proving_ground::session::{Recording, Session};

use crate::error::{LabError, read_text};

/// Options of `jounce replay`.
#[derive(Args, Clone, Debug)]
pub struct ReplayArgs {
    /// Recording that the showroom saved
    pub recording: PathBuf,
}

/// Repeats a recording and returns how it ended.
///
/// # Errors
/// If the file cannot be read or repeated, or ends otherwise than recorded.
pub fn replay_command(args: &ReplayArgs) -> Result<String, LabError> {
    let path = &args.recording;
    let text = read_text(path)?;
    let syntax = |message: String| LabError::Syntax {
        file: path.display().to_string(),
        message,
    };
    let recording: Recording =
        serde_json::from_str(&text).map_err(|error| syntax(error.to_string()))?;
    let session = Session::replay(&recording)?;
    let found = session.hash();
    if found != recording.hash {
        let recorded = &recording.hash;
        return Err(syntax(format!(
            "repeated to {found}, recorded as {recorded}"
        )));
    }
    let place = session.body()?.position;
    Ok(format!(
        "{} steps in {}: {found}, as recorded; at x = {:.3} m, y = {:.3} m\n",
        session.steps(),
        session.world().name(),
        place.x,
        place.y,
    ))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use jounce::core::CarCommand;
    use proving_ground::session::SessionStart;

    #[test]
    fn a_recording_ends_as_recorded_and_a_changed_one_does_not() {
        let mut session = Session::new(SessionStart::of("hatchback").unwrap()).unwrap();
        for step in 0..90 {
            let command = CarCommand {
                throttle: 0.7,
                steer: step as f32 / 313.0,
                ..CarCommand::default()
            };
            session.step(&command).unwrap();
        }
        let path = std::env::temp_dir().join(format!("jounce-{}.json", std::process::id()));
        let replayed = |text: String| {
            fs::write(&path, text).unwrap();
            replay_command(&ReplayArgs {
                recording: path.clone(),
            })
        };
        let text = serde_json::to_string(session.recording()).unwrap();
        let told = replayed(text.clone()).unwrap();
        assert!(told.starts_with(&format!("90 steps in standalone: {}", session.hash())));
        let other = text.replacen("\"throttle\":0.7", "\"throttle\":0.8", 1);
        let told = replayed(other).unwrap_err().to_string();
        fs::remove_file(&path).unwrap();
        assert!(told.contains("recorded as"), "{told}");
    }
}
