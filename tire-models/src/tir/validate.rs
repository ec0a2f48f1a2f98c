//! Plausibility rules for coefficients, as kept by anyone who fits a Magic Formula.

use core::fmt;

use crate::magic_formula::{Coefficients, Version, settings};
use crate::real::Real;

/// A rule that coefficients break.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenRule {
    /// The keys involved.
    pub keys: &'static str,
    /// The fault in words, with the offending value.
    pub text: String,
}

impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.keys, self.text)
    }
}

/// Every broken rule, each once, with the worst value within the coefficients' own ranges of load
/// and camber. An empty result does not mean that the tire is a good one.
///
/// The rules: numbers are finite; ranges have an extent, do not forbid slip of one sign (otherwise the
/// default range holds, unless [`Settings::every_range`](crate::magic_formula::Settings)), and include
/// the nominal load and the tire's own pressure; sizes are positive; cornering stiffness is negative
/// (ISO); friction, trail slope and the slopes of combined slip are positive; shape factors
/// lie between 0 and 2; friction is at most 3, and a wheel rolls freely at a slip of at most 0.05; curvatures are at most 1 (the formulas cut them off there, so that the tire is
/// not the one that was fitted); no curve of combined slip is divided by zero or less.
#[must_use]
pub fn validate(version: Version, coefficients: &Coefficients) -> Vec<BrokenRule> {
    let not_finite = coefficients.iter().filter(|(_, value)| !value.is_finite());
    let mut findings: Vec<_> = not_finite
        .map(|(key, value)| finding(key.name, &format!("{value} is not finite")))
        .collect();
    if findings.is_empty() {
        ranges(version, coefficients, &mut findings);
        signs(version, coefficients, &mut findings);
        sizes(coefficients, &mut findings);
        over_the_range(version, coefficients, &mut findings);
    }
    findings
}

fn finding(keys: &'static str, text: &str) -> BrokenRule {
    let text = text.to_owned();
    BrokenRule { keys, text }
}

/// Checks that minima are below maxima.
fn ranges(version: Version, c: &Coefficients, findings: &mut Vec<BrokenRule>) {
    let ranges = [
        ("FZMIN, FZMAX", c.FZMIN, c.FZMAX),
        ("PRESMIN, PRESMAX", c.PRESMIN, c.PRESMAX),
        ("KPUMIN, KPUMAX", c.KPUMIN, c.KPUMAX),
        ("ALPMIN, ALPMAX", c.ALPMIN, c.ALPMAX),
        ("CAMMIN, CAMMAX", c.CAMMIN, c.CAMMAX),
    ];
    for (keys, low, high) in ranges {
        if low >= high {
            findings.push(finding(keys, &format!("{low} is not below {high}")));
        }
    }
    one_sided(version, c, findings);
    let mut outside = |keys: &'static str, (low, x, high): (f64, f64, f64), text: &str| {
        if low < high && !(low..=high).contains(&x) {
            findings.push(finding(
                keys,
                &format!("{x} is not within {low} to {high}; {text}"),
            ));
        }
    };
    let load = (c.FZMIN, c.FNOMIN, c.FZMAX);
    outside(
        "FNOMIN, FZMIN, FZMAX",
        load,
        "the nominal load itself is out of range",
    );
    if version.has_pressure() {
        let pressure = (c.PRESMIN, c.INFLPRES, c.PRESMAX);
        let text = "the tire's own pressure is capped";
        outside("INFLPRES, PRESMIN, PRESMAX", pressure, text);
    }
    if c.FZMIN < 0.0 {
        findings.push(finding("FZMIN", &format!("{} is below 0", c.FZMIN)));
    }
}

/// Checks for ranges that leave out one sign of slip or camber.
fn one_sided(version: Version, c: &Coefficients, findings: &mut Vec<BrokenRule>) {
    let template = Coefficients::template_of(version);
    for [low, high] in settings::forbidding(c) {
        let value = |c: &Coefficients, key: &str| c.get(key).expect("a key of the table");
        let brakes = value(c, low) <= -settings::SLIGHT;
        let drives = value(c, high) >= settings::SLIGHT;
        let (keys, what) = match (low, brakes, drives) {
            ("KPUMIN", false, false) => ("KPUMIN, KPUMAX", "brake and drive slip"),
            ("KPUMIN", false, true) => ("KPUMIN, KPUMAX", "brake slip"),
            ("KPUMIN", true, _) => ("KPUMIN, KPUMAX", "drive slip"),
            (_, false, false) => ("ALPMIN, ALPMAX", "slip to both sides"),
            _ => ("ALPMIN, ALPMAX", "slip to one side"),
        };
        let [given, taken] = [c, &template].map(|c| [value(c, low), value(c, high)]);
        let text = format!(
            "{} to {} forbids {what}; not obeyed, {} to {} is taken, unless settings say \
             every_range = true",
            given[0], given[1], taken[0], taken[1]
        );
        findings.push(finding(keys, &text));
    }
    if c.CAMMIN < c.CAMMAX && !(c.CAMMIN < 0.0 && c.CAMMAX > 0.0) {
        let text = format!(
            "{} to {} rad leaves out camber to one side, which is capped",
            c.CAMMIN, c.CAMMAX
        );
        findings.push(finding("CAMMIN, CAMMAX", &text));
    }
}

/// Checks quantities whose sign does not depend on load and camber.
fn signs(version: Version, c: &Coefficients, findings: &mut Vec<BrokenRule>) {
    let positive = [
        ("UNLOADED_RADIUS", c.UNLOADED_RADIUS),
        ("WIDTH", c.WIDTH),
        ("LONGVL", c.LONGVL),
        ("NOMPRES", c.NOMPRES),
        ("FNOMIN·LFZO", c.FNOMIN * c.LFZO),
        ("VERTICAL_STIFFNESS", c.VERTICAL_STIFFNESS),
        ("LONGITUDINAL_STIFFNESS", c.LONGITUDINAL_STIFFNESS),
        ("LATERAL_STIFFNESS", c.LATERAL_STIFFNESS),
        ("PKX1·LKX", c.PKX1 * c.LKX),
        ("PKY2", c.PKY2),
        ("RBX1·LXAL", c.RBX1 * c.LXAL),
        ("RBY1·LYKA", c.RBY1 * c.LYKA),
        ("RCX1", c.RCX1),
        ("RCY1", c.RCY1),
    ];
    let leans = version == Version::Motorcycle;
    let of_motorcycles = [("PKY3", c.PKY3), ("-PKY6·LKYC", -c.PKY6 * c.LKYC)];
    let of_motorcycles = of_motorcycles.into_iter().filter(|_| leans);
    for (keys, value) in positive.into_iter().chain(of_motorcycles) {
        if value <= 0.0 {
            findings.push(finding(keys, &format!("{value} is not above 0")));
        }
    }
    if c.PKY1 * c.LKY >= 0.0 {
        let text = format!(
            "{} is not below 0; are the signs those of ISO?",
            c.PKY1 * c.LKY
        );
        findings.push(finding("PKY1·LKY", &text));
    }
    let shapes = [
        ("PCX1·LCX", c.PCX1 * c.LCX),
        ("PCY1·LCY", c.PCY1 * c.LCY),
        ("QCZ1", c.QCZ1),
    ];
    let (across, leaning) = (c.PCY1 * c.LCY, c.PCY2 * c.LCC);
    // Beyond 2, slip and camber of one sign push to the other side.
    let of_motorcycles = [
        ("PCY2·LCC", leaning),
        ("PCY1·LCY + PCY2·LCC", across + leaning),
    ];
    let of_motorcycles = of_motorcycles.into_iter().filter(|_| leans);
    for (keys, shape) in shapes.into_iter().chain(of_motorcycles) {
        if !(shape > 0.0 && shape < 2.0) {
            findings.push(finding(keys, &format!("{shape} is not between 0 and 2")));
        }
    }
}

/// Checks for friction and for a slip of free rolling that no tire has: such a car reaches any speed.
fn sizes(c: &Coefficients, findings: &mut Vec<BrokenRule>) {
    /// Tires of drag racing (–).
    const GRIP: f64 = 3.0;
    /// Slip ratio (–).
    const FREE: f64 = 0.05;
    let most = [
        (
            "PDX1·LMUX",
            c.PDX1 * c.LMUX,
            GRIP,
            "a friction that no tire has",
        ),
        (
            "PDY1·LMUY",
            c.PDY1 * c.LMUY,
            GRIP,
            "a friction that no tire has",
        ),
        (
            "PHX1·LHX",
            (c.PHX1 * c.LHX).abs(),
            FREE,
            "a slip at which no tire rolls freely",
        ),
    ];
    for (keys, value, most, what) in most {
        if value > most {
            findings.push(finding(keys, &format!("{value} is above {most}, {what}")));
        }
    }
}

/// A state of the tire within its ranges.
#[derive(Clone, Copy)]
struct OperatingPoint<T> {
    /// Load (`N`).
    fz: T,
    /// Relative change of load (–).
    dfz: T,
    /// Inclination (`rad`).
    gamma: T,
    /// Sign of slip.
    sign: T,
}

/// A quantity with an upper or lower bound.
struct BoundedQuantity<T> {
    keys: &'static str,
    what: &'static str,
    value: fn(&Coefficients<T>, OperatingPoint<T>) -> T,
    bound: Bound,
}

enum Bound {
    AboveZero,
    AtMostOne,
}

impl Bound {
    /// Excess of a value over the bound; negative if the value satisfies it.
    fn excess<T: Real>(&self, value: T) -> T {
        match self {
            Self::AboveZero => -value,
            Self::AtMostOne => value - T::one(),
        }
    }

    /// Whether a value with this excess violates the bound.
    fn is_broken(&self, excess: f64) -> bool {
        match self {
            Self::AboveZero => excess >= 0.0,
            Self::AtMostOne => excess > 0.0,
        }
    }

    const fn words(&self) -> &'static str {
        match self {
            Self::AboveZero => "not above 0",
            Self::AtMostOne => "above 1 (capped at 1)",
        }
    }
}

/// The rules of a version, in any number type.
fn rules<T: Real>(version: Version) -> Vec<BoundedQuantity<T>> {
    let across = match version {
        Version::Motorcycle => of_motorcycles(),
        Version::V52 | Version::V61 | Version::V62 => of_cars(),
    };
    across.into_iter().chain(common()).collect()
}

/// Friction and curvature across.
fn of_cars<T: Real>() -> [BoundedQuantity<T>; 2] {
    [
        BoundedQuantity {
            keys: "PDY1, PDY2, PDY3",
            what: "friction across",
            value: |c, s| {
                (c.PDY1 + c.PDY2 * s.dfz) * (T::one() - c.PDY3 * s.gamma * s.gamma) * c.LMUY
            },
            bound: Bound::AboveZero,
        },
        BoundedQuantity {
            keys: "PEY1, PEY2, PEY3, PEY4, PEY5",
            what: "curvature across",
            value: |c, s| {
                let signed = (c.PEY3 + c.PEY4 * s.gamma) * s.sign;
                (c.PEY1 + c.PEY2 * s.dfz) * (T::one() + c.PEY5 * s.gamma * s.gamma - signed) * c.LEY
            },
            bound: Bound::AtMostOne,
        },
    ]
}

/// Friction, stiffness and curvatures across.
fn of_motorcycles<T: Real>() -> [BoundedQuantity<T>; 2] {
    [
        BoundedQuantity {
            keys: "PDY1, PDY3",
            what: "friction across",
            value: |c, s| c.PDY1 * (T::one() - c.PDY3 * s.gamma * s.gamma) * c.LMUY,
            bound: Bound::AboveZero,
        },
        BoundedQuantity {
            keys: "PEY1, PEY2, PEY3, PEY4, PEY5",
            what: "curvature across",
            value: |c, s| {
                let signed = (c.PEY3 + c.PEY4 * s.gamma) * s.sign;
                let slip = (c.PEY1 + c.PEY2 * s.gamma * s.gamma + signed) * c.LEY;
                slip.max(c.PEY5 * c.LEC)
            },
            bound: Bound::AtMostOne,
        },
    ]
}

/// Quantities that are bounded in every version.
fn common<T: Real>() -> [BoundedQuantity<T>; 8] {
    [
        BoundedQuantity {
            keys: "PDX1, PDX2, PDX3",
            what: "friction along",
            value: |c, s| {
                (c.PDX1 + c.PDX2 * s.dfz) * (T::one() - c.PDX3 * s.gamma * s.gamma) * c.LMUX
            },
            bound: Bound::AboveZero,
        },
        BoundedQuantity {
            keys: "PEX1, PEX2, PEX3, PEX4",
            what: "curvature along",
            value: |c, s| {
                (c.PEX1 + c.PEX2 * s.dfz + c.PEX3 * s.dfz * s.dfz)
                    * (T::one() - c.PEX4 * s.sign)
                    * c.LEX
            },
            bound: Bound::AtMostOne,
        },
        BoundedQuantity {
            keys: "QBZ1, QBZ2, QBZ3, QBZ4, QBZ5",
            what: "slope of the trail",
            value: |c, s| {
                let camber = T::one() + c.QBZ4 * s.gamma + c.QBZ5 * s.gamma.abs();
                (c.QBZ1 + c.QBZ2 * s.dfz + c.QBZ3 * s.dfz * s.dfz) * camber
            },
            bound: Bound::AboveZero,
        },
        BoundedQuantity {
            keys: "QEZ1, QEZ2, QEZ3, QEZ4, QEZ5",
            what: "curvature of the trail",
            value: |c, s| {
                let signed = T::one() + (c.QEZ4 + c.QEZ5 * s.gamma) * s.sign;
                (c.QEZ1 + c.QEZ2 * s.dfz + c.QEZ3 * s.dfz * s.dfz) * signed
            },
            bound: Bound::AtMostOne,
        },
        BoundedQuantity {
            keys: "REX1, REX2",
            what: "curvature of combined slip along",
            value: |c, s| c.REX1 + c.REX2 * s.dfz,
            bound: Bound::AtMostOne,
        },
        BoundedQuantity {
            keys: "REY1, REY2",
            what: "curvature of combined slip across",
            value: |c, s| c.REY1 + c.REY2 * s.dfz,
            bound: Bound::AtMostOne,
        },
        BoundedQuantity {
            keys: "RHX1, RBX1, RBX3, RCX1",
            what: "combined slip along, by which it is divided,",
            value: |c, s| {
                let slope = (c.RBX1 + c.RBX3 * s.gamma * s.gamma) * c.LXAL;
                weight(c.RHX1, slope, c.RCX1, c.REX1 + c.REX2 * s.dfz)
            },
            bound: Bound::AboveZero,
        },
        BoundedQuantity {
            keys: "RHY1, RHY2, RBY1, RBY4, RCY1",
            what: "combined slip across, by which it is divided,",
            value: |c, s| {
                let slope = (c.RBY1 + c.RBY4 * s.gamma * s.gamma) * c.LYKA;
                let shift = c.RHY1 + c.RHY2 * s.dfz;
                weight(shift, slope, c.RCY1, c.REY1 + c.REY2 * s.dfz)
            },
            bound: Bound::AboveZero,
        },
    ]
}

/// The cosine form of the Magic Formula at the steepest slope.
fn weight<T: Real>(x: T, slope: T, shape: T, curvature: T) -> T {
    let bx = slope * x;
    let curved = bx - curvature.min(T::one()) * (bx - bx.atan());
    (shape * curved.atan()).cos()
}

/// Worst excess of coefficients over each rule that holds over a range of loads and cambers; negative if a rule is met. The
/// range is that of `ranges`, whose version decides how camber is scaled. It serves fits, whose coefficients have any number
/// type and must stay within the rules.
#[must_use]
pub fn excesses<T: Real>(
    version: Version,
    ranges: &Coefficients,
    coefficients: &Coefficients<T>,
) -> Vec<T> {
    let states = states(version, ranges);
    let rules = rules::<T>(version);
    let worst = rules.iter().map(|rule| worst(rule, &states, coefficients));
    worst.collect()
}

/// Worst excess of coefficients over a rule.
fn worst<T: Real>(
    rule: &BoundedQuantity<T>,
    states: &[OperatingPoint<f64>],
    coefficients: &Coefficients<T>,
) -> T {
    let mut worst = T::of(f64::MIN);
    for s in states {
        let state = OperatingPoint {
            fz: T::of(s.fz),
            dfz: T::of(s.dfz),
            gamma: T::of(s.gamma),
            sign: T::of(s.sign),
        };
        let value = (rule.value)(coefficients, state);
        worst = worst.max(rule.bound.excess(value));
    }
    worst
}

/// Checks the rules that hold for every load and camber in range.
fn over_the_range(version: Version, c: &Coefficients, findings: &mut Vec<BrokenRule>) {
    let states = states(version, c);
    for rule in rules::<f64>(version) {
        let broken = states.iter().filter_map(|&s| {
            let value = (rule.value)(c, s);
            let excess = rule.bound.excess(value);
            rule.bound.is_broken(excess).then_some((excess, value, s))
        });
        if let Some((_, value, s)) = broken.max_by(|a, b| a.0.total_cmp(&b.0)) {
            let text = format!(
                "{} is {value:.4}, {}, at {:.0} N and {:.4} rad of camber",
                rule.what,
                rule.bound.words(),
                s.fz,
                s.gamma
            );
            findings.push(finding(rule.keys, &text));
        }
    }
}

/// Loads over the whole range, with cambers and signs of slip.
fn states(version: Version, c: &Coefficients) -> Vec<OperatingPoint<f64>> {
    const LOADS: u32 = 32;
    let nominal = c.FNOMIN * c.LFZO;
    // Only 5.2 has a scale of camber.
    let scale = match version {
        Version::V52 => c.LGAY,
        _ => 1.0,
    };
    let mut states = Vec::new();
    for i in 0..=LOADS {
        let fz = c.FZMIN + (c.FZMAX - c.FZMIN) * f64::from(i) / f64::from(LOADS);
        for gamma in [0.0, c.CAMMIN * scale, c.CAMMAX * scale] {
            for sign in [-1.0, 1.0] {
                let dfz = (fz - nominal) / nominal;
                states.push(OperatingPoint {
                    fz,
                    dfz,
                    gamma,
                    sign,
                });
            }
        }
    }
    states
}
