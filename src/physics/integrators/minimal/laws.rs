//! What is evaluated inside an interval: dampers, PD drives, stiff springs, dampers between points, the mouse.
//!
//! Over an interval the coordinate of a law goes from `a` to `b`, its rate is `(b - a)/dt`, and the law acts at its middle;
//! each knot takes half of the impulse, along the coordinate's own direction there. So the maximal variational methods
//! take them, and dissipation is of second order as the rest is. Each enters the first knot as wrenches on two bodies. Of a
//! law on a coordinate of the tree the derivative is a diagonal entry; one between other bodies is a [`Tie`], of rank one.

use super::displacement::Displacement;
use super::equation::Context;
use super::pulls::Pull;
use crate::forces::{self, Line, LineDamper, StiffSprings, Wrench};
use crate::joints::{self, Placement, Stretch, row_on};
use crate::kinematics::{SpatialBlock, Tree};
use crate::math::{Mat3, Vec3};
use crate::model::{BodyState, Input, Joint, JointKind, Model, Row, State, Twist};
use crate::solver::{Course, Interval, mouse};

/// What acts.
#[derive(Debug, Clone, Copy)]
enum What {
    /// Damping and PD drives on a coordinate of a joint.
    Drive { joint: usize, coordinate: usize },
    /// A stiff spring of a joint, by its place among those of the joint.
    Spring { joint: usize, spring: usize },
    /// A damper between two points, by its place among the forces.
    Line { force: usize },
}

/// One law.
#[derive(Debug, Clone)]
struct Law {
    what: What,
    /// The velocity that is its coordinate's rate, if a joint of the tree has it.
    slot: Option<usize>,
    /// Wrenches on links at the first knot for a unit force that raises the coordinate.
    ends: Ends,
    /// Coordinate at the first knot (m, rad), and the rotation of the child in the parent's joint axes.
    start: f64,
    relative: Mat3,
    /// All coordinates of its joint there (m, rad).
    from: [f64; 6],
    /// Of a damper between points its line there.
    line: Option<Line>,
    /// That of a spring from where it rests, as a vector (rad).
    turn: Vec3,
    /// Of a drive the travel that a unit of half its impulse gives free bodies.
    free: f64,
    /// What it came to in the interval, and where the last step of the root finder set out.
    reached: Reached,
    marked: Reached,
}

/// What a law came to for a motion.
#[derive(Debug, Clone, Copy, Default)]
struct Reached {
    /// Half of the impulse of the interval (N·s, N·m·s).
    half: f64,
    /// Minus its derivative with respect to the coordinate at the second knot.
    slope: f64,
    /// What is over the interval the coordinate's rate (m, rad), of a drive.
    travel: f64,
}

impl Reached {
    /// Half of the impulse that the linear system of a step from here finds with a travel.
    fn half_at(&self, travel: f64) -> f64 {
        self.half - self.slope * (travel - self.travel)
    }
}

/// A law that is on no coordinate of the tree, as it enters the derivative: `slope · J₀ᵀ first · (J₁ᵀ second)ᵀ`.
#[derive(Debug, Clone, Copy)]
pub struct Tie {
    /// Minus the derivative of the impulse at the first knot with respect to the law's coordinate at the second.
    pub slope: f64,
    /// What the slope makes of the coordinate itself, to which its impulse rounds (N·s, N·m·s).
    pub size: f64,
    /// Wrenches on links for a unit force that raises the coordinate, at either knot.
    pub first: Ends,
    pub second: Ends,
}

/// Wrenches on up to two links or bodies, by index.
pub type Ends = [Option<(usize, Wrench)>; 2];

/// All laws of a mechanism and what they come to in an interval.
#[derive(Debug, Clone)]
pub struct Laws {
    laws: Vec<Law>,
    pulls: Vec<Pull>,
    /// Springs that are taken here and not at the knots.
    pub stiff: StiffSprings,
    /// Poses at the second knot, where laws are to be evaluated.
    next: Vec<BodyState>,
    /// Impulses at the first knot, by link.
    pub loads: Vec<Wrench>,
    /// Minus their derivatives with respect to the coordinates of the tree, by velocity.
    pub diagonal: Vec<f64>,
    /// The same with respect to the motions of links at the second knot.
    pub blocks: Vec<(usize, SpatialBlock)>,
    /// Laws on no coordinate of the tree.
    pub ties: Vec<Tie>,
    /// Impulse of the mouse at the second knot, and its body.
    pulled: Option<(usize, Wrench)>,
}

fn is_ball(kind: JointKind, coordinate: usize) -> bool {
    kind.free_rotations() == 3 && coordinate >= kind.free_translations()
}

fn spatial(row: &[f64; 6]) -> Wrench {
    Wrench {
        force: Vec3::new(row[0], row[1], row[2]),
        torque: Vec3::new(row[3], row[4], row[5]),
    }
}

fn push(to: &mut Wrench, wrench: &Wrench, part: f64) {
    to.force += wrench.force * part;
    to.torque += wrench.torque * part;
}

/// The same wrenches by link.
pub fn by_link(tree: &Tree, ends: Ends) -> Ends {
    ends.map(|end| end.map(|(body, wrench)| (tree.link_of(body), wrench)))
}

/// Wrenches on the bodies of a joint for a unit force along a row.
fn on_bodies(joint: &Joint, at: &Placement, row: &Row) -> Ends {
    let on = |child| spatial(&row_on(row, at, child));
    let parent = joint.parent.map(|p| (p.0, on(false)));
    [parent, Some((joint.child.0, on(true)))]
}

/// Wrenches on bodies for a unit force that raises the coordinate of a law; `turn` is that of a spring at the first knot.
fn ends(what: What, model: &Model, bodies: &[BodyState], turn: &Vec3) -> Ends {
    match what {
        What::Drive { joint, coordinate } => {
            let joint = &model.joints[joint];
            let at = Placement::of(joint, bodies);
            on_bodies(joint, &at, &joints::rate_row(joint.kind, &at, coordinate))
        }
        What::Spring { joint, spring } => {
            let joint = &model.joints[joint];
            let at = Placement::of(joint, bodies);
            // Full turns of an angle do not change its gradient.
            let stretch = Stretch::of(joint.kind, &joint.springs[spring], &at, [0.0; 2]);
            on_bodies(joint, &at, &stretch.near(turn).row())
        }
        What::Line { force } => {
            let Some(damper) = LineDamper::of(&model.forces[force], bodies) else {
                return [None; 2];
            };
            [(0, -1.0), (1, 1.0)].map(|(end, sign)| {
                let mut wrench = Wrench::default();
                wrench.push(&(damper.direction * sign), &damper.arms[end]);
                damper.bodies[end].map(|b| (b.0, wrench))
            })
        }
    }
}

impl Laws {
    /// Those of a model.
    pub fn new(model: &Model, tree: &Tree, stiff: StiffSprings) -> Self {
        let mut laws = Vec::new();
        let law = |what, slot| Law {
            what,
            slot,
            ends: [None; 2],
            start: 0.0,
            relative: Mat3::identity(),
            from: [0.0; 6],
            line: None,
            turn: Vec3::zeros(),
            free: 0.0,
            reached: Reached::default(),
            marked: Reached::default(),
        };
        for (j, joint) in model.joints.iter().enumerate() {
            let link = tree
                .links()
                .iter()
                .find(|l| l.joint.is_some_and(|t| t.joint == j));
            for coordinate in (0..joint.kind.freedoms()).filter(|&c| forces::has_law(joint, c)) {
                let slot = link.map(|l| l.velocities().start + coordinate);
                laws.push(law(
                    What::Drive {
                        joint: j,
                        coordinate,
                    },
                    slot,
                ));
            }
            for spring in stiff.of_joint(j) {
                // The gradient of a free rotation is no coordinate of the tree.
                let coordinate = joint.springs[spring].coordinate;
                let slot = link
                    .filter(|_| !is_ball(joint.kind, coordinate))
                    .map(|l| l.velocities().start + coordinate);
                laws.push(law(What::Spring { joint: j, spring }, slot));
            }
        }
        for (k, force) in model.forces.iter().enumerate() {
            if matches!(force, crate::model::Force::Spring { damping, .. } if *damping > 0.0) {
                laws.push(law(What::Line { force: k }, None));
            }
        }
        let pulls = Pull::all(model, &stiff);
        Self {
            blocks: Vec::with_capacity(1),
            ties: Vec::with_capacity(laws.len() + 3 * pulls.len()),
            laws,
            pulls,
            stiff,
            next: Vec::with_capacity(model.bodies.len()),
            loads: vec![Wrench::default(); tree.links().len()],
            diagonal: vec![0.0; tree.freedoms()],
            pulled: None,
        }
    }

    /// How many laws are on no coordinate of the tree.
    pub fn tie_count(&self) -> usize {
        self.laws.iter().filter(|law| law.slot.is_none()).count() + 3 * self.pulls.len()
    }

    /// Whether anything can act.
    fn idle(&self, input: &Input) -> bool {
        self.laws.is_empty() && self.pulls.is_empty() && input.drag.is_none()
    }

    /// Sets out again without impulses.
    pub fn restart(&mut self) {
        self.laws
            .iter_mut()
            .for_each(|law| law.marked = Reached::default());
    }

    /// Notes what all came to, from where a step of the root finder sets out.
    pub fn mark(&mut self) {
        self.laws
            .iter_mut()
            .for_each(|law| law.marked = law.reached);
    }

    /// Takes the first knot; `free` is the travel along a wrench that a unit of it gives a link over the interval.
    pub fn begin(
        &mut self,
        model: &Model,
        tree: &Tree,
        state: &State,
        free: impl Fn(usize, &Wrench) -> f64,
    ) {
        self.loads.fill(Wrench::default());
        self.diagonal.fill(0.0);
        self.blocks.clear();
        self.ties.clear();
        self.pulled = None;
        for law in &mut self.laws {
            match law.what {
                What::Spring { joint, spring } => {
                    let reference = state.angles[joint];
                    let joint = &model.joints[joint];
                    let at = Placement::of(joint, &state.bodies);
                    let stretch = Stretch::of(joint.kind, &joint.springs[spring], &at, reference);
                    (law.start, law.turn) = (stretch.value, stretch.turn());
                }
                What::Drive { joint, coordinate } => {
                    let reference = state.angles[joint];
                    let joint = &model.joints[joint];
                    let at = Placement::of(joint, &state.bodies);
                    law.from = joints::coordinates(joint.kind, &at, reference);
                    law.start = law.from[coordinate];
                    law.relative = joints::relative_rotation(&at);
                }
                What::Line { force } => {
                    let line = Line::about(&model.forces[force], &state.bodies, &Vec3::zeros());
                    (law.start, law.line) = (line.map_or(0.0, |l| l.span.norm()), line);
                }
            }
            law.ends = by_link(tree, ends(law.what, model, &state.bodies, &law.turn));
            let ends = law.ends.iter().flatten();
            law.free = ends.map(|(link, wrench)| free(*link, wrench)).sum();
        }
        for pull in &mut self.pulls {
            pull.begin(model, tree, &state.bodies);
        }
    }

    /// Evaluates all laws for the motion of an interval; `held` is the mean velocity of a link.
    pub fn evaluate(
        &mut self,
        context: &Context,
        tree: &Tree,
        motion: &Displacement,
        delta: &[f64],
        held: impl Fn(usize) -> Twist,
    ) {
        let Context {
            model,
            state,
            input,
            interval,
        } = *context;
        if self.idle(input) {
            return;
        }
        self.loads.fill(Wrench::default());
        self.diagonal.fill(0.0);
        self.blocks.clear();
        self.ties.clear();
        self.next.clone_from(&state.bodies);
        for (i, link) in tree.links().iter().enumerate() {
            let pose = &mut self.next[link.body];
            pose.position += motion.shifts[i];
            pose.orientation = motion.turns[i] * pose.orientation;
        }
        let Interval {
            dt, share, blend, ..
        } = interval;
        for law in &mut self.laws {
            let reached = match law.what {
                What::Drive { joint, coordinate } => {
                    let reference = state.angles[joint];
                    let joint = &model.joints[joint];
                    let (change, travel) = match law.slot {
                        Some(slot) if !is_ball(joint.kind, coordinate) => {
                            (delta[slot], delta[slot])
                        }
                        _ => {
                            let at = Placement::of(joint, &self.next);
                            let (kind, from) = (joint.kind, &law.from);
                            let end = joints::coordinates_from(kind, &at, reference, from);
                            let change = end[coordinate] - law.start;
                            let travel = if is_ball(joint.kind, coordinate) {
                                let now = joints::relative_rotation(&at);
                                let turn = joints::turn_between(&law.relative, &now);
                                turn[coordinate - joint.kind.free_translations()]
                            } else {
                                change
                            };
                            (change, travel)
                        }
                    };
                    let course = Course {
                        start: law.start,
                        change,
                        travel,
                        impulse: law.marked.half_at(travel),
                        free: law.free,
                    };
                    let (half, slope) = course.law(joint, coordinate, &interval);
                    Reached {
                        half,
                        slope,
                        travel,
                    }
                }
                What::Spring { joint, spring } => {
                    let reference = state.angles[joint];
                    let joint = &model.joints[joint];
                    let spring = &joint.springs[spring];
                    let change = match law.slot {
                        Some(slot) => delta[slot],
                        None => {
                            let at = Placement::of(joint, &self.next);
                            let stretch = Stretch::of(joint.kind, spring, &at, reference);
                            stretch.near(&law.turn).value - law.start
                        }
                    };
                    let force = -spring.stiffness * (law.start + blend * change);
                    Reached {
                        half: share * dt * force,
                        slope: share * dt * blend * spring.stiffness,
                        travel: change,
                    }
                }
                What::Line { force } => {
                    let damper = LineDamper::of(&model.forces[force], &self.next);
                    let coefficient = damper.map_or(0.0, |d| d.coefficient);
                    let change = law.line.as_ref().map_or(0.0, |line| {
                        // The difference of both lengths, without cancellation.
                        let change = motion.change_of(tree, line);
                        let lengths = (line.span + change).norm() + law.start;
                        change.dot(&(line.span * 2.0 + change)) / lengths
                    });
                    Reached {
                        half: -share * coefficient * change,
                        slope: share * coefficient,
                        travel: change,
                    }
                }
            };
            law.reached = reached;
            let Reached { half, slope, .. } = reached;
            for (link, wrench) in law.ends.iter().flatten() {
                push(&mut self.loads[*link], wrench, half);
            }
            match law.slot {
                Some(slot) => self.diagonal[slot] += slope,
                None => self.ties.push(Tie {
                    slope,
                    // Angles are read from poses, to the rounding of a radian.
                    size: slope.abs() * law.start.abs().max(1.0),
                    first: law.ends,
                    second: by_link(tree, ends(law.what, model, &self.next, &law.turn)),
                }),
            }
        }
        for pull in &mut self.pulls {
            let at = (self.next.as_slice(), motion, dt);
            pull.evaluate(model, tree, at, &mut self.loads, &mut self.ties);
        }
        if let Some(drag) = &input.drag {
            let body = drag.body.0;
            let link = tree.link_of(body);
            let poses = [&state.bodies[body], &self.next[body]];
            let pull = mouse::pull(model, drag, poses, &held(link), &interval);
            let [force, torque] = pull.impulse;
            push(&mut self.loads[link], &Wrench { force, torque }, share);
            let rest = Wrench {
                force: force * (1.0 - share),
                torque: torque * (1.0 - share),
            };
            self.pulled = Some((body, rest));
            let [
                [force_linear, force_angular],
                [torque_linear, torque_angular],
            ] = pull.slope;
            let mut block = SpatialBlock::default();
            let whole = SpatialBlock {
                force_linear,
                force_angular,
                torque_linear,
                torque_angular,
            };
            block.add(&whole, share);
            self.blocks.push((link, block));
        }
    }

    /// Adds the impulses of the second knot to the momenta of the bodies there.
    pub fn deposit(&self, model: &Model, bodies: &mut [BodyState]) {
        for law in &self.laws {
            for (body, wrench) in ends(law.what, model, bodies, &law.turn)
                .into_iter()
                .flatten()
            {
                bodies[body].momentum += wrench.force * law.reached.half;
                bodies[body].angular_momentum += wrench.torque * law.reached.half;
            }
        }
        for pull in &self.pulls {
            pull.deposit(model, bodies);
        }
        if let Some((body, rest)) = self.pulled {
            bodies[body].momentum += rest.force;
            bodies[body].angular_momentum += rest.torque;
        }
    }
}
