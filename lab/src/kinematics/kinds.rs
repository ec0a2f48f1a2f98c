//! The suspensions that are known, and the points that each of them has.

use serde::Deserialize;

/// The suspensions that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SuspensionKind {
    DoubleWishbone,
    Macpherson,
    FiveLink,
    TrailingArm,
    SemiTrailingArm,
    LiveAxle,
}

impl SuspensionKind {
    /// Names of its points.
    pub(super) fn points(self) -> &'static [&'static str] {
        match self {
            Self::DoubleWishbone => &[
                "lower_front",
                "lower_rear",
                "lower_outer",
                "upper_front",
                "upper_rear",
                "upper_outer",
                "tie_rod_inner",
                "tie_rod_outer",
            ],
            Self::Macpherson => &[
                "lower_front",
                "lower_rear",
                "lower_outer",
                "strut_bottom",
                "strut_top",
                "tie_rod_inner",
                "tie_rod_outer",
            ],
            Self::FiveLink => &[
                "lower_front_inner",
                "lower_front_outer",
                "lower_rear_inner",
                "lower_rear_outer",
                "upper_front_inner",
                "upper_front_outer",
                "upper_rear_inner",
                "upper_rear_outer",
                "tie_rod_inner",
                "tie_rod_outer",
            ],
            Self::TrailingArm | Self::SemiTrailingArm => &["pivot_inner", "pivot_outer"],
            Self::LiveAxle => &[
                "lower_body",
                "lower_axle",
                "upper_body",
                "upper_axle",
                "panhard_body",
                "panhard_axle",
            ],
        }
    }

    /// Pairs of points that a rod, or an axis, joins.
    pub(super) fn rods(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::DoubleWishbone => &[
                ("lower_front", "lower_outer"),
                ("lower_rear", "lower_outer"),
                ("upper_front", "upper_outer"),
                ("upper_rear", "upper_outer"),
                ("tie_rod_inner", "tie_rod_outer"),
            ],
            Self::Macpherson => &[
                ("lower_front", "lower_outer"),
                ("lower_rear", "lower_outer"),
                ("tie_rod_inner", "tie_rod_outer"),
            ],
            Self::FiveLink => &[
                ("lower_front_inner", "lower_front_outer"),
                ("lower_rear_inner", "lower_rear_outer"),
                ("upper_front_inner", "upper_front_outer"),
                ("upper_rear_inner", "upper_rear_outer"),
                ("tie_rod_inner", "tie_rod_outer"),
            ],
            Self::TrailingArm | Self::SemiTrailingArm => &[],
            Self::LiveAxle => &[
                ("lower_body", "lower_axle"),
                ("upper_body", "upper_axle"),
                ("panhard_body", "panhard_axle"),
            ],
        }
    }

    /// Pairs of points besides [`Self::rods`] that must be apart: ends of an axis.
    pub(super) fn axes(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::DoubleWishbone => &[
                ("lower_front", "lower_rear"),
                ("upper_front", "upper_rear"),
                ("lower_outer", "upper_outer"),
            ],
            Self::Macpherson => &[
                ("lower_front", "lower_rear"),
                ("strut_bottom", "strut_top"),
                ("lower_outer", "strut_top"),
            ],
            Self::FiveLink | Self::LiveAxle => &[],
            Self::TrailingArm | Self::SemiTrailingArm => &[("pivot_inner", "pivot_outer")],
        }
    }

    /// Whether suspensions of this kind can have a rack.
    pub(super) fn steers(self) -> bool {
        matches!(
            self,
            Self::DoubleWishbone | Self::Macpherson | Self::FiveLink
        )
    }

    /// Arms on which a spring may stand: the name, the ends of the axis, and the ball joint.
    pub(super) fn arms(self) -> &'static [(&'static str, [&'static str; 3])] {
        const LOWER: (&str, [&str; 3]) = ("lower", ["lower_front", "lower_rear", "lower_outer"]);
        const UPPER: (&str, [&str; 3]) = ("upper", ["upper_front", "upper_rear", "upper_outer"]);
        match self {
            Self::DoubleWishbone => &[LOWER, UPPER],
            Self::Macpherson => &[LOWER],
            _ => &[],
        }
    }
}
