//! What can be asked of compare mode, and how it is carried out.

use super::worker::Order;
use super::{Arrangement, Comparing, LanePlot};
use crate::app::files;
use crate::app::session::Session;
use crate::app::shell::Shell;
use crate::integrators::REGISTRY;
use crate::math::Vec3;
use crate::sim::comparison::LaneSpec;
use crate::sim::convergence::Ladder;
use std::path::PathBuf;

/// A wish about lanes. Lanes are meant by their places.
#[derive(Debug, Clone, PartialEq)]
pub enum CompareWish {
    /// Runs one more lane. All begin anew.
    Add(LaneSpec),
    /// Runs something else in a lane. All begin anew; in the leader it is the session that changes.
    Change(usize, LaneSpec),
    /// Takes a lane out that does not lead.
    Remove(usize),
    /// Makes a lane the leader: the session goes on from its state, with its method.
    Lead(usize),
    /// Makes the next lane that can the leader.
    LeadNext,
    /// Begins all lanes anew at the state of the leader.
    Synchronise,
    /// Runs the session's method twice, the second time from a state at this distance [m].
    Perturb(f64),
    /// Draws a lane or not.
    Draw(usize, bool),
    /// Draws a lane this far from its place [m].
    Offset(usize, Vec3),
    /// Draws lanes in another way.
    Arrange(Arrangement),
    /// Distance between neighbouring ghosts along the view's right [m].
    Space(f64),
    /// Size of the next perturbation [m].
    Size(f64),
    /// Shows a plot of the lanes, or hides it.
    Plot(LanePlot, bool),
    /// Plots the lanes, or the session alone.
    Plots(bool),
    /// Saves what the plots of the lanes show.
    Csv(Option<PathBuf>),
    /// Ends comparing.
    End,
    /// Shows or hides the convergence view.
    Study(bool),
    /// Other methods, steps or times for the next study.
    Ladder(Ladder),
    /// Begins a convergence study.
    Converge,
    /// Ends it with what is done.
    Cancel,
    /// Saves it as a table.
    StudyCsv(Option<PathBuf>),
    /// Saves it as a figure.
    StudySvg(Option<PathBuf>),
}

impl CompareWish {
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
                | Self::Perturb(_)
                | Self::End
        )
    }
}

impl Comparing {
    /// Carries out what was wished for since the last frame.
    pub(super) fn carry_out(&mut self, session: &mut Session, shell: &mut Shell) {
        for wish in std::mem::take(&mut self.wishes) {
            if let Err(error) = self.grant(wish, session, shell) {
                shell.notices.setting = Some(error);
            }
        }
    }

    fn grant(
        &mut self,
        wish: CompareWish,
        session: &mut Session,
        shell: &mut Shell,
    ) -> Result<(), String> {
        let words = |e: &dyn std::error::Error| e.to_string();
        if wish.turns() && session.tap.as_ref().is_some_and(|tap| tap.with_lanes) {
            // Lanes of a film run by themselves; that they were led elsewhere they would not know.
            session.tap = None;
            let said = "The recording ends here, since the lanes were changed.";
            shell.notices.hint(said);
        }
        match wish {
            CompareWish::Add(spec) => {
                self.add(spec, session).map_err(|e| words(&e))?;
                shell.notices.setting = None;
            }
            CompareWish::Change(place, spec) if place < self.lanes.len() => {
                let mut lanes = self.lanes.clone();
                lanes[place].spec = spec.clone();
                self.take(lanes).map_err(|e| words(&e))?;
                if place == self.leader {
                    self.turn_session(session, &spec)?;
                }
                shell.notices.setting = None;
            }
            CompareWish::Remove(place) if place < self.lanes.len() && place != self.leader => {
                let id = self.lanes.remove(place).id;
                self.leader -= usize::from(place < self.leader);
                self.send(Order::Remove(id));
                if self.lanes.len() == 1 {
                    self.stop(session);
                }
            }
            CompareWish::Lead(place) if place < self.lanes.len() && place != self.leader => {
                self.hands_over = true;
                let id = self.lanes[place].id;
                let state = session.simulation.state();
                self.send(Order::Lead {
                    id,
                    time: state.time,
                    step: state.step,
                    input: session.input.clone(),
                });
            }
            CompareWish::LeadNext | CompareWish::Synchronise | CompareWish::End
                if !self.is_on() =>
            {
                let said = "Nothing runs beside the session. + compare adds a method.";
                shell.notices.hint(said);
            }
            CompareWish::LeadNext => match self.next_leader() {
                Some(place) => return self.grant(CompareWish::Lead(place), session, shell),
                None => shell
                    .notices
                    .hint("No other lane can lead: they stand still."),
            },
            CompareWish::Synchronise => self.stale = true,
            CompareWish::Perturb(size) => self.perturb(size, session),
            CompareWish::Draw(place, drawn) if place < self.lanes.len() => {
                self.lanes[place].drawn = drawn;
            }
            CompareWish::Offset(place, offset) if place < self.lanes.len() => {
                self.lanes[place].offset = offset;
            }
            CompareWish::Arrange(arrangement) => self.arrangement = arrangement,
            CompareWish::Space(spacing) => self.spacing = spacing,
            CompareWish::Size(size) => self.perturbation = size,
            CompareWish::Plot(plot, shown) => {
                self.charts.retain(|c| *c != plot);
                if shown {
                    self.charts.push(plot);
                }
            }
            CompareWish::Plots(shown) => self.plots = shown,
            CompareWish::Csv(path) => {
                let scene = session.scene.name.clone();
                let name = format!("{scene}-lanes");
                let path = path.unwrap_or_else(|| files::free_name(&name, "csv", &[]));
                self.send(Order::Export { path, scene });
            }
            CompareWish::End => self.stop(session),
            CompareWish::Study(shown) => {
                self.study.open = shown;
                if shown {
                    self.study.suit(session);
                }
            }
            CompareWish::Ladder(ladder) => self.study.ladder = ladder,
            CompareWish::Converge => self.study.begin(session),
            CompareWish::Cancel => self.study.cancel(),
            CompareWish::StudyCsv(path) => tell(shell, self.study.write_csv(path)),
            CompareWish::StudySvg(path) => tell(shell, self.study.write_svg(path)),
            // A lane that is not there any more, or leads already.
            CompareWish::Change(..)
            | CompareWish::Remove(_)
            | CompareWish::Lead(_)
            | CompareWish::Draw(..)
            | CompareWish::Offset(..) => {}
        }
        Ok(())
    }

    /// Has the session run what a lane runs.
    pub(super) fn turn_session(
        &self,
        session: &mut Session,
        spec: &LaneSpec,
    ) -> Result<(), String> {
        let name = REGISTRY.iter().find(|i| i.name == spec.integrator);
        let name = name.map_or(session.simulation.integrator().name, |i| i.name);
        // Settings hold options of their method, which therefore comes first.
        if session.simulation.integrator().name != name {
            session.set_integrator(name).map_err(|e| e.to_string())?;
        }
        if *session.simulation.settings() != spec.settings {
            let set = session.set_settings(spec.settings);
            set.map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// Ends comparing; the session goes on as it is.
    pub(super) fn stop(&mut self, session: &mut Session) {
        session.followed = None;
        self.end();
    }
}

/// Says what became of a file.
pub(super) fn tell(shell: &mut Shell, written: Result<PathBuf, String>) {
    match written {
        Ok(path) => {
            shell.notices.file = None;
            shell.notices.hint(format!("Saved {}", path.display()));
        }
        Err(error) => shell.notices.file = Some(error),
    }
}
