//! Recorded drives of another program's cars.

use serde_json::Value;

use super::figures::{CoursePoint, DrivenCourse};

/// The only schema so far.
const SCHEMA: &str = "multi-body-1";
/// Columns of the records.
const COLUMNS: [&str; 5] = ["speed", "way", "yaw_rate", "lateral_acceleration", "roll"];

/// A record that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadRecord {
    /// Not JSON.
    #[error("line {0}: {1}")]
    Syntax(usize, String),
    /// A key is absent or of another type.
    #[error("line {0}: no such {1}")]
    Lacks(usize, &'static str),
    /// Unknown contents.
    #[error("{what} {found} is not known")]
    Unknown {
        /// Kind of contents.
        what: &'static str,
        /// The value in the record.
        found: String,
    },
}

/// A file of recorded drives of one car through one maneuver.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedModel {
    /// The program that drove.
    pub source: String,
    /// The car: a vehicle file of this name lies beside the record.
    pub car: String,
    pub(super) maneuver: String,
    pub(super) drives: Vec<Take>,
}

/// One recorded drive.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Take {
    /// Speed at the start (`km/h`).
    pub(super) speed_kmh: f64,
    /// Angle of both front wheels from `start` (`s`) on (`°`), positive to the left.
    pub(super) steer_deg: f64,
    pub(super) start: f64,
    /// Times at which that angle changes its sign (`s`).
    pub(super) turns: Vec<f64>,
    /// Deceleration by the brakes' torques from `brake_start` (`s`) on, without the wheels' inertia (`m/s²`).
    pub(super) braking: f64,
    pub(super) brake_start: f64,
    /// Whether the model reached the end, neither spun nor on its side.
    pub(super) whole: bool,
    pub(super) course: DrivenCourse,
}

impl RecordedModel {
    /// Reads the text of a file: a line about it, then one per drive.
    ///
    /// # Errors
    /// If its schema, its columns or a key is not known.
    pub fn read(text: &str) -> Result<Self, BadRecord> {
        let lines = text.lines().enumerate();
        let mut lines = lines.map(|(n, line)| Reader::new(n + 1, line));
        let head = lines.next().ok_or(BadRecord::Lacks(1, "schema"))??;
        expect("schema", head.text("schema")?, SCHEMA)?;
        let columns = head.list("columns", |value| value.as_str().map(str::to_owned))?;
        expect("columns", columns.join(","), &COLUMNS.join(","))?;
        Ok(Self {
            source: head.text("source")?,
            car: head.text("car")?,
            maneuver: head.text("manoeuvre")?,
            drives: lines.map(|line| line?.take()).collect::<Result<_, _>>()?,
        })
    }
}

fn expect(what: &'static str, found: String, wanted: &str) -> Result<(), BadRecord> {
    if found == wanted {
        Ok(())
    } else {
        Err(BadRecord::Unknown { what, found })
    }
}

/// A line of a record.
struct Reader {
    number: usize,
    object: Value,
}

impl Reader {
    fn new(number: usize, line: &str) -> Result<Self, BadRecord> {
        let object = serde_json::from_str(line);
        let object = object.map_err(|error| BadRecord::Syntax(number, error.to_string()))?;
        Ok(Self { number, object })
    }

    fn get<T>(
        &self,
        key: &'static str,
        of: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<T, BadRecord> {
        let found = self.object.get(key).and_then(of);
        found.ok_or(BadRecord::Lacks(self.number, key))
    }

    fn text(&self, key: &'static str) -> Result<String, BadRecord> {
        self.get(key, |value| value.as_str().map(str::to_owned))
    }

    fn number(&self, key: &'static str) -> Result<f64, BadRecord> {
        self.get(key, Value::as_f64)
    }

    fn list<T>(
        &self,
        key: &'static str,
        of: impl Fn(&Value) -> Option<T>,
    ) -> Result<Vec<T>, BadRecord> {
        self.get(key, |value| value.as_array()?.iter().map(of).collect())
    }

    fn take(&self) -> Result<Take, BadRecord> {
        Ok(Take {
            speed_kmh: self.number("speed_kmh")?,
            steer_deg: self.number("steer_deg")?,
            start: self.number("start")?,
            turns: self.list("turns", Value::as_f64)?,
            braking: self.number("braking")?,
            brake_start: self.number("brake_start")?,
            whole: self.get("whole", Value::as_bool)?,
            course: DrivenCourse {
                interval: self.number("interval")?,
                instants: self.list("rows", instant)?,
            },
        })
    }
}

/// The numbers of a row, in the order of [`COLUMNS`].
fn instant(row: &Value) -> Option<CoursePoint> {
    let numbers: Option<Vec<f64>> = row.as_array()?.iter().map(Value::as_f64).collect();
    let [speed, way, yaw_rate, lateral_acceleration, roll] = numbers?.try_into().ok()?;
    Some(CoursePoint {
        speed,
        way,
        yaw_rate,
        lateral_acceleration,
        roll,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"schema":"multi-body-1","source":"s","car":"c","manoeuvre":"m",
        "columns":["speed","way","yaw_rate","lateral_acceleration","roll"]}"#;

    fn file(head: &str, rows: &str) -> String {
        let head = head.replace('\n', "");
        format!(
            "{head}\n{{\"speed_kmh\":50,\"steer_deg\":1,\"turns\":[],\"start\":0.2,\"braking\":0.0,\
             \"brake_start\":0.2,\"interval\":0.02,\"whole\":true,\"rows\":{rows}}}\n"
        )
    }

    #[test]
    fn a_record_is_read() {
        let record = RecordedModel::read(&file(HEAD, "[[1,2,3,4,5]]")).unwrap();
        let last = record.drives[0].course.instants[0];
        assert_eq!([last.way, last.roll], [2.0, 5.0]);
        assert_eq!(record.car, "c");
    }

    #[test]
    fn what_is_not_known_is_refused() {
        let other = HEAD.replace("multi-body-1", "multi-body-2");
        let schema = RecordedModel::read(&file(&other, "[]")).unwrap_err();
        assert_eq!(schema.to_string(), "schema multi-body-2 is not known");
        let columns = RecordedModel::read(&file(&HEAD.replace("\"way\",", ""), "[]")).unwrap_err();
        assert!(matches!(
            columns,
            BadRecord::Unknown {
                what: "columns",
                ..
            }
        ));
        let short = RecordedModel::read(&file(HEAD, "[[1,2,3]]")).unwrap_err();
        assert_eq!(short, BadRecord::Lacks(2, "rows"));
    }
}
