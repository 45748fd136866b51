//! How fast simulated time runs against the clock on the wall, and how much of a frame it may take.

use bevy::prelude::Resource;
use std::time::{Duration, Instant};

/// Speeds, as factors of real time.
pub const LADDER: [f64; 9] = [
    1.0 / 32.0,
    1.0 / 16.0,
    1.0 / 8.0,
    0.25,
    0.5,
    1.0,
    2.0,
    4.0,
    8.0,
];
/// The rung of real time.
const REAL_TIME: usize = 5;
/// Least and greatest time that steps may take of one frame.
const BUDGET: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(120));
/// Wall time over which the measured factor is averaged (s).
const MEMORY: f64 = 0.6;

/// Pace of the simulation.
#[derive(Resource, Debug, Clone)]
pub struct Playback {
    /// Whether time runs.
    pub playing: bool,
    /// Whether it runs backwards.
    pub backwards: bool,
    /// Rung of the ladder of speeds.
    pub rung: usize,
    /// Steps to take although time stands still.
    pub due: u32,
    /// Whether steps were left out of the last frame to keep the window alive.
    pub late: bool,
    /// Whether time goes on frame by frame, for a film of the window.
    pub filmed: bool,
    budget: Duration,
    spent: Duration,
    measured: Option<f64>,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            playing: true,
            backwards: false,
            rung: REAL_TIME,
            due: 0,
            late: false,
            filmed: false,
            budget: BUDGET.0,
            spent: Duration::ZERO,
            measured: None,
        }
    }
}

impl Playback {
    /// Speed asked for.
    pub fn target(&self) -> f64 {
        LADDER[self.rung]
    }

    /// Speed reached, averaged; none while time stands still.
    pub fn measured(&self) -> Option<f64> {
        self.measured
    }

    /// Moves along the ladder.
    pub fn change(&mut self, rungs: i32) {
        let last = LADDER.len() as i32 - 1;
        self.set((self.rung as i32 + rungs).clamp(0, last) as usize);
    }

    /// Chooses a rung of the ladder.
    pub fn set(&mut self, rung: usize) {
        if rung < LADDER.len() && rung != self.rung {
            self.rung = rung;
            self.measured = None;
        }
    }

    /// Chooses the rung nearest to a speed.
    pub fn seek(&mut self, speed: f64) {
        let away = |rung: &usize| (LADDER[*rung] / speed).ln().abs();
        let nearest = (0..LADDER.len()).min_by(|a, b| away(a).total_cmp(&away(b)));
        self.set(nearest.unwrap_or(REAL_TIME));
    }

    /// Runs or stops time.
    pub fn play(&mut self, playing: bool) {
        self.playing = playing;
        self.backwards = false;
        self.due = 0;
        self.measured = None;
    }

    /// Runs time backwards, or stops it if it does already.
    pub fn rewind(&mut self) {
        let stops = self.playing && self.backwards;
        self.play(!stops);
        self.backwards = !stops;
    }

    /// Time of this frame that is left for steps; a first one may always begin.
    pub fn left(&self) -> Duration {
        self.budget.saturating_sub(self.spent)
    }

    /// Begins a frame that follows one of length `frame`.
    pub fn begin_frame(&mut self, frame: Duration) {
        // Half a frame: drawing that takes long leaves the steps as much time as it takes itself.
        self.budget = (frame / 2).clamp(BUDGET.0, BUDGET.1);
        self.spent = Duration::ZERO;
        self.late = false;
    }

    /// Whether the frame has time for another step; the first always has.
    pub fn has_time(&mut self) -> bool {
        let has_time = self.spent < self.budget;
        self.late |= !has_time;
        has_time
    }

    /// Runs a step and books its time.
    pub fn book<T>(&mut self, step: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = step();
        self.spent += start.elapsed();
        result
    }

    /// Ends a frame in which simulated time moved while the wall's clock did (s).
    pub fn end_frame(&mut self, simulated: f64, wall: f64) {
        if !self.playing || wall <= 0.0 {
            self.measured = None;
            return;
        }
        let now = simulated / wall;
        let share = 1.0 - (-wall / MEMORY).exp();
        self.measured = Some(self.measured.map_or(now, |m| m + share * (now - m)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ladder_ends_at_both_ends() {
        let mut playback = Playback::default();
        assert_eq!(playback.target(), 1.0);
        playback.change(-100);
        assert_eq!(playback.target(), 1.0 / 32.0);
        playback.change(100);
        assert_eq!(playback.target(), 8.0);
        playback.set(99);
        assert_eq!(playback.target(), 8.0);
    }

    #[test]
    fn a_frame_stops_stepping_when_its_time_is_spent() {
        let mut playback = Playback::default();
        playback.begin_frame(Duration::from_millis(16));
        assert!(playback.has_time());
        playback.book(|| std::thread::sleep(Duration::from_millis(11)));
        assert!(!playback.has_time() && playback.late);
        playback.begin_frame(Duration::from_millis(16));
        assert!(playback.has_time() && !playback.late);
    }

    #[test]
    fn the_measured_factor_settles_on_what_happens() {
        let mut playback = Playback::default();
        for _ in 0..600 {
            playback.end_frame(0.42 / 60.0, 1.0 / 60.0);
        }
        assert!((playback.measured().unwrap() - 0.42).abs() < 1e-6);
        playback.play(false);
        playback.end_frame(0.0, 1.0 / 60.0);
        assert_eq!(playback.measured(), None);
    }

    #[test]
    fn time_runs_backwards_until_it_is_stopped_or_turned() {
        let mut playback = Playback::default();
        playback.rewind();
        assert!(playback.playing && playback.backwards);
        playback.rewind();
        assert!(!playback.playing && !playback.backwards);
        playback.rewind();
        playback.play(true);
        assert!(playback.playing && !playback.backwards);
    }
}
