//! Time of one step in contact: stacks at rest, chains of spheres against their number, piles. Time of one search for
//! contact points.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use driftless::contact::Detector;
use driftless::model::{BodyState, Model};
use driftless::scene;
use driftless::sim::{Input, Simulation};
use std::hint::black_box;
use std::time::Duration;

fn open(spec: &str) -> Simulation {
    let scene = scene::open(spec, &[]).expect("a parametric scene opens");
    scene.simulation().expect("the scene's method runs it")
}

/// Steps of a scene from its start, over and over.
fn steps(b: &mut criterion::Bencher, spec: &str, before: u64, window: u64) {
    let mut sim = open(spec);
    let input = Input::default();
    let run = |sim: &mut Simulation| black_box(sim.step(&input).is_ok());
    for _ in 0..before {
        run(&mut sim);
    }
    // Always the same stretch of the motion, so that runs are comparable.
    let begin = sim.snapshot();
    let mut taken = 0;
    b.iter(|| {
        if taken == window {
            sim.restore(&begin).expect("it was there before");
            taken = 0;
        }
        taken += 1;
        run(&mut sim)
    });
}

fn contact(c: &mut Criterion) {
    let mut group = c.benchmark_group("contact");
    group
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .sample_size(10);
    for (spec, before, window) in [
        ("box-stack:boxes=10", 100, 500),
        ("box-stack:boxes=10,offset=0.05", 100, 500),
        ("sphere-stack:spheres=100", 100, 500),
        ("pit:bodies=40", 100, 100),
        ("pit:bodies=100", 100, 100),
        ("pit:bodies=300", 100, 50),
    ] {
        group.bench_function(BenchmarkId::from_parameter(spec), |b| {
            steps(b, spec, before, window);
        });
    }
    group.finish();

    let mut group = c.benchmark_group("contact/sphere-chain");
    group
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .sample_size(10);
    for spheres in [10, 20, 50, 100, 200] {
        let spec = format!("sphere-chain:spheres={spheres}");
        group.throughput(Throughput::Elements(spheres));
        group.bench_function(BenchmarkId::from_parameter(spheres), |b| {
            steps(b, &spec, 0, 200);
        });
    }
    group.finish();
}

/// How far the points of each body may come in a step, as a step asks [m].
fn reach(model: &Model, bodies: &[BodyState], dt: f64) -> Vec<f64> {
    let parts = model.bodies.iter().zip(bodies);
    parts
        .map(|(body, state)| {
            let reaches = body
                .shapes
                .iter()
                .map(|s| s.pose.translation.vector.norm() + s.geometry.reach());
            let radius = reaches.fold(0.0, f64::max);
            let turn = state.velocity.angular.norm() * radius;
            let speed = state.velocity.linear.norm() + turn + model.gravity.norm() * dt;
            1.5 * dt * speed + 2e-3 * radius
        })
        .collect()
}

/// Searches at the configurations of twelve steps in turn, there and back, so that bodies move from one to the next by
/// what they move in a step.
fn detection(c: &mut Criterion) {
    let mut group = c.benchmark_group("contact/detection");
    group
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .sample_size(10);
    for (spec, before) in [
        ("pit:bodies=300", 100),
        ("pit:bodies=100,kind=spheres,width=2", 150),
        ("brick_wall", 150),
        ("card_tower", 100),
        ("marble_run", 150),
        ("gear_pair", 50),
        ("box-stack:boxes=10", 200),
    ] {
        let mut sim = open(spec);
        let input = Input::default();
        let mut asked = Vec::new();
        for k in 0..before + 12 {
            let _ = black_box(sim.step(&input).is_ok());
            if k >= before {
                let bodies = sim.state().bodies.clone();
                let reach = reach(sim.model(), &bodies, sim.settings().dt);
                asked.push((bodies, reach));
            }
        }
        asked.extend(asked.clone().into_iter().rev());
        let mut detector = Detector::new(sim.model());
        let mut next = (0..asked.len()).cycle();
        group.bench_function(BenchmarkId::from_parameter(spec), |b| {
            b.iter(|| {
                let (bodies, reach) = &asked[next.next().unwrap_or(0)];
                black_box(detector.detect(sim.model(), bodies, reach).len())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, contact, detection);
criterion_main!(benches);
