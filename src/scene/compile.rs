//! From a scene file to a model, its first state and its settings. Everything that is wrong is reported.

use super::body::{self, Built};
use super::check::Check;
use super::colour;
use super::error::Problem;
use super::force;
use super::format::{IntegratorFile, SceneFile, VERSION};
use super::joint;
use super::placement::{self, Link, Motion};
use crate::integrators::{self, LinearSolver, Settings};
use crate::joints::{self, Placement};
use crate::kinematics::{self, Assembly};
use crate::math::Vec3;
use crate::model::{BodyState, Model, ModelError, ModelParts, State};

/// The method of a scene that names none.
const METHOD: &str = "variational-2";

/// Names of the linear solvers.
const LINEAR_SOLVERS: [(&str, LinearSolver); 3] = [
    ("articulated", LinearSolver::Articulated),
    ("block-ldu", LinearSolver::BlockLdu),
    ("dense", LinearSolver::Dense),
];

/// What a scene file amounts to.
pub(super) struct Compiled {
    pub model: Model,
    pub state: State,
    pub assembly: Assembly,
    pub integrator: String,
    pub settings: Settings,
}

/// Compiles a scene. `blanked` are fields left out because their text is wrong.
pub(super) fn compile(file: &SceneFile, blanked: &[Vec<String>]) -> Result<Compiled, Vec<Problem>> {
    let mut check = Check::new(blanked);
    if file.version != VERSION {
        let expected = format!("{VERSION}, the version that this program reads");
        check.wrong(&["version"], file.version, &expected);
    }
    names("bodies", file.bodies.names(), &mut check);
    names("joints", file.joints.names(), &mut check);
    names("couplings", file.couplings.names(), &mut check);
    names("springs", file.springs.names(), &mut check);
    names("wrenches", file.wrenches.names(), &mut check);
    if file.bodies.is_empty() {
        check.wrong(&["bodies"], "no bodies", "at least one body");
    }
    if let Some(duration) = file.duration {
        check.positive(&["duration"], duration.0, " s");
    }
    if let Some(speed) = file.speed {
        check.positive(&["speed"], speed.0, "");
    }
    if let Some(camera) = &file.camera {
        let sight = camera.target.0 - camera.eye.0;
        let up = camera.up.map_or(Vec3::z(), |u| u.0);
        if sight.norm() <= 0.0 {
            check.wrong(
                &["camera", "eye"],
                "the same point as target",
                "another point",
            );
        } else if sight.normalize().cross(&up).norm() <= 1e-9 * up.norm() {
            let expected = "an up that is not along the line of sight";
            check.wrong(&["camera", "up"], format!("{:?}", up.as_slice()), expected);
        }
    }
    let (integrator, settings) = settings(&file.integrator, &mut check);
    let bodies: Vec<Built> = file
        .bodies
        .iter()
        .map(|(name, b)| body::build(name, b, &mut check))
        .collect();
    let links: Vec<Link> = file
        .joints
        .iter()
        .filter_map(|(name, j)| joint::link(name, j, file.bodies.names(), &mut check))
        .collect();
    let (motions, _) = placement::place(file, &links, &mut check);
    let (parts, angles) = parts(file, bodies, &links, &motions, &mut check);
    let centres: Vec<Vec3> = parts.bodies.iter().map(|b| -b.origin).collect();
    if parts.couplings.iter().any(|c| {
        c.terms
            .iter()
            .any(|t| t.coordinate >= parts.joints[t.joint.0].kind.freedoms())
    }) {
        // Model::new says which; the offsets below must not read such a coordinate.
        if let Err(errors) = Model::new(parts) {
            errors.iter().for_each(|e| check.report(model_problem(e)));
        }
        return Err(check.into_problems());
    }
    let model = match Model::new(with_offsets(parts, &motions, &centres, &angles)) {
        Ok(model) => model,
        Err(errors) => {
            errors.iter().for_each(|e| check.report(model_problem(e)));
            return Err(check.into_problems());
        }
    };
    let problems = check.into_problems();
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut state = State::at_rest(&model);
    state.bodies = body_states(&motions, &centres);
    state.angles = angles;
    match kinematics::assemble(&model, &mut state) {
        Ok(assembly) => Ok(Compiled {
            model,
            state,
            assembly,
            integrator,
            settings,
        }),
        Err(error) => Err(vec![assembly_problem(&error)]),
    }
}

/// Names must be words that a path can hold, and `world` is taken.
fn names<'a>(section: &str, names: impl Iterator<Item = &'a str>, check: &mut Check) {
    for name in names {
        if name.is_empty() || name.contains(['.', '[', ']', '"']) {
            let found = format!("the name `{name}`");
            check.wrong(
                &[section, name],
                found,
                "a name without dots, brackets and quotes",
            );
        }
        if section == "bodies" && name == "world" {
            let found = "a body named `world`";
            check.wrong(
                &[section, name],
                found,
                "another name; `world` is the ground",
            );
        }
    }
}

/// All parts of the model, couplings still without offsets; and the first angle of every joint.
fn parts(
    file: &SceneFile,
    bodies: Vec<Built>,
    links: &[Link],
    motions: &[Motion],
    check: &mut Check,
) -> (ModelParts, Vec<[f64; 2]>) {
    let centres: Vec<Vec3> = bodies.iter().map(|b| b.centre).collect();
    let given: Vec<_> = bodies.iter().map(|b| b.colour).collect();
    let neighbours = |k: usize| {
        let joined = |l: &Link| match l.parent {
            Some(p) if p == k => Some(l.child),
            Some(p) if l.child == k => Some(p),
            _ => None,
        };
        links.iter().filter_map(joined).collect()
    };
    let colours = colour::choose(&given, neighbours);
    let mut model_bodies: Vec<_> = bodies.into_iter().map(|b| b.body).collect();
    for (body, colour) in model_bodies.iter_mut().zip(colours) {
        for shape in &mut body.shapes {
            shape.colour.get_or_insert(colour);
        }
    }
    let mut angles = Vec::new();
    let mut model_joints = Vec::new();
    for link in links {
        let Some(joint_file) = file.joints.get(link.name) else {
            continue;
        };
        let still = Motion::at(crate::math::Pose::identity());
        let parent = link.parent.map_or(still, |p| motions[p]);
        let frames = link.frames(&parent.pose, &motions[link.child].pose);
        model_joints.push(joint::build(link, joint_file, &frames, &centres, check));
        let turns = link
            .at
            .as_ref()
            .map_or(&[][..], |at| &at[link.kind.free_translations()..]);
        angles.push([0, 1].map(|k| match link.kind.free_rotations() {
            1 | 2 => turns.get(k).copied().unwrap_or(0.0),
            _ => 0.0,
        }));
    }
    let couplings = file
        .couplings
        .iter()
        .filter_map(|(name, c)| force::coupling(name, c, file, links, check))
        .collect();
    let world_shapes = file.world.iter().enumerate();
    let parts = ModelParts {
        forces: force::forces(file, motions, &centres, check),
        world_shapes: world_shapes
            .filter_map(|(k, s)| body::shape(s, &["world", &k.to_string()], check))
            .collect(),
        bodies: model_bodies,
        joints: model_joints,
        couplings,
        cables: Vec::new(),
        contact: None,
        gravity: file.gravity.map_or(Vec3::new(0.0, 0.0, -9.81), |g| g.0),
    };
    (parts, angles)
}

/// Bodies at their centres of mass.
fn body_states(motions: &[Motion], centres: &[Vec3]) -> Vec<BodyState> {
    let state = |(motion, centre): (&Motion, &Vec3)| {
        let arm = motion.pose.rotation * centre;
        BodyState {
            position: motion.pose.translation.vector + arm,
            orientation: motion.pose.rotation,
            velocity: crate::model::Twist {
                linear: motion.linear + motion.angular.cross(&arm),
                angular: motion.angular,
            },
            momentum: Vec3::zeros(),
            angular_momentum: Vec3::zeros(),
        }
    };
    motions.iter().zip(centres).map(state).collect()
}

/// Sets the offsets of couplings so that the first configuration satisfies them.
fn with_offsets(
    mut parts: ModelParts,
    motions: &[Motion],
    centres: &[Vec3],
    angles: &[[f64; 2]],
) -> ModelParts {
    let states = body_states(motions, centres);
    for coupling in &mut parts.couplings {
        let value = |t: &crate::model::CouplingTerm| {
            let joint = &parts.joints[t.joint.0];
            let at = Placement::of(joint, &states);
            t.factor * joints::coordinates(joint.kind, &at, angles[t.joint.0])[t.coordinate]
        };
        coupling.offset = coupling.terms.iter().map(value).sum();
    }
    parts
}

fn settings(file: &IntegratorFile, check: &mut Check) -> (String, Settings) {
    let known = || integrators::REGISTRY.iter().map(|i| i.name);
    if let Some(name) = &file.method
        && !known().any(|k| k == name)
    {
        let path = ["integrator", "method"];
        check.report(Problem::unknown_name(&path, "integrator", name, known()));
    }
    let method = file.method.clone().unwrap_or_else(|| METHOD.into());
    let default = Settings::default();
    let mut settings = Settings {
        dt: file.dt.map_or(default.dt, |n| n.0),
        tolerance: file.tolerance.map_or(default.tolerance, |n| n.0),
        max_iterations: file.max_iterations.unwrap_or(default.max_iterations),
        baumgarte: file.baumgarte.map_or(default.baumgarte, |n| n.0),
        ..default
    };
    if let Some(name) = &file.linear_solver {
        match LINEAR_SOLVERS.iter().find(|(n, _)| n == name) {
            Some((_, solver)) => settings.linear_solver = *solver,
            None => {
                let path = ["integrator", "linear_solver"];
                let names = LINEAR_SOLVERS.iter().map(|s| s.0);
                check.report(Problem::unknown_name(&path, "linear solver", name, names));
            }
        }
    }
    if let Err(error) = settings.validate() {
        let path = ["integrator", error.field];
        check.wrong(&path, error.found, error.expected);
    }
    (method, settings)
}

/// A problem that the model found, at the field of the file that it comes from.
fn model_problem(error: &ModelError) -> Problem {
    match error {
        ModelError::Mass { body, mass } => Problem::new(
            &["bodies", body, "mass"],
            format!("a mass of {mass} kg"),
            "a positive number of kilograms",
        ),
        ModelError::Inertia { body, problem } => Problem::new(
            &["bodies", body, "inertia"],
            format!("a tensor that {problem}"),
            "symmetric, positive definite, no principal moment larger than the sum of the others",
        ),
        ModelError::Value {
            item,
            name,
            field,
            found,
            expected,
        } => {
            let (section, field) = match *item {
                "joint" => match *field {
                    "spring stiffness" => ("joints", "springs"),
                    "actuator limit" | "PD gains" => ("joints", "actuators"),
                    other => ("joints", other),
                },
                "spring of joint" => ("joints", "springs"),
                "actuator of joint" => ("joints", "actuators"),
                "coupling" => ("couplings", "terms"),
                _ => ("springs", *field),
            };
            Problem::new(&[section, name, field], found.clone(), *expected)
        }
        ModelError::SelfJoint { joint, body } => Problem::new(
            &["joints", joint, "child"],
            format!("`{body}`, which is also the parent"),
            "two different bodies",
        ),
        ModelError::Duplicate { items, name } => Problem::new(
            &[items, name],
            format!("a second item named `{name}`"),
            "names that differ",
        ),
    }
}

fn assembly_problem(error: &kinematics::AssemblyError) -> Problem {
    match error {
        kinematics::AssemblyError::CannotClose { joint, gap } => Problem::new(
            &["joints", joint],
            format!("a joint that cannot be closed: {gap:.3e} m or rad remain"),
            "anchors and axes that can meet; check positions, anchors and `at` around the loop",
        ),
    }
}
