//! Which simulated time a frame shows.

/// Times of the frames of a video: frame k shows `start + k · speed / fps`, exactly and whatever the steps are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameClock {
    /// Simulated time of the first frame (s).
    pub start: f64,
    /// Simulated seconds per second of video.
    pub speed: f64,
    /// Frames per second of video.
    pub fps: f64,
}

impl FrameClock {
    /// Simulated time of a frame (s).
    ///
    /// Computed from the number of the frame, not by adding up, so that an hour drifts no more than a second.
    pub fn time(&self, frame: u64) -> f64 {
        self.start + frame as f64 * self.speed / self.fps
    }

    /// Frames that show so much simulated time [s]: those that begin before its end, at least one.
    pub fn frames(&self, duration: f64) -> u64 {
        let exact = duration * self.fps / self.speed;
        let nearest = exact.round();
        // A whole number up to rounding is that number.
        let count = if (exact - nearest).abs() <= 1e-9 * nearest {
            nearest
        } else {
            exact.ceil()
        };
        (count as u64).max(1)
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
            fps,
        };
        assert_eq!(clock(1.0, 30.0).frames(10.0), 300);
        assert_eq!(clock(0.5, 30.0).frames(10.0), 600);
        // 0.1 · 30 / 0.3 is 10.000000000000002.
        assert_eq!(clock(0.3, 30.0).frames(0.1), 10);
        assert_eq!(clock(1.0, 30.0).frames(0.11), 4);
        assert_eq!(clock(8.0, 24.0).frames(1e-3), 1, "never an empty video");
    }
}
