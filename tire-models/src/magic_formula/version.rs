//! The versions of the formulas: [`Version`].

/// The version of the formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Version {
    /// MF-Tyre 5.2, PAC2002.
    #[serde(rename = "5.2")]
    V52,
    /// MF-Tyre 6.1: inflation pressure, turn slip.
    #[serde(rename = "6.1")]
    V61,
    /// MF-Tyre 6.2: camber in the loaded radius.
    #[serde(rename = "6.2")]
    V62,
    /// MF-MCTyre 1.1, `PAC_MC`: motorcycles, at any camber.
    #[serde(rename = "mc")]
    Motorcycle,
}

impl core::fmt::Display for Version {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::V52 => "5.2",
            Self::V61 => "6.1",
            Self::V62 => "6.2",
            Self::Motorcycle => "MC",
        })
    }
}

impl Version {
    /// The version of a file's `FITTYP`, if it is a Magic Formula: 5, 6, 21, 51 and 52 are 5.2; 60
    /// and 61 are 6.1; 62, 63 and 70 are 6.2. The files of MF-MCTyre have 51 and 52, too;
    /// [`Format::of`](crate::tir::Format::of) knows them by their keys.
    #[must_use]
    pub fn from_fittyp(fittyp: i32) -> Option<Self> {
        match fittyp {
            5 | 6 | 21 | 51 | 52 => Some(Self::V52),
            60 | 61 => Some(Self::V61),
            62 | 63 | 70 => Some(Self::V62),
            _ => None,
        }
    }

    /// Whether the version's forces depend on inflation pressure.
    #[must_use]
    pub const fn has_pressure(self) -> bool {
        matches!(self, Self::V61 | Self::V62)
    }

    /// Keys without which there is no tire: no default is any tire's grip or stiffness.
    #[must_use]
    pub const fn essential(self) -> &'static [&'static str] {
        /// Nine of every version, then those of motorcycles: stiffness and shape by camber.
        const KEYS: &[&str] = &[
            "UNLOADED_RADIUS",
            "FNOMIN",
            "PCX1",
            "PDX1",
            "PKX1",
            "PCY1",
            "PDY1",
            "PKY1",
            "PKY2",
            "PKY3",
            "PCY2",
            "PKY6",
        ];
        match self {
            Self::Motorcycle => KEYS,
            Self::V52 | Self::V61 | Self::V62 => KEYS.split_at(9).0,
        }
    }
}
