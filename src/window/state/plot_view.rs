//! The time axis that all live plots share.

/// Part of the time axis that the plots show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlotView {
    /// Whether it moves along with the simulation.
    pub follow: bool,
    /// First and last time shown (s).
    pub range: [f64; 2],
}

/// Greatest length of the time axis while it follows the simulation (s).
const SPAN: f64 = 20.0;
/// Its length at first, from which it grows with the run (s).
const SHORTEST: f64 = 2.0;

impl Default for PlotView {
    fn default() -> Self {
        Self {
            follow: true,
            range: [0.0, SHORTEST],
        }
    }
}

impl PlotView {
    /// The range to show at a time, which it moves to if it follows.
    pub fn at(&mut self, time: f64) -> [f64; 2] {
        if self.follow {
            let end = time.max(SHORTEST);
            self.range = [(end - SPAN).max(0.0), end];
        }
        self.range
    }

    /// The range to show at a moment of a run that ends at a time. In the past a range that follows stays where it is
    /// while the moment lies in it.
    pub fn around(&mut self, time: f64, end: f64) -> [f64; 2] {
        let [from, to] = self.range;
        if time >= end || !self.follow {
            return self.at(time);
        }
        if (from..=to).contains(&time) {
            return self.range;
        }
        // What is drawn is a little behind what is known, which is no past yet.
        let [from, to] = self.at(end);
        if !(from..=to).contains(&time) {
            let width = to - from;
            let from = (time - 0.5 * width).max(0.0);
            self.range = [from, from + width];
        }
        self.range
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_axis_follows_until_it_is_held() {
        let mut view = PlotView::default();
        assert_eq!(view.at(0.5), [0.0, SHORTEST]);
        assert_eq!(view.at(3.0), [0.0, 3.0]);
        assert_eq!(view.at(50.0), [50.0 - SPAN, 50.0]);
        view.follow = false;
        assert_eq!(view.at(90.0), [50.0 - SPAN, 50.0]);
    }

    #[test]
    fn the_time_axis_keeps_still_in_the_past_until_the_moment_would_leave_it() {
        let mut view = PlotView::default();
        assert_eq!(view.around(90.0, 90.0), [90.0 - SPAN, 90.0]);
        assert_eq!(view.around(75.0, 90.0), [90.0 - SPAN, 90.0]);
        assert_eq!(
            view.around(40.0, 90.0),
            [40.0 - 0.5 * SPAN, 40.0 + 0.5 * SPAN]
        );
        assert_eq!(view.around(1.0, 90.0), [0.0, SPAN]);
        assert_eq!(
            view.around(90.0, 90.0),
            [90.0 - SPAN, 90.0],
            "at the end it follows again"
        );
        // While a run is young, what is drawn lags behind its end by a frame.
        let mut young = PlotView::default();
        assert_eq!(young.around(1.9, 2.0), [0.0, SHORTEST]);
        assert_eq!(young.around(2.1, 2.2), [0.0, 2.2]);
    }
}
