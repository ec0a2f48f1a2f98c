//! Parts that a vehicle file can swap as a whole: solver, contact, tire law, differential. The library judges the result.

use toml::{Table, Value};

/// Something that is swapped by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Solver of the vehicle.
    Solver,
    /// Ground query of the wheels.
    Contact,
    /// The law of all tires.
    Tires,
    /// Differential of four wheels behind an engine.
    Differential,
}

/// Tire laws with usual numbers.
const TIRES: [(&str, &str); 3] = [
    (
        "michigan",
        "model = \"michigan\"\nlat_stiff_x = 2.0\nlat_stiff_y = 14.0\nlong_stiff_per_g = 4500.0\ncamber_stiff_per_g = 0.0\n",
    ),
    (
        "linear",
        "model = \"linear\"\nslip_stiffness = 12.0\ncornering_stiffness = 12.0\ncamber_stiffness = 0.0\ntrail = 0.0\n",
    ),
    (
        "magic-formula",
        "model = \"magic-formula\"\npreset = \"suv-255-55-r20\"\n",
    ),
];

/// Differentials of another model than `four-wheel`, whose kinds have names of their own.
const DIFFERENTIALS: [(&str, &str); 3] = [
    (
        "locking",
        "model = \"locking\"\nfront = [0, 1]\nrear = [2, 3]\nratios = { torque_ratios = [0.0, 0.0, 0.5, 0.5], \
         speed_ratios = [0.0, 0.0, 0.5, 0.5] }\nrear_limit = { bias = 1.0, target = 1.0 }\n",
    ),
    ("equal", "model = \"equal\"\nwheels = [0, 1, 2, 3]\n"),
    (
        "torque-vectoring",
        "model = \"torque-vectoring\"\nwheels = [0, 1, 2, 3]\nair_share = 0.01\nleast_grounded = 2\n",
    ),
];

/// A differential `four-wheel`, without its kind and the share of the front.
const FOUR_WHEEL: &str = "model = \"four-wheel\"\nwheels = [0, 1, 2, 3]\nfront_split = 0.5\nrear_split = 0.5\n\
                          center_bias = 1.3\nfront_bias = 1.3\nrear_bias = 1.3\nhandbrake_drives_front = false\n";

impl Part {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Solver, Self::Contact, Self::Tires, Self::Differential];

    /// Names that the part may have.
    #[must_use]
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Self::Solver => &["rows", "explicit"],
            Self::Contact => &["rays", "sweeps"],
            Self::Tires => &["michigan", "linear", "magic-formula"],
            Self::Differential => &[
                "open-front",
                "open-rear",
                "open-all",
                "limited-slip-front",
                "limited-slip-rear",
                "limited-slip-all",
                "locking",
                "equal",
                "torque-vectoring",
            ],
        }
    }

    /// The part that may be called this.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|part| part.names().contains(&name))
    }

    /// Name of the part in a file; `None` if the file has none.
    #[must_use]
    pub fn of(self, file: &Table) -> Option<&str> {
        match self {
            Self::Solver => Some(file.get("solver").and_then(Value::as_str).unwrap_or("rows")),
            Self::Contact => Some(["rays", "sweeps"][usize::from(file.contains_key("sweep"))]),
            Self::Tires => {
                let mut tires = file.get("tires")?.as_table()?.values();
                tires.next()?.get("model")?.as_str()
            }
            Self::Differential => {
                let table = file.get("drivetrain")?.get("differential")?;
                let kind = table.get("kind").or_else(|| table.get("model"));
                kind?.as_str()
            }
        }
    }

    /// The file `now` with another one; what it had when it was `opened` is called `file`.
    ///
    /// # Errors
    /// If there is none of this name, or nowhere to put it.
    pub fn swapped(self, now: &Table, opened: &Table, name: &str) -> Result<Table, String> {
        if name != "file" && !self.names().contains(&name) {
            let known = self.names().join(", ");
            return Err(format!("{name}: must be one of {known}"));
        }
        let mut next = now.clone();
        match self {
            Self::Solver => put(&mut next, "solver", text(name, opened.get("solver"))),
            Self::Contact => put(&mut next, "sweep", sweep(name, opened.get("sweep"))),
            Self::Tires => put(&mut next, "tires", Some(tires(name, opened)?)),
            Self::Differential => {
                let drive = next.get_mut("drivetrain").and_then(Value::as_table_mut);
                let own = opened.get("drivetrain").and_then(|d| d.get("differential"));
                let (Some(drive), Some(own)) = (drive, own) else {
                    return Err("drivetrain.differential: the vehicle has none".to_owned());
                };
                let other = match name {
                    "file" => own.clone(),
                    _ => Value::Table(differential(name)?),
                };
                drive.insert("differential".to_owned(), other);
            }
        }
        Ok(next)
    }
}

fn put(file: &mut Table, key: &str, value: Option<Value>) {
    match value {
        Some(value) => file.insert(key.to_owned(), value),
        None => file.remove(key),
    };
}

fn text(name: &str, own: Option<&Value>) -> Option<Value> {
    match name {
        "file" => own.cloned(),
        _ => Some(Value::String(name.to_owned())),
    }
}

fn sweep(name: &str, own: Option<&Value>) -> Option<Value> {
    match name {
        "rays" => None,
        "file" => own.cloned(),
        _ => own.cloned().or(Some(Value::Table(Table::new()))),
    }
}

fn tires(name: &str, opened: &Table) -> Result<Value, String> {
    let own = opened.get("tires").and_then(Value::as_table).cloned();
    let mut tires = own.ok_or("tires: the vehicle has none")?;
    if let Some((_, law)) = TIRES.iter().find(|(known, _)| *known == name) {
        let law = read(law)?;
        for (_, tire) in &mut tires {
            *tire = Value::Table(law.clone());
        }
    }
    Ok(Value::Table(tires))
}

fn differential(name: &str) -> Result<Table, String> {
    if let Some((_, text)) = DIFFERENTIALS.iter().find(|(known, _)| *known == name) {
        return read(text);
    }
    let mut table = read(FOUR_WHEEL)?;
    let front = match name.rsplit('-').next() {
        Some("front") => 1.0,
        Some("rear") => 0.0,
        _ => 0.45,
    };
    table.insert("kind".to_owned(), Value::String(name.to_owned()));
    table.insert("front_rear_split".to_owned(), Value::Float(front));
    Ok(table)
}

fn read(text: &str) -> Result<Table, String> {
    text.parse()
        .map_err(|error: toml::de::Error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce::file::Car;

    fn sedan() -> Table {
        jounce::presets::FILES[0].1.parse().unwrap()
    }

    #[test]
    fn every_name_makes_a_file_that_the_library_takes_and_is_told_by_it() {
        let opened = sedan();
        for part in Part::ALL {
            for name in part.names() {
                let next = part.swapped(&opened, &opened, name).unwrap();
                Car::parse(&next.to_string(), "swapped").unwrap();
                assert_eq!(part.of(&next), Some(*name));
                assert_eq!(Part::named(name), Some(part));
                assert_eq!(part.swapped(&next, &opened, "file"), Ok(opened.clone()));
            }
            assert!(part.swapped(&opened, &opened, "magic").is_err());
        }
    }

    #[test]
    fn what_has_no_engine_has_no_differential_to_swap() {
        let (_, text) = jounce::presets::FILES
            .into_iter()
            .find(|(name, _)| *name == "skateboard")
            .unwrap();
        let board: Table = text.parse().unwrap();
        assert_eq!(Part::Differential.of(&board), None);
        let refused = Part::Differential.swapped(&board, &board, "equal");
        assert!(refused.unwrap_err().contains("drivetrain.differential"));
    }
}
