//! Stiff springs between points over an interval: the tension of the mean of the lines at both knots, half of its impulse at
//! each, so that no step is too long for them; as the maximal methods take them.

use super::displacement::Displacement;
use super::laws::{Ends, Tie, by_link};
use crate::forces::{self, Line, StiffSprings, Wrench};
use crate::kinematics::Tree;
use crate::math::Vec3;
use crate::model::{BodyState, Force, Model};

/// One spring.
#[derive(Debug, Clone)]
pub struct Pull {
    /// Its place among the forces.
    force: usize,
    /// At the first knot: its line, and the wrenches on links of a force that lengthens it along each axis.
    line: Option<Line>,
    first: [Ends; 3],
    /// Half of the impulse of the interval that lengthens it (N·s).
    half: Vec3,
}

fn line(model: &Model, force: usize, bodies: &[BodyState]) -> Option<Line> {
    Line::about(&model.forces[force], bodies, &Vec3::zeros())
}

/// Wrenches on bodies of a force that lengthens a line.
fn ends(line: Option<&Line>, force: &Vec3) -> Ends {
    [(0, -1.0), (1, 1.0)].map(|(end, sign)| {
        let line = line?;
        let mut wrench = Wrench::default();
        wrench.push(&(force * sign), &line.arms[end]);
        line.bodies[end].map(|b| (b.0, wrench))
    })
}

impl Pull {
    /// Those of a model.
    pub fn all(model: &Model, stiff: &StiffSprings) -> Vec<Self> {
        let held = (0..model.forces.len()).filter(|&k| stiff.holds_line(k));
        let pull = |force| Self {
            force,
            line: None,
            first: [[None; 2]; 3],
            half: Vec3::zeros(),
        };
        held.map(pull).collect()
    }

    /// Takes the first knot.
    pub fn begin(&mut self, model: &Model, tree: &Tree, bodies: &[BodyState]) {
        self.line = line(model, self.force, bodies);
        let line = self.line.as_ref();
        self.first = [0, 1, 2].map(|k| by_link(tree, ends(line, &Vec3::ith(k, 1.0))));
    }

    /// Adds its impulses at the first knot for poses at the second, by link, and what they change by.
    pub fn evaluate(
        &mut self,
        model: &Model,
        tree: &Tree,
        (next, motion, dt): (&[BodyState], &Displacement, f64),
        loads: &mut [Wrench],
        ties: &mut Vec<Tie>,
    ) {
        let Force::Spring {
            stiffness, rest, ..
        } = &model.forces[self.force]
        else {
            return;
        };
        let Some(start) = &self.line else { return };
        let mean = start.span + motion.change_of(tree, start) * 0.5;
        let line = line(model, self.force, next);
        let (tension, by_line) = forces::line_tension(*stiffness, *rest, &mean);
        self.half = tension * (-0.5 * dt);
        for (k, first) in self.first.iter().enumerate() {
            for (link, wrench) in first.iter().flatten() {
                loads[*link].force += wrench.force * self.half[k];
                loads[*link].torque += wrench.torque * self.half[k];
            }
            let slope = by_line.row(k).transpose() * (0.25 * dt);
            ties.push(Tie {
                slope: 1.0,
                size: mean.norm() * slope.norm(),
                first: *first,
                second: by_link(tree, ends(line.as_ref(), &slope)),
            });
        }
    }

    /// Adds the impulse of the second knot to the momenta of the bodies there.
    pub fn deposit(&self, model: &Model, bodies: &mut [BodyState]) {
        let line = line(model, self.force, bodies);
        for (body, wrench) in ends(line.as_ref(), &self.half).into_iter().flatten() {
            bodies[body].momentum += wrench.force;
            bodies[body].angular_momentum += wrench.torque;
        }
    }
}
