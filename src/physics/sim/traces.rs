//! Values of chosen quantities over time, in bounded memory.

use crate::diagnostics::{Chart, Moment, Quantity};
use std::collections::VecDeque;

/// Most rows. When they are full every other one is left out, from then on every other step.
const CAPACITY: usize = 8192;
/// Most points of a section; the oldest are dropped.
const POINTS: usize = 20_000;

/// Values of all quantities that charts need.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Traces {
    quantities: Vec<Quantity>,
    /// Time of every row (s).
    times: Vec<f64>,
    /// Values of every quantity by row; not a number before it was asked for.
    columns: Vec<Vec<f64>>,
    /// Steps from one row to the next.
    stride: u64,
    /// Steps since the last row that stays.
    since: u64,
    sections: Vec<Points>,
    /// Values of the last step, from which sections are interpolated, and its time.
    last: Option<(f64, Vec<f64>)>,
    scratch: Vec<f64>,
}

/// A point of a section: simulated time (s), then where it is.
pub type SectionPoint = (f64, [f64; 2]);

/// Points of one section: one list per curve.
#[derive(Debug, Clone, PartialEq, Default)]
struct Points {
    chart: Chart,
    curves: Vec<VecDeque<SectionPoint>>,
}

impl Traces {
    /// Whether nothing is asked for.
    pub fn is_idle(&self) -> bool {
        self.quantities.is_empty()
    }

    /// Whether a time lies after everything that is known.
    pub fn lacks(&self, time: f64) -> bool {
        self.times.last().is_none_or(|t| *t < time)
    }

    /// Everything that is kept.
    pub fn quantities(&self) -> &[Quantity] {
        &self.quantities
    }

    /// Keeps what these charts need from now on; what is known already stays. True if something is new, of which
    /// [`fill`](Self::fill) can add the past.
    pub fn follow(&mut self, charts: &[Chart]) -> bool {
        let mut wanted: Vec<Quantity> = charts.iter().flat_map(Chart::quantities).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut is_new = false;
        if wanted != self.quantities {
            is_new = wanted.iter().any(|q| !self.quantities.contains(q));
            let rows = self.times.len();
            let column = |q: &Quantity| {
                let known = self.quantities.iter().position(|k| k == q);
                known.map_or_else(|| vec![f64::NAN; rows], |k| self.columns[k].clone())
            };
            self.columns = wanted.iter().map(column).collect();
            self.quantities = wanted;
            self.last = None;
        }
        let same = |a: &Chart, p: &Points| {
            (a.x, a.section, &a.curves) == (p.chart.x, p.chart.section, &p.chart.curves)
        };
        let wanted = charts.iter().filter(|c| c.section.is_some());
        if wanted.clone().count() == self.sections.len()
            && wanted
                .zip(&self.sections)
                .all(|(chart, points)| same(chart, points))
        {
            return is_new;
        }
        let sectioned = charts.iter().filter(|c| c.section.is_some());
        self.sections = sectioned
            .map(|chart| {
                let same = |p: &&Points| {
                    (p.chart.x, p.chart.section, &p.chart.curves)
                        == (chart.x, chart.section, &chart.curves)
                };
                self.sections
                    .iter()
                    .find(same)
                    .cloned()
                    .unwrap_or_else(|| Points {
                        curves: vec![VecDeque::new(); chart.curves.len()],
                        chart: chart.clone(),
                    })
            })
            .collect();
        true
    }

    /// Puts past values in the place of all that is known: simulated time (s), steps taken, and the values of
    /// [`quantities`](Self::quantities), in order of time.
    pub fn fill(&mut self, rows: impl Iterator<Item = (f64, u64, Vec<f64>)>) {
        self.restart();
        let mut last_step = None;
        for (time, step, values) in rows {
            // Between moments that are not neighbours nothing can be interpolated.
            if last_step.is_some_and(|last| last + 1 != step) {
                self.last = None;
            }
            last_step = Some(step);
            self.cross(time, &values);
            self.keep(time, &values);
            self.last = Some((time, values));
        }
    }

    /// Forgets all values.
    pub fn restart(&mut self) {
        self.times.clear();
        self.columns.iter_mut().for_each(Vec::clear);
        (self.stride, self.since) = (1, 0);
        self.last = None;
        for points in &mut self.sections {
            points.curves.iter_mut().for_each(VecDeque::clear);
        }
    }

    /// Notes the values of a moment. What is later than it is forgotten: time was turned back.
    pub fn push(&mut self, at: &Moment) {
        if self.is_idle() {
            return;
        }
        let time = at.state.time;
        if self.times.last().is_some_and(|t| *t >= time) {
            self.forget_from(time);
        }
        let mut values = std::mem::take(&mut self.scratch);
        values.clear();
        values.extend(self.quantities.iter().map(|q| q.value(at)));
        self.cross(time, &values);
        self.keep(time, &values);
        match &mut self.last {
            Some((then, before)) => {
                *then = time;
                std::mem::swap(before, &mut values);
            }
            None => self.last = Some((time, std::mem::take(&mut values))),
        }
        self.scratch = values;
    }

    fn forget_from(&mut self, time: f64) {
        let kept = self.times.partition_point(|t| *t < time);
        self.times.truncate(kept);
        self.columns.iter_mut().for_each(|c| c.truncate(kept));
        self.last = None;
        self.since = 0;
        for curve in self.sections.iter_mut().flat_map(|p| &mut p.curves) {
            while curve.back().is_some_and(|p| p.0 >= time) {
                curve.pop_back();
            }
        }
    }

    /// Adds a row; one between the strides stands until the next comes.
    fn keep(&mut self, time: f64, values: &[f64]) {
        if self.times.len() == CAPACITY {
            let every_other = |column: &mut Vec<f64>| {
                let mut k = 0;
                column.retain(|_| {
                    k += 1;
                    k % 2 == 1
                });
            };
            every_other(&mut self.times);
            self.columns.iter_mut().for_each(every_other);
            self.stride = self.stride.max(1) * 2;
            self.since = 0;
        }
        let between = !self.since.is_multiple_of(self.stride.max(1)) && !self.times.is_empty();
        if between && self.since % self.stride != 1 {
            let row = self.times.len() - 1;
            self.times[row] = time;
            for (column, value) in self.columns.iter_mut().zip(values) {
                column[row] = *value;
            }
        } else {
            self.times.push(time);
            for (column, value) in self.columns.iter_mut().zip(values) {
                column.push(*value);
            }
        }
        self.since += 1;
    }

    /// Adds to the sections what was passed since the last step.
    fn cross(&mut self, time: f64, values: &[f64]) {
        let Some((then, before)) = &self.last else {
            return;
        };
        for points in &mut self.sections {
            let Some(section) = points.chart.section else {
                continue;
            };
            let place = |q: &Quantity| self.quantities.binary_search(q).ok();
            let (Some(of), Some(x)) = (place(&section.of), place(&points.chart.x)) else {
                continue;
            };
            let Some(part) = section.crossing(before[of], values[of]) else {
                continue;
            };
            let between = |k: usize| before[k] + part * (values[k] - before[k]);
            for (curve, quantity) in points.curves.iter_mut().zip(&points.chart.curves) {
                let Some(y) = place(quantity) else { continue };
                if curve.len() == POINTS {
                    curve.pop_front();
                }
                curve.push_back((then + part * (time - then), [between(x), between(y)]));
            }
        }
    }

    /// The curve of one quantity over another, oldest first; where there is no value it is broken by a point that is
    /// not a number.
    pub fn curve(&self, x: Quantity, y: Quantity) -> Vec<[f64; 2]> {
        let column = |q: Quantity| self.quantities.binary_search(&q).ok();
        match (column(x), column(y)) {
            (Some(x), Some(y)) => {
                let rows = self.columns[x].iter().zip(&self.columns[y]);
                rows.map(|(x, y)| [*x, *y]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Points of a section's curve.
    pub fn section(&self, chart: &Chart, curve: usize) -> Vec<[f64; 2]> {
        let same = |p: &&Points| {
            (p.chart.x, p.chart.section, &p.chart.curves) == (chart.x, chart.section, &chart.curves)
        };
        let found = self
            .sections
            .iter()
            .find(same)
            .and_then(|p| p.curves.get(curve));
        found.map_or_else(Vec::new, |points| points.iter().map(|p| p.1).collect())
    }

    /// The last value of a quantity.
    pub fn now(&self, quantity: Quantity) -> Option<f64> {
        let k = self.quantities.binary_search(&quantity).ok()?;
        self.columns[k].last().copied().filter(|x| !x.is_nan())
    }

    /// Rows kept.
    pub fn rows(&self) -> usize {
        self.times.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Section, TIME};
    use crate::model::Input;
    use crate::scene;
    use crate::sim::Simulation;

    fn pendulum() -> Simulation {
        scene::open("pendulum", &[]).unwrap().simulation().unwrap()
    }

    fn named(sim: &Simulation, name: &str) -> Quantity {
        Quantity::named(name, sim.model()).unwrap()
    }

    fn advance(sim: &mut Simulation, traces: &mut Traces, steps: u32) {
        for _ in 0..steps {
            let _ = sim.step(&Input::default()).unwrap();
            let sample = sim.sample();
            traces.push(&sim.moment(&sample));
        }
    }

    #[test]
    fn memory_is_bounded_and_the_newest_value_is_always_there() {
        let mut sim = pendulum();
        let body = sim.model().bodies[0].name.clone();
        let z = named(&sim, &format!("{body}.z"));
        let mut traces = Traces::default();
        traces.follow(&[Chart {
            curves: vec![z],
            ..Chart::default()
        }]);
        for steps in [CAPACITY as u32, 1, 2, 3, 9000] {
            advance(&mut sim, &mut traces, steps);
            assert!(traces.rows() <= CAPACITY);
            let curve = traces.curve(TIME, z);
            let last = curve[curve.len() - 1];
            assert_eq!(last, [sim.state().time, sim.state().bodies[0].position.z]);
            assert!(curve.is_sorted_by(|a, b| a[0] < b[0]));
        }
        // The first half second is still there, thinned out.
        assert!(traces.curve(TIME, z)[0][0] < 0.5);
    }

    #[test]
    fn a_section_of_a_pendulum_is_its_lowest_point_at_its_highest_speed() {
        let mut sim = pendulum();
        let joint = sim.model().joints[0].name.clone();
        let [q, rate] = ["q0", "rate0"].map(|c| named(&sim, &format!("{joint}.{c}")));
        let chart = Chart {
            x: q,
            curves: vec![rate],
            section: Some(Section {
                of: q,
                level: 0.0,
                rising: true,
            }),
            ..Chart::default()
        };
        let mut traces = Traces::default();
        traces.follow(std::slice::from_ref(&chart));
        advance(&mut sim, &mut traces, 2000);
        let points = traces.section(&chart, 0);
        assert!(points.len() >= 3, "{points:?}");
        let fastest = traces
            .curve(q, rate)
            .iter()
            .map(|p| p[1])
            .fold(0.0, f64::max);
        for point in &points {
            assert!(point[0].abs() < 1e-12);
            // The rate is stationary there: interpolation errs by (dt α)², and the energy holds to second order.
            assert!(
                (point[1] / fastest - 1.0).abs() < 1e-2,
                "{point:?} {fastest}"
            );
        }
        // Turned back, later crossings are gone.
        sim.reset();
        advance(&mut sim, &mut traces, 1);
        assert!(traces.section(&chart, 0).is_empty());
        assert_eq!(traces.rows(), 1);
    }

    #[test]
    fn a_quantity_that_is_added_keeps_what_the_others_have() {
        let mut sim = pendulum();
        let energy = named(&sim, "total_energy");
        let kinetic = named(&sim, "kinetic_energy");
        let chart = |curves: &[Quantity]| Chart {
            curves: curves.to_vec(),
            ..Chart::default()
        };
        let mut traces = Traces::default();
        traces.follow(&[chart(&[energy])]);
        advance(&mut sim, &mut traces, 10);
        traces.follow(&[chart(&[energy]), chart(&[kinetic])]);
        advance(&mut sim, &mut traces, 5);
        assert!(traces.curve(TIME, energy).iter().all(|p| p[1].is_finite()));
        let later = traces.curve(TIME, kinetic);
        assert_eq!(later.iter().filter(|p| p[1].is_nan()).count(), 10);
        assert_eq!(traces.now(kinetic), Some(sim.sample().energy.kinetic));
        assert!(traces.curve(TIME, named(&sim, "step")).is_empty());
    }
}
