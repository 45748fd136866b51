//! The slope of points on logarithmic axes.

/// Points at the fine end that are fitted: coarser ones have not reached their slope yet.
const FITTED: usize = 4;

/// A straight line through points on logarithmic axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// Decades of y for a decade of x.
    pub slope: f64,
    /// Points that were fitted.
    pub points: usize,
    /// Root mean square of what the line leaves, in decades.
    pub scatter: f64,
}

/// The slope of the points `[x, y]` with the smallest y, at most four, by least squares of the logarithms. `None` with
/// fewer than two, or where x does not change.
pub fn slope(points: &[[f64; 2]]) -> Option<Slope> {
    let mut used: Vec<[f64; 2]> = points
        .iter()
        .filter(|p| p.iter().all(|x| *x > 0.0 && x.is_finite()))
        .map(|p| p.map(f64::log10))
        .collect();
    used.sort_by(|a, b| a[1].total_cmp(&b[1]));
    used.truncate(FITTED);
    if used.len() < 2 {
        return None;
    }
    let n = used.len() as f64;
    let [x0, y0] = [0, 1].map(|k| used.iter().map(|p| p[k]).sum::<f64>() / n);
    let sum =
        |f: fn(f64, f64) -> f64| -> f64 { used.iter().map(|p| f(p[0] - x0, p[1] - y0)).sum() };
    let spread = sum(|x, _| x * x);
    if spread <= 0.0 {
        return None;
    }
    let slope = sum(|x, y| x * y) / spread;
    let rest: f64 = used
        .iter()
        .map(|p| (p[1] - y0 - slope * (p[0] - x0)).powi(2))
        .sum();
    Some(Slope {
        slope,
        points: used.len(),
        scatter: (rest / n).sqrt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_fine_end() {
        let power = |x: f64| [x, 3.0 * x * x];
        let mut points: Vec<[f64; 2]> = [0.4, 0.2, 0.1, 0.05].map(power).to_vec();
        // Coarse points that are nowhere near the line.
        points.extend([[0.8, 2.0], [1.6, 2.0]]);
        let found = slope(&points).unwrap();
        // Rounding of logarithms.
        assert!((found.slope - 2.0).abs() < 1e-13, "{found:?}");
        assert!(found.scatter < 1e-14 && found.points == 4);
        assert_eq!(slope(&points[..1]), None);
        assert_eq!(slope(&[[1.0, 1.0], [1.0, 2.0]]), None);
        assert_eq!(slope(&[[1.0, 0.0], [2.0, f64::NAN], [3.0, 1.0]]), None);
    }
}
