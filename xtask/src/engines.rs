//! Engines beside Rapier: built and tested by a command of their own, where their compilers are.

use std::env;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::cargo::Cargo;

/// An engine, and what building it takes.
pub(crate) struct Engine {
    /// The feature that brings it, and its world's name.
    pub(crate) name: &'static str,
    package: &'static str,
    /// Further features, for its tests.
    features: &'static [&'static str],
    /// Programs, each with the variable that may name another.
    tools: &'static [(&'static str, &'static str)],
}

const AVIAN: Engine = Engine {
    name: "avian",
    package: "jounce-backend-avian",
    // Bevy's threads, as in a game, and what it draws.
    features: &["bevy/multi_threaded", "jounce-backend-avian/gizmos"],
    tools: &[],
};

const FOREIGN: [Engine; 2] = [
    Engine {
        name: "box3d",
        package: "jounce-backend-box3d",
        features: &[],
        tools: &[("cc", "CC")],
    },
    Engine {
        name: "jolt",
        package: "jounce-backend-jolt",
        features: &[],
        tools: &[("c++", "CXX"), ("cmake", "CMAKE")],
    },
];

/// Engines that are built together, and the tests that they take part in beside those of their backends.
pub(crate) struct EngineGroup {
    pub(crate) engines: Vec<&'static Engine>,
    /// Packages whose tests ask every world that they are built with; each has a feature for each engine.
    callers: &'static [&'static str],
    /// Their test programs in which worlds are.
    programs: &'static [&'static str],
}

/// Avian, in which everything is tried that worlds are for.
pub(crate) fn avian() -> EngineGroup {
    EngineGroup {
        engines: vec![&AVIAN],
        callers: &[
            "vehicle-conformance",
            "five-worlds",
            "jounce-proving-ground",
            "jounce-lab",
        ],
        programs: &[
            "--lib",
            "--examples",
            "--test=library",
            "--test=suite",
            "--test=same",
        ],
    }
}

/// Engines in other languages, as far as they can be built here: the suite and the drive of five worlds.
fn foreign() -> EngineGroup {
    EngineGroup {
        engines: present(),
        callers: &["vehicle-conformance", "five-worlds"],
        programs: &["--lib", "--test=suite", "--test=same"],
    }
}

/// All engines beside Rapier that can be built here.
pub(crate) fn groups() -> Vec<EngineGroup> {
    let groups = [avian(), foreign()].into_iter();
    groups.filter(|group| !group.engines.is_empty()).collect()
}

/// Avian with the engines in other languages that can be built here.
pub(crate) fn together() -> EngineGroup {
    let mut group = avian();
    group.engines.extend(present());
    group
}

impl EngineGroup {
    /// Arguments that build its backends and callers, with one set of features.
    pub(crate) fn arguments(&self, cargo: &Cargo) -> Result<Vec<String>, String> {
        let backends = self.engines.iter().map(|engine| engine.package);
        let packages = self.callers.iter().copied().chain(backends);
        let features = self.engines.iter().flat_map(|engine| {
            let callers = self.callers.iter();
            let worlds = callers.map(|caller| format!("{caller}/{}", engine.name));
            worlds.chain(engine.features.iter().map(|&feature| feature.to_owned()))
        });
        let features = features.collect::<Vec<_>>().join(",");
        let mut arguments = vec!["--release".to_owned(), format!("--features={features}")];
        arguments.extend(packages.map(|package| format!("--package={package}")));
        arguments.extend(cargo.newer_rust()?.map(str::to_owned));
        Ok(arguments)
    }

    /// Arguments that add the crate that re-exports its backends.
    pub(crate) fn facade(&self) -> [String; 2] {
        let names = self.engines.iter();
        let features: Vec<_> = names.map(|it| format!("jounce/{}", it.name)).collect();
        let features = format!("--features={}", features.join(","));
        ["--package=jounce".to_owned(), features]
    }

    /// Arguments that choose test programs: all of its backends, and those of its callers in which worlds are.
    pub(crate) fn targets(&self, cargo: &Cargo) -> Result<Vec<String>, String> {
        let packages = cargo.packages()?;
        let ours = |package: &&Value| {
            let mut engines = self.engines.iter();
            engines.any(|engine| package["name"] == engine.package)
        };
        let targets = packages.iter().filter(ours);
        let targets = targets.filter_map(|package| package["targets"].as_array());
        let tests = targets
            .flatten()
            .filter(|target| target["kind"][0] == "test");
        let names = tests.filter_map(|target| target["name"].as_str());
        let own = names.map(|name| format!("--test={name}"));
        let callers = self.programs.iter().map(|&program| program.to_owned());
        Ok(callers.chain(own).collect())
    }
}

/// The first program that building Jolt lacks here.
pub(crate) fn missing_for_jolt() -> Option<String> {
    let mut engines = FOREIGN.iter();
    engines.find(|engine| engine.name == "jolt")?.missing()
}

/// Engines in other languages that can be built here. Of the others it says what is missing.
fn present() -> Vec<&'static Engine> {
    let complete = |engine: &&Engine| match engine.missing() {
        None => true,
        Some(tool) => {
            println!("{}: left out, as {tool} is missing", engine.name);
            false
        }
    };
    FOREIGN.iter().filter(complete).collect()
}

impl Engine {
    /// The first program that is missing.
    fn missing(&self) -> Option<String> {
        let named =
            |&(usual, variable): &(&str, &str)| env::var(variable).unwrap_or(usual.to_owned());
        self.tools.iter().map(named).find(|tool| !answers(tool))
    }
}

/// Whether a program starts.
pub(crate) fn answers(program: &str) -> bool {
    let mut command = Command::new(program);
    command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn avian_is_tested_with_its_features_in_every_program_of_its_backend() {
        let cargo = Cargo::new();
        let has = |words: &[String], word: &str| words.iter().any(|it| it == word);
        let arguments = avian().arguments(&cargo).unwrap();
        for package in ["jounce-backend-avian", "vehicle-conformance", "five-worlds"] {
            assert!(
                has(&arguments, &format!("--package={package}")),
                "{package}"
            );
        }
        let features = "--features=vehicle-conformance/avian,five-worlds/avian,jounce-proving-ground/avian,jounce-lab/avian,\
                        bevy/multi_threaded,jounce-backend-avian/gizmos";
        assert!(has(&arguments, features), "{arguments:?}");
        let targets = avian().targets(&cargo).unwrap();
        for program in ["avian", "gizmos", "threads", "suite", "library"] {
            assert!(has(&targets, &format!("--test={program}")), "{program}");
        }
    }

    #[test]
    fn a_missing_tool_is_named() {
        let engine = |tools| Engine {
            name: "some",
            package: "some",
            features: &[],
            tools,
        };
        assert!(answers("cargo"));
        assert_eq!(engine(&[("cargo", "NO_SUCH_VARIABLE")]).missing(), None);
        let two = engine(&[
            ("cargo", "NO_SUCH_VARIABLE"),
            ("no-such-compiler", "NO_SUCH_VARIABLE"),
        ]);
        assert_eq!(two.missing().as_deref(), Some("no-such-compiler"));
    }
}
