//! Films of the window: begins them, follows them, says what became of them.

mod desktop;
pub mod film;
pub mod overlay_ui;
pub mod record_ui;

use crate::camera::motion::NamedView;
use crate::camera::orbit::Orbit;
use crate::camera::path::CameraMove;
use crate::camera::view::{Axis, View};
use crate::commands::record::RecordCommand;
use crate::commands::{Command, CommandQueue};
use crate::compare::Comparing;
use crate::jobs::{Cancel, Job, Jobs, Panicked};
use crate::record::film::error::FilmError;
use crate::record::film::job::FilmJob;
use crate::record::film::live::{SeenFrom, tap};
use crate::record::film::screen::{ScreenFilm, Screening, sharpen};
use crate::record::film::source::{RunSource, Source};
use crate::record::film::{Film, RenderInputs};
use crate::scenes::files;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::session::events::SceneOpened;
use crate::session::observer::Tap;
use crate::session::playback::Playback;
use crate::state::look::Look;
use crate::state::notices::Notices;
use crate::state::panels::PanelId;
use crate::state::preferences::Preferences;
use crate::state::recording::{FilmSubject, RecordSettings};
use crate::state::trails::SessionTrails;
use crate::ui::panels::AddPanel;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use physics::scene::Take;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use video::{FrameClock, MovieSpec, Saved};

/// How videos are recorded, and those in the making, as they are shown.
#[derive(Resource, Debug, Clone, PartialEq, Default)]
pub struct Recording {
    /// Choices of the panel.
    pub settings: RecordSettings,
    /// Whether what happens is being recorded.
    pub is_on: bool,
    /// Films in the making.
    pub films: Vec<FilmStatus>,
    /// Seconds until a recording begins, while they are counted.
    pub countdown: Option<f32>,
    /// Films and pictures that were saved, newest first.
    pub saved: Vec<PathBuf>,
}

/// How long the countdown is (s).
const COUNTDOWN: f32 = 3.0;
/// Most saved files that are listed.
const LISTED: usize = 5;

impl Recording {
    /// Leads the camera no longer through a view that was forgotten; `views` are those that are left.
    pub fn forget_view(&mut self, views: &[NamedView]) {
        if matches!(self.settings.camera, CameraMove::Through(_)) {
            self.go_through(views);
        }
    }

    /// Leads the camera of films through views that were kept.
    pub fn go_through(&mut self, views: &[NamedView]) {
        let views: Vec<Orbit> = views.iter().map(NamedView::orbit).collect();
        self.settings.camera = if views.is_empty() {
            CameraMove::Scene
        } else {
            CameraMove::Through(views)
        };
    }
}

/// A film in the making, as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct FilmStatus {
    /// Where it will be.
    pub path: PathBuf,
    /// Frames drawn.
    pub done: u64,
    /// Simulated time of the last of them (s).
    pub time: f64,
    /// How many frames it will have, if that is known.
    pub frames: Option<u64>,
    /// Frames of what it was given so far, drawn or not, while the window records it.
    pub taken: Option<u64>,
    /// Whether it was asked to end.
    pub stops: bool,
}

/// All films in the making.
#[derive(Resource)]
pub struct FilmJobs {
    jobs: Vec<FilmJob>,
    seen_from: SeenFrom,
    /// Films of the window whose last frames are being encoded.
    endings: Vec<(FilmStatus, Job<Option<Result<Saved, FilmError>>>)>,
}

impl FromWorld for FilmJobs {
    fn from_world(world: &mut World) -> Self {
        Self {
            jobs: Vec::new(),
            seen_from: Arc::new(Mutex::new(world.resource::<View>().orbit)),
            endings: Vec::new(),
        }
    }
}

/// Makes films.
pub struct RecordPlugin;

impl Plugin for RecordPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<FilmJobs>()
            .init_resource::<Recording>()
            .init_resource::<Screening>()
            .add_observer(on_scene_opened)
            .add_systems(Update, (follow, sharpen).chain().in_set(AppSet::Film));
    }
}

/// Views and bodies are those of one scene.
fn on_scene_opened(_: On<SceneOpened>, mut recording: ResMut<Recording>) {
    recording.settings.changes.clear();
    let camera = &mut recording.settings.camera;
    if matches!(camera, CameraMove::Through(_) | CameraMove::Follow(_)) {
        *camera = CameraMove::Scene;
    }
}

/// Carries a command out.
pub fn run(
    In(command): In<RecordCommand>,
    mut films: ResMut<FilmJobs>,
    mut screening: ResMut<Screening>,
    mut session: ResMut<Session>,
    mut recording: ResMut<Recording>,
    mut notices: ResMut<Notices>,
    mut comparing: ResMut<Comparing>,
    mut preferences: ResMut<Preferences>,
    (look, trails): (Res<Look>, Res<SessionTrails>),
    view: Res<View>,
    playback: Res<Playback>,
    window: Query<&Window, With<PrimaryWindow>>,
    jobs: Res<Jobs>,
) {
    if command == RecordCommand::Live && recording.countdown.take().is_some() {
        return;
    }
    let inputs = FilmInputs {
        session: &session,
        look: &look,
        trails: &trails,
        recording: &recording,
        playback: &playback,
        jobs: &jobs,
    };
    let done = match command {
        RecordCommand::Live if session.tap.is_some() => {
            session.tap = None;
            Ok(())
        }
        RecordCommand::Live if screening.0.is_some() => {
            films.end(&jobs, &mut screening);
            Ok(())
        }
        RecordCommand::Live if recording.settings.countdown => {
            recording.countdown = Some(COUNTDOWN);
            Ok(())
        }
        RecordCommand::Play(file) => return said(desktop::play(&jobs, &file), &mut notices),
        RecordCommand::Reveal(file) => return said(desktop::reveal(&jobs, &file), &mut notices),
        RecordCommand::Live | RecordCommand::Begin
            if recording.settings.subject == FilmSubject::Window =>
        {
            let window = window.iter().next().map(Window::physical_size);
            inputs.screen(window).map(|film| screening.0 = Some(film))
        }
        RecordCommand::Live | RecordCommand::Begin => {
            let lanes = comparing.forked();
            films
                .live(&inputs, lanes)
                .map(|tap| session.tap = Some(tap))
        }
        RecordCommand::FromStart => films.begin_at_start(&inputs, comparing.chosen()),
        RecordCommand::Past => films.past(&inputs, comparing.chosen()),
        RecordCommand::Still => films.still(&inputs, comparing.still(), &view),
        RecordCommand::Stop(place) => {
            films.stop(&jobs, place, &mut screening);
            Ok(())
        }
        RecordCommand::Settings(settings) => {
            recording.settings = settings;
            Ok(())
        }
        RecordCommand::KeepView => {
            preferences.keep_view(&session.scene().name, &view.orbit);
            recording.go_through(preferences.views(&session.scene().name));
            Ok(())
        }
        RecordCommand::ThroughViews => {
            recording.go_through(preferences.views(&session.scene().name));
            Ok(())
        }
    };
    if let Err(error) = done {
        notices.file = Some(error.to_string());
    }
}

/// Says why the desktop did not do something.
fn said(done: Result<(), String>, notices: &mut Notices) {
    if let Err(error) = done {
        notices.file = Some(error);
    }
}

/// What a film is made of.
struct FilmInputs<'a> {
    session: &'a Session,
    look: &'a Look,
    trails: &'a SessionTrails,
    recording: &'a Recording,
    playback: &'a Playback,
    jobs: &'a Jobs,
}

impl FilmInputs<'_> {
    /// A film of the window as large as it is.
    fn screen(&self, window: Option<UVec2>) -> Result<ScreenFilm, FilmError> {
        let settings = &self.recording.settings;
        let missing = || FilmError::Driver("there is no window to record".into());
        let size = window.ok_or_else(missing)?.to_array().map(|edge| edge & !1);
        let movie = MovieSpec::new(&self.path(settings.ending), size, settings.fps)?;
        let clock = FrameClock {
            start: self.session.sample().time,
            speed: settings.speed.unwrap_or(self.playback.target()),
            changes: settings.changes.clone(),
            fps: movie.fps,
        };
        ScreenFilm::start(&movie, clock, self.session)
    }

    /// A free name for a film or a picture of the scene.
    fn path(&self, ending: &str) -> PathBuf {
        let films = self.recording.films.iter();
        let taken: Vec<PathBuf> = films.map(|film| film.path.clone()).collect();
        files::free_name_in(&folder(), &self.session.scene().name, ending, &taken)
    }

    /// A film with the choices of the panel.
    fn film(&self) -> Result<Film, FilmError> {
        let settings = &self.recording.settings;
        let file = self.path(settings.ending);
        Ok(Film::of(settings, &file, self.playback.target())?)
    }
}

/// Where films and pictures are saved: the person's folder of videos, or else the one that the program was started in.
pub fn folder() -> PathBuf {
    let dirs = directories::UserDirs::new();
    let videos = dirs.as_ref().and_then(|dirs| dirs.video_dir());
    videos
        .filter(|v| v.is_dir())
        .map(Path::to_path_buf)
        .unwrap_or_default()
}

/// The folder as it is shown.
pub fn folder_shown() -> String {
    let folder = folder();
    let folder = match folder.as_os_str().is_empty() {
        true => std::env::current_dir().unwrap_or_default(),
        false => folder,
    };
    folder.display().to_string()
}

impl FilmJobs {
    /// Begins a film of what is opened on its own thread, drawn as the window draws.
    fn begin<S: Source + 'static>(
        &mut self,
        film: Film,
        inputs: &FilmInputs,
        lanes: Comparing,
        open: impl FnOnce() -> Result<(Session, S), FilmError> + Send + 'static,
    ) {
        let (look, trails) = (inputs.look.clone(), inputs.trails.copied());
        let begin = move || {
            let (session, source) = open()?;
            let inputs = RenderInputs {
                session,
                look,
                trails,
                lanes,
            };
            Ok((inputs, source))
        };
        self.jobs.push(FilmJob::start(inputs.jobs, film, begin));
    }

    /// Begins a film that the session feeds, by what it gives back.
    fn live(&mut self, inputs: &FilmInputs, lanes: Comparing) -> Result<Tap, FilmError> {
        let mut film = inputs.film()?;
        film.start = inputs.session.sample().time;
        let (mut tap, live) = tap(&self.seen_from);
        tap.with_lanes = lanes.is_on();
        let snapshot = inputs.session.session_snapshot();
        self.begin(film, inputs, lanes, move || Ok((snapshot.session()?, live)));
        Ok(tap)
    }

    /// Begins a film of the scene from its start.
    fn begin_at_start(&mut self, inputs: &FilmInputs, lanes: Comparing) -> Result<(), FilmError> {
        let mut film = inputs.film()?;
        film.duration = Some(inputs.recording.settings.duration);
        film.start = inputs.session.scene().state.time;
        let fork = inputs.session.forked_scene();
        self.begin(film, inputs, lanes, move || {
            Ok((Session::fleeting(fork)?, RunSource))
        });
        Ok(())
    }

    /// Begins a film of the run so far, which is run again as it was recorded.
    fn past(&mut self, inputs: &FilmInputs, lanes: Comparing) -> Result<(), FilmError> {
        let Some(timeline) = inputs.session.timeline() else {
            return Ok(());
        };
        let take = Take::of(inputs.session.scene(), timeline);
        let mut film = inputs.film()?;
        let [from, to] = inputs.session.span();
        (film.start, film.duration) = (from, Some(to - from));
        self.begin(film, inputs, lanes, move || {
            let session = Session::at(take.scene.clone(), &take.start)?;
            Ok((session, take.replay()?))
        });
        Ok(())
    }

    /// Draws one picture of what is shown.
    fn still(
        &mut self,
        inputs: &FilmInputs,
        lanes: Comparing,
        view: &View,
    ) -> Result<(), FilmError> {
        let settings = RecordSettings {
            ending: "png",
            ..inputs.recording.settings.clone()
        };
        let film = Film {
            start: inputs.session.sample().time,
            camera: CameraMove::Through(vec![view.orbit]),
            ..Film::of(&settings, &inputs.path("png"), 1.0)?
        };
        let snapshot = inputs.session.session_snapshot();
        self.begin(film, inputs, lanes, move || {
            Ok((snapshot.session()?, RunSource))
        });
        Ok(())
    }

    /// Ends a film: those of the list come first, then that of the window.
    fn stop(&mut self, jobs: &Jobs, place: usize, screening: &mut Screening) {
        match self.jobs.get(place) {
            Some(job) => job.stop(),
            None => self.end(jobs, screening),
        }
    }

    /// Ends the film of the window. Its last frames are encoded in the background, so that nothing waits for them.
    fn end(&mut self, jobs: &Jobs, screening: &mut Screening) {
        if let Some(film) = screening.0.take() {
            let status = FilmStatus {
                stops: true,
                ..film.status()
            };
            let what = format!("Saving {}", film.path().display());
            let finish = jobs.start(what, Cancel::Never, move |_| film.finish());
            self.endings.push((status, finish));
        }
    }
}

/// Keeps what is fed in step with the view, and tells how far the films have got.
fn follow(
    mut films: ResMut<FilmJobs>,
    mut screening: ResMut<Screening>,
    mut recording: ResMut<Recording>,
    mut notices: ResMut<Notices>,
    mut playback: ResMut<Playback>,
    mut queue: ResMut<CommandQueue>,
    time: Res<Time<Real>>,
    session: Res<Session>,
    view: Res<View>,
    jobs: Res<Jobs>,
) {
    if let Some(left) = &mut recording.countdown {
        *left -= time.delta_secs();
        if *left <= 0.0 {
            recording.countdown = None;
            queue.0.push(Command::Film(RecordCommand::Begin));
        }
    }
    *films
        .seen_from
        .lock()
        .unwrap_or_else(PoisonError::into_inner) = view.orbit;
    if screening.0.as_ref().is_some_and(ScreenFilm::is_over) {
        films.end(&jobs, &mut screening);
    }
    playback.filmed = screening.0.is_some();
    let FilmJobs { jobs, endings, .. } = &mut *films;
    let mut ended = Vec::new();
    jobs.retain_mut(|job| match job.take() {
        Some(outcome) => {
            ended.push(outcome);
            false
        }
        None => true,
    });
    endings.retain_mut(|(_, ending)| {
        let outcome = ending.take();
        let waits = outcome.is_none();
        let panicked = |p: Panicked| Some(Err(FilmError::of_panic(p.said.as_deref())));
        ended.extend(outcome.and_then(|o| o.unwrap_or_else(panicked)));
        waits
    });
    for outcome in ended {
        tell(&mut notices, &mut recording.saved, outcome);
    }
    let on_screen = screening.0.as_ref().map(ScreenFilm::status);
    let ending = endings.iter().map(|(status, _)| status.clone());
    let films: Vec<FilmStatus> = jobs
        .iter()
        .map(|job| job.status(session.sample().time))
        .chain(on_screen)
        .chain(ending)
        .collect();
    recording.films = films;
    recording.is_on = session.tap.is_some() || screening.0.is_some();
}

/// Says what became of a film.
fn tell(notices: &mut Notices, saved_files: &mut Vec<PathBuf>, outcome: Result<Saved, FilmError>) {
    let frames = |saved: &Saved| match saved.frames {
        1 => String::new(),
        many => format!(", {many} frames"),
    };
    match outcome {
        Ok(saved) => {
            let path: PathBuf = saved.path.clone();
            let mut said = format!("Saved {}{}", path.display(), frames(&saved));
            if let Some(why) = &saved.cut_short {
                said += &format!("; {why}");
            }
            notices.file = None;
            notices.hint(said);
            saved_files.insert(0, path);
            saved_files.truncate(LISTED);
        }
        Err(error) => notices.file = Some(error.to_string()),
    }
}

/// The axes along which a camera can look, by their names.
pub const CAMERAS: [(&str, CameraMove); 7] = [
    ("Scene's own", CameraMove::Scene),
    ("Framed", CameraMove::Framed),
    ("Three-quarter", CameraMove::Corner),
    ("Front", CameraMove::Along(Axis::Front)),
    ("Side", CameraMove::Along(Axis::Side)),
    ("Top", CameraMove::Along(Axis::Top)),
    ("Once round", CameraMove::Around(1.0)),
];

/// What the panel of this room draws.
pub fn add_panels(world: &mut World) {
    world.add_panel(PanelId::Record, record_ui::panel);
}
