//! Height fields from lists and formulas.

use super::check::Check;
use super::format::HeightFieldFile;
use super::value::Heights;
use crate::model::{HeightField, bounded};
use exmex::{Express, FlatEx};

/// More samples than anybody looks at; what a body can touch takes two kilobytes for each.
const MOST_SAMPLES: usize = 1_000_000;

/// The height field; `None` where it is wrong.
pub(super) fn height_field(
    file: &HeightFieldFile,
    path: &[&str],
    check: &mut Check,
) -> Option<HeightField> {
    let field = |name| [path, &[name]].concat();
    let extent = [file.extent.0.0, file.extent.1.0];
    let samples = [file.samples.0, file.samples.1];
    let mut sound = true;
    if extent.iter().any(|x| *x <= 0.0) {
        let found = format!("({}, {})", extent[0], extent[1]);
        check.wrong(&field("extent"), found, "two lengths above 0 m");
        sound = false;
    }
    let count = samples[0].saturating_mul(samples[1]);
    if samples.iter().any(|n| *n < 2) || count > MOST_SAMPLES {
        let found = format!("({}, {})", samples[0], samples[1]);
        let expected =
            format!("two whole numbers of at least 2, together at most {MOST_SAMPLES} samples");
        check.wrong(&field("samples"), found, &expected);
        sound = false;
    }
    if !sound {
        return None;
    }
    let heights = match &file.heights {
        Heights::List(list) if list.len() == count => list.clone(),
        Heights::List(list) => {
            let expected = format!("{} × {} = {count} numbers", samples[0], samples[1]);
            check.wrong(
                &field("heights"),
                format!("{} numbers", list.len()),
                &expected,
            );
            return None;
        }
        Heights::Formula(text) => match sample(text, extent, samples) {
            Ok(heights) => heights,
            Err(found) => {
                let expected =
                    "numbers, or an expression in x and y such as \"0.1*sin(3*x)*cos(2*y)\"";
                check.wrong(&field("heights"), found, expected);
                return None;
            }
        },
    };
    Some(HeightField {
        extent,
        samples,
        heights,
    })
}

/// Heights of a formula over the grid, x running fastest.
fn sample(text: &str, extent: [f64; 2], samples: [usize; 2]) -> Result<Vec<f64>, String> {
    bounded(text)?;
    let formula = FlatEx::<f64>::parse(text).map_err(|e| format!("`{text}`: {e}"))?;
    let names = formula.var_names();
    if let Some(other) = names.iter().find(|n| !matches!(n.as_str(), "x" | "y")) {
        return Err(format!("`{text}`, which names `{other}`"));
    }
    let place =
        |k: usize, axis: usize| extent[axis] * (k as f64 / (samples[axis] - 1) as f64 - 0.5);
    let mut heights = Vec::with_capacity(samples[0] * samples[1]);
    for j in 0..samples[1] {
        for i in 0..samples[0] {
            let (x, y) = (place(i, 0), place(j, 1));
            let values: Vec<f64> = names.iter().map(|n| if n == "x" { x } else { y }).collect();
            let height = formula
                .eval(&values)
                .map_err(|e| format!("`{text}`: {e}"))?;
            if !height.is_finite() {
                return Err(format!("`{text}`, which is {height} at x = {x}, y = {y}"));
            }
            heights.push(height);
        }
    }
    Ok(heights)
}
