//! `links` of an axle: where its tire forces reach the body.

use serde::Deserialize;
use vehicle_core::Inspector;
use vehicle_core::params::LinkSlopes;

/// Roll center and shares of the load transfer; 0 by default.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LinksFile {
    /// Height of the roll center over the ground at rest (`m`).
    roll_center: f32,
    /// Change of the roll center's height with the jounce of both wheels (`m/m`): −1 if it keeps its height over the body's
    /// underside.
    roll_center_change: f32,
    /// Whether the axle is a beam, whose roll center does not push the wheels aside as they rise, however high it is.
    beam: bool,
    /// Share of the load transfer that the links of a front axle carry in braking (%).
    anti_dive: f32,
    /// Share of the load transfer that the links of a rear axle carry in braking, or of a front axle under drive (%).
    anti_lift: f32,
    /// Share of the load transfer that the links of a rear axle carry under drive (%).
    anti_squat: f32,
}

/// An axle, for its links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linked {
    /// Half of its track (`m`); 0 for a single wheel.
    pub(super) half_track: f32,
    /// Height of the body's top over the ground (`m`).
    pub(super) top: f32,
    /// Whether the axle is ahead of the center of mass.
    pub(super) ahead: bool,
    /// Height of the center of mass over the ground, over the wheelbase (–).
    pub(super) rise: f32,
    /// The axle's share of the brakes' force (–).
    pub(super) brakes: f32,
}

impl LinksFile {
    /// Slopes of the wheel of an `axle` that is `aside` of the middle, positive to the left (`m`).
    pub(super) fn slopes(&self, axle: &Linked, aside: f32) -> LinkSlopes {
        let side = if aside == 0.0 { 0.0 } else { 1.0 / aside };
        let [(_, braked), (_, driven)] = self.shares(axle);
        let toward = if axle.ahead { 0.01 } else { -0.01 };
        let slope = |share: f32, of: f32| {
            if share == 0.0 {
                0.0
            } else {
                toward * share * axle.rise / of
            }
        };
        LinkSlopes {
            lateral: self.roll_center * side,
            lateral_change: self.roll_center_change * side,
            beam: self.beam,
            braked: slope(braked, axle.brakes),
            driven: slope(driven, 1.0),
        }
    }

    /// Names and values of the shares in braking and under drive.
    fn shares(&self, axle: &Linked) -> [(&'static str, f32); 2] {
        let lift = ("anti_lift", self.anti_lift);
        if axle.ahead {
            [("anti_dive", self.anti_dive), lift]
        } else {
            [lift, ("anti_squat", self.anti_squat)]
        }
    }

    /// Reports links that the axle cannot have.
    pub(super) fn check(&self, axle: &Linked, i: &mut Inspector) {
        i.within("links", |i| {
            self.check_roll_center(axle, i);
            let (name, share, rule) = if axle.ahead {
                ("anti_squat", self.anti_squat, "belongs to an axle behind the center of mass")
            } else {
                ("anti_dive", self.anti_dive, "belongs to an axle ahead of the center of mass")
            };
            i.rule(share == 0.0, name, share, "%", rule);
            let slopes = self.slopes(axle, 0.0);
            let rule = "must not lead forces to the body at more than 45°; in braking, an axle needs brakes";
            let both = self.shares(axle).into_iter();
            for ((name, share), slope) in both.zip([slopes.braked, slopes.driven]) {
                i.rule(slope.abs() <= 1.0, name, share, "%", rule);
            }
        });
    }

    fn check_roll_center(&self, axle: &Linked, i: &mut Inspector) {
        if axle.half_track == 0.0 {
            let rule = "an axle of one wheel has none";
            for (name, value, unit) in [
                ("roll_center", self.roll_center, "m"),
                ("roll_center_change", self.roll_center_change, "m/m"),
            ] {
                i.rule(value == 0.0, name, value, unit, rule);
            }
            return;
        }
        let most = axle.top.min(axle.half_track);
        let rule = format!(
            "must be in the body, and no farther from the ground than half the track: within ±{most} m"
        );
        let holds = self.roll_center.abs() <= most;
        i.rule(holds, "roll_center", self.roll_center, "m", rule);
        i.finite("roll_center_change", self.roll_center_change, "m/m");
    }
}
