//! Everything that can be plotted, by name: one vocabulary for tables, scene files and the window.
//!
//! | what | name |
//! |---|---|
//! | the whole run | `total_energy` |
//! | a body | `NAME.x`, `NAME.vz`, `NAME.wx_body` |
//! | a joint | `NAME.q0`, `NAME.rate0`, `NAME.fx`, `NAME.reaction` |
//! | a joint limit or cable | `JOINT.limit_0.gap`, `CABLE.force` |
//! | a pair that touches | `FIRST\|SECOND.normal_force`, the second a body or `world` |

mod chart;
mod columns;

pub use chart::{Chart, Section};
pub use columns::{BODY, BODY_TABLE, Column, JOINT, PAIR, Pair, RUN, STOP};

use super::Sample;
use crate::model::{BodyId, JointId, Model, State, Twist};
use columns::JOINT_RATES;

/// All that values are read from.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The mechanism.
    pub model: &'a Model,
    /// Its state.
    pub state: &'a State,
    /// Velocities at the knot, one per body.
    pub velocities: &'a [Twist],
    /// What is measured of the whole run.
    pub sample: &'a Sample,
}

/// What a quantity belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The whole run.
    Run,
    /// A body.
    Body(BodyId),
    /// A joint.
    Joint(JointId),
    /// A joint limit or cable, by its place among the limits of a state.
    Limit(usize),
    /// A body and another, or the world, that may touch.
    Pair(BodyId, Option<BodyId>),
}

/// Something with a value at every moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quantity {
    /// What it belongs to.
    pub owner: Owner,
    /// Its place among the columns of its owner.
    column: usize,
}

/// Simulated time.
pub const TIME: Quantity = Quantity {
    owner: Owner::Run,
    column: 1,
};

fn pair(first: BodyId, second: Option<BodyId>) -> Pair {
    [Some(first.0), second.map(|b| b.0)]
}

impl Quantity {
    /// All quantities of an owner.
    pub fn all(owner: Owner, model: &Model) -> impl Iterator<Item = Self> {
        let freedoms = match owner {
            Owner::Joint(joint) => model.joints[joint.0].kind.freedoms(),
            _ => 0,
        };
        let [rates, rest] = JOINT_RATES;
        let exists = move |column: &usize| match owner {
            Owner::Joint(_) if *column < rest => column % rates < freedoms,
            _ => true,
        };
        let count = match owner {
            Owner::Run => RUN.len(),
            Owner::Body(_) => BODY.len(),
            Owner::Joint(_) => JOINT.len(),
            Owner::Limit(_) => STOP.len(),
            Owner::Pair(..) => PAIR.len(),
        };
        (0..count)
            .filter(exists)
            .map(move |column| Self { owner, column })
    }

    /// Its value; not a number where there is none.
    pub fn value(&self, at: &Moment) -> f64 {
        if !self.owner.is_in(at.model) {
            return f64::NAN;
        }
        match self.owner {
            Owner::Run => (RUN[self.column].value)(at, ()),
            Owner::Body(body) => (BODY[self.column].value)(at, body.0),
            Owner::Joint(joint) => (JOINT[self.column].value)(at, joint.0),
            Owner::Limit(limit) => (STOP[self.column].value)(at, limit),
            Owner::Pair(a, b) => (PAIR[self.column].value)(at, pair(a, b)),
        }
    }

    fn described(&self) -> (&'static str, &'static str, &'static str) {
        fn of<T>(c: &Column<T>) -> (&'static str, &'static str, &'static str) {
            (c.name, c.unit, c.meaning)
        }
        match self.owner {
            Owner::Run => of(&RUN[self.column]),
            Owner::Body(_) => of(&BODY[self.column]),
            Owner::Joint(_) => of(&JOINT[self.column]),
            Owner::Limit(_) => of(&STOP[self.column]),
            Owner::Pair(..) => of(&PAIR[self.column]),
        }
    }

    /// Its name without its owner's.
    pub fn column(&self) -> &'static str {
        self.described().0
    }

    /// What it is, in words.
    pub fn meaning(&self) -> &'static str {
        self.described().2
    }

    /// Unit of its values.
    pub fn unit(&self, model: &Model) -> &'static str {
        let [rates, rest] = JOINT_RATES;
        match self.owner {
            Owner::Joint(joint) if self.column < rest => {
                let slides = model.joints[joint.0].kind.free_translations();
                match (self.column % rates < slides, self.column < rates) {
                    (true, true) => "m",
                    (true, false) => "m/s",
                    (false, true) => "rad",
                    (false, false) => "rad/s",
                }
            }
            Owner::Limit(limit) => {
                let length = match limit_of(model, limit) {
                    Some((joint, coordinate)) => {
                        coordinate < model.joints[joint].kind.free_translations()
                    }
                    None => true,
                };
                match (length, self.column) {
                    (true, 0) => "m",
                    (true, _) => "N",
                    (false, 0) => "rad",
                    (false, _) => "N·m",
                }
            }
            _ => self.described().1,
        }
    }

    /// Its name, as tables and scene files have it.
    pub fn name(&self, model: &Model) -> String {
        match self.owner {
            Owner::Run => self.column().into(),
            owner => format!("{}.{}", owner.name(model), self.column()),
        }
    }

    /// The same quantity of a model in which its owner may have another place, by name; none if it is not there.
    pub fn moved(&self, from: &Model, to: &Model) -> Option<Self> {
        let name = self.owner.is_in(from).then(|| self.name(from))?;
        Self::named(&name, to)
    }

    /// The quantity of that name.
    pub fn named(name: &str, model: &Model) -> Option<Self> {
        let of =
            |owner: Owner, column: &str| Self::all(owner, model).find(|q| q.column() == column);
        if let Some(found) = of(Owner::Run, name) {
            return Some(found);
        }
        // Names may contain dots, columns do not.
        let (owner, column) = name.rsplit_once('.')?;
        let body = model.body(owner).map(Owner::Body);
        let joint = model.joint(owner).map(Owner::Joint);
        let limit = (0..model.limit_count())
            .map(Owner::Limit)
            .find(|s| s.name(model) == owner);
        let touching = owner.match_indices('|').find_map(|(at, _)| {
            let first = model.body(&owner[..at])?;
            match &owner[at + 1..] {
                "world" => Some(Owner::Pair(first, None)),
                second => Some(Owner::Pair(first, Some(model.body(second)?))),
            }
        });
        let owners = [body, joint, limit, touching].into_iter().flatten();
        owners.into_iter().find_map(|owner| of(owner, column))
    }
}

impl Owner {
    /// Whether a model has it.
    pub fn is_in(&self, model: &Model) -> bool {
        let there = |body: BodyId| body.0 < model.bodies.len();
        match *self {
            Self::Run => true,
            Self::Body(body) => there(body),
            Self::Joint(joint) => joint.0 < model.joints.len(),
            Self::Limit(limit) => limit < model.limit_count(),
            Self::Pair(a, b) => there(a) && b.is_none_or(there),
        }
    }

    /// What it is called.
    pub fn name(&self, model: &Model) -> String {
        match *self {
            Self::Run => "run".into(),
            Self::Body(body) => model.bodies[body.0].name.clone(),
            Self::Joint(joint) => model.joints[joint.0].name.clone(),
            Self::Limit(limit) => match limit_of(model, limit) {
                Some((joint, coordinate)) => {
                    format!("{}.limit_{coordinate}", model.joints[joint].name)
                }
                None => model.cables[limit + model.cables.len() - model.limit_count()]
                    .name
                    .clone(),
            },
            Self::Pair(a, b) => {
                let second = b.map_or("world", |b| model.bodies[b.0].name.as_str());
                format!("{}|{second}", model.bodies[a.0].name)
            }
        }
    }
}

/// Joint and coordinate of a limit; none if it is a cable.
fn limit_of(model: &Model, limit: usize) -> Option<(usize, usize)> {
    let limits = model.joints.iter().enumerate();
    let mut limits =
        limits.flat_map(|(j, joint)| joint.limits.iter().map(move |l| (j, l.coordinate)));
    limits.nth(limit)
}

#[cfg(test)]
mod tests;
