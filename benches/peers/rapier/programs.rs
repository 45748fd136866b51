//! Driftless and Rapier, step by step, on the same bodies.

use crate::task::{self, Reading};
use driftless::math::{Quat, Vec3};
use driftless::model::{Geometry, Shape};
use driftless::sim::{Input, Simulation};
use rapier3d::math::{Matrix, Pose, Rotation, Vector};
use rapier3d::prelude::{
    ColliderBuilder, FrictionModel, IntegrationParameters, MassProperties, PhysicsWorld,
    RigidBodyBuilder, RigidBodyHandle, SharedShape,
};
use std::error::Error;

pub trait Program {
    fn step(&mut self) -> Result<(), Box<dyn Error>>;

    fn state(&mut self) -> Vec<Reading>;

    /// What is worth knowing about all steps so far.
    fn note(&self) -> String;
}

pub struct Driftless {
    simulation: Simulation,
    /// States whose velocities do not follow the laws of contact.
    rough: u64,
}

impl Driftless {
    /// Options are those of the method.
    pub fn new(
        scene: &str,
        substeps: usize,
        options: &[(&str, &str)],
    ) -> Result<Self, Box<dyn Error>> {
        let dt = task::open(scene, &[])?.settings.dt / substeps as f64;
        let mut sets = vec![("integrator.dt".to_owned(), dt.to_string())];
        let path = |name| format!("integrator.options.{name}");
        sets.extend(options.iter().map(|(n, v)| (path(n), (*v).to_owned())));
        Ok(Self {
            simulation: task::open(scene, &sets)?.simulation()?,
            rough: 0,
        })
    }
}

impl Program for Driftless {
    fn step(&mut self) -> Result<(), Box<dyn Error>> {
        self.simulation.step(&Input::default())?;
        Ok(())
    }

    fn state(&mut self) -> Vec<Reading> {
        // Those at the knot, at which positions are.
        let velocities = self.simulation.velocities().to_vec();
        self.rough += u64::from(self.simulation.reads_roughly());
        let bodies = self.simulation.state().bodies.iter().zip(&velocities);
        bodies
            .map(|(b, v)| task::reading(&b.position, &b.orientation, v))
            .collect()
    }

    fn note(&self) -> String {
        let outcomes = self.simulation.outcomes();
        let counts = [
            ("failed", outcomes.failed),
            ("relaxed", outcomes.relaxed),
            ("in substeps", outcomes.substeps),
            ("capped", outcomes.capped),
            ("with rough velocities", self.rough),
        ];
        let counts = counts.iter().filter(|c| c.1 > 0);
        let words: Vec<String> = counts.map(|(name, n)| format!("{n} {name}")).collect();
        words.join(", ")
    }
}

pub struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl Rapier {
    /// With Rapier's defaults but for `options`, awake throughout, and with the gyroscopic torque that they leave out.
    pub fn new(
        scene: &str,
        substeps: usize,
        options: &[(&str, &str)],
    ) -> Result<Self, Box<dyn Error>> {
        let scene = task::open(scene, &[])?;
        let mut world = PhysicsWorld {
            gravity: vector(&scene.model.gravity),
            ..PhysicsWorld::new()
        };
        world.integration_parameters.dt = scene.settings.dt / substeps as f64;
        for option in options {
            set(&mut world.integration_parameters, option)?;
        }
        let mut bodies = Vec::new();
        for (body, at) in scene.model.bodies.iter().zip(&scene.state.bodies) {
            let columns: Vec<f64> = body.inertia.iter().copied().collect();
            let inertia = Matrix::from_cols_slice(&columns);
            let mass = MassProperties::with_inertia_matrix(Vector::ZERO, body.mass, inertia);
            let rigid = RigidBodyBuilder::dynamic()
                .pose(pose(&at.position, &at.orientation))
                .linvel(vector(&at.velocity.linear))
                .angvel(vector(&at.velocity.angular))
                .additional_mass_properties(mass)
                .gyroscopic_forces_enabled(true)
                .can_sleep(false);
            bodies.push(world.insert_body(rigid));
        }
        let friction = task::friction(&scene)?;
        let of_bodies = scene.model.bodies.iter().zip(&bodies);
        let of_bodies = of_bodies.flat_map(|(b, h)| b.shapes.iter().map(|s| (s, Some(*h))));
        let of_world = scene.model.world_shapes.iter().map(|s| (s, None));
        for (shape, owner) in of_world.chain(of_bodies) {
            world.insert_collider(collider(shape, friction)?, owner);
        }
        Ok(Self { world, bodies })
    }
}

fn set(of: &mut IntegrationParameters, option: &(&str, &str)) -> Result<(), Box<dyn Error>> {
    match *option {
        ("iterations", count) => of.num_solver_iterations = count.parse()?,
        ("inner", count) => of.num_internal_pgs_iterations = count.parse()?,
        ("friction", "coulomb") => of.friction_model = FrictionModel::Coulomb,
        ("frequency", hertz) => {
            of.contact_softness.natural_frequency = hertz.parse()?;
            of.static_contact_softness.natural_frequency = hertz.parse()?;
        }
        (name, value) => return Err(format!("no setting {name}={value}").into()),
    }
    Ok(())
}

impl Program for Rapier {
    fn step(&mut self) -> Result<(), Box<dyn Error>> {
        self.world.step();
        Ok(())
    }

    fn state(&mut self) -> Vec<Reading> {
        let bodies = self.bodies.iter().map(|h| &self.world.bodies[*h]);
        let read = bodies.map(|b| {
            let (x, q) = (b.position().translation, b.position().rotation);
            let (v, w) = (b.linvel(), b.angvel());
            [
                x.x, x.y, x.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z,
            ]
        });
        read.collect()
    }

    fn note(&self) -> String {
        String::new()
    }
}

fn vector(v: &Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn pose(position: &Vec3, q: &Quat) -> Pose {
    Pose::from_parts(vector(position), Rotation::from_xyzw(q.i, q.j, q.k, q.w))
}

fn collider(shape: &Shape, friction: f64) -> Result<ColliderBuilder, Box<dyn Error>> {
    // Axes of revolution are along z here and along y there.
    let turn = Rotation::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let upright = Pose::from_parts(Vector::ZERO, turn);
    let (there, placed) = match &shape.geometry {
        Geometry::HalfSpace => (SharedShape::halfspace(Vector::Z), Pose::IDENTITY),
        Geometry::Sphere { radius } => (SharedShape::ball(*radius), Pose::IDENTITY),
        Geometry::Box { size } => {
            let half = size / 2.0;
            (SharedShape::cuboid(half.x, half.y, half.z), Pose::IDENTITY)
        }
        Geometry::Capsule { radius, length } => (
            SharedShape::capsule_z(length / 2.0, *radius),
            Pose::IDENTITY,
        ),
        Geometry::Cylinder { radius, length } => {
            (SharedShape::cylinder(length / 2.0, *radius), upright)
        }
        Geometry::Cone { radius, length } => {
            // The tip is 3/4 of the height above our origin, half of it above theirs.
            let lift = Pose::from_parts(Vector::Z * (length / 4.0), Rotation::IDENTITY);
            (SharedShape::cone(length / 2.0, *radius), lift * upright)
        }
        Geometry::Hull(surface) => {
            let points: Vec<Vector> = surface.vertices.iter().map(vector).collect();
            let hull = SharedShape::convex_hull(&points).ok_or("a hull without volume")?;
            (hull, Pose::IDENTITY)
        }
        other => return Err(format!("no counterpart for {other:?}").into()),
    };
    let local = pose(&shape.pose.translation.vector, &shape.pose.rotation) * placed;
    Ok(ColliderBuilder::new(there)
        .position(local)
        .density(0.0)
        .friction(friction)
        .restitution(0.0))
}
