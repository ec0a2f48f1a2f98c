//! Suspensions whose motion is known in closed form.

use jounce::presets;

use super::{at, close, file, parsed};

/// Heights and distances from the middle of the points of a double wishbone in a plane across the vehicle (`m`).
fn wishbones(inner: [[f64; 2]; 2], outer: [[f64; 2]; 2]) -> String {
    let place = |x: f64, [y, z]: [f64; 2]| format!("[{x}, {y}, {z}]");
    let [lower, upper] = inner;
    let [low, high] = outer;
    // The tie rod lies beside the lower arm.
    format!(
        "kind = 'double-wishbone'\nwheel = {{ center = [0.0, 0.8, 0.3], radius = 0.3 }}\n\
         travel = {{ compression = 0.08, droop = 0.08 }}\n[points]\nlower_front = {}\nlower_rear = {}\n\
         lower_outer = {}\nupper_front = {}\nupper_rear = {}\nupper_outer = {}\ntie_rod_inner = {}\n\
         tie_rod_outer = {}\n",
        place(0.2, lower),
        place(-0.2, lower),
        place(0.0, low),
        place(0.2, upper),
        place(-0.2, upper),
        place(0.0, high),
        place(0.15, lower),
        place(0.15, low),
    )
}

#[test]
fn parallel_arms_of_equal_length_keep_camber_and_toe() {
    let text = wishbones([[0.35, 0.2], [0.35, 0.5]], [[0.7, 0.2], [0.7, 0.5]]);
    let points = parsed(&text);
    for jounce in [-0.08, -0.03, 0.0, 0.05, 0.08] {
        let s = at(&points, jounce, 0.0);
        close("camber", s.camber, 0.0, 1e-9);
        close("toe", s.toe, 0.0, 1e-9);
        let inward = 0.35 - (0.35_f64.powi(2) - jounce * jounce).sqrt();
        close("track", s.contact.y, 0.8 - inward, 1e-9);
        // The contact goes along a circle, whose tangent is the slope.
        let angle = (jounce / 0.35).asin();
        close(
            "roll center",
            s.roll_center,
            -s.contact.y * angle.tan(),
            1e-9,
        );
    }
}

/// The roll center lies on the line from the intersection of the arms to the contact, in the car's middle plane.
#[test]
fn the_roll_center_of_wishbones_is_that_of_the_drawing() {
    let (inner, outer) = ([[0.35, 0.22], [0.4, 0.47]], [[0.72, 0.19], [0.68, 0.5]]);
    let s = at(&parsed(&wishbones(inner, outer)), 0.0, 0.0);
    let slope = |n: usize| (outer[n][1] - inner[n][1]) / (outer[n][0] - inner[n][0]);
    let y = (outer[1][1] - outer[0][1] + slope(0) * outer[0][0] - slope(1) * outer[1][0])
        / (slope(0) - slope(1));
    let z = outer[0][1] + slope(0) * (y - outer[0][0]);
    close("roll center", s.roll_center, 0.8 * z / (0.8 - y), 1e-9);
}

/// The arm's line meets the normal of the strut through its top.
#[test]
fn the_roll_center_of_a_strut_is_that_of_the_drawing() {
    let text = "kind = 'macpherson'\nwheel = { center = [0.0, 0.75, 0.3], radius = 0.3 }\n\
                travel = { compression = 0.08, droop = 0.08 }\n[points]\nlower_front = [0.15, 0.35, 0.21]\n\
                lower_rear = [-0.2, 0.35, 0.21]\nlower_outer = [0.0, 0.71, 0.18]\nstrut_bottom = [0.0, 0.65, 0.4]\n\
                strut_top = [0.0, 0.6, 0.85]\ntie_rod_inner = [-0.13, 0.35, 0.21]\ntie_rod_outer = [-0.13, 0.71, 0.18]\n";
    let s = at(&parsed(text), 0.0, 0.0);
    let arm = (0.18 - 0.21) / (0.71 - 0.35);
    // Up the strut it goes inward by 0.05 in 0.45; across it, up by as much.
    let normal = 0.05 / 0.45;
    let y = (0.85 - normal * 0.6 - 0.18 + arm * 0.71) / (arm - normal);
    let z = 0.18 + arm * (y - 0.71);
    close("roll center", s.roll_center, 0.75 * z / (0.75 - y), 1e-9);
    // A strut is its own spring: with the point where the carrier turns, the ratio follows from the levers.
    let (hub, top) = (0.75 - y, f64::hypot(0.6 - y, 0.85 - z));
    close("ratio", s.ratios[0].unwrap(), top / hub, 1e-9);
}

fn pivoted(inner: [f64; 3], outer: [f64; 3], kind: &str) -> String {
    format!(
        "kind = '{kind}'\nwheel = {{ center = [-1.3, 0.7, 0.3], radius = 0.3 }}\n\
         travel = {{ compression = 0.1, droop = 0.1 }}\n[points]\npivot_inner = {inner:?}\npivot_outer = {outer:?}\n\
         [spring]\nbody = [-1.15, 0.6, 0.7]\nwheel = [-1.15, 0.6, 0.3]\n"
    )
}

/// The center of the wheel goes along a circle about the axis, seen from the side; the wheel stays upright and straight.
#[test]
fn a_trailing_arm_goes_along_a_circle() {
    let points = parsed(&pivoted([-0.9, 0.3, 0.3], [-0.9, 0.6, 0.3], "trailing-arm"));
    for jounce in [-0.1, -0.04, 0.0, 0.06, 0.1] {
        let s = at(&points, jounce, 0.0);
        let behind = (0.4_f64.powi(2) - jounce * jounce).sqrt();
        close("x", s.center.x, -0.9 - behind, 1e-9);
        close("camber", s.camber, 0.0, 1e-9);
        close("toe", s.toe, 0.0, 1e-9);
        close("roll center", s.roll_center, 0.0, 1e-9);
        let [ahead, height] = s.side_view.unwrap();
        close("center ahead", ahead, behind, 1e-8);
        close("center height", height, 0.3 - jounce, 1e-8);
        close("braked", s.braked, -(0.3 - jounce) / behind, 1e-8);
        close("driven", s.driven, jounce / behind, 1e-8);
    }
    // A vertical spring at 0.25 m of the arm's 0.4 m.
    close(
        "ratio",
        at(&points, 0.0, 0.0).ratios[0].unwrap(),
        0.25 / 0.4,
        1e-9,
    );
}

/// An axis along the vehicle: camber is the axle's angle, the roll center on the line from the contact to the joint.
#[test]
fn a_swing_axle_leans_with_its_angle() {
    let (y, z) = (0.15, 0.34);
    let points = parsed(&pivoted([-1.2, y, z], [-1.5, y, z], "semi-trailing-arm"));
    let (out, down) = (0.7 - y, 0.3 - z);
    for jounce in [-0.1, -0.04, 0.0, 0.06, 0.1] {
        let s = at(&points, jounce, 0.0);
        let length = f64::hypot(out, down);
        let angle = ((down + jounce) / length).asin() - (down / length).asin();
        close("camber", s.camber, -angle, 1e-9);
        close("toe", s.toe, 0.0, 1e-9);
        let ground = z - s.contact.z;
        close(
            "roll center",
            s.roll_center,
            s.contact.y * ground / (s.contact.y - y),
            1e-9,
        );
    }
}

/// An axle on links of 1 km shifts along the rod's circle; the rod crosses the middle plane at the roll center.
#[test]
fn an_axle_shifts_along_the_circle_of_its_panhard_rod() {
    let text = "kind = 'live-axle'\nwheel = { center = [-1.4, 0.7, 0.33], radius = 0.33 }\n\
                travel = { compression = 0.1, droop = 0.1 }\n[points]\nlower_body = [998.6, 0.5, 0.25]\n\
                lower_axle = [-1.4, 0.5, 0.25]\nupper_body = [998.6, 0.0, 0.5]\nupper_axle = [-1.4, 0.0, 0.5]\n\
                panhard_body = [-1.4, -0.45, 0.36]\npanhard_axle = [-1.4, 0.45, 0.36]\n";
    let points = parsed(text);
    for jounce in [-0.1, 0.0, 0.05, 0.1_f64] {
        let s = at(&points, jounce, 0.0);
        let reach = (0.9_f64.powi(2) - jounce * jounce).sqrt();
        close("shift", s.center.y - 0.7, reach - 0.9, 1e-5);
        close("camber", s.camber, 0.0, 1e-4);
        // The middle of the axle is aside by the shift.
        let height = 0.36 + jounce * (0.45 + reach - 0.9) / reach - s.contact.z;
        close("roll center", s.roll_center, height, 1e-4);
        close("roll steer", s.roll_steer.unwrap(), 0.0, 1e-3);
    }
}

/// Links that fall to the front by 0.1 in 1 m make an axle steer as the body rolls, by their slope.
#[test]
fn sloping_links_steer_an_axle() {
    let text = "kind = 'live-axle'\nwheel = { center = [-1.4, 0.7, 0.33], radius = 0.33 }\n\
                travel = { compression = 0.05, droop = 0.05 }\n[points]\nlower_body = [-0.4, 0.5, 0.23]\n\
                lower_axle = [-1.4, 0.5, 0.33]\nupper_body = [-0.4, 0.0, 0.6]\nupper_axle = [-1.4, 0.0, 0.6]\n\
                panhard_body = [-1.4, -0.45, 0.33]\npanhard_axle = [-1.4, 0.45, 0.33]\n";
    let s = at(&parsed(text), 0.0, 0.0);
    close("roll steer", s.roll_steer.unwrap(), 0.1, 1e-3);
}

/// The axle of the pickup, whose springs' front halves fall to the front by 22.5 mm in 0.45 m.
#[test]
fn the_pickups_axle_steers_as_its_springs_slope() {
    let s = at(&parsed(&file("leaf-springs")), 0.0, 0.0);
    let steer = s.roll_steer.unwrap();
    close("roll steer", steer, 0.0225 / 0.45, 1e-3);
    for wheel in &presets::load("pickup").unwrap().model().params().wheels[2..] {
        assert_eq!(wheel.compliance.roll_camber, 1.0);
        close("file", f64::from(wheel.compliance.roll_steer), -steer, 1e-3);
    }
}
