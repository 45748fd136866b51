//! Names that change while a scene runs, and what comes and goes beside bodies and joints: couplings, forces,
//! materials, plots.

use crate::editing::fixture::{Fixture, mass};
use driftless::math::Vec3;
use driftless::model::{Force, State};
use driftless::scene::editing::{
    Section, add_coupling, add_wrench, delete, duplicate, without_contact,
};
use driftless::scene::{self, Amendment, Edit, Renaming, SceneErrors, SignalValue};

/// Everything that has a name, and everything that refers to one.
const SCENE: &str = r#"// Two wheels in mesh.
(
    version: 1,
    gravity: (0, 0, -9.81), // on earth
    bodies: {
        "wheel": (mass: 1, shape: (cylinder: (radius: 0.3, length: 0.1), material: "steel")), // the first
        "other": (mass: 2, shape: (sphere: (radius: 0.2)), material: "steel"),
        "bob": (mass: 1, shape: (sphere: (radius: 0.1)), position: (0, 0, -1)),
    },
    joints: {
        // What the wheel turns in.
        "axle": (kind: revolute, child: "wheel", limits: [(lower: -9, upper: 90)], rates: 1),
        "pin": (kind: revolute, child: "other", anchor: (1, 0, 0)),
        "rope": (kind: spherical, parent: "wheel", child: "bob", child_anchor: (0, 0, 1)),
    },
    couplings: { "mesh": (gear: ("axle", "pin"), ratio: -2) },
    springs: { "coil": (from: (body: "wheel"), to: (body: "bob"), stiffness: 3) },
    cables: { "line": (ends: ((body: "bob"), (point: (0, 0, 1))), length: 4) },
    wrenches: { "push": (body: "wheel", torque: (0, 0, "0.1*sin(t)")) },
    world: [(half_space: (), at: (0, 0, -5), material: "steel")],
    contact: (
        materials: { "rubber": (friction: 0.9), "steel": (friction: 0.2) },
        pairs: [(materials: ("rubber", "steel"), friction: 0.5)],
        apart: [("wheel", "other")],
    ),
    charts: [
        (curves: ["wheel.wz", "bob.z"]),
        (x: "axle.q0", curves: ["axle.rate0"]),
        (curves: ["axle.limit_0.gap", "line.gap", "wheel|other.gap"]),
        (curves: ["bob.x"]),
    ],
)
"#;

fn edited() -> Fixture {
    Fixture::of(scene::from_text("wheels", SCENE, &[]).unwrap_or_else(|e| panic!("{e}")))
}

fn rename(section: Section, from: &str, to: &str) -> Edit {
    let renaming = Renaming {
        section,
        from: from.into(),
        to: to.into(),
    };
    Edit::new("rename", vec![Amendment::Rename(renaming)])
}

fn poses(state: &State) -> Vec<(Vec3, [f64; 4])> {
    let pose = |b: &driftless::model::BodyState| {
        let q = b.orientation;
        (b.position, [q.w, q.i, q.j, q.k])
    };
    state.bodies.iter().map(pose).collect()
}

#[test]
fn everything_that_names_an_item_follows_its_name_and_what_runs_goes_on() {
    use Section::{Bodies, Cables, Couplings, Joints, Materials, Springs, Wrenches};
    let all = [
        (Bodies, "wheel", "disc \u{e9}"),
        (Bodies, "bob", "weight"),
        (Joints, "axle", "shaft"),
        (Couplings, "mesh", "teeth"),
        (Springs, "coil", "spiral"),
        (Cables, "line", "cord"),
        (Wrenches, "push", "motor"),
        (Materials, "steel", "iron"),
    ];
    let mut edited = edited();
    edited.run(20);
    for (section, from, to) in all {
        let (before, digest) = (poses(edited.state()), edited.state().step);
        edited
            .edit(&rename(section, from, to))
            .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(poses(edited.state()), before, "{to}");
        assert_eq!(edited.state().step, digest);
        edited.reopened();
        let text = &edited.scene.text;
        let quoted = format!("\"{from}\"");
        assert!(!text.contains(&quoted), "{from} is left in\n{text}");
        edited.run(3);
    }
    let text = edited.scene.text.clone();
    for comment in [
        "// Two wheels",
        "// on earth",
        "// the first",
        "// What the wheel",
    ] {
        assert!(text.contains(comment), "{comment} is lost in\n{text}");
    }
    // In its place, not at the end.
    assert!(text.find("disc") < text.find("\"other\": ("));
    let charts = &edited.scene.file.charts;
    assert_eq!(charts[0].curves, ["disc \u{e9}.wz", "weight.z"]);
    assert_eq!(charts[1].x, "shaft.q0");
    let limits = ["shaft.limit_0.gap", "cord.gap", "disc \u{e9}|other.gap"];
    assert_eq!(charts[2].curves, limits);
    for _ in all {
        edited.undo();
    }
    assert_eq!(edited.scene.text, SCENE);
    for _ in all {
        edited.redo();
    }
    assert_eq!(edited.scene.text, text);
    edited.run(3);
}

#[test]
fn a_name_that_cannot_be_is_refused_where_the_name_stands() {
    let mut edited = edited();
    let mut refused = |section, from: &str, to: &str| -> String {
        let SceneErrors(errors) = edited.edit(&rename(section, from, to)).unwrap_err();
        assert_eq!(edited.scene.text, SCENE);
        assert_eq!(errors.len(), 1);
        format!("{}: {}", errors[0].path, errors[0].found)
    };
    let taken = refused(Section::Bodies, "wheel", "other");
    assert!(taken.starts_with("bodies.wheel.name: `other`"), "{taken}");
    for name in ["", "a.b", "a\"b", "[a]"] {
        refused(Section::Joints, "pin", name);
    }
    let world = refused(Section::Bodies, "bob", "world");
    assert!(world.contains("world"), "{world}");
    let material = refused(Section::Materials, "steel", "rubber");
    assert!(
        material.starts_with("contact.materials.steel.name"),
        "{material}"
    );
}

#[test]
fn plots_of_what_is_deleted_go_with_it_and_come_back_with_undo() {
    let mut edited = edited();
    edited.run(5);
    edited
        .edit(&delete(&edited.scene, Section::Bodies, "bob"))
        .unwrap_or_else(|e| panic!("{e}"));
    let curves = |edited: &Fixture| -> Vec<Vec<String>> {
        let charts = edited.scene.file.charts.iter();
        charts.map(|c| c.curves.clone()).collect()
    };
    let left: [&[&str]; 3] = [
        &["wheel.wz"],
        &["axle.rate0"],
        &["axle.limit_0.gap", "wheel|other.gap"],
    ];
    assert_eq!(curves(&edited), left);
    edited.reopened();
    edited.undo();
    assert_eq!(edited.scene.text, SCENE);
    // A chart that is wrong by itself is refused.
    let mut charts = edited.scene.file.charts.clone();
    charts[0].curves.push("nobody.x".into());
    let edit = Edit::new("plots", vec![Amendment::Charts(charts)]);
    let SceneErrors(errors) = edited.edit(&edit).unwrap_err();
    assert_eq!(errors[0].path, "charts.0.curves.2");
}

#[test]
fn plots_alone_need_no_saving_but_are_undone_and_saved() {
    let mut edited = edited();
    let mut charts = edited.scene.file.charts.clone();
    charts.truncate(1);
    let edit = Edit::new("plots", vec![Amendment::Charts(charts.clone())]);
    edited.edit(&edit).unwrap();
    assert!(!edited.document.is_modified());
    assert_eq!(edited.reopened().file.charts, charts);
    edited.edit(&mass(&edited.scene, "bob", 3.0)).unwrap();
    assert!(edited.document.is_modified());
    edited.undo();
    edited.undo();
    assert_eq!(edited.scene.text, SCENE);
}

#[test]
fn forces_couplings_and_materials_come_go_and_are_copied() {
    let mut edited = edited();
    edited.run(5);
    let (name, edit) = add_wrench(&edited.scene.file, "bob");
    edited.edit(&edit).unwrap();
    let mut wrench = edited.scene.file.wrenches.get(&name).cloned().unwrap();
    wrench.force.0[0] = SignalValue::Expression("2*cos(t)".into());
    let put = Amendment::Wrench(name.clone(), Some(Box::new(wrench)));
    edited.edit(&Edit::new("force", vec![put])).unwrap();
    let (copy, edit) = duplicate(&edited.scene, edited.state(), Section::Wrenches, &name).unwrap();
    edited.edit(&edit).unwrap();
    assert_eq!((name.as_str(), copy.as_str()), ("force", "force_2"));
    for (section, from, to) in [
        (Section::Springs, "coil", "coil_2"),
        (Section::Cables, "line", "line_2"),
    ] {
        let (copy, edit) = duplicate(&edited.scene, edited.state(), section, from).unwrap();
        assert_eq!(copy, to);
        edited.edit(&edit).unwrap();
    }
    let model = edited.simulation.model();
    let wrenches = model.forces.iter().filter(|f| f.is_wrench()).count();
    assert_eq!(
        (wrenches, model.forces.len(), model.cables.len()),
        (3, 5, 2)
    );
    assert!(
        model
            .forces
            .iter()
            .any(|f| matches!(f, Force::Wrench { name, .. } if name == "force_2"))
    );
    edited.run(5);
    edited.reopened();
    edited
        .edit(&delete(&edited.scene, Section::Couplings, "mesh"))
        .unwrap();
    assert!(edited.simulation.model().couplings.is_empty());
    let (name, edit) = add_coupling(&edited.scene, Some("pin")).unwrap();
    edited.edit(&edit).unwrap();
    let gear = edited.scene.file.couplings.get(&name).unwrap().gear.clone();
    assert_eq!(gear, Some(("pin".into(), "axle".into())));
    edited.run(5);
    // Without contact nothing is made of anything.
    let off = Edit::new("contact", without_contact(&edited.scene));
    edited.edit(&off).unwrap_or_else(|e| panic!("{e}"));
    assert!(edited.simulation.model().contact.is_none() && !edited.scene.text.contains("steel"));
    edited.reopened();
    edited.undo();
    edited
        .edit(&delete(&edited.scene, Section::Materials, "steel"))
        .unwrap_or_else(|e| panic!("{e}"));
    let contact = edited.scene.file.contact.as_ref().unwrap();
    assert!(contact.pairs.is_empty() && contact.materials.len() == 1);
    assert!(!edited.scene.text.contains("steel"));
    edited.reopened();
    edited.run(5);
    edited
        .edit(&delete(&edited.scene, Section::Wrenches, "push"))
        .unwrap();
    // With a body go its forces, its joints and their couplings.
    edited
        .edit(&delete(&edited.scene, Section::Bodies, "wheel"))
        .unwrap_or_else(|e| panic!("{e}"));
    let model = edited.simulation.model();
    assert!(model.couplings.is_empty() && model.joints.len() == 1);
    let of_bob = ["force", "force_2"];
    assert!(model.forces.iter().map(Force::name).eq(of_bob));
    edited.reopened();
    edited.run(5);
}

#[test]
fn the_scene_says_what_it_is_how_fast_it_runs_and_whence_it_is_seen() {
    let mut edited = edited();
    let camera = scene::CameraFile {
        eye: scene::Vector(Vec3::new(3.0, 0.0, 1.0)),
        target: scene::Vector(Vec3::zeros()),
        up: None,
    };
    let edit = Edit::new(
        "words",
        vec![
            Amendment::Words("Wheels".into(), "They \"turn\".".into()),
            Amendment::Pace(Some(scene::Number(4.0)), Some(scene::Number(0.5))),
            Amendment::Camera(Some(camera)),
        ],
    );
    edited.edit(&edit).unwrap();
    let view = edited.reopened().view;
    assert_eq!(
        (view.title.as_str(), view.description.as_str()),
        ("Wheels", "They \"turn\".")
    );
    assert_eq!(
        (view.duration, view.speed, view.camera.eye.x),
        (Some(4.0), 0.5, 3.0)
    );
    let wrong = Amendment::Pace(None, Some(scene::Number(-1.0)));
    let SceneErrors(errors) = edited.edit(&Edit::new("pace", vec![wrong])).unwrap_err();
    assert_eq!(errors[0].path, "speed");
    edited.undo();
    assert_eq!(edited.scene.text, SCENE);
}
