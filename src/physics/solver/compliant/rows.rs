//! Rows of springs and dampers that pull both ways: what joints and couplings hold, and all laws of joint coordinates and
//! of lines between points, which are the same thing with other numbers.
//!
//! A row with the gradient `G`, open by `φ`, pulls with `λ = -k φ₁ - b (φ̇₁ - w)` at the end of the step, where
//! `φ₁ = φ + h φ̇₁` [Drumwright eq. 51, 53]. With the impulse `p = h λ` and `s = h k + b` that is
//! ```text
//!   G v₁ + C p = c,   C = 1/(h s),   c = (b w - k φ)/s
//! ```
//! whose coefficients stay finite whatever the stiffness: `c = -φ/h` and `C = 0` where it is infinite.

use super::values::coupling_value;
use super::{Body, FINEST, mobility};
use crate::forces::{self, Line, StiffSprings, joint_law};
use crate::joints::{self, Placement, Stretch, row_on};
use crate::model::{BodyId, Compliance, Force, Joint, JointId, Model, State, Twist};
use std::ops::Range;

/// What rows are taken for.
#[derive(Debug, Clone, Copy)]
pub struct Laws<'a> {
    /// Step (s).
    pub h: f64,
    /// Springs that are taken at the end of the step.
    pub stiff: &'a StiffSprings,
}

/// What a group of rows stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// All that a joint holds, then the laws of its coordinates, then its springs.
    Joint(usize),
    /// A coupling.
    Coupling(usize),
    /// Spring and damper between two points.
    Line(usize),
}

/// Rows that are one node of the system.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What it stands for.
    pub kind: Kind,
    /// Its rows.
    pub rows: Range<usize>,
    /// Its gradients.
    pub entries: Range<usize>,
    /// Bodies that it touches, each once.
    pub bodies: Vec<usize>,
}

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Row {
    /// How far it is open (m, rad).
    pub value: f64,
    /// Spring and damper of what is held; `None` for laws, which have their own accounts.
    pub held: Option<Compliance>,
    /// `C` (1/kg, 1/(kg·m²)).
    pub compliance: f64,
    /// `c` (m/s, rad/s).
    pub wanted: f64,
    /// What the system is given in its place: `c` less what the curvature of the row adds to `G v₁` over the step.
    pub goal: f64,
    /// Whether its value is the integral of its rate, so that its curvature is known.
    pub is_followed: bool,
    /// `p`, found by the solution (N·s, N·m·s).
    pub impulse: f64,
}

/// Gradient of a row on one of its bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Entry {
    /// The row.
    pub row: usize,
    /// The body.
    pub body: usize,
    /// `G`: linear, then angular part, world axes.
    pub value: [f64; 6],
}

/// All rows of a model.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// Groups, each with rows of its own.
    pub groups: Vec<Group>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Gradients, group by group.
    pub entries: Vec<Entry>,
}

/// The bodies of a joint, with whether each is the child.
fn ends(joint: &Joint) -> impl Iterator<Item = (usize, bool)> {
    let parent = joint.parent.map(|p| (p.0, false));
    [(joint.child.0, true)].into_iter().chain(parent)
}

/// Coordinates of a joint that a damper or a drive acts on.
pub(super) fn laws(joint: &Joint) -> impl Iterator<Item = usize> {
    (0..joint.kind.freedoms()).filter(|&k| forces::has_law(joint, k))
}

/// Number of rows of a joint.
pub fn joint_rows(joint: &Joint) -> usize {
    joint.kind.constraints() + laws(joint).count() + joint.springs.len()
}

impl Rows {
    /// Adds a group, if it has any row.
    pub fn push(&mut self, model: &Model, kind: Kind) -> Option<usize> {
        let mut bodies: Vec<usize> = Vec::new();
        let (first, entry) = (self.rows.len(), self.entries.len());
        let mut row = |bodies: &mut Vec<usize>, row: usize, body: usize| {
            self.entries.push(Entry {
                row,
                body,
                ..Entry::default()
            });
            if !bodies.contains(&body) {
                bodies.push(body);
            }
        };
        let count = match kind {
            Kind::Joint(j) => {
                let joint = &model.joints[j];
                let count = joint_rows(joint);
                for k in 0..count {
                    ends(joint).for_each(|(body, _)| row(&mut bodies, first + k, body));
                }
                count
            }
            Kind::Coupling(c) => {
                for term in &model.couplings[c].terms {
                    let joint = &model.joints[term.joint.0];
                    ends(joint).for_each(|(body, _)| row(&mut bodies, first, body));
                }
                1
            }
            Kind::Line(f) => {
                if let Force::Spring { ends, .. } = &model.forces[f] {
                    let bodies_of = ends.iter().filter_map(|e| e.body);
                    bodies_of.for_each(|b| row(&mut bodies, first, b.0));
                }
                1
            }
        };
        if count == 0 || bodies.is_empty() {
            return None;
        }
        self.rows.resize(first + count, Row::default());
        self.groups.push(Group {
            kind,
            rows: first..first + count,
            entries: entry..self.entries.len(),
            bodies,
        });
        Some(self.groups.len() - 1)
    }

    /// Gradients of a group.
    pub fn entries_of(&self, group: usize) -> &[Entry] {
        &self.entries[self.groups[group].entries.clone()]
    }

    /// Takes all rows at a state for a step of `h` (s).
    pub fn evaluate(&mut self, model: &Model, state: &State, bodies: &[Body], laws: &Laws) {
        let Self {
            groups,
            rows,
            entries,
        } = self;
        let mut sink = Sink {
            entries: entries.iter_mut(),
            rows,
            bodies,
            laws,
        };
        for group in groups.iter() {
            let first = group.rows.start;
            match group.kind {
                Kind::Joint(j) => joint_group(j, first, model, state, &mut sink),
                Kind::Coupling(c) => coupling_group(c, first, model, state, &mut sink),
                Kind::Line(f) => line_group(f, first, model, state, &mut sink),
            }
        }
    }
}

/// How far a held row of a joint gives.
pub(super) fn held(joint: &Joint, row: usize) -> Compliance {
    joint.compliance[usize::from(row >= joint.kind.constrained_translations())]
}

/// Where rows are written.
struct Sink<'a, E> {
    entries: E,
    rows: &'a mut [Row],
    bodies: &'a [Body],
    laws: &'a Laws<'a>,
}

impl<'a, E: Iterator<Item = &'a mut Entry>> Sink<'a, E> {
    /// Writes gradients of a row, in the order in which they were laid out; returns its mobility.
    fn put(&mut self, gradients: impl Iterator<Item = [f64; 6]>) -> f64 {
        let mut sum = 0.0;
        for value in gradients {
            // Laid out for every body of every row.
            if let Some(entry) = self.entries.next() {
                entry.value = value;
                sum += mobility(&self.bodies[entry.body], &value);
            }
        }
        sum
    }

    /// A row held by a spring and damper.
    fn hold(&mut self, row: usize, value: f64, own: Compliance, mobility: f64) {
        let h = self.laws.h;
        let floor = FINEST * mobility;
        let (compliance, wanted) = if own.is_rigid() {
            (floor, -value / h)
        } else {
            let s = h * own.stiffness + own.damping;
            if s > 0.0 {
                ((1.0 / (h * s)).max(floor), -value * (own.stiffness / s))
            } else {
                (f64::INFINITY, 0.0)
            }
        };
        self.rows[row] = Row {
            value,
            held: Some(own),
            compliance,
            wanted,
            goal: wanted,
            is_followed: compliance.is_finite(),
            impulse: 0.0,
        };
    }

    /// A row of a law `force - k h φ̇₁ - b (φ̇₁ - rate)` of something with a value, where there is one.
    fn law(
        &mut self,
        row: usize,
        value: Option<f64>,
        force: f64,
        ([k, b], rate): ([f64; 2], f64),
        mobility: f64,
    ) {
        let h = self.laws.h;
        let s = h * k + b;
        let (compliance, wanted) = if s > 0.0 {
            let compliance = (1.0 / (h * s)).max(FINEST * mobility);
            (compliance, (force + b * rate) / s)
        } else {
            (f64::INFINITY, h * force)
        };
        self.rows[row] = Row {
            value: value.unwrap_or(0.0),
            held: None,
            compliance,
            wanted,
            goal: wanted,
            is_followed: value.is_some() && compliance.is_finite(),
            impulse: 0.0,
        };
    }
}

fn joint_group<'a, E: Iterator<Item = &'a mut Entry>>(
    j: usize,
    first: usize,
    model: &Model,
    state: &State,
    sink: &mut Sink<'a, E>,
) {
    let joint = &model.joints[j];
    let at = Placement::of(joint, &state.bodies);
    let pair = |row: &crate::model::Row| {
        let row = *row;
        ends(joint).map(move |(_, child)| row_on(&row, &at, child))
    };
    let mut next = first;
    let count = joint.kind.constraints();
    if count > 0 {
        let mut g = [0.0; 6];
        joints::constraint(joint.kind, &at, &mut g);
        for (k, gradient) in joints::constraint_rows(joint.kind, &at).enumerate() {
            let mobility = sink.put(pair(&gradient));
            sink.hold(next, g[k], held(joint, k), mobility);
            next += 1;
        }
    }
    if joint_rows(joint) == count {
        return;
    }
    let q = joints::coordinates(joint.kind, &at, state.angles[j]);
    let twist = |b: BodyId| state.bodies[b.0].velocity;
    let parent = joint.parent.map_or_else(Twist::default, twist);
    let rates = joints::rates(joint.kind, &at, &parent, &twist(joint.child));
    for k in laws(joint) {
        let mobility = sink.put(pair(&joints::rate_row(joint.kind, &at, k)));
        let law = joint_law(joint, k, q[k], rates[k], state.time);
        let slopes = [-law.d_coordinate, -law.d_rate];
        // The rate of a free rotation is no derivative of its coordinates.
        let value = (joint.kind.free_rotations() < 3).then_some(q[k]);
        sink.law(next, value, law.force, (slopes, rates[k]), mobility);
        next += 1;
    }
    for (n, spring) in joint.springs.iter().enumerate() {
        let stretch = Stretch::of(joint.kind, spring, &at, state.angles[j]);
        let mobility = sink.put(pair(&stretch.row()));
        let force = -spring.stiffness * stretch.value;
        let slopes = if sink.laws.stiff.holds(j, n) {
            [spring.stiffness, 0.0]
        } else {
            [0.0; 2]
        };
        sink.law(next, Some(stretch.value), force, (slopes, 0.0), mobility);
        next += 1;
    }
}

fn coupling_group<'a, E: Iterator<Item = &'a mut Entry>>(
    c: usize,
    row: usize,
    model: &Model,
    state: &State,
    sink: &mut Sink<'a, E>,
) {
    let coupling = &model.couplings[c];
    let value = coupling_value(model, c, &state.bodies, &state.angles);
    let mut mobility = 0.0;
    for term in &coupling.terms {
        let JointId(j) = term.joint;
        let joint = &model.joints[j];
        let at = Placement::of(joint, &state.bodies);
        let gradient = joints::coordinate_row(joint.kind, &at, term.coordinate);
        let on = |(_, child)| row_on(&gradient, &at, child).map(|x| x * term.factor);
        mobility += sink.put(ends(joint).map(on));
    }
    sink.hold(row, value, coupling.compliance, mobility);
}

fn line_group<'a, E: Iterator<Item = &'a mut Entry>>(
    f: usize,
    row: usize,
    model: &Model,
    state: &State,
    sink: &mut Sink<'a, E>,
) {
    let force = &model.forces[f];
    let Force::Spring {
        stiffness,
        rest,
        damping,
        ..
    } = force
    else {
        return;
    };
    let Some(line) = Line::about(force, &state.bodies, &crate::math::Vec3::zeros()) else {
        return;
    };
    let length = line.span.norm();
    // Ends that meet give no direction to pull in.
    let along = if length > 0.0 {
        line.span / length
    } else {
        line.span
    };
    let sides = [-along, along].into_iter().enumerate();
    let gradients = sides.filter(|(k, _)| line.bodies[*k].is_some());
    let mobility = sink.put(gradients.map(|(k, push)| {
        let torque = line.arms[k].cross(&push);
        [push.x, push.y, push.z, torque.x, torque.y, torque.z]
    }));
    let stretch = if length > 0.0 { length - rest } else { 0.0 };
    // A soft spring is a force at the start, which keeps its energy as the method would not.
    let stiff = sink.laws.stiff.holds_line(f);
    let slopes = [if stiff { *stiffness } else { 0.0 }, *damping];
    let value = (length > 0.0).then_some(length);
    sink.law(row, value, -stiffness * stretch, (slopes, 0.0), mobility);
}
