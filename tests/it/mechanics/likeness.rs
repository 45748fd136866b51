//! What it is to be like another mechanism, and how far two motions are apart that should be alike.

use driftless::math::{Quat, Vec3};
use driftless::model::{Model, State};
use driftless::scene::Scene;
use driftless::sim::{Input, Simulation};

/// A change of what a mechanism is written in: its units, its axes, its order. The motion is that of the mechanism it
/// was made from.
pub trait Likeness {
    /// The scene written so.
    fn scene(&self, scene: &Scene) -> Scene;

    /// A state of the mechanism as its like has it: poses, velocities and momenta.
    fn state(&self, state: &State) -> State;

    /// What is done to the mechanism as it is done to its like.
    fn input(&self, model: &Model, input: &Input) -> Input;

    /// How long its like is of what is a metre long.
    fn size(&self) -> f64 {
        1.0
    }

    /// What its like has of what is a newton.
    fn force(&self) -> f64 {
        1.0
    }
}

/// Runs a scene for so many steps: iterations of every step, and the end.
pub fn run(scene: &Scene, steps: usize, input: &Input) -> (Simulation, Vec<u32>) {
    let mut sim: Simulation = scene.simulation().expect("its method runs it");
    let iterations = (0..steps).map(|k| match sim.step(input) {
        Ok(report) => report.iterations,
        Err(error) => panic!("{}, step {k}: {error}", scene.name),
    });
    let iterations = iterations.collect();
    (sim, iterations)
}

/// How far two states are from each other: positions over `size` and orientations, the largest of all bodies.
pub fn apart(a: &State, b: &State, size: f64) -> f64 {
    let pairs = a.bodies.iter().zip(&b.bodies);
    pairs
        .map(|(a, b)| {
            let way = (a.position - b.position).norm() / size;
            way.max(turned(&a.orientation, &b.orientation))
        })
        .fold(0.0, f64::max)
}

fn turned(a: &Quat, b: &Quat) -> f64 {
    // Twice the sine of the half angle: exact where two are nearly alike.
    let q = (a.inverse() * b).into_inner();
    2.0 * Vec3::new(q.i, q.j, q.k).norm()
}

/// How far a mechanism and its like are apart after some steps.
#[derive(Debug, Clone, Copy)]
pub struct Difference {
    /// Of positions, of what is a metre long, and orientations [rad].
    pub motion: f64,
    /// Of reactions, relative to the largest; torques over a metre. Nothing where forces are not determined.
    pub reactions: f64,
    /// Of work from outside and energy dissipated, relative to a joule and to themselves.
    pub work: f64,
}

impl Difference {
    /// Runs a scene and its like.
    pub fn of(scene: &Scene, likeness: &dyn Likeness, steps: usize, input: &Input) -> Self {
        let (plain, _) = run(scene, steps, input);
        let like = likeness.scene(scene);
        let (sim, _) = run(&like, steps, &likeness.input(&scene.model, input));
        let (wanted, found) = (likeness.state(plain.state()), sim.state());
        let joule = likeness.force() * likeness.size();
        let work = |a: f64, b: f64| (a * joule - b).abs() / (joule * (1.0 + a.abs()));
        let (a, b) = (&plain.state().work, &found.work);
        Self {
            motion: apart(&wanted, found, likeness.size()),
            reactions: if scene.assembly.redundant == 0 && scene.model.contact.is_none() {
                reactions(&wanted, found, likeness.size())
            } else {
                0.0
            },
            work: work(a.external, b.external).max(work(a.dissipated, b.dissipated)),
        }
    }

    /// The largest of all.
    pub fn worst(&self) -> f64 {
        self.motion.max(self.reactions).max(self.work)
    }
}

/// Largest difference of reactions, relative to the largest reaction; torques over `size`.
fn reactions(a: &State, b: &State, size: f64) -> f64 {
    let norm = |force: Vec3, torque: Vec3| force.norm().max(torque.norm() / size);
    let all = a.reactions.iter().map(|r| norm(r.force, r.torque));
    let largest = all.fold(f64::MIN_POSITIVE, f64::max);
    let pairs = a.reactions.iter().zip(&b.reactions);
    pairs
        .map(|(a, b)| norm(a.force - b.force, a.torque - b.torque) / largest)
        .fold(0.0, f64::max)
}
