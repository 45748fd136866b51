//! A sweep as a table: one row per run.

use std::collections::BTreeMap;
use std::io::Write;

/// Figures of a run, in their order.
const FIGURES: [&str; 10] = [
    "dt",
    "time",
    "max_energy_error",
    "max_drift_position",
    "max_drift_angle",
    "max_penetration",
    "energy",
    "external_work",
    "dissipated",
    "iterations",
];

/// One run.
pub struct SweepRow<'a> {
    /// Values by path, as they were asked for.
    pub set: &'a BTreeMap<&'a str, &'a str>,
    /// The method.
    pub integrator: &'a str,
    /// Step size (s) and simulated time (s); largest energy error (J), drift (m, rad) and penetration (m) of all steps; energy,
    /// external work and dissipated energy at the end (J); Newton iterations of a step on average.
    pub figures: [f64; 10],
    /// Steps taken.
    pub steps: u64,
    /// Quantities at the end, by name.
    pub quantities: &'a BTreeMap<&'a str, f64>,
    /// Why it stopped early, if it did.
    pub failure: Option<&'a str>,
}

/// Writes the runs of a sweep of a duration (s); lines of the header begin with `#`. SI units. The columns are paths as
/// they were swept, the figures of the run without those that were swept, quantities by name, and why it stopped early.
pub fn write_sweep<'a>(
    mut out: impl Write,
    scene: &str,
    duration: f64,
    (paths, quantities): (&[&str], &[String]),
    rows: impl Iterator<Item = SweepRow<'a>>,
) -> Result<(), csv::Error> {
    writeln!(out, "# Driftless {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "# scene: {scene}")?;
    writeln!(out, "# duration [s]: {duration:?}")?;
    let mut table = csv::Writer::from_writer(out);
    let names = quantities.iter().map(String::as_str);
    let is_told = |name: &&str| !paths.contains(name);
    let of_run = ["integrator", "steps"].into_iter().chain(FIGURES);
    let columns = paths.iter().copied().chain(of_run.filter(is_told));
    table.write_record(columns.chain(names).chain(["failure"]))?;
    for row in rows {
        for path in paths {
            table.write_field(row.set.get(path).copied().unwrap_or_default())?;
        }
        if is_told(&"integrator") {
            table.write_field(row.integrator)?;
        }
        table.write_field(row.steps.to_string())?;
        for (name, figure) in FIGURES.iter().zip(row.figures) {
            if is_told(name) {
                table.write_field(format!("{figure:?}"))?;
            }
        }
        for name in quantities {
            let value = row.quantities.get(name.as_str()).copied();
            table.write_field(format!("{:?}", value.unwrap_or(f64::NAN)))?;
        }
        table.write_field(row.failure.unwrap_or_default())?;
        table.write_record(None::<&[u8]>)?;
    }
    Ok(table.flush()?)
}
