//! Steps of closed loops, redundant constraints included: a planar four-bar has three equations too many.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use driftless::scene;
use driftless::sim::Input;
use std::hint::black_box;
use std::time::Duration;

fn loops(c: &mut Criterion) {
    let mut group = c.benchmark_group("loops");
    group
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20);
    for spec in [
        "four_bar",
        "double_four_bar",
        "three_link_loop",
        "bricard",
        "four-bar-chain:segments=10",
        "four-bar-chain:segments=50",
        "closed-chain:links=20",
        "net:rows=8,columns=8",
    ] {
        let scene = scene::open(spec, &[]).expect("a shipped or parametric scene opens");
        let mut sim = scene.simulation().expect("the scene's method runs it");
        group.bench_function(BenchmarkId::from_parameter(spec), |b| {
            let input = Input::default();
            b.iter(|| black_box(sim.step(&input).is_ok()));
        });
    }
    group.finish();
}

criterion_group!(benches, loops);
criterion_main!(benches);
