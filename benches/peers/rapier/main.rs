//! Times a scene of contact side by side with Rapier, on the same bodies, in turns of some steps each, so that a slow
//! moment of the machine hits both; and measures with one and the same query how deep bodies are in each other.
//!
//!     cargo run --release --manifest-path benches/peers/rapier/Cargo.toml --target-dir target/peers [SCENE [STEPS]]

use driftless::contact::Detector;
use driftless::math::{Quat, Vec3};
use driftless::model::{BodyId, Geometry, Model, Shape, State, Twist};
use driftless::scene;
use driftless::sim::{Input, Simulation};
use rapier3d::math::{Matrix, Pose, Rotation, Vector};
use rapier3d::prelude::{
    ColliderBuilder, MassProperties, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SharedShape,
};
use std::error::Error;
use std::time::{Duration, Instant};

/// Steps of one program before it is the other's turn.
const TURN: usize = 10;

/// A shape where its owner is.
struct Placed {
    owner: Option<usize>,
    local: Pose,
    shape: SharedShape,
}

/// What the steps of one program came to.
#[derive(Default)]
struct Score {
    times: Vec<Duration>,
    deepest: f64,
}

impl Score {
    fn line(&self, name: &str, note: &str) -> String {
        let mut times = self.times.clone();
        times.sort_unstable();
        let mean = times.iter().sum::<Duration>().as_secs_f64() / times.len() as f64;
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64();
        format!(
            "| {name} | {:.2} | {:.2} | {:.2} | {:.1e} | {note} |",
            mean * 1e3,
            at(0.5) * 1e3,
            at(1.0) * 1e3,
            self.deepest
        )
    }
}

fn vector(v: &driftless::math::Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn pose(position: &driftless::math::Vec3, orientation: &driftless::math::Quat) -> Pose {
    let q = orientation;
    Pose::from_parts(vector(position), Rotation::from_xyzw(q.i, q.j, q.k, q.w))
}

/// Axes of revolution are along z here and along y there.
fn upright() -> Pose {
    let turn = Rotation::from_rotation_x(std::f64::consts::FRAC_PI_2);
    Pose::from_parts(Vector::ZERO, turn)
}

fn placed(shape: &Shape, owner: Option<usize>) -> Result<Placed, Box<dyn Error>> {
    let (there, turn) = match &shape.geometry {
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
            (SharedShape::cylinder(length / 2.0, *radius), upright())
        }
        Geometry::Cone { radius, length } => {
            // The tip is 3/4 of the height above our origin, half of it above theirs.
            let lift = Pose::from_parts(Vector::Z * (length / 4.0), Rotation::IDENTITY);
            (SharedShape::cone(length / 2.0, *radius), lift * upright())
        }
        Geometry::Hull(surface) => {
            let points: Vec<Vector> = surface.vertices.iter().map(vector).collect();
            let hull = SharedShape::convex_hull(&points).ok_or("a hull without volume")?;
            (hull, Pose::IDENTITY)
        }
        other => return Err(format!("no counterpart for {other:?}").into()),
    };
    Ok(Placed {
        owner,
        local: pose(&shape.pose.translation.vector, &shape.pose.rotation) * turn,
        shape: there,
    })
}

/// All shapes of a model, those of the world first.
fn shapes(model: &Model) -> Result<Vec<Placed>, Box<dyn Error>> {
    let world = model.world_shapes.iter().map(|s| (s, None));
    let bodies = model.bodies.iter().enumerate();
    let bodies = bodies.flat_map(|(k, b)| b.shapes.iter().map(move |s| (s, Some(k))));
    world
        .chain(bodies)
        .map(|(s, owner)| placed(s, owner))
        .collect()
}

/// The same mechanism for Rapier with its own defaults, awake throughout.
fn peer(
    model: &Model,
    state: &State,
    shapes: &[Placed],
    dt: f64,
) -> Result<(PhysicsWorld, Vec<RigidBodyHandle>), Box<dyn Error>> {
    if !model.joints.is_empty() {
        return Err("bodies only: joints have no counterpart here".into());
    }
    let rules = model.contact.as_ref().ok_or("the scene has no contact")?;
    let mut world = PhysicsWorld {
        gravity: vector(&model.gravity),
        ..PhysicsWorld::new()
    };
    world.integration_parameters.dt = dt;
    let handles: Vec<RigidBodyHandle> = model
        .bodies
        .iter()
        .zip(&state.bodies)
        .map(|(body, at)| {
            let columns: Vec<f64> = body.inertia.iter().copied().collect();
            let inertia = Matrix::from_cols_slice(&columns);
            let mass = MassProperties::with_inertia_matrix(Vector::ZERO, body.mass, inertia);
            let rigid = RigidBodyBuilder::dynamic()
                .pose(pose(&at.position, &at.orientation))
                .linvel(vector(&at.velocity.linear))
                .angvel(vector(&at.velocity.angular))
                .additional_mass_properties(mass)
                .can_sleep(false);
            world.insert_body(rigid)
        })
        .collect();
    let (friction, restitution) = rules.coefficients(0, 0);
    for placed in shapes {
        let collider = ColliderBuilder::new(placed.shape.clone())
            .position(placed.local)
            .density(0.0)
            .friction(friction)
            .restitution(restitution);
        world.insert_collider(collider, placed.owner.map(|k| handles[k]));
    }
    Ok((world, handles))
}

/// How deep any two bodies, or a body and the world, are in each other [m], by our own narrow phase for both: distance
/// queries of parry's are metres off for some cones.
fn depth(detector: &mut Detector, model: &Model, state: &mut State, poses: &[Pose]) -> f64 {
    for (body, pose) in state.bodies.iter_mut().zip(poses) {
        let [at, turn] = [pose.translation, pose.rotation.to_scaled_axis()];
        body.position = Vec3::new(at.x, at.y, at.z);
        body.orientation = Quat::from_scaled_axis(Vec3::new(turn.x, turn.y, turn.z));
        body.velocity = Twist::default();
    }
    let mut contacts = Vec::new();
    detector.detect(model, &state.bodies, &vec![0.0; poses.len()], &mut contacts);
    let gaps = contacts.iter().map(|c| c.gap(&state.bodies).distance);
    -gaps.fold(0.0, f64::min)
}

/// Bodies below the ground.
fn escaped(poses: &[Pose]) -> usize {
    poses
        .iter()
        .filter(|p| p.translation.z < 0.0 || !p.translation.is_finite())
        .count()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "pit:bodies=300".into());
    let steps: usize = words.next().map_or(Ok(500), |n| n.parse())?;
    let scene = scene::open(&name, &[])?;
    let mut ours: Simulation = scene.simulation()?;
    let shapes = shapes(ours.model())?;
    let dt = ours.settings().dt;
    let (mut theirs, handles) = peer(ours.model(), ours.state(), &shapes, dt)?;
    let input = Input::default();
    let mut scores = [Score::default(), Score::default()];
    let mut detector = Detector::new(ours.model());
    let mut measured = ours.state().clone();
    let mut poses = [Vec::new(), Vec::new()];
    for _ in 0..steps.div_ceil(TURN) {
        for _ in 0..TURN {
            let start = Instant::now();
            let _ = ours.step(&input)?;
            scores[0].times.push(start.elapsed());
        }
        for _ in 0..TURN {
            let start = Instant::now();
            theirs.step();
            scores[1].times.push(start.elapsed());
        }
        let bodies = 0..ours.model().bodies.len();
        let here = |k: usize| {
            let b = &ours.state().bodies[BodyId(k).0];
            pose(&b.position, &b.orientation)
        };
        poses = [
            bodies.map(here).collect(),
            handles
                .iter()
                .map(|h| *theirs.bodies[*h].position())
                .collect(),
        ];
        for (score, poses) in scores.iter_mut().zip(&poses) {
            score.deepest =
                score
                    .deepest
                    .max(depth(&mut detector, ours.model(), &mut measured, poses));
        }
    }
    println!(
        "{name}, dt {dt} s, {} steps in turns of {TURN}, one thread\n",
        scores[0].times.len()
    );
    println!("| program | mean [ms] | median [ms] | worst [ms] | deepest [m] | notes |");
    println!("|---|---|---|---|---|---|");
    let outcomes = ours.outcomes();
    let notes = [
        format!(
            "{} below the ground; {} failed, {} relaxed, {} in substeps",
            escaped(&poses[0]),
            outcomes.failed,
            outcomes.relaxed,
            outcomes.substeps
        ),
        format!("{} below the ground", escaped(&poses[1])),
    ];
    for ((score, name), note) in scores.iter().zip(["Driftless", "Rapier 0.36"]).zip(&notes) {
        println!("{}", score.line(name, note));
    }
    let ratio = |k: usize| scores[k].times.iter().sum::<Duration>().as_secs_f64();
    println!(
        "\nDriftless takes {:.1} times as long.",
        ratio(0) / ratio(1)
    );
    Ok(())
}
