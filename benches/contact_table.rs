//! The table of `docs/reference/performance.md`: what the steps of every scene of contact come to.
//!
//!     cargo bench --no-default-features --bench contact_table [-- PART…]
//!
//! With words, only rows that contain one of them.

use driftless::integrators::Fallback;
use driftless::scene;
use driftless::sim::{Input, Simulation};
use std::time::{Duration, Instant};

/// One line of the table: a scene, how long it runs [s], over how many seeds.
struct Row {
    scene: &'static str,
    duration: f64,
    seeds: u64,
}

const fn row(scene: &'static str, duration: f64) -> Row {
    Row {
        scene,
        duration,
        seeds: 1,
    }
}

const fn seeded(scene: &'static str, duration: f64, seeds: u64) -> Row {
    Row {
        scene,
        duration,
        seeds,
    }
}

const ROWS: &[Row] = &[
    row("drop:height=0.4", 2.0),
    row("drop:height=1,dt=0.0001", 2.0),
    row("drop:height=1,dt=0.05", 2.0),
    row("drop:height=1,restitution=0.8,dt=0.001", 2.0),
    row("slope:degrees=15,mu=0.25", 1.0),
    row("slope:degrees=15,mu=0.375", 60.0),
    row("box-stack:boxes=10", 60.0),
    row("box-stack:boxes=10,offset=0.05", 60.0),
    row("sphere-stack:spheres=100", 5.0),
    row("sphere-stack:spheres=100,mass_ratio=1000", 5.0),
    row("sphere-stack:spheres=100,mass_ratio=0.001", 5.0),
    row("sphere-chain:spheres=10", 4.0),
    row("sphere-chain:spheres=20", 4.0),
    row("sphere-chain:spheres=50", 4.0),
    row("sphere-chain:spheres=100", 4.0),
    row("sphere-chain:spheres=200", 4.0),
    row("four_frictions", 2.0),
    row("dice", 3.0),
    row("brick_wall", 5.0),
    row("dominoes", 4.0),
    row("newtons_cradle", 5.0),
    row("tippe_top", 5.0),
    row("rattleback", 5.0),
    row("rolling_disk", 5.0),
    row("gear_pair", 5.0),
    row("geneva_drive", 5.0),
    row("passive_walker", 5.0),
    row("rimless_wheel", 5.0),
    row("wheel_rim", 5.0),
    row("heavy_on_light", 5.0),
    row("arch", 5.0),
    row("card_tower", 5.0),
    row("marble_run", 5.0),
    seeded("pit:bodies=40,kind=spheres,width=2,mu=0.5", 2.0, 10),
    seeded("pit:bodies=40,kind=spheres,width=2,mu=1", 2.0, 10),
    seeded("pit:bodies=40,kind=spheres,width=2,mu=2", 2.0, 10),
    seeded(
        "pit:bodies=40,kind=spheres,width=2,mu=0.5,mass_ratio=1000",
        2.0,
        10,
    ),
    seeded(
        "pit:bodies=40,kind=spheres,width=2,mu=2,mass_ratio=1000",
        2.0,
        10,
    ),
    seeded("pit:bodies=100,kind=spheres,width=2,mu=0.5", 2.0, 3),
    seeded("pit:bodies=100,kind=spheres,width=2,mu=2", 2.0, 3),
    seeded(
        "pit:bodies=100,kind=spheres,width=2,mu=0.5,mass_ratio=1000",
        2.0,
        3,
    ),
    seeded("pit:bodies=60,width=1.5", 2.0, 3),
    row("ball_pit", 3.0),
];

/// Names of the fallbacks above the first two.
const RUNGS: [(Fallback, &str); 4] = [
    (Fallback::InteriorPoint, "interior point"),
    (Fallback::Shifted, "shifted"),
    (Fallback::Substeps, "substeps"),
    (Fallback::Convexified, "relaxed"),
];

/// What the steps of a row came to.
#[derive(Default)]
struct Sum {
    steps: u64,
    failed: u64,
    fallbacks: [u64; 4],
    iterations: u64,
    most_iterations: u32,
    factorisations: u64,
    points: u32,
    penetration: f64,
    complementarity: f64,
    time: Duration,
    longest: Duration,
}

fn run(sim: &mut Simulation, steps: u64, sum: &mut Sum) {
    let input = Input::default();
    for _ in 0..steps {
        let start = Instant::now();
        let failed = sim.step(&input).is_err();
        let taken = start.elapsed();
        sum.steps += 1;
        sum.time += taken;
        sum.longest = sum.longest.max(taken);
        if failed {
            sum.failed += 1;
            return;
        }
        let report = sim.report();
        for ((fallback, _), count) in RUNGS.iter().zip(&mut sum.fallbacks) {
            *count += u64::from(report.fallback == *fallback);
        }
        sum.iterations += u64::from(report.iterations);
        sum.most_iterations = sum.most_iterations.max(report.iterations);
        sum.factorisations += u64::from(report.factorisations);
        sum.points = sum.points.max(report.contact.closed);
        sum.penetration = sum.penetration.max(report.contact.penetration);
        sum.complementarity = sum.complementarity.max(report.contact.complementarity);
    }
}

fn line(row: &Row, sum: &Sum) -> String {
    let steps = sum.steps as f64;
    let mut fallbacks: Vec<String> = RUNGS
        .iter()
        .zip(sum.fallbacks)
        .filter(|(_, count)| *count > 0)
        .map(|((_, name), count)| format!("{:.2} % {name}", 100.0 * count as f64 / steps))
        .collect();
    if sum.failed > 0 {
        fallbacks.push(format!("**{} failed**", sum.failed));
    }
    let seeds = if row.seeds > 1 {
        format!(", {} seeds", row.seeds)
    } else {
        String::new()
    };
    format!(
        "| `{}`{seeds} | {} | {} | {:.2} | {} | {:.2} | {} | {:.1e} | {:.1e} | {:.3} | {:.2} |",
        row.scene,
        sum.steps,
        sum.points,
        sum.iterations as f64 / steps,
        sum.most_iterations,
        sum.factorisations as f64 / steps,
        if fallbacks.is_empty() {
            "-".into()
        } else {
            fallbacks.join(", ")
        },
        sum.penetration,
        sum.complementarity,
        sum.time.as_secs_f64() / steps * 1e3,
        sum.longest.as_secs_f64() * 1e3,
    )
}

fn main() {
    // `cargo bench` adds `--bench`.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    println!(
        "| scene | steps | points | iterations mean | max | factorisations | fallbacks above the first | deepest [m] | gap × force [N m] | mean step [ms] | worst [ms] |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for row in ROWS {
        if !words.is_empty() && !words.iter().any(|w| row.scene.contains(w.as_str())) {
            continue;
        }
        let mut sum = Sum::default();
        for seed in 1..=row.seeds {
            let spec = match row.seeds {
                1 => row.scene.to_owned(),
                _ => format!("{},seed={seed}", row.scene),
            };
            let scene = scene::open(&spec, &[]).unwrap_or_else(|e| panic!("{spec}: {e}"));
            let mut sim = scene.simulation().unwrap_or_else(|e| panic!("{spec}: {e}"));
            let steps = (row.duration / sim.settings().dt).round() as u64;
            run(&mut sim, steps, &mut sum);
        }
        println!("{}", line(row, &sum));
    }
}
