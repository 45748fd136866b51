//! Structures of hundreds of blocks, hardly let go, that come to rest and stay there: what carries them is found in every step though
//! micrometres decide which corners bear.

use crate::contact::clearance::clearance;
use crate::contact::touching::{drift, watch};
use driftless::math::Vec3;
use driftless::scene;
use driftless::sim::Simulation;

/// A block: its size and the place of its middle [m].
type Block = ([f64; 3], [f64; 3]);

/// Blocks of 1000 kg/m³ times one of these on the ground, friction 0.5.
fn started(blocks: &[Block], heavier: &[f64], dt: f64) -> Simulation {
    with_budget(blocks, heavier, dt, 0.0)
}

/// The same with a budget for contacts [ms], zero for none.
fn with_budget(blocks: &[Block], heavier: &[f64], dt: f64, budget: f64) -> Simulation {
    let all = blocks.iter().zip(heavier.iter().cycle()).enumerate();
    let bodies: Vec<String> = all
        .map(|(k, (([x, y, z], [at_x, at_y, at_z]), times))| {
            let density = 1000.0 * times;
            format!(
                "\"block_{k}\": (density: {density:?}, shape: (box: (size: ({x:?}, {y:?}, {z:?}))),
                position: ({at_x:?}, {at_y:?}, {at_z:?}))"
            )
        })
        .collect();
    let text = format!(
        "(version: 1, bodies: {{{}}}, world: [(half_space: (), material: \"block\")],
        contact: (materials: {{\"block\": (friction: 0.5)}}), integrator: (dt: {dt:?}, options: {{\"contact_budget\": {budget:?}}}))",
        bodies.join(", ")
    );
    let scene = scene::from_text("standing", &text, &[]).expect("the scene is right");
    scene.simulation().expect("it runs")
}

/// A pyramid of cubes of a metre, so far from middle to middle, each row so much above the one below and moved aside by the next of
/// some lengths.
fn pyramid(rows: usize, beside: f64, above: f64, aside: &[f64]) -> Vec<Block> {
    let mut aside = aside.iter().cycle();
    let mut next = || *aside.next().expect("there is a next");
    let mut blocks = Vec::new();
    for row in 0..rows {
        for k in row..rows {
            let x = (k as f64 - 0.5 * (row + rows - 1) as f64) * beside + next();
            let z = row as f64 + 0.5 + above * (row + 1) as f64;
            blocks.push(([1.0; 3], [x, next(), z]));
        }
    }
    blocks
}

/// A tower of planks, three side by side on each level and across those below.
fn tower(levels: usize) -> Vec<Block> {
    let [long, wide, high] = [0.075, 0.025, 0.015];
    let mut blocks = Vec::new();
    for level in 0..levels {
        let z = high * (level as f64 + 0.5) + 2e-4 * (level + 1) as f64;
        for beside in [-0.0255, 0.0, 0.0255] {
            blocks.push(if level.is_multiple_of(2) {
                ([long, wide, high], [0.0, beside, z])
            } else {
                ([wide, long, high], [beside, 0.0, z])
            });
        }
    }
    blocks
}

/// Steps until it may be at rest, then as many again: none of these is taken before its laws are kept, none is relaxed, nothing is
/// deeper than laws are kept to, and nothing moves by a tenth of a millimetre.
fn comes_to_rest(name: &str, mut sim: Simulation, steps: u64) {
    watch(&mut sim, steps, |_| {});
    let before = sim.outcomes().capped;
    let from = sim.state().clone();
    let dt = sim.settings().dt;
    let speed = 1e-3 * sim.model().gravity.norm() * dt;
    watch(&mut sim, steps, |sim| {
        let found = clearance(sim.model(), sim.state());
        let step = sim.state().step;
        assert!(found > -speed * dt, "{name}, step {step}: {found:e} m");
    });
    let outcomes = sim.outcomes();
    assert_eq!(outcomes.capped, before, "{name}: {outcomes:?}");
    assert_eq!(outcomes.relaxed + outcomes.failed, 0, "{name}");
    let moved = drift(&from, sim.state(), Vec3::zeros());
    println!("{name}: {moved:e} m, {outcomes:?}");
    assert!(moved < 1e-4, "{name}: {moved:e} m");
}

#[test]
fn a_pyramid_of_twenty_rows_comes_to_rest() {
    let blocks = pyramid(20, 1.25, 0.01, &[0.0]);
    comes_to_rest("pyramid", started(&blocks, &[1.0], 1.0 / 60.0), 50);
}

#[test]
fn a_pyramid_of_uneven_rows_comes_to_rest() {
    let aside = [0.011, -0.004, 0.013, -0.014, 0.002, -0.009, 0.007];
    let blocks = pyramid(16, 1.05, 0.02, &aside);
    let heavier = [1.0, 0.5, 2.0, 2.0, 1.0];
    comes_to_rest("uneven", started(&blocks, &heavier, 1.0 / 60.0), 60);
}

#[test]
fn a_tower_of_forty_levels_of_planks_comes_to_rest() {
    comes_to_rest("tower", started(&tower(40), &[1.0], 0.005), 80);
}

#[test]
fn pyramids_come_to_rest_with_a_budget() {
    for (rows, steps) in [(14, 60), (16, 100)] {
        let blocks = pyramid(rows, 1.0, 0.01, &[0.0]);
        let sim = with_budget(&blocks, &[1.0], 1.0 / 60.0, 30.0);
        comes_to_rest(&format!("{rows} rows with a budget"), sim, steps);
    }
}
