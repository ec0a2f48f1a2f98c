use jounce::document::{ModelSpec, Models, Registries};
use rstest::rstest;

use super::*;

fn start<P: SmallLaw>() -> P {
    toml::from_str(P::START).unwrap()
}

/// Requirements on any small law.
fn keeps_the_contract<P: SmallLaw>()
where
    P::Of<f64>: Into<P>,
{
    its_start_is_a_valid_tire::<P>();
    each_value_is_of_its_own_parameter::<P>();
    held_parameters_do_not_change::<P>();
    bad_values_are_refused::<P>();
}

#[rstest]
#[case::dugoff(keeps_the_contract::<DugoffParams<f64>>)]
#[case::fiala(keeps_the_contract::<FialaParams<f64>>)]
#[case::brush(keeps_the_contract::<BrushParams<f64>>)]
#[case::tmsimple(keeps_the_contract::<TmSimpleParams<f64>>)]
#[case::tmeasy(keeps_the_contract::<TmEasyParams<f64>>)]
#[case::bakker87(keeps_the_contract::<Bakker87Params<f64>>)]
#[case::pacejka89(keeps_the_contract::<Pacejka89Params<f64>>)]
#[case::pacejka94(keeps_the_contract::<Pacejka94Params<f64>>)]
fn a_small_law_equals_its_parameters(#[case] keeps: fn()) {
    keeps();
}

fn starts(family: &impl LawFamily) -> Vec<f64> {
    family.parameters().iter().map(|p| p.start).collect()
}

fn its_start_is_a_valid_tire<P: SmallLaw>() {
    let text = format!("model = '{}'\n{}", P::MODEL, P::START);
    let spec = ModelSpec(text.parse().unwrap());
    assert!(Registries::with_builtins().tire(&spec).is_ok(), "{text}");
    let family = Small::new(start::<P>());
    let values = starts(&family);
    assert_eq!(family.check(&values), Ok(()));
    assert!(family.excesses(&values).iter().all(|excess| *excess < 0.0));
}

/// All parameters of a law at these values, and its friction.
fn listed<P: SmallLaw>(family: &Small<P>, values: &[f64]) -> (Vec<(String, f64)>, f64)
where
    P::Of<f64>: Into<P>,
{
    let (_, friction) = family.law(values);
    let params: P = family.params(values).into();
    (params.listed(), friction)
}

fn each_value_is_of_its_own_parameter<P: SmallLaw>()
where
    P::Of<f64>: Into<P>,
{
    let family = Small::with_friction(start::<P>(), 0.7);
    let (parameters, values) = (family.parameters(), starts(&family));
    let (all, friction) = listed(&family, &values);
    assert_eq!((&all, friction), (&start::<P>().listed(), 0.7));
    for (n, parameter) in parameters.iter().enumerate() {
        let mut changed = values.clone();
        changed[n] = 1.5 * parameter.start + 0.25;
        let expected = all.iter().map(|(name, own)| {
            let changes = *name == parameter.name;
            (name.clone(), if changes { changed[n] } else { *own })
        });
        let own = if parameter.name == FRICTION {
            changed[n]
        } else {
            0.7
        };
        assert_eq!(listed(&family, &changed), (expected.collect(), own));
    }
    let fitted = |name: &str| parameters.iter().any(|p| p.name == name);
    assert_eq!(fitted(FRICTION), P::NEEDS_FRICTION);
    let left = all.iter().filter(|(name, _)| !fitted(name));
    assert!(
        left.clone()
            .all(|(name, _)| REFERENCES.contains(&name.as_str()))
    );
    assert!(!REFERENCES.iter().any(|name| fitted(name)));
}

fn held_parameters_do_not_change<P: SmallLaw>() {
    let family = Small::new(start::<P>());
    let names: Vec<String> = family.parameters().into_iter().map(|p| p.name).collect();
    let family = family.holding(&names[1..]);
    let left: Vec<String> = family.parameters().into_iter().map(|p| p.name).collect();
    assert_eq!(left, names[..1]);
    let held = family.holding(&names);
    assert_eq!(held.parameters(), []);
    let at = Measurement {
        slip_angle: 0.02,
        ..Measurement::new(3000.0)
    };
    assert_eq!(held.forces(&at), Small::new(start::<P>()).forces(&at));
}

fn bad_values_are_refused<P: SmallLaw>() {
    let family = Small::new(start::<P>());
    for (n, parameter) in family.parameters().iter().enumerate() {
        let mut values = starts(&family);
        values[n] = f64::NAN;
        // The surface's friction is not part of the law.
        let refused = parameter.name != FRICTION;
        assert_eq!(
            family.check(&values).is_err(),
            refused,
            "{}",
            parameter.name
        );
    }
}

#[rstest]
#[case("brush", "load_sensitivity", Range::Within(0.0, 1.0))]
#[case("brush", "kinetic_friction", Range::Within(0.0, 1.0))]
#[case("brush", "half_length", Range::SameSign)]
#[case("dugoff", "friction", Range::SameSign)]
#[case("bakker-87", "longitudinal[0]", Range::Free)]
#[case("pacejka-89", "lateral[0]", Range::Free)]
#[case("pacejka-94", "aligning[0]", Range::Free)]
fn sizes_keep_their_sign_and_coefficients_need_not(
    #[case] model: &str,
    #[case] name: &str,
    #[case] expected: Range,
) {
    assert_eq!(range(model, name), expected);
}

/// Whether a tire violates its ordering rules at any load from none to 3.5 times the nominal one.
fn is_out_of_order(law: &TmEasyParams<f64>) -> bool {
    let at = |[one, two]: [f64; 2], load: f64| one + (two - one) * (load - 1.0);
    let slips = [
        (law.peak_slip_x, law.sliding_slip_x),
        (law.peak_slip_y, law.sliding_slip_y),
        (law.trail_zero_slip, law.trail_end_slip),
    ];
    let slips = slips.into_iter().any(|(low, high)| {
        let mut loads = (0..=7).map(|n| 0.5 * f64::from(n));
        loads.any(|load| at(low, load) > at(high, load) || at(low, load) < 0.0)
    });
    let forces = [(law.peak_x, law.sliding_x), (law.peak_y, law.sliding_y)];
    let forces = forces.iter();
    let mut forces = forces.flat_map(|(peak, sliding)| [0, 1].map(|n| sliding[n] > peak[n]));
    slips || forces.any(|more| more)
}

#[test]
fn tmeasys_rules_are_the_order_of_its_slips_and_forces_at_every_load() {
    let truth: TmEasyParams<f64> = start();
    let names: Vec<String> = truth.listed().into_iter().map(|(name, _)| name).collect();
    let mut counts = [0, 0];
    for (n, name) in names.iter().enumerate() {
        for factor in [0.02, 0.5, 0.7, 0.9, 1.2, 1.4, 2.0, 8.0] {
            let listed = truth.listed().into_iter().enumerate();
            let values = listed.map(|(m, (_, x))| if m == n { x * factor } else { x });
            let law = truth.with(&values.collect::<Vec<f64>>());
            let broken = tmeasy_disorder(&law).iter().any(|excess| *excess > 0.0);
            assert_eq!(broken, is_out_of_order(&law), "{name} times {factor}");
            counts[usize::from(broken)] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}
