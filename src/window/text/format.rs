//! Numbers as the window shows them: a real minus sign, and steady width where they stand in columns.

use physics::quantity;
pub use physics::quantity::{decade, factor};

/// A value with its unit, three significant digits: `12.3 N`, `3.2e−12 m`.
pub fn quantity(value: f64, unit: &str) -> String {
    minus(quantity::quantity(value, unit))
}

/// Three significant digits, scientific where plain notation would be long.
pub fn number(value: f64) -> String {
    minus(quantity::number(value))
}

/// A duration with the prefix that suits it: `41.0 µs`, `1.30 ms`.
pub fn duration(seconds: f64) -> String {
    minus(quantity::duration(seconds))
}

/// Simulated time, to a thousandth of a second: `12.340 s`.
pub fn clock(seconds: f64) -> String {
    format!("{seconds:.3} s")
}

/// Three components with their unit.
pub fn vector(v: &physics::math::Vec3, unit: &str) -> String {
    let [x, y, z] = [v.x, v.y, v.z].map(component);
    format!("{x}  {y}  {z} {unit}")
}

/// A whole number in groups of three digits: `12 345`, with narrow spaces.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let lead = digits.len() % 3;
    let groups = digits.as_bytes()[lead..]
        .chunks(3)
        .map(|g| String::from_utf8_lossy(g));
    let lead = (lead > 0).then(|| digits[..lead].into());
    lead.into_iter()
        .chain(groups)
        .collect::<Vec<_>>()
        .join("\u{202f}")
}

/// Fixed width, so that a column does not move while numbers change.
fn component(value: f64) -> String {
    let text = if value != 0.0 && !(1e-3..1e4).contains(&value.abs()) {
        format!("{value:8.0e}")
    } else {
        format!("{value:8.3}")
    };
    minus(text)
}

/// A real minus sign has the width of a digit.
fn minus(text: String) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_real_minus_sign() {
        assert_eq!(quantity(3.2e-12, "m"), "3.2e−12 m");
        assert_eq!(number(-0.001), "−0.00100");
    }

    #[test]
    fn large_counts_come_in_groups() {
        let text = [0, 999, 1000, 1234567].map(|n| grouped(n).replace('\u{202f}', " "));
        assert_eq!(text, ["0", "999", "1 000", "1 234 567"]);
    }

    #[test]
    fn components_have_one_width() {
        let widths = [0.0, -1.5, 123.456, 4e-9, -8e6].map(|x| component(x).chars().count());
        assert_eq!(widths, [8; 5]);
    }
}
