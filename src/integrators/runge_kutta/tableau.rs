//! Butcher tableaus: the methods as data.

/// An explicit Runge-Kutta method.
#[derive(Debug, PartialEq)]
pub struct Tableau {
    /// Rows of the strictly lower triangle.
    pub a: &'static [&'static [f64]],
    /// Weights; their number is the number of stages.
    pub b: &'static [f64],
    /// Nodes.
    pub c: &'static [f64],
    /// Positions move with the new velocity, not with the velocity of the stages: semi-implicit Euler.
    pub new_velocity: bool,
}

/// `y + h f(y)`.
pub static EXPLICIT_EULER: Tableau = Tableau {
    a: &[&[]],
    b: &[1.0],
    c: &[0.0],
    new_velocity: false,
};

/// Velocities first, then positions with the new velocities.
pub static SEMI_IMPLICIT_EULER: Tableau = Tableau {
    a: &[&[]],
    b: &[1.0],
    c: &[0.0],
    new_velocity: true,
};

/// The explicit trapezoidal rule.
pub static HEUN: Tableau = Tableau {
    a: &[&[], &[1.0]],
    b: &[0.5, 0.5],
    c: &[0.0, 1.0],
    new_velocity: false,
};

/// The classical method of Kutta.
pub static RK4: Tableau = Tableau {
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
    new_velocity: false,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tableaus_satisfy_the_order_conditions() {
        for (nominal, t) in [
            (1, &EXPLICIT_EULER),
            (1, &SEMI_IMPLICIT_EULER),
            (2, &HEUN),
            (4, &RK4),
        ] {
            let s = t.b.len();
            let sum = |f: &dyn Fn(usize) -> f64| (0..s).map(|i| t.b[i] * f(i)).sum::<f64>();
            let a = |i: usize, f: &dyn Fn(usize) -> f64| {
                t.a[i]
                    .iter()
                    .enumerate()
                    .map(|(j, a)| a * f(j))
                    .sum::<f64>()
            };
            let c = |i: usize| t.c[i];
            // Hairer, Nørsett, Wanner, table II.2.1: value of each condition and the order that needs it.
            let conditions = [
                (1, sum(&|_| 1.0), 1.0),
                (2, sum(&c), 1.0 / 2.0),
                (3, sum(&|i| c(i) * c(i)), 1.0 / 3.0),
                (3, sum(&|i| a(i, &c)), 1.0 / 6.0),
                (4, sum(&|i| c(i).powi(3)), 1.0 / 4.0),
                (4, sum(&|i| c(i) * a(i, &c)), 1.0 / 8.0),
                (4, sum(&|i| a(i, &|j| c(j) * c(j))), 1.0 / 12.0),
                (4, sum(&|i| a(i, &|j| a(j, &c))), 1.0 / 24.0),
            ];
            for (order, found, wanted) in conditions {
                let met = (found - wanted).abs() < 1e-15;
                assert!(met || nominal < order, "{t:?}");
            }
            for i in 0..s {
                assert_eq!(a(i, &|_| 1.0), t.c[i], "{t:?}");
            }
        }
    }
}
