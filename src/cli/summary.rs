//! What a run came to, for a person at a terminal.

use super::run::Outcome;
use crate::quantity::{duration, factor, number, quantity};
use crate::scene::Scene;
use crate::sim::Simulation;

/// The summary as lines of text.
pub(super) fn text(scene: &Scene, sim: &Simulation, run: &Outcome) -> String {
    let account = &run.statistics;
    let (first, last) = (&account.first, &account.last);
    let model = sim.model();
    let settings = sim.settings();
    let outcomes = sim.outcomes();
    let times = &account.step_times;
    let simulated = last.time - first.time;
    let mut lines = vec![format!(
        "{}: {} steps of {} with {} to t = {:.6} s",
        scene.name,
        account.steps,
        duration(settings.dt),
        sim.integrator().name,
        last.time,
    )];
    let mut row = |name: &str, text: String| lines.push(format!("  {name:<14}{text}"));
    row(
        "mechanism",
        format!(
            "{} bodies, {} joints, {} constraint equations, {} of them redundant",
            model.bodies.len(),
            model.joints.len(),
            model.equations(),
            scene.assembly.redundant,
        ),
    );
    row(
        "energy",
        format!(
            "{} at first, {} at last, error at most {}",
            quantity(first.energy.total(), "J"),
            quantity(last.energy.total(), "J"),
            quantity(account.max_energy_error, "J"),
        ),
    );
    if last.external_work != 0.0 || last.dissipated != 0.0 {
        row(
            "work",
            format!(
                "{} from outside, {} dissipated",
                quantity(last.external_work, "J"),
                quantity(last.dissipated, "J"),
            ),
        );
    }
    row(
        "joint drift",
        format!(
            "at most {} and {}",
            quantity(account.max_drift_position, "m"),
            quantity(account.max_drift_angle, "rad"),
        ),
    );
    row(
        "momentum",
        format!(
            "changed by {} and {}",
            quantity(account.linear_momentum_change(), "kg m/s"),
            quantity(account.angular_momentum_change(), "kg m²/s"),
        ),
    );
    row(
        "iterations",
        format!(
            "{} a step, at most {}; residual at most {}",
            number(account.mean_iterations()),
            account.max_iterations,
            quantity(account.max_residual, "N"),
        ),
    );
    let failed = [
        ("stalled at rounding level", outcomes.stalled),
        ("at the iteration limit", outcomes.iteration_limit),
        ("retried", outcomes.retried),
        ("failed", outcomes.failed),
    ];
    let exceptions: String = failed
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(what, count)| format!(", {count} {what}"))
        .collect();
    row(
        "steps",
        format!("{} converged{exceptions}", outcomes.converged),
    );
    row(
        "time a step",
        format!(
            "median {}, 99 % within {}, longest {}",
            duration(times.quantile(0.5)),
            duration(times.quantile(0.99)),
            duration(times.longest()),
        ),
    );
    row(
        "wall time",
        format!(
            "{}, {} real time",
            duration(run.wall_seconds),
            factor(simulated / run.wall_seconds.max(f64::MIN_POSITIVE)),
        ),
    );
    lines.join("\n")
}
