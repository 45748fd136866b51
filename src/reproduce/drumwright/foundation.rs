//! The cube on an elastic foundation, pushed down at a point that goes round on its top [Drumwright sect. 5.5]: as a scene of the
//! method, and as ordinary differential equations of a rigid body on springs, which share nothing with it.

use physics::integrators::Settings;
use physics::math::{Pose, Quat, Vec3};
use physics::model::{
    Axes, Body, BodyId, ContactRules, Face, Force, Foundation, Geometry, Material, Model,
    ModelParts, Shape, Signal, State, SurfaceCompliance, Touch,
};

use crate::RunError;
use physics::sim::{Input, Simulation};

/// Edge of the cube (m), its density (kg/m³), depth of the foundation (m).
const EDGE: f64 = 1.0;
const DENSITY: f64 = 8.0;
const DEPTH: f64 = 1.0;

/// Gravity (m/s²), damping of an element (N·s/m), angular velocity of the point (rad/s), duration (s).
const G: f64 = 9.81;
const DAMPING: f64 = 1.0;
const ROUND: f64 = 10.0;
pub const DURATION: f64 = 1.0;

/// One of the experiments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// Elements along an edge.
    pub side: usize,
    /// Load (N).
    pub load: f64,
    /// Elastic modulus (Pa).
    pub modulus: f64,
    /// What the paper says: seconds, absolute error.
    pub time: f64,
    /// Absolute error at the end, at 0.01 s.
    pub error: f64,
}

const fn case(side: usize, load: f64, modulus: f64, time: f64, error: f64) -> Case {
    Case {
        side,
        load,
        modulus,
        time,
        error,
    }
}

/// Those of the paper's tables, the soft ones first.
pub const CASES: [Case; 8] = [
    case(10, 5.0, 1e7, 0.331, 2.96e-5),
    case(10, 50.0, 1e7, 0.332, 0.813),
    case(30, 5.0, 1e7, 7.40, 1.98e-5),
    case(30, 50.0, 1e7, 12.98, 1.0e-2),
    case(10, 5.0, 1e11, 0.286, 2.91e-7),
    case(10, 50.0, 1e11, 0.396, 0.814),
    case(30, 5.0, 1e11, 8.23, 2.71e-9),
    case(30, 50.0, 1e11, 26.00, 1.0e-2),
];

impl Case {
    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.side * self.side
    }

    /// The scene of the method.
    pub fn simulation(&self, dt: f64) -> Result<Simulation, RunError> {
        let shape = |geometry| Shape {
            geometry,
            pose: Pose::identity(),
            colour: None,
            touch: Touch::default(),
            foundations: Vec::new(),
        };
        let mass = DENSITY * EDGE.powi(3);
        let inertia = physics::math::Mat3::identity() * (mass * EDGE * EDGE / 6.0);
        let mut cube = Body::new("cube", mass, inertia);
        let size = Vec3::repeat(EDGE);
        cube.shapes = vec![shape(Geometry::Box { size })];
        let spacing = EDGE / self.side as f64;
        let foundation = Foundation {
            face: Face {
                axis: 2,
                upper: true,
            },
            extent: [EDGE; 2],
            elements: [self.side; 2],
            depth: DEPTH,
            modulus: self.modulus,
            // That of an element, whatever its area.
            damping: DAMPING * DEPTH / (spacing * spacing),
        };
        let mut ground = shape(Geometry::HalfSpace);
        ground.foundations = vec![foundation];
        let arm = 0.5 * EDGE * self.load;
        let signal = |text: String| Signal::expression(&text).expect("it is an expression");
        let push = Force::Wrench {
            name: "push".into(),
            body: BodyId(0),
            point: Vec3::z() * (0.5 * EDGE),
            axes: Axes::World,
            force: [0.0, 0.0, -self.load].map(Signal::Constant),
            // Of the force at a point beside the middle of the top.
            torque: [
                signal(format!("-{arm}*sin({ROUND}*t)")),
                signal(format!("{arm}*cos({ROUND}*t)")),
                Signal::Constant(0.0),
            ],
        };
        let parts = ModelParts {
            bodies: vec![cube],
            forces: vec![push],
            gravity: Vec3::z() * -G,
            world_shapes: vec![ground],
            contact: Some(ContactRules {
                materials: vec![Material {
                    name: "smooth".into(),
                    friction: 0.0,
                    restitution: 0.0,
                    compliance: SurfaceCompliance::RIGID,
                }],
                ..ContactRules::default()
            }),
            ..ModelParts::default()
        };
        let model = Model::new(parts).expect("the cube is a valid model");
        let mut state = State::at_rest(&model);
        state.bodies[0].position.z = 0.5 * EDGE;
        let settings = Settings {
            dt,
            ..Settings::default()
        };
        Ok(Simulation::new(model, state, "compliant", settings)?)
    }

    /// Position and quaternion at the end by the method.
    pub fn by_method(&self, dt: f64) -> Result<[f64; 7], RunError> {
        let mut sim = self.simulation(dt)?;
        for _ in 0..(DURATION / dt).round() as u64 {
            step(&mut sim)?;
        }
        let body = &sim.state().bodies[0];
        Ok(coordinates(&body.position, &body.orientation))
    }

    /// The same by the equations of motion; the error of a step is this part of how far the cube sinks in.
    pub fn by_equations(&self, accuracy: f64) -> [f64; 7] {
        let start = Motion {
            position: Vec3::z() * (0.5 * EDGE),
            orientation: [1.0, 0.0, 0.0, 0.0],
            velocity: Vec3::zeros(),
            spin: Vec3::zeros(),
        };
        // Motions that count are as large as the foundation gives.
        let weight = DENSITY * EDGE.powi(3) * G + self.load;
        let sinks = weight * DEPTH / (self.modulus * EDGE * EDGE);
        let fast = (self.modulus * EDGE * EDGE / DEPTH / (DENSITY * EDGE.powi(3))).sqrt();
        let scale = [sinks, sinks * fast].map(|x| x * accuracy);
        let rate = |t: f64, at: &Motion| self.rate(t, at);
        let end = dormand_prince(rate, start, DURATION, 0.1 / fast, scale);
        let [w, x, y, z] = end.orientation;
        let turn = Quat::new_normalize(nalgebra::Quaternion::new(w, x, y, z));
        coordinates(&end.position, &turn)
    }

    /// Velocities and accelerations of the cube on its springs.
    fn rate(&self, t: f64, at: &Motion) -> Motion {
        let [w, x, y, z] = at.orientation;
        let turn = Quat::new_normalize(nalgebra::Quaternion::new(w, x, y, z)).to_rotation_matrix();
        let mass = DENSITY * EDGE.powi(3);
        let moment = mass * EDGE * EDGE / 6.0;
        let mut force = Vec3::z() * -(mass * G + self.load);
        let (sine, cosine) = (ROUND * t).sin_cos();
        let point = turn * Vec3::new(0.5 * EDGE * cosine, 0.5 * EDGE * sine, 0.5 * EDGE);
        let mut torque = point.cross(&(Vec3::z() * -self.load));
        // Springs are upright; the lower face of the cube is at `normal · (p - bottom) = 0`.
        let normal = turn * Vec3::z();
        let bottom = at.position - normal * (0.5 * EDGE);
        let spacing = EDGE / self.side as f64;
        let stiffness = self.modulus * spacing * spacing / DEPTH;
        let middle = |k: usize| (k as f64 + 0.5) * spacing - 0.5 * EDGE;
        for i in 0..self.side {
            for j in 0..self.side {
                let (x, y) = (middle(i), middle(j));
                let height =
                    bottom.z - (normal.x * (x - bottom.x) + normal.y * (y - bottom.y)) / normal.z;
                if height >= 0.0 {
                    continue;
                }
                let arm = Vec3::new(x, y, height) - at.position;
                let speed = at.velocity + at.spin.cross(&arm);
                let rising = normal.dot(&speed) / normal.z;
                let push = -stiffness * height - DAMPING * rising;
                if push > 0.0 {
                    let own = normal * (push / normal.z);
                    force += own;
                    torque += arm.cross(&own);
                }
            }
        }
        let (p, q, r) = (at.spin.x, at.spin.y, at.spin.z);
        Motion {
            position: at.velocity,
            // World axes: half the product of spin and quaternion.
            orientation: [
                0.5 * (-p * x - q * y - r * z),
                0.5 * (p * w + q * z - r * y),
                0.5 * (q * w + r * x - p * z),
                0.5 * (r * w + p * y - q * x),
            ],
            velocity: force / mass,
            // A cube's inertia is the same about all axes.
            spin: torque / moment,
        }
    }
}

/// One step without input.
pub fn step(sim: &mut Simulation) -> Result<(), RunError> {
    match sim.step(&Input::default()) {
        Ok(_) => Ok(()),
        Err(error) => Err(RunError::Step {
            method: "compliant".into(),
            error,
        }),
    }
}

fn coordinates(position: &Vec3, turn: &Quat) -> [f64; 7] {
    let p = position;
    // Of the two quaternions of a rotation the one near none.
    let sign = if turn.w < 0.0 { -1.0 } else { 1.0 };
    let q = turn.coords * sign;
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z]
}

/// Euclidean distance of coordinates.
pub fn distance(a: &[f64; 7], b: &[f64; 7]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
    squares.sum::<f64>().sqrt()
}

/// A motion, or its rate.
#[derive(Debug, Clone, Copy)]
struct Motion {
    position: Vec3,
    orientation: [f64; 4],
    velocity: Vec3,
    spin: Vec3,
}

impl Motion {
    fn plus(&self, by: f64, rate: &Self) -> Self {
        Self {
            position: self.position + rate.position * by,
            orientation: std::array::from_fn(|k| self.orientation[k] + by * rate.orientation[k]),
            velocity: self.velocity + rate.velocity * by,
            spin: self.spin + rate.spin * by,
        }
    }
}

/// Nodes, rows and the difference of the weights of the two orders, of the pair of orders 5 and 4 of Dormand and Prince.
const NODES: [f64; 6] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0];
const ROWS: [&[f64]; 6] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
    ],
    &[
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
    ],
];
const WEIGHTS: [f64; 6] = [
    35.0 / 384.0,
    0.0,
    500.0 / 1113.0,
    125.0 / 192.0,
    -2187.0 / 6784.0,
    11.0 / 84.0,
];
const DIFFERENCE: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// Integrates to `end`, with steps whose error in poses and velocities is about the two of `scale`.
fn dormand_prince(
    rate: impl Fn(f64, &Motion) -> Motion,
    mut at: Motion,
    end: f64,
    first: f64,
    scale: [f64; 2],
) -> Motion {
    let (mut t, mut h) = (0.0, first);
    let mut now = rate(t, &at);
    while t < end {
        h = f64::min(h, end - t);
        let mut rates = [now; 7];
        for k in 1..6 {
            let mut stage = at;
            for (by, own) in ROWS[k].iter().zip(&rates) {
                stage = stage.plus(h * by, own);
            }
            rates[k] = rate(t + NODES[k] * h, &stage);
        }
        let mut next = at;
        for (by, own) in WEIGHTS.iter().zip(&rates) {
            next = next.plus(h * by, own);
        }
        rates[6] = rate(t + h, &next);
        let mut error = rates[0].plus(-1.0, &rates[0]);
        for (by, own) in DIFFERENCE.iter().zip(&rates) {
            error = error.plus(h * by, own);
        }
        let turn = error
            .orientation
            .iter()
            .fold(0.0, |m: f64, x| m.max(x.abs()));
        let pose = error.position.amax().max(turn) / scale[0];
        let speed = error.velocity.amax().max(error.spin.amax()) / scale[1];
        let size = pose.max(speed);
        // What would be lost in rounding is taken as it is.
        if size <= 1.0 || t + h == t {
            t += h;
            (at, now) = (next, rates[6]);
        }
        h *= (0.9 * size.max(1e-10).powf(-0.2)).clamp(0.2, 4.0);
    }
    at
}
