//! Spheres that fall into a box and come to rest there, as a sequence of contact problems.

use super::super::{Node, Point, Problem};
use crate::solver::WORLD;

/// Three numbers.
pub type V = [f64; 3];

/// Step of the sequence (s).
pub const DT: f64 = 0.01;

const GRAVITY: f64 = 9.81;

/// Random numbers from a seed.
pub struct Random(pub u64);

impl Random {
    /// The next, between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        low + (high - low) * ((self.0 >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// A sphere.
#[derive(Debug, Clone, Copy)]
pub struct Ball {
    pub radius: f64,
    pub mass: f64,
    pub place: V,
    /// Linear and angular velocity.
    pub motion: [f64; 6],
}

/// Spheres in a box without a lid.
pub struct Pile {
    pub balls: Vec<Ball>,
    pub width: f64,
    pub friction: f64,
    /// Impulses of the step before, by what touches.
    remembered: Vec<([usize; 2], usize, V)>,
    keys: Vec<([usize; 2], usize)>,
    pub problem: Problem,
}

pub fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: V, b: V) -> V {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub fn scaled(a: V, by: f64) -> V {
    a.map(|x| x * by)
}

fn minus(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Wrenches of unit forces along a normal and two tangents at an arm.
pub fn rows(normal: V, arm: V) -> [[f64; 6]; 3] {
    let axis = if normal[0].abs() < 0.6 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let first = cross(normal, axis);
    let first = scaled(first, 1.0 / dot(first, first).sqrt());
    [normal, first, cross(normal, first)].map(|f| {
        let t = cross(arm, f);
        [f[0], f[1], f[2], t[0], t[1], t[2]]
    })
}

/// A body with an inertia about its axes, turning: the skew part of its matrix is that of a step.
pub fn node(mass: f64, inertia: V, spin: V) -> Node {
    let mut matrix = [[0.0; 6]; 6];
    for k in 0..3 {
        matrix[k][k] = mass;
        matrix[3 + k][3 + k] = inertia[k];
    }
    let w = scaled(spin, 0.5 * DT * inertia[0]);
    for (i, j, x) in [(0, 1, w[2]), (1, 2, w[0]), (2, 0, w[1])] {
        matrix[3 + i][3 + j] -= x;
        matrix[3 + j][3 + i] += x;
    }
    Node {
        matrix,
        rhs: [0.0; 6],
        motion: [0.0; 6],
    }
}

/// `A x`.
pub fn times(a: &[[f64; 6]; 6], x: &[f64; 6]) -> [f64; 6] {
    a.map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum())
}

/// A point with rows on bodies, its mass from that of spheres or boxes: `(row, mass, inertia)` by side.
pub fn point(bodies: [usize; 2], rows: [[[f64; 6]; 3]; 2], nodes: &[Node], friction: f64) -> Point {
    let mut mobility = 0.0;
    for (side, &body) in bodies.iter().enumerate() {
        if body != WORLD {
            for k in 0..6 {
                mobility += rows[side][0][k].powi(2) / nodes[body].matrix[k][k];
            }
        }
    }
    Point {
        compliance: [0.0; 3],
        bodies,
        rows: if friction > 0.0 { 3 } else { 1 },
        force: rows,
        gradient: rows,
        free: [0.0; 3],
        impulse: [0.0; 3],
        mass: 1.0 / mobility,
        friction,
        speed: GRAVITY * DT,
        idle: false,
    }
}

impl Pile {
    /// Spheres above the floor, with masses up to `ratio` times the least.
    pub fn new(count: usize, friction: f64, ratio: f64, seed: u64) -> Self {
        let mut random = Random(seed);
        let side = ((count as f64 / 10.0).cbrt().ceil() as usize).max(2);
        let width = 0.5 * side as f64;
        let balls = (0..count).map(|k| {
            let cell = [k % side, k / side % side, k / (side * side)];
            let radius = random.between(0.13, 0.24);
            let jitter = 0.24 - radius;
            let mut shake = || random.between(-jitter, jitter);
            let place = [
                0.5 * (cell[0] as f64 + 0.5) + shake(),
                0.5 * (cell[1] as f64 + 0.5) + shake(),
                0.5 * (cell[2] as f64 + 0.5) + shake(),
            ];
            let mass = 10.0 * ratio.powf(random.between(-0.5, 0.5));
            let motion = std::array::from_fn(|_| random.between(-0.5, 0.5));
            Ball {
                radius,
                mass,
                place,
                motion,
            }
        });
        let balls = balls.collect();
        let (remembered, keys) = (Vec::new(), Vec::new());
        Self {
            balls,
            width,
            friction,
            remembered,
            keys,
            problem: Problem::default(),
        }
    }

    /// Fills the problem of the next step, warm.
    pub fn fill(&mut self) {
        self.problem.clear();
        self.keys.clear();
        for ball in &self.balls {
            let [_, _, _, a, b, c] = ball.motion;
            let inertia = [0.4 * ball.mass * ball.radius * ball.radius; 3];
            let mut node = node(ball.mass, inertia, [a, b, c]);
            let mut guess = ball.motion;
            guess[2] -= GRAVITY * DT;
            node.rhs = times(&node.matrix, &guess);
            self.problem.bodies.push(node);
        }
        for k in 0..self.balls.len() {
            for j in 0..k {
                self.pair(j, k);
            }
            self.walls(k);
        }
    }

    fn pair(&mut self, j: usize, k: usize) {
        let (a, b) = (self.balls[j], self.balls[k]);
        let span = minus(b.place, a.place);
        let distance = dot(span, span).sqrt();
        let gap = distance - a.radius - b.radius;
        let normal = scaled(span, 1.0 / distance);
        let closing = dot(minus(head(&a), head(&b)), normal);
        if gap < 0.01 + 1.5 * DT * closing.max(0.0) {
            let back = rows(normal, scaled(normal, a.radius)).map(|r| r.map(|x| -x));
            let sides = [rows(normal, scaled(normal, -b.radius)), back];
            self.add([k, j], 0, sides, gap);
        }
    }

    fn walls(&mut self, k: usize) {
        let ball = self.balls[k];
        let walls: [(V, f64); 5] = [
            ([0.0, 0.0, 1.0], 0.0),
            ([1.0, 0.0, 0.0], 0.0),
            ([-1.0, 0.0, 0.0], self.width),
            ([0.0, 1.0, 0.0], 0.0),
            ([0.0, -1.0, 0.0], self.width),
        ];
        for (wall, (normal, offset)) in walls.into_iter().enumerate() {
            let gap = dot(normal, ball.place) + offset - ball.radius;
            if gap < 0.01 + 1.5 * DT * (-dot(normal, head(&ball))).max(0.0) {
                let sides = [rows(normal, scaled(normal, -ball.radius)), [[0.0; 6]; 3]];
                self.add([k, WORLD], 1 + wall, sides, gap);
            }
        }
    }

    fn add(&mut self, bodies: [usize; 2], which: usize, sides: [[[f64; 6]; 3]; 2], gap: f64) {
        let mut point = point(bodies, sides, &self.problem.bodies, self.friction);
        // What was left of a violation is mended little by little.
        point.free[0] = if gap < 0.0 { 0.2 * gap } else { gap } / DT;
        let key = (bodies, which);
        if let Some(found) = self.remembered.iter().find(|r| (r.0, r.1) == key) {
            point.impulse = found.2;
        }
        self.keys.push(key);
        self.problem.points.push(point);
    }

    /// Moves the spheres by the solution of the problem.
    pub fn follow(&mut self) {
        for (ball, node) in self.balls.iter_mut().zip(&self.problem.bodies) {
            ball.motion = node.motion;
            for k in 0..3 {
                ball.place[k] += DT * node.motion[k];
            }
        }
        let found = self.keys.iter().zip(&self.problem.points);
        self.remembered = found.map(|(k, p)| (k.0, k.1, p.impulse)).collect();
    }
}

fn head(ball: &Ball) -> V {
    [ball.motion[0], ball.motion[1], ball.motion[2]]
}
