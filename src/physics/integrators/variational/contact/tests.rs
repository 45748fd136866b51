//! Attempts at an interval: each sets out from stated values, whatever the one before left behind.

use super::super::guess::Guess;
use super::super::newton::Attempt;
use super::super::{SINGLE, VARIATIONAL_2, Variational};
use super::allowance::Allowance;
use super::solve::LIVE;
use super::sweeps::Goal;
use super::{GoOn, Trial};
use crate::integrators::{Integrator, Settings, StepReport};
use crate::linalg::proximal::RHO;
use crate::math::{Mat3, Pose, Quat, Vec3};
use crate::model::*;
use crate::solver::contact::Contacts;
use crate::solver::{ConeSection, Interval, StepContext, law};

mod jammed;

/// A shape of one material.
fn shape(geometry: Geometry, pose: Pose) -> Shape {
    Shape {
        geometry,
        pose,
        colour: None,
        touch: Touch::default(),
        foundations: Vec::new(),
    }
}

/// Bodies, joints and what stands still, all of one material, under gravity.
fn model(parts: ModelParts, friction: f64, restitution: f64) -> Model {
    Model::new(ModelParts {
        contact: Some(ContactRules {
            materials: vec![Material {
                name: "all".into(),
                friction,
                restitution,
                compliance: Default::default(),
            }],
            ..ContactRules::default()
        }),
        gravity: Vec3::new(0.0, 0.0, -9.81),
        ..parts
    })
    .expect("the scene is a model")
}

/// A ball on the floor, and a rod on a hinge whose tip is kept in the plane in which it swings: a loop.
fn scene() -> (Model, State) {
    let mut ball = Body::new("ball", 1.0, Mat3::identity() * 0.004);
    ball.shapes
        .push(shape(Geometry::Sphere { radius: 0.1 }, Pose::identity()));
    let joint = |name: &str, kind, at: Vec3, z: Vec3| {
        let frame = |anchor| JointFrame {
            anchor,
            orientation: Quat::rotation_between(&Vec3::z(), &z).expect("not against it"),
        };
        Joint {
            name: name.into(),
            kind,
            parent: None,
            child: BodyId(1),
            parent_frame: frame(at),
            child_frame: frame(at - Vec3::new(2.0, 0.0, 1.0)),
            damping_translation: 0.0,
            damping_rotation: 0.0,
            springs: vec![],
            actuators: vec![],
            limits: vec![],
            compliance: Default::default(),
        }
    };
    let (start, tip) = (Vec3::new(1.5, 0.0, 1.0), Vec3::new(2.5, 0.0, 1.0));
    let parts = ModelParts {
        bodies: vec![ball, Body::new("rod", 1.0, Mat3::identity() * 0.08)],
        joints: vec![
            joint("hinge", JointKind::Revolute, start, Vec3::y()),
            joint("plane", JointKind::PointOnPlane, tip, Vec3::y()),
        ],
        world_shapes: vec![shape(Geometry::HalfSpace, Pose::identity())],
        ..ModelParts::default()
    };
    let model = model(parts, 0.5, 0.5);
    let mut state = State::at_rest(&model);
    state.bodies[0].position = Vec3::z() * 0.1;
    state.bodies[0].velocity.linear = Vec3::x();
    state.bodies[1].position = Vec3::new(2.0, 0.0, 1.0);
    (model, state)
}

/// The scene on its way.
struct Run {
    model: Model,
    state: State,
    settings: Settings,
    method: Variational,
    input: Input,
    report: StepReport,
}

impl Run {
    fn new((model, mut state): (Model, State)) -> Self {
        let settings = Settings::default();
        let mut method = Variational::new(&VARIATIONAL_2, SINGLE, &model, &settings);
        method.start(&model, &mut state, &settings);
        Self {
            model,
            state,
            settings,
            method,
            input: Input::default(),
            report: StepReport::default(),
        }
    }

    fn step(&mut self) {
        let (settings, report) = (&self.settings, &mut self.report);
        self.method
            .step(&self.model, &mut self.state, &self.input, settings, report)
            .expect("it goes on");
    }

    /// Tries something on the interval to come, with the contacts that it has.
    fn attempt<T>(&mut self, tried: impl FnOnce(&mut Trial) -> T) -> T {
        let Self {
            model,
            state,
            settings,
            method,
            input,
            report,
        } = self;
        let interval = Interval {
            dt: settings.dt,
            time: state.time,
            share: 0.5,
            blend: 0.5,
        };
        let mut contacts = Contacts::new(model, &method.solver);
        contacts.find_limits(&mut method.solver, model, state, &interval);
        method.solver.begin(model, state, interval.dt, None);
        contacts.look(&method.solver, model, state, &interval);
        let points = contacts.points().to_vec();
        let context = StepContext {
            model,
            state,
            contacts: &points,
            interval: &interval,
        };
        contacts.take(&mut method.solver, &context, None);
        let attempt = Attempt {
            dt: interval.dt,
            part: 1.0,
            guess: Guess::Constant,
            tolerance: settings.tolerance,
            input,
            limit: 10,
            rho: RHO,
            hurried: false,
            eases: false,
            convexified: false,
            last: false,
            shortest: false,
            holds: false,
        };
        report.clear();
        tried(&mut Trial {
            solver: &mut method.solver,
            room: &mut method.room,
            contacts: &contacts,
            context,
            attempt: &attempt,
            section: ConeSection::Disc,
            began: 0.0,
            allowance: Allowance::patient(0.0, 1.0),
            go_on: GoOn {
                resumed: false,
                first: true,
                rounds: 8,
            },
            holds: false,
            loosens: false,
            jammed: false,
            soft: false,
            report,
        })
    }
}

#[test]
fn an_attempt_after_one_that_diverged_sets_out_from_stated_values() {
    let mut run = Run::new(scene());
    for _ in 0..3 {
        run.step();
    }
    for known in [true, false] {
        if !known {
            // A contact of which the state knows nothing used to keep what it had.
            run.state.contacts.clear();
        }
        run.attempt(|trial| {
            assert_eq!(trial.context.contacts.len(), 1);
            let dt = trial.attempt.dt;
            let moved = trial.set_out();
            let wanted = trial.measure(&moved);
            let impulse = trial.solver.unilaterals()[0].impulse;
            assert_eq!(impulse[0] > 0.0, known);

            trial.solver.linearise(&trial.context, |unilateral| {
                law::nonsmooth(unilateral, ConeSection::Disc)
            });
            trial.solver.solve_unilaterals(1e-5);
            let lost = trial.solver.move_unilaterals(dt, f64::NAN);
            let spoilt = trial.measure(&lost);
            assert!(!spoilt.merit().is_finite(), "it must be spoilt: {spoilt:?}");

            let moved = trial.set_out();
            let found = trial.measure(&moved);
            assert_eq!(trial.solver.unilaterals()[0].impulse, impulse);
            assert_eq!((found.errors, found.norm), (wanted.errors, wanted.norm));
            let solved = trial.damped(moved, 30);
            assert!(solved, "{:?}", trial.solver.unilaterals()[0]);
        });
    }
}

/// Thirty bodies that have fallen onto each other: a budget that ends far from their laws is extended once, and is not where it
/// ends near them.
#[test]
fn what_cannot_be_used_where_the_budget_ends_goes_on() {
    let pit = crate::scene::open("pit:bodies=30,width=1.2,seed=1", &[]).expect("a pit");
    let mut run = Run::new((pit.model, pit.state));
    for _ in 0..60 {
        run.step();
    }
    // What is left of a budget, in visits of each point, with this extension of it: whether it ends in something usable, and its work.
    let mut ends = |visits: f64, extension: f64| {
        run.attempt(|trial| {
            let points = trial.solver.unilaterals().len();
            trial.began = visits * points as f64 - LIVE.budget_of(points);
            let moved = trial.set_out();
            let goal = Goal { extension, ..LIVE };
            let usable = trial.rounds(moved, goal).is_ok();
            (usable, trial.report.contact.work)
        })
    };
    assert!(!ends(1.0, 0.0).0);
    assert!(ends(1.0, LIVE.extension).0);
    let whole = [0.0, LIVE.extension].map(|extension| ends(500.0, extension));
    assert!(whole[0].0);
    assert_eq!(whole[0], whole[1]);
}

/// What may touch in a step was found as the one before ended, while a ball rolls and a rod swings beside it.
#[test]
fn a_step_takes_over_what_the_one_before_found() {
    let mut run = Run::new(scene());
    let dt = run.settings.dt;
    for _ in 0..20 {
        run.step();
        let Run {
            model,
            state,
            method,
            ..
        } = &mut run;
        let contacts = method.contacts.as_mut().expect("it touches");
        for (dt, known) in [(dt, true), (2.0 * dt, false)] {
            contacts.reach(model, &state.bodies, dt);
            assert_eq!(contacts.has_looked(&state.bodies), known);
        }
    }
}
