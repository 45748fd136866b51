//! Films made by the command line, without a window.

use crate::compare::Comparing;
use crate::error::panic_text;
use crate::jobs::Reporter;
use crate::record::film::error::FilmError;
use crate::record::film::source::Source;
use crate::record::film::{Film, RenderInputs};
use crate::session::Session;
use crate::state::look::Look;
use std::thread;
use std::time::Duration;
use video::Saved;

/// How often progress is told.
const PAUSE: Duration = Duration::from_millis(50);
/// Exit status of a program that was interrupted, as shells know it.
const INTERRUPTED: i32 = 130;

/// Makes a film of a session that a source takes from step to step, with lanes beside it. `tell` hears of the frames
/// that are done and of the simulated time that they have reached (s).
///
/// Ctrl + C ends it with the frames that it has; pressed again, it ends the program.
pub fn record(
    session: Session,
    lanes: Comparing,
    mut source: Box<dyn Source + Send>,
    film: &Film,
    light: bool,
    mut tell: impl FnMut(u64, f64),
) -> Result<Saved, FilmError> {
    let mut look = Look {
        dark: !light,
        ..Look::default()
    };
    look.suit(&session);
    let inputs = RenderInputs {
        lanes,
        ..RenderInputs::alone(session, look)
    };
    let reporter = Reporter::<f64>::default();
    let stop = reporter.clone();
    // Where the handler cannot be set, Ctrl + C ends the program, and the film with it.
    let _ = bevy::app::ctrlc::try_set_handler(move || {
        if stop.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        stop.cancel();
    });
    // The panic of a missing driver has a message of its own.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = thread::scope(|scope| {
        let making =
            scope.spawn(|| crate::record::film::make(film, inputs, source.as_mut(), &reporter));
        while !making.is_finished() {
            let time = reporter.note().unwrap_or_default();
            tell(reporter.progress().done, time);
            thread::sleep(PAUSE);
        }
        making.join()
    });
    std::panic::set_hook(hook);
    result.unwrap_or_else(|panic| Err(FilmError::of_panic(panic_text(&*panic))))
}
