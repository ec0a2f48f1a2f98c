//! Dependency rules, checked against `cargo tree`.

use std::collections::BTreeSet;

use crate::cargo::Cargo;

/// Dependencies of the proc-macros of thiserror and serde; they run at build time.
const MACROS: [&str; 4] = ["proc-macro2", "quote", "syn", "unicode-ident"];
/// Everything that core may depend on.
const CORE: [&str; 4] = ["glam", "libm", "thiserror", "thiserror-impl"];
/// Additional crates with its feature `serde`.
const SERDE: [&str; 3] = ["serde", "serde_core", "serde_derive"];
/// Prefixes of the names of engines and of crates that pull in too much.
const ENGINES: [&str; 6] = ["rapier", "parry3d", "bevy", "avian", "boxddd", "oxijolt"];
const HEAVY: [&str; 2] = ["typetag", "nalgebra"];
/// They implement core's contracts and are independent of each other.
const LEAVES: [&str; 10] = [
    "jounce-tire-models",
    "jounce-drivetrain",
    "jounce-driver-input",
    "jounce-driver-aids",
    "jounce-telemetry",
    "jounce-scene-query",
    "jounce-backend-rapier",
    "jounce-backend-avian",
    "jounce-backend-box3d",
    "jounce-backend-jolt",
];
/// The command, and the crates with which it reads and draws.
const COMMAND: [&str; 5] = [
    "clap",
    "png",
    "indicatif",
    "levenberg-marquardt",
    "jounce-lab",
];
/// Their types appear in the APIs between engines and our crates, so there must be one version of
/// each.
const SHARED: [&str; 2] = ["glam", "parry3d"];
/// Features of glam that would change results or need std.
const GLAM_FEATURES: [&str; 4] = ["std", "default", "fast-math", "core-simd"];

/// A package with a set of features.
struct DependencyRule {
    package: &'static str,
    features: &'static [&'static str],
    /// Its allowed dependencies; empty: everything that is not forbidden.
    allowed: Vec<&'static str>,
    /// Prefixes of forbidden dependencies.
    forbidden: Vec<&'static str>,
}

fn rules() -> Vec<DependencyRule> {
    let core: Vec<&str> = [&CORE[..], &MACROS].concat();
    let others = |own: &'static str| LEAVES.into_iter().filter(move |leaf| *leaf != own);
    let leaf = |package: &'static str, engines: &[&'static str]| DependencyRule {
        package,
        features: &[],
        allowed: Vec::new(),
        forbidden: others(package).chain(engines.iter().copied()).collect(),
    };
    let engines = [&ENGINES[..], &HEAVY].concat();
    let alone = [&engines[..], &["jounce-parry-query"]].concat();
    let but_parry = engines.iter().copied().filter(|name| *name != "parry3d");
    vec![
        DependencyRule {
            package: "vehicle-core",
            features: &[],
            allowed: core.clone(),
            forbidden: Vec::new(),
        },
        DependencyRule {
            package: "vehicle-core",
            features: &["--features", "serde"],
            allowed: [&core[..], &SERDE].concat(),
            forbidden: Vec::new(),
        },
        leaf("jounce-tire-models", &alone),
        leaf("jounce-drivetrain", &alone),
        leaf("jounce-driver-input", &alone),
        leaf("jounce-driver-aids", &alone),
        leaf("jounce-telemetry", &alone),
        leaf("jounce-jointed-wheels", &alone),
        DependencyRule {
            package: "jounce-parry-query",
            features: &[],
            allowed: Vec::new(),
            forbidden: LEAVES.into_iter().chain(but_parry).collect(),
        },
        leaf("jounce-scene-query", &engines),
        leaf("jounce-backend-rapier", &["bevy", "avian", "typetag"]),
        leaf("jounce-backend-avian", &["rapier", "typetag"]),
        leaf(
            "jounce-backend-box3d",
            &["rapier", "bevy", "avian", "parry3d", "oxijolt", "typetag"],
        ),
        leaf(
            "jounce-backend-jolt",
            &["rapier", "bevy", "avian", "parry3d", "boxddd", "typetag"],
        ),
        DependencyRule {
            package: "jounce",
            features: &["--no-default-features"],
            allowed: Vec::new(),
            forbidden: engines.clone(),
        },
        // Third parties compile it: neither the command nor crates that only the command needs.
        DependencyRule {
            package: "vehicle-conformance",
            features: &[],
            allowed: Vec::new(),
            forbidden: [&COMMAND[..], &engines].concat(),
        },
        // Without the Avian feature, no Bevy is compiled.
        DependencyRule {
            package: "jounce",
            features: &[],
            allowed: Vec::new(),
            forbidden: vec!["bevy", "avian", "boxddd", "oxijolt"],
        },
    ]
}

/// Checks every rule, prints a table, and fails if one is broken.
pub(crate) fn check(cargo: &Cargo) -> Result<(), String> {
    println!("{:<34} {:>8}  verdict", "package", "reaches");
    let mut broken = 0;
    for rule in rules() {
        let reached = reached(cargo, &rule)?;
        let faults = faults(&rule, &reached);
        let name = [&[rule.package], rule.features].concat().join(" ");
        let verdict = if faults.is_empty() { "ok" } else { "BROKEN" };
        println!("{name:<34} {:>8}  {verdict}", reached.len());
        for fault in &faults {
            println!("    {fault}");
        }
        broken += usize::from(!faults.is_empty());
    }
    for name in SHARED {
        let versions = versions(cargo, name)?;
        let verdict = if versions.len() == 1 { "ok" } else { "BROKEN" };
        let list = versions.iter().cloned().collect::<Vec<_>>().join(", ");
        println!(
            "{:<34} {list:>8}  {verdict}",
            format!("one {name} in all engines")
        );
        broken += usize::from(versions.len() != 1);
    }
    if broken == 0 {
        Ok(())
    } else {
        Err(format!("{broken} dependency rule(s) broken"))
    }
}

/// All versions of a crate in a program with every engine.
fn versions(cargo: &Cargo, name: &str) -> Result<BTreeSet<String>, String> {
    let tree = [
        "tree",
        "--locked",
        "-p",
        "jounce",
        "--features",
        "rapier,avian,box3d,jolt",
    ];
    let shape = ["--edges", "normal", "--prefix", "none", "--format", "{p}"];
    let text = cargo.read(&[&tree[..], &shape].concat())?;
    let packages = text.lines().filter_map(|line| line.split_once(' '));
    let named = packages.filter(|(package, _)| *package == name);
    Ok(named
        .filter_map(|(_, version)| version.split(' ').next())
        .map(str::to_owned)
        .collect())
}

/// Names and features of all dependencies of a package in a normal build, without the package
/// itself.
fn reached(cargo: &Cargo, rule: &DependencyRule) -> Result<BTreeSet<(String, String)>, String> {
    let tree = ["tree", "--locked", "-p", rule.package, "--edges", "normal"];
    let shape = ["--target", "all", "--prefix", "none", "--format", "{p}|{f}"];
    let text = cargo.read(&[&tree[..], &shape, rule.features].concat())?;
    Ok(text
        .lines()
        .filter_map(|line| {
            let (package, features) = line.trim_end_matches(" (*)").split_once('|')?;
            let name = package.split(' ').next()?;
            (name != rule.package).then(|| (name.to_owned(), features.to_owned()))
        })
        .collect())
}

fn faults(rule: &DependencyRule, reached: &BTreeSet<(String, String)>) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, features) in reached {
        let named = |beginning: &&str| name.starts_with(*beginning);
        if !rule.allowed.is_empty() && !rule.allowed.contains(&name.as_str()) {
            faults.push(format!("reaches {name}, which is not on its list"));
        }
        if let Some(beginning) = rule.forbidden.iter().find(|b| named(b)) {
            faults.push(format!("reaches {name}; {beginning}… is forbidden"));
        }
        if name == "glam" && rule.package == "vehicle-core" {
            let bad = features.split(',').filter(|f| GLAM_FEATURES.contains(f));
            faults.extend(bad.map(|feature| format!("turns on glam's feature {feature}")));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(names: &[(&str, &str)]) -> BTreeSet<(String, String)> {
        let owned = |&(name, features): &(&str, &str)| (name.to_owned(), features.to_owned());
        names.iter().map(owned).collect()
    }

    fn rule(package: &str) -> DependencyRule {
        let found = rules().into_iter().find(|rule| rule.package == package);
        found.expect("there is such a rule")
    }

    #[test]
    fn core_reaches_its_list_only() {
        let core = rule("vehicle-core");
        assert!(faults(&core, &seen(&[("glam", "f64,libm"), ("libm", "")])).is_empty());
        assert_eq!(faults(&core, &seen(&[("serde", "")])).len(), 1);
        assert_eq!(
            faults(&core, &seen(&[("glam", "libm,std,fast-math")])).len(),
            2
        );
    }

    #[test]
    fn the_suite_reaches_nothing_of_the_command() {
        let suite = rule("vehicle-conformance");
        assert!(
            faults(
                &suite,
                &seen(&[("jounce-proving-ground", ""), ("toml", "")])
            )
            .is_empty()
        );
        for bad in COMMAND
            .into_iter()
            .chain(["clap_derive", "rapier3d", "parry3d"])
        {
            assert_eq!(faults(&suite, &seen(&[(bad, "")])).len(), 1, "{bad}");
        }
    }

    #[test]
    fn leaves_know_neither_engines_nor_each_other() {
        let tires = rule("jounce-tire-models");
        assert!(faults(&tires, &seen(&[("vehicle-core", ""), ("toml", "")])).is_empty());
        for bad in [
            "jounce-drivetrain",
            "rapier3d",
            "bevy_ecs",
            "parry3d",
            "jounce-parry-query",
            "nalgebra",
        ] {
            assert_eq!(faults(&tires, &seen(&[(bad, "")])).len(), 1, "{bad}");
        }
        let scene = rule("jounce-scene-query");
        assert!(faults(&scene, &seen(&[("jounce-parry-query", "")])).is_empty());
        assert_eq!(faults(&scene, &seen(&[("parry3d", "")])).len(), 1);
        assert!(faults(&rule("jounce-backend-rapier"), &seen(&[("rapier3d", "")])).is_empty());
    }
}
