//! The tables that a run leaves as files: its states, its contact forces.

use super::output::Failure;
use crate::diagnostics::Sample;
use crate::sim::Simulation;
use crate::sim::export::{ContactTable, Origin, Table};
use std::fmt::Display;
use std::fs::{File, TryLockError};
use std::io::{self, BufWriter};
use std::path::Path;

/// The files asked for, being written.
pub(super) struct Tables<'a> {
    states: Option<(&'a Path, Table<BufWriter<File>>)>,
    contacts: Option<(&'a Path, ContactTable<BufWriter<File>>)>,
}

impl<'a> Tables<'a> {
    /// Starts the table of the states and that of the contact forces, each if it has a file.
    pub(super) fn create(
        [states, contacts]: [Option<&'a Path>; 2],
        origin: &Origin,
    ) -> Result<Self, Failure> {
        Ok(Self {
            states: start(states, |file| Table::new(file, origin))?,
            contacts: start(contacts, |file| ContactTable::new(file, origin))?,
        })
    }

    /// Writes the state of a simulation.
    pub(super) fn write(&mut self, sim: &mut Simulation, sample: &Sample) -> Result<(), Failure> {
        if let Some((path, table)) = &mut self.states {
            written(path, table.write(sim, sample))?;
        }
        if let Some((path, table)) = &mut self.contacts {
            written(path, table.write(sim.model(), sim.state()))?;
        }
        Ok(())
    }

    /// Writes out what is still buffered.
    pub(super) fn finish(self) -> Result<(), Failure> {
        if let Some((path, table)) = self.states {
            written(path, table.finish())?;
        }
        if let Some((path, table)) = self.contacts {
            written(path, table.finish())?;
        }
        Ok(())
    }
}

/// Creates a file that no other run is writing; two runs on one file would leave a mixture of both.
fn alone(path: &Path) -> io::Result<File> {
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(file);
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another run is writing it")),
        // Where files cannot be locked there is no telling.
        Ok(()) | Err(TryLockError::Error(_)) => file.set_len(0).map(|()| file),
    }
}

/// Creates a file, if one is asked for, and begins the table in it.
pub(super) fn start<T, E: Display>(
    path: Option<&Path>,
    begin: impl FnOnce(BufWriter<File>) -> Result<T, E>,
) -> Result<Option<(&Path, T)>, Failure> {
    path.map(|path| {
        let file = written(path, alone(path))?;
        Ok((path, written(path, begin(BufWriter::new(file)))?))
    })
    .transpose()
}

pub(super) fn written<T, E: Display>(path: &Path, result: Result<T, E>) -> Result<T, Failure> {
    result.map_err(|e| Failure::file(path, e))
}
