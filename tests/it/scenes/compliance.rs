//! How far constraints give: what a scene file says of it reaches the model and is written back, and mistakes are told at their
//! places.

use driftless::model::Compliance;
use driftless::scene;

const SCENE: &str = r#"(
    version: 1,
    bodies: {
        "a": (mass: 1, inertia: (1, 1, 1), centre: (0.5, 0, 0)),
        "b": (mass: 1, inertia: (1, 1, 1), position: (3, 0, 0)),
    },
    joints: {
        "hinge": (kind: revolute, child: "a", compliance: (stiffness: 2e5, damping: 30, stiffness_rotation: 4e3),
            limits: [(lower: -1, compliance: (stiffness: 50))]),
        "rail": (kind: prismatic, child: "b", anchor: (3, 0, 0)),
    },
    couplings: { "law": (terms: [(joint: "hinge", factor: 1), (joint: "rail", factor: 2)], compliance: (stiffness: 7, damping: 1)) },
    cables: { "rope": (ends: ((body: "a"), (point: (0, 0, 9))), length: 20, compliance: (stiffness: 900, damping: 2)) },
    contact: (
        materials: { "soft": (compliance: (stiffness: 300)), "hard": () },
        pairs: [(materials: ("hard", "hard"), compliance: (stiffness: 8))],
    ),
)"#;

fn of(stiffness: f64, damping: f64) -> Compliance {
    Compliance { stiffness, damping }
}

#[test]
fn what_a_file_says_reaches_the_model_and_is_written_back() {
    let read = scene::from_text("compliant", SCENE, &[]).expect("it is valid");
    let model = &read.model;
    let hinge = &model.joints[0];
    assert_eq!(hinge.compliance, [of(2e5, 30.0), of(4e3, 0.0)]);
    assert_eq!(hinge.limits[0].compliance, of(50.0, 0.0));
    assert!(model.joints[1].compliance.iter().all(Compliance::is_rigid));
    assert_eq!(model.couplings[0].compliance, of(7.0, 1.0));
    assert_eq!(model.cables[0].compliance, of(900.0, 2.0));
    let rules = model.contact.as_ref().expect("it has rules");
    assert_eq!(rules.compliance(0, 0), Some(of(150.0, 0.0).into()));
    assert_eq!(rules.compliance(0, 1), Some(of(300.0, 0.0).into()));
    assert_eq!(rules.compliance(1, 1), Some(of(8.0, 0.0).into()));
}

#[test]
fn mistakes_are_told_at_their_places() {
    for (from, to, place) in [
        (
            "stiffness: 2e5",
            "stiffness: -2",
            "joints.hinge.compliance.stiffness",
        ),
        (
            "damping: 30",
            "damping: -3",
            "joints.hinge.compliance.damping",
        ),
        (
            "(stiffness: 50)",
            "(damping: 50)",
            "joints.hinge.limits.0.compliance",
        ),
        (
            "(stiffness: 300)",
            "(stiffness: inf)",
            "contact.materials.soft.compliance.stiffness",
        ),
        ("stiffness: 900", "stiffnes: 900", "cables.rope.compliance"),
    ] {
        let text = SCENE.replacen(from, to, 1);
        let said = match scene::from_text("compliant", &text, &[]) {
            Ok(_) => panic!("{to} is taken"),
            Err(error) => error.to_string(),
        };
        assert!(
            said.contains(place) || said.contains("stiffnes"),
            "{to}: {said}"
        );
    }
}
