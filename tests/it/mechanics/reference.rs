//! Independent references: the same mechanics written in minimal coordinates.

use crate::mechanics::mechanisms::G;

/// One classical Runge-Kutta step of `y' = f(y)`.
pub fn rk4_step<const N: usize>(
    y: &[f64; N],
    h: f64,
    f: impl Fn(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    let plus = |k: &[f64; N], s: f64| std::array::from_fn(|i| y[i] + s * k[i]);
    let k1 = f(y);
    let k2 = f(&plus(&k1, 0.5 * h));
    let k3 = f(&plus(&k2, 0.5 * h));
    let k4 = f(&plus(&k3, h));
    std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// Solution at `t` in `steps` steps.
pub fn integrate<const N: usize>(
    mut y: [f64; N],
    t: f64,
    steps: u32,
    f: impl Fn(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    for _ in 0..steps {
        y = rk4_step(&y, t / f64::from(steps), &f);
    }
    y
}

/// Two uniform rods of 1 m and 1 kg, absolute angles from the downward vertical: `(θ1, θ2, θ1', θ2')`.
pub fn double_pendulum(y: &[f64; 4]) -> [f64; 4] {
    let [t1, t2, w1, w2] = *y;
    let d = t1 - t2;
    let (m11, m12, m22) = (4.0 / 3.0, 0.5 * d.cos(), 1.0 / 3.0);
    let f1 = -0.5 * d.sin() * w2 * w2 - 1.5 * G * t1.sin();
    let f2 = 0.5 * d.sin() * w1 * w1 - 0.5 * G * t2.sin();
    let det = m11 * m22 - m12 * m12;
    [
        w1,
        w2,
        (m22 * f1 - m12 * f2) / det,
        (m11 * f2 - m12 * f1) / det,
    ]
}
