//! Carries out what was wished for: the only place where keys and panels change anything.

use crate::camera::bounds;
use crate::camera::motion::CameraMode;
use crate::camera::view::{View, scene_orbit};
use crate::commands::editing::EditCommand;
use crate::commands::playback::PlaybackCommand;
use crate::commands::{Command, CommandQueue};
use crate::compare::Comparing;
use crate::papers::Papers;
use crate::playback::Travel;
use crate::pointer::Pointing;
use crate::record::Camcorder;
use crate::scenes::files;
use crate::scenes::opening::{Intent, Opener};
use crate::schedule::AppSet;
use crate::session::Session;
use crate::session::pacing::Pacing;
use crate::settings;
use crate::state::panels::Side;
use crate::state::selection::Selection;
use crate::state::shell::Shell;
use bevy::prelude::*;
use bevy::window::{MonitorSelection, PrimaryWindow, WindowMode};
use physics::integrators;
use physics::scene::{Edit, Take};
use physics::sim::Correction;

/// Carries out wishes.
pub struct ApplyPlugin;

impl Plugin for ApplyPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Opener>().add_systems(
            Update,
            (apply.in_set(AppSet::Apply), warn.after(AppSet::Apply)),
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
    pointing: &'a mut Pointing,
    opener: &'a mut Opener,
}

fn apply(
    mut commands: Commands,
    mut wishes: ResMut<CommandQueue>,
    mut session: ResMut<Session>,
    mut shell: ResMut<Shell>,
    mut view: ResMut<View>,
    mut pacing: ResMut<Pacing>,
    mut pointing: ResMut<Pointing>,
    mut opener: ResMut<Opener>,
    mut camcorder: ResMut<Camcorder>,
    mut travel: ResMut<Travel>,
    mut comparing: ResMut<Comparing>,
    mut papers: ResMut<Papers>,
    mut dialog: ResMut<files::Dialog>,
    mut windows: Query<&mut Window, With<PrimaryWindow>>,
    mut exit: MessageWriter<AppExit>,
) {
    let mut realm = Realm {
        session: &mut session,
        shell: &mut shell,
        view: &mut view,
        pacing: &mut pacing,
        pointing: &mut pointing,
        opener: &mut opener,
    };
    for wish in std::mem::take(&mut wishes.0) {
        match wish {
            Command::OpenDialog => files::ask(&mut dialog),
            Command::Film(wish) => camcorder.wish(wish),
            Command::Time(wish) => travel.wish(wish),
            Command::Open(path) if Take::is_named(&path) => {
                realm.shell.gallery = None;
                travel.wish(PlaybackCommand::OpenTake(path.into()));
            }
            Command::Reload if realm.session.take.is_some() => {
                let path = realm.session.take.clone();
                path.into_iter()
                    .for_each(|path| travel.wish(PlaybackCommand::OpenTake(path)));
            }
            Command::Compare(wish) => comparing.wish(wish),
            Command::Papers(wish) => papers.wish(wish),
            Command::ExportCsv(path) => travel.wish(PlaybackCommand::SaveTable(path)),
            Command::Screenshot(path) => {
                let path =
                    path.unwrap_or_else(|| files::free_name(&realm.session.scene.name, "png", &[]));
                files::photograph(&mut commands, path);
            }
            Command::ToggleFullscreen => {
                for mut window in &mut windows {
                    window.mode = match window.mode {
                        WindowMode::Windowed => {
                            WindowMode::BorderlessFullscreen(MonitorSelection::Current)
                        }
                        _ => WindowMode::Windowed,
                    };
                }
            }
            Command::Quit => {
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
    fn carry_out(&mut self, wish: Command) {
        let shell = &mut *self.shell;
        match wish {
            Command::TogglePlay => self.pacing.play(!self.pacing.playing),
            Command::Step(steps) => {
                self.pacing.play(false);
                self.pacing.due += steps;
            }
            Command::Reset => self.session.reset(),
            Command::ChangeSpeed(rungs) => self.pacing.change(rungs),
            Command::SetSpeed(rung) => self.pacing.set(rung),
            Command::Open(spec) => self.open(&spec),
            Command::Reload if crate::editing::saving::asks_to_reload(self.session, shell) => {}
            Command::Reload => self.open(&files::spec(self.session)),
            Command::Neighbour(places) => self.open_neighbour(places),
            Command::Integrator(name) => {
                // What it does to the energy is seen in the plots, which the gallery covers.
                shell.gallery = None;
                if let Ok(method) = integrators::find(name) {
                    let edit = Edit::method(&self.session.scene.file, method);
                    self.edit(EditCommand::Amend(Box::new(edit)));
                }
            }
            Command::Settings(settings) => {
                let (file, now) = (&self.session.scene.file, self.session.simulation.settings());
                if let Some(edit) = Edit::settings(file, now, &settings) {
                    self.edit(EditCommand::Amend(Box::new(edit)));
                }
            }
            Command::Edit(wish) => self.edit(wish),
            Command::Select(selection) => {
                shell.selection = selection;
                if selection.is_some() && shell.side.is_none() {
                    shell.side = Some(Side::Inspector);
                }
            }
            Command::FrameSelection => self.frame_selection(),
            Command::FrameAll => self.view.frame_all(self.session),
            Command::SceneView => {
                let to = scene_orbit(self.session);
                self.view.motion.fly(self.view.orbit, to);
            }
            Command::ToggleBelow => self.view.toggle_below(self.session),
            Command::Look(axis) => self.view.look(axis),
            Command::KeepView => {
                shell.keep_view(&self.view.orbit);
                let name = shell.views().last().map_or("", |v| v.name.as_str());
                let said = format!("Kept this view as {name}. The View menu goes back to it.");
                shell.notices.hint(said);
            }
            Command::GoToView(place) => {
                if let Some(to) = shell.views().get(place) {
                    self.view.motion.fly(self.view.orbit, to.orbit());
                }
            }
            Command::RenameView(place, name) => shell.rename_view(place, name),
            Command::ForgetView(place) => shell.forget_view(place),
            Command::ToggleTurning => self.view.motion.toggle(CameraMode::Turning),
            Command::ToggleFollowing => match (shell.selection, self.view.motion.mode) {
                (_, mode @ CameraMode::Following(_)) => self.view.motion.toggle(mode),
                (Some(Selection::Body(body)), _) => {
                    self.view.motion.toggle(CameraMode::Following(body));
                }
                _ => shell
                    .notices
                    .hint("Select a body first: the camera goes along with it."),
            },
            Command::ShowSide(side) => {
                shell.gallery = None;
                shell.panels = true;
                shell.side = Some(side);
            }
            Command::ToggleSide(side) => {
                // Behind the gallery it cannot be seen.
                let covered = shell.gallery.take().is_some();
                shell.side = if shell.side == Some(side) && !covered {
                    None
                } else {
                    Some(side)
                }
            }
            Command::ToggleBench(bench) => {
                shell.gallery = None;
                shell.toggle_bench(bench);
            }
            Command::TogglePlots if shell.gallery.take().is_some() => shell.plots = true,
            Command::TogglePlots => shell.plots = !shell.plots,
            Command::TogglePanels if shell.gallery.take().is_some() => {}
            Command::TogglePanels => shell.panels = !shell.panels,
            Command::ToggleHelp => shell.help = !shell.help,
            Command::ToggleInfo => shell.info = !shell.info,
            Command::ToggleLayer(layer) => shell.toggle(layer),
            Command::LayerStyle(layer, style) => {
                if let Some(now) = shell.layers.style_mut(layer) {
                    *now = style;
                }
            }
            Command::BothForces(both) => shell.layers.both = both,
            Command::TrailTime(seconds) => shell.layers.fade = seconds,
            Command::TrailPoints(points) => shell.layers.trails = points,
            Command::ToggleTheme => shell.dark = !shell.dark,
            Command::Scale(steps) => shell.rescale(steps),
            Command::FollowTime => shell.plot_view.follow = !shell.plot_view.follow,
            Command::ToggleGallery => shell.toggle_gallery(),
            Command::ToggleGalleryAtStart => {
                shell.preferences.gallery_at_start = !shell.preferences.gallery_at_start;
            }
            Command::ShowPalette => {
                // A second press begins a new search: closing it would leave what is typed next to the single keys.
                shell.palette = Some(Default::default());
            }
            Command::ToggleSingleKeys => {
                shell.preferences.single_keys = !shell.preferences.single_keys
            }
            Command::TogglePlainPulls => {
                shell.preferences.plain_pulls = !shell.preferences.plain_pulls;
            }
            Command::ResetSettings => {
                settings::reset(shell);
                shell
                    .notices
                    .hint("All settings are as at first. Recent files and kept views stay.");
            }
            Command::CancelOpening => self.opener.cancel(),
            Command::ClearNotices => {
                shell.notices = Default::default();
                shell.editor.refused.clear();
                self.session.failure = None;
            }
            Command::Dismiss => {
                if !shell.close_topmost() {
                    shell.selection = None;
                    shell.notices = Default::default();
                    shell.editor.refused.clear();
                    shell.editor.mode = Default::default();
                    self.session.failure = None;
                }
            }
            // What concerns the window itself was done before.
            Command::OpenDialog
            | Command::Screenshot(_)
            | Command::Film(_)
            | Command::Time(_)
            | Command::Compare(_)
            | Command::Papers(_)
            | Command::ExportCsv(_)
            | Command::ToggleFullscreen
            | Command::Quit => {}
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
            if crate::editing::arrival::arrive(arrival, self.session, self.shell, self.view) {
                self.pointing.pointer.drop_all();
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

    fn edit(&mut self, wish: EditCommand) {
        let Self {
            session,
            shell,
            view,
            pointing,
            opener,
            ..
        } = self;
        crate::editing::carry_out::carry_out(wish, session, shell, view, pointing, opener);
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
                crate::editing::inspector::links::spring_body(model, force)
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
        let mut ball = bounds::body(body, pose);
        // A little of what surrounds it stays in view.
        ball.radius *= 2.0;
        self.view.frame(ball);
    }
}
