//! The linearisation of a step against formulas, and against what whole runs show.

use crate::mechanics::bench::{settings, simulation};
use crate::mechanics::mechanisms::{self, G, Workshop};
use crate::mechanics::random::{self, Numbers};
use driftless::build::{Body, Joint, Mechanism, Shape};
use driftless::math::Vec3;
use driftless::model::{BodyId, JointId, Model, State};
use driftless::scene;
use driftless::sim::{Coordinates, Input, Linearisation, LinearisationError, Simulation};
use nalgebra::{DMatrix, DVector};

/// Greatest difference of two matrices over their greatest entry.
fn apart(a: &DMatrix<f64>, b: &DMatrix<f64>) -> f64 {
    (a - b).amax() / b.amax()
}

/// A mass on a spring along a rail: a kick of half a step, a drift, another kick. Rounding over the displacement of 1e-5
/// leaves 1e-9.
#[test]
fn a_mass_on_a_spring_has_the_matrix_of_a_leapfrog_step() {
    let (m, k, h) = (2.0, 300.0, 0.01);
    let block = Body::new("block").cuboid([0.2, 0.2, 0.2]).mass(m);
    let rail = Joint::prismatic("rail")
        .child("block")
        .axis([1.0, 0.0, 0.0]);
    let mechanism = Mechanism::new()
        .body(block)
        .joint(rail.spring(k, 0.0).at(0.1));
    let scene = mechanism.scene().expect("it is a scene");
    let mut sim = scene.simulation().expect("it runs");
    assert_eq!(sim.settings().dt, h);
    let push = Input::default().with_command(JointId(0), 0, 3.0);
    let found = sim
        .linearise(&push, Coordinates::Joints)
        .expect("it has one");
    let c = h * h * k / m;
    let state = [
        [1.0 - 0.5 * c, h],
        [-(h * k / m) * (1.0 - 0.25 * c), 1.0 - 0.5 * c],
    ];
    let state = DMatrix::from_fn(2, 2, |i, j| state[i][j]);
    let input = DMatrix::from_vec(2, 1, vec![0.5 * h * h / m, h / m * (1.0 - 0.25 * c)]);
    assert!(apart(&found.state, &state) < 1e-9, "{}", found.state);
    assert!(apart(&found.input, &input) < 1e-9, "{}", found.input);
    assert_eq!(found.names, ["rail.q0", "rail.rate0"]);
}

/// A force on the first joint that moves, the same in all steps.
fn pushed(sim: &Simulation, by: f64) -> Input {
    let joints = &sim.model().joints;
    let moves = joints.iter().position(|joint| joint.kind.freedoms() > 0);
    Input::default().with_command(JointId(moves.expect("one moves")), 0, by)
}

/// All that bodies are at: positions, then velocities.
fn reached(sim: &mut Simulation) -> DVector<f64> {
    let places: Vec<Vec3> = sim.state().bodies.iter().map(|b| b.position).collect();
    let twists = sim.velocities().iter();
    let rates = twists.flat_map(|t| [t.linear, t.angular]);
    let all: Vec<f64> = places
        .into_iter()
        .chain(rates)
        .flat_map(|v| [v.x, v.y, v.z])
        .collect();
    DVector::from_vec(all)
}

/// The same of what the linearisations of all steps carry to the end: rotations are left out, of which there are no
/// coordinates to subtract.
fn carried(sensitivity: &DVector<f64>) -> DVector<f64> {
    let half = sensitivity.len() / 2;
    let places = (0..half).filter(|k| k % 6 < 3).map(|k| sensitivity[k]);
    let rates = (half..2 * half).map(|k| sensitivity[k]);
    DVector::from_iterator(half / 2 + half, places.chain(rates))
}

/// How far apart the derivative of a run by a force is from what the linearisations of its steps come to together, as part
/// of the whole.
fn disagreement(
    (mechanism, method): (&(Model, State), &str),
    dt: f64,
    steps: u32,
    force: f64,
    by: f64,
) -> f64 {
    let tight = settings(dt, 1e-12);
    let mut sim = simulation(mechanism, method, tight);
    let mut sensitivity: Option<DVector<f64>> = None;
    for _ in 0..steps {
        let input = pushed(&sim, force);
        let Linearisation {
            state,
            input: columns,
            ..
        } = sim
            .linearise(&input, Coordinates::Bodies)
            .unwrap_or_else(|e| panic!("{method}: {e}"));
        let column = columns.column(0).into_owned();
        sensitivity = Some(match sensitivity {
            Some(before) => state * before + column,
            None => column,
        });
        sim.step(&input).expect("the step succeeds");
    }
    let sensitivity = carried(&sensitivity.expect("there are steps"));
    let ends = [-by, by].map(|by| {
        let mut sim = simulation(mechanism, method, tight);
        for _ in 0..steps {
            let input = pushed(&sim, force + by);
            sim.step(&input).expect("the step succeeds");
        }
        reached(&mut sim)
    });
    let shown = (&ends[1] - &ends[0]) / (2.0 * by);
    (sensitivity - &shown).amax() / shown.amax()
}

/// A run of twenty steps is displaced by its force as the steps' linearisations say, one after the other: the chain rule,
/// over joints of every kind, springs, dampers, drives and loops. Differences of runs are known to about 1e-6: their
/// tolerance of 1e-12 over a push that moves things by 1e-5 or so.
#[test]
fn the_steps_of_a_run_carry_a_push_on_as_the_run_does() {
    for seed in 0..6 {
        let mut workshop = random::tree(300 + seed);
        if seed % 2 == 0 {
            random::equip(&mut workshop);
        }
        if seed >= 4 {
            random::close(&mut workshop);
        }
        let mechanism = workshop.finish();
        let off = disagreement((&mechanism, "variational-2"), 0.005, 20, 0.3, 1e-3);
        assert!(off < 1e-5, "seed {seed}: {off:e}");
    }
}

/// The same by every method that keeps nothing in mind but positions and velocities.
#[test]
fn every_method_without_a_memory_has_a_linearisation() {
    let mechanism = mechanisms::chain(&[0.4, -0.3, 0.2], &[0.5, 0.0, -1.0]);
    for method in [
        "variational-2",
        "variational-4",
        "variational-ggl",
        "minimal-riqn",
        "minimal-newton",
        "joint-space-rk4",
        "rk4",
        "heun",
    ] {
        let off = disagreement((&mechanism, method), 0.01, 20, 0.3, 1e-3);
        assert!(off < 1e-5, "{method}: {off:e}");
    }
}

/// A block of 2 kg on a floor, which slides at `speed`.
fn block(friction: f64, speed: f64) -> Simulation {
    let block = Body::new("block").mass(2.0).cuboid([0.4, 0.4, 0.2]);
    let block = block.position([0.0, 0.0, 0.1]).velocity([speed, 0.0, 0.0]);
    let floor = Mechanism::new()
        .ground(Shape::half_space())
        .contact(friction, 0.0);
    let scene = floor.body(block).scene().expect("it is a scene");
    scene.simulation().expect("it runs")
}

/// What slides goes on as fast and is held by µ times what presses it down; what sticks forgets where it was pushed to.
#[test]
fn contacts_slide_and_stick_as_the_step_found_them() {
    let (h, m, mu) = (0.01, 2.0, 0.3);
    let wrench = Input::default().with_force(BodyId(0), Vec3::zeros());
    let mut sim = block(mu, 1.0);
    for _ in 0..3 {
        sim.step(&Input::default()).expect("the step succeeds");
    }
    let slides = sim
        .linearise(&wrench, Coordinates::Joints)
        .expect("it has one");
    let at = |name: &str| {
        let name = format!("block.{name}");
        slides
            .names
            .iter()
            .position(|n| *n == name)
            .expect("there is one")
    };
    let (x, vx) = (at("x"), at("vx"));
    let close = |found: f64, wanted: f64, scale: f64| {
        assert!(
            (found - wanted).abs() < 1e-6 * scale,
            "{found} for {wanted}"
        );
    };
    close(slides.state[(vx, vx)], 1.0, 1.0);
    close(slides.state[(x, vx)], h, h);
    close(slides.state[(x, x)], 1.0, 1.0);
    close(slides.input[(vx, 0)], h / m, h / m);
    // Lifted, it is pressed less.
    close(slides.input[(vx, 2)], mu * h / m, h / m);
    let mut sim = block(mu, 0.0);
    sim.step(&Input::default()).expect("the step succeeds");
    let sticks = sim
        .linearise(&wrench, Coordinates::Joints)
        .expect("it has one");
    let half = sticks.names.len() / 2;
    let rates = sticks.state.view((half, half), (half, half));
    assert!(rates.amax() < 1e-6, "{rates}");
    assert!(sticks.input.amax() < 1e-6 * h / m);
    close(sticks.state[(x, x)], 1.0, 1.0);
}

/// Nothing of the run changes by a look at its derivatives, not even what a step does by what it remembers.
#[test]
fn a_run_goes_on_as_if_it_had_not_been_linearised() {
    for name in ["double_four_bar", "box_stack", "andrews"] {
        let open = || {
            let scene = scene::open(name, &[]).expect("it is shipped");
            scene.simulation().expect("it runs")
        };
        let (mut plain, mut looked) = (open(), open());
        for step in 0..30 {
            let nothing = Input::default();
            if step % 7 == 3 {
                let found = looked.linearise(&nothing, Coordinates::Bodies);
                assert!(
                    found
                        .expect("it has one")
                        .state
                        .iter()
                        .all(|v| v.is_finite())
                );
            }
            plain.step(&nothing).expect("the step succeeds");
            looked.step(&nothing).expect("the step succeeds");
        }
        assert_eq!(plain.state().digest(), looked.state().digest(), "{name}");
    }
}

/// The step of a symplectic method keeps volumes of positions and momenta: in joint coordinates the determinant of its
/// matrix is that of the mass matrix before over that after.
#[test]
fn a_step_keeps_the_volume_of_phase_space() {
    let mut numbers = Numbers(77);
    for _ in 0..5 {
        let angles = [numbers.next() * 3.0, numbers.next() * 3.0];
        let mechanism = mechanisms::chain(&angles, &[2.0 * numbers.next(), 2.0 * numbers.next()]);
        let mut sim = simulation(&mechanism, "variational-2", settings(0.02, 1e-12));
        // Two rods of the same mass and length: what depends on the position is the cosine between them.
        let mass = |sim: &Simulation| {
            let axis = |b: usize| sim.state().bodies[b].orientation * Vec3::z();
            let cosine = axis(0).dot(&axis(1));
            4.0 / 3.0 * 1.0 / 3.0 - 0.25 * cosine * cosine
        };
        let found = sim
            .linearise(&Input::default(), Coordinates::Joints)
            .expect("it has one");
        let before = mass(&sim);
        sim.step(&Input::default()).expect("the step succeeds");
        let wanted = before / mass(&sim);
        let volume = found.state.determinant();
        assert!(
            (volume / wanted - 1.0).abs() < 1e-7,
            "{volume} for {wanted}"
        );
    }
}

#[test]
fn what_has_no_linearisation_says_why() {
    let mut four_bar = scene::open("four_bar", &[])
        .expect("shipped")
        .simulation()
        .expect("it runs");
    let loops = four_bar.linearise(&Input::default(), Coordinates::Joints);
    let LinearisationError::Loops { joint } = loops.expect_err("it has a loop") else {
        panic!("another error");
    };
    assert!(four_bar.model().joint(&joint).is_some());
    let nowhere = Input::default().with_force(BodyId(9), Vec3::x());
    let refused = four_bar.linearise(&nowhere, Coordinates::Bodies);
    let told = refused.expect_err("there is no such body").to_string();
    assert!(told.contains("wrenches.0.body"), "{told}");
    let empty = Workshop::new(Vec3::z() * -G).finish();
    let mut empty = simulation(&empty, "variational-2", settings(0.01, 1e-10));
    let error = empty
        .linearise(&Input::default(), Coordinates::Bodies)
        .expect_err("nothing there");
    assert_eq!(error, LinearisationError::Empty);
}
