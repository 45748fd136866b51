//! Sweeps and steps of Newton's method in turns, until the law is kept or the budget is spent.

use super::island::{Island, Measure};
use super::{Options, Report};

/// What sweeps and steps are taken on: points with impulses, which it keeps its velocities in step with.
pub(super) trait Iterated {
    /// Forgets the pattern of the steps of a problem before.
    fn reset(&mut self);
    /// Its first body, its bodies, its points.
    fn extent(&self) -> [usize; 3];
    /// Whether it has no solution.
    fn is_singular(&self) -> bool;
    /// Finds the velocities that the impulses give.
    fn refresh(&mut self);
    /// How far all points are from their laws.
    fn measure(&mut self) -> Measure;
    /// The largest normal impulse [N s]; zero where no bound is set to it.
    fn pressure(&self) -> f64 {
        0.0
    }
    /// Sweeps; how many times, and visits of points.
    fn sweep(&mut self, most: u32, enough: f64) -> (u32, usize);
    /// Whether it is made for alternating directions.
    fn alternates(&self) -> bool {
        false
    }
    /// Begins these with a proximal parameter, from the impulses at hand and what was measured last.
    fn begin_alternation(&mut self, _epsilon: f64) {}
    /// So many iterations of these; leaves impulses within their cones.
    fn alternate(&mut self, _iterations: u32) {}
    /// Whether every point is a spring that only pushes.
    fn is_elastic(&self) -> bool;
    /// One step of Newton's method with a proximal parameter, as far as pieces let it, or all the way where nothing was
    /// measured.
    fn newton_step(&mut self, epsilon: f64, at: Option<Measure>);
    /// Work of the last step beyond that of its points, in visits.
    fn step_work(&self) -> f64;
    /// Orders of elimination made.
    fn orders(&self) -> u32;
    /// Remembers the impulses.
    fn keep(&mut self);
    /// Goes back to the impulses remembered, each in its cone.
    fn recall(&mut self);
    /// Remembers the impulses as the best of all.
    fn set_record(&mut self);
    /// Goes back to the best impulses of all.
    fn recall_record(&mut self);
}

/// Cycles of sweeps and steps at most, unless all of them were less work than this, in visits. Few points that nearly contradict
/// each other, as three of one body in a row, may take ten times as many, which are as much work as those of thirty points, unless
/// they press [without end](Options::endless).
const CYCLES: (u32, f64) = (12, 150_000.0);

/// Steps of Newton's method in a cycle at most.
const STEPS: u32 = 20;

/// Sweeps between steps, at first and at most, and how their number grows where steps gained nothing.
const SWEEPS: (u32, u32) = (40, 200);
const LONGER: f64 = 1.5;

/// Steps and sweeps of a [short](Options::short) cycle.
const SHORT: (u32, u32) = (6, 10);

/// Alternating directions for what lies still: iterations at most, the proximal parameter, and the work of an iteration in visits of each
/// point.
const STILL: (u32, f64, f64) = (320, 3e-3, 0.5);

/// Work that Newton's method, which ends closer to the solution where it ends, leaves for these, in visits of each point.
const RESERVED: f64 = 200.0;

/// Work for which these come first where there is no more than that: with less they end before they are of use.
const LEAST_STILL: f64 = 28.0;

/// Iterations after which sweeps, so many, smooth what these leave at points that open and close: what is far off is with bodies far apart, and
/// would not be seen beside it.
const SMOOTHED: (u32, u32) = (40, 10);

/// The proximal parameter with which a cycle starts: at first, at least, at most, and the factor by which it changes.
const EPSILON: f64 = 3e-3;
const EPSILONS: (f64, f64) = (1e-5, 1e-2);
const FACTOR: f64 = 3.0;

/// From step to step it shrinks where the norm does not grow by more than this, and grows where it does. It ends where
/// rounding of the factors would be felt.
const STANDING: f64 = 1.001;
const SHRINK: f64 = 0.4;
const GROW: f64 = 5.0;
const LEAST: f64 = 1e-9;

/// Steps and sweeps leave a norm that has grown by this. Not sooner: a step into another piece often makes it grow by
/// some tens before the next ones converge.
const DIVERGED: f64 = 1e3;

/// An iterate is kept whose norm is at most this many times the least: where closed points contradict each other the norm
/// stands still while their impulses move to where one of them opens, which must not be undone.
const LEVEL: f64 = 1.1;

/// Steps that leave this part of the norm gained something.
const GAINED: f64 = 0.5;

/// Sweeps end where impulses change by this part of the tolerance.
const SETTLED: f64 = 0.1;

/// Steps below the tolerance.
struct Fine {
    /// At most.
    steps: u32,
    /// How many may leave more than [`FAST`] of the violation.
    slow: u32,
    /// The proximal parameter of the first, and the factor by which it changes.
    epsilon: (f64, f64),
}

/// The part of the violation that a step below the tolerance should leave at most.
const FAST: f64 = 0.2;

/// At once to where the pieces that were found have their solution.
const DIRECT: Fine = Fine {
    steps: 4,
    slow: 0,
    epsilon: (1e-6, 1.0),
};

/// In shorter steps, for what may be at rest and is not solved so: a small parameter moves impulses that nothing determines, as
/// those of faces side by side, by the violation over it, far into other pieces, so that nothing is gained.
const PATIENT: Fine = Fine {
    steps: 12,
    slow: 3,
    epsilon: (1e-3, 0.3),
};

/// Steps all the way at most where every point is a spring, the part of the violation that each must leave at most once the
/// tolerance is kept, and the part of the tolerance at which they end.
const WHOLE: (u32, f64, f64) = (20, 0.2, 1e-6);

/// Work of a factorisation, in visits: for every point, for every product of blocks.
const POINT: f64 = 6.0;
pub(super) const PRODUCT: f64 = 0.6;

/// The best iterate is that whose largest violation is least; what is not a number is never better.
fn better(a: Measure, b: Measure) -> bool {
    a.violation < b.violation || (b.violation.is_nan() && !a.violation.is_nan())
}

/// How the solution of an island goes on.
struct Turns<'a, I> {
    island: &'a mut I,
    options: &'a Options,
    report: Report,
    /// What was measured last.
    now: Measure,
    /// The iterate to go back to.
    kept: Measure,
    /// The best of all.
    record: Measure,
    /// Alternating directions were tried.
    alternated: bool,
}

impl Island {
    /// Solves the island from the impulses at hand; the best iterate is what remains.
    pub(super) fn solve(&mut self, options: &Options) -> Report {
        self.merge(options.merging);
        solve(self, options)
    }
}

/// Solves from the impulses at hand; the best iterate is what remains.
pub(super) fn solve(island: &mut impl Iterated, options: &Options) -> Report {
    island.reset();
    island.refresh();
    let [body, bodies, points] = island.extent();
    let report = Report {
        body,
        bodies,
        points,
        ..Report::default()
    };
    let now = island.measure();
    island.keep();
    let mut turns = Turns {
        island,
        options,
        report,
        now,
        kept: now,
        record: now,
        alternated: false,
    };
    turns.island.set_record();
    if !turns.island.is_singular() {
        let pressed = turns.island.is_elastic() && turns.press();
        if !pressed {
            turns.run();
            turns.refine();
        }
    }
    turns.finish()
}

impl<I: Iterated> Turns<'_, I> {
    fn run(&mut self) {
        let (mut sweeps, mut epsilon) = (self.options.sweeps, EPSILON);
        let mut again = SWEEPS.0;
        for cycle in 0.. {
            let ended = || {
                let endless = self.island.pressure() > self.options.endless;
                self.report.work >= CYCLES.1 || endless
            };
            if self.is_solved() || cycle >= CYCLES.0 && ended() {
                return;
            }
            let short = cycle < self.options.short;
            if cycle > 0 && cycle == self.options.short {
                self.island.recall_record();
                self.measure();
                self.keep();
            }
            if cycle == 0 && !self.is_short_of(LEAST_STILL) {
                self.alternate_where_short();
                if self.has_ended() {
                    return;
                }
            }
            self.sweep(sweeps);
            if cycle > 0 && !self.has_ended() {
                self.alternate_where_short();
            }
            if self.has_ended() {
                return;
            }
            let before = self.now.norm;
            let reached = self.newton(epsilon, short);
            if self.has_ended() {
                return;
            }
            if reached < GAINED * before {
                again = SWEEPS.0;
                epsilon = (epsilon / FACTOR).max(EPSILONS.0);
            } else {
                again = ((f64::from(again) * LONGER) as u32).min(SWEEPS.1);
                epsilon = (epsilon * FACTOR).min(EPSILONS.1);
            }
            sweeps = if cycle + 1 < self.options.short {
                SHORT.1
            } else {
                again
            };
        }
    }

    /// Alternating directions, once, of what lies still where the budget leaves little more than these need: from the best impulses of
    /// all; leaves the best of all.
    fn alternate_where_short(&mut self) {
        let alternates = self.options.still && self.island.alternates();
        if self.alternated || !alternates || !self.is_short_of(RESERVED) {
            return;
        }
        self.alternated = true;
        self.go_back_to_best();
        self.island.begin_alternation(STILL.1);
        self.count_factorisation();
        for _ in 0..STILL.0 / SMOOTHED.0 {
            self.island.alternate(SMOOTHED.0);
            self.report.work += STILL.2 * self.report.points as f64 * f64::from(SMOOTHED.0);
            self.measure();
            if !self.has_ended() {
                self.sweep_on(SMOOTHED.1);
            }
            if self.has_ended() {
                break;
            }
        }
        self.go_back_to_best();
        self.keep();
        self.island.reset();
    }

    /// Steps all the way: where every point is a spring they are those of Newton's method for the motions that make a convex
    /// function of quadratic pieces least, and end where two follow each other in one piece. Goes back where that is not soon;
    /// whether it was.
    fn press(&mut self) -> bool {
        for _ in 0..WHOLE.0 {
            let (before, solved) = (self.now.violation, self.is_solved());
            if self.is_spent() {
                break;
            }
            self.step(None);
            let slow = self.now.violation > WHOLE.1 * before;
            if solved && slow || self.now.violation <= WHOLE.2 * self.options.tolerance {
                break;
            }
        }
        if better(self.record, self.now) {
            self.island.recall_record();
            self.now = self.record;
        }
        if !self.is_solved() {
            self.island.recall();
            self.measure();
        }
        self.is_solved()
    }

    /// Whether the iterate at hand is accepted.
    fn is_solved(&self) -> bool {
        let (patience, close) = self.options.patience;
        self.is_exact() || self.report.work >= patience && self.now.violation <= close
    }

    /// Whether it keeps its laws to the tolerance.
    fn is_exact(&self) -> bool {
        self.now.violation <= self.options.tolerance
    }

    fn has_ended(&self) -> bool {
        self.is_solved() || self.is_spent()
    }

    fn is_spent(&self) -> bool {
        self.report.work >= self.options.budget
    }

    /// Whether the budget leaves less than so many visits of each point.
    fn is_short_of(&self, visits: f64) -> bool {
        self.report.work + visits * self.report.points as f64 >= self.options.budget
    }

    /// Steps of Newton's method below the tolerance, while they converge fast; where they do not, and all may be at rest, while
    /// they converge.
    fn refine(&mut self) {
        self.go_below(&DIRECT);
        if self.options.patient {
            self.go_below(&PATIENT);
        }
    }

    /// Steps below the tolerance; the best iterate is what remains.
    fn go_below(&mut self, fine: &Fine) {
        let ((mut epsilon, factor), mut patience) = (fine.epsilon, fine.slow);
        for _ in 0..fine.steps {
            if !self.is_exact() || self.now.violation <= self.options.fine || self.is_spent() {
                break;
            }
            let before = self.now.violation;
            self.step(Some(epsilon));
            epsilon *= factor;
            let slow = self.now.violation > FAST * before;
            if slow && patience == 0 {
                break;
            }
            patience -= u32::from(slow);
        }
        self.go_back_to_best();
    }

    /// One step of Newton's method with a proximal parameter, or all the way without.
    fn step(&mut self, epsilon: Option<f64>) {
        match epsilon {
            Some(epsilon) => self.island.newton_step(epsilon, Some(self.now)),
            None => {
                self.island.newton_step(0.0, None);
                // What is stiff has lost the balance of its bodies to rounding: found anew, the next step mends it.
                self.island.refresh();
            }
        }
        self.count_factorisation();
        self.measure();
    }

    fn count_factorisation(&mut self) {
        self.report.factorisations += 1;
        let points = self.report.points as f64;
        self.report.work += POINT * points + self.island.step_work();
    }

    /// Goes back to the best iterate of all, if it is better than that at hand.
    fn go_back_to_best(&mut self) {
        if better(self.record, self.now) {
            self.island.recall_record();
            self.measure();
        }
    }

    /// Sweeps, and goes back where they diverge.
    fn sweep(&mut self, most: u32) {
        self.sweep_on(most);
        let bounded = self.now.norm <= DIVERGED * self.kept.norm.max(self.options.tolerance);
        if bounded {
            self.keep();
        } else {
            self.island.recall();
            self.measure();
        }
    }

    /// Sweeps, wherever they lead.
    fn sweep_on(&mut self, most: u32) {
        let (sweeps, visits) = self.island.sweep(most, SETTLED * self.options.tolerance);
        self.report.sweeps += sweeps;
        self.report.work += visits as f64;
        self.measure();
    }

    /// Measures the iterate at hand and notes whether it is the best.
    fn measure(&mut self) {
        self.now = self.island.measure();
        if better(self.now, self.record) {
            self.record = self.now;
            self.island.set_record();
        }
    }

    fn keep(&mut self) {
        self.kept = self.now;
        self.island.keep();
    }

    /// Steps of Newton's method, few in a `short` cycle; returns the least norm. Leaves the last iterate whose norm is about that, in a
    /// short cycle the last of all.
    fn newton(&mut self, mut epsilon: f64, short: bool) -> f64 {
        let most = if short { SHORT.0 } else { STEPS };
        let start = self.now.norm;
        let mut least = self.now.norm;
        for _ in 0..most {
            let was = self.now.norm;
            self.step(Some(epsilon));
            if self.now.norm < LEVEL * least {
                least = least.min(self.now.norm);
                self.keep();
            }
            if self.has_ended() {
                break;
            }
            // Slow progress is that of the proximal term: impulses that contradict each other are moved faster until
            // one of them gives way. A norm that grows is a step too far.
            epsilon = if self.now.norm <= STANDING * was {
                (epsilon * SHRINK).max(LEAST)
            } else {
                (epsilon * GROW).min(EPSILONS.1)
            };
            let bounded = self.now.norm <= DIVERGED * start;
            if !bounded {
                break;
            }
        }
        if !self.is_solved() && !short {
            self.island.recall();
            self.measure();
        }
        least
    }

    /// Leaves the best iterate and says how good it is.
    fn finish(mut self) -> Report {
        if self.is_exact() {
            self.island.refresh();
        } else {
            self.island.recall_record();
        }
        let violation = self.island.measure().violation;
        self.report.violation = if self.island.is_singular() {
            f64::INFINITY
        } else {
            violation
        };
        // Written so that what is not a number counts as capped.
        let solved = self.report.violation <= self.options.tolerance;
        self.report.capped = !solved;
        self.report.orders = self.island.orders();
        self.report
    }
}
