//! Other programs' figures; `tests/reference/kinematics` has them and their sources.

use std::collections::BTreeMap;
use std::path::Path;

use super::{at, close, file, parsed};

/// The rows of a table, by the names of its columns.
fn rows(name: &str) -> Vec<BTreeMap<String, f64>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/reference/kinematics");
    let mut table = csv::Reader::from_path(folder.join(name).with_extension("csv")).unwrap();
    table.deserialize().map(|row| row.unwrap()).collect()
}

/// Wheel travel and rack together: the angles to 0.0002°, the positions to 1 µm.
#[test]
fn a_double_wishbone_moves_as_in_suspension_explorer() {
    let points = parsed(&file("double-wishbone"));
    let rows = rows("suspension-explorer-double-wishbone");
    assert_eq!(rows.len(), 6);
    for row in rows {
        let s = at(&points, 1e-3 * row["bump_mm"], 1e-3 * row["rack_mm"]);
        let axis = s.steering.unwrap();
        // It has the camber in the plane across the vehicle.
        let camber = (s.camber.tan() / s.toe.cos()).atan();
        for (name, found) in [
            ("camber_deg", camber),
            ("toe_deg", s.toe),
            ("caster_deg", axis.caster),
            ("kpi_deg", axis.inclination),
        ] {
            close(name, found.to_degrees(), row[name], 2e-4);
        }
        for (name, found) in [
            ("steering_axis_offset_ground_mm", axis.scrub),
            ("mechanical_trail_mm", axis.trail),
            ("half_track_mm", s.contact.y),
            ("contact_x_mm", s.contact.x),
        ] {
            close(name, 1e3 * found, row[name], 1e-3);
        }
        // It differentiates by the rise of the wheel's center, which is not quite that of the contact.
        let beside = |h: f64| at(&points, 1e-3 * row["bump_mm"] + h, 1e-3 * row["rack_mm"]);
        let rise = (beside(1e-5).contact.z - beside(-1e-5).contact.z) / 2e-5;
        let height = row["half_track_mm"] * row["half_track_wrt_hub_z"] / rise;
        close("roll center", 1e3 * s.roll_center, height, 1e-3);
    }
}

/// An upright wheel over travel: angles, roll center, displacements in side view, the damper's ratio.
#[test]
fn a_double_wishbone_has_the_roll_center_of_voila() {
    let points =
        parsed(&file("double-wishbone").replace("camber_deg = -1.9091524", "camber_deg = 0.0"));
    let rows = rows("voila-double-wishbone");
    assert_eq!(rows.len(), 11);
    // Wheelbase over the height of the center of mass, which it takes from the ground that has risen.
    let (wheelbase, height) = (2.5, 0.45);
    for row in rows {
        let jounce = 1e-3 * row["bump_mm"];
        let s = at(&points, jounce, 0.0);
        close("camber", s.camber.to_degrees(), row["camber_deg"], 2e-4);
        // It has the sine of the axis' direction for the toe.
        let toe = (s.toe.sin() * s.camber.cos()).asin();
        close("toe", toe.to_degrees(), row["toe_deg"], 2e-4);
        let axis = s.steering.unwrap();
        close("caster", axis.caster.to_degrees(), row["castor_deg"], 2e-4);
        close(
            "kingpin",
            axis.inclination.to_degrees(),
            row["kingpin_deg"],
            2e-4,
        );
        close(
            "roll center",
            1e3 * s.roll_center,
            row["roll_centre_to_grnd_mm"],
            0.02,
        );
        let lever = wheelbase / (height - jounce);
        close(
            "anti-dive",
            60.0 * s.braked * lever,
            row["anti_dive_pct"],
            0.02,
        );
        close(
            "anti-squat",
            100.0 * s.driven * lever,
            row["anti_squat_pct"],
            0.001,
        );
        // It takes differences of a table, at the table's ends those of one side.
        if ![-40.0, 60.0].contains(&row["bump_mm"]) {
            close(
                "ratio",
                1.0 / s.ratios[1].unwrap(),
                row["damper_ratio"],
                1e-5,
            );
        }
    }
}

#[test]
fn five_links_move_as_in_pymycar() {
    let points = parsed(&file("five-link"));
    let rows = rows("pymycar-five-link");
    assert_eq!(rows.len(), 17);
    for row in rows {
        let s = at(&points, 1e-3 * row["bump_mm"], 0.0);
        close("camber", s.camber.to_degrees(), row["camber_deg"], 1e-4);
        close("toe", s.toe.to_degrees(), row["toe_deg"], 1e-4);
        close("x", 1e3 * s.center.x, row["center_x_mm"], 1e-3);
        close("y", 1e3 * s.center.y, row["center_y_mm"], 1e-3);
    }
}

/// The links were laid out, to half a millimeter, around an axis of 13° and 4° that meets the ground 5 mm outward of the
/// contact and 22 mm ahead of it. A spring whose end is on the axis does not see the carrier turn about it.
#[test]
fn five_links_steer_about_the_axis_that_they_were_made_around() {
    let text =
        file("five-link").replace("wheel = [5.0, 795.0, 220.0]", "wheel = [8.0, 833.8, 200.0]");
    let s = at(&parsed(&text), 0.0, 0.0);
    let axis = s.steering.unwrap();
    close("inclination", axis.inclination.to_degrees(), 13.0, 0.1);
    close("caster", axis.caster.to_degrees(), 4.0, 0.1);
    close("scrub", 1e3 * axis.scrub, -5.0, 1.0);
    close("trail", 1e3 * axis.trail, 22.0, 1.0);
}
