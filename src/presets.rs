//! Preset vehicles, embedded from the folder `vehicles`.

use std::path::Path;

use crate::file::{Car, FileError};

/// Name and text of the files with these names.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../vehicles/", $name, ".toml")))),*]
    };
}

/// Name and text of every preset vehicle.
pub const FILES: [(&str, &str); 29] = files![
    "sedan",
    "hatchback",
    "hatchback-dct",
    "city-car-cvt",
    "sports-car",
    "sports-car-manual",
    "rally-car",
    "pickup",
    "suv",
    "suv-automatic",
    "ev-saloon",
    "ev-saloon-awd",
    "hybrid-saloon",
    "hybrid-hatchback",
    "truck",
    "truck-6x6",
    "truck-6x6-agile",
    "eighteen-wheeler",
    "eighteen-wheeler-far",
    "eighteen-wheeler-retarder",
    "tractor",
    "tractor-range",
    "trailer",
    "semi-trailer",
    "tank",
    "tadpole",
    "delta",
    "skateboard",
    "physx-snippet",
];

/// Text of the benchmarks' sedan, which is no preset: the Michigan law, and tire forces at a height of their own, as
/// PhysX's vehicle has them. It shows every key.
pub const BENCHMARK_SEDAN: &str = include_str!("../benches/sedan.toml");

/// The vehicle of [`BENCHMARK_SEDAN`]: nothing but bearings and air slows it, as its file gives its tires no rolling resistance.
#[must_use]
pub fn benchmark_sedan() -> Car {
    Car::parse(BENCHMARK_SEDAN, "benches/sedan.toml").expect("it is valid")
}

/// The preset vehicle with a name from [`FILES`].
#[must_use]
pub fn by_name(name: &str) -> Option<Car> {
    let (_, text) = FILES.into_iter().find(|(known, _)| *known == name)?;
    Some(Car::parse(text, name).expect("presets are valid"))
}

/// The preset vehicle with a name from [`FILES`], or the vehicle file at this path.
///
/// # Errors
/// If there is neither, or the file is invalid.
pub fn load(name: &str) -> Result<Car, FileError> {
    match by_name(name) {
        Some(car) => Ok(car),
        None if Path::new(name).exists() => Car::load(name),
        None => Err(FileError::Unknown {
            name: name.to_owned(),
            known: FILES.map(|(known, _)| known).to_vec(),
        }),
    }
}

/// A family sedan with front-wheel drive: the default of `jounce drive`.
#[must_use]
pub fn sedan() -> Car {
    by_name("sedan").expect("a preset")
}

/// A small front-wheel-drive hatchback.
#[must_use]
pub fn hatchback() -> Car {
    by_name("hatchback").expect("a preset")
}

/// A rear-wheel-drive sports car.
#[must_use]
pub fn sports_car() -> Car {
    by_name("sports-car").expect("a preset")
}

/// A box truck of 7.5 t, whose tires' friction falls as they slide.
#[must_use]
pub fn truck() -> Car {
    by_name("truck").expect("a preset")
}

/// The four-wheel car of the PhysX samples.
#[must_use]
pub fn physx_snippet() -> Car {
    by_name("physx-snippet").expect("a preset")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_gets_a_suggestion() {
        let told = |name: &str| load(name).unwrap_err().to_string();
        let nearest = "sedna: neither a file nor a preset, did you mean sedan?";
        assert_eq!(told("sedna"), nearest);
        let all = told("a-flying-carpet");
        for (name, _) in FILES {
            assert!(all.contains(name), "{all}");
        }
    }

    #[test]
    fn every_preset_is_valid_and_has_its_name() {
        for (name, text) in FILES {
            let car = Car::parse(text, name).unwrap();
            assert_eq!(car.name, name);
            assert!(by_name(name).is_some());
        }
    }
}
