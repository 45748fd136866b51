//! What every body has touched so far: its smallest gap and the normal force on it, step by step.
//!
//! All bodies are kept, so that a body selected after an impact still shows the impact.

use crate::model::{BodyId, ContactState};
use crate::sim::thin;
use std::collections::VecDeque;

/// Most figures kept, for all bodies together; the oldest steps go first.
const ROOM: usize = 1 << 21;
/// Most steps kept.
const STEPS: usize = 1 << 16;

/// What one body touches at a knot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Smallest gap of its contact points [m], negative for penetration; infinite if nothing is near.
    pub gap: f32,
    /// Sum of the normal forces at its contact points [N].
    pub force: f32,
}

impl Touch {
    const NONE: Self = Self {
        gap: f32::INFINITY,
        force: 0.0,
    };
}

/// The steps kept.
#[derive(Debug, Clone, Default)]
pub struct Touches {
    rows: VecDeque<Row>,
}

#[derive(Debug, Clone, Default)]
struct Row {
    time: f64,
    bodies: Vec<Touch>,
}

impl Touches {
    /// Forgets the run.
    pub fn restart(&mut self) {
        self.rows.clear();
    }

    /// Adds the contact points of a step.
    pub fn push(&mut self, time: f64, bodies: usize, contacts: &[ContactState]) {
        let most = (ROOM / bodies.max(1)).clamp(2, STEPS);
        let mut row = if self.rows.len() >= most {
            self.rows.pop_front().unwrap_or_default()
        } else {
            Row::default()
        };
        row.time = time;
        row.bodies.clear();
        row.bodies.resize(bodies, Touch::NONE);
        for contact in contacts {
            for body in contact.bodies.into_iter().flatten() {
                let touch = &mut row.bodies[body.0];
                touch.gap = touch.gap.min(contact.gap as f32);
                touch.force += contact.normal_force() as f32;
            }
        }
        self.rows.push_back(row);
    }

    /// What a body touches now.
    pub fn last(&self, body: BodyId) -> Option<Touch> {
        self.rows.back()?.bodies.get(body.0).copied()
    }

    /// At most `limit` points of a series of one body between two times, peaks kept.
    pub fn series(
        &self,
        body: BodyId,
        from: f64,
        to: f64,
        limit: usize,
        value: impl Fn(&Touch) -> f64,
    ) -> Vec<[f64; 2]> {
        let first = self.rows.partition_point(|r| r.time < from);
        let end = self.rows.partition_point(|r| r.time <= to);
        let seen = first.saturating_sub(1)..(end + 1).min(self.rows.len());
        let points: Vec<[f64; 2]> = self
            .rows
            .range(seen)
            .filter_map(|r| Some([r.time, value(r.bodies.get(body.0)?)]))
            .collect();
        thin(&points, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::model::{ContactKey, ContactStatus};

    fn contact(bodies: [Option<usize>; 2], gap: f64, force: f64) -> ContactState {
        ContactState {
            key: ContactKey::default(),
            bodies: bodies.map(|b| b.map(BodyId)),
            point: Vec3::zeros(),
            normal: Vec3::z(),
            gap,
            force: Vec3::new(0.3 * force, 0.0, force),
            slip: Vec3::zeros(),
            friction: 0.5,
            status: ContactStatus::Sticking,
            rebound: 0.0,
        }
    }

    #[test]
    fn a_body_has_its_smallest_gap_and_the_sum_of_its_normal_forces() {
        let mut touches = Touches::default();
        touches.push(
            0.5,
            3,
            &[
                contact([Some(0), None], 0.25, 2.0),
                contact([Some(1), Some(0)], -0.125, 3.0),
            ],
        );
        let of = |k: usize| touches.last(BodyId(k)).unwrap();
        assert_eq!((of(0).gap, of(0).force), (-0.125, 5.0));
        assert_eq!((of(1).gap, of(1).force), (-0.125, 3.0));
        assert_eq!((of(2).gap, of(2).force), (f32::INFINITY, 0.0));
    }

    #[test]
    fn the_oldest_steps_go_first_and_a_peak_survives_thinning() {
        let mut touches = Touches::default();
        let bodies = ROOM / 1000;
        for k in 0..1500 {
            let force = if k == 900 { 70.0 } else { 1.0 };
            touches.push(k as f64, bodies, &[contact([Some(0), None], 0.0, force)]);
        }
        assert!(touches.rows.len() <= 1001 && touches.rows[0].time >= 499.0);
        let seen = touches.series(BodyId(0), 600.0, 1400.0, 100, |t| t.force.into());
        assert!(seen.len() <= 100 && seen.iter().any(|p| p[1] == 70.0));
        assert!(seen.is_sorted_by(|a, b| a[0] <= b[0]));
        // One more on either side, so that lines reach the edges.
        assert!(seen[0][0] <= 600.0 && seen[seen.len() - 1][0] >= 1400.0);
    }
}
