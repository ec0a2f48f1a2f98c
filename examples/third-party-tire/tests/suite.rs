//! The law passes the suite of the built-in laws.

use jounce::core::Checked;
use jounce::tires::TireParams;
use std::sync::Arc;
use third_party_tire::{Hyperbolic, HyperbolicParams};
use vehicle_conformance::tires::{Declared, check};

fn tire() -> Hyperbolic {
    let params = HyperbolicParams {
        slip_stiffness: 18.0,
        cornering_stiffness: 13.0,
        trail: 0.02,
        cold_grip: 0.8,
        warm_up_energy: 200.0,
        cooling_time: 60.0,
    };
    TireParams::build(Checked::new(params).expect("they are sound"))
}

#[test]
fn the_law_keeps_every_sentence() {
    // Inside the circle, without offsets. Cases go up to twice the load: twice the stiffness.
    let declared = Declared {
        slip_stiffness: 36.0,
        ..Declared::within_the_circle(0.127, 420.0)
    };
    assert_eq!(
        check(&(Arc::new(tire()) as _), &declared),
        Vec::<String>::new()
    );
}

#[test]
fn a_declaration_that_is_not_true_is_told() {
    let declared = Declared {
        grip: 0.9,
        slip_stiffness: 36.0,
        ..Declared::within_the_circle(0.127, 420.0)
    };
    let complaints = check(&(Arc::new(tire()) as _), &declared);
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].starts_with("force stays within the declared grip: "));
}
