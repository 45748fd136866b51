//! Numbers as people read them: a unit on each, three significant digits.

/// A value with its unit, three significant digits: `12.3 N`, `3.2e-12 m`.
pub fn quantity(value: f64, unit: &str) -> String {
    format!("{} {unit}", number(value))
}

/// Three significant digits, scientific where plain notation would be long.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if !value.is_finite() {
        return "not finite".into();
    }
    let size = value.abs();
    if (0.000_999_5..99_995.0).contains(&size) {
        let decimals = (2 - size.log10().floor() as i32).clamp(0, 5) as usize;
        format!("{value:.decimals$}")
    } else {
        format!("{value:.1e}")
    }
}

/// A count with its noun, in the singular or the plural: `1 body`, `3 bodies`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A duration with the prefix that suits it: `41.0 µs`, `1.30 ms`.
pub fn duration(seconds: f64) -> String {
    let (scale, unit) = match seconds.abs() {
        s if s >= 1.0 || s == 0.0 => (1.0, "s"),
        s if s >= 1e-3 => (1e3, "ms"),
        _ => (1e6, "µs"),
    };
    quantity(seconds * scale, unit)
}

/// A factor of real time or speed: `×0.98`, `×1/32`.
pub fn factor(value: f64) -> String {
    if value > 0.0 && value < 0.25 && (1.0 / value).fract() == 0.0 {
        format!("×1/{}", 1.0 / value)
    } else if value >= 10.0 {
        format!("×{value:.1}")
    } else {
        format!("×{value:.2}")
    }
}

/// The mark on a logarithmic axis for a power of ten.
pub fn decade(exponent: f64) -> String {
    let digits = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];
    let whole = exponent.round() as i64;
    let sign = if whole < 0 { "⁻" } else { "" };
    let text = whole.unsigned_abs().to_string();
    let raised: String = text
        .bytes()
        .map(|b| digits[usize::from(b - b'0')])
        .collect();
    format!("10{sign}{raised}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits_and_carry_units() {
        assert_eq!(quantity(12.345, "N"), "12.3 N");
        assert_eq!(quantity(3.2e-12, "m"), "3.2e-12 m");
        assert_eq!(number(-0.001), "-0.00100");
        assert_eq!(number(1234.4), "1234");
        assert_eq!(number(0.0), "0");
        assert_eq!(number(f64::NAN), "not finite");
        assert_eq!(duration(41e-6), "41.0 µs");
        assert_eq!(duration(0.0013), "1.30 ms");
        assert_eq!(factor(1.0 / 32.0), "×1/32");
        assert_eq!(factor(0.5), "×0.50");
        assert_eq!(decade(-12.0), "10⁻¹²");
    }
}
