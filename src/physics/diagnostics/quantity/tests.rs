//! Names against names, values against the table that is written and against the laws they stand for.

use super::*;
use crate::model::Input;
use crate::scene;
use crate::sim::Simulation;
use crate::sim::export::{Origin, Table};
use std::collections::BTreeSet;

fn run(spec: &str, steps: u32) -> Simulation {
    let mut simulation = scene::open(spec, &[]).unwrap().simulation().unwrap();
    for _ in 0..steps {
        let _ = simulation.step(&Input::default()).unwrap();
    }
    simulation
}

fn owners(model: &Model) -> Vec<Owner> {
    let bodies = (0..model.bodies.len()).map(|k| Owner::Body(BodyId(k)));
    let joints = (0..model.joints.len()).map(|k| Owner::Joint(JointId(k)));
    let limits = (0..model.limit_count()).map(Owner::Limit);
    let world = (0..model.bodies.len()).map(|k| Owner::Pair(BodyId(k), None));
    std::iter::once(Owner::Run)
        .chain(bodies)
        .chain(joints)
        .chain(limits)
        .chain(world)
        .collect()
}

#[test]
fn every_quantity_is_found_by_its_name() {
    for spec in ["double_pendulum", "box_stack", "hanging_load", "ragdoll"] {
        let Ok(scene) = scene::open(spec, &[]) else {
            continue;
        };
        let model = &scene.model;
        let mut names = BTreeSet::new();
        for quantity in owners(model)
            .into_iter()
            .flat_map(|o| Quantity::all(o, model))
        {
            let name = quantity.name(model);
            assert_eq!(Quantity::named(&name, model), Some(quantity), "{name}");
            assert!(names.insert(name));
        }
        assert!(Quantity::named("no_such.x", model).is_none());
        assert!(Quantity::named("total_energ", model).is_none());
    }
    assert_eq!(RUN[TIME.column].name, "time");
}

#[test]
fn values_are_those_of_the_table() {
    for spec in ["double_pendulum", "box-stack:boxes=2"] {
        let mut simulation = run(spec, 40);
        let sample = simulation.sample();
        let model = simulation.model().clone();
        let settings = *simulation.settings();
        let origin = Origin {
            scene: spec,
            changes: &[],
            integrator: simulation.integrator(),
            settings: &settings,
            model: &model,
        };
        let mut text = Vec::new();
        let mut table = Table::new(&mut text, &origin).unwrap();
        table.write(&mut simulation, &sample).unwrap();
        table.finish().unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut lines = text.lines().filter(|l| !l.starts_with('#'));
        let (columns, row) = (lines.next().unwrap(), lines.next().unwrap());
        let mut seen = 0;
        for (column, field) in columns.split(',').zip(row.split(',')) {
            let quantity = Quantity::named(column, &model).unwrap_or_else(|| panic!("{column}"));
            let mut value = Vec::new();
            simulation.values(&[quantity], &sample, &mut value);
            assert_eq!(value[0], field.parse::<f64>().unwrap(), "{spec}: {column}");
            seen += 1;
        }
        assert_eq!(
            seen,
            RUN.len() + BODY_TABLE * model.bodies.len() + 2 * model.limit_count()
        );
    }
}

#[test]
fn joints_and_pairs_have_the_values_of_the_simulation() {
    let mut simulation = run("double_pendulum", 40);
    let sample = simulation.sample();
    let value = |sim: &Simulation, name: &str| {
        let quantity = Quantity::named(name, sim.model()).unwrap_or_else(|| panic!("{name}"));
        let mut values = Vec::new();
        sim.values(&[quantity], &sample, &mut values);
        values[0]
    };
    let joint = JointId(1);
    let name = simulation.model().joints[1].name.clone();
    let (q, rate) = (simulation.coordinates(joint)[0], simulation.rates(joint)[0]);
    assert_eq!(value(&simulation, &format!("{name}.q0")), q);
    assert_eq!(value(&simulation, &format!("{name}.rate0")), rate);
    let force = simulation.reaction(joint).force.norm();
    assert_eq!(value(&simulation, &format!("{name}.reaction")), force);
    let q0 = Quantity::named(&format!("{name}.q0"), simulation.model()).unwrap();
    assert_eq!(q0.unit(simulation.model()), "rad");
    let stack = run("box-stack:boxes=2", 40);
    let sample = run("box-stack:boxes=2", 40).sample();
    let model = stack.model();
    let (low, high) = (&model.bodies[0].name, &model.bodies[1].name);
    let weight = |k: usize| model.bodies[k].mass * model.gravity.norm();
    for (name, wanted) in [
        (format!("{low}|world.normal_force"), weight(0) + weight(1)),
        // Either way round.
        (format!("{low}|{high}.normal_force"), weight(1)),
        (format!("{high}|{low}.normal_force"), weight(1)),
    ] {
        let quantity = Quantity::named(&name, model).unwrap();
        let mut values = Vec::new();
        stack.values(&[quantity], &sample, &mut values);
        // The stack stands: forces are weights up to the tolerance of a step.
        assert!(
            (values[0] / wanted - 1.0).abs() < 1e-6,
            "{name}: {} {wanted}",
            values[0]
        );
    }
}

#[test]
fn a_quantity_is_known_by_name_where_its_owner_has_another_place_or_none() {
    let model = |spec: &str| crate::scene::open(spec, &[]).unwrap().model;
    let (long, short) = (model("chain:links=5"), model("chain:links=2"));
    let of =
        |body: usize| Quantity::named(&format!("{}.z", long.bodies[body].name), &long).unwrap();
    assert_eq!(of(1).moved(&long, &short), Some(of(1)));
    assert_eq!(of(4).moved(&long, &short), None);
    let mut simulation = run("chain:links=2", 3);
    let sample = simulation.sample();
    let mut values = Vec::new();
    simulation.values(&[of(1), of(4)], &sample, &mut values);
    assert!(values[0].is_finite() && values[1].is_nan());
    let chart = |curves: &[Quantity]| Chart {
        curves: curves.to_vec(),
        ..Chart::default()
    };
    let moved = |curves: &[Quantity]| chart(curves).moved(&long, &short);
    assert_eq!(moved(&[of(1), of(4)]), Some(chart(&[of(1)])));
    assert_eq!(moved(&[of(4)]), None);
    assert_eq!(moved(&[]), Some(chart(&[])));
}
