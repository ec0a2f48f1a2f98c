//! Numbers in `.tir` files.

/// Parses a decimal number with optional sign, point and exponent, which may be Fortran's `D`.
/// Infinities, overflows and the words `inf` and `nan` are refused.
pub(super) fn parse(text: &str) -> Option<f64> {
    let plain = |b: u8| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    let number: f64 = if text.bytes().all(plain) {
        text.parse().ok()?
    } else if text.bytes().all(|b| plain(b) || matches!(b, b'd' | b'D')) {
        text.replace(['d', 'D'], "e").parse().ok()?
    } else {
        return None;
    };
    number.is_finite().then_some(number)
}

/// The shortest text that reads as the same number.
pub(super) fn written(number: f64) -> String {
    let text = format!("{number:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("16.7", Some(16.7))]
    #[case("+4000", Some(4000.0))]
    #[case("-.5", Some(-0.5))]
    #[case("7.", Some(7.0))]
    #[case("2.096515e+005", Some(209_651.5))]
    #[case("1.905d-1", Some(0.1905))]
    #[case("1D3", Some(1000.0))]
    #[case("", None)]
    #[case(".", None)]
    #[case("1e", None)]
    #[case("inf", None)]
    #[case("nan", None)]
    #[case("1e999", None)]
    #[case("1,5", None)]
    #[case("1 2", None)]
    #[case("0x10", None)]
    fn numbers_and_other_text(#[case] text: &str, #[case] number: Option<f64>) {
        assert_eq!(parse(text), number);
    }

    #[rstest]
    #[case(4000.0, "4000")]
    #[case(-0.0, "-0")]
    #[case(1e-7, "1e-7")]
    #[case(0.1 + 0.2, "0.30000000000000004")]
    fn numbers_round_trip_bit_for_bit(#[case] number: f64, #[case] text: &str) {
        assert_eq!(written(number), text);
        assert_eq!(parse(text).map(f64::to_bits), Some(number.to_bits()));
    }
}
