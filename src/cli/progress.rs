//! The progress of a run on a terminal: how far, how fast compared with real time, how long still.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// Shortest time between two updates: often enough to look alive, rare enough to cost nothing.
const PAUSE: Duration = Duration::from_millis(100);

/// A bar on standard error; invisible where that is not a terminal.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: Instant,
    start_time: f64,
}

impl Progress {
    /// A bar for so many steps, or frames of a video, from a simulated time (s).
    pub fn new(steps: u64, start_time: f64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %  {msg}  {eta} left")
            .expect("the template is a constant that the tests parse");
        bar.set_style(style);
        let start = Instant::now();
        Self {
            bar,
            start,
            shown: start,
            start_time,
        }
    }

    /// Shows the state after a step if it is time to.
    pub fn update(&mut self, step: u64, time: f64) {
        let (start, start_time) = (self.start, self.start_time);
        self.tell(step, || {
            let factor = (time - start_time) / start.elapsed().as_secs_f64();
            format!("t = {time:.3} s  {}", crate::quantity::factor(factor))
        });
    }

    /// Shows a message beside so many steps if it is time to.
    pub(super) fn tell(&mut self, step: u64, message: impl FnOnce() -> String) {
        let now = Instant::now();
        if now - self.shown < PAUSE {
            return;
        }
        self.shown = now;
        self.bar.set_position(step);
        self.bar.set_message(message());
    }
}

impl Drop for Progress {
    /// Leaves a clean line for what is printed next.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_parses() {
        let mut progress = Progress::new(100, 2.0);
        progress.shown -= 2 * PAUSE;
        progress.start -= Duration::from_secs(2);
        progress.update(40, 6.0);
        assert_eq!(progress.bar.position(), 40);
        // 4 s of simulated time in 2 s, up to the time the test itself takes.
        assert!(
            progress.bar.message().starts_with("t = 6.000 s  ×"),
            "{}",
            progress.bar.message()
        );
        progress.update(41, 6.1);
        assert_eq!(progress.bar.position(), 40, "updates are rare");
    }
}
