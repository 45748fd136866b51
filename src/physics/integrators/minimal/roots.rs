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
//! Exact derivatives are backtracked, the others taken as they come; a method that learns its matrix learns anew from its
//! best increment where it strays. Rows that the tree does not hold stand
//! [beside](super::border) the matrix: RIQN and Newton's method change their impulses with `δ`; the rank-one updates of the
//! others are those of a square system of the balance alone and would not know what an impulse changes.

use super::border::Border;
use super::dense::{Composites, Dense};
use super::equation::{Context, Equation, Imbalance};
use super::options::Guess;
use super::rank_one::RankOne;
use super::svi::Svi;
use crate::forces::Wrench;
use crate::integrators::{Iteration, Outcome, StepReport};
use crate::kinematics::{ArticulatedBodies, Jacobian};
use crate::model::Model;
use crate::model::Twist;
use crate::solver::{FOLD, worse};
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
    /// Regularisation of loops, relative to the size of each row.
    pub rho: f64,
}

/// Why an interval was not solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Failure {
    pub imbalance: Imbalance,
    /// The link whose turn left the range of the equation.
    pub turned: Option<usize>,
}

/// What is asked of an interval.
#[derive(Debug, Clone, Copy, Default)]
struct Aim {
    /// Residual relative to what each link handles, errors of loops and of limits.
    balance: f64,
    rows: [f64; 2],
    /// The residual as an impulse of the whole mechanism (N·s).
    impulse: f64,
}

impl Aim {
    fn is_met(&self, now: &Imbalance) -> bool {
        now.relative <= self.balance && now.opening.over(self.rows) <= 1.0
    }

    /// What a line search compares: what joints pass on, to which residuals are relative, changes with the motion.
    fn merit(&self, now: &Imbalance) -> f64 {
        let balance = if now.impulse == 0.0 {
            0.0
        } else {
            now.impulse / self.impulse
        };
        worse(balance, now.opening.over(self.rows))
    }
}

/// Halvings of a Newton step at most.
const HALVINGS: u32 = 5;

/// Iterations from which RIQN and Broyden's method must at least halve the residual: Newton's method takes over otherwise.
const PATIENCE: u32 = 8;

/// Iterations for which there is room from the start.
const KEPT: u32 = 64;

/// Growth of the imbalance at which an iteration without a line search is given up.
const LOST: f64 = 1e6;

/// Merits that a step with rows beside the system may fall back to: where the pieces of the law of a limit change, the
/// merit rises in between. And by how much the first step, which mends the guess, may raise it.
const WINDOW: usize = 5;
const MENDING: f64 = 1e4;

/// Times the best merit at which a method that learns its matrix has strayed, and how often it learns anew.
const STRAYED: f64 = 1e3;
const RESTARTS: u32 = 5;

/// All root finders with their workspace; what only some need is made where they are chosen.
pub struct Roots {
    /// Factors of the mass matrix at the first knot over `dt`, and of the Jacobian.
    knot: ArticulatedBodies,
    newton: ArticulatedBodies,
    dense: Option<Dense>,
    svi: Option<Svi>,
    composites: Composites,
    rank_one: RankOne,
    border: Border,
    /// Whether the columns of the border are still to be solved for with the factors of the knot.
    fresh: bool,
    aim: Aim,
    /// The increment of the coordinates.
    pub delta: Vec<f64>,
    step: Vec<f64>,
    /// Where a method that learns its matrix was best.
    best: Vec<f64>,
    push: Vec<f64>,
    biases: Vec<Wrench>,
    motions: Vec<Twist>,
    pub stopwatch: Stopwatch,
}

impl Roots {
    /// Room for an equation; `dense` where Newton's method is to have a dense Jacobian.
    pub fn new(model: &Model, e: &Equation, finder: RootFinder, dense: bool) -> Self {
        let (n, links) = (e.tree.freedoms(), e.tree.links().len());
        let svi = finder == RootFinder::SviNewton;
        let held = e.held.as_ref().filter(|_| !(dense || svi));
        let closings = held.map_or_else(Vec::new, |held| held.closings());
        let carried = !closings.is_empty();
        Self {
            knot: ArticulatedBodies::closed(&e.tree, &closings),
            newton: ArticulatedBodies::closed(&e.tree, &closings),
            dense: (dense || svi).then(|| Dense::new(&e.tree)),
            svi: svi.then(|| Svi::new(e)),
            composites: Composites::new(&e.tree),
            rank_one: RankOne::new(n),
            border: Border::new(model, e, carried),
            fresh: true,
            aim: Aim::default(),
            delta: vec![0.0; n],
            step: vec![0.0; n],
            best: vec![0.0; n],
            push: vec![0.0; n],
            biases: vec![Wrench::default(); links],
            motions: vec![Twist::default(); links],
            stopwatch: Stopwatch::default(),
        }
    }

    /// Whether systems are solved with a matrix that is written down.
    pub fn is_dense(&self) -> bool {
        self.dense.is_some()
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
        // No step grows it that takes more iterations than those before.
        report.history.reserve(attempt.limit.min(KEPT) as usize + 1);
        self.begin(e, context, attempt);
        let mut now = self.evaluate(e, context, attempt)?;
        let first = now.impulse;
        self.aim.impulse = attempt.tolerance * e.handled();
        let learns = matches!(attempt.finder, RootFinder::Broyden | RootFinder::Secant);
        let window = if e.held.is_some() { WINDOW } else { 1 };
        let mut recent = [f64::NAN; WINDOW];
        let (mut step_length, mut iterations) = (0.0, 0);
        let (mut best, mut restarts) = (f64::INFINITY, 0);
        loop {
            report.history.push(Iteration {
                residual: now.relative,
                constraint: now.opening.relative,
                step_length,
            });
            report.residual = now.relative;
            report.constraint = now.opening.relative;
            if self.aim.is_met(&now) {
                return Ok(());
            }
            let failed = Err(Failure {
                imbalance: now,
                turned: None,
            });
            let lost = now.impulse > LOST * first && now.impulse > LOST * e.handled();
            if !self.aim.merit(&now).is_finite() || lost {
                return failed;
            }
            let usable = now.opening.is_usable(self.aim.rows);
            if report.stands_still() && usable && e.is_rounding(&self.delta, context.interval.dt) {
                report.outcome = Outcome::Stalled;
                return Ok(());
            }
            let linear = matches!(attempt.finder, RootFinder::Riqn | RootFinder::Broyden);
            if linear && iterations >= PATIENCE && report.stands_still() {
                return failed;
            }
            if iterations >= attempt.limit {
                // Close enough to be used, and said so; where Newton's method is still to come it is not.
                let exact = matches!(attempt.finder, RootFinder::Newton);
                if exact && usable && now.relative <= 10.0 * attempt.tolerance {
                    report.outcome = Outcome::IterationLimit;
                    return Ok(());
                }
                return failed;
            }
            let merit = self.aim.merit(&now);
            recent[iterations as usize % window] = merit;
            if learns && merit < best {
                best = merit;
                self.best.copy_from_slice(&self.delta);
            }
            let allowed = match iterations {
                0 if e.held.is_some() => merit.max(1.0) * MENDING,
                _ => recent.iter().copied().fold(0.0, f64::max),
            };
            iterations += 1;
            report.iterations += 1;
            self.direction(e, context, attempt, report);
            let next = self.advance(e, context, attempt, allowed);
            let strays = |to: &(Imbalance, f64)| self.aim.merit(&to.0) > STRAYED * best;
            if learns && restarts < RESTARTS && next.as_ref().map_or(true, strays) {
                // What was learnt leads astray: it goes back to where it was best and learns anew.
                restarts += 1;
                self.delta.copy_from_slice(&self.best);
                self.rank_one.begin(e);
                now = self.evaluate(e, context, attempt)?;
                continue;
            }
            (now, step_length) = next?;
        }
    }

    /// Factors at the first knot, first guess.
    fn begin(&mut self, e: &mut Equation, context: &Context, attempt: &Attempt) {
        let dt = context.interval.dt;
        self.delta.fill(0.0);
        self.fresh = true;
        self.aim = Aim {
            balance: attempt.tolerance,
            rows: e.tolerances(attempt.tolerance, dt),
            impulse: 0.0,
        };
        e.laws.restart();
        // Laws at rest: the slopes that the factors of the knot hold.
        e.advance(context, &self.delta);
        let exact = matches!(attempt.finder, RootFinder::Newton | RootFinder::SviNewton);
        if !(exact && attempt.guess == Guess::Zero) {
            self.stopwatch.enter(Phase::Factor);
            let sides = [Jacobian::from(&e.knot); 2];
            e.factor_knot(sides, (dt, attempt.rho), &mut self.knot);
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
        self.guess(e, context, attempt);
    }

    /// The increment to start from: `dt v` and `dt²/2 a` with the velocities and accelerations at the knot, to which loops
    /// and closed limits are linear.
    fn guess(&mut self, e: &mut Equation, context: &Context, attempt: &Attempt) {
        if attempt.guess == Guess::Zero {
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
            // Half of what loops and limits did in the interval before belongs to the velocity of the knot.
            e.add_load(i, 0.5, &mut self.biases[i]);
        }
        self.go_from_knot(e, attempt.rho);
        if attempt.guess == Guess::Velocity {
            return;
        }
        for (v, delta) in self.step.iter_mut().zip(&self.delta) {
            *v = delta / dt;
        }
        e.knot.drive(&e.tree, &self.step);
        for (i, link) in e.tree.links().iter().enumerate() {
            let (bias, spin) = (e.knot.bias(i), e.knot.twist(i).angular);
            let inertia = &e.inertias[i];
            let mass = model.bodies[link.body].mass;
            // The momenta with what the forces of the knot give in half the step, less what steady velocities take.
            let wanted = &e.wanted[i];
            let torque = inertia * bias.angular + spin.cross(&(inertia * spin));
            self.biases[i] = Wrench {
                force: wanted.force - bias.linear * (0.5 * dt * mass),
                torque: wanted.torque - torque * (0.5 * dt),
            };
            e.add_load(i, 1.0, &mut self.biases[i]);
        }
        self.go_from_knot(e, attempt.rho);
        if let Some(held) = &mut e.held {
            held.mark();
            held.change(self.border.changes(), 1.0);
        }
    }

    /// The increment that the mass matrix of the knot makes of momenta, left in `delta`.
    fn go_from_knot(&mut self, e: &mut Equation, rho: f64) {
        e.knot.pull(&e.tree, &self.biases, &mut self.delta);
        let sides = [Jacobian::from(&e.knot); 2];
        let how = (rho, std::mem::take(&mut self.fresh));
        let base = |x: &mut [f64]| self.knot.solve(&e.tree, x);
        self.border.solve(e, sides, how, base, &mut self.delta);
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
        attempt: &Attempt,
        report: &mut StepReport,
    ) {
        let dt = context.interval.dt;
        let finder = attempt.finder;
        for (step, r) in self.step.iter_mut().zip(&e.residual) {
            *step = -r;
        }
        match finder {
            RootFinder::Riqn => {
                self.stopwatch.enter(Phase::Solve);
                self.solve_at_knot(e, dt, attempt.rho);
            }
            RootFinder::Broyden => {
                self.stopwatch.enter(Phase::Solve);
                self.solve_at_knot(e, dt, attempt.rho);
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
                let (border, how) = (&mut self.border, (attempt.rho, true));
                if let Some(dense) = &mut self.dense {
                    match &mut self.svi {
                        Some(svi) if finder == RootFinder::SviNewton => {
                            svi.jacobian(e, dt, &mut dense.matrix);
                        }
                        _ => dense.assemble(e, dt),
                    }
                    dense.factor();
                    self.stopwatch.enter(Phase::Solve);
                    border.solve(e, sides, how, |x| dense.solve(x), &mut self.step);
                } else {
                    let (slope, factors) = (|i: usize| e.slope(i, dt), &mut self.newton);
                    e.close(attempt.rho, factors);
                    factors.factor(&e.tree, sides, slope, &e.laws.diagonal);
                    self.stopwatch.enter(Phase::Solve);
                    let base = |x: &mut [f64]| factors.solve(&e.tree, x);
                    border.solve(e, sides, how, base, &mut self.step);
                }
            }
        }
    }

    /// From a right-hand side in `step` to the solution with the mass matrix of the knot over `dt`, laws included.
    fn solve_at_knot(&mut self, e: &mut Equation, dt: f64, rho: f64) {
        if e.is_bordered() {
            e.motion.bend(&e.tree, &e.knot, &self.delta);
        }
        let sides = [Jacobian::from(&e.knot), e.motion.jacobian()];
        if self.knot.fronts().is_some() {
            // Gradients of loops are those where the motion has led.
            self.stopwatch.enter(Phase::Factor);
            e.factor_knot(sides, (dt, rho), &mut self.knot);
            self.stopwatch.enter(Phase::Solve);
            self.fresh = true;
        }
        let how = (rho, std::mem::take(&mut self.fresh));
        let base = |x: &mut [f64]| self.knot.solve(&e.tree, x);
        self.border.solve(e, sides, how, base, &mut self.step);
    }

    /// Takes the step, or as much of it as lessens the imbalance; returns what is left and the part that was taken.
    fn advance(
        &mut self,
        e: &mut Equation,
        context: &Context,
        attempt: &Attempt,
        allowed: f64,
    ) -> Result<(Imbalance, f64), Failure> {
        e.mark();
        // What is learnt is learnt in the increments themselves.
        if !matches!(attempt.finder, RootFinder::Broyden | RootFinder::Secant) {
            e.tree.tangent_inverse(&self.delta, &mut self.step);
        }
        let searches = matches!(attempt.finder, RootFinder::Newton | RootFinder::SviNewton);
        self.push.copy_from_slice(&self.delta);
        self.take(e, 1.0);
        let mut part = 1.0;
        let mut after = self.evaluate(e, context, attempt);
        let phase = self.stopwatch.enter(Phase::LineSearch);
        let aim = self.aim;
        let good = |after: &Result<Imbalance, Failure>| {
            after.is_ok_and(|a| aim.merit(&a) <= allowed || aim.is_met(&a))
        };
        let mut halvings = 0;
        while searches && !good(&after) && halvings < HALVINGS {
            part *= 0.5;
            halvings += 1;
            self.take(e, part);
            after = self.evaluate(e, context, attempt);
        }
        self.stopwatch.enter(phase);
        Ok((after?, part))
    }

    /// Goes a part of the step from where it began.
    fn take(&mut self, e: &mut Equation, part: f64) {
        for ((delta, from), step) in self.delta.iter_mut().zip(&self.push).zip(&self.step) {
            *delta = from + step * part;
        }
        if let Some(held) = &mut e.held {
            held.change(self.border.changes(), part);
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
