//! Inputs of a tire law, and its outputs by hand.

use super::*;
use crate::tire::plot::tests::{PLAIN, RELAXING, linear, tire};

const AT: State = State {
    load: 3000.0,
    ratio: 0.02,
    angle: 0.03,
    camber: 0.01,
    friction: 0.9,
};

fn close(found: f64, wanted: f64) {
    assert!((found / wanted - 1.0).abs() < 1e-4, "{found} for {wanted}");
}

/// Speeds are those of a wheel that slips so at 60 km/h.
#[test]
fn a_law_is_told_how_the_wheel_moves() {
    let input = linear(4000.0).input(&AT);
    for (found, wanted) in [
        (input.slip_ratio, 0.02),
        (input.tan_slip_angle, 0.030_009),
        (input.forward_speed, 16.666_67),
        (input.lateral_speed, 16.666_67 * 0.030_009),
        (input.rim_speed, 17.0),
        (input.radius, 0.3),
        (input.load, 3000.0),
        (input.rest_load, 4000.0),
        (input.camber, 0.01),
        (input.friction, 0.9),
        (input.gravity, 9.81),
    ] {
        close(f64::from(found), wanted);
    }
}

/// A wheel's friction against slip is a factor on that of the surface.
#[test]
fn friction_falls_where_a_wheel_says_so() {
    let with = |curve: [[f32; 2]; 3]| Subject {
        wheel: Wheel {
            friction: curve,
            ..linear(4000.0).wheel
        },
        ..linear(4000.0)
    };
    let falling = with([[0.0, 1.0], [0.1, 0.8], [1.0, 0.5]]);
    let at = |ratio: f64| State { ratio, ..AT };
    for (ratio, share) in [(0.1, 0.8), (-0.1, 0.8), (1.0, 0.5), (-1.0, 0.5)] {
        close(f64::from(falling.input(&at(ratio)).friction), 0.9 * share);
    }
    for n in 0..3 {
        let mut curve = [[0.0, 1.0], [0.1, 1.0], [1.0, 1.0]];
        assert!(with(curve).friction_curve().is_none());
        curve[n][1] = 0.7;
        assert_eq!(with(curve).friction_curve(), Some(curve));
    }
}

#[test]
fn a_law_that_tells_nothing_is_measured() {
    let state = State {
        load: 3000.0,
        friction: 0.9,
        ..State::default()
    };
    let measured = linear(4000.0);
    let [along, across] = measured.stiffness(&state);
    close(along, 20.0 * 3000.0);
    close(across, 15.0 * 3000.0);
    close(measured.trail(&state).unwrap(), 0.03);
    assert!(measured.has_moments());
    let unloaded = State { load: 0.0, ..state };
    assert_eq!(measured.trail(&unloaded), None, "0 / 0");
    assert_eq!(measured.properties(&state).relaxation_length, [0.0; 2]);
    let plain = tire("plain", PLAIN, 4000.0);
    assert_eq!((plain.trail(&state), plain.has_moments()), (None, false));
    let relaxing = tire("slow", RELAXING, 4000.0);
    assert_eq!(relaxing.properties(&state).relaxation_length, [0.25, 0.45]);
    close(measured.speed(), 60.0 / 3.6);
}

#[test]
fn a_law_without_a_file_is_known_everywhere() {
    let measured = linear(4000.0);
    assert_eq!(
        (measured.own_load(), measured.nominal_load()),
        (None, 4000.0)
    );
    assert_eq!((measured.loads(), measured.pressure()), (None, None));
    assert_eq!(measured.law(), "linear");
    assert!(measured.coefficients().is_none());
    assert!(measured.covers_its_pressure() && measured.inflated(2e5).is_none());
    for angle in [-1.0, 0.0, 1.0] {
        assert!(measured.covers(&State {
            load: 1e5,
            angle,
            ..AT
        }));
    }
}

/// A law that tells its stiffness is not measured.
#[test]
fn a_law_is_believed() {
    let brush = "model = 'brush'\ntread_stiffness_x = 2e7\ntread_stiffness_y = 1.5e7\n\
                 half_length = 0.06\nnominal_load = 3500.0\nload_sensitivity = 0.0\n\
                 kinetic_friction = 1.0\nstribeck_speed = 2.0";
    let told = tire("told", brush, 4000.0);
    assert_eq!(
        (told.own_load(), told.nominal_load()),
        (Some(3500.0), 3500.0)
    );
    let file = &crate::tire::plot::source::subjects("suv-255-55-r20", 4000.0).unwrap()[0];
    let state = State {
        load: 6000.0,
        friction: 1.0,
        ..State::default()
    };
    let wanted = file.properties(&state).slip_stiffness.map(f64::from);
    assert_eq!(file.stiffness(&state), wanted);
    assert!(wanted[0] > 0.0 && wanted[1] > 0.0);
}

/// A file covers nothing beyond the least or the greatest value of any of its ranges.
#[test]
fn a_file_covers_what_lies_within_all_of_its_ranges() {
    let file = &crate::tire::plot::source::subjects("suv-255-55-r20", 4000.0).unwrap()[0];
    let c = file.coefficients().unwrap();
    let inside = State {
        load: c.FNOMIN,
        ..State::default()
    };
    assert!(file.covers(&inside));
    assert_eq!((file.own_load(), file.speed()), (Some(c.FNOMIN), c.LONGVL));
    let set: [fn(&mut State) -> &mut f64; 4] = [
        |s| &mut s.load,
        |s| &mut s.ratio,
        |s| &mut s.angle,
        |s| &mut s.camber,
    ];
    let ranges = [
        [c.FZMIN, c.FZMAX],
        [c.KPUMIN, c.KPUMAX],
        [c.ALPMIN, c.ALPMAX],
        [c.CAMMIN, c.CAMMAX],
    ];
    assert_eq!(file.loads(), Some(ranges[0]));
    for (set, ends) in set.into_iter().zip(ranges) {
        for (end, out) in ends.into_iter().zip([-1e-3, 1e-3]) {
            let mut state = inside;
            *set(&mut state) = end;
            assert!(file.covers(&state), "{state:?}");
            *set(&mut state) = end + out;
            assert!(!file.covers(&state), "{state:?}");
        }
    }
    let old = &crate::tire::plot::source::subjects("sedan-245-40-r18", 4000.0).unwrap()[0];
    assert_eq!((old.pressure(), file.pressure()), (None, Some(c.INFLPRES)));
}
