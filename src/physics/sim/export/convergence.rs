//! A convergence study as a table: one row per method and step size.

use crate::sim::convergence::Convergence;
use std::io::Write;

/// Columns of the table.
const COLUMNS: [&str; 8] = [
    "integrator",
    "dt",
    "steps",
    "error",
    "seconds",
    "iterations",
    "counts",
    "failure",
];

/// Writes a study; lines of the header begin with `#`. SI units; the error is the configuration distance from the
/// reference at the end (m), and it counts where it is ten times the error of the reference or more. A run that failed
/// has no error and no time.
pub fn write_convergence(
    mut out: impl Write,
    scene: &str,
    study: &Convergence,
) -> Result<(), csv::Error> {
    let reference = &study.reference;
    writeln!(out, "# Driftless {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "# scene: {scene}")?;
    writeln!(out, "# duration [s]: {:?}", study.duration)?;
    writeln!(
        out,
        "# reference: {} with steps of {:?} s, its own error about {:e} m",
        reference.integrator, reference.dt, reference.error
    )?;
    for curve in &study.curves {
        if let Some(slope) = curve.by_dt {
            writeln!(
                out,
                "# slope of {}: {:.3} by dt, from {} points",
                curve.integrator, slope.slope, slope.points
            )?;
        }
    }
    if study.cancelled {
        writeln!(out, "# cancelled: some runs are missing")?;
    }
    let mut table = csv::Writer::from_writer(out);
    table.write_record(COLUMNS)?;
    for run in &study.runs {
        let measured = |text: String| match run.failure {
            None => text,
            Some(_) => String::new(),
        };
        table.write_record([
            run.integrator.clone(),
            format!("{:?}", run.dt),
            run.steps.to_string(),
            measured(format!("{:?}", run.error)),
            measured(format!("{:?}", run.seconds)),
            measured(run.iterations.to_string()),
            run.counts.to_string(),
            run.failure.clone().unwrap_or_default(),
        ])?;
    }
    Ok(table.flush()?)
}
