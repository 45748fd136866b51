//! Time of one step in joint coordinates against the number of links of a chain, by method, and beside maximal coordinates.
//!
//! The recursion and RIQN should cost the same per link at every length; dense Jacobians and the rival without the recursion
//! are measured to a hundred links.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use driftless::scene;
use driftless::sim::{Input, Simulation};
use driftless::stopwatch::Phase;
use std::hint::black_box;
use std::time::Duration;

const LINKS: [u64; 7] = [10, 20, 50, 100, 200, 500, 1000];

/// Methods: name, linear solver, and the most links.
const METHODS: [(&str, &str, u64); 8] = [
    ("minimal-riqn", "articulated", 1000),
    ("minimal-newton", "articulated", 1000),
    ("minimal-newton", "dense", 100),
    ("minimal-broyden", "articulated", 1000),
    ("minimal-svi-newton", "articulated", 100),
    ("joint-space-euler", "articulated", 1000),
    ("joint-space-rk4", "articulated", 1000),
    ("variational-2", "articulated", 1000),
];

/// A chain released at 30 degrees with steps of 1 ms and the paper's tolerance.
fn chain(links: u64, joint: &str, method: &str, solver: &str) -> Simulation {
    let spec = format!("chain:links={links},joint={joint},angle=30");
    let sets = [
        ("integrator.dt", "0.001".to_owned()),
        ("integrator.tolerance", "1e-9".to_owned()),
        ("integrator.method", format!("\"{method}\"")),
        ("integrator.linear_solver", format!("\"{solver}\"")),
    ];
    let sets = sets.map(|(path, value)| (path.to_owned(), value));
    let scene = scene::open(&spec, &sets).expect("a parametric scene opens");
    scene.simulation().expect("the method runs a chain")
}

fn steps(c: &mut Criterion) {
    for joint in ["revolute", "spherical"] {
        for (method, solver, most) in METHODS {
            let mut group =
                c.benchmark_group(format!("joint_coordinates/{joint}/{method}/{solver}"));
            group
                .warm_up_time(Duration::from_millis(200))
                .measurement_time(Duration::from_secs(1))
                .sample_size(10);
            for links in LINKS.into_iter().filter(|n| *n <= most) {
                let mut sim = chain(links, joint, method, solver);
                group.throughput(Throughput::Elements(links));
                group.bench_with_input(BenchmarkId::from_parameter(links), &links, |b, _| {
                    let input = Input::default();
                    let mut steps = 0;
                    b.iter(|| {
                        // Always the same first half second.
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
}

/// DRNEA alone: the time that steps of `minimal-riqn` spend on residuals, by residual.
fn residual(c: &mut Criterion) {
    for joint in ["revolute", "spherical"] {
        let mut group = c.benchmark_group(format!("joint_coordinates/{joint}/residual"));
        group
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_secs(1))
            .sample_size(10);
        for links in LINKS {
            let mut sim = chain(links, joint, "minimal-riqn", "articulated");
            sim.set_profiling(true);
            group.throughput(Throughput::Elements(links));
            group.bench_with_input(BenchmarkId::from_parameter(links), &links, |b, _| {
                b.iter_custom(|steps| {
                    sim.reset();
                    let input = Input::default();
                    let mut seconds = 0.0;
                    for _ in 0..steps {
                        let report = sim.step(&input).expect("the chain is solved");
                        let residuals = f64::from(report.iterations + 1);
                        let lap = sim.profile().and_then(|p| p.laps().next_back());
                        let spent = lap.map_or(0.0, |lap| lap.spent[Phase::Evaluate as usize]);
                        seconds += f64::from(spent) / residuals;
                    }
                    Duration::from_secs_f64(seconds)
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, residual, steps);
criterion_main!(benches);
