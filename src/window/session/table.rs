//! Tables of a session: one that every step is written to, and one of what the plots show.

use crate::session::Session;
use physics::diagnostics::Sample;
use physics::integrators::{IntegratorInfo, Settings};
use physics::math::Vec3;
use physics::model::{Model, ModelParts};
use physics::sim::export::{Origin, Table};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// What the plots show of a run.
pub struct Plotted {
    scene: String,
    integrator: &'static IntegratorInfo,
    settings: Settings,
    gravity: Vec3,
    rows: Vec<Sample>,
}

impl Plotted {
    /// Saves it as a table; `done` is told how many rows are written.
    pub fn save(&self, path: &Path, done: impl Fn(u64)) -> io::Result<()> {
        // The plots keep the whole mechanism's figures, not the bodies' states.
        let figures = Model::new(ModelParts {
            gravity: self.gravity,
            ..Default::default()
        })
        .expect("a model without bodies has nothing to be wrong");
        let origin = Origin {
            scene: &self.scene,
            changes: &[],
            integrator: self.integrator,
            settings: &self.settings,
            model: &figures,
        };
        let mut table = Table::new(BufWriter::new(File::create(path)?), &origin)?;
        for (k, row) in self.rows.iter().enumerate() {
            table.write_row(row, &[], &[])?;
            done(k as u64 + 1);
        }
        Ok(table.finish()?)
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }
}

/// A table that every step is written to.
pub(crate) struct TableFile {
    path: PathBuf,
    table: Table<BufWriter<File>>,
}

impl Session {
    /// Writes every new step from now on to a file, beginning with the state reached. Moments that are visited again
    /// are not written again; where time goes another way, its steps follow those of the way that was left.
    pub fn record(&mut self, path: &Path) -> io::Result<()> {
        let file = BufWriter::new(File::create(path)?);
        let mut table = Table::new(file, &self.origin(self.simulation.model()))?;
        table.write(&mut self.simulation, &self.sample)?;
        self.record = Some(TableFile {
            path: path.into(),
            table,
        });
        Ok(())
    }

    /// Ends the table that [`Self::record`] began, if there is one.
    pub fn finish_record(&mut self) -> io::Result<()> {
        self.record.take().map_or(Ok(()), |r| Ok(r.table.finish()?))
    }

    /// Adds the state reached to the table, if there is one. An error ends it.
    pub(crate) fn write_row(&mut self) -> Result<(), String> {
        let (simulation, sample) = (&mut self.simulation, &self.sample);
        let written = self
            .record
            .as_mut()
            .map(|r| r.table.write(simulation, sample));
        self.end_record_on_error(written.map(|w| w.map_err(Into::into)))
    }

    /// Passes on the rows that are gathered, so that the table can be followed while it grows. An error ends it.
    pub fn pass_on_record(&mut self) -> Result<(), String> {
        let written = self.record.as_mut().map(|r| r.table.flush());
        self.end_record_on_error(written)
    }

    fn end_record_on_error(&mut self, written: Option<io::Result<()>>) -> Result<(), String> {
        let (Some(record), Some(Err(error))) = (&self.record, written) else {
            return Ok(());
        };
        let path = record.path.display();
        let said = format!("{path}: {error}; nothing more is written");
        self.record = None;
        Err(said)
    }

    /// What the plots show, to be saved.
    pub fn plotted(&self) -> Plotted {
        Plotted {
            scene: self.scene.name.clone(),
            integrator: self.simulation.integrator(),
            settings: *self.simulation.settings(),
            gravity: self.simulation.model().gravity,
            rows: self.history().rows().to_vec(),
        }
    }

    /// What a table begins with.
    fn origin<'a>(&'a self, model: &'a Model) -> Origin<'a> {
        Origin {
            scene: &self.scene.name,
            changes: &[],
            integrator: self.simulation.integrator(),
            settings: self.simulation.settings(),
            model,
        }
    }
}
