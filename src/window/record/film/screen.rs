//! A film of the whole window with its panels.
//!
//! The window is drawn, and a picture of it taken, once for every frame of the film: simulated time goes on by
//! one frame when the picture of the last has come back from the driver and not before. On a slow machine the
//! window shows slow motion; the film does not.

use crate::camera::view::View;
use crate::record::FilmStatus;
use crate::record::film::error::FilmError;
use crate::record::film::sampler::FrameSampler;
use crate::scene3d::resolution::Resolution;
use crate::session::Session;
use crate::session::background::Headway;
use crate::session::playback::Playback;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use std::path::PathBuf;
use video::{FrameClock, MovieSpec, Picture, Recorder, Saved};

/// A film of the window in the making.
pub struct ScreenFilm {
    recorder: Option<Recorder>,
    path: PathBuf,
    size: [u32; 2],
    sampler: FrameSampler,
    /// The last step that the sampler has seen.
    seen: u64,
    generation: u64,
    /// A picture was asked for and has not come back.
    asked: bool,
    /// A picture that the encoder has no room for yet.
    pending: Option<Picture>,
    /// Frames drawn, and the simulated time of the last of them (s).
    done: (u64, f64),
    ending: Option<String>,
}

impl ScreenFilm {
    /// Begins a film at the state that the window shows.
    pub fn start(
        movie: &MovieSpec,
        clock: FrameClock,
        session: &Session,
    ) -> Result<Self, FilmError> {
        Ok(Self {
            recorder: Some(Recorder::start(movie)?),
            path: movie.path.clone(),
            size: movie.size,
            sampler: FrameSampler::new(clock, None, session),
            seen: session.sample().step,
            generation: session.generation(),
            asked: false,
            pending: None,
            done: (0, 0.0),
            ending: None,
        })
    }

    /// Where the film will be.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// How it stands: each of its frames is drawn as it is taken.
    pub fn status(&self) -> FilmStatus {
        let (done, time) = self.done;
        FilmStatus {
            path: self.path().into(),
            done,
            time,
            frames: None,
            taken: Some(done),
            stops: false,
        }
    }

    /// Ends it with the frames that it has. Encoding the last few takes a moment on another thread.
    pub fn finish(mut self) -> Option<Result<Saved, FilmError>> {
        let recorder = self.recorder.take()?;
        let saved = recorder.finish().map_err(FilmError::from);
        Some(saved.map(|saved| Saved {
            cut_short: saved.cut_short.or(self.ending.take()),
            ..saved
        }))
    }

    /// Whether it cannot go on.
    pub fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Goes on by a frame if the last one is in, and says where it lies in the last step.
    fn next(&mut self, session: &mut Session, playback: &mut Playback) -> Option<f64> {
        if self.asked || self.pending.is_some() || self.is_over() {
            return None;
        }
        if session.generation() != self.generation {
            self.ending = Some("another scene was opened".into());
            return None;
        }
        loop {
            if session.sample().step != self.seen {
                let is_reset = session.sample().step < self.seen;
                self.seen = session.sample().step;
                if is_reset || self.sampler.reach(session.sample().time).is_err() {
                    self.ending = Some("time was taken back".into());
                    return None;
                }
            }
            if let Some(frame) = self.sampler.frame() {
                self.done = (frame.number + 1, frame.time);
                return Some(frame.fraction);
            }
            let waits = !playback.playing || session.goal().is_some();
            if waits || !playback.has_time() {
                return None;
            }
            match playback.book(|| session.go_on()) {
                Headway::Taken => {}
                Headway::UnderWay => return None,
                Headway::Failed => {
                    playback.play(false);
                    return None;
                }
            }
        }
    }

    /// Takes in the picture that was asked for.
    fn take_in(&mut self, picture: Picture) {
        self.asked = false;
        self.pending = Some(picture);
        self.hand_on();
    }

    /// Hands the picture on if there is room.
    fn hand_on(&mut self) {
        let Some((picture, recorder)) = self.pending.take().zip(self.recorder.as_ref()) else {
            return;
        };
        match recorder.try_push(picture) {
            Ok(()) => {}
            Err(Some(picture)) => self.pending = Some(picture),
            Err(None) => self.ending = Some("nothing more could be written".into()),
        }
    }
}

impl Drop for ScreenFilm {
    /// The window is closed: what was filmed is kept.
    fn drop(&mut self) {
        if let Some(recorder) = self.recorder.take() {
            // Nobody is left to be told.
            let _ = recorder.finish();
        }
    }
}

/// The film of the window, if one is being made.
#[derive(Resource, Default)]
pub struct Screening(pub Option<ScreenFilm>);

/// Whether time goes on frame by frame.
pub fn is_filmed(screening: Res<Screening>) -> bool {
    screening.0.is_some()
}

/// Has the view drawn in all its pixels while the window is filmed.
pub fn sharpen(screening: Res<Screening>, resolution: Option<ResMut<Resolution>>) {
    if let Some(mut resolution) = resolution
        && resolution.filmed != screening.0.is_some()
    {
        resolution.filmed = screening.0.is_some();
    }
}

/// Goes on by one frame of the film and asks for its picture.
pub fn advance(
    mut commands: Commands,
    mut screening: ResMut<Screening>,
    mut session: ResMut<Session>,
    mut playback: ResMut<Playback>,
    mut view: ResMut<View>,
) {
    let Some(film) = &mut screening.0 else {
        return;
    };
    film.hand_on();
    let Some(fraction) = film.next(&mut session, &mut playback) else {
        return;
    };
    view.time = session.time_at(fraction);
    view.poses.clear();
    view.poses.extend(session.poses_at(fraction));
    film.asked = true;
    commands.spawn(Screenshot::primary_window()).observe(
        |captured: On<ScreenshotCaptured>, mut screening: ResMut<Screening>| {
            let Some(film) = &mut screening.0 else {
                return;
            };
            match cut(&captured.image, film.size) {
                Ok(picture) => film.take_in(picture),
                Err(why) => {
                    film.asked = false;
                    film.ending = Some(why);
                }
            }
        },
    );
}

/// A picture of the window without an odd row or column, which video cannot hold.
fn cut(image: &Image, [width, height]: [u32; 2]) -> Result<Picture, String> {
    if [image.width() & !1, image.height() & !1] != [width, height] {
        return Err("the window's size was changed".into());
    }
    let rows = image
        .clone()
        .try_into_dynamic()
        .map_err(|e| e.to_string())?;
    let rows = rows.to_rgba8();
    let stride = 4 * image.width() as usize;
    let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
    for row in rows.as_raw().chunks(stride).take(height as usize) {
        rgba.extend_from_slice(&row[..4 * width as usize]);
    }
    Ok(Picture {
        width,
        height,
        rgba,
    })
}
