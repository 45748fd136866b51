//! Carries out what was wished for: the only place where keys and panels change anything.

use super::actions::{Action, Selection, Side};
use super::camcorder::Camcorder;
use super::compare::Comparing;
use super::extent;
use super::files;
use super::hands::{Hands, Wishes};
use super::pacing::Pacing;
use super::session::Session;
use super::shell::Shell;
use super::time::{TimeWish, Travel};
use super::view::View;
use crate::scene::Take;
use bevy::prelude::*;
use bevy::window::{MonitorSelection, PrimaryWindow, WindowMode};
use std::path::PathBuf;

/// Carries out wishes.
pub struct ApplyPlugin;

impl Plugin for ApplyPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<files::Shots>().add_systems(
            Update,
            (
                apply.in_set(super::AppSet::Apply),
                warn.after(super::AppSet::Apply),
            ),
        );
    }
}

/// What the window is called.
pub fn title(session: &Session) -> String {
    format!("{} - Driftless", session.scene.name)
}

/// Says so when a step had to be relaxed.
fn warn(session: Res<Session>, mut shell: ResMut<Shell>, mut known: Local<u64>) {
    let relaxed = session.simulation.outcomes().relaxed;
    if relaxed > *known && !session.is_past() {
        shell.notices.warn(format!(
            "The contacts of {relaxed} of {} steps were not solved exactly: sliding ones were lifted a little. \
             A smaller dt helps.",
            session.sample.step
        ));
    }
    *known = relaxed;
}

/// What wishes can change.
struct Realm<'a> {
    session: &'a mut Session,
    shell: &'a mut Shell,
    view: &'a mut View,
    pacing: &'a mut Pacing,
    hands: &'a mut Hands,
}

fn apply(
    mut commands: Commands,
    mut wishes: ResMut<Wishes>,
    mut session: ResMut<Session>,
    mut shell: ResMut<Shell>,
    mut view: ResMut<View>,
    mut pacing: ResMut<Pacing>,
    mut hands: ResMut<Hands>,
    mut camcorder: ResMut<Camcorder>,
    mut travel: ResMut<Travel>,
    mut comparing: ResMut<Comparing>,
    mut dialog: ResMut<files::Dialog>,
    mut windows: Query<&mut Window, With<PrimaryWindow>>,
    mut exit: MessageWriter<AppExit>,
) {
    let mut realm = Realm {
        session: &mut session,
        shell: &mut shell,
        view: &mut view,
        pacing: &mut pacing,
        hands: &mut hands,
    };
    for wish in std::mem::take(&mut wishes.0) {
        match wish {
            Action::OpenDialog => files::ask(&mut dialog),
            Action::Film(wish) => camcorder.wish(wish),
            Action::Time(wish) => travel.wish(wish),
            Action::Open(path) if Take::is_named(&path) => {
                travel.wish(TimeWish::OpenTake(path.into()));
            }
            Action::Reload if realm.session.take.is_some() => {
                let path = realm.session.take.clone();
                path.into_iter()
                    .for_each(|path| travel.wish(TimeWish::OpenTake(path)));
            }
            Action::Compare(wish) => comparing.wish(wish),
            Action::Screenshot(path) => {
                let path =
                    path.unwrap_or_else(|| files::free_name(&realm.session.scene.name, "png", &[]));
                files::photograph(&mut commands, path);
            }
            Action::ToggleFullscreen => {
                for mut window in &mut windows {
                    window.mode = match window.mode {
                        WindowMode::Windowed => {
                            WindowMode::BorderlessFullscreen(MonitorSelection::Current)
                        }
                        _ => WindowMode::Windowed,
                    };
                }
            }
            Action::Quit => {
                exit.write(AppExit::Success);
            }
            other => realm.carry_out(other),
        }
    }
    let title = title(&session);
    for mut window in &mut windows {
        if window.title != title {
            window.title.clone_from(&title);
        }
    }
}

impl Realm<'_> {
    fn carry_out(&mut self, wish: Action) {
        let shell = &mut *self.shell;
        match wish {
            Action::TogglePlay => self.pacing.play(!self.pacing.playing),
            Action::Step(steps) => {
                self.pacing.play(false);
                self.pacing.due += steps;
            }
            Action::Reset => self.session.reset(),
            Action::ChangeSpeed(rungs) => self.pacing.change(rungs),
            Action::SetSpeed(rung) => self.pacing.set(rung),
            Action::Open(spec) => self.open(&spec),
            Action::Reload => self.open(&files::spec(self.session)),
            Action::Neighbour(places) => self.open_neighbour(places),
            Action::Integrator(name) => self.report(|s| s.set_integrator(name)),
            Action::Settings(settings) => self.report(|s| s.set_settings(settings)),
            Action::Model(model) => self.report(|s| s.set_model(*model)),
            Action::Select(selection) => {
                shell.selection = selection;
                if selection.is_some() && shell.side.is_none() {
                    shell.side = Some(Side::Inspector);
                }
            }
            Action::FrameSelection => self.frame_selection(),
            Action::FrameAll => self.view.frame_all(self.session),
            Action::Look(axis) => self.view.look(axis),
            Action::ToggleSide(side) => {
                shell.side = if shell.side == Some(side) {
                    None
                } else {
                    Some(side)
                }
            }
            Action::ToggleBench(bench) => shell.toggle_bench(bench),
            Action::TogglePlots => shell.plots = !shell.plots,
            Action::TogglePanels => shell.panels = !shell.panels,
            Action::ToggleHelp => shell.help = !shell.help,
            Action::ToggleInfo => shell.info = !shell.info,
            Action::ToggleLayer(layer) => shell.toggle(layer),
            Action::LayerStyle(layer, style) => {
                if let Some(now) = shell.layers.style_mut(layer) {
                    *now = style;
                }
            }
            Action::BothForces(both) => shell.layers.both = both,
            Action::TrailTime(seconds) => shell.layers.fade = seconds,
            Action::TrailPoints(points) => shell.layers.trails = points,
            Action::ToggleTheme => shell.dark = !shell.dark,
            Action::Scale(steps) => shell.rescale(steps),
            Action::ExportCsv(path) => self.export(path),
            Action::FollowTime => shell.plot_view.follow = !shell.plot_view.follow,
            Action::Dismiss => {
                shell.selection = None;
                shell.help = false;
                shell.notices = Default::default();
                self.session.failure = None;
            }
            // What concerns the window itself was done before.
            Action::OpenDialog
            | Action::Screenshot(_)
            | Action::Film(_)
            | Action::Time(_)
            | Action::Compare(_)
            | Action::ToggleFullscreen
            | Action::Quit => {}
        }
    }

    fn open(&mut self, spec: &str) {
        if files::open(spec, self.session, self.shell, self.view) {
            self.hands.pointer.drop_all();
            self.pacing.play(true);
            self.pacing.seek(self.session.scene.view.speed);
        }
    }

    /// The scene that is so many places further in the list.
    fn open_neighbour(&mut self, places: i32) {
        let named: Vec<&str> = self
            .shell
            .catalogue
            .iter()
            .filter(|e| !e.generated)
            .map(|e| e.spec.as_str())
            .collect();
        if named.is_empty() {
            return;
        }
        let here = named.iter().position(|n| *n == self.session.scene.name);
        let count = named.len() as i32;
        let next = here.map_or(0, |k| (k as i32 + places).rem_euclid(count));
        let spec = named[next as usize].to_owned();
        self.open(&spec);
    }

    /// Changes the simulation, and says so if that is refused.
    fn report<E: std::fmt::Display>(&mut self, change: impl FnOnce(&mut Session) -> Result<(), E>) {
        self.shell.notices.setting = change(self.session).err().map(|e| e.to_string());
    }

    fn frame_selection(&mut self) {
        let model = self.session.simulation.model();
        let body = match self.shell.selection {
            Some(Selection::Body(body)) => body,
            Some(Selection::Joint(joint)) => model.joints[joint.0].child,
            Some(Selection::Cable(cable)) => match model.cables[cable].ends[0].body {
                Some(body) => body,
                None => return self.view.frame_all(self.session),
            },
            None => return self.view.frame_all(self.session),
        };
        let mut ball = extent::body(&model.bodies[body.0], &self.view.poses[body.0]);
        // A little of what surrounds it stays in view.
        ball.radius *= 2.0;
        self.view.frame(ball);
    }

    fn export(&mut self, path: Option<PathBuf>) {
        let path = path.unwrap_or_else(|| files::free_name(&self.session.scene.name, "csv", &[]));
        match self.session.export(&path) {
            Ok(()) => {
                self.shell.notices.file = None;
                self.shell.notices.hint(format!("Saved {}", path.display()));
            }
            Err(error) => self.shell.notices.file = Some(format!("{}: {error}", path.display())),
        }
    }
}
