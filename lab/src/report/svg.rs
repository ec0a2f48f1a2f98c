//! Numbers, text and colors for SVG and HTML.

/// A coordinate with at most two decimals. Values that are not finite become 0: a page never
/// contains NaN.
pub(super) fn coordinate(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// A number for display: as many decimals as a step of `step` needs, with a true minus sign.
pub(super) fn label(value: f64, step: f64) -> String {
    let decimals = (0..6).find(|&n| {
        let scaled = step * 10.0_f64.powi(n);
        (scaled - scaled.round()).abs() < 1e-6
    });
    let text = format!("{value:.*}", decimals.unwrap_or(6).unsigned_abs() as usize);
    let text = if text.trim_matches(['-', '0', '.']).is_empty() {
        text.replace('-', "")
    } else {
        text
    };
    text.replace('-', "\u{2212}")
}

/// Text escaped for HTML and its attributes.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            _ => safe.push(c),
        }
    }
    safe
}

/// A round step: 1, 2 or 5 times a power of ten, the smallest such that at most `most` steps fit.
pub(super) fn round_step(range: f64, most: usize) -> f64 {
    if !(range > 0.0 && range.is_finite()) {
        return 1.0;
    }
    let least = range / most as f64;
    let power = 10.0_f64.powf(least.log10().floor());
    let enough = |factor: &f64| factor * power >= least * (1.0 - 1e-9);
    [1.0, 2.0, 5.0].into_iter().find(enough).unwrap_or(10.0) * power
}

/// An axis: its ends and the spacing of its ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChartAxis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) step: f64,
}

impl ChartAxis {
    /// An axis with about `ticks` ticks that ends at round numbers and contains all finite values.
    pub(super) fn around(values: impl Iterator<Item = f64>, least: f64, ticks: usize) -> Self {
        let (low, high) = values
            .filter(|v| v.is_finite())
            .fold((0.0_f64, 0.0_f64), |(low, high), v| {
                (low.min(v), high.max(v))
            });
        let more = (least - (high - low)).max(0.0);
        let (low, high) = match (low < 0.0, high > 0.0) {
            (true, true) => (low - 0.5 * more, high + 0.5 * more),
            (true, false) => (low - more, high),
            (false, _) => (low, high + more),
        };
        let step = round_step(high - low, ticks);
        let end = |value: f64| (value / step * (1.0 - 1e-9)).abs().ceil() * step;
        Self {
            low: 0.0 - end(low),
            high: end(high),
            step,
        }
    }

    /// An axis from 0 to `end`, which need not be round.
    pub(super) fn until(end: f64, ticks: usize) -> Self {
        Self::between(0.0, if end > 0.0 { end } else { 1.0 }, ticks)
    }

    /// An axis with about `ticks` round ticks between ends that need not be round.
    pub(super) fn between(low: f64, high: f64, ticks: usize) -> Self {
        Self {
            low,
            high,
            step: round_step(high - low, ticks),
        }
    }

    /// Position of a value, 0…1 between the ends.
    pub(super) fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Position and text of each tick.
    pub(super) fn labels(&self) -> impl Iterator<Item = (f64, String)> {
        let ticks = self.ticks().into_iter();
        ticks.map(|tick| (self.share(tick), label(tick, self.step)))
    }

    /// Values of the ticks.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let first = (self.low / self.step - 1e-9).ceil() as i64;
        let last = (self.high / self.step + 1e-9).floor() as i64;
        (first..=last).map(|n| n as f64 * self.step).collect()
    }
}

/// Labels of a plot's left or right side: position from below, and text.
pub(super) fn side_labels(class: &str, ticks: impl IntoIterator<Item = (f64, String)>) -> String {
    let ticks = ticks.into_iter().map(|(share, text)| {
        let top = coordinate(100.0 * (1.0 - share));
        format!("<span style=\"top:{top}%\">{}</span>", escape(&text))
    });
    format!("<div class=\"{class}\">{}</div>", ticks.collect::<String>())
}

/// Labels below a plot over time (`s`).
pub(super) fn time_labels(axis: &ChartAxis) -> String {
    bottom_labels(axis, " s")
}

/// Labels below a plot, all but the first with a unit; every other one is omitted on a phone.
pub(super) fn bottom_labels(axis: &ChartAxis, unit: &str) -> String {
    let ticks = axis.ticks().into_iter().enumerate().map(|(n, tick)| {
        let class = if n % 2 == 1 { " class=\"odd\"" } else { "" };
        let left = coordinate(100.0 * axis.share(tick));
        let text = label(tick, axis.step);
        let unit = if n == 0 { "" } else { unit };
        format!("<span{class} style=\"left:{left}%\">{text}{unit}</span>")
    });
    format!("<div class=\"xs\">{}</div>", ticks.collect::<String>())
}

/// The viridis color map at tenths (van der Walt, Smith, 2015): perceptually uniform, also for
/// color-blind readers.
pub(super) const VIRIDIS: [[u8; 3]; 11] = [
    [0x44, 0x01, 0x54],
    [0x48, 0x25, 0x76],
    [0x41, 0x44, 0x87],
    [0x35, 0x5f, 0x8d],
    [0x2a, 0x78, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x22, 0xa8, 0x84],
    [0x44, 0xbf, 0x70],
    [0x7a, 0xd1, 0x51],
    [0xbd, 0xdf, 0x26],
    [0xfd, 0xe7, 0x25],
];

/// The color of a fraction 0…1, as `#rrggbb`.
pub(super) fn viridis(share: f64) -> String {
    let at = share.clamp(0.0, 1.0) * 10.0;
    let low = (at as usize).min(9);
    let part = at - low as f64;
    let mix = |k: usize| {
        let (a, b) = (f64::from(VIRIDIS[low][k]), f64::from(VIRIDIS[low + 1][k]));
        (a + part * (b - a)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(1.0, "1")]
    #[case(-0.001, "0")]
    #[case(12.345, "12.35")]
    #[case(100.0, "100")]
    #[case(f64::NAN, "0")]
    #[case(f64::INFINITY, "0")]
    fn coordinates_are_short_and_finite(#[case] value: f64, #[case] text: &str) {
        assert_eq!(coordinate(value), text);
    }

    #[test]
    fn labels_have_the_decimals_of_their_step() {
        assert_eq!(label(-0.5, 0.25), "−0.50");
        assert_eq!(label(20.0, 5.0), "20");
        assert_eq!(label(-0.0, 0.1), "0.0");
    }

    #[rstest]
    #[case(&[0.0, 97.0], 0.0, 100.0)]
    #[case(&[-3.2, 9.0], -5.0, 10.0)]
    #[case(&[], 0.0, 1.0)]
    #[case(&[f64::NAN, 2.0], 0.0, 2.0)]
    #[case(&[-0.1], -1.0, 0.0)]
    fn axes_hold_all_values(#[case] values: &[f64], #[case] low: f64, #[case] high: f64) {
        let axis = ChartAxis::around(values.iter().copied(), 1.0, 5);
        assert_eq!((axis.low, axis.high), (low, high), "{axis:?}");
        assert!(axis.ticks().len() >= 2);
        assert!(
            axis.ticks()
                .iter()
                .all(|t| (0.0..=1.0).contains(&axis.share(*t)))
        );
    }

    /// Round steps of every size.
    fn steps() -> impl Iterator<Item = f64> {
        let powers = (-4..4).map(|n| 10.0_f64.powi(n));
        powers.flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * power))
    }

    #[test]
    fn a_label_is_read_as_what_it_stands_for() {
        for step in steps() {
            for n in [-12, -1, 0, 1, 7] {
                let value = f64::from(n) * step;
                let text = label(value, step).replace('\u{2212}', "-");
                let read: f64 = text.parse().unwrap();
                assert!((read - value).abs() < 1e-9 * step, "{value}: {text}");
            }
            let own = label(step, step);
            assert!(!own.contains('.') || !own.ends_with('0'), "{own}");
        }
    }

    #[test]
    fn a_round_step_is_the_smallest_that_fits() {
        for (n, range) in (0..60).map(|n| (n, 0.003 * 1.37_f64.powi(n))) {
            for most in [3, 6, 14] {
                let step = round_step(range, most);
                assert!(range / step <= most as f64 + 1e-6, "{range}: {step}");
                let known: Vec<f64> = (-6..9)
                    .flat_map(|n| [1.0, 2.0, 5.0].map(|factor| factor * 10.0_f64.powi(n)))
                    .collect();
                let place = known.iter().position(|k| (k / step - 1.0).abs() < 1e-9);
                let less = known[place.unwrap_or_else(|| panic!("{n}: {step}")) - 1];
                assert!(range / less > most as f64, "{range}: {less} fits, too");
            }
        }
        for none in [f64::INFINITY, 0.0, -3.0, f64::NAN] {
            assert_eq!(round_step(none, 5), 1.0);
        }
        // A share of the least step's room is what the last bits are forgiven.
        let steps = [7.0, 10.0, 10.5, 20.0, 49.0, 51.0, 99.0].map(|range| round_step(range, 10));
        assert_eq!(steps, [1.0, 1.0, 2.0, 2.0, 5.0, 10.0, 10.0]);
    }

    #[test]
    fn an_axis_ends_at_the_first_ticks_beyond_its_values() {
        for n in 0..40 {
            let (low, high) = (-0.7 * 1.3_f64.powi(n % 7), 0.2 * 1.7_f64.powi(n));
            for (low, high) in [(low, high), (0.0, high), (low, 0.0)] {
                let axis = ChartAxis::around([low, high].into_iter(), 0.0, 6);
                let ticks = axis.ticks();
                let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
                assert!((first - axis.low).abs().max((last - axis.high).abs()) < 1e-6 * axis.step);
                assert!(axis.low <= low && low < axis.low + axis.step, "{axis:?}");
                assert!(
                    axis.high >= high && high > axis.high - axis.step,
                    "{axis:?}"
                );
                assert!(
                    ticks
                        .windows(2)
                        .all(|t| (t[1] - t[0] - axis.step).abs() < 1e-6 * axis.step)
                );
                assert_eq!((axis.share(first), axis.share(last)), (0.0, 1.0));
            }
        }
    }

    /// A short axis is lengthened on the side of its values, or on both.
    #[rstest]
    #[case(&[1.0], 0.0, 10.0)]
    #[case(&[-1.0], -10.0, 0.0)]
    #[case(&[-1.0, 1.0], -6.0, 6.0)]
    #[case(&[-1.0, 3.0], -4.0, 6.0)]
    fn short_axes_are_lengthened(#[case] values: &[f64], #[case] low: f64, #[case] high: f64) {
        let axis = ChartAxis::around(values.iter().copied(), 10.0, 6);
        assert_eq!((axis.low, axis.high), (low, high), "{axis:?}");
    }

    #[test]
    fn labels_stand_at_their_shares() {
        let axis = ChartAxis::until(8.0, 4);
        assert_eq!((axis.low, axis.high, axis.step), (0.0, 8.0, 2.0));
        assert_eq!(ChartAxis::until(0.0, 4).high, 1.0);
        assert_eq!(ChartAxis::between(-3.0, 5.0, 8).step, 1.0);
        let time = time_labels(&axis);
        assert_eq!(time, bottom_labels(&axis, " s"));
        let side = side_labels("ys", axis.labels());
        assert!(side.contains("<span style=\"top:75%\">2</span>"), "{side}");
        let bottom = bottom_labels(&axis, " m");
        for part in [
            "<span style=\"left:0%\">0</span>",
            "<span class=\"odd\" style=\"left:25%\">2 m</span>",
            "<span style=\"left:50%\">4 m</span>",
        ] {
            assert!(bottom.contains(part), "{part}: {bottom}");
        }
    }

    #[test]
    fn colors_are_the_tables_at_tenths_and_even_between() {
        let bytes = |share: f64| {
            let text = viridis(share);
            [1, 3, 5].map(|n| u8::from_str_radix(&text[n..n + 2], 16).unwrap())
        };
        for (n, color) in VIRIDIS.into_iter().enumerate() {
            assert_eq!(bytes(n as f64 / 10.0), color);
        }
        for n in 0..10 {
            let [a, middle, b] = [0.0, 0.5, 1.0].map(|part| bytes((f64::from(n) + part) / 10.0));
            for k in 0..3 {
                let mean = 0.5 * (f64::from(a[k]) + f64::from(b[k]));
                assert!((f64::from(middle[k]) - mean).abs() <= 0.5, "{middle:?}");
            }
        }
    }

    #[test]
    fn colors_run_from_violet_to_yellow() {
        assert_eq!(
            (viridis(-1.0), viridis(2.0)),
            ("#440154".into(), "#fde725".into())
        );
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(
            escape("<a href=\"x\">&"),
            "&lt;a href=&quot;x&quot;&gt;&amp;"
        );
    }
}
