//! How fast two motions part: the exponential rate of their distance.

/// An exponential `d = d0 exp(rate·t)` fitted to distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// The rate [1/s]: over a long time the largest Lyapunov exponent.
    pub rate: f64,
    /// Distance of the fit at its first time (m).
    pub start: f64,
    /// First and last time of the points that were fitted (s).
    pub times: [f64; 2],
    /// Root mean square of what the fit leaves of the natural logarithm of the distances.
    pub scatter: f64,
}

/// Fits an exponential to the points `[time, distance]` up to the first at which the distance exceeds `ceiling` (m),
/// by least squares of the logarithm. `None` with fewer than three points. Beyond about a tenth of the size of the
/// motion the distance cannot grow any more and would flatten the fit.
pub fn growth(points: &[[f64; 2]], ceiling: f64) -> Option<Growth> {
    let end = points
        .iter()
        .position(|p| p[1] > ceiling || p[1].is_nan())
        .unwrap_or(points.len());
    let used: Vec<[f64; 2]> = points[..end]
        .iter()
        .filter(|p| p[1] > 0.0)
        .map(|p| [p[0], p[1].ln()])
        .collect();
    if used.len() < 3 {
        return None;
    }
    let n = used.len() as f64;
    let [mean_t, mean_d] = [0, 1].map(|k| used.iter().map(|p| p[k]).sum::<f64>() / n);
    let moment = |f: fn([f64; 2]) -> f64| -> f64 {
        used.iter().map(|p| f([p[0] - mean_t, p[1] - mean_d])).sum()
    };
    let spread = moment(|[t, _]| t * t);
    if spread <= 0.0 {
        return None;
    }
    let rate = moment(|[t, d]| t * d) / spread;
    let rest: f64 = used
        .iter()
        .map(|p| (p[1] - mean_d - rate * (p[0] - mean_t)).powi(2))
        .sum();
    Some(Growth {
        rate,
        start: (mean_d + rate * (used[0][0] - mean_t)).exp(),
        times: [used[0][0], used[used.len() - 1][0]],
        scatter: (rest / n).sqrt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_of_an_exponential_is_found_below_the_ceiling() {
        let points: Vec<[f64; 2]> = (0..100)
            .map(|k| {
                let t = 0.1 * f64::from(k);
                [t, (1e-9 * (2.5 * t).exp()).min(0.3)]
            })
            .collect();
        let found = growth(&points, 0.01).unwrap();
        // Rounding of logarithms near 20.
        assert!((found.start / 1e-9 - 1.0).abs() < 1e-12, "{found:?}");
        assert!((found.rate - 2.5).abs() < 1e-12, "{found:?}");
        assert!(found.scatter < 1e-13 && found.times[1] < 6.5, "{found:?}");
        assert!(growth(&points, 1.0).unwrap().rate < 2.4, "it is flat there");
        assert_eq!(growth(&points[..2], 1.0), None);
        assert_eq!(growth(&[[0.0, 0.0]; 9], 1.0), None);
    }
}
