//! The table of a tire says what its curves show.

use super::*;

/// Numbers of a cell of a page's tables; none where the table has no such row.
fn cell(page: &str, row: &str) -> Vec<f64> {
    let row = format!("<tr><td>{row}</td><td>");
    let Some(start) = page.find(&row) else {
        return Vec::new();
    };
    let cell = &page[start + row.len()..];
    let cell = cell[..cell.find("</td>").unwrap()].replace('−', "-");
    let parts = cell.split(|c: char| !"-.0123456789".contains(c));
    parts.filter_map(|part| part.parse().ok()).collect()
}

/// The solid part of the only line of a chart, or of that whose name ends so.
fn line(chart: &str, end: &str) -> Vec<[f64; 2]> {
    let names = chart.split("data-name=\"").skip(1);
    let mut names = names.map(|rest| rest.split('"').next().unwrap());
    let name = names.find(|name| name.ends_with(end)).expect(end);
    points(chart, name)
}

/// Value at zero and slope there.
fn at_zero(line: &[[f64; 2]]) -> [f64; 2] {
    let middle = line.iter().position(|[x, _]| x.abs() < 1e-6).unwrap();
    let [left, right] = [line[middle - 1], line[middle + 1]];
    let slope = (right[1] - left[1]) / (right[0] - left[0]);
    [line[middle][1], slope]
}

/// Point of a line that is furthest on one side.
fn extreme(line: &[[f64; 2]], side: f64, sign: f64) -> [f64; 2] {
    let there = line.iter().filter(|[x, _]| x * side > 0.0);
    let furthest = there.max_by(|a, b| (sign * a[1]).total_cmp(&(sign * b[1])));
    let [x, y] = *furthest.unwrap();
    [x * side, y * sign]
}

fn close(found: f64, wanted: f64, share: f64, what: &str) {
    let bound = share * wanted.abs().max(1e-3);
    assert!(
        (found - wanted).abs() <= bound,
        "{what}: {found} for {wanted}"
    );
}

/// Page of a tire that is drawn at its nominal load alone, and that load.
fn alone(tire: &str) -> (String, f64) {
    let usual = page(tire, &format!("load-{tire}.html"));
    let load = cell(&usual, "nominal load [kN]")[0];
    let mut args = args(&[tire], &format!("deeds-{tire}.html"));
    args.loads = vec![1e3 * load];
    (plot(args).unwrap(), load)
}

#[rstest]
#[case::v52("sedan-245-40-r18")]
#[case::v61("suv-255-55-r20")]
#[case::v62("suv-255-55-r20-62")]
#[case::michigan("sedan")]
#[case::physx("physx-snippet")]
fn peaks_and_slopes_are_those_of_the_curves(#[case] tire: &str) {
    let (page, load) = alone(tire);
    let end = format!("{load} kN");
    let [along, across] =
        ["Longitudinal force", "Lateral force"].map(|title| line(chart(&page, title), &end));
    for (row, line, side, sign) in [
        ("peak friction, driven", &along, 1.0, 1.0),
        ("peak friction, braked", &along, -1.0, -1.0),
        ("peak friction, to the right", &across, 1.0, -1.0),
        ("peak friction, to the left", &across, -1.0, 1.0),
    ] {
        let [friction, slip] = cell(&page, row)[..] else {
            panic!("{row}")
        };
        let [_, most] = extreme(line, side, sign);
        close(friction, most / load, 0.01, row);
        // The least slip where the line is that high.
        let reached = line
            .iter()
            .filter(|[x, y]| x * side > 0.0 && y * sign > 0.999 * most);
        let least = reached.map(|[x, _]| x.abs()).fold(f64::INFINITY, f64::min);
        close(slip.abs(), least, 0.15, row);
    }
    let [_, slope] = at_zero(&along);
    close(
        cell(&page, "slip stiffness [kN]")[0],
        100.0 * slope,
        0.03,
        "slip",
    );
    let [rest, slope] = at_zero(&across);
    close(
        cell(&page, "cornering stiffness [kN/°]")[0],
        -slope,
        0.03,
        "cornering",
    );
    let found = cell(&page, "lateral force without slip [N]")
        .first()
        .copied();
    assert!(
        (found.unwrap_or(0.0) - 1e3 * rest).abs() < 3.0,
        "{found:?} {rest}"
    );
    if page.contains("<h3>Camber thrust <") {
        let [_, slope] = at_zero(&line(chart(&page, "Camber thrust"), &end));
        close(
            cell(&page, "camber thrust [N/°]")[0],
            -1e3 * slope,
            0.05,
            "thrust",
        );
    }
    if page.contains("<h3>Aligning moment <") {
        let [_, moment] = at_zero(&line(chart(&page, "Aligning moment"), &end));
        let trail = -moment / slope;
        close(cell(&page, "pneumatic trail [mm]")[0], trail, 0.05, "trail");
    }
}

/// Charts over load end at the nominal load, with what the table says of it.
#[rstest]
#[case::v52("sedan-245-40-r18")]
#[case::v61("suv-255-55-r20")]
#[case::michigan("sedan")]
fn charts_over_load_are_of_the_same_tire(#[case] tire: &str) {
    let (page, load) = alone(tire);
    let last = |title: &str, end: &str| {
        let line = line(chart(&page, title), end);
        let [x, y] = line[line.len() - 1];
        close(x, load, 1e-3, title);
        // Forty points, each at its share of the load.
        for pair in line.windows(2) {
            let step = pair[1][0] - pair[0][0];
            assert!((step - load / 40.0).abs() < 2e-3 * load, "{title}: {step}");
        }
        y
    };
    for (title, row) in [
        ("Cornering stiffness", "cornering stiffness [kN/°]"),
        ("Slip stiffness", "slip stiffness [kN]"),
    ] {
        close(last(title, ""), cell(&page, row)[0], 0.01, row);
    }
    for (end, rows) in [
        ("along", ["peak friction, driven", "peak friction, braked"]),
        (
            "across",
            ["peak friction, to the right", "peak friction, to the left"],
        ),
    ] {
        let best = rows
            .map(|row| cell(&page, row)[0])
            .into_iter()
            .fold(0.0, f64::max);
        close(last("Peak friction", end), best, 0.01, end);
        if page.contains("<h3>Relaxation length <") {
            let told = cell(&page, &format!("relaxation length {end} [m]"))[0];
            close(last("Relaxation length", end), told, 0.01, end);
        }
    }
}

/// Lines at zero of the other slip are pure slip, and lines that pass through zero meet it.
#[rstest]
#[case::v52("sedan-245-40-r18")]
#[case::v61("suv-255-55-r20")]
#[case::michigan("sedan")]
fn combined_slip_goes_over_into_pure_slip(#[case] tire: &str) {
    let (page, load) = alone(tire);
    let end = format!("{load} kN");
    let pure = |title: &str| line(chart(&page, title), &end);
    let [along, across] = [pure("Longitudinal force"), pure("Lateral force")];
    let braked = line(chart(&page, "Slip ratio sweeps, slip angle stays"), ", 0°");
    let cornered = line(chart(&page, "Slip angle sweeps, slip ratio stays"), ", 0 %");
    let most = |line: &[[f64; 2]], n: usize| line.iter().map(|at| at[n]).fold(0.0, f64::max);
    close(most(&braked, 0), most(&along, 1), 0.02, "driven");
    close(most(&cornered, 1), most(&across, 1), 0.02, "left");
    // Both hold the point of free rolling.
    let rest = [&along, &across].map(|line| at_zero(line)[0]);
    for line in [&braked, &cornered] {
        let off = |at: &[f64; 2]| (at[0] - rest[0]).abs() + (at[1] - rest[1]).abs();
        let near = line.iter().any(|at| off(at) < 0.02 * load);
        assert!(near, "{line:?}");
    }
}

/// The tire's own pressure is in the middle of the family, and forces differ by the side of the inclination.
#[test]
fn families_lie_around_the_tire_as_it_is() {
    let (page, load) = alone("suv-255-55-r20");
    let own = line(chart(&page, "Lateral force"), &format!("{load} kN"));
    let pressure = cell(&page, "inflation pressure [kPa]")[0];
    let inflated = chart(&page, "Lateral force by pressure");
    for share in [0.8, 1.0, 1.2] {
        let name = format!("{:.0} kPa", share * pressure);
        let line = line(inflated, &name);
        let apart = line
            .iter()
            .zip(&own)
            .map(|(a, b)| (a[1] - b[1]).abs())
            .fold(0.0, f64::max);
        assert_eq!(apart < 2e-3 * load, share == 1.0, "{name}: {apart}");
    }
    let stiffness = chart(&page, "Cornering stiffness by pressure");
    let at_own = line(stiffness, &format!("{pressure:.0} kPa"));
    close(
        at_own[at_own.len() - 1][1],
        cell(&page, "cornering stiffness [kN/°]")[0],
        0.01,
        "own",
    );
    let leaning = chart(&page, "Lateral force of a leaning tire");
    let at = |end: &str| at_zero(&line(leaning, end))[0];
    let [left, straight, right] = [", −4°", ", 0°", ", 4°"].map(at);
    close(straight, at_zero(&own)[0], 0.1, "upright");
    let thrust = 1e-3 * cell(&page, "camber thrust [N/°]")[0];
    close(left - right, 8.0 * thrust, 0.15, "leaning");
}

/// Ranges of a file, in people's units.
#[test]
fn ranges_are_those_of_the_file() {
    let (page, _) = alone("suv-255-55-r20");
    let c = presets::by_name("suv-255-55-r20").unwrap().coefficients;
    for (row, wanted) in [
        ("range of loads [kN]", [1e-3 * c.FZMIN, 1e-3 * c.FZMAX]),
        (
            "range of slip angles [°]",
            [c.ALPMIN.to_degrees(), c.ALPMAX.to_degrees()],
        ),
        (
            "range of slip ratios [%]",
            [100.0 * c.KPUMIN, 100.0 * c.KPUMAX],
        ),
        (
            "range of cambers [°]",
            [c.CAMMIN.to_degrees(), c.CAMMAX.to_degrees()],
        ),
    ] {
        let found = cell(&page, row);
        for (found, wanted) in found.iter().zip(wanted) {
            close(*found, wanted, 0.01, row);
        }
        assert_eq!(found.len(), 2, "{row}");
    }
    close(
        cell(&page, "speed [km/h]")[0],
        3.6 * c.LONGVL,
        0.01,
        "speed",
    );
    close(
        cell(&page, "inflation pressure [kPa]")[0],
        1e-3 * c.INFLPRES,
        0.01,
        "pressure",
    );
    close(
        cell(&page, "nominal load [kN]")[0],
        1e-3 * c.FNOMIN,
        0.01,
        "load",
    );
}

#[rstest]
#[case("LEFT", "left side")]
#[case("RIGHT", "right side")]
#[case("SYMMETRIC", "both sides")]
fn the_side_of_a_file_is_told(#[case] side: &str, #[case] words: &str) {
    let text = format!(
        "[MODEL]\nFITTYP = 61\nTYRESIDE = '{side}'\nFNOMIN = 4000\nUNLOADED_RADIUS = 0.3\nPCX1 = 1.6\n\
         PDX1 = 1.1\nPKX1 = 20\nPCY1 = 1.3\nPDY1 = 1\nPKY1 = -18\nPKY2 = 1.8\n"
    );
    let file = written(&format!("side-{side}.tir"), &text);
    let page = page(&file, &format!("side-{side}.html"));
    assert!(page.contains(&format!("<td>measured for</td><td>{words}</td>")));
}
