//! `jounce show`: the text of a vehicle file, to be copied and changed.

use core::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use jounce::file::Car;
use jounce::presets;

use crate::error::LabError;

/// Options of `jounce show`.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// Name of a preset, or a vehicle file; without it, the presets are listed
    pub vehicle: Option<String>,
}

/// Runs `jounce show` and returns the file of the vehicle, with its comments, or a list of the presets.
///
/// # Errors
/// If there is no such vehicle, or with every fault of the file.
pub fn show_command(args: &ShowArgs) -> Result<String, LabError> {
    let Some(name) = &args.vehicle else {
        return Ok(list());
    };
    presets::load(name)?;
    let preset = presets::FILES.into_iter().find(|(known, _)| known == name);
    match preset {
        Some((_, text)) => Ok(text.to_owned()),
        None => fs::read_to_string(name).map_err(|source| LabError::File {
            path: PathBuf::from(name),
            source,
        }),
    }
}

fn list() -> String {
    let mut text = String::new();
    for car in presets::FILES
        .into_iter()
        .filter_map(|(name, text)| Car::parse(text, name).ok())
    {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:<22}{}", car.name, car.description);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: Option<&str>) -> Result<String, LabError> {
        let vehicle = name.map(str::to_owned);
        show_command(&ShowArgs { vehicle })
    }

    /// A preset that is written to a file loads as the same car.
    #[test]
    fn a_shown_preset_loads_as_the_same_car() {
        for (name, _) in presets::FILES {
            let text = shown(Some(name)).unwrap();
            let path =
                std::env::temp_dir().join(format!("show-{}-{name}.toml", std::process::id()));
            fs::write(&path, &text).unwrap();
            let car = Car::load(&path);
            let again = shown(Some(&path.display().to_string()));
            fs::remove_file(&path).unwrap();
            assert!(
                car.unwrap().spec() == presets::by_name(name).unwrap().spec(),
                "{name}"
            );
            assert!(
                text.lines().filter(|line| line.contains('#')).count() > 2,
                "{name}: no comments"
            );
            assert_eq!(again.unwrap(), text);
        }
    }

    #[test]
    fn presets_are_listed_and_unknown_ones_refused() {
        let text = shown(None).unwrap();
        assert_eq!(text.lines().count(), presets::FILES.len());
        assert!(text.starts_with("sedan                 family"), "{text}");
        let error = shown(Some("sedna")).unwrap_err().to_string();
        assert!(error.contains("did you mean sedan?"), "{error}");
    }
}
