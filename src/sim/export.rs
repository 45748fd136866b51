//! A run as a table: one row per state with time, energies, drift, iterations, residual and all bodies.
//!
//! The header is a block of lines that start with `#` and hold the settings, then the names of the columns.

use super::Simulation;
use crate::diagnostics::Sample;
use crate::integrators::Settings;
use crate::model::{BodyState, Model, Twist};
use serde::Serialize;
use std::fmt::{Arguments, Display, Write as _};
use std::io::Write;

/// Columns before those of the bodies.
const COLUMNS: [&str; 18] = [
    "step",
    "time",
    "kinetic_energy",
    "potential_energy",
    "total_energy",
    "energy_error",
    "external_work",
    "dissipated",
    "linear_momentum.x",
    "linear_momentum.y",
    "linear_momentum.z",
    "angular_momentum.x",
    "angular_momentum.y",
    "angular_momentum.z",
    "drift_position",
    "drift_angle",
    "iterations",
    "residual",
];

/// Columns of one body, after its name and a dot.
const BODY_COLUMNS: [&str; 13] = [
    "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx_body", "wy_body", "wz_body",
];

/// Units and frames, as the header states them.
const UNITS: &str = "SI units and radians; position x, y, z of the centre of mass, orientation qw, qx, qy, qz \
                     (world_from_body), velocity vx, vy, vz in world axes, angular velocity wx, wy, wz in body axes; \
                     momentum about the world's origin";

/// What the header says about the run beside the columns.
pub struct Origin<'a> {
    /// Name of the scene.
    pub scene: &'a str,
    /// Values of the scene that were changed: path and new value.
    pub changes: &'a [(String, String)],
    /// Name of the method.
    pub integrator: &'a str,
    /// Settings of the run.
    pub settings: &'a Settings,
    /// The mechanism.
    pub model: &'a Model,
}

/// Every setting of a run, as name and value; the only place that lists them for a reader.
pub fn settings_table(settings: &Settings) -> Vec<(&'static str, String)> {
    let Settings {
        dt,
        tolerance,
        max_iterations,
        linear_solver,
        friction,
        contact_solver,
        baumgarte,
    } = settings;
    vec![
        ("dt [s]", format!("{dt:?}")),
        ("tolerance [N, m]", format!("{tolerance:?}")),
        ("max_iterations", max_iterations.to_string()),
        ("linear_solver", word(linear_solver)),
        ("friction", friction.to_string()),
        ("contact_solver", word(contact_solver)),
        ("baumgarte [1/s]", format!("{baumgarte:?}")),
    ]
}

/// The word by which a choice is written in scenes and on the command line.
pub fn word(choice: &impl Serialize) -> String {
    match serde_json::to_value(choice) {
        Ok(serde_json::Value::String(word)) => word,
        other => unreachable!("a choice without fields is written as one word, not {other:?}"),
    }
}

/// Writes rows to an output.
pub struct Table<W: Write> {
    out: csv::Writer<W>,
    /// The field being written, kept for its memory.
    field: String,
}

impl<W: Write> Table<W> {
    /// Starts a table with its header.
    pub fn new(mut out: W, origin: &Origin) -> Result<Self, csv::Error> {
        let gravity = origin.model.gravity;
        writeln!(out, "# Driftless {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "# scene: {}", origin.scene)?;
        for (path, value) in origin.changes {
            writeln!(out, "# set: {path}={value}")?;
        }
        writeln!(out, "# integrator: {}", origin.integrator)?;
        for (name, value) in settings_table(origin.settings) {
            writeln!(out, "# {name}: {value}")?;
        }
        writeln!(
            out,
            "# gravity [m/s^2]: {:?} {:?} {:?}",
            gravity.x, gravity.y, gravity.z
        )?;
        writeln!(out, "# {UNITS}")?;
        let mut out = csv::Writer::from_writer(out);
        let bodies = origin.model.bodies.iter();
        let columns = bodies.flat_map(|b| BODY_COLUMNS.map(|c| format!("{}.{c}", b.name)));
        out.write_record(COLUMNS.iter().map(ToString::to_string).chain(columns))?;
        Ok(Self {
            out,
            field: String::new(),
        })
    }

    /// Writes the state of a simulation.
    pub fn write(&mut self, sim: &mut Simulation, sample: &Sample) -> Result<(), csv::Error> {
        sim.velocities();
        self.write_row(sample, &sim.state.bodies, &sim.velocities)
    }

    /// Writes one row; `velocities` are those at the knot, one per body.
    pub fn write_row(
        &mut self,
        sample: &Sample,
        bodies: &[BodyState],
        velocities: &[Twist],
    ) -> Result<(), csv::Error> {
        let momentum = sample.momentum;
        self.count(sample.step)?;
        self.numbers(&[
            sample.time,
            sample.energy.kinetic,
            sample.energy.potential,
            sample.energy.total(),
            sample.energy_error,
            sample.external_work,
            sample.dissipated,
        ])?;
        self.numbers(momentum.linear.as_slice())?;
        self.numbers(momentum.angular.as_slice())?;
        self.numbers(&[sample.drift_position, sample.drift_angle])?;
        self.count(sample.iterations)?;
        self.numbers(&[sample.residual])?;
        for (body, velocity) in bodies.iter().zip(velocities) {
            let q = body.orientation;
            let spin = q.inverse_transform_vector(&velocity.angular);
            self.numbers(body.position.as_slice())?;
            self.numbers(&[q.w, q.i, q.j, q.k])?;
            self.numbers(velocity.linear.as_slice())?;
            self.numbers(spin.as_slice())?;
        }
        self.out.write_record(None::<&[u8]>)
    }

    /// Writes out what is still buffered and says whether all of it arrived.
    pub fn finish(mut self) -> Result<(), csv::Error> {
        Ok(self.out.flush()?)
    }

    fn count(&mut self, value: impl Display) -> Result<(), csv::Error> {
        self.put(format_args!("{value}"))
    }

    /// The shortest text that reads back as the same number, with an exponent where that is shorter.
    fn numbers(&mut self, values: &[f64]) -> Result<(), csv::Error> {
        values
            .iter()
            .try_for_each(|v| self.put(format_args!("{v:?}")))
    }

    fn put(&mut self, value: Arguments) -> Result<(), csv::Error> {
        self.field.clear();
        self.field.write_fmt(value).map_err(std::io::Error::other)?;
        self.out.write_field(&self.field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Quat, Vec3};
    use crate::model::{Body, ModelParts, State};

    #[test]
    fn a_row_reads_back_with_the_same_bits_under_its_column() {
        let model = Model::new(ModelParts {
            bodies: vec![Body::new("top, left", 2.0, Mat3::identity())],
            gravity: Vec3::new(0.0, 0.0, -9.81),
            ..ModelParts::default()
        })
        .unwrap();
        let mut state = State::at_rest(&model);
        // A quarter turn about z: the body's x axis is the world's y axis.
        state.bodies[0].orientation =
            Quat::from_scaled_axis(Vec3::z() * std::f64::consts::FRAC_PI_2);
        state.bodies[0].position = Vec3::new(0.1, 1e-300, -7.0);
        let velocity = Twist {
            linear: Vec3::new(1.0 / 3.0, 0.0, 0.0),
            angular: Vec3::new(0.0, 5.0, 0.0),
        };
        let sample = Sample {
            step: 41,
            time: 0.41,
            energy_error: -1.25e-13,
            iterations: 3,
            ..Sample::default()
        };
        let settings = Settings::default();
        let origin = Origin {
            scene: "one body",
            changes: &[("bodies.top.mass".to_owned(), "2".to_owned())],
            integrator: "variational-2",
            settings: &settings,
            model: &model,
        };
        let mut bytes = Vec::new();
        let mut table = Table::new(&mut bytes, &origin).unwrap();
        table
            .write_row(&sample, &state.bodies, &[velocity])
            .unwrap();
        table.finish().unwrap();

        let text = String::from_utf8(bytes.clone()).unwrap();
        for line in [
            "# scene: one body",
            "# set: bodies.top.mass=2",
            "# dt [s]: 0.01",
            "# linear_solver: articulated",
        ] {
            assert!(
                text.lines().any(|l| l == line),
                "no line `{line}` in\n{text}"
            );
        }
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_reader(&bytes[..]);
        let names = reader.headers().unwrap().clone();
        let row = reader.records().next().unwrap().unwrap();
        let read = |name: &str| -> f64 {
            row[names.iter().position(|n| n == name).unwrap()]
                .parse()
                .unwrap()
        };
        assert_eq!(read("step"), 41.0);
        assert_eq!(read("time"), 0.41);
        assert_eq!(read("energy_error"), -1.25e-13);
        assert_eq!(read("iterations"), 3.0);
        assert_eq!(read("top, left.y"), 1e-300);
        assert_eq!(read("top, left.vx"), 1.0 / 3.0);
        assert_eq!(read("top, left.qz"), state.bodies[0].orientation.k);
        // Rounding of the rotation only.
        assert!((read("top, left.wx_body") - 5.0).abs() < 1e-14);
    }
}
