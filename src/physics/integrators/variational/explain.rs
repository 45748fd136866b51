//! What a step that no fallback saved says: the law that is broken, where, and what helps.

use super::Variational;
use super::newton::{Broken, Failure, LEAP, Pair};
use crate::integrators::{Settings, StepError, StepReport};
use crate::model::{BodyId, Joint, Model, State};
use crate::solver::{EASY, Unilateral};

impl Variational {
    /// The error of a step from a state that ended in a failure.
    pub(super) fn explain(
        &self,
        model: &Model,
        state: &State,
        settings: &Settings,
        report: &StepReport,
        failure: &Failure,
    ) -> StepError {
        let errors = &failure.errors;
        let body = name(model, Some(BodyId(errors.body)));
        let joint = errors
            .joint
            .map(|j| format!("joint `{}`", model.joints[j].name));
        if failure.inconsistent {
            let place = joint.unwrap_or(body);
            return StepError::Inconsistent {
                place,
                constraint: errors.constraint,
            };
        }
        if !errors.balance.is_finite() || !errors.constraint.is_finite() {
            return StepError::non_finite(self.info, body, state.time);
        }
        if let Some(broken) = failure.broken {
            let law = self.law(model, broken, failure);
            return StepError::TooLong {
                time: state.time,
                law: format!(
                    "even in an interval of {:.3e} s {law}; take a smaller dt before this moment, or weaken what drives \
                     these bodies",
                    failure.dt.abs()
                ),
            };
        }
        let residual = errors.balance;
        let balanced = residual <= settings.tolerance;
        StepError::NotConverged {
            time: state.time,
            iterations: report.iterations,
            residual,
            constraint: errors.constraint,
            place: match joint {
                Some(joint) if balanced || errors.constraint > settings.tolerance => joint,
                _ => body,
            },
        }
    }

    /// The law that a motion breaks, and the bodies.
    fn law(&self, model: &Model, broken: Broken, failure: &Failure) -> String {
        let turning = failure.errors.body;
        let body = name(model, Some(BodyId(turning)));
        match broken {
            Broken::Fold => format!(
                "{body} turns by a quarter turn or more, where its discrete rotation ends{}",
                self.holder(model, turning)
            ),
            Broken::Turn => format!(
                "{body} turns by more than {EASY} rad in an interval of a step that had to be cut{}",
                self.holder(model, turning)
            ),
            Broken::Leap => format!(
                "the angular velocity of {body} changes by more than {:.3e} rad/s from the one before, beyond which the \
                 motion found may be another one{}",
                2.0 * LEAP / failure.dt.abs(),
                self.holder(model, turning)
            ),
            Broken::Penetration(pair) => format!(
                "{} would end in each other by {:.3e} of their size",
                names(model, pair),
                failure.errors.constraint
            ),
            Broken::Midway(pair) => format!(
                "{} would be in each other by {:.3e} of their size on their way",
                names(model, pair),
                failure.errors.constraint
            ),
            Broken::Unsolved(pair) => format!(
                "the budget for contacts would leave {} in each other by {:.3e} of their size",
                names(model, pair),
                failure.errors.constraint
            ),
            Broken::Energy(pair) => format!(
                "contacts between {} would give energy that they never took",
                names(model, pair)
            ),
            Broken::Conservation => format!(
                "the motion of {body} most of all gains or loses energy that nothing gives or takes{}",
                self.holder(model, turning)
            ),
        }
    }

    /// What holds a body most likely: a joint, or the contact that pushes it hardest.
    fn holder(&self, model: &Model, body: usize) -> String {
        let holds = |j: &&Joint| j.child.0 == body || j.parent.is_some_and(|p| p.0 == body);
        if let Some(joint) = model.joints.iter().find(holds) {
            let other = if joint.child.0 == body {
                joint.parent
            } else {
                Some(joint.child)
            };
            let other = name(model, other);
            return format!(", and joint `{}` holds it on {other}", joint.name);
        }
        let unilaterals = self.solver.unilaterals().iter();
        let own = |u: &&Unilateral| self.solver.bodies(u).any(|b| b == body);
        let impulse = |u: &Unilateral| u.impulse[0] * u.mass;
        let hardest = unilaterals
            .filter(own)
            .max_by(|a, b| impulse(a).total_cmp(&impulse(b)));
        hardest.map_or_else(String::new, |u| {
            let other = self.solver.bodies(u).find(|b| *b != body).map(BodyId);
            format!(", and {} pushes it", name(model, other))
        })
    }
}

fn name(model: &Model, body: Option<BodyId>) -> String {
    body.map_or_else(
        || "the world".into(),
        |b| format!("body `{}`", model.bodies[b.0].name),
    )
}

fn names(model: &Model, pair: Pair) -> String {
    let [a, b] = pair.bodies().map(|body| name(model, body));
    format!("{a} and {b}")
}
