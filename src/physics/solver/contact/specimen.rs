//! Intervals with contact that tests read at a glance: a few bodies, their first knot, and what takes part.

use super::Contacts;
use super::rebounds::at_knot;
use crate::contact::Located;
use crate::kinematics;
use crate::math::{Mat3, Pose, Vec3};
use crate::model::{
    Attachment, Body, BodyId, Cable, ContactRules, ContactState, ContactStatus, Geometry, Joint,
    JointFrame, JointKind, JointLimit, Material, Model, ModelParts, Shape, State, Touch, specimen,
};
use crate::solver::past::Past;
use crate::solver::{ConeSection, Interval, LinearSolver, MechanismSolver, StepContext, law};

/// Restitution of shapes, of limits and of cables: each its own, so that none is taken for another.
pub const RESTITUTION: [f64; 3] = [0.5, 0.625, 0.75];

/// Length of the interval (s). Powers of two here and below keep speeds at a threshold exact.
pub const DT: f64 = 1.0 / 64.0;

/// Radius of every ball (m).
pub const RADIUS: f64 = 0.5;

/// A ball of this mass (kg).
pub fn ball(name: &str, mass: f64) -> Body {
    let mut body = Body::new(name, mass, Mat3::identity() * (0.1 * mass));
    body.shapes.push(shape(Geometry::Sphere { radius: RADIUS }));
    body
}

/// A shape in the frame of its owner.
pub fn shape(geometry: Geometry) -> Shape {
    Shape {
        geometry,
        pose: Pose::identity(),
        colour: None,
        touch: Touch::default(),
        foundations: Vec::new(),
    }
}

/// Bodies above the plane z = 0.
pub fn above_the_floor(bodies: Vec<Body>, gravity: f64, friction: f64) -> ModelParts {
    ModelParts {
        bodies,
        world_shapes: vec![shape(Geometry::HalfSpace)],
        contact: Some(ContactRules {
            materials: vec![Material {
                name: "all".into(),
                friction,
                restitution: RESTITUTION[0],
                compliance: Default::default(),
            }],
            ..ContactRules::default()
        }),
        gravity: Vec3::z() * -gravity,
        ..ModelParts::default()
    }
}

/// A slider on a vertical rail, from `lower` to `upper`.
pub fn on_a_rail([lower, upper]: [f64; 2], gravity: f64) -> ModelParts {
    let frame = JointFrame {
        anchor: Vec3::zeros(),
        orientation: crate::math::Quat::identity(),
    };
    ModelParts {
        bodies: vec![Body::new("slider", 2.0, Mat3::identity())],
        joints: vec![Joint {
            name: "rail".into(),
            kind: JointKind::Prismatic,
            parent: None,
            child: BodyId(0),
            parent_frame: frame,
            child_frame: frame,
            damping_translation: 0.0,
            damping_rotation: 0.0,
            springs: vec![],
            actuators: vec![],
            limits: vec![JointLimit {
                coordinate: 0,
                lower,
                upper,
                restitution: RESTITUTION[1],
                compliance: Default::default(),
            }],
            compliance: Default::default(),
        }],
        gravity: Vec3::z() * -gravity,
        ..ModelParts::default()
    }
}

/// A bob on a cable of this length from the origin.
pub fn on_a_cable(length: f64, gravity: f64) -> ModelParts {
    let end = |body| Attachment {
        body,
        point: Vec3::zeros(),
    };
    ModelParts {
        bodies: vec![Body::new("bob", 2.0, Mat3::identity())],
        cables: vec![Cable {
            name: "rope".into(),
            ends: [end(None), end(Some(BodyId(0)))],
            length,
            restitution: RESTITUTION[2],
            compliance: Default::default(),
        }],
        gravity: Vec3::z() * -gravity,
        ..ModelParts::default()
    }
}

/// An interval and the state at its first knot.
pub struct Case {
    pub model: Model,
    pub state: State,
    pub solver: MechanismSolver,
    pub contacts: Contacts,
}

impl Case {
    pub fn new(parts: ModelParts) -> Self {
        let model = Model::new(parts).expect("the case is a model");
        let solver = MechanismSolver::new(&model, LinearSolver::Articulated);
        Self {
            state: State::at_rest(&model),
            contacts: Contacts::new(&model, &solver),
            solver,
            model,
        }
    }

    /// Puts a body at a place with a velocity that it has at the knot, after free flight over an interval of length
    /// `held`: of that the state holds the mean. With `held` 0 both are the same.
    pub fn fly(&mut self, body: usize, position: Vec3, velocity: Vec3, held: f64) {
        self.state.bodies[body].position = position;
        self.state.bodies[body].velocity.linear = velocity;
        kinematics::set_momenta(&self.model, &mut self.state.bodies);
        self.state.bodies[body].velocity.linear -= self.model.gravity * (0.5 * held);
        let past = Past {
            held,
            ..Past::of(&self.state)
        };
        past.write(&mut self.state);
    }

    /// What is near becomes unilateral constraints, with what the state remembers.
    pub fn take(&mut self) {
        let interval = at_knot(&self.state, DT);
        self.contacts
            .find_limits(&mut self.solver, &self.model, &self.state, &interval);
        self.solver.begin(&self.model, &self.state, DT, None);
        self.contacts
            .look(&self.solver, &self.model, &self.state, &interval);
        let context = StepContext {
            model: &self.model,
            state: &self.state,
            contacts: self.contacts.points(),
            interval: &interval,
        };
        self.contacts.take(&mut self.solver, &context, None);
        let _ = self.solver.predict(&self.state, DT, [1.0, 0.0, 0.0]);
    }

    /// The state remembers the contact points at hand, without forces, and that each is to come back at this speed (m/s).
    pub fn remember(&mut self, status: ContactStatus, rebound: f64) {
        let kept = |contact: &Located| ContactState {
            key: contact.key,
            status,
            rebound,
            ..specimen::open_contact(contact.bodies)
        };
        self.state.contacts = self.contacts.points().iter().map(kept).collect();
        self.state.contacts.sort_by_key(|c| c.key);
    }

    /// Solves for the motion of the interval and the impulses in it.
    pub fn solve(&mut self) {
        self.take();
        let interval: Interval = at_knot(&self.state, DT);
        let context = StepContext {
            model: &self.model,
            state: &self.state,
            contacts: self.contacts.points(),
            interval: &interval,
        };
        let moved = self.solver.advance(DT);
        let mut errors = self.solver.imbalance(&context, &moved, None);
        for _ in 0..20 {
            self.solver
                .linearise(&context, |u| law::nonsmooth(u, ConeSection::Disc));
            self.solver.solve_unilaterals(1e-14);
            let moved = self.solver.move_unilaterals(DT, 1.0);
            errors = self.solver.imbalance(&context, &moved, None);
        }
        let lawful = |u| law::violation(u, ConeSection::Disc).map(|v| v < 1e-12) == [true; 2];
        let lawful = self.solver.unilaterals().iter().all(lawful);
        assert!(lawful && errors.balance < 1e-12, "unsolved: {errors:?}");
    }

    /// Moves every body in the interval as if nothing held it and it had these velocities, one pair of a linear and an
    /// angular one a body.
    pub fn move_with(&mut self, twists: &[(Vec3, Vec3)]) {
        for link in &mut self.solver.links.links {
            let (linear, angular) = twists[link.body];
            link.velocity = crate::math::lanes::V4::from3(&linear);
            link.half_angle_sine = crate::math::lanes::V4::from3(&(angular * (0.5 * DT)));
            link.angular_momentum = crate::math::lanes::V4::from3(&(link.inertia() * angular));
        }
    }

    /// The speeds of separation noted for the next interval, one a unilateral constraint, and none where it is not hit.
    pub fn hits(&mut self) -> Vec<Option<f64>> {
        self.contacts
            .note_hits(&self.solver, &self.model, &self.state, DT);
        self.contacts.hits.clone()
    }

    /// The same, zero where none is hit.
    pub fn rebounds(&mut self) -> Vec<f64> {
        let hits = self.hits().into_iter();
        hits.map(|hit| hit.unwrap_or(0.0)).collect()
    }
}
