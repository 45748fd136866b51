//! Time of one step in contact: stacks at rest, chains of spheres against their number, piles.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
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

criterion_group!(benches, contact);
criterion_main!(benches);
