//! What is written reads back under its column.

use super::*;
use crate::integrators;
use crate::math::{Mat3, Quat, Vec3};
use crate::model::{Body, BodyId, ContactKey, ContactState, ModelParts, State};

#[test]
fn a_row_reads_back_with_the_same_bits_under_its_column() {
    let model = Model::new(ModelParts {
        bodies: vec![Body::new("top, left", 2.0, Mat3::identity())],
        gravity: Vec3::new(0.0, 0.0, -9.81),
        ..ModelParts::default()
    })
    .unwrap();
    let mut state = State::at_rest(&model);
    // A quarter turn about z: the body's x axis is the world's y axis.
    state.bodies[0].orientation = Quat::from_scaled_axis(Vec3::z() * std::f64::consts::FRAC_PI_2);
    state.bodies[0].position = Vec3::new(0.1, 1e-300, -7.0);
    let velocity = Twist {
        linear: Vec3::new(1.0 / 3.0, 0.0, 0.0),
        angular: Vec3::new(0.0, 5.0, 0.0),
    };
    let sample = Sample {
        step: 41,
        time: 0.41,
        energy_error: -1.25e-13,
        iterations: 3,
        contact_loss: [0.5, 0.25],
        closed: 4,
        min_gap: f64::INFINITY,
        cone_violation: 3e-14,
        law_violation: 2e-5,
        correction: -3.5,
        ..Sample::default()
    };
    let settings = Settings::default();
    let origin = Origin {
        scene: "one body",
        changes: &[("bodies.top.mass".to_owned(), "2".to_owned())],
        integrator: integrators::DEFAULT,
        settings: &settings,
        model: &model,
    };
    let mut bytes = Vec::new();
    let mut table = Table::new(&mut bytes, &origin).unwrap();
    table
        .write_row(&sample, &state.bodies, &[velocity])
        .unwrap();
    table.finish().unwrap();

    let text = String::from_utf8(bytes.clone()).unwrap();
    for line in [
        "# scene: one body",
        "# set: bodies.top.mass=2",
        "# dt [s]: 0.01",
        "# linear_solver: articulated",
    ] {
        assert!(
            text.lines().any(|l| l == line),
            "no line `{line}` in\n{text}"
        );
    }
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(&bytes[..]);
    let names = reader.headers().unwrap().clone();
    let row = reader.records().next().unwrap().unwrap();
    let read = |name: &str| -> f64 {
        row[names.iter().position(|n| n == name).unwrap()]
            .parse()
            .unwrap()
    };
    assert_eq!(read("step"), 41.0);
    assert_eq!(read("time"), 0.41);
    assert_eq!(read("energy_error"), -1.25e-13);
    assert_eq!(read("iterations"), 3.0);
    assert_eq!([read("impact_loss"), read("friction_loss")], [0.5, 0.25]);
    assert_eq!([read("contacts"), read("penetration")], [4.0, 0.0]);
    assert_eq!(read("min_gap"), f64::INFINITY);
    assert_eq!(read("cone_violation"), 3e-14);
    assert_eq!(read("law_violation"), 2e-5);
    assert_eq!(read("correction"), -3.5);
    assert_eq!(read("top, left.y"), 1e-300);
    assert_eq!(read("top, left.vx"), 1.0 / 3.0);
    assert_eq!(read("top, left.qz"), state.bodies[0].orientation.k);
    // Rounding of the rotation only.
    assert!((read("top, left.wx_body") - 5.0).abs() < 1e-14);
}

#[test]
fn every_contact_point_has_its_row_with_force_split_by_its_normal() {
    let model = Model::new(ModelParts {
        bodies: vec![Body::new("die", 2.0, Mat3::identity())],
        ..ModelParts::default()
    })
    .unwrap();
    let contact = |features: u64, status: ContactStatus| ContactState {
        key: ContactKey {
            shapes: 7,
            features,
        },
        bodies: [Some(BodyId(0)), None],
        point: Vec3::new(0.5, 0.0, -0.25),
        normal: Vec3::z(),
        gap: -1e-13,
        force: Vec3::new(-3.0, 4.0, 20.0),
        slip: Vec3::new(0.25, 0.0, 0.0),
        friction: 0.3,
        status,
        rebound: 0.0,
        hit: false,
        turning: 0.0,
    };
    let state = State {
        step: 12,
        time: 0.12,
        contacts: vec![
            contact(u64::MAX, ContactStatus::Sliding),
            contact(3, ContactStatus::Open),
        ],
        ..State::at_rest(&model)
    };
    let settings = Settings::default();
    let origin = Origin {
        scene: "a die",
        changes: &[],
        integrator: integrators::DEFAULT,
        settings: &settings,
        model: &model,
    };
    let mut bytes = Vec::new();
    let mut table = ContactTable::new(&mut bytes, &origin).unwrap();
    table.write(&model, &state).unwrap();
    table.write(&model, &State::at_rest(&model)).unwrap();
    table.finish().unwrap();

    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(&bytes[..]);
    let names = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2, "a state without contact has no row");
    let read = |row: usize, name: &str| {
        let place = names.iter().position(|n| n == name).unwrap();
        rows[row][place].to_owned()
    };
    for (name, expected) in [
        ("step", "12"),
        ("time", "0.12"),
        ("first", "die"),
        ("second", "world"),
        ("shapes", "7"),
        ("features", "18446744073709551615"),
        ("status", "sliding"),
        ("z", "-0.25"),
        ("nz", "1.0"),
        ("gap", "-1e-13"),
        ("normal_force", "20.0"),
        ("friction_force", "5.0"),
        ("fx", "-3.0"),
        ("slip_x", "0.25"),
    ] {
        assert_eq!(read(0, name), expected, "{name}");
    }
    assert_eq!(read(1, "status"), "open");
}
