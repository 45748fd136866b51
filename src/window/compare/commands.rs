//! What can be asked of compare mode, and how it is carried out.

use crate::commands::compare::CompareCommand;
use crate::compare::Comparing;
use crate::compare::worker::Order;
use crate::jobs::Jobs;
use crate::scenes::files;
use crate::session::Session;
use crate::state::notices::Notices;
use bevy::prelude::*;
use physics::integrators::REGISTRY;
use physics::sim::comparison::LaneSpec;
use std::path::PathBuf;

impl CompareCommand {
    /// Whether lanes do not go on as they were.
    fn turns(&self) -> bool {
        matches!(
            self,
            Self::Add(_)
                | Self::Change(..)
                | Self::Remove(_)
                | Self::Lead(_)
                | Self::LeadNext
                | Self::Synchronise
                | Self::Perturb
                | Self::End
        )
    }
}

/// Carries a command out.
pub fn run(
    In(command): In<CompareCommand>,
    mut comparing: ResMut<Comparing>,
    mut session: ResMut<Session>,
    mut notices: ResMut<Notices>,
    jobs: Res<Jobs>,
) {
    let done = comparing.carry_out(command, &jobs, &mut session, &mut notices);
    if let Err(error) = done {
        notices.setting = Some(error);
    }
}

impl Comparing {
    fn carry_out(
        &mut self,
        command: CompareCommand,
        jobs: &Jobs,
        session: &mut Session,
        notices: &mut Notices,
    ) -> Result<(), String> {
        let words = |e: &dyn std::error::Error| e.to_string();
        if command.turns() && session.tap.as_ref().is_some_and(|tap| tap.with_lanes) {
            // Lanes of a film run by themselves; that they were led elsewhere they would not know.
            session.tap = None;
            let said = "The recording ends here, since the runs were changed.";
            notices.hint(said);
        }
        match command {
            CompareCommand::Add(spec) => {
                self.add(spec, session).map_err(|e| words(&e))?;
                notices.setting = None;
            }
            CompareCommand::Change(place, spec) if place < self.lanes.len() => {
                let mut lanes = self.lanes.clone();
                lanes[place].spec = spec.clone();
                self.take(lanes).map_err(|e| words(&e))?;
                if place == self.leader {
                    self.turn_session(session, &spec)?;
                }
                notices.setting = None;
            }
            CompareCommand::Remove(place) if place < self.lanes.len() && place != self.leader => {
                let id = self.lanes.remove(place).id;
                self.leader -= usize::from(place < self.leader);
                self.send(Order::Remove(id));
                if self.lanes.len() == 1 {
                    self.stop(session);
                }
            }
            CompareCommand::Lead(place) if place < self.lanes.len() && place != self.leader => {
                self.hands_over = true;
                let id = self.lanes[place].id;
                let state = session.state();
                self.send(Order::Lead {
                    id,
                    time: state.time,
                    step: state.step,
                    input: session.input.clone(),
                });
            }
            CompareCommand::LeadNext | CompareCommand::Synchronise | CompareCommand::End
                if !self.is_on() =>
            {
                let said = "Nothing runs beside the session. + compare adds a method.";
                notices.hint(said);
            }
            CompareCommand::LeadNext => match self.next_leader() {
                Some(place) => {
                    return self.carry_out(CompareCommand::Lead(place), jobs, session, notices);
                }
                None => notices.hint("No other run can be the reference: all have stopped."),
            },
            CompareCommand::Synchronise => self.stale = true,
            CompareCommand::Perturb => self.perturb(self.perturbation, session),
            CompareCommand::Draw(place, drawn) if place < self.lanes.len() => {
                self.lanes[place].drawn = drawn;
            }
            CompareCommand::Offset(place, offset) if place < self.lanes.len() => {
                self.lanes[place].offset = offset;
            }
            CompareCommand::Arrange(arrangement) => self.arrangement = arrangement,
            CompareCommand::Space(spacing) => self.spacing = spacing,
            CompareCommand::Size(size) => self.perturbation = size,
            CompareCommand::Plot(plot, shown) => {
                self.charts.retain(|c| *c != plot);
                if shown {
                    self.charts.push(plot);
                }
            }
            CompareCommand::Plots(shown) => self.plots = shown,
            CompareCommand::Csv(path) => {
                let scene = session.scene().name.clone();
                let name = format!("{scene}-lanes");
                let path = path.unwrap_or_else(|| files::free_name(&name, "csv", &[]));
                self.send(Order::Export { path, scene });
            }
            CompareCommand::End => self.stop(session),
            CompareCommand::Study(shown) => {
                self.study.open = shown;
                if shown {
                    self.study.suit(session);
                }
            }
            CompareCommand::Ladder(ladder) => self.study.ladder = ladder,
            CompareCommand::Converge => self.study.begin(jobs, session),
            CompareCommand::Cancel => self.study.cancel(),
            CompareCommand::StudyCsv(path) => tell(notices, self.study.write_csv(path)),
            CompareCommand::StudySvg(path) => tell(notices, self.study.write_svg(path)),
            // A lane that is not there any more, or leads already.
            CompareCommand::Change(..)
            | CompareCommand::Remove(_)
            | CompareCommand::Lead(_)
            | CompareCommand::Draw(..)
            | CompareCommand::Offset(..) => {}
        }
        Ok(())
    }

    /// Has the session run what a lane runs.
    pub(crate) fn turn_session(
        &self,
        session: &mut Session,
        spec: &LaneSpec,
    ) -> Result<(), String> {
        let name = REGISTRY.iter().find(|i| i.name == spec.integrator);
        let name = name.map_or(session.integrator().name, |i| i.name);
        // Settings hold options of their method, which therefore comes first.
        if session.integrator().name != name {
            session.set_integrator(name).map_err(|e| e.to_string())?;
        }
        if *session.settings() != spec.settings {
            let set = session.set_settings(spec.settings);
            set.map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// Ends comparing; the session goes on as it is.
    pub(crate) fn stop(&mut self, session: &mut Session) {
        session.followed = None;
        self.end();
    }
}

/// Says what became of a file.
pub(crate) fn tell(notices: &mut Notices, written: Result<PathBuf, String>) {
    match written {
        Ok(path) => {
            notices.file = None;
            notices.hint(format!("Saved {}", path.display()));
        }
        Err(error) => notices.file = Some(error),
    }
}
