//! Root finders of the discrete equation of motion [Lee2016 alg. 1, 3].
//!
//! | finder | `δ ← δ - B⁻¹ r`, with `B` | cost of an iteration on a chain |
//! |---|---|---|
//! | RIQN | the mass matrix of the first knot over `dt`, by articulated bodies [Lee2016 eq. 25] | `n` |
//! | Newton | the Jacobian of the recursion, by articulated bodies or dense | `n`, dense `n³` |
//! | Broyden | RIQN's with rank-one updates [Broyden1965] | `n` times iterations |
//! | secant | the diagonal of RIQN's with rank-one updates | `n` times iterations |
//! | SVI and Newton | the Jacobian of SVI, dense | `n³` |
//!
//! Exact derivatives are backtracked, the others taken as they come.

use super::dense::{Composites, Dense};
use super::equation::{Context, Equation, Imbalance};
use super::options::Guess;
use super::rank_one::RankOne;
use super::svi::Svi;
use super::ties::Ties;
use crate::forces::Wrench;
use crate::integrators::{Iteration, Outcome, StepReport};
use crate::kinematics::{ArticulatedBodies, Jacobian};
use crate::model::Twist;
use crate::solver::FOLD;
use crate::stopwatch::{Phase, Stopwatch};

/// How the root is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootFinder {
    Riqn,
    Newton,
    Broyden,
    Secant,
    SviNewton,
}

/// How one interval is solved.
#[derive(Debug, Clone, Copy)]
pub struct Attempt {
    pub finder: RootFinder,
    pub guess: Guess,
    /// Residual asked for, relative to what each link handles.
    pub tolerance: f64,
    /// Iterations at most.
    pub limit: u32,
}

/// Why an interval was not solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Failure {
    pub imbalance: Imbalance,
    /// The link whose turn left the range of the equation.
    pub turned: Option<usize>,
}

/// Halvings of a Newton step at most.
const HALVINGS: u32 = 5;

/// Iterations from which RIQN and Broyden's method must at least halve the residual: Newton's method takes over otherwise.
const PATIENCE: u32 = 8;

/// Growth of the imbalance at which an iteration without a line search is given up.
const LOST: f64 = 1e6;

/// All root finders with their workspace; what only some need is made where they are chosen.
#[derive(Debug, Clone)]
pub struct Roots {
    /// Factors of the mass matrix at the first knot over `dt`, and of the Jacobian.
    knot: ArticulatedBodies,
    newton: ArticulatedBodies,
    dense: Option<Dense>,
    svi: Option<Svi>,
    composites: Composites,
    rank_one: RankOne,
    ties: Ties,
    /// The increment of the coordinates.
    pub delta: Vec<f64>,
    step: Vec<f64>,
    push: Vec<f64>,
    biases: Vec<Wrench>,
    motions: Vec<Twist>,
    pub stopwatch: Stopwatch,
}

impl Roots {
    /// Room for an equation; `dense` where Newton's method is to have a dense Jacobian.
    pub fn new(e: &Equation, finder: RootFinder, dense: bool) -> Self {
        let (n, links) = (e.tree.freedoms(), e.tree.links().len());
        let svi = finder == RootFinder::SviNewton;
        Self {
            knot: ArticulatedBodies::new(&e.tree),
            newton: ArticulatedBodies::new(&e.tree),
            dense: (dense || svi).then(|| Dense::new(&e.tree)),
            svi: svi.then(|| Svi::new(e)),
            composites: Composites::new(&e.tree),
            rank_one: RankOne::new(n),
            ties: Ties::new(e),
            delta: vec![0.0; n],
            step: vec![0.0; n],
            push: vec![0.0; n],
            biases: vec![Wrench::default(); links],
            motions: vec![Twist::default(); links],
            stopwatch: Stopwatch::default(),
        }
    }

    /// Iterates from the guess until everything is within the tolerance; the increment stays in `delta`.
    pub fn find(
        &mut self,
        e: &mut Equation,
        context: &Context,
        attempt: &Attempt,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        report.history.clear();
        self.begin(e, context, attempt);
        let mut now = self.evaluate(e, context, attempt)?;
        let first = now.impulse;
        let (mut step_length, mut iterations) = (0.0, 0);
        loop {
            report.history.push(Iteration {
                residual: now.relative,
                constraint: 0.0,
                step_length,
            });
            report.residual = now.relative;
            if now.relative <= attempt.tolerance {
                return Ok(());
            }
            let failed = Err(Failure {
                imbalance: now,
                turned: None,
            });
            let lost = now.impulse > LOST * first && now.impulse > LOST * e.handled();
            if !now.relative.is_finite() || lost {
                return failed;
            }
            if stands_still(report) && e.is_rounding() {
                report.outcome = Outcome::Stalled;
                return Ok(());
            }
            let linear = matches!(attempt.finder, RootFinder::Riqn | RootFinder::Broyden);
            if linear && iterations >= PATIENCE && stands_still(report) {
                return failed;
            }
            if iterations >= attempt.limit {
                // Close enough to be used, and said so; where Newton's method is still to come it is not.
                let exact = matches!(attempt.finder, RootFinder::Newton);
                if exact && now.relative <= 10.0 * attempt.tolerance {
                    report.outcome = Outcome::IterationLimit;
                    return Ok(());
                }
                return failed;
            }
            iterations += 1;
            report.iterations += 1;
            self.direction(e, context, attempt.finder, report);
            (now, step_length) = self.advance(e, context, attempt, &now)?;
        }
    }

    /// Factors at the first knot, first guess.
    fn begin(&mut self, e: &mut Equation, context: &Context, attempt: &Attempt) {
        let dt = context.interval.dt;
        self.delta.fill(0.0);
        // Laws at rest: the slopes that the factors of the knot hold.
        e.advance(context, &self.delta);
        let exact = matches!(attempt.finder, RootFinder::Newton | RootFinder::SviNewton);
        if !(exact && attempt.guess == Guess::Zero) {
            self.stopwatch.enter(Phase::Factor);
            let sides = [Jacobian::from(&e.knot); 2];
            let inertia = |i: usize| e.inertia(i, dt);
            self.knot.factor(&e.tree, sides, inertia, &e.laws.diagonal);
        }
        if attempt.finder == RootFinder::Secant {
            let sides = [Jacobian::from(&e.knot); 2];
            let diagonal = &mut self.rank_one.diagonal;
            diagonal.copy_from_slice(&e.laws.diagonal);
            self.composites
                .diagonal(&e.tree, sides, |i| e.inertia(i, dt), diagonal);
        }
        self.rank_one.begin(e);
        self.stopwatch.enter(Phase::Prepare);
        self.guess(e, context, attempt.guess);
    }

    /// The increment to start from: `dt v` and `dt²/2 a` with the velocities and accelerations at the knot.
    fn guess(&mut self, e: &mut Equation, context: &Context, guess: Guess) {
        if guess == Guess::Zero {
            return;
        }
        let Context {
            model,
            state,
            interval,
            ..
        } = *context;
        let dt = interval.dt;
        for (i, link) in e.tree.links().iter().enumerate() {
            let body = &state.bodies[link.body];
            self.biases[i] = Wrench {
                force: body.momentum,
                torque: body.angular_momentum,
            };
        }
        e.knot.pull(&e.tree, &self.biases, &mut self.delta);
        self.knot.solve(&e.tree, &mut self.delta);
        if guess == Guess::Velocity {
            return;
        }
        for (v, delta) in self.step.iter_mut().zip(&self.delta) {
            *v = delta / dt;
        }
        e.knot.drive(&e.tree, &self.step);
        for (i, link) in e.tree.links().iter().enumerate() {
            let body = &state.bodies[link.body];
            let (bias, spin) = (e.knot.bias(i), e.knot.twist(i).angular);
            let inertia = &e.inertias[i];
            let mass = model.bodies[link.body].mass;
            // What the forces of the knot give in half the step, less what steady velocities take.
            let wanted = &e.wanted[i];
            let torque = inertia * bias.angular + spin.cross(&(inertia * spin));
            self.biases[i] = Wrench {
                force: wanted.force - body.momentum - bias.linear * (0.5 * dt * mass),
                torque: wanted.torque - body.angular_momentum - torque * (0.5 * dt),
            };
        }
        e.knot.pull(&e.tree, &self.biases, &mut self.step);
        self.knot.solve(&e.tree, &mut self.step);
        for (delta, more) in self.delta.iter_mut().zip(&self.step) {
            *delta += more;
        }
    }

    /// What is unbalanced at `delta`.
    fn evaluate(
        &mut self,
        e: &mut Equation,
        context: &Context,
        attempt: &Attempt,
    ) -> Result<Imbalance, Failure> {
        self.stopwatch.enter_beside_search(Phase::Evaluate);
        let imbalance = match &mut self.svi {
            Some(svi) if attempt.finder == RootFinder::SviNewton => {
                svi.evaluate(e, context, &self.delta)
            }
            _ => e.evaluate(context, &self.delta),
        };
        let (square, link) = e.motion.widest();
        if square >= FOLD || square.is_nan() {
            return Err(Failure {
                imbalance,
                turned: square.is_finite().then_some(link),
            });
        }
        Ok(imbalance)
    }

    /// The change of `delta` that the finder takes, left in `step` as a velocity of the group.
    fn direction(
        &mut self,
        e: &mut Equation,
        context: &Context,
        finder: RootFinder,
        report: &mut StepReport,
    ) {
        let dt = context.interval.dt;
        for (step, r) in self.step.iter_mut().zip(&e.residual) {
            *step = -r;
        }
        match finder {
            RootFinder::Riqn => {
                self.stopwatch.enter(Phase::Solve);
                self.solve_at_knot(e);
            }
            RootFinder::Broyden => {
                self.stopwatch.enter(Phase::Solve);
                self.solve_at_knot(e);
                self.rank_one.correct(&mut self.step);
            }
            RootFinder::Secant => {
                self.stopwatch.enter(Phase::Solve);
                self.rank_one.scale(&mut self.step);
                self.rank_one.correct(&mut self.step);
            }
            RootFinder::Newton | RootFinder::SviNewton => {
                report.factorisations += 1;
                self.stopwatch.enter(Phase::Factor);
                e.motion.bend(&e.tree, &e.knot, &self.delta);
                let sides = [Jacobian::from(&e.knot), e.motion.jacobian()];
                match (&mut self.dense, &mut self.svi) {
                    (Some(dense), Some(svi)) if finder == RootFinder::SviNewton => {
                        svi.jacobian(e, dt, &mut dense.matrix);
                        self.ties
                            .add(&e.tree, &e.laws.ties, sides, &mut dense.matrix);
                        dense.solve(&mut self.step);
                    }
                    (Some(dense), _) => {
                        dense.assemble(e, dt);
                        self.ties
                            .add(&e.tree, &e.laws.ties, sides, &mut dense.matrix);
                        dense.solve(&mut self.step);
                    }
                    (None, _) => {
                        let slope = |i: usize| e.slope(i, dt);
                        self.newton.factor(&e.tree, sides, slope, &e.laws.diagonal);
                        self.stopwatch.enter(Phase::Solve);
                        let (ties, factors) = (&e.laws.ties, &mut self.newton);
                        self.ties
                            .solve(&e.tree, ties, sides, factors, &mut self.step);
                    }
                }
            }
        }
    }

    /// From a right-hand side in `step` to the solution with the mass matrix of the knot over `dt`, laws included.
    fn solve_at_knot(&mut self, e: &Equation) {
        let sides = [Jacobian::from(&e.knot); 2];
        let (ties, factors) = (&e.laws.ties, &mut self.knot);
        self.ties
            .solve(&e.tree, ties, sides, factors, &mut self.step);
    }

    /// Takes the step, or as much of it as lessens the imbalance; returns what is left and the part that was taken.
    fn advance(
        &mut self,
        e: &mut Equation,
        context: &Context,
        attempt: &Attempt,
        before: &Imbalance,
    ) -> Result<(Imbalance, f64), Failure> {
        match attempt.finder {
            RootFinder::Broyden | RootFinder::Secant => {
                self.add(1.0);
                let after = self.evaluate(e, context, attempt)?;
                Ok((after, 1.0))
            }
            RootFinder::Riqn => {
                e.tree.tangent_inverse(&self.delta, &mut self.step);
                self.add(1.0);
                let after = self.evaluate(e, context, attempt)?;
                Ok((after, 1.0))
            }
            RootFinder::Newton | RootFinder::SviNewton => {
                e.tree.tangent_inverse(&self.delta, &mut self.step);
                self.push.copy_from_slice(&self.delta);
                self.add(1.0);
                let mut part = 1.0;
                let mut after = self.evaluate(e, context, attempt);
                let good = |after: &Result<Imbalance, Failure>| {
                    after.is_ok_and(|a| {
                        a.impulse <= before.impulse || a.relative <= attempt.tolerance
                    })
                };
                let phase = self.stopwatch.enter(Phase::LineSearch);
                let mut halvings = 0;
                while !good(&after) && halvings < HALVINGS {
                    part *= 0.5;
                    halvings += 1;
                    self.delta.copy_from_slice(&self.push);
                    self.add(part);
                    after = self.evaluate(e, context, attempt);
                }
                self.stopwatch.enter(phase);
                Ok((after?, part))
            }
        }
    }

    fn add(&mut self, part: f64) {
        for (delta, step) in self.delta.iter_mut().zip(&self.step) {
            *delta += step * part;
        }
    }

    /// Velocities of the links at the knot where `e` is placed, by link: those of the momenta wanted there, less what joints
    /// do not let through.
    pub fn knot_motions(
        &mut self,
        e: &mut Equation,
        momenta: impl Fn(usize) -> Wrench,
    ) -> &[Twist] {
        for (i, link) in e.tree.links().iter().enumerate() {
            self.biases[i] = momenta(link.body);
        }
        e.knot.pull(&e.tree, &self.biases, &mut self.step);
        self.push.fill(0.0);
        e.factor_mass(&self.push, &mut self.knot);
        self.knot.solve(&e.tree, &mut self.step);
        self.motions.copy_from_slice(self.knot.motions());
        &self.motions
    }
}

/// Whether the last iteration gained nothing.
fn stands_still(report: &StepReport) -> bool {
    let [.., before, last] = report.history.as_slice() else {
        return false;
    };
    last.residual >= 0.5 * before.residual
}
