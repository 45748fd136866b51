//! Values of the quantities that plots show, those of the past included.

use crate::session::Session;
use crate::session::past::Past;
use physics::diagnostics::Chart;

/// Most past moments whose values are computed at once, the last ones.
const MOST: usize = 8192;

impl Session {
    /// Keeps the values that these charts need; of those that are new, also those of the past as far as its states are
    /// in memory.
    pub fn plot(&mut self, charts: &[Chart]) {
        if !self.traces.follow(charts) {
            return;
        }
        let Self {
            past,
            simulation,
            traces,
            ..
        } = self;
        let Past::Whole(timeline) = &*past else {
            return;
        };
        let known = timeline.kept().count();
        let quantities = traces.quantities().to_vec();
        let moments = timeline.kept().skip(known.saturating_sub(MOST));
        let mut rows = Vec::with_capacity(known.min(MOST));
        for moment in moments {
            let mut values = Vec::with_capacity(quantities.len());
            if simulation.past_values(moment, &quantities, &mut values) {
                rows.push((moment.1.time, moment.1.step, values));
            }
        }
        traces.fill(rows.into_iter());
        // The velocities at hand are those of the moment shown again.
        simulation.velocities();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::diagnostics::{Quantity, TIME};

    #[test]
    fn a_quantity_asked_for_late_has_the_values_that_it_would_have_had() {
        let start = || Session::new(physics::scene::open("double_pendulum", &[]).unwrap()).unwrap();
        let (mut early, mut late) = (start(), start());
        let model = early.simulation.model().clone();
        let of = |name: &str| Quantity::named(name, &model).unwrap();
        let body = &model.bodies[1].name;
        let speed = of(&format!("{body}.speed"));
        let chart = Chart {
            x: TIME,
            curves: vec![of("total_energy"), speed],
            ..Chart::default()
        };
        early.plot(std::slice::from_ref(&chart));
        for _ in 0..100 {
            assert!(early.step() && late.step());
        }
        let hash = late.simulation.state().digest();
        late.plot(std::slice::from_ref(&chart));
        assert_eq!(late.simulation.state().digest(), hash);
        let [wanted, found] = [&early, &late].map(|s| s.traces.curve(TIME, speed));
        assert_eq!(wanted.len(), 101);
        assert_eq!(found, wanted);
        // Both go on to the same bits.
        assert!(early.step() && late.step());
        assert_eq!(
            early.simulation.state().digest(),
            late.simulation.state().digest()
        );
        assert_eq!(
            late.traces.curve(TIME, speed),
            early.traces.curve(TIME, speed)
        );
    }
}
