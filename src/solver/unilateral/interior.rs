//! Perturbed complementarity of unilateral constraints, for the primal-dual interior point [Brüdigam2023 eq. 22-29,
//! 34-36].
//!
//! | problem | variables beside the impulses | products that go to zero |
//! |---|---|---|
//! | normal row | gap velocity `s`, with the relaxation's compliance where there is one | `γ s` |
//! | exact cone | `s`, `ψ`, `y` | `γ s`, `(µγ, β) ∘ (ψ, y)` in the algebra of the second-order cone |
//! | linearised cone | `s`, `ψ`, `s_ψ`, `β_i`, `η_i` | `γ s`, `ψ s_ψ`, `β_i η_i` |
//! | convex relaxation | `y` | `(µγ, β) ∘ y`, `y = (u_n/µ + shift, u_t)` |
//!
//! The exact cone is scaled [NesterovTodd1997]. All are condensed to the three rows of a unilateral constraint. The
//! convex relaxation [Anitescu2006] always has a solution; with `shift = |u_t|` [DeSaxce1998] it is that of Coulomb's
//! law.

use super::cone::{self, ConeSection};
use super::conic::{Conic, limit as cone_limit};
use super::constraint::Unilateral;
use super::edges::Edges;
use super::law::Law;
use super::pair::{Pair, limit};
use crate::math::Vec3;

/// Which problem the interior point solves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Barrier {
    /// Coulomb's law with this section of the cone.
    Coulomb(ConeSection),
    /// The convex relaxation on the exact cone, with a compliance [m/s per m/s of scaled impulse].
    Convex {
        /// Compliance of all rows.
        compliance: f64,
    },
}

impl Barrier {
    fn compliance(self) -> f64 {
        let Self::Convex { compliance } = self else {
            return 0.0;
        };
        compliance
    }
}

/// A symmetric matrix in the tangent plane from its values along a direction and across it.
fn plane([x, y]: [f64; 2], [along, across]: [f64; 2]) -> [[f64; 2]; 2] {
    let mixed = (along - across) * x * y;
    [
        [along * x * x + across * y * y, mixed],
        [mixed, along * y * y + across * x * x],
    ]
}

/// Variables of one unilateral constraint beside its impulses, with their steps.
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

/// The interior point's variables of all unilateral constraints.
#[derive(Debug, Clone, Default)]
pub struct Interior {
    slacks: Vec<Slack>,
    /// Room for edges that no unilateral constraint has at present.
    spare: Vec<Vec<(Pair, Pair)>>,
}

/// `(µγ, β)`.
fn primal(unilateral: &Unilateral, impulse: &[f64; 3]) -> Vec3 {
    Vec3::new(unilateral.friction * impulse[0], impulse[1], impulse[2])
}

/// A dual `(ψ, slip)` with `(µγ, β) ∘ (ψ, slip) = product e` for `µγ = product / height`; sets `β`.
fn centred(unilateral: &mut Unilateral, height: f64, slip: [f64; 2], product: f64) -> Conic {
    let fast = slip[0].hypot(slip[1]);
    let psi = 0.5 * (height + height.hypot(2.0 * fast));
    // ψ² - |slip|², which is ψ times the height.
    let pull = product / (psi * height);
    unilateral.impulse = [
        pull * psi / unilateral.friction,
        -pull * slip[0],
        -pull * slip[1],
    ];
    Conic::new(Vec3::new(psi, slip[0], slip[1]))
}

impl Interior {
    /// Starts all unilateral constraints centred, with all products `delta²`: gap velocities as they are and at least
    /// `delta`, slips as they are, friction against them.
    pub fn start(
        &mut self,
        unilaterals: &mut [Unilateral],
        barrier: Barrier,
        delta: f64,
        shifts: &[f64],
    ) {
        for slack in self.slacks.drain(..) {
            if let Slack::Linear { edges, .. } = slack {
                self.spare.push(edges);
            }
        }
        let product = delta * delta;
        for (k, unilateral) in unilaterals.iter_mut().enumerate() {
            let open = unilateral.velocity[0].max(delta);
            let slip = [unilateral.velocity[1], unilateral.velocity[2]];
            unilateral.impulse = [product / open, 0.0, 0.0];
            let s = Pair::new(open);
            self.slacks.push(match barrier {
                _ if unilateral.rows == 1 => Slack::Normal { s },
                Barrier::Coulomb(ConeSection::Disc) => Slack::Exact {
                    s,
                    dual: centred(unilateral, open / unilateral.friction, slip, product),
                },
                Barrier::Coulomb(ConeSection::Polygon(count)) => {
                    // So far from the slip that all edges and the bound together take what friction there is.
                    let parts = f64::from(count + 1);
                    let psi = slip[0].hypot(slip[1]) + parts * open / unilateral.friction;
                    let edge = |i| {
                        let d = cone::corner(i, count);
                        let eta = psi + d[0] * slip[0] + d[1] * slip[1];
                        (Pair::new(product / eta), Pair::new(eta))
                    };
                    let mut edges = self.spare.pop().unwrap_or_default();
                    edges.clear();
                    edges.extend((0..count).map(edge));
                    Slack::Linear {
                        s,
                        psi: Pair::new(psi),
                        bound: Pair::new(product / psi),
                        edges,
                    }
                }
                Barrier::Convex { .. } => {
                    let shift = shifts.get(k).copied().unwrap_or(0.0);
                    let height = (unilateral.velocity[0] / unilateral.friction + shift)
                        .max(delta / unilateral.friction);
                    let dual = centred(unilateral, height, slip, product);
                    Slack::Convex { dual, shift }
                }
            });
        }
    }

    /// Turns the point of a convex relaxation into one of Coulomb's law, with products of about `product`.
    pub fn tighten(&mut self, unilaterals: &[Unilateral], product: f64) {
        for (unilateral, slack) in unilaterals.iter().zip(&mut self.slacks) {
            if let Slack::Convex { dual, .. } = slack {
                let s = unilateral.velocity[0].max(product / unilateral.impulse[0]);
                *slack = Slack::Exact {
                    s: Pair::new(s),
                    dual: *dual,
                };
            }
        }
    }
    /// Mean and largest product of complementary variables [(m/s)²].
    pub fn complementarity(&self, unilaterals: &[Unilateral]) -> (f64, f64) {
        self.products(unilaterals, 0.0)
    }

    /// The same after a part of the step.
    pub fn products(&self, unilaterals: &[Unilateral], part: f64) -> (f64, f64) {
        let (mut sum, mut count, mut largest) = (0.0, 0.0_f64, 0.0_f64);
        let mut take = |x: f64| {
            sum += x;
            count += 1.0;
            largest = largest.max(x);
        };
        let at = |p: &Pair| p.value + part * p.step;
        for (unilateral, slack) in unilaterals.iter().zip(&self.slacks) {
            let r: [f64; 3] =
                std::array::from_fn(|k| unilateral.impulse[k] + part * unilateral.change[k]);
            match slack {
                Slack::Normal { s } => take(r[0] * at(s)),
                Slack::Exact { s, dual } => {
                    take(r[0] * at(s));
                    take(primal(unilateral, &r).dot(&(dual.value + dual.step * part)));
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
                    take(primal(unilateral, &r).dot(&(dual.value + dual.step * part)));
                }
            }
        }
        (sum / count.max(1.0), largest)
    }

    /// Largest residual of the slack variables against what they stand for [m/s].
    pub fn infeasibility(&self, unilaterals: &[Unilateral], barrier: Barrier) -> f64 {
        let mut worst = 0.0_f64;
        for (unilateral, slack) in unilaterals.iter().zip(&self.slacks) {
            let u = &unilateral.velocity;
            let found = match slack {
                Slack::Normal { s } => (normal_gap(unilateral, barrier) - s.value).abs(),
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
                    let missing = unilateral.friction * unilateral.impulse[0] - spent - bound.value;
                    let mut found = (u[0] - s.value).abs().max(missing.abs());
                    for (k, (_, eta)) in edges.iter().enumerate() {
                        let d = cone::corner(k as u32, edges.len() as u32);
                        let r = psi.value + d[0] * u[1] + d[1] * u[2] - eta.value;
                        found = found.max(r.abs());
                    }
                    found
                }
                Slack::Convex { dual, shift } => {
                    (separation(unilateral, *shift, barrier) - dual.value).norm()
                }
            };
            if found > worst || found.is_nan() {
                worst = found;
            }
        }
        worst
    }

    /// The law of unilateral constraint `k` at the point reached, to be aimed with [`aim`](Self::aim).
    pub fn law(&mut self, k: usize, unilateral: &Unilateral, barrier: Barrier) -> Law {
        let mut law = Law::default();
        let gamma = unilateral.impulse[0];
        if let Slack::Normal { s } | Slack::Exact { s, .. } | Slack::Linear { s, .. } =
            &self.slacks[k]
        {
            let sum = s.value + gamma;
            law.c[(0, 0)] = (s.value + barrier.compliance() * gamma) / sum;
            law.e[(0, 0)] = gamma / sum;
        }
        match &mut self.slacks[k] {
            Slack::Normal { .. } => {}
            Slack::Exact { dual, .. } => {
                dual.rescale(&primal(unilateral, &unilateral.impulse));
                let [along, across, lever] = dual.tangential();
                let (tangential, shrink) = (
                    dual.direction(),
                    [1.0 / (1.0 + along), 1.0 / (1.0 + across)],
                );
                let e = plane(tangential, shrink);
                let c = plane(tangential, [along * shrink[0], across * shrink[1]]);
                for i in 0..2 {
                    for j in 0..2 {
                        law.c[(1 + i, 1 + j)] = c[i][j];
                        law.e[(1 + i, 1 + j)] = e[i][j];
                    }
                    law.c[(1 + i, 0)] = unilateral.friction * lever * shrink[0] * tangential[i];
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
                    law.c[(1 + i, 0)] = -unilateral.friction * e.give * lever;
                }
            }
            Slack::Convex { dual, .. } => {
                dual.rescale(&primal(unilateral, &unilateral.impulse));
                let compliance = barrier.compliance();
                for (k, scale) in [unilateral.friction, 1.0, 1.0].into_iter().enumerate() {
                    let unit_vector = Vec3::ith(k, 1.0);
                    let bounded = dual.map(|e| e * e / (1.0 + e * e), &unit_vector);
                    let shrunk = dual.map(|e| 1.0 / (1.0 + e * e), &unit_vector) / scale;
                    law.c
                        .set_column(k, &(bounded * scale + shrunk * compliance));
                    law.e.set_column(k, &shrunk);
                }
            }
        }
        law
    }

    /// Right-hand side of the law of unilateral constraint `k`: products towards `target`, with the second-order part
    /// of the last step if wanted.
    pub fn aim(
        &mut self,
        k: usize,
        unilateral: &Unilateral,
        barrier: Barrier,
        target: f64,
        second: bool,
    ) -> Vec3 {
        let u = &unilateral.velocity;
        let again = f64::from(u8::from(second));
        let dw = primal(unilateral, &unilateral.change);
        let gap = normal_gap(unilateral, barrier);
        let normal = |s: &mut Pair| {
            let bent = again * unilateral.change[0] * s.step;
            let sum = s.value + unilateral.impulse[0];
            s.goal = target - bent - unilateral.impulse[0] * s.value;
            (target - bent - unilateral.impulse[0] * gap) / sum
        };
        let w = primal(unilateral, &unilateral.impulse);
        match &mut self.slacks[k] {
            Slack::Normal { s } => Vec3::new(normal(s), 0.0, 0.0),
            Slack::Exact { s, dual } => {
                let aim = dual.aim(&w, target, second.then_some(dw));
                let [along, across, _] = dual.tangential();
                let shrink = [1.0 / (1.0 + along), 1.0 / (1.0 + across)];
                let e = plane(dual.direction(), shrink);
                let wanted = [1, 2].map(|i| aim[i] - (u[i] - dual.value[i]));
                Vec3::new(
                    normal(s),
                    e[0][0] * wanted[0] + e[0][1] * wanted[1],
                    e[1][0] * wanted[0] + e[1][1] * wanted[1],
                )
            }
            Slack::Linear {
                s,
                psi,
                bound,
                edges,
            } => {
                let e = Edges::of(psi, bound, edges);
                let goals = e.goals(unilateral, psi, bound, edges, target, again);
                let resist = e.inverse();
                let push = [0, 1].map(|i| goals.along[i] - e.lean[i] * goals.psi);
                Vec3::new(
                    normal(s),
                    resist[0][0] * push[0] + resist[0][1] * push[1],
                    resist[1][0] * push[0] + resist[1][1] * push[1],
                )
            }
            Slack::Convex { dual, shift } => {
                let aim = dual.aim(&w, target, second.then_some(dw));
                let wanted = aim - (separation(unilateral, *shift, barrier) - dual.value);
                dual.map(|e| 1.0 / (1.0 + e * e), &wanted)
            }
        }
    }

    /// Steps of the slack variables of unilateral constraint `k` for the change of its impulses and of its velocities;
    /// corrects the former by the error of the linear solution. `target` and `second` are those that were aimed at.
    pub fn follow(
        &mut self,
        k: usize,
        unilateral: &mut Unilateral,
        moved: &Vec3,
        barrier: Barrier,
        (target, second): (f64, bool),
    ) {
        let u = &unilateral.velocity;
        if let Slack::Normal { s } | Slack::Exact { s, .. } | Slack::Linear { s, .. } =
            &mut self.slacks[k]
        {
            let yielding = barrier.compliance() * unilateral.change[0];
            let step = moved[0] + yielding + normal_gap(unilateral, barrier) - s.value;
            s.settle(step, unilateral.impulse[0], &mut unilateral.change[0]);
        }
        let mut dw = primal(unilateral, &unilateral.change);
        match &mut self.slacks[k] {
            Slack::Normal { .. } => {}
            Slack::Exact { dual, .. } => {
                let slip = [1, 2].map(|i| moved[i] + u[i] - dual.value[i]);
                let given = dw[0];
                dual.settle(None, slip, &mut dw);
                // Where one end of the partner has moved, it is its tangential part that is free to.
                let [dx, dy] = dual.direction();
                let lean = given - dw[0];
                unilateral.change[1] = dw[1] - lean * dx;
                unilateral.change[2] = dw[2] - lean * dy;
            }
            Slack::Linear {
                psi, bound, edges, ..
            } => {
                let e = Edges::of(psi, bound, edges);
                let again = f64::from(u8::from(second));
                let goals = e.goals(unilateral, psi, bound, edges, target, again);
                let lean = e.lean[0] * moved[1] + e.lean[1] * moved[2];
                let turn = goals.psi - e.give * (unilateral.friction * unilateral.change[0] + lean);
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
                let missing = unilateral.friction * unilateral.impulse[0] - spent - bound.value;
                bound.step = unilateral.friction * unilateral.change[0] - spending + missing;
                psi.step = turn;
            }
            Slack::Convex { dual, shift } => {
                let gap = separation(unilateral, *shift, barrier) - dual.value;
                let compliance = barrier.compliance();
                let change = moved + Vec3::from(unilateral.change) * compliance;
                let first = change[0] / unilateral.friction + gap[0];
                dual.settle(
                    Some(first),
                    [change[1] + gap[1], change[2] + gap[2]],
                    &mut dw,
                );
                unilateral.change = [dw[0] / unilateral.friction, dw[1], dw[2]];
            }
        }
    }

    /// Largest part of the step that keeps all variables of all unilateral constraints inside.
    pub fn limit(&self, unilaterals: &[Unilateral]) -> f64 {
        let mut least = f64::INFINITY;
        for (unilateral, slack) in unilaterals.iter().zip(&self.slacks) {
            let gamma = limit(unilateral.impulse[0], unilateral.change[0]);
            let (w, dw) = (
                primal(unilateral, &unilateral.impulse),
                primal(unilateral, &unilateral.change),
            );
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

/// Gap velocity with compliance, which Coulomb's law has none of: what is not negative beside the cones.
fn normal_gap(unilateral: &Unilateral, barrier: Barrier) -> f64 {
    unilateral.velocity[0] + barrier.compliance() * unilateral.impulse[0]
}

/// `(u_n/µ + shift, u_t)` with compliance: what is in the dual cone in the convex relaxation.
fn separation(unilateral: &Unilateral, shift: f64, barrier: Barrier) -> Vec3 {
    let compliance = barrier.compliance();
    let v: [f64; 3] =
        std::array::from_fn(|k| unilateral.velocity[k] + compliance * unilateral.impulse[k]);
    Vec3::new(v[0] / unilateral.friction + shift, v[1], v[2])
}
