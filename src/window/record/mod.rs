//! Films of the window: begins them, follows them, says what became of them.

pub mod film;
pub mod overlay_ui;
pub mod record_ui;

use crate::camera::path::CameraMove;
use crate::camera::view::{Axis, View};
use crate::commands::record::RecordCommand;
use crate::compare::Comparing;
use crate::record::film::error::FilmError;
use crate::record::film::job::Job;
use crate::record::film::live::tap;
use crate::record::film::screen::{ScreenFilm, Screening};
use crate::record::film::source::Run;
use crate::record::film::{Cast, Film};
use crate::scenes::files;
use crate::schedule::AppSet;
use crate::session::Session;
use crate::session::pacing::Pacing;
use crate::state::recording::{RecordSettings, Subject};
use crate::state::shell::{FilmStatus, Shell};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use physics::scene::Take;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use video::{MovieSpec, Saved};

/// All films in the making.
#[derive(Resource, Default)]
pub struct Camcorder {
    jobs: Vec<Job>,
    wishes: Vec<RecordCommand>,
    /// Films of the window whose last frames are being encoded.
    endings: Vec<(FilmStatus, JoinHandle<Option<Result<Saved, FilmError>>>)>,
}

impl Camcorder {
    /// Takes a wish, to be carried out in this frame.
    pub fn wish(&mut self, wish: RecordCommand) {
        self.wishes.push(wish);
    }
}

/// Makes films.
pub struct RecordPlugin;

impl Plugin for RecordPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Camcorder>()
            .init_resource::<Screening>()
            .add_systems(Update, (carry_out, follow).chain().after(AppSet::Apply));
    }
}

fn carry_out(
    mut camcorder: ResMut<Camcorder>,
    mut screening: ResMut<Screening>,
    mut session: ResMut<Session>,
    mut shell: ResMut<Shell>,
    mut comparing: ResMut<Comparing>,
    view: Res<View>,
    pacing: Res<Pacing>,
    window: Query<&Window, With<PrimaryWindow>>,
) {
    for wish in std::mem::take(&mut camcorder.wishes) {
        let done = match wish {
            RecordCommand::Live => {
                if session.tap.take().is_some() {
                    Ok(())
                } else if screening.0.is_some() {
                    camcorder.end(&mut screening);
                    Ok(())
                } else if shell.recording.subject == Subject::Window {
                    let window = window.iter().next().map(Window::physical_size);
                    let file = path(&session, &shell);
                    let film = screen(&file, window, &session, &shell, &pacing);
                    film.map(|film| screening.0 = Some(film))
                } else {
                    camcorder.live(&mut session, &shell, &mut comparing, &view, &pacing)
                }
            }
            RecordCommand::FromStart => camcorder.film_start(&session, &shell, &comparing, &pacing),
            RecordCommand::Past => camcorder.past(&session, &shell, &comparing, &pacing),
            RecordCommand::Still => camcorder.still(&session, &shell, &comparing, &view),
            RecordCommand::Stop(place) => {
                camcorder.stop(place, &mut screening);
                Ok(())
            }
            RecordCommand::Settings(settings) => {
                shell.recording = settings;
                Ok(())
            }
            RecordCommand::KeepView => {
                shell.keep_view(&view.orbit);
                Ok(())
            }
            RecordCommand::ThroughViews => {
                shell.film_through_views();
                Ok(())
            }
        };
        if let Err(error) = done {
            shell.notices.file = Some(error.to_string());
        }
    }
}

/// A film of the window as large as it is.
fn screen(
    path: &Path,
    window: Option<UVec2>,
    session: &Session,
    shell: &Shell,
    pacing: &Pacing,
) -> Result<ScreenFilm, FilmError> {
    let settings = &shell.recording;
    let missing = || FilmError::Driver("there is no window to record".into());
    let size = window.ok_or_else(missing)?.to_array().map(|edge| edge & !1);
    let movie = MovieSpec::new(path, size, settings.fps)?;
    ScreenFilm::start(&movie, settings.speed.unwrap_or(pacing.target()), session)
}

/// A free name for a film of the scene.
fn path(session: &Session, shell: &Shell) -> PathBuf {
    let name = &session.scene.name;
    files::free_name_in(&folder(), name, shell.recording.ending, &taken(shell))
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

/// Names that films in the making will have.
fn taken(shell: &Shell) -> Vec<PathBuf> {
    shell.films.iter().map(|film| film.path.clone()).collect()
}

impl Camcorder {
    /// Begins a film that the session feeds.
    fn live(
        &mut self,
        session: &mut Session,
        shell: &Shell,
        comparing: &mut Comparing,
        view: &View,
        pacing: &Pacing,
    ) -> Result<(), FilmError> {
        let file = path(session, shell);
        let mut film = Film::of(&shell.recording, &file, pacing.target())?;
        film.start = session.sample.time;
        let (mut tap, live) = tap(view.orbit);
        tap.with_lanes = comparing.is_on();
        let (mirror, shell, lanes) = (session.mirror(), shell.clone(), comparing.forked());
        let begin = move || {
            Ok((
                Cast {
                    session: mirror.session()?,
                    shell,
                    lanes,
                },
                live,
            ))
        };
        self.jobs.push(Job::start(film, begin));
        session.tap = Some(tap);
        Ok(())
    }

    /// Begins a film of the scene from its start.
    fn film_start(
        &mut self,
        session: &Session,
        shell: &Shell,
        comparing: &Comparing,
        pacing: &Pacing,
    ) -> Result<(), FilmError> {
        let file = path(session, shell);
        let mut film = Film::of(&shell.recording, &file, pacing.target())?;
        film.duration = Some(shell.recording.duration);
        film.start = session.scene.state.time;
        let (twin, shell, lanes) = (session.twin_scene(), shell.clone(), comparing.chosen());
        let begin = move || {
            Ok((
                Cast {
                    session: Session::fleeting(twin)?,
                    shell,
                    lanes,
                },
                Run,
            ))
        };
        self.jobs.push(Job::start(film, begin));
        Ok(())
    }

    /// Begins a film of the run so far, which is run again as it was recorded.
    fn past(
        &mut self,
        session: &Session,
        shell: &Shell,
        comparing: &Comparing,
        pacing: &Pacing,
    ) -> Result<(), FilmError> {
        let Some(timeline) = session.timeline() else {
            return Ok(());
        };
        let take = Take::of(&session.scene, timeline);
        let file = path(session, shell);
        let mut film = Film::of(&shell.recording, &file, pacing.target())?;
        let [from, to] = session.span();
        (film.start, film.duration) = (from, Some(to - from));
        let (shell, lanes) = (shell.clone(), comparing.chosen());
        let begin = move || {
            let session = Session::at(take.scene.clone(), &take.start)?;
            Ok((
                Cast {
                    session,
                    shell,
                    lanes,
                },
                take.replay()?,
            ))
        };
        self.jobs.push(Job::start(film, begin));
        Ok(())
    }

    /// Draws one picture of what is shown.
    fn still(
        &mut self,
        session: &Session,
        shell: &Shell,
        comparing: &Comparing,
        view: &View,
    ) -> Result<(), FilmError> {
        let settings = &shell.recording;
        let path = files::free_name_in(&folder(), &session.scene.name, "png", &taken(shell));
        let settings = RecordSettings {
            ending: "png",
            ..settings.clone()
        };
        let film = Film {
            start: session.sample.time,
            camera: CameraMove::Through(vec![view.orbit]),
            ..Film::of(&settings, &path, 1.0)?
        };
        let (mirror, shell, lanes) = (session.mirror(), shell.clone(), comparing.still());
        let begin = move || {
            Ok((
                Cast {
                    session: mirror.session()?,
                    shell,
                    lanes,
                },
                Run,
            ))
        };
        self.jobs.push(Job::start(film, begin));
        Ok(())
    }

    /// Ends a film: those of the list come first, then that of the window.
    fn stop(&mut self, place: usize, screening: &mut Screening) {
        match self.jobs.get(place) {
            Some(job) => job.stop(),
            None => self.end(screening),
        }
    }

    /// Ends the film of the window. Its last frames are encoded on a thread, so that nothing waits for them.
    fn end(&mut self, screening: &mut Screening) {
        if let Some(film) = screening.0.take() {
            let status = FilmStatus {
                stops: true,
                ..screen_status(&film)
            };
            self.endings
                .push((status, thread::spawn(move || film.finish())));
        }
    }
}

/// Keeps what is fed in step with the view, and tells how far the films have got.
fn follow(
    mut camcorder: ResMut<Camcorder>,
    mut screening: ResMut<Screening>,
    mut session: ResMut<Session>,
    mut shell: ResMut<Shell>,
    view: Res<View>,
) {
    if let Some(tap) = &mut session.tap {
        tap.orbit = view.orbit;
    }
    if screening.0.as_ref().is_some_and(ScreenFilm::is_over) {
        camcorder.end(&mut screening);
    }
    let Camcorder { jobs, endings, .. } = &mut *camcorder;
    let mut ended = Vec::new();
    jobs.retain_mut(|job| match job.outcome() {
        Some(outcome) => {
            ended.push(outcome);
            false
        }
        None => true,
    });
    for (_, ending) in endings.extract_if(.., |(_, thread)| thread.is_finished()) {
        ended.extend(ending.join().ok().flatten());
    }
    for outcome in ended {
        tell(&mut shell, outcome);
    }
    let on_screen = screening.0.as_ref().map(screen_status);
    let ending = endings.iter().map(|(status, _)| status.clone());
    let films: Vec<FilmStatus> = jobs
        .iter()
        .map(status)
        .chain(on_screen)
        .chain(ending)
        .collect();
    if shell.films != films {
        shell.films = films;
    }
    let live = session.tap.is_some() || screening.0.is_some();
    if shell.is_recording != live {
        shell.is_recording = live;
    }
}

fn status(job: &Job) -> FilmStatus {
    FilmStatus {
        path: job.path().into(),
        progress: job.progress(),
        frames: job.frames(),
        stops: job.stops(),
    }
}

fn screen_status(film: &ScreenFilm) -> FilmStatus {
    FilmStatus {
        path: film.path().into(),
        progress: film.progress(),
        frames: None,
        stops: false,
    }
}

/// Says what became of a film.
fn tell(shell: &mut Shell, outcome: Result<Saved, FilmError>) {
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
            shell.notices.file = None;
            shell.notices.hint(said);
        }
        Err(error) => shell.notices.file = Some(error.to_string()),
    }
}

/// The axes along which a camera can look, by their names.
pub const CAMERAS: [(&str, CameraMove); 6] = [
    ("Scene's own", CameraMove::Scene),
    ("Framed", CameraMove::Framed),
    ("Front", CameraMove::Along(Axis::Front)),
    ("Side", CameraMove::Along(Axis::Side)),
    ("Top", CameraMove::Along(Axis::Top)),
    ("Once round", CameraMove::Around(1.0)),
];
