//! The `driftless` program: opens the window where there is one, and runs commands without it.

use driftless::cli::{self, OpenArguments, RecordArguments, Request};
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::parse() {
        Request::Open(open) => window(&open),
        Request::Record(arguments) => cli::exit_code(record(&arguments)),
        Request::Command(command) => cli::execute(&command),
    }
}

#[cfg(feature = "window")]
fn window(open: &OpenArguments) -> ExitCode {
    use driftless::window;

    if !window::display_available() {
        return cli::run_instead(open, "There is no display, so this runs without a window.");
    }
    let opened = cli::open_for_window(open).and_then(|(scene, take)| {
        let options = options(open, take, &scene)?;
        window::open(scene, options).map_err(|error| cli::Failure::Window(error.to_string()))
    });
    cli::exit_code(opened)
}

#[cfg(feature = "window")]
fn options(
    open: &OpenArguments,
    take: Option<std::path::PathBuf>,
    scene: &driftless::scene::Scene,
) -> Result<driftless::window::autorun::OpenOptions, cli::Failure> {
    let lanes = open.lanes.iter();
    Ok(driftless::window::autorun::OpenOptions {
        take,
        run_for: open.run_for,
        screenshot: open.screenshot.clone(),
        csv: open.csv.clone(),
        lanes: lanes
            .map(|l| l.spec(&scene.integrator, &scene.settings))
            .collect::<Result<_, _>>()?,
        config: open.config.clone(),
        gallery: open.gallery,
    })
}

#[cfg(not(feature = "window"))]
fn window(open: &OpenArguments) -> ExitCode {
    cli::run_instead(
        open,
        "This build has no window (it was made with --no-default-features), so this runs without one.",
    )
}

#[cfg(feature = "window")]
fn record(arguments: &RecordArguments) -> Result<(), cli::Failure> {
    use cli::Recording;
    use driftless::video::{MovieSpec, SpeedChange};
    use driftless::window::camera::path::CameraMove;
    use driftless::window::commands::compare::LaneArrangement;
    use driftless::window::compare::Comparing;
    use driftless::window::record::film;
    use driftless::window::record::film::Film;
    use driftless::window::record::film::error::FilmError;
    use driftless::window::record::film::source::{RunSource, Source};
    use driftless::window::session::Session;
    use driftless::window::state::recording::{Lettering, Quality};

    let wrong = |error: FilmError| match error {
        FilmError::Camera(_) => cli::Failure::Request(error.to_string()),
        error => cli::Failure::Window(error.to_string()),
    };
    let movie = MovieSpec::new(&arguments.output, arguments.size, arguments.fps)
        .map_err(|error| cli::Failure::Request(error.to_string()))?;
    let camera: CameraMove = arguments
        .camera
        .parse()
        .map_err(|error| wrong(FilmError::Camera(error)))?;
    let recording = cli::recording(arguments)?;
    let scene = recording.scene();
    let (session, source): (Session, Box<dyn Source + Send>) = match &recording {
        Recording::Scene(_) => (Session::new(scene.clone())?, Box::new(RunSource)),
        Recording::Take(take) => (
            Session::at(scene.clone(), &take.start)?,
            Box::new(take.replay()?),
        ),
    };
    let (method, settings) = (session.integrator().name, session.settings());
    let lanes = arguments.lanes.iter().map(|l| l.spec(method, settings));
    let lanes: Vec<_> = lanes.collect::<Result<_, _>>()?;
    let arrangement = match arguments.side_by_side {
        true => LaneArrangement::SideBySide,
        false => LaneArrangement::Ghosts,
    };
    let lanes = Comparing::beside_session(&session, lanes, arrangement)
        .map_err(|error| cli::Failure::Request(error.to_string()))?;
    let film = Film {
        start: arguments.start.unwrap_or(session.sample().time),
        duration: recording.duration(arguments),
        speed: arguments.speed.unwrap_or(scene.view.speed),
        changes: (arguments.slow.iter())
            .map(|&(from, speed)| SpeedChange { from, speed })
            .collect(),
        camera,
        lettering: Lettering {
            plots: arguments.plots,
            large: arguments.large_type,
            title: arguments.title.clone().unwrap_or_default(),
            caption: arguments.caption.clone().unwrap_or_default(),
            ..Lettering::default()
        },
        quality: if arguments.draft {
            Quality::Draft
        } else {
            Quality::Good
        },
        portrait: arguments.portrait,
        movie,
    };
    let mut bar = cli::Progress::new(film.frames().unwrap_or(0), film.start);
    let start = std::time::Instant::now();
    let tell = |frames, time| bar.update(frames, time);
    let made = film::command::record(session, lanes, source, &film, arguments.light, tell);
    drop(bar);
    let saved = made.map_err(wrong)?;
    let seconds = start.elapsed().as_secs_f64();
    cli::recorded(
        &saved.path,
        saved.frames,
        seconds,
        saved.cut_short.as_deref(),
    )
}

#[cfg(not(feature = "window"))]
fn record(_: &RecordArguments) -> Result<(), cli::Failure> {
    let why =
        "This build cannot draw (it was made with --no-default-features), so it records no videos.";
    Err(cli::Failure::Window(why.into()))
}
