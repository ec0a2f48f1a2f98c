//! Outlines of cars: shares of their hulls.

use glam::Vec4;
use jounce::file::Car;

use super::Plan;
use super::paint::{BLUE, GREEN, ORANGE, RED, SILVER, WHITE, YELLOW};

/// Lines of a car's body. Lengths are shares of the hull's from its rear, heights are shares of the hull's from its floor.
#[derive(Debug, PartialEq)]
pub(super) struct Outline {
    pub(super) paint: Vec4,
    /// Height of trunk, belt and hood: length and height of each knee, from rear to front.
    pub(super) deck: &'static [[f32; 2]],
    /// Ends of the cabin: foot of the rear window, rear and front of the roof, foot of the windshield.
    pub(super) cabin: Option<[f32; 4]>,
    /// Half width at the rear and at the front, as shares of the greatest.
    pub(super) ends: [f32; 2],
    /// Height of the floor at the rear and at the front: what is below it shows the wheels.
    pub(super) rise: [f32; 2],
    /// What stands on it.
    pub(super) extra: Extra,
}

/// What stands on a car's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extra {
    /// Nothing.
    Plain,
    /// A wing behind the roof, and a scoop on it.
    Wing,
    /// A lip on the trunk.
    Lip,
    /// Rails on the roof.
    Rails,
    /// Walls of a bed behind the cabin.
    Bed,
    /// An open cockpit.
    Cockpit,
}

pub(super) const SEDAN: Outline = Outline {
    paint: RED,
    deck: &[
        [0.0, 0.52],
        [0.025, 0.62],
        [0.12, 0.64],
        [0.7, 0.61],
        [0.86, 0.55],
        [0.96, 0.45],
        [1.0, 0.32],
    ],
    cabin: Some([0.09, 0.27, 0.54, 0.73]),
    ends: [0.84, 0.72],
    rise: [0.25, 0.10],
    extra: Extra::Plain,
};

pub(super) const HATCHBACK: Outline = Outline {
    paint: BLUE,
    deck: &[
        [0.0, 0.55],
        [0.02, 0.63],
        [0.72, 0.60],
        [0.88, 0.53],
        [0.97, 0.42],
        [1.0, 0.30],
    ],
    cabin: Some([0.015, 0.11, 0.56, 0.76]),
    ends: [0.86, 0.74],
    rise: [0.24, 0.08],
    extra: Extra::Plain,
};

pub(super) const WAGON: Outline = Outline {
    paint: GREEN,
    deck: &[
        [0.0, 0.56],
        [0.02, 0.62],
        [0.74, 0.60],
        [0.92, 0.56],
        [0.985, 0.46],
        [1.0, 0.34],
    ],
    cabin: Some([0.01, 0.07, 0.57, 0.73]),
    ends: [0.90, 0.82],
    rise: [0.16, 0.06],
    extra: Extra::Rails,
};

pub(super) const COUPE: Outline = Outline {
    paint: ORANGE,
    deck: &[
        [0.0, 0.58],
        [0.03, 0.68],
        [0.16, 0.66],
        [0.6, 0.60],
        [0.78, 0.55],
        [0.93, 0.40],
        [1.0, 0.24],
    ],
    cabin: Some([0.12, 0.36, 0.52, 0.71]),
    ends: [0.88, 0.68],
    rise: [0.28, 0.05],
    extra: Extra::Lip,
};

pub(super) const RALLY: Outline = Outline {
    paint: WHITE,
    deck: &[
        [0.0, 0.54],
        [0.02, 0.62],
        [0.72, 0.60],
        [0.88, 0.53],
        [0.97, 0.42],
        [1.0, 0.28],
    ],
    cabin: Some([0.04, 0.15, 0.55, 0.74]),
    ends: [0.86, 0.74],
    rise: [0.24, 0.08],
    extra: Extra::Wing,
};

pub(super) const PICKUP: Outline = Outline {
    paint: SILVER,
    deck: &[
        [0.0, 0.34],
        [0.38, 0.34],
        [0.385, 0.60],
        [0.74, 0.60],
        [0.92, 0.57],
        [0.985, 0.48],
        [1.0, 0.34],
    ],
    cabin: Some([0.39, 0.41, 0.61, 0.74]),
    ends: [0.96, 0.82],
    rise: [0.10, 0.04],
    extra: Extra::Bed,
};

pub(super) const TADPOLE: Outline = Outline {
    paint: YELLOW,
    deck: &[
        [0.0, 0.62],
        [0.12, 0.78],
        [0.38, 0.74],
        [0.62, 0.72],
        [0.85, 0.60],
        [0.96, 0.44],
        [1.0, 0.30],
    ],
    cabin: None,
    ends: [0.28, 0.50],
    rise: [0.46, 0.10],
    extra: Extra::Cockpit,
};

pub(super) const DELTA: Outline = Outline {
    paint: BLUE,
    deck: &[
        [0.0, 0.56],
        [0.02, 0.62],
        [0.68, 0.60],
        [0.86, 0.54],
        [0.96, 0.44],
        [1.0, 0.30],
    ],
    cabin: Some([0.02, 0.12, 0.55, 0.72]),
    ends: [0.88, 0.46],
    rise: [0.22, 0.10],
    extra: Extra::Plain,
};

/// Outlines by a word of the description.
const WORDS: [(&str, &Outline); 5] = [
    ("hatchback", &HATCHBACK),
    ("city car", &HATCHBACK),
    ("pickup", &PICKUP),
    ("rally", &RALLY),
    ("two-seater", &COUPE),
];

impl Outline {
    /// The outline of a car: by its third wheel, a word of its description, or its proportions.
    pub(super) fn of(car: &Car, plan: &Plan) -> &'static Self {
        let alone = plan.wheels.iter().find(|w| w.center.y.abs() < 0.01);
        if let Some(wheel) = alone.filter(|_| plan.wheels.len() == 3) {
            let ahead = wheel.center.x > plan.x(0.5);
            return if ahead { &DELTA } else { &TADPOLE };
        }
        let known = WORDS
            .iter()
            .find(|(word, _)| car.description.contains(word));
        known.map_or_else(|| Self::fitting(plan), |(_, outline)| outline)
    }

    /// The outline of a car of these proportions.
    fn fitting(plan: &Plan) -> &'static Self {
        match (plan.height(), plan.length()) {
            (high, _) if high > 1.2 => &WAGON,
            (high, _) if high < 0.9 => &COUPE,
            (_, long) if long < 4.3 => &HATCHBACK,
            _ => &SEDAN,
        }
    }

    /// Height of the deck at a share of the length.
    pub(super) fn deck(&self, at: f32) -> f32 {
        let knees = self.deck.windows(2);
        let knee = knees.into_iter().find(|knee| at <= knee[1][0]);
        let last = self.deck[self.deck.len() - 1][1];
        knee.map_or(last, |knee| {
            let [[from, low], [to, high]] = [knee[0], knee[1]];
            low + (high - low) * ((at - from) / (to - from)).clamp(0.0, 1.0)
        })
    }
}
