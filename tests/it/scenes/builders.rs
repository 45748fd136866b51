//! Mechanisms made in code.

use driftless::build::{Body, Joint, Mechanism, Shape};
use driftless::math::Vec3;
use driftless::model::{ModelParts, State};
use driftless::scene::{self, BodyFile, Number, Scene, SceneFile};
use driftless::sim::{Input, Simulation, SimulationError};

const Y: [f64; 3] = [0.0, 1.0, 0.0];

fn rod(name: &str, length: f64) -> Body {
    let end = [length, 0.0, 0.0];
    Body::new(name).mass(length).capsule(0.02, [0.0; 3], end)
}

/// A four-bar linkage whose coupler has this length [m]; the pivots are 0.9 m apart.
fn four_bar(coupler: f64) -> Mechanism {
    let pin = |name: &str, at: f64| Joint::revolute(name).axis(Y).at(at);
    let tip = Joint::revolute("tip").axis(Y);
    let tip = tip.parent("coupler").anchor([coupler, 0.0, 0.0]);
    Mechanism::new()
        .body(rod("crank", 0.3))
        .body(rod("coupler", coupler))
        .body(rod("rocker", 0.6))
        .joint(pin("drive", -1.0).child("crank"))
        .joint(
            pin("knee", 0.8)
                .parent("crank")
                .anchor([0.3, 0.0, 0.0])
                .child("coupler"),
        )
        .joint(pin("pivot", -1.2).anchor([0.9, 0.0, 0.0]).child("rocker"))
        .joint(tip.child("rocker").child_anchor([0.6, 0.0, 0.0]))
}

#[test]
fn a_mechanism_in_code_is_the_scene_of_its_text() {
    let text = r#"(
        version: 1,
        bodies: {
            "rod": (mass: 2, shapes: [(capsule: (radius: 0.02), from: (0, 0, 0), to: (0, 0, -1))]),
            "ball": (density: 500, shapes: [(sphere: (radius: 0.1), at: (0, 0, 0.1), collides: false)]),
        },
        joints: {
            "hinge": (kind: revolute, child: "rod", axis: (0, 1, 0), at: 0.5, rates: 2, damping: 0.1,
                springs: [(stiffness: 3, rest: 0.2)], limits: [(lower: -1, upper: 1)],
                actuators: [(command: "sin(t)"), (pd: (stiffness: 5, damping: 0.5, target: 0.1))]),
            "socket": (kind: spherical, parent: "rod", child: "ball", anchor: (0, 0, -1), child_anchor: (0, 0, 0.2)),
        },
        world: [(half_space: (), at: (0, 0, -2))],
        contact: (materials: {"everywhere": (friction: 0.3, restitution: 0.1)}),
        gravity: (0, 0, -1.62),
        integrator: (method: "variational-2", dt: 0.005),
    )"#;
    let written = scene::from_text("text", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let ball = Shape::sphere(0.1).at([0.0, 0.0, 0.1]).untouchable();
    let hinge = Joint::revolute("hinge")
        .child("rod")
        .axis(Y)
        .at(0.5)
        .rates(2.0);
    let socket = Joint::spherical("socket").parent("rod").child("ball");
    let made = Mechanism::new()
        .body(
            Body::new("rod")
                .mass(2.0)
                .capsule(0.02, [0.0; 3], [0.0, 0.0, -1.0]),
        )
        .body(Body::new("ball").density(500.0).shape(ball))
        .joint(
            hinge
                .damping(0.1)
                .spring(3.0, 0.2)
                .limits(-1.0, 1.0)
                .motor("sin(t)")
                .servo(5.0, 0.5, 0.1),
        )
        .joint(
            socket
                .anchor([0.0, 0.0, -1.0])
                .child_anchor([0.0, 0.0, 0.2]),
        )
        .ground(Shape::half_space().at([0.0, 0.0, -2.0]))
        .contact(0.3, 0.1)
        .gravity([0.0, 0.0, -1.62])
        .method("variational-2")
        .dt(0.005)
        .scene()
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(made.file, written.file);
    assert_eq!((&made.model, &made.state), (&written.model, &written.state));
    assert_eq!(made.settings, written.settings);
    let again = scene::from_text("again", &made.text, &[]).expect("its text is a scene");
    assert_eq!((again.model, again.state), (made.model, made.state));
}

/// No pose is given: the tree is placed by coordinates, and the loop closed by moving all of it.
#[test]
fn a_loop_is_closed_without_poses() {
    let scene = four_bar(0.8).scene().unwrap_or_else(|e| panic!("{e}"));
    let mut sim = scene.simulation().expect("it runs");
    // Joints are closed to a billionth of their length.
    assert!(sim.sample().drift_position < 1e-9);
    for _ in 0..100 {
        sim.step(&Input::default()).expect("the step succeeds");
    }
    assert!(sim.sample().drift_position < 1e-9);
}

/// Crank, coupler and rocker of 0.3, 0.2 and 0.1 m reach 0.6 m of the 0.9 m between the pivots.
#[test]
fn a_mechanism_that_cannot_be_closed_names_the_joint_and_the_gap() {
    let mut short = four_bar(0.2);
    short.file.bodies.set("rocker", rod("rocker", 0.1).file);
    let mut tip = short.file.joints.get("tip").expect("it is there").clone();
    tip.child_anchor = Some([0.1, 0.0, 0.0].into());
    short.file.joints.set("tip", tip);
    let refused = short.scene().expect_err("it is too short");
    let message = refused.to_string();
    let joint = ["drive", "knee", "pivot", "tip"];
    let name = joint
        .iter()
        .find(|j| message.contains(&format!("joints.{j}")));
    assert!(name.is_some() && message.contains("m open"), "{message}");
    // No placing of four joints has less than the 0.3 m that are missing in all, nor less than a quarter of it in the worst; to
    // the digits that are shown.
    let gap = message
        .split("closed: ")
        .nth(1)
        .and_then(|m| m.split(' ').next());
    let gap: f64 = gap.and_then(|g| g.parse().ok()).expect("a number");
    let all = message.split('(').nth(1).and_then(|m| m.split(' ').next());
    let all: f64 = all.map_or(gap, |all| all.parse().expect("a number"));
    assert!(
        gap >= 0.0749 && all >= 0.299 && gap <= all && all < 1.0,
        "{message}"
    );
}

#[test]
fn mistakes_are_those_of_a_file_without_its_lines() {
    let errors = |mechanism: Mechanism| -> String {
        let errors = mechanism.scene().expect_err("there is a mistake");
        assert!(errors.0.iter().all(|e| e.line.is_none()), "{errors}");
        errors.to_string()
    };
    let hinge = || Joint::revolute("hinge").child("rod");
    let one = || Mechanism::new().body(rod("rod", 1.0));
    for (mechanism, parts) in [
        (
            one().joint(hinge().child("rot")),
            &["joints.hinge.child", "`rot`", "did you mean `rod`"][..],
        ),
        (
            one().body(rod("rod", 2.0)),
            &["bodies.rod", "a second item named `rod`"],
        ),
        (
            one().body(rod("nan", f64::NAN)),
            &["bodies.nan", "NaN", "a finite number"],
        ),
        (
            Mechanism::new().body(Body::new("light")),
            &["bodies.light", "a body without mass"],
        ),
        (
            one().joint(hinge().at([1.0, 2.0])),
            &["joints.hinge.at", "2 numbers", "1 for a joint"],
        ),
        (
            one().method("rk5"),
            &["integrator.method", "did you mean `rk4`"],
        ),
    ] {
        let message = errors(mechanism);
        assert!(parts.iter().all(|p| message.contains(p)), "{message}");
    }
}

#[test]
fn a_file_in_code_needs_no_version() {
    let mut file = SceneFile::default();
    let ball = BodyFile {
        mass: Some(Number(1.0)),
        inertia: Some(scene::Tensor([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])),
        ..BodyFile::default()
    };
    file.bodies.set("ball", ball);
    let scene = Scene::from_file(file).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scene.name, "mechanism");
    assert!(scene.simulation().is_ok());
}

/// A simulation of a model puts its first state on the joints, or says what keeps it from that.
#[test]
fn a_simulation_closes_what_is_open_at_the_start() {
    let scene = four_bar(0.8).scene().expect("it closes");
    let mut open = scene.state.clone();
    open.bodies[1].position += Vec3::new(0.02, 0.0, -0.01);
    let new = |model: ModelParts, state: State, method: &str| {
        let model = driftless::model::Model::new(model).expect("it is a model");
        Simulation::new(model, state, method, scene.settings)
    };
    for method in ["variational-2", "rk4"] {
        let mut sim = new(scene.model.parts(), open.clone(), method).expect("it closes");
        assert!(sim.sample().drift_position < 1e-9);
        // What is closed stays as it is, to the last bit.
        let closed = new(scene.model.parts(), scene.state.clone(), method).expect("it is closed");
        assert_eq!(closed.first_state(), &scene.state);
    }
    let mut far = scene.model.parts();
    far.joints[2].parent_frame.anchor.x = 3.0;
    let refused = new(far, scene.state.clone(), "variational-2").err();
    let Some(SimulationError::Assembly(error)) = refused else {
        panic!("{refused:?}")
    };
    assert!(error.to_string().contains("m open"), "{error}");
    let mut short = scene.state.clone();
    short.bodies.pop();
    let refused = new(scene.model.parts(), short, "variational-2").err();
    let message = refused.expect("a body is missing").to_string();
    assert!(message.contains("2 entries of `bodies`"), "{message}");
}
