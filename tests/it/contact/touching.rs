//! Bodies that touch, built by hand: balls and blocks on the ground, on slopes, between walls.

use crate::mechanics::bench::{settings, simulation, with_options};
use crate::mechanics::mechanisms::{G, Workshop};
use driftless::math::{Mat3, Pose, Quat, Vec3};
use driftless::model::{BodyId, ContactRules, Geometry, Material, Model, Shape, State, Touch};
use driftless::sim::{Input, Simulation};

/// Gravity of the papers [m/s²].
pub const DOWN: Vec3 = Vec3::new(0.0, 0.0, -G);

/// A shape that touches everything.
pub fn shape(geometry: Geometry, pose: Pose) -> Shape {
    Shape {
        geometry,
        pose,
        colour: None,
        touch: Touch::default(),
        foundations: Vec::new(),
    }
}

impl Workshop {
    /// A workshop of one material.
    pub fn touching(gravity: Vec3, friction: f64, restitution: f64) -> Self {
        let mut w = Self::new(gravity);
        w.parts.contact = Some(ContactRules {
            materials: vec![Material {
                name: "all".into(),
                friction,
                restitution,
                compliance: Default::default(),
            }],
            ..ContactRules::default()
        });
        w
    }

    /// A solid ball.
    pub fn ball(&mut self, mass: f64, radius: f64, position: Vec3) -> BodyId {
        let inertia = Mat3::identity() * (0.4 * mass * radius * radius);
        let ball = self.body(mass, inertia, position, Quat::identity());
        self.clothe(ball, Geometry::Sphere { radius });
        ball
    }

    /// A solid block.
    pub fn block(&mut self, mass: f64, size: Vec3, position: Vec3, orientation: Quat) -> BodyId {
        let block = self.body(mass, block_inertia(mass, size), position, orientation);
        self.clothe(block, Geometry::Box { size });
        block
    }

    /// Gives a body a shape at its centre of mass.
    pub fn clothe(&mut self, body: BodyId, geometry: Geometry) {
        let shape = shape(geometry, Pose::identity());
        self.parts.bodies[body.0].shapes.push(shape);
    }

    /// Solid ground below a plane through a point.
    pub fn ground(&mut self, point: Vec3, up: Quat) {
        let pose = Pose::from_parts(point.into(), up);
        self.parts
            .world_shapes
            .push(shape(Geometry::HalfSpace, pose));
    }

    /// Solid ground below z = 0.
    pub fn floor(&mut self) {
        self.ground(Vec3::zeros(), Quat::identity());
    }

    /// Floor and four walls around a square well.
    pub fn well(&mut self, width: f64) {
        self.floor();
        let half = std::f64::consts::FRAC_PI_2;
        for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
            let outwards = Vec3::new(x, y, 0.0);
            // The half-space's z axis points into the well.
            let tip = Vec3::z().cross(&-outwards) * half;
            self.ground(outwards * (width / 2.0), Quat::from_scaled_axis(tip));
        }
    }

    /// Takes the workshop apart into a simulation with `variational-2`.
    pub fn simulation(self, dt: f64) -> Simulation {
        start(&self.finish(), dt)
    }
}

/// Inertia of a solid block [kg·m²].
pub fn block_inertia(mass: f64, size: Vec3) -> Mat3 {
    let s = size.component_mul(&size) * (mass / 12.0);
    Mat3::from_diagonal(&Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y))
}

/// A simulation with `variational-2` at the tolerance that the tests share.
pub fn start(mechanism: &(Model, State), dt: f64) -> Simulation {
    simulation(mechanism, "variational-2", settings(dt, 1e-10))
}

/// The same with contacts solved to the tolerance, however many there are.
pub fn start_exact(mechanism: &(Model, State), dt: f64) -> Simulation {
    let exact = with_options(
        settings(dt, 1e-10),
        "variational-2",
        "contact_accuracy=exact",
    );
    simulation(mechanism, "variational-2", exact)
}

/// One step, which must succeed.
pub fn step(sim: &mut Simulation, input: &Input) {
    let time = sim.state().time;
    if let Err(error) = sim.step(input) {
        panic!("the step at t = {time} s fails: {error}");
    }
}

/// Steps without input, each looked at.
pub fn watch(sim: &mut Simulation, steps: u64, mut look: impl FnMut(&mut Simulation)) {
    let input = Input::default();
    for _ in 0..steps {
        step(sim, &input);
        look(sim);
    }
}

/// What steps whose budget was spent may have left [m].
#[derive(Default)]
pub struct Remnant(f64);

impl Remnant {
    /// How deep bodies may be in each other for it after one step more [m]: 50 micrometres where its budget was spent, of which
    /// each of those that follow mends a fifth.
    pub fn after(&mut self, sim: &Simulation) -> f64 {
        let spent = sim.report().contact.capped;
        self.0 = if spent { 5e-5 } else { 0.85 * self.0 };
        self.0
    }
}

/// How far any body is from where it was, moved by `shift` [m].
pub fn drift(from: &State, to: &State, shift: Vec3) -> f64 {
    let pairs = from.bodies.iter().zip(&to.bodies);
    pairs
        .map(|(a, b)| (b.position - a.position - shift).norm())
        .fold(0.0, f64::max)
}

/// Largest speed of a body's centre or, times a metre, of its rotation [m/s].
pub fn fastest(sim: &mut Simulation) -> f64 {
    let speed = |v: &driftless::model::Twist| v.linear.norm().max(v.angular.norm());
    sim.velocities().iter().map(speed).fold(0.0, f64::max)
}
