//! A comparison as a table: one row per lane and step.

use crate::integrators::Settings;
use crate::sim::Comparison;
use std::io::Write;

/// Columns of the table.
const COLUMNS: [&str; 8] = [
    "lane",
    "integrator",
    "dt",
    "time",
    "energy_error",
    "drift_position",
    "drift_angle",
    "distance",
];

/// Writes what the plots of a comparison show, lane by lane; lines of the header begin with `#`. SI units. The
/// distance is that from the leader and stands where both were at the same time.
pub fn write_comparison(
    mut out: impl Write,
    scene: &str,
    lanes: &Comparison,
) -> Result<(), csv::Error> {
    writeln!(out, "# Driftless {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "# scene: {scene}")?;
    for (k, lane) in lanes.lanes().iter().enumerate() {
        let Settings {
            dt,
            tolerance,
            friction,
            options,
            ..
        } = lane.spec.settings;
        write!(
            out,
            "# lane {k}: {}, dt {dt:?} s, tolerance {tolerance:?}, friction {friction}",
            lane.spec.integrator
        )?;
        for (name, value) in options.chosen() {
            write!(out, ", {name} {value}")?;
        }
        writeln!(out, ", perturbed by {:?} m", lane.spec.perturbation)?;
        if let Some(failure) = lane.failure() {
            writeln!(
                out,
                "# lane {k} stopped at {:?} s: {}",
                failure.time, failure.error
            )?;
        }
    }
    let mut table = csv::Writer::from_writer(out);
    table.write_record(COLUMNS)?;
    for (k, lane) in lanes.lanes().iter().enumerate() {
        let near = 0.5 * lane.spec.settings.dt;
        let mut distances = lane.distances().iter().peekable();
        for row in lane.history().rows() {
            while distances.peek().is_some_and(|d| d[0] < row.time - near) {
                distances.next();
            }
            let here = distances.peek().filter(|d| d[0] < row.time + near);
            table.write_record([
                k.to_string(),
                lane.spec.integrator.clone(),
                format!("{:?}", lane.spec.settings.dt),
                format!("{:?}", row.time),
                format!("{:?}", row.energy_error),
                format!("{:?}", row.drift_position),
                format!("{:?}", row.drift_angle),
                here.map_or(String::new(), |d| format!("{:?}", d[1])),
            ])?;
        }
    }
    Ok(table.flush()?)
}
