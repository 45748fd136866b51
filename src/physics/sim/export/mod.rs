//! A run as a table: one row per state with time, energies, drift, iterations, residual, the figures of contact and
//! all bodies; and its contact forces as another: one row per contact point of every state.
//!
//! The header is a block of lines that start with `#` and hold the settings, then the names of the columns.

mod comparison;
mod convergence;
mod rows;
mod sweep;

pub use comparison::write_comparison;
pub use convergence::write_convergence;
pub use sweep::{SweepRow, write_sweep};

use super::Simulation;
use crate::diagnostics::Sample;
use crate::diagnostics::quantity::{BODY, BODY_TABLE, RUN};
use crate::integrators::{IntegratorInfo, OptionKind, Settings};
use crate::model::{BodyState, ContactStatus, JointLimit, Model, State, Twist};
use rows::Rows;
use serde::Serialize;
use std::fmt::{Arguments, Display, Write as _};
use std::io::Write;

/// Units and frames, as the header states them.
const UNITS: &str = "SI units and radians; position x, y, z of the centre of mass, orientation qw, qx, qy, qz \
                     (world_from_body), velocity vx, vy, vz in world axes, angular velocity wx, wy, wz in body axes; \
                     momentum about the world's origin; min_gap is inf where no contact point is near";

/// Columns of the contact forces.
const CONTACT_COLUMNS: [&str; 22] = [
    "step",
    "time",
    "first",
    "second",
    "shapes",
    "features",
    "status",
    "x",
    "y",
    "z",
    "nx",
    "ny",
    "nz",
    "gap",
    "normal_force",
    "friction_force",
    "fx",
    "fy",
    "fz",
    "slip_x",
    "slip_y",
    "slip_z",
];

/// Units and frames of the contact forces.
const CONTACT_UNITS: &str = "SI units, world axes; a row for every contact point that is near, the same point with the \
                             same shapes and features; point x, y, z; unit normal nx, ny, nz from the second body to the first; gap, \
                             negative for penetration; force fx, fy, fz on the first body, its mean over the step before (an impact: \
                             impulse / dt), and its size along the normal and across it; velocity of slip of the first body against the \
                             second";

/// What the header says about the run beside the columns.
pub struct Origin<'a> {
    /// Name of the scene.
    pub scene: &'a str,
    /// Values of the scene that were changed: path and new value.
    pub changes: &'a [(String, String)],
    /// The method.
    pub integrator: &'static IntegratorInfo,
    /// Settings of the run.
    pub settings: &'a Settings,
    /// The mechanism.
    pub model: &'a Model,
}

/// Every setting of a run and every option of its method, as name and value; the only place that lists them for a
/// reader.
pub fn settings_table(method: &IntegratorInfo, settings: &Settings) -> Vec<(String, String)> {
    let Settings {
        dt,
        tolerance,
        max_iterations,
        linear_solver,
        friction,
        options,
    } = settings;
    let shared = [
        ("dt [s]", format!("{dt:?}")),
        ("tolerance", format!("{tolerance:?}")),
        ("max_iterations", max_iterations.to_string()),
        ("linear_solver", word(linear_solver)),
        ("friction", friction.to_string()),
    ];
    let shared = shared.map(|(name, value)| (name.to_owned(), value));
    let own = options.all(method.options).map(|(spec, value)| {
        let name = match spec.kind {
            OptionKind::Real { unit, .. } if !unit.is_empty() => format!("{} [{unit}]", spec.name),
            _ => spec.name.into(),
        };
        (name, value.to_string())
    });
    shared.into_iter().chain(own).collect()
}

/// The word by which a choice is written in scenes and on the command line.
pub fn word(choice: &impl Serialize) -> String {
    match serde_json::to_value(choice) {
        Ok(serde_json::Value::String(word)) => word,
        other => unreachable!("a choice without fields is written as one word, not {other:?}"),
    }
}

/// Writes fields under a header that says where the run comes from.
struct Fields<W: Write> {
    out: csv::Writer<Rows<W>>,
    /// The field being written, kept for its memory.
    field: String,
}

impl<W: Write> Fields<W> {
    fn new(
        out: W,
        origin: &Origin,
        units: &str,
        columns: impl Iterator<Item = String>,
    ) -> Result<Self, csv::Error> {
        let gravity = origin.model.gravity;
        let mut out = Rows::new(out);
        writeln!(out, "# Driftless {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "# scene: {}", origin.scene)?;
        for (path, value) in origin.changes {
            writeln!(out, "# set: {path}={value}")?;
        }
        writeln!(out, "# integrator: {}", origin.integrator.name)?;
        for (name, value) in settings_table(origin.integrator, origin.settings) {
            writeln!(out, "# {name}: {value}")?;
        }
        writeln!(
            out,
            "# gravity [m/s^2]: {:?} {:?} {:?}",
            gravity.x, gravity.y, gravity.z
        )?;
        writeln!(out, "# {units}")?;
        let mut out = csv::Writer::from_writer(out);
        out.write_record(columns)?;
        Ok(Self {
            out,
            field: String::new(),
        })
    }

    fn shown(&mut self, value: impl Display) -> Result<(), csv::Error> {
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

    fn end_row(&mut self) -> Result<(), csv::Error> {
        self.out.write_record(None::<&[u8]>)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// Writes a row per state to an output.
pub struct Table<W: Write>(Fields<W>);

impl<W: Write> Table<W> {
    /// Starts a table with its header.
    pub fn new(out: W, origin: &Origin) -> Result<Self, csv::Error> {
        let bodies = origin.model.bodies.iter();
        let of_body = &BODY[..BODY_TABLE];
        let columns = RUN
            .iter()
            .map(|c| c.name.to_string())
            .chain(bodies.flat_map(|b| of_body.iter().map(|c| format!("{}.{}", b.name, c.name))))
            .chain(stop_columns(origin.model));
        Fields::new(out, origin, UNITS, columns).map(Self)
    }

    /// Writes the state of a simulation.
    pub fn write(&mut self, sim: &mut Simulation, sample: &Sample) -> Result<(), csv::Error> {
        sim.velocities();
        self.begin_row(sample, &sim.state.bodies, &sim.velocities)?;
        for limit in &sim.state.limits {
            self.0.numbers(&[limit.gap, limit.force])?;
        }
        self.0.end_row()
    }

    /// Writes one row of a model without joint limits and cables; `velocities` are those at the knot, one per body.
    pub fn write_row(
        &mut self,
        sample: &Sample,
        bodies: &[BodyState],
        velocities: &[Twist],
    ) -> Result<(), csv::Error> {
        self.begin_row(sample, bodies, velocities)?;
        self.0.end_row()
    }

    fn begin_row(
        &mut self,
        sample: &Sample,
        bodies: &[BodyState],
        velocities: &[Twist],
    ) -> Result<(), csv::Error> {
        let fields = &mut self.0;
        let momentum = sample.momentum;
        fields.shown(sample.step)?;
        fields.numbers(&[
            sample.time,
            sample.energy.kinetic,
            sample.energy.potential,
            sample.energy.total(),
            sample.energy_error,
            sample.external_work,
            sample.dissipated,
        ])?;
        fields.numbers(momentum.linear.as_slice())?;
        fields.numbers(momentum.angular.as_slice())?;
        fields.numbers(&[sample.drift_position, sample.drift_angle])?;
        fields.shown(sample.iterations)?;
        fields.numbers(&[sample.residual])?;
        fields.numbers(&sample.contact_loss)?;
        fields.shown(sample.closed)?;
        fields.numbers(&[
            sample.penetration,
            sample.min_gap,
            sample.complementarity,
            sample.cone_violation,
            sample.law_violation,
            sample.correction,
        ])?;
        fields.shown(sample.asleep)?;
        for (body, velocity) in bodies.iter().zip(velocities) {
            let q = body.orientation;
            let spin = q.inverse_transform_vector(&velocity.angular);
            fields.numbers(body.position.as_slice())?;
            fields.numbers(&[q.w, q.i, q.j, q.k])?;
            fields.numbers(velocity.linear.as_slice())?;
            fields.numbers(spin.as_slice())?;
        }
        Ok(())
    }

    /// Ends the table and says whether all of it arrived.
    pub fn finish(mut self) -> Result<(), csv::Error> {
        Ok(self.flush()?)
    }

    /// Passes on the rows that are still gathered.
    pub fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// Columns of joint limits and cables, in the order of [`State::limits`](crate::model::State::limits).
fn stop_columns(model: &Model) -> impl Iterator<Item = String> {
    let limits = model.joints.iter().flat_map(|j| {
        let name = |limit: &JointLimit| format!("{}.limit_{}", j.name, limit.coordinate);
        j.limits.iter().map(name)
    });
    let cables = model.cables.iter().map(|c| c.name.clone());
    limits
        .chain(cables)
        .flat_map(|name| ["gap", "force"].map(|column| format!("{name}.{column}")))
}

/// Writes a row per contact point of a state to an output.
pub struct ContactTable<W: Write>(Fields<W>);

impl<W: Write> ContactTable<W> {
    /// Starts a table with its header.
    pub fn new(out: W, origin: &Origin) -> Result<Self, csv::Error> {
        let columns = CONTACT_COLUMNS.iter().map(ToString::to_string);
        Fields::new(out, origin, CONTACT_UNITS, columns).map(Self)
    }

    /// Writes the contact points of a state.
    pub fn write(&mut self, model: &Model, state: &State) -> Result<(), csv::Error> {
        let fields = &mut self.0;
        for contact in &state.contacts {
            fields.shown(state.step)?;
            fields.numbers(&[state.time])?;
            for body in contact.bodies {
                fields.shown(body.map_or("world", |b| &model.bodies[b.0].name))?;
            }
            fields.shown(contact.key.shapes)?;
            fields.shown(contact.key.features)?;
            fields.shown(match contact.status {
                ContactStatus::Open => "open",
                ContactStatus::Sticking => "sticking",
                ContactStatus::Sliding => "sliding",
            })?;
            fields.numbers(contact.point.as_slice())?;
            fields.numbers(contact.normal.as_slice())?;
            fields.numbers(&[
                contact.gap,
                contact.normal_force(),
                contact.friction_force().norm(),
            ])?;
            fields.numbers(contact.force.as_slice())?;
            fields.numbers(contact.slip.as_slice())?;
            fields.end_row()?;
        }
        Ok(())
    }

    /// Ends the table and says whether all of it arrived.
    pub fn finish(mut self) -> Result<(), csv::Error> {
        Ok(self.0.flush()?)
    }
}

#[cfg(test)]
mod tests;
