//! Perturbed complementarity of units, for the primal-dual interior point [Brüdigam2023 eq. 22-29, 34-36].
//!
//! | problem | variables beside the impulses | products that go to zero |
//! |---|---|---|
//! | normal row | gap velocity `s` | `γ s` |
//! | exact cone | `s`, `ψ`, `y` | `γ s`, `(µγ, β) ∘ (ψ, y)` in the algebra of the second-order cone |
//! | linearised cone | `s`, `ψ`, `s_ψ`, `β_i`, `η_i` | `γ s`, `ψ s_ψ`, `β_i η_i` |
//! | convex relaxation | `y` | `(µγ, β) ∘ y`, `y = (u_n/µ + shift, u_t)` |
//!
//! The exact cone is scaled after Nesterov and Todd. All are condensed to the three rows of a unit. The convex
//! relaxation always has a solution; with `shift = |u_t|` (De Saxcé) it is that of Coulomb's law.

use super::cone::{self, Section};
use super::law::Law;
use super::unit::Unit;
use crate::math::{Mat3, Vec3};

/// Which problem the interior point solves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Barrier {
    /// Coulomb's law with this section of the cone.
    Coulomb(Section),
    /// The convex relaxation on the exact cone, with a compliance [m/s per m/s of scaled impulse].
    Convex {
        /// Compliance of all rows.
        compliance: f64,
    },
}

/// Variables of one unit beside its impulses, with their steps.
#[derive(Debug, Clone)]
enum Slack {
    Normal {
        s: Pair,
    },
    Exact {
        s: Pair,
        /// `(ψ, y)`.
        dual: Conic,
    },
    Linear {
        s: Pair,
        psi: Pair,
        /// `s_ψ` and its step.
        bound: Pair,
        /// `β_i` and `η_i` of every edge.
        edges: Vec<(Pair, Pair)>,
    },
    Convex {
        dual: Conic,
        shift: f64,
    },
}

/// A number and its step.
#[derive(Debug, Clone, Copy, Default)]
struct Pair {
    value: f64,
    step: f64,
}

/// A vector in the second-order cone, its step, and the scaling between it and its partner.
#[derive(Debug, Clone, Copy)]
struct Conic {
    value: Vec3,
    step: Vec3,
    /// `W`, symmetric, with `W w = W⁻¹ y`.
    scale: Mat3,
    inverse: Mat3,
}

/// The interior point's variables of all units.
#[derive(Debug, Clone, Default)]
pub struct Interior {
    slacks: Vec<Slack>,
}

impl Pair {
    fn new(value: f64) -> Self {
        Self { value, step: 0.0 }
    }

    fn limit(&self) -> f64 {
        limit(self.value, self.step)
    }

    fn advance(&mut self, length: f64) {
        self.value += length * self.step;
    }
}

/// Largest part of a step that keeps a number positive.
fn limit(value: f64, step: f64) -> f64 {
    if step < 0.0 {
        -value / step
    } else {
        f64::INFINITY
    }
}

/// Largest part of a step that keeps a vector in the second-order cone.
fn cone_limit(x: &Vec3, d: &Vec3) -> f64 {
    let a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    let c = determinant(x);
    // Smallest positive root of a t² + 2 b t + c, and the way to the tip.
    let tip = limit(x[0], d[0]);
    let disc = b * b - a * c;
    if disc < 0.0 {
        return tip;
    }
    let q = -(b + disc.sqrt().copysign(b));
    let roots = [c / q, q / a];
    let positive = roots.into_iter().filter(|t| *t > 0.0);
    positive.fold(tip, f64::min)
}

fn determinant(x: &Vec3) -> f64 {
    let t = x[1].hypot(x[2]);
    (x[0] - t) * (x[0] + t)
}

/// `a ∘ b`.
fn product(a: &Vec3, b: &Vec3) -> Vec3 {
    Vec3::new(
        a.dot(b),
        a[0] * b[1] + b[0] * a[1],
        a[0] * b[2] + b[0] * a[2],
    )
}

/// `x` with `a ∘ x = b`.
fn quotient(a: &Vec3, b: &Vec3) -> Vec3 {
    let x0 = (a[0] * b[0] - a[1] * b[1] - a[2] * b[2]) / determinant(a);
    Vec3::new(x0, (b[1] - x0 * a[1]) / a[0], (b[2] - x0 * a[2]) / a[0])
}

impl Conic {
    fn new(value: Vec3) -> Self {
        Self {
            value,
            step: Vec3::zeros(),
            scale: Mat3::identity(),
            inverse: Mat3::identity(),
        }
    }

    /// Scales by the point between `w` and the value; returns `H = W²`.
    fn rescale(&mut self, w: &Vec3) -> Mat3 {
        let (dw, dy) = (determinant(w), determinant(&self.value));
        let (wn, yn) = (w / dw.sqrt(), self.value / dy.sqrt());
        let half = ((1.0 + wn.dot(&yn)) * 0.5).sqrt();
        let mirrored = Vec3::new(wn[0], -wn[1], -wn[2]);
        let middle = (yn + mirrored) / (2.0 * half);
        let beta = (dy / dw).sqrt().sqrt();
        let j = Mat3::from_diagonal(&Vec3::new(1.0, -1.0, -1.0));
        let v = (middle + Vec3::x()) / (2.0 * (middle[0] + 1.0)).sqrt();
        let plain = v * v.transpose() * 2.0 - j;
        self.scale = plain * beta;
        // The inverse of 2 v vᵀ - J is J (2 v vᵀ - J) J.
        self.inverse = (j * plain * j) / beta;
        (middle * middle.transpose() * 2.0 - j) * (beta * beta)
    }

    /// Right-hand side of `H δw + δy`: towards `target e`, with the second-order part of a step `(δw, δy)`.
    fn aim(&self, w: &Vec3, target: f64, second: Option<(Vec3, Vec3)>) -> Vec3 {
        let lambda = self.scale * w;
        let mut wanted = Vec3::x() * target - product(&lambda, &lambda);
        if let Some((dw, dy)) = second {
            wanted -= product(&(self.inverse * dy), &(self.scale * dw));
        }
        self.scale * quotient(&lambda, &wanted)
    }
}

/// `(µγ, β)`.
fn primal(unit: &Unit, impulse: &[f64; 3]) -> Vec3 {
    Vec3::new(unit.friction * impulse[0], impulse[1], impulse[2])
}

impl Interior {
    /// Starts all units centred: impulses and gap velocities of size `delta`, no friction.
    pub fn start(&mut self, units: &mut [Unit], barrier: Barrier, delta: f64, shifts: &[f64]) {
        self.slacks.clear();
        for (k, unit) in units.iter_mut().enumerate() {
            unit.impulse = [delta, 0.0, 0.0];
            let s = Pair::new(delta);
            let tip = Vec3::x() * (delta / unit.friction);
            self.slacks.push(match barrier {
                _ if unit.rows == 1 => Slack::Normal { s },
                Barrier::Coulomb(Section::Disc) => Slack::Exact {
                    s,
                    dual: Conic::new(tip),
                },
                Barrier::Coulomb(Section::Polygon(edges)) => {
                    // Half of the bound is spread over all edges.
                    let bound = 0.5 * unit.friction * delta;
                    let beta = bound / f64::from(edges);
                    let edge = (Pair::new(beta), Pair::new(delta * delta / beta));
                    Slack::Linear {
                        s,
                        psi: Pair::new(delta * delta / bound),
                        bound: Pair::new(bound),
                        edges: vec![edge; edges as usize],
                    }
                }
                Barrier::Convex { .. } => Slack::Convex {
                    dual: Conic::new(tip),
                    shift: shifts.get(k).copied().unwrap_or(0.0),
                },
            });
        }
    }

    /// Mean and largest product of complementary variables [(m/s)²].
    pub fn complementarity(&self, units: &[Unit]) -> (f64, f64) {
        self.products(units, 0.0)
    }

    /// The same after a part of the step.
    pub fn products(&self, units: &[Unit], part: f64) -> (f64, f64) {
        let (mut sum, mut count, mut largest) = (0.0, 0.0_f64, 0.0_f64);
        let mut take = |x: f64| {
            sum += x;
            count += 1.0;
            largest = largest.max(x);
        };
        let at = |p: &Pair| p.value + part * p.step;
        for (unit, slack) in units.iter().zip(&self.slacks) {
            let r: [f64; 3] = std::array::from_fn(|k| unit.impulse[k] + part * unit.change[k]);
            match slack {
                Slack::Normal { s } => take(r[0] * at(s)),
                Slack::Exact { s, dual } => {
                    take(r[0] * at(s));
                    take(primal(unit, &r).dot(&(dual.value + dual.step * part)));
                }
                Slack::Linear {
                    s,
                    psi,
                    bound,
                    edges,
                } => {
                    take(r[0] * at(s));
                    take(at(psi) * at(bound));
                    edges.iter().for_each(|(b, e)| take(at(b) * at(e)));
                }
                Slack::Convex { dual, .. } => {
                    take(primal(unit, &r).dot(&(dual.value + dual.step * part)));
                }
            }
        }
        (sum / count.max(1.0), largest)
    }

    /// Largest residual of the slack variables against what they stand for [m/s].
    pub fn infeasibility(&self, units: &[Unit], barrier: Barrier) -> f64 {
        let mut worst = 0.0_f64;
        for (unit, slack) in units.iter().zip(&self.slacks) {
            let u = &unit.velocity;
            let found = match slack {
                Slack::Normal { s } => (u[0] - s.value).abs(),
                Slack::Exact { s, dual } => {
                    let t = (u[1] - dual.value[1]).hypot(u[2] - dual.value[2]);
                    (u[0] - s.value).abs().max(t)
                }
                Slack::Linear {
                    s,
                    psi,
                    bound,
                    edges,
                } => {
                    let spent: f64 = edges.iter().map(|(b, _)| b.value).sum();
                    let mut found = (u[0] - s.value).abs();
                    found =
                        found.max((unit.friction * unit.impulse[0] - spent - bound.value).abs());
                    for (k, (_, eta)) in edges.iter().enumerate() {
                        let d = cone::corner(k as u32, edges.len() as u32);
                        let r = psi.value + d[0] * u[1] + d[1] * u[2] - eta.value;
                        found = found.max(r.abs());
                    }
                    found
                }
                Slack::Convex { dual, shift } => {
                    (separation(unit, *shift, barrier) - dual.value).norm()
                }
            };
            worst = if found > worst || found.is_nan() {
                found
            } else {
                worst
            };
        }
        worst
    }

    /// The law of unit `k` at the point reached, to be aimed with [`aim`](Self::aim).
    pub fn law(&mut self, k: usize, unit: &Unit, barrier: Barrier) -> Law {
        let mut law = Law::default();
        let gamma = unit.impulse[0];
        if let Slack::Normal { s } | Slack::Exact { s, .. } | Slack::Linear { s, .. } =
            &self.slacks[k]
        {
            law.c[(0, 0)] = s.value / gamma;
            law.e[(0, 0)] = 1.0;
        }
        match &mut self.slacks[k] {
            Slack::Normal { .. } => {}
            Slack::Exact { dual, .. } => {
                let h = dual.rescale(&primal(unit, &unit.impulse));
                for i in 1..3 {
                    for j in 1..3 {
                        law.c[(i, j)] = h[(i, j)];
                        law.e[(i, j)] = f64::from(u8::from(i == j));
                    }
                    law.c[(i, 0)] = unit.friction * h[(i, 0)];
                }
            }
            Slack::Linear {
                psi, bound, edges, ..
            } => {
                let e = Edges::of(psi, bound, edges);
                let resist = e.inverse();
                for i in 0..2 {
                    for j in 0..2 {
                        law.c[(1 + i, 1 + j)] = resist[i][j];
                        law.e[(1 + i, 1 + j)] = f64::from(u8::from(i == j)) - resist[i][j];
                    }
                    let lever = resist[i][0] * e.lean[0] + resist[i][1] * e.lean[1];
                    law.c[(1 + i, 0)] = -unit.friction * e.give * lever;
                }
            }
            Slack::Convex { dual, .. } => {
                let h = dual.rescale(&primal(unit, &unit.impulse));
                let d = Mat3::from_diagonal(&Vec3::new(1.0 / unit.friction, 1.0, 1.0));
                law.c = h * Mat3::from_diagonal(&Vec3::new(unit.friction, 1.0, 1.0));
                if let Barrier::Convex { compliance } = barrier {
                    law.c += d * compliance;
                }
                law.e = d;
            }
        }
        law
    }

    /// Right-hand side of the law of unit `k`: products towards `target`, with the second-order part of the last
    /// step if wanted.
    pub fn aim(&self, k: usize, unit: &Unit, barrier: Barrier, target: f64, second: bool) -> Vec3 {
        let u = &unit.velocity;
        let again = f64::from(u8::from(second));
        let dw = primal(unit, &unit.change);
        let normal = |s: &Pair| {
            let bent = again * unit.change[0] * s.step;
            (target - bent) / unit.impulse[0] - u[0]
        };
        let w = primal(unit, &unit.impulse);
        match &self.slacks[k] {
            Slack::Normal { s } => Vec3::new(normal(s), 0.0, 0.0),
            Slack::Exact { s, dual } => {
                let aim = dual.aim(&w, target, second.then_some((dw, dual.step)));
                Vec3::new(
                    normal(s),
                    aim[1] - (u[1] - dual.value[1]),
                    aim[2] - (u[2] - dual.value[2]),
                )
            }
            Slack::Linear {
                s,
                psi,
                bound,
                edges,
            } => {
                let e = Edges::of(psi, bound, edges);
                let goals = e.goals(unit, psi, bound, edges, target, again);
                let resist = e.inverse();
                let push = [0, 1].map(|i| goals.along[i] - e.lean[i] * goals.psi);
                Vec3::new(
                    normal(s),
                    resist[0][0] * push[0] + resist[0][1] * push[1],
                    resist[1][0] * push[0] + resist[1][1] * push[1],
                )
            }
            Slack::Convex { dual, shift } => {
                let aim = dual.aim(&w, target, second.then_some((dw, dual.step)));
                aim - (separation(unit, *shift, barrier) - dual.value)
            }
        }
    }

    /// Steps of the slack variables of unit `k` for the change of its impulses and of its velocities. `target` and
    /// `second` are those that were aimed at.
    pub fn follow(
        &mut self,
        k: usize,
        unit: &Unit,
        moved: &Vec3,
        barrier: Barrier,
        (target, second): (f64, bool),
    ) {
        let u = &unit.velocity;
        let w = primal(unit, &unit.impulse);
        let dw = primal(unit, &unit.change);
        if let Slack::Normal { s } | Slack::Exact { s, .. } | Slack::Linear { s, .. } =
            &mut self.slacks[k]
        {
            s.step = moved[0] + u[0] - s.value;
        }
        match &mut self.slacks[k] {
            Slack::Normal { .. } => {}
            Slack::Exact { dual, .. } => {
                let aim = dual.aim(&w, target, second.then_some((dw, dual.step)));
                // The step of ψ closes the first row of H δw + δy.
                let h = dual.scale * dual.scale;
                let first = aim[0] - h.row(0).dot(&dw.transpose());
                dual.step = Vec3::new(
                    first,
                    moved[1] + u[1] - dual.value[1],
                    moved[2] + u[2] - dual.value[2],
                );
            }
            Slack::Linear {
                psi, bound, edges, ..
            } => {
                let e = Edges::of(psi, bound, edges);
                let again = f64::from(u8::from(second));
                let goals = e.goals(unit, psi, bound, edges, target, again);
                let lean = e.lean[0] * moved[1] + e.lean[1] * moved[2];
                let turn = goals.psi - e.give * (unit.friction * unit.change[0] + lean);
                let spent: f64 = edges.iter().map(|(b, _)| b.value).sum();
                let mut spending = 0.0;
                let count = edges.len() as u32;
                for (i, (beta, eta)) in edges.iter_mut().enumerate() {
                    let d = cone::corner(i as u32, count);
                    let open = psi.value + d[0] * u[1] + d[1] * u[2] - eta.value;
                    let bent = again * beta.step * eta.step;
                    let rise = turn + d[0] * moved[1] + d[1] * moved[2] + open;
                    let wanted = target - beta.value * eta.value - bent;
                    beta.step = (wanted - beta.value * rise) / eta.value;
                    eta.step = rise;
                    spending += beta.step;
                }
                let missing = unit.friction * unit.impulse[0] - spent - bound.value;
                bound.step = unit.friction * unit.change[0] - spending + missing;
                psi.step = turn;
            }
            Slack::Convex { dual, shift } => {
                let gap = separation(unit, *shift, barrier) - dual.value;
                let compliance = match barrier {
                    Barrier::Convex { compliance } => compliance,
                    Barrier::Coulomb(_) => 0.0,
                };
                let change = moved + Vec3::from(unit.change) * compliance;
                dual.step = Vec3::new(change[0] / unit.friction, change[1], change[2]) + gap;
            }
        }
    }

    /// Largest part of the step that keeps all variables of all units inside.
    pub fn limit(&self, units: &[Unit]) -> f64 {
        let mut least = f64::INFINITY;
        for (unit, slack) in units.iter().zip(&self.slacks) {
            let gamma = limit(unit.impulse[0], unit.change[0]);
            let (w, dw) = (primal(unit, &unit.impulse), primal(unit, &unit.change));
            let found = match slack {
                Slack::Normal { s } => gamma.min(s.limit()),
                Slack::Exact { s, dual } => {
                    let cones = cone_limit(&w, &dw).min(cone_limit(&dual.value, &dual.step));
                    gamma.min(s.limit()).min(cones)
                }
                Slack::Linear {
                    s,
                    psi,
                    bound,
                    edges,
                } => {
                    let all = edges.iter().map(|(b, e)| b.limit().min(e.limit()));
                    let own = gamma.min(s.limit()).min(psi.limit()).min(bound.limit());
                    all.fold(own, f64::min)
                }
                Slack::Convex { dual, .. } => {
                    cone_limit(&w, &dw).min(cone_limit(&dual.value, &dual.step))
                }
            };
            least = least.min(found);
        }
        least
    }

    /// Takes a part of the step of all slack variables.
    pub fn advance(&mut self, part: f64) {
        for slack in &mut self.slacks {
            match slack {
                Slack::Normal { s } => s.advance(part),
                Slack::Exact { s, dual } => {
                    s.advance(part);
                    dual.value += dual.step * part;
                }
                Slack::Linear {
                    s,
                    psi,
                    bound,
                    edges,
                } => {
                    s.advance(part);
                    psi.advance(part);
                    bound.advance(part);
                    for (beta, eta) in edges {
                        beta.advance(part);
                        eta.advance(part);
                    }
                }
                Slack::Convex { dual, .. } => dual.value += dual.step * part,
            }
        }
    }
}

/// `(u_n/µ + shift, u_t)` with compliance: what is in the dual cone in the convex relaxation.
fn separation(unit: &Unit, shift: f64, barrier: Barrier) -> Vec3 {
    let compliance = match barrier {
        Barrier::Convex { compliance } => compliance,
        Barrier::Coulomb(_) => 0.0,
    };
    let v: [f64; 3] = std::array::from_fn(|k| unit.velocity[k] + compliance * unit.impulse[k]);
    Vec3::new(v[0] / unit.friction + shift, v[1], v[2])
}

/// Sums over the edges of a linearised cone. With `h_i = β_i/η_i` the edges resist slip by
/// `δr_t = along - lean δψ - Σ h_i d_i d_iᵀ δu`, and eliminating `ψ` leaves `resist`.
struct Edges {
    /// `Σ h_i d_i`.
    lean: [f64; 2],
    /// `ψ / (s_ψ + ψ Σ h_i)`.
    give: f64,
    /// `s_ψ + ψ Σ h_i`.
    stiff: f64,
    /// `Σ h_i d_i d_iᵀ - give · lean leanᵀ`, summed without cancellation.
    resist: [[f64; 2]; 2],
}

/// What the right-hand side asks of the edges.
struct Goals {
    along: [f64; 2],
    psi: f64,
}

impl Edges {
    fn of(psi: &Pair, bound: &Pair, edges: &[(Pair, Pair)]) -> Self {
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
    fn inverse(&self) -> [[f64; 2]; 2] {
        let [[a, b], [_, d]] = self.resist;
        let determinant = 1.0 + a + d + (a * d - b * b).max(0.0);
        [
            [(1.0 + d) / determinant, -b / determinant],
            [-b / determinant, (1.0 + a) / determinant],
        ]
    }

    fn goals(
        &self,
        unit: &Unit,
        psi: &Pair,
        bound: &Pair,
        edges: &[(Pair, Pair)],
        target: f64,
        again: f64,
    ) -> Goals {
        let count = edges.len() as u32;
        let u = &unit.velocity;
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
        let missing = unit.friction * unit.impulse[0] - spent - bound.value;
        let wanted = target - psi.value * bound.value - again * psi.step * bound.step;
        Goals {
            along,
            psi: (wanted + psi.value * (total - missing)) / self.stiff,
        }
    }
}
