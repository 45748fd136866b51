//! Time of one step against the number of links of a chain: the cost per link should not grow.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use driftless::scene;
use driftless::sim::Input;
use std::hint::black_box;
use std::time::Duration;

const LINKS: [u64; 9] = [1, 2, 5, 10, 20, 50, 100, 500, 1000];

fn step_scaling(c: &mut Criterion) {
    for joint in ["revolute", "spherical"] {
        let mut group = c.benchmark_group(format!("step/{joint}"));
        group
            .warm_up_time(Duration::from_millis(500))
            .measurement_time(Duration::from_secs(2))
            .sample_size(20);
        for links in LINKS {
            let spec = format!("chain:links={links},joint={joint}");
            let sets = [("integrator.dt".to_owned(), "0.002".to_owned())];
            let scene = scene::open(&spec, &sets).expect("a parametric scene opens");
            let mut sim = scene.simulation().expect("the default method runs a chain");
            group.throughput(Throughput::Elements(links));
            group.bench_with_input(BenchmarkId::from_parameter(links), &links, |b, _| {
                let input = Input::default();
                // The motion is a whip sooner or later; measuring always the first second keeps runs comparable.
                let mut steps = 0;
                b.iter(|| {
                    if steps == 500 {
                        sim.reset();
                        steps = 0;
                    }
                    steps += 1;
                    black_box(sim.step(&input).is_ok())
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, step_scaling);
criterion_main!(benches);
