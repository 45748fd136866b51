//! Which simulated time a frame shows.

/// Another speed from a simulated time on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpeedChange {
    /// Simulated time from which it holds (s).
    pub from: f64,
    /// Simulated seconds per second of video.
    pub speed: f64,
}

/// Times of the frames of a video: frame k shows `start + k · speed / fps`, exactly and whatever the steps are; behind a
/// change of speed likewise, counted from there.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameClock {
    /// Simulated time of the first frame (s).
    pub start: f64,
    /// Simulated seconds per second of video.
    pub speed: f64,
    /// Changes of the speed.
    pub changes: Vec<SpeedChange>,
    /// Frames per second of video.
    pub fps: f64,
}

/// A stretch of a video with one speed.
struct Stretch {
    /// Simulated time with which it begins (s).
    from: f64,
    /// Frames that begin before it, up to a part of one.
    before: f64,
    speed: f64,
}

impl FrameClock {
    /// Simulated time of a frame (s).
    ///
    /// Computed from the number of the frame, not by adding up, so that an hour drifts no more than a second.
    pub fn time(&self, frame: u64) -> f64 {
        let frame = frame as f64;
        let stretches = self.stretches();
        let now = stretches.iter().rev().find(|s| s.before <= frame);
        let Stretch {
            from,
            before,
            speed,
        } = now.unwrap_or(&stretches[0]);
        from + (frame - before) * speed / self.fps
    }

    /// Frames that show so much simulated time [s]: those that begin before its end, at least one.
    pub fn frames(&self, duration: f64) -> u64 {
        let end = self.start + duration;
        let stretches = self.stretches();
        let last = stretches.iter().rev().find(|s| s.from < end);
        let Stretch {
            from,
            before,
            speed,
        } = last.unwrap_or(&stretches[0]);
        // Of a film with one speed the duration is not rounded by its start.
        let left = match stretches.len() {
            1 => duration,
            _ => end - from,
        };
        let exact = before + left * self.fps / speed;
        let nearest = exact.round();
        // A whole number up to rounding is that number.
        let count = if (exact - nearest).abs() <= 1e-9 * nearest {
            nearest
        } else {
            exact.ceil()
        };
        (count as u64).max(1)
    }

    fn stretches(&self) -> Vec<Stretch> {
        let mut changes = self.changes.clone();
        changes.sort_by(|a, b| a.from.total_cmp(&b.from));
        let mut stretches = vec![Stretch {
            from: self.start,
            before: 0.0,
            speed: self.speed,
        }];
        for SpeedChange { from, speed } in changes {
            let last = stretches.last_mut().expect("there is a first");
            if from <= self.start {
                last.speed = speed;
                continue;
            }
            let before = last.before + (from - last.from) * self.fps / last.speed;
            stretches.push(Stretch {
                from,
                before,
                speed,
            });
        }
        stretches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_shows_its_time_and_errors_do_not_add_up() {
        let clock = FrameClock {
            start: 2.5,
            speed: 0.25,
            changes: Vec::new(),
            fps: 60.0,
        };
        assert_eq!(clock.time(0), 2.5);
        assert_eq!(clock.time(240), 3.5);
        // A day of video: one rounding of a product, a quotient and a sum, each within half a unit of the last place.
        let k = 60 * 86_400;
        assert_eq!(clock.time(k), 2.5 + 0.25 * 86_400.0);
        let slow = FrameClock {
            start: 0.0,
            speed: 1.0,
            changes: Vec::new(),
            fps: 30.0,
        };
        assert_eq!(slow.time(1), 1.0 / 30.0);
        assert!((slow.time(1000) - 1000.0 / 30.0).abs() <= 33.4 * f64::EPSILON);
    }

    #[test]
    fn a_duration_has_the_frames_that_begin_in_it() {
        let clock = |speed, fps| FrameClock {
            start: 7.0,
            speed,
            changes: Vec::new(),
            fps,
        };
        assert_eq!(clock(1.0, 30.0).frames(10.0), 300);
        assert_eq!(clock(0.5, 30.0).frames(10.0), 600);
        // 0.1 · 30 / 0.3 is 10.000000000000002.
        assert_eq!(clock(0.3, 30.0).frames(0.1), 10);
        assert_eq!(clock(1.0, 30.0).frames(0.11), 4);
        assert_eq!(clock(8.0, 24.0).frames(1e-3), 1, "never an empty video");
    }

    #[test]
    fn a_film_slows_down_and_goes_on_where_it_was_told_to() {
        let change = |from: f64, speed: f64| SpeedChange { from, speed };
        // Given in any order; one before the film holds from its start.
        let clock = FrameClock {
            start: 1.0,
            speed: 7.0,
            changes: vec![change(3.0, 2.0), change(2.0, 0.1), change(0.5, 1.0)],
            fps: 10.0,
        };
        // A second in ten frames, the next in a hundred, then two seconds in a second of video.
        for (frame, time) in [
            (0, 1.0),
            (5, 1.5),
            (10, 2.0),
            (60, 2.5),
            (110, 3.0),
            (120, 5.0),
        ] {
            assert!((clock.time(frame) - time).abs() < 1e-12, "{frame}");
        }
        for (duration, frames) in [(0.5, 5), (1.0, 10), (1.5, 60), (2.0, 110), (4.0, 120)] {
            assert_eq!(clock.frames(duration), frames, "{duration}");
        }
        let times: Vec<f64> = (0..200).map(|k| clock.time(k)).collect();
        assert!(times.windows(2).all(|w| w[0] < w[1]));
    }
}
