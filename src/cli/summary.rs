//! What a run came to, for a person at a terminal.

use super::outcome::Outcome;
use crate::quantity::{counted, duration, factor, number, quantity};
use crate::scene::Scene;
use crate::sim::Simulation;

/// What a scene is made of.
pub(super) fn mechanism(scene: &Scene) -> String {
    let model = &scene.model;
    let mut text = [
        counted(model.bodies.len(), "body", "bodies"),
        counted(model.joints.len(), "joint", "joints"),
        counted(
            model.equations(),
            "constraint equation",
            "constraint equations",
        ),
    ]
    .join(", ");
    if scene.assembly.redundant > 0 {
        text += &format!(", {} of them redundant", scene.assembly.redundant);
    }
    text
}

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
        account.peaks.steps,
        duration(settings.dt),
        sim.integrator().name,
        last.time,
    )];
    let mut row = |name: &str, text: String| lines.push(format!("  {name:<14}{text}"));
    row("mechanism", mechanism(scene));
    row(
        "energy",
        format!(
            "{} at first, {} at last, error at most {}",
            quantity(first.energy.total(), "J"),
            quantity(last.energy.total(), "J"),
            quantity(account.peaks.energy_error, "J"),
        ),
    );
    let [impact, friction] = last.contact_loss;
    if [last.external_work, last.dissipated, impact, friction] != [0.0; 4] {
        let mut text = format!(
            "{} external, {} dissipated",
            quantity(last.external_work, "J"),
            quantity(last.dissipated, "J"),
        );
        if model.has_unilateral() {
            text += &format!(
                ", {} lost to impacts, {} to friction",
                quantity(impact, "J"),
                quantity(friction, "J"),
            );
        }
        row("work", text);
    }
    if account.peaks.rough_velocities > 0 {
        row(
            "velocities",
            format!(
                "not by the laws of contact after {} steps, and so the energy there",
                account.peaks.rough_velocities
            ),
        );
    }
    if last.asleep > 0 {
        let bodies = counted(last.asleep as usize, "body", "bodies");
        row("asleep", format!("{bodies} at last"));
    }
    if last.correction != 0.0 {
        let brought = quantity(last.correction, "J");
        row("correction", format!("{brought} by changes on the way"));
    }
    row(
        "joint drift",
        format!(
            "at most {} and {}",
            quantity(account.peaks.drift_position, "m"),
            quantity(account.peaks.drift_angle, "rad"),
        ),
    );
    if model.contact.is_some() {
        let gap = account.final_gap().map_or_else(
            || "nothing near at last".to_owned(),
            |gap| format!("smallest gap {} at last", quantity(gap, "m")),
        );
        row(
            "contact",
            format!(
                "at most {} points, penetration at most {}, {gap}",
                account.peaks.contacts,
                quantity(account.peaks.penetration, "m"),
            ),
        );
        let mut laws = format!(
            "gap times force at most {}, friction beyond its cone by at most {}",
            quantity(account.peaks.complementarity, "N m"),
            quantity(account.peaks.cone_violation, "N"),
        );
        if outcomes.relaxed > 0 {
            laws += &format!(
                "; {} steps by the relaxation, in which sliding contacts lift off",
                outcomes.relaxed
            );
        }
        row("contact laws", laws);
    }
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
            "{} a step, at most {}; residual at most {} of the forces",
            number(account.peaks.mean_iterations()),
            account.peaks.iterations,
            number(account.peaks.residual),
        ),
    );
    let failed = [
        ("stalled above the tolerance", outcomes.stalled),
        ("at the iteration limit", outcomes.iteration_limit),
        ("at the end of their budget", outcomes.capped),
        ("retried", outcomes.retried),
        ("by sweeps", outcomes.sweeps),
        ("by the interior point", outcomes.interior_point),
        ("by the shifted relaxation", outcomes.shifted),
        ("by shorter steps", outcomes.substeps),
        ("with the turn of a free body in several", outcomes.turns),
        ("relaxed", outcomes.relaxed),
        ("failed", outcomes.failed),
    ];
    let exceptions: String = failed
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(what, count)| format!(", {count} {what}"))
        .collect();
    let asked = outcomes.asked.map_or_else(String::new, |body| {
        format!("; the last cut for body `{}`", model.bodies[body.0].name)
    });
    row(
        "steps",
        format!("{} converged{exceptions}{asked}", outcomes.converged),
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
    for made in &run.changes {
        row("change", made.text());
    }
    lines.join("\n")
}
