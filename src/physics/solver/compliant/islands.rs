//! What only pushes, solved with the bodies: islands of free bodies as [sparse problems](coulomb), those with bodies that
//! rows tie together by the matrix that eliminating these leaves.

use super::{Asked, CompliantSolver, Found, Impulse, Mechanism, Stop};
use crate::solver::WORLD;
use crate::solver::coulomb::{Dense, DensePoint, Node, Options, Point, Problem};

/// Sweeps before the first step of Newton's method: impulses start from the step before.
const SWEEPS: u32 = 20;

/// A side of a stop: its body, the place of the stop among those of its island, and which side.
type Side = (usize, usize, usize);

/// Room of the problems.
#[derive(Debug, Clone, Default)]
pub(super) struct Islands {
    loose: Problem,
    dense: Dense,
    /// For every body another one of its island with a smaller index or the same.
    parent: Vec<usize>,
    /// Whether the island of a first body holds anything that rows tie together.
    tied: Vec<bool>,
    /// Place of every body among those of the sparse problem.
    node: Vec<usize>,
    /// Stop of every point of the sparse problem.
    points: Vec<usize>,
    /// Stops of islands that are tied, island by island, with the first body of each.
    order: Vec<(usize, usize)>,
    /// Sides of stops of one island, by body: (body, place among its stops, side).
    sides: Vec<Side>,
    /// Bodies of the sides of an island, by mechanism: (mechanism, body), each once.
    reached: Vec<(usize, usize)>,
}

fn root(parent: &mut [usize], mut body: usize) -> usize {
    while parent[body] != body {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    body
}

impl Islands {
    /// Finds the islands that stops and rows make.
    pub(super) fn part(&mut self, stops: &[Stop], mechanisms: &[Mechanism], count: usize) {
        self.parent.clear();
        self.parent.extend(0..count);
        let join = |parent: &mut [usize], a: usize, b: usize| {
            let (a, b) = (root(parent, a), root(parent, b));
            parent[a.max(b)] = a.min(b);
        };
        for mechanism in mechanisms {
            for pair in mechanism.bodies.windows(2) {
                join(&mut self.parent, pair[0], pair[1]);
            }
        }
        for stop in stops {
            if let [Some(a), Some(b)] = stop.bodies {
                join(&mut self.parent, a, b);
            }
        }
        self.tied.clear();
        self.tied.resize(count, false);
        for mechanism in mechanisms {
            let first = root(&mut self.parent, mechanism.bodies[0]);
            self.tied[first] = true;
        }
    }

    /// First body of the island of a stop, and whether it is tied.
    pub(super) fn island(&mut self, stop: &Stop) -> (usize, bool) {
        let body = stop.bodies.iter().flatten().next();
        let first = body.map_or(0, |&b| root(&mut self.parent, b));
        (first, self.tied[first])
    }
}

impl CompliantSolver {
    /// Finds the impulses of all stops, and with them the changes of velocity.
    pub(super) fn push_stops(&mut self, asked: &Asked) {
        let mut room = std::mem::take(&mut self.islands);
        room.part(&self.stops, &self.mechanisms, self.bodies.len());
        let options = Options {
            tolerance: asked.accuracy * self.scale.speed,
            fine: 0.0,
            sweeps: SWEEPS,
            budget: asked.budget,
            merging: 0.0,
            ..Options::default()
        };
        for stop in &mut self.stops {
            stop.velocity[0] = stop.rates(|b| self.bodies[b].velocity);
        }
        self.solve_loose(&mut room, &options);
        self.solve_tied(&mut room, &options);
        self.solve_mechanisms();
        self.islands = room;
    }

    /// Velocities of all stops at the end of the step.
    pub(super) fn measure_stops(&mut self) {
        for stop in &mut self.stops {
            let bodies = &self.bodies;
            stop.velocity[1] = stop.rates(|b| bodies[b].end());
        }
    }

    fn solve_loose(&mut self, room: &mut Islands, options: &Options) {
        room.loose.clear();
        room.points.clear();
        room.node.clear();
        room.node.resize(self.bodies.len(), WORLD);
        for (k, stop) in self.stops.iter().enumerate() {
            if room.island(stop).1 {
                continue;
            }
            let places = stop.bodies.map(|body| {
                let Some(body) = body else { return WORLD };
                if room.node[body] == WORLD {
                    room.node[body] = room.loose.bodies.len();
                    room.loose.bodies.push(Node {
                        matrix: self.bodies[body].matrix,
                        rhs: self.bodies[body].impulse,
                        motion: [0.0; 6],
                    });
                }
                room.node[body]
            });
            room.points.push(k);
            room.loose
                .points
                .push(point(stop, places, self.scale.speed));
        }
        if room.points.is_empty() {
            return;
        }
        for report in room.loose.solve(options) {
            self.found.add(report.violation, report.work, report.capped);
            self.found.factorisations += report.factorisations;
        }
        for (point, &k) in room.loose.points.iter().zip(&room.points) {
            self.stops[k].impulse = point.impulse;
        }
        for (body, &node) in self.bodies.iter_mut().zip(&room.node) {
            if node != WORLD {
                body.change = room.loose.bodies[node].motion;
            }
        }
    }

    fn solve_tied(&mut self, room: &mut Islands, options: &Options) {
        room.order.clear();
        for (k, stop) in self.stops.iter().enumerate() {
            let (first, tied) = room.island(stop);
            if tied {
                room.order.push((first, k));
            }
        }
        room.order.sort_unstable();
        let mut start = 0;
        while start < room.order.len() {
            let first = room.order[start].0;
            let same = |(body, _): &&(usize, usize)| *body == first;
            let end = start + room.order[start..].iter().take_while(same).count();
            self.solve_island(room, start..end, options);
            start = end;
        }
    }

    /// Solves the island of the stops at these places of the order.
    fn solve_island(&mut self, room: &mut Islands, own: std::ops::Range<usize>, options: &Options) {
        let Islands {
            dense,
            order,
            sides,
            reached,
            ..
        } = room;
        let own = &order[own];
        let stops = own.iter().map(|o| o.1);
        let speed = self.scale.speed;
        let bodies = &self.bodies;
        dense.begin(stops.clone().map(|k| {
            let stop = &self.stops[k];
            let velocity = stop.rates(|b| bodies[b].end());
            let mut point = DensePoint::of(&point(stop, [WORLD; 2], speed));
            point.free = velocity;
            point.free[0] += stop.ahead;
            point
        }));
        sides.clear();
        reached.clear();
        for (place, k) in stops.clone().enumerate() {
            for (side, body) in self.stops[k].bodies.iter().enumerate() {
                if let Some(body) = body {
                    sides.push((*body, place, side));
                    let mechanism = self.place_of[*body].map_or(WORLD, |(m, _)| m);
                    reached.push((mechanism, *body));
                }
            }
        }
        sides.sort_unstable();
        reached.sort_unstable();
        reached.dedup();
        // Columns of the matrix: what a unit impulse over the effective mass does to all rows.
        for (place, k) in stops.clone().enumerate() {
            let stop = self.stops[k];
            for row in 0..stop.rows {
                let column = dense.first(place) + row;
                self.spread(dense, (&stop, row), column, own, (sides, reached));
                *dense.element(column, column) += stop.compliance[row] * stop.mass;
            }
        }
        let report = dense.solve(options);
        self.found.add(report.violation, report.work, report.capped);
        self.found.factorisations += report.factorisations;
        for (place, k) in stops.clone().enumerate() {
            self.stops[k].impulse = dense.points[place].impulse;
        }
        self.give(stops.clone(), reached);
    }

    /// Writes the column of a row: the velocities of all rows of the island by its impulse.
    fn spread(
        &mut self,
        dense: &mut Dense,
        (stop, row): (&Stop, usize),
        column: usize,
        stops: &[(usize, usize)],
        (sides, reached): (&[Side], &[(usize, usize)]),
    ) {
        let pushed = |body: usize| {
            let mut sum = [0.0; 6];
            for side in 0..2 {
                if stop.bodies[side] == Some(body) {
                    for (x, y) in sum.iter_mut().zip(stop.gradient[side][row]) {
                        *x += y * stop.mass;
                    }
                }
            }
            sum
        };
        let own = [0, 1].map(|side| {
            let body = stop.bodies[side]?;
            Some(self.place_of[body].map_or((WORLD, body), |(m, _)| (m, body)))
        });
        let mut solved = WORLD;
        for &(mechanism, body) in reached {
            let mine = |p: &Option<(usize, usize)>| match p {
                Some((m, b)) if mechanism == WORLD => *m == WORLD && *b == body,
                Some((m, _)) => *m == mechanism,
                None => false,
            };
            if !own.iter().any(mine) {
                continue;
            }
            let change: Impulse = match self.place_of[body] {
                None => super::times(&self.bodies[body].inverse, &pushed(body)),
                Some((m, node)) => {
                    if solved != m {
                        let system = &mut self.mechanisms[m];
                        system.begin();
                        for side in 0..2 {
                            let Some(b) = stop.bodies[side] else { continue };
                            if let Some((at, node)) = self.place_of[b]
                                && at == m
                            {
                                system.push(node, &stop.gradient[side][row], stop.mass);
                            }
                        }
                        system.solve();
                        solved = m;
                    }
                    let mut change = [0.0; 6];
                    change.copy_from_slice(self.mechanisms[m].change(node));
                    change
                }
            };
            let from = sides.partition_point(|s| s.0 < body);
            for &(_, place, side) in sides[from..].iter().take_while(|s| s.0 == body) {
                let to = dense.first(place);
                let k = dense.points[place].rows;
                let other = &self.stops[stops[place].1];
                for r in 0..k {
                    let gradient = &other.gradient[side][r];
                    *dense.element(to + r, column) += super::dot(gradient, &change);
                }
            }
        }
    }

    /// Gives the impulses found to the free bodies of an island.
    fn give(&mut self, stops: impl Iterator<Item = usize> + Clone, reached: &[(usize, usize)]) {
        for &(_, body) in reached.iter().filter(|(m, _)| *m == WORLD) {
            let mut sum = self.bodies[body].impulse;
            self.add_impulses(stops.clone(), body, &mut sum);
            self.bodies[body].change = super::times(&self.bodies[body].inverse, &sum);
        }
    }

    fn add_impulses(&self, stops: impl Iterator<Item = usize>, body: usize, sum: &mut Impulse) {
        for k in stops {
            let stop = &self.stops[k];
            for side in 0..2 {
                if stop.bodies[side] == Some(body) {
                    for (row, p) in stop.impulses().iter().enumerate().take(stop.rows) {
                        for (x, y) in sum.iter_mut().zip(stop.gradient[side][row]) {
                            *x += y * p;
                        }
                    }
                }
            }
        }
    }
}

impl Found {
    fn add(&mut self, violation: f64, work: f64, capped: bool) {
        self.violation = crate::solver::worse(self.violation, violation);
        self.work += work;
        self.capped |= capped;
    }
}

/// A stop as a point of a problem.
fn point(stop: &Stop, bodies: [usize; 2], speed: f64) -> Point {
    let [normal, first, second] = stop.velocity[0];
    Point {
        bodies,
        rows: stop.rows,
        force: stop.gradient,
        gradient: stop.gradient,
        free: [normal + stop.ahead, first, second],
        impulse: stop.impulse,
        compliance: stop.compliance.map(|c| c * stop.mass),
        mass: stop.mass,
        friction: stop.friction,
        speed,
        idle: false,
    }
}
