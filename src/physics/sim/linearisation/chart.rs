//! Coordinates in which a state is displaced.

use super::{Coordinates, LinearisationError};
use crate::kinematics::{Tree, TreeMotion};
use crate::math::{Quat, Vec3, rotation};
use crate::model::{Model, State, Twist};

/// What the six coordinates of a body are called, and its velocities.
const BODY: [[&str; 6]; 2] = [
    ["x", "y", "z", "turn_x", "turn_y", "turn_z"],
    ["vx", "vy", "vz", "wx", "wy", "wz"],
];

/// Coordinates of a state, `n` of position and `n` of velocity.
pub(super) enum Chart {
    /// Of the joints of a tree.
    Joints(Box<Joints>),
    /// Of so many bodies.
    Bodies(usize),
}

pub(super) struct Joints {
    tree: Tree,
    motion: TreeMotion,
    /// Whether a velocity is that of a turn.
    turns: Vec<bool>,
}

impl Chart {
    pub fn new(model: &Model, coordinates: Coordinates) -> Result<Self, LinearisationError> {
        if model.bodies.is_empty() {
            return Err(LinearisationError::Empty);
        }
        if coordinates == Coordinates::Bodies {
            return Ok(Self::Bodies(model.bodies.len()));
        }
        let tree = Tree::new(model);
        if let Some(joint) = tree.cut().first() {
            let joint = model.joints[joint.0].name.clone();
            return Err(LinearisationError::Loops { joint });
        }
        let turns = tree.links().iter().flat_map(|link| {
            let slides = link.kind.free_translations();
            (0..link.kind.freedoms()).map(move |k| k >= slides)
        });
        Ok(Self::Joints(Box::new(Joints {
            turns: turns.collect(),
            motion: TreeMotion::new(&tree),
            tree,
        })))
    }

    /// Positions, or velocities.
    fn half(&self) -> usize {
        match self {
            Self::Joints(joints) => joints.tree.freedoms(),
            Self::Bodies(bodies) => 6 * bodies,
        }
    }

    /// Numbers of a state.
    pub fn len(&self) -> usize {
        2 * self.half()
    }

    /// Whether a coordinate is a rotation, or its rate, and whether it is a velocity.
    pub fn is(&self, coordinate: usize) -> (bool, bool) {
        let (k, rate) = (coordinate % self.half(), coordinate >= self.half());
        let turns = match self {
            Self::Joints(joints) => joints.turns[k],
            Self::Bodies(_) => k % 6 >= 3,
        };
        (turns, rate)
    }

    /// What the coordinates are called.
    pub fn names(&self, model: &Model) -> Vec<String> {
        let body = |body: usize, names: [&str; 6]| {
            names.map(|name| format!("{}.{name}", model.bodies[body].name))
        };
        let half = |k: usize| -> Vec<String> {
            match self {
                Self::Bodies(bodies) => (0..*bodies).flat_map(|b| body(b, BODY[k])).collect(),
                Self::Joints(joints) => {
                    let links = joints.tree.links().iter();
                    let names = links.flat_map(|link| match link.joint {
                        None => body(link.body, BODY[k]).to_vec(),
                        Some(joint) => {
                            let joint = &model.joints[joint.joint];
                            let word = ["q", "rate"][k];
                            let name = |n| format!("{}.{word}{n}", joint.name);
                            (0..joint.kind.freedoms()).map(name).collect()
                        }
                    });
                    names.collect()
                }
            }
        };
        [half(0), half(1)].concat()
    }

    /// A state with these velocities, one coordinate displaced.
    pub fn displaced(
        &mut self,
        (base, twists): (&State, &[Twist]),
        displaced: Option<(usize, f64)>,
    ) -> State {
        let mut state = base.clone();
        for (body, twist) in state.bodies.iter_mut().zip(twists) {
            body.velocity = *twist;
        }
        let half = self.half();
        match self {
            Self::Joints(joints) => joints.displace(&mut state, twists, displaced),
            Self::Bodies(_) => {
                if let Some((coordinate, by)) = displaced {
                    let (k, rate) = (coordinate % half, coordinate >= half);
                    let body = &mut state.bodies[k / 6];
                    let axis = Vec3::ith(k % 3, by);
                    match (rate, k % 6 >= 3) {
                        (false, false) => body.position += axis,
                        (false, true) => {
                            body.orientation = Quat::from_scaled_axis(axis) * body.orientation;
                        }
                        (true, false) => body.velocity.linear += axis,
                        (true, true) => body.velocity.angular += axis,
                    }
                }
            }
        }
        state
    }

    /// The second state less the first, each with its velocities.
    pub fn difference(
        &self,
        first: (&State, &[Twist]),
        second: (&State, &[Twist]),
        out: &mut [f64],
    ) {
        let (places, rates) = out.split_at_mut(self.half());
        match self {
            Self::Joints(joints) => {
                let [first, second] = [first, second].map(|of| joints.read(of));
                joints.tree.difference(&first.0, &second.0, places);
                for ((out, first), second) in rates.iter_mut().zip(&first.1).zip(&second.1) {
                    *out = second - first;
                }
            }
            Self::Bodies(bodies) => {
                for b in 0..*bodies {
                    let [from, to] = [first, second].map(|of| &of.0.bodies[b]);
                    let turn = rotation::log(&(to.orientation * from.orientation.inverse()));
                    let [before, after] = [first, second].map(|of| &of.1[b]);
                    let at = 6 * b;
                    for k in 0..3 {
                        places[at + k] = to.position[k] - from.position[k];
                        places[at + 3 + k] = turn[k];
                        rates[at + k] = after.linear[k] - before.linear[k];
                        rates[at + 3 + k] = after.angular[k] - before.angular[k];
                    }
                }
            }
        }
    }
}

impl Joints {
    /// Coordinates and rates of a state with these velocities.
    fn read(&self, (state, twists): (&State, &[Twist])) -> (Vec<f64>, Vec<f64>) {
        let mut q = vec![0.0; self.tree.coordinates()];
        let mut v = vec![0.0; self.tree.freedoms()];
        self.tree.neutral(&mut q);
        self.tree.read(&state.bodies, &state.angles, &mut q);
        self.tree.read_velocities(&state.bodies, twists, &mut v);
        (q, v)
    }

    fn displace(&mut self, state: &mut State, twists: &[Twist], displaced: Option<(usize, f64)>) {
        let (mut q, mut v) = self.read((state, twists));
        if let Some((coordinate, by)) = displaced {
            let half = v.len();
            if coordinate < half {
                let mut delta = vec![0.0; half];
                delta[coordinate] = by;
                self.tree.retract(&mut q, &delta);
            } else {
                v[coordinate - half] += by;
            }
        }
        self.motion.place(&self.tree, &q);
        self.motion.drive(&self.tree, &v);
        self.motion.write(&self.tree, &mut state.bodies);
        self.tree.write_angles(&q, &mut state.angles);
    }
}
