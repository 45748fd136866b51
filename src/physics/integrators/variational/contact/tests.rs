//! Attempts at an interval: each sets out from stated values, whatever the one before left behind.

use super::super::guess::Guess;
use super::super::newton::Attempt;
use super::super::{SINGLE, VARIATIONAL_2, Variational};
use super::{GoOn, Trial};
use crate::integrators::{Integrator, Settings, StepReport};
use crate::linalg::proximal::RHO;
use crate::math::{Mat3, Pose, Quat, Vec3};
use crate::model::*;
use crate::solver::contact::Contacts;
use crate::solver::{ConeSection, Interval, StepContext, law};

/// A ball on the floor, and a rod on a hinge whose tip is kept in the plane in which it swings: a loop.
fn scene() -> (Model, State) {
    let shape = |geometry| Shape {
        geometry,
        pose: Pose::identity(),
        colour: None,
        touch: Touch::default(),
        foundations: Vec::new(),
    };
    let mut ball = Body::new("ball", 1.0, Mat3::identity() * 0.004);
    ball.shapes.push(shape(Geometry::Sphere { radius: 0.1 }));
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
    let model = Model::new(ModelParts {
        bodies: vec![ball, Body::new("rod", 1.0, Mat3::identity() * 0.08)],
        joints: vec![
            joint("hinge", JointKind::Revolute, start, Vec3::y()),
            joint("plane", JointKind::PointOnPlane, tip, Vec3::y()),
        ],
        world_shapes: vec![shape(Geometry::HalfSpace)],
        contact: Some(ContactRules {
            materials: vec![Material {
                name: "all".into(),
                friction: 0.5,
                restitution: 0.5,
                compliance: Default::default(),
            }],
            ..ContactRules::default()
        }),
        gravity: Vec3::new(0.0, 0.0, -9.81),
        ..ModelParts::default()
    })
    .expect("the scene is a model");
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
    fn new() -> Self {
        let (model, mut state) = scene();
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
        let Self {
            model,
            state,
            settings,
            method,
            input,
            report,
        } = self;
        method
            .step(model, state, input, settings, report)
            .expect("it rolls and swings");
    }
}

#[test]
fn an_attempt_after_one_that_diverged_sets_out_from_stated_values() {
    let mut run = Run::new();
    for _ in 0..3 {
        run.step();
    }
    let Run {
        model,
        mut state,
        settings,
        mut method,
        input,
        mut report,
    } = run;
    for known in [true, false] {
        if !known {
            // A contact of which the state knows nothing used to keep what it had.
            state.contacts.clear();
        }
        let interval = Interval {
            dt: settings.dt,
            time: state.time,
            share: 0.5,
            blend: 0.5,
        };
        let mut contacts = Contacts::new(&model, &method.solver);
        method.solver.begin(&model, &state, interval.dt, None);
        contacts.look(&method.solver, &model, &state, &interval);
        assert_eq!(contacts.points().len(), 1);
        let context = StepContext {
            model: &model,
            state: &state,
            contacts: contacts.points(),
            interval: &interval,
        };
        contacts.take(&mut method.solver, &context, None);
        let attempt = Attempt {
            dt: interval.dt,
            part: 1.0,
            guess: Guess::Constant,
            tolerance: settings.tolerance,
            input: &input,
            limit: 10,
            rho: RHO,
            hurried: false,
            eases: false,
            convexified: false,
            last: false,
            holds: false,
        };
        let mut trial = Trial {
            solver: &mut method.solver,
            room: &mut method.room,
            contacts: &contacts,
            context,
            attempt: &attempt,
            section: ConeSection::Disc,
            began: 0.0,
            since: 0.0,
            go_on: GoOn {
                resumed: false,
                first: true,
                rounds: 8,
            },
            holds: false,
            soft: false,
            report: &mut report,
        };
        let predict = |trial: &mut Trial| {
            contacts.recall(trial.solver, &context);
            trial.solver.predict(&state, interval.dt, [1.0, 0.0, 0.0])
        };
        let moved = predict(&mut trial);
        let wanted = trial.measure(&moved);
        let impulse = trial.solver.unilaterals()[0].impulse;
        assert_eq!(impulse[0] > 0.0, known);

        trial.solver.linearise(&context, |unilateral| {
            law::nonsmooth(unilateral, ConeSection::Disc)
        });
        trial.solver.solve_unilaterals(1e-5);
        let lost = trial.solver.move_unilaterals(interval.dt, f64::NAN);
        let spoilt = trial.measure(&lost);
        assert!(!spoilt.merit().is_finite(), "it must be spoilt: {spoilt:?}");

        let moved = predict(&mut trial);
        let found = trial.measure(&moved);
        assert_eq!(trial.solver.unilaterals()[0].impulse, impulse);
        assert_eq!((found.errors, found.norm), (wanted.errors, wanted.norm));
        let solved = trial.damped(moved, 30);
        assert!(solved, "{:?}", trial.solver.unilaterals()[0]);
    }
}

/// What may touch in a step was found as the one before ended, while a ball rolls and a rod swings beside it.
#[test]
fn a_step_takes_over_what_the_one_before_found() {
    let mut run = Run::new();
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
