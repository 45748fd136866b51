//! Films: a running simulation, frame by frame, into a video, however fast or slow the machine is.
//!
//! ```text
//! Source ──step──▶ Session ──FrameSampler: poses at t0 + k·speed/fps──▶ OffscreenRenderer ──Picture──▶ video::Recorder
//! ```
//! Frame k shows simulated time t0 + k·speed/fps exactly: where that falls between two steps, the poses between
//! those of the two neighbouring knots, as in the window. Command line and window make films by the same functions,
//! so that their frames are the same.

pub mod command;
pub mod error;
pub mod job;
pub mod live;
mod offscreen;
mod sampler;
pub mod screen;
pub mod source;
mod strip;

use crate::camera::path::{CameraMove, CameraPath};
use crate::jobs::Reporter;
use crate::record::film::error::FilmError;
use crate::record::film::offscreen::OffscreenRenderer;
use crate::record::film::sampler::FrameSampler;
use crate::record::film::source::{Ending, Source};
use crate::state::recording::{Lettering, Quality, RecordSettings};
use std::path::Path;
use video::VideoError;

use crate::camera::view::View;
use crate::commands::compare::LanePlot;
use crate::compare::Comparing;
use crate::session::Session;
use crate::state::layers::Layer;
use crate::state::look::Look;
use crate::state::plot_view::PlotView;
use crate::state::trails::SessionTrails;
use crate::theme::lighting;
use physics::scene::Plot;
use video::{Format, FrameClock, MovieSpec, Recorder, Saved, SpeedChange};

/// Longest time that the plots show all of (s); longer films show its end.
const WHOLE: f64 = 20.0;

/// Most plots beside the view, and below it in an upright picture or in large type; more would be too low to read.
const PLOTS: (usize, usize) = (4, 2);

/// What a film is to look like.
#[derive(Debug, Clone)]
pub struct Film {
    /// The file, its size and its frame rate.
    pub movie: MovieSpec,
    /// Simulated time of the first frame (s).
    pub start: f64,
    /// Simulated time that it shows (s); none for as long as the source gives states.
    pub duration: Option<f64>,
    /// Simulated seconds per second of film.
    pub speed: f64,
    /// Changes of that speed on the way.
    pub changes: Vec<SpeedChange>,
    /// How the camera moves.
    pub camera: CameraMove,
    /// What is written on it.
    pub lettering: Lettering,
    /// How well it is drawn.
    pub quality: Quality,
    /// Whether it is for a small picture: plain ground, thin things thicker.
    pub portrait: bool,
}

impl Film {
    /// A film with these settings to such a file, at the pace of the window.
    pub fn of(settings: &RecordSettings, path: &Path, pace: f64) -> Result<Self, VideoError> {
        Ok(Self {
            movie: MovieSpec::new(path, settings.size, settings.fps)?,
            start: 0.0,
            duration: None,
            speed: settings.speed.unwrap_or(pace),
            changes: settings.changes.clone(),
            camera: settings.camera.clone(),
            lettering: settings.lettering.clone(),
            quality: settings.quality,
            portrait: false,
        })
    }

    /// Times of its frames.
    pub fn clock(&self) -> FrameClock {
        FrameClock {
            start: self.start,
            speed: self.speed,
            changes: self.changes.clone(),
            fps: self.movie.fps,
        }
    }

    /// How many frames it will have, if that is known.
    pub fn frames(&self) -> Option<u64> {
        match self.movie.format {
            Format::Png => Some(1),
            _ => self.duration.map(|d| self.clock().frames(d)),
        }
    }
}

/// What a film shows.
pub struct RenderInputs {
    /// The simulation.
    pub session: Session,
    /// How it is drawn.
    pub look: Look,
    /// Where points that leave trails have been before.
    pub trails: SessionTrails,
    /// Other methods beside it.
    pub lanes: Comparing,
}

impl RenderInputs {
    /// A simulation without anything beside it.
    pub fn alone(session: Session, look: Look) -> Self {
        Self {
            session,
            look,
            trails: SessionTrails::default(),
            lanes: Comparing::default(),
        }
    }
}

/// Makes a film. Returns when it is complete, or, if that was asked for, cut short and saved. Tells how many frames are
/// done and the simulated time of the last of them (s).
///
/// Draws with a graphics driver, so it belongs on a thread of its own.
///
/// # Errors
/// If the file cannot be written, the driver fails, or no state reaches the first frame. An earlier file of the same
/// name is replaced only by a complete one.
pub fn make(
    film: &Film,
    mut inputs: RenderInputs,
    source: &mut dyn Source,
    reporter: &Reporter<f64>,
) -> Result<Saved, FilmError> {
    // Before anything slow: a place that cannot be written to.
    let recorder = Recorder::start(&film.movie)?;
    prepare(&mut inputs, film);
    let RenderInputs {
        session,
        look,
        lanes,
        ..
    } = &mut inputs;
    lanes.join(session)?;
    let mut camera = CameraPath::new(&film.camera, session, film.movie.size)?;
    let mut view = View::of(session);
    view.orbit = camera.orbit(0.0, session.poses());
    if film.portrait {
        let width = view.orbit.distance * (0.5 * view.orbit.field_of_view).tan();
        look.least = Some(lighting::THIN * width);
    }
    let mut sampler = FrameSampler::new(film.clock(), film.frames(), session);
    let mut renderer = OffscreenRenderer::build(film, inputs, view)?;
    let mut ending = None;
    loop {
        sampler.ahead = renderer.lanes().ahead();
        let Some(frame) = sampler.next(renderer.session(), source, reporter) else {
            break;
        };
        let frame = match frame {
            Ok(frame) => frame,
            Err(Ending::Over) => break,
            Err(Ending::Cut(why)) => {
                ending = Some(why);
                break;
            }
        };
        let share = film
            .frames()
            .map_or(0.0, |all| frame.number as f64 / (all.max(2) - 1) as f64);
        let seen = source.orbit();
        renderer.set_out(frame.time, reporter);
        let picture = renderer.picture(frame.fraction, |poses| {
            if frame.number == 0 {
                camera.begin(poses);
            }
            seen.unwrap_or_else(|| camera.orbit(share, poses))
        })?;
        if !recorder.push(picture) {
            break;
        }
        reporter.tell(frame.time);
        reporter.done(frame.number + 1);
        // Of a film of the window that is known when its recording has ended.
        if let (None, Some(end)) = (film.frames(), source.end()) {
            reporter.begin(sampler.count_to(end));
        }
    }
    let mut saved = recorder.finish().map_err(|error| match (error, &ending) {
        // A film without frames has ended before its first.
        (video::VideoError::Empty, Some(why)) => FilmError::Ended(why.clone()),
        (error, _) => error.into(),
    })?;
    saved.cut_short = saved.cut_short.or(ending);
    Ok(saved)
}

/// Puts away what belongs to a person at the window.
fn prepare(inputs: &mut RenderInputs, film: &Film) {
    let look = &mut inputs.look;
    look.layers.hovered = None;
    match &film.lettering.charts {
        Some(charts) => look.charts.clone_from(charts),
        // What the solver does within a step is for a person who looks into it.
        None => look
            .charts
            .retain(|p| !matches!(p, Plot::Residual | Plot::Newton)),
    }
    inputs.lanes.charts.retain(|p| *p != LanePlot::Residuals);
    let [width, height] = film.movie.size;
    let most = match (width >= height, film.lettering.large) {
        (true, false) => PLOTS.0,
        _ => PLOTS.1,
    };
    look.charts.truncate(most);
    look.layers.style_mut(Layer::Shadows).shown &= film.quality == Quality::Good;
    let is_whole = |duration: &f64| *duration <= WHOLE && film.movie.format != Format::Png;
    if let Some(duration) = film.duration.filter(is_whole) {
        look.plot_view = PlotView {
            follow: false,
            range: [film.start, film.start + duration],
        };
    } else {
        look.plot_view = PlotView::default();
    }
}
