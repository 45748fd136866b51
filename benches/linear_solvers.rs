//! The three linear solvers on the same steps: pair elimination, the papers' block LDU, dense LU.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use driftless::integrators::LinearSolver;
use driftless::scene;
use driftless::sim::Input;
use std::hint::black_box;
use std::time::Duration;

/// Scenes, and whether the dense solver, cubic in their size, can be waited for.
const SCENES: [(&str, bool); 6] = [
    ("chain:links=10,joint=revolute", true),
    ("chain:links=10,joint=spherical", true),
    ("chain:links=100,joint=revolute", false),
    ("chain:links=100,joint=spherical", false),
    ("four_bar_chain", true),
    ("net", false),
];

fn linear_solvers(c: &mut Criterion) {
    let solvers = [
        ("articulated", LinearSolver::Articulated),
        ("block-ldu", LinearSolver::BlockLdu),
        ("dense", LinearSolver::Dense),
    ];
    for (spec, dense) in SCENES {
        let mut group = c.benchmark_group(format!("linear solver/{spec}"));
        group
            .warm_up_time(Duration::from_millis(500))
            .measurement_time(Duration::from_secs(2))
            .sample_size(10);
        for (name, solver) in solvers {
            if solver == LinearSolver::Dense && !dense {
                continue;
            }
            let mut scene = scene::open(spec, &[]).expect("a shipped or parametric scene opens");
            scene.settings.dt = 0.002;
            scene.settings.linear_solver = solver;
            let mut sim = scene.simulation().expect("the scene's method runs it");
            group.bench_function(BenchmarkId::from_parameter(name), |b| {
                let input = Input::default();
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

criterion_group!(benches, linear_solvers);
criterion_main!(benches);
