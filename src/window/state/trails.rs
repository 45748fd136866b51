//! Where chosen points of bodies have been.

use crate::session::Session;
use crate::session::observer::Observer;
use bevy::prelude::Resource;
use physics::math::{Pose, Vec3};
use physics::model::BodyId;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Longest and shortest time that a trail is seen (s).
pub const FADE: [f64; 2] = [0.1, 60.0];

/// Most points of one trail.
const KNOTS: f64 = 240.0;

/// A point that leaves a trail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrailPoint {
    /// The body that it is fixed to.
    pub body: BodyId,
    /// Where, in the body's frame (m).
    pub point: Vec3,
}

/// Past positions of the points.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trails {
    points: Vec<TrailPoint>,
    fade: f64,
    /// Time (s) and positions, oldest first.
    knots: VecDeque<(f64, Vec<Vec3>)>,
}

/// Where the points of the session that is open have been: its trails, which watch it.
#[derive(Resource, Default)]
pub struct SessionTrails(Arc<Mutex<Trails>>);

impl SessionTrails {
    /// The trails.
    pub fn get(&self) -> MutexGuard<'_, Trails> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same trails, which then watch another session.
    pub fn copied(&self) -> Self {
        Self(Arc::new(Mutex::new(self.get().clone())))
    }

    /// Lets the trails watch a session.
    pub fn watch(&self, session: &mut Session) {
        session.observe(self.0.clone());
    }
}

impl Observer for Trails {
    fn step(&mut self, session: &Session) -> bool {
        self.push(session.sample().time, session.poses());
        true
    }

    fn jump(&mut self, session: &Session) {
        self.step(session);
    }

    fn renew(&mut self) {
        self.restart();
    }
}

impl Trails {
    /// The points.
    pub fn points(&self) -> &[TrailPoint] {
        &self.points
    }

    /// Keeps these points from now on, for so long (s).
    pub fn follow(&mut self, points: Vec<TrailPoint>, fade: f64) {
        if self.points != points {
            self.points = points;
            self.knots.clear();
        }
        self.fade = fade.clamp(FADE[0], FADE[1]);
    }

    /// Forgets where the points have been.
    pub fn restart(&mut self) {
        self.knots.clear();
    }

    /// Notes where the points are.
    pub fn push(&mut self, time: f64, poses: &[Pose]) {
        if self.points.is_empty() {
            return;
        }
        // Time may have been turned back, or gone on elsewhere.
        while self.knots.back().is_some_and(|k| k.0 >= time) {
            self.knots.pop_back();
        }
        if self
            .knots
            .back()
            .is_some_and(|k| time - k.0 > 0.5 * self.fade)
        {
            self.knots.clear();
        }
        let spacing = self.fade / KNOTS;
        let crowded = self.knots.len() > 1 && time - self.knots[self.knots.len() - 2].0 < spacing;
        if crowded {
            self.knots.pop_back();
        }
        let at = self
            .points
            .iter()
            .filter_map(|p| Some((poses.get(p.body.0)? * nalgebra::Point3::from(p.point)).coords));
        self.knots.push_back((time, at.collect()));
        while self.knots.front().is_some_and(|k| time - k.0 > self.fade) {
            self.knots.pop_front();
        }
    }

    /// The trail of a point up to a time, with the age of each position from 0 to 1.
    pub fn trail(&self, k: usize, now: f64) -> Vec<(Vec3, f64)> {
        let knots = self.knots.iter().filter(|(time, _)| *time <= now);
        let aged = knots.filter_map(|(time, at)| Some((*at.get(k)?, (now - time) / self.fade)));
        aged.filter(|(_, age)| *age <= 1.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64) -> [Pose; 1] {
        [Pose::translation(x, 0.0, 0.0)]
    }

    #[test]
    fn a_trail_is_as_long_as_its_time_and_keeps_few_points() {
        let mut trails = Trails::default();
        let point = TrailPoint {
            body: BodyId(0),
            point: Vec3::y(),
        };
        trails.follow(vec![point], 2.0);
        for k in 0..=5000 {
            let time = f64::from(k) * 1e-3;
            trails.push(time, &at(time));
        }
        let trail = trails.trail(0, 5.0);
        let (first, last) = (trail[0], trail[trail.len() - 1]);
        // Steps that do not divide the spacing leave a knot a step early.
        assert!(trail.len() <= KNOTS as usize * 9 / 8 + 2, "{}", trail.len());
        // The oldest knot is at most a spacing younger than the trail is long.
        assert!((first.0.x - 3.0).abs() < 2.0 / KNOTS + 1e-9 && first.1 > 0.99);
        assert_eq!((last.0, last.1), (Vec3::new(5.0, 1.0, 0.0), 0.0));
        // Turned back, what was later is gone.
        trails.push(4.0, &at(4.0));
        assert!(trails.knots.iter().all(|k| k.0 <= 4.0));
        // Gone on elsewhere, no line leads there.
        trails.push(9.0, &at(9.0));
        assert_eq!(trails.trail(0, 9.0).len(), 1);
    }
}
