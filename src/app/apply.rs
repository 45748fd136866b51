//! Carries out what was wished for: the only place where keys and panels change anything.

use super::actions::{Action, Selection, Side};
use super::camcorder::Camcorder;
use super::compare::Comparing;
use super::editing::{self, EditWish};
use super::extent;
use super::files;
use super::hands::{Hands, Wishes};
use super::opening::{Intent, Opener};
use super::pacing::Pacing;
use super::panels;
use super::preferences;
use super::session::Session;
use super::shell::Shell;
use super::time::{TimeWish, Travel};
use super::view::View;
use super::views::CameraMode;
use crate::integrators;
use crate::scene::{Edit, Take};
use crate::sim::Correction;
use bevy::prelude::*;
use bevy::window::{MonitorSelection, PrimaryWindow, WindowMode};

/// Carries out wishes.
pub struct ApplyPlugin;

impl Plugin for ApplyPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Opener>().add_systems(
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

/// What a change moved beside what was asked for, as a sentence.
fn told(corrected: &Correction) -> String {
    let text = corrected.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// What wishes can change.
struct Realm<'a> {
    session: &'a mut Session,
    shell: &'a mut Shell,
    view: &'a mut View,
    pacing: &'a mut Pacing,
    hands: &'a mut Hands,
    opener: &'a mut Opener,
}

fn apply(
    mut commands: Commands,
    mut wishes: ResMut<Wishes>,
    mut session: ResMut<Session>,
    mut shell: ResMut<Shell>,
    mut view: ResMut<View>,
    mut pacing: ResMut<Pacing>,
    mut hands: ResMut<Hands>,
    mut opener: ResMut<Opener>,
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
        opener: &mut opener,
    };
    for wish in std::mem::take(&mut wishes.0) {
        match wish {
            Action::OpenDialog => files::ask(&mut dialog),
            Action::Film(wish) => camcorder.wish(wish),
            Action::Time(wish) => travel.wish(wish),
            Action::Open(path) if Take::is_named(&path) => {
                realm.shell.gallery = None;
                travel.wish(TimeWish::OpenTake(path.into()));
            }
            Action::Reload if realm.session.take.is_some() => {
                let path = realm.session.take.clone();
                path.into_iter()
                    .for_each(|path| travel.wish(TimeWish::OpenTake(path)));
            }
            Action::Compare(wish) => comparing.wish(wish),
            Action::ExportCsv(path) => travel.wish(TimeWish::SaveTable(path)),
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
    realm.receive();
    // Asked for by reading first, so that what depends on the session sees a change only where there is one.
    if session.corrected.is_some()
        && let Some(corrected) = session.corrected.take()
    {
        shell.notices.warn(told(&corrected));
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
            Action::Reload if editing::asks_to_reload(self.session, shell) => {}
            Action::Reload => self.open(&files::spec(self.session)),
            Action::Neighbour(places) => self.open_neighbour(places),
            Action::Integrator(name) => {
                // What it does to the energy is seen in the plots, which the gallery covers.
                shell.gallery = None;
                if let Ok(method) = integrators::find(name) {
                    let edit = Edit::method(&self.session.scene.file, method);
                    self.edit(EditWish::Amend(Box::new(edit)));
                }
            }
            Action::Settings(settings) => {
                let (file, now) = (&self.session.scene.file, self.session.simulation.settings());
                if let Some(edit) = Edit::settings(file, now, &settings) {
                    self.edit(EditWish::Amend(Box::new(edit)));
                }
            }
            Action::Edit(wish) => self.edit(wish),
            Action::Select(selection) => {
                shell.selection = selection;
                if selection.is_some() && shell.side.is_none() {
                    shell.side = Some(Side::Inspector);
                }
            }
            Action::FrameSelection => self.frame_selection(),
            Action::FrameAll => self.view.frame_all(self.session),
            Action::Look(axis) => self.view.look(axis),
            Action::KeepView => {
                shell.keep_view(&self.view.orbit);
                let name = shell.views().last().map_or("", |v| v.name.as_str());
                let said = format!("Kept this view as {name}. The View menu goes back to it.");
                shell.notices.hint(said);
            }
            Action::GoToView(place) => {
                if let Some(to) = shell.views().get(place) {
                    self.view.motion.fly(self.view.orbit, to.orbit());
                }
            }
            Action::RenameView(place, name) => shell.rename_view(place, name),
            Action::ForgetView(place) => shell.forget_view(place),
            Action::ToggleTurning => self.view.motion.toggle(CameraMode::Turning),
            Action::ToggleFollowing => match (shell.selection, self.view.motion.mode) {
                (_, mode @ CameraMode::Following(_)) => self.view.motion.toggle(mode),
                (Some(Selection::Body(body)), _) => {
                    self.view.motion.toggle(CameraMode::Following(body));
                }
                _ => shell
                    .notices
                    .hint("Select a body first: the camera goes along with it."),
            },
            Action::ShowSide(side) => {
                shell.gallery = None;
                shell.panels = true;
                shell.side = Some(side);
            }
            Action::ToggleSide(side) => {
                // Behind the gallery it cannot be seen.
                let covered = shell.gallery.take().is_some();
                shell.side = if shell.side == Some(side) && !covered {
                    None
                } else {
                    Some(side)
                }
            }
            Action::ToggleBench(bench) => {
                shell.gallery = None;
                shell.toggle_bench(bench);
            }
            Action::TogglePlots if shell.gallery.take().is_some() => shell.plots = true,
            Action::TogglePlots => shell.plots = !shell.plots,
            Action::TogglePanels if shell.gallery.take().is_some() => {}
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
            Action::FollowTime => shell.plot_view.follow = !shell.plot_view.follow,
            Action::ToggleGallery => shell.toggle_gallery(),
            Action::ToggleGalleryAtStart => {
                shell.habits.gallery_at_start = !shell.habits.gallery_at_start;
            }
            Action::ToggleFinder => {
                shell.finder = match shell.finder {
                    None => Some(Default::default()),
                    Some(_) => None,
                }
            }
            Action::ToggleSingleKeys => shell.habits.single_keys = !shell.habits.single_keys,
            Action::ResetSettings => {
                preferences::reset(shell);
                shell
                    .notices
                    .hint("All settings are as at first. Recent files and kept views stay.");
            }
            Action::CancelOpening => self.opener.cancel(),
            Action::ClearNotices => {
                shell.notices = Default::default();
                shell.desk.refused.clear();
                self.session.failure = None;
            }
            Action::Dismiss => {
                if !shell.close_topmost() {
                    shell.selection = None;
                    shell.notices = Default::default();
                    shell.desk.refused.clear();
                    shell.desk.mode = Default::default();
                    self.session.failure = None;
                }
            }
            // What concerns the window itself was done before.
            Action::OpenDialog
            | Action::Screenshot(_)
            | Action::Film(_)
            | Action::Time(_)
            | Action::Compare(_)
            | Action::ExportCsv(_)
            | Action::ToggleFullscreen
            | Action::Quit => {}
        }
    }

    /// Begins to open a scene.
    fn open(&mut self, spec: &str) {
        self.shell.gallery = None;
        self.opener.begin(spec, Intent::Show);
    }

    /// Goes on with the scene that was being opened, as soon as it is ready.
    fn receive(&mut self) {
        if let Some(arrival) = self.opener.take() {
            let chosen = arrival.intent == Intent::Show;
            if editing::arrive(arrival, self.session, self.shell, self.view) {
                self.hands.pointer.drop_all();
                if chosen {
                    self.pacing.play(true);
                    self.pacing.seek(self.session.scene.view.speed);
                }
            }
        }
        let status = self.opener.status();
        if self.shell.opening != status {
            self.shell.opening = status;
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

    fn edit(&mut self, wish: EditWish) {
        let Self {
            session,
            shell,
            view,
            hands,
            opener,
            ..
        } = self;
        editing::carry_out(wish, session, shell, view, hands, opener);
    }

    fn frame_selection(&mut self) {
        let model = self.session.simulation.model();
        let body = match self.shell.selection {
            Some(Selection::Body(body)) => Some(body),
            Some(Selection::Joint(joint)) => model.joints.get(joint.0).map(|j| j.child),
            Some(Selection::Cable(cable)) => model.cables.get(cable).and_then(|c| c.ends[0].body),
            Some(Selection::Contact(key)) => {
                let mut contacts = self.session.simulation.state().contacts.iter();
                let contact = contacts.find(|c| c.key == key);
                contact.and_then(|c| c.bodies.into_iter().flatten().next())
            }
            Some(Selection::Spring(force) | Selection::Wrench(force)) => {
                panels::spring_body(model, force)
            }
            Some(Selection::Coupling(coupling)) => model.couplings.get(coupling).and_then(|c| {
                let joint = c.terms.first()?.joint;
                Some(model.joints.get(joint.0)?.child)
            }),
            None => None,
        };
        let seen = body.and_then(|b| Some((model.bodies.get(b.0)?, self.view.poses.get(b.0)?)));
        let Some((body, pose)) = seen else {
            return self.view.frame_all(self.session);
        };
        let mut ball = extent::body(body, pose);
        // A little of what surrounds it stays in view.
        ball.radius *= 2.0;
        self.view.frame(ball);
    }
}
