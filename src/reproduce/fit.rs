//! Power laws and lines through points.

/// Exponent of the power law nearest to points `[x, y]`: the slope of their logarithms.
pub fn order(points: &[[f64; 2]]) -> f64 {
    let logarithms: Vec<[f64; 2]> = points.iter().map(|p| p.map(f64::ln)).collect();
    slope_of(&logarithms)
}

/// Slope of the line that is nearest to points.
pub fn slope_of(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let [x, y] = [0, 1].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / count);
    let sum = |of: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(of).sum::<f64>();
    sum(&|p| (p[0] - x) * (p[1] - y)) / sum(&|p| (p[0] - x).powi(2))
}
