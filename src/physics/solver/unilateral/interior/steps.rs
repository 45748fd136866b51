//! The linearised law of the interior point: its matrices, where it aims, and the steps of the slack variables.

use super::*;

impl Interior {
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
}

/// Gap velocity with compliance, which Coulomb's law has none of: what is not negative beside the cones.
pub fn normal_gap(unilateral: &Unilateral, barrier: Barrier) -> f64 {
    unilateral.velocity[0] + barrier.compliance() * unilateral.impulse[0]
}

/// `(u_n/µ + shift, u_t)` with compliance: what is in the dual cone in the convex relaxation.
pub fn separation(unilateral: &Unilateral, shift: f64, barrier: Barrier) -> Vec3 {
    let compliance = barrier.compliance();
    let v: [f64; 3] =
        std::array::from_fn(|k| unilateral.velocity[k] + compliance * unilateral.impulse[k]);
    Vec3::new(v[0] / unilateral.friction + shift, v[1], v[2])
}
