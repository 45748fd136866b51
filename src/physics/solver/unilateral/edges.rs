//! The edges of a linearised friction cone, condensed to the two tangential rows of a unilateral constraint.

use super::cone;
use super::constraint::Unilateral;
use super::pair::Pair;

/// Sums over the edges of a linearised cone. With `h_i = β_i/η_i` the edges resist slip by
/// `δr_t = along - lean δψ - Σ h_i d_i d_iᵀ δu`, and eliminating `ψ` leaves `resist`.
pub struct Edges {
    /// `Σ h_i d_i`.
    pub lean: [f64; 2],
    /// `ψ / (s_ψ + ψ Σ h_i)`.
    pub give: f64,
    /// `s_ψ + ψ Σ h_i`.
    stiff: f64,
    /// `Σ h_i d_i d_iᵀ - give · lean leanᵀ`, summed without cancellation.
    resist: [[f64; 2]; 2],
}

/// What the right-hand side asks of the edges.
pub struct Goals {
    /// Along the two tangents.
    pub along: [f64; 2],
    /// Of `ψ`.
    pub psi: f64,
}

impl Edges {
    /// The sums at the point reached.
    pub fn of(psi: &Pair, bound: &Pair, edges: &[(Pair, Pair)]) -> Self {
        let count = edges.len() as u32;
        let h = |k: usize| edges[k].0.value / edges[k].1.value;
        let sum: f64 = (0..edges.len()).map(h).sum();
        let mut lean = [0.0; 2];
        let mut resist = [[0.0; 2]; 2];
        for i in 0..edges.len() {
            let a = cone::corner(i as u32, count);
            lean[0] += h(i) * a[0];
            lean[1] += h(i) * a[1];
            for j in i + 1..edges.len() {
                let b = cone::corner(j as u32, count);
                let (x, y) = (a[0] - b[0], a[1] - b[1]);
                let weight = h(i) * h(j) / sum;
                resist[0][0] += weight * x * x;
                resist[0][1] += weight * x * y;
                resist[1][1] += weight * y * y;
            }
        }
        let stiff = bound.value + psi.value * sum;
        let rest = bound.value / (sum * stiff);
        resist[0][0] += rest * lean[0] * lean[0];
        resist[0][1] += rest * lean[0] * lean[1];
        resist[1][1] += rest * lean[1] * lean[1];
        resist[1][0] = resist[0][1];
        Self {
            lean,
            give: psi.value / stiff,
            stiff,
            resist,
        }
    }

    /// `(I + resist)⁻¹`: the scaling that keeps all coefficients of the law bounded.
    pub fn inverse(&self) -> [[f64; 2]; 2] {
        let [[a, b], [_, d]] = self.resist;
        let determinant = 1.0 + a + d + (a * d - b * b).max(0.0);
        [
            [(1.0 + d) / determinant, -b / determinant],
            [-b / determinant, (1.0 + a) / determinant],
        ]
    }

    /// Right-hand sides: products towards `target`, with `again` times the second-order part of the last step.
    pub fn goals(
        &self,
        unilateral: &Unilateral,
        psi: &Pair,
        bound: &Pair,
        edges: &[(Pair, Pair)],
        target: f64,
        again: f64,
    ) -> Goals {
        let count = edges.len() as u32;
        let u = &unilateral.velocity;
        let (mut along, mut total, mut spent) = ([0.0; 2], 0.0, 0.0);
        for (k, (beta, eta)) in edges.iter().enumerate() {
            let d = cone::corner(k as u32, count);
            let open = psi.value + d[0] * u[1] + d[1] * u[2] - eta.value;
            let wanted = target - beta.value * eta.value - again * beta.step * eta.step;
            let g = (wanted - beta.value * open) / eta.value;
            along[0] += g * d[0];
            along[1] += g * d[1];
            total += g;
            spent += beta.value;
        }
        let missing = unilateral.friction * unilateral.impulse[0] - spent - bound.value;
        let wanted = target - psi.value * bound.value - again * psi.step * bound.step;
        Goals {
            along,
            psi: (wanted + psi.value * (total - missing)) / self.stiff,
        }
    }
}
