//! Galerkin methods as data: nodes, weights and the two matrices of a symplectic partitioned Runge-Kutta method.

/// Most nodes of a scheme.
pub const MOST: usize = 2;

/// Nodes of an interval: the increment is a polynomial of as many degrees, the action a quadrature over them.
#[derive(Debug, PartialEq)]
pub struct Scheme {
    /// Where the nodes are, as parts of the interval.
    pub c: &'static [f64],
    /// Weights of the quadrature.
    pub b: &'static [f64],
    /// The integrals from 0 to `c[i]` of the polynomials that are 1 at one node and 0 at the others.
    pub a: &'static [[f64; MOST]],
}

/// 3^(1/2)/6.
const SIXTH: f64 = 0.288_675_134_594_812_9;

/// Radau's nodes, the end of the interval among them: order 3, and no symmetry.
pub const RADAU: Scheme = Scheme {
    c: &[1.0 / 3.0, 1.0],
    b: &[0.75, 0.25],
    a: &[[5.0 / 12.0, -1.0 / 12.0], [0.75, 0.25]],
};

/// Gauss's nodes: order 4.
pub const GAUSS: Scheme = Scheme {
    c: &[0.5 - SIXTH, 0.5 + SIXTH],
    b: &[0.5, 0.5],
    a: &[[0.25, 0.25 - SIXTH], [0.25 + SIXTH, 0.25]],
};

impl Scheme {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.b.len()
    }

    /// What the force at node `j` gives the momentum of the end less than that of node `i`, as stationary action asks for.
    pub fn dual(&self, i: usize, j: usize) -> f64 {
        self.b[j] * self.a[j][i] / self.b[i]
    }

    /// Weights of the slope at node `i` of the polynomial through the beginning and all nodes: of the value at the
    /// beginning, then of those at the nodes.
    pub fn slope(&self, i: usize) -> [f64; MOST + 1] {
        let at = |k: usize| if k == 0 { 0.0 } else { self.c[k - 1] };
        let (n, here) = (self.nodes() + 1, i + 1);
        let mut weights = [0.0; MOST + 1];
        for (k, weight) in weights.iter_mut().enumerate().take(n) {
            let others = || (0..n).filter(move |&m| m != k);
            if k == here {
                *weight = others().map(|m| 1.0 / (at(k) - at(m))).sum();
            } else {
                let rest = others().filter(|&m| m != here);
                let value: f64 = rest.map(|m| (at(here) - at(m)) / (at(k) - at(m))).product();
                *weight = value / (at(k) - at(here));
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(&Scheme, i32); 2] = [(&RADAU, 3), (&GAUSS, 4)];

    /// `Σ b c^k = 1/(k+1)` up to the order, and no further; `Σ a c^k = c^(k+1)/(k+1)` up to the nodes: collocation.
    #[test]
    fn quadratures_are_exact_to_their_orders() {
        for (scheme, order) in ALL {
            let moment = |k: i32| {
                let each = scheme.b.iter().zip(scheme.c).map(|(b, c)| b * c.powi(k));
                each.sum::<f64>() - 1.0 / f64::from(k + 1)
            };
            for k in 0..order {
                assert!(moment(k).abs() < 1e-15, "{scheme:?} {k}");
            }
            assert!(moment(order).abs() > 1e-3, "{scheme:?}");
            for (row, c) in scheme.a.iter().zip(scheme.c) {
                for k in 0..scheme.nodes() as i32 {
                    let sum: f64 = row.iter().zip(scheme.c).map(|(a, c)| a * c.powi(k)).sum();
                    let wanted = c.powi(k + 1) / f64::from(k + 1);
                    assert!((sum - wanted).abs() < 1e-15, "{scheme:?} {k}");
                }
            }
        }
    }

    #[test]
    fn slopes_are_those_of_a_parabola() {
        for (scheme, _) in ALL {
            let of = |t: f64| 0.3 - 1.7 * t + 2.3 * t * t;
            for (i, c) in scheme.c.iter().enumerate() {
                let [first, rest @ ..] = scheme.slope(i);
                let at: f64 = rest.iter().zip(scheme.c).map(|(w, c)| w * of(*c)).sum();
                let found = first * of(0.0) + at;
                assert!((found - (4.6 * c - 1.7)).abs() < 1e-13, "{found}");
            }
        }
    }
}
