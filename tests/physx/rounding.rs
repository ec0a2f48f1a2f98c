//! Effect of rounding: our own results from inputs moved by their rounding.

use serde_json::Value;

/// Rounding inside PhysX moves a value by at most this multiple of the range over which rounding of the inputs moves
/// ours.
pub(crate) const TIMES: f64 = 4.0;

/// Error that rounding of a value itself explains, relative to the largest in its column.
pub(crate) const ROUNDINGS: f64 = TIMES * f32::EPSILON as f64;

/// Length of the range of some values; 0 without any.
pub(crate) fn range(values: impl Iterator<Item = f64>) -> f64 {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values.fold(none, |(low, high), x| (low.min(x), high.max(x)));
    (high - low).max(0.0)
}

/// Roundings by which numbers are moved, one after the other.
pub(crate) struct Ways {
    state: u64,
    /// Number of roundings by which a number is moved.
    by: f32,
    /// Bits of which all must be 0 for a number to be moved at all.
    rare: u64,
}

impl Ways {
    /// Changes of one variant, by one rounding.
    pub(crate) const fn new(variant: u32) -> Self {
        Self::by(1.0, variant)
    }

    /// Changes of one variant, by so many roundings.
    pub(crate) const fn by(roundings: f32, variant: u32) -> Self {
        Self {
            state: variant as u64,
            by: roundings,
            rare: 0,
        }
    }

    /// Leaves half of these changes out, `times` times over.
    pub(crate) const fn halved(self, times: u32) -> Self {
        let rare = (1 << times) - 1;
        Self { rare, ..self }
    }

    /// The next number of roundings, up or down, or none (`splitmix64`).
    pub(crate) fn way(&mut self) -> f32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        match (mixed & self.rare, mixed >> 63) {
            (0, 1) => self.by,
            (0, _) => -self.by,
            _ => 0.0,
        }
    }

    /// A number in single precision, moved by its rounding.
    fn moved(&mut self, x: f64) -> f64 {
        x * (1.0 + f64::from(self.way()) * f64::from(f32::EPSILON))
    }

    /// Moves the numbers of an input by their rounding; whole ones are exact, and equal ones of a list remain equal.
    pub(crate) fn take(&mut self, value: &mut Value) {
        match value {
            Value::Number(x) if x.is_f64() => {
                let moved = self.moved(x.as_f64().expect("a number"));
                // The largest number is a mark.
                if moved.abs() < f64::from(f32::MAX) {
                    *value = moved.into();
                }
            }
            Value::Array(list) => {
                let mut moved: Vec<[Value; 2]> = Vec::new();
                for value in list {
                    let known = moved.iter().find(|[before, _]| before == value);
                    if let (true, Some([_, after])) = (value.is_number(), known) {
                        *value = after.clone();
                        continue;
                    }
                    let before = value.clone();
                    self.take(value);
                    moved.push([before, value.clone()]);
                }
            }
            Value::Object(fields) => fields.iter_mut().for_each(|(_, value)| self.take(value)),
            _ => {}
        }
    }
}
