use super::*;

const BALL: Coupling = Coupling {
    position: Vec3::ZERO,
    load: 0.0,
    towed_by: None,
    kind: None,
    yaw_limit: None,
    pitch_limit: None,
    roll_limit: None,
    roll_stiffness: None,
    contact: None,
};

/// A hull of 4 m whose middle is this far ahead of the coupling (`m`).
fn hull(ahead: f32) -> Hull {
    Hull {
        size: Vec3::new(4.0, 2.0, 1.0),
        center: Vec3::X * ahead,
    }
}

fn joint(towing: &Coupling, towed: &Coupling) -> CouplingJoint {
    towing.joint(&hull(3.0), (towed, &hull(-3.0)))
}

#[test]
fn without_keys_it_is_a_ball_whose_vehicles_meet() {
    let found = joint(&BALL, &BALL);
    assert_eq!(found.limits, CouplingKind::Ball.limits());
    assert_eq!((found.roll_stiffness, found.contact), (0.0, true));
}

#[test]
fn one_vehicle_suffices_to_say_the_kind() {
    let fifth = Coupling {
        kind: Some(CouplingKind::FifthWheel),
        ..BALL
    };
    for (towing, towed) in [(&BALL, &fifth), (&fifth, &BALL)] {
        let found = joint(towing, towed);
        assert_eq!(found.roll_stiffness, f32::INFINITY);
        assert_eq!(found.limits, CouplingKind::FifthWheel.limits());
    }
}

#[test]
fn of_two_limits_and_stiffnesses_the_smaller_one_counts() {
    let one = Coupling {
        yaw_limit: Some(0.5),
        roll_stiffness: Some(3e5),
        ..BALL
    };
    let other = Coupling {
        yaw_limit: Some(0.4),
        pitch_limit: Some(0.1),
        roll_stiffness: Some(2e5),
        ..BALL
    };
    let found = joint(&one, &other);
    assert_eq!(found.limits.truncate().to_array(), [0.4, 0.1]);
    assert_eq!(found.limits.z, CouplingKind::Ball.limits().z);
    assert_eq!(found.roll_stiffness, 2e5);
}

/// The trailer's hull ends 1.5 m behind the towing vehicle's, or reaches 0.5 m into it.
#[test]
fn hulls_that_overlap_in_line_do_not_meet_unless_a_file_says_so() {
    let contact = |says: [Option<bool>; 2], behind: f32| {
        let [towing, towed] = says.map(|contact| Coupling { contact, ..BALL });
        towing.joint(&hull(2.0), (&towed, &hull(-behind))).contact
    };
    assert!(contact([None; 2], 3.5));
    assert!(!contact([None; 2], 1.5));
    assert!(contact([Some(true), None], 1.5));
    assert!(!contact([Some(true), Some(false)], 3.5));
}
