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
use steps::{normal_gap, separation};

mod steps;

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

    /// Largest residual of the slack variables against what they stand for (m/s).
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
