//! Compiles the shim against the sources that `physx-sys` vendors, and vehicle2, which that package leaves out.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Sources of ours.
const SHIM: [&str; 4] = ["scene", "legacy", "vehicle2_params", "vehicle2"];

/// Sources of vehicle2, under `source/physxvehicle2/src`: all but what records for a debugger.
const VEHICLE2: [&str; 13] = [
    "commands/VhCommandHelpers",
    "drivetrain/VhDrivetrainFunctions",
    "drivetrain/VhDrivetrainHelpers",
    "physxActor/VhPhysXActorFunctions",
    "physxActor/VhPhysXActorHelpers",
    "physxConstraints/VhPhysXConstraintFunctions",
    "physxConstraints/VhPhysXConstraintHelpers",
    "physxRoadGeometry/VhPhysXRoadGeometryFunctions",
    "rigidBody/VhRigidBodyFunctions",
    "steering/VhSteeringFunctions",
    "suspension/VhSuspensionFunctions",
    "tire/VhTireFunctions",
    "wheel/VhWheelFunctions",
];

fn main() {
    println!("cargo:rerun-if-changed=shim");
    let physx = physx();
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++14")
        .warnings(false)
        // As that package compiles PhysX.
        .flag_if_supported("-fno-strict-aliasing")
        .flag_if_supported("-w")
        .define("NDEBUG", "1")
        .define("PX_PHYSX_STATIC_LIB", None)
        .define("DISABLE_CUDA_PHYSX", None)
        .define("PX_SUPPORT_PVD", "1")
        .include(physx.join("include"))
        .include(physx.join("source/foundation/include"));
    for name in SHIM {
        build.file(Path::new("shim").join(name).with_extension("cpp"));
    }
    let vehicle2 = physx.join("source/physxvehicle2/src");
    for name in VEHICLE2 {
        build.file(vehicle2.join(name).with_extension("cpp"));
    }
    let rustc = env::var_os("RUSTC").expect("cargo names the compiler");
    println!(
        "cargo:rustc-env=PEERS_RUSTC={}",
        version(&mut Command::new(rustc))
    );
    let compiler = version(&mut build.get_compiler().to_command());
    println!("cargo:rustc-env=PEERS_COMPILER={compiler}");
    build.compile("peers_shim");
}

/// Version line of a compiler.
fn version(compiler: &mut Command) -> String {
    let output = compiler
        .arg("--version")
        .output()
        .expect("the compiler runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().unwrap_or_default().to_owned()
}

/// The folder of PhysX in the package `physx-sys`, which does not tell by itself.
fn physx() -> PathBuf {
    // On a fresh machine, packages of other members may not be here yet.
    let text = metadata(&["--offline"]).or_else(|| metadata(&[]));
    let text = text.expect("cargo metadata finds all packages");
    let metadata: serde_json::Value = serde_json::from_str(&text).expect("cargo metadata is JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let package = packages
        .iter()
        .find(|package| package["name"] == "physx-sys");
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let manifest = Path::new(manifest.expect("physx-sys is a dependency"));
    manifest.with_file_name("physx").join("physx")
}

/// Cargo's metadata of this platform's packages.
fn metadata(options: &[&str]) -> Option<String> {
    let cargo = env::var_os("CARGO").expect("cargo says where it is");
    let target = env::var("TARGET").expect("cargo says for what it builds");
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--filter-platform"])
        .arg(target)
        .args(options)
        .output()
        .expect("cargo runs");
    let text = String::from_utf8(output.stdout).expect("cargo metadata is UTF-8");
    output.status.success().then_some(text)
}
