//! From a scene file to a model, its first state and its settings. Everything that is wrong is reported.

use super::body::{self, Built};
use super::chart;
use super::check::Check;
use super::colour;
use super::contact::{Names, Owner};
use super::error::Problem;
use super::files::Files;
use super::force::{self, Joints};
use super::format::{SceneFile, VERSION};
use super::joint;
use super::link::Link;
use super::placement::{self, Motion};
use super::problem;
use super::settings::settings;
use super::shape::Bench;
use super::start;
use crate::diagnostics::Chart;
use crate::integrators::Settings;
use crate::joints::{self, Placement};
use crate::kinematics::{self, Assembly};
use crate::math::Vec3;
use crate::model::{BodyState, Model, ModelParts, State};

/// What a scene file amounts to.
pub(super) struct Compiled {
    pub model: Model,
    pub state: State,
    pub assembly: Assembly,
    pub integrator: String,
    pub settings: Settings,
    pub charts: Vec<Chart>,
}

/// Compiles a scene. `blanked` are fields left out because their text is wrong.
pub(super) fn compile(
    file: &SceneFile,
    blanked: &[Vec<String>],
    files: &Files,
) -> Result<Compiled, Vec<Problem>> {
    let mut check = Check::new(blanked);
    if file.version != VERSION {
        let expected = format!("{VERSION}, the version that this program reads");
        check.wrong(&["version"], file.version, &expected);
    }
    names("bodies", file.bodies.names(), &mut check);
    names("joints", file.joints.names(), &mut check);
    names("couplings", file.couplings.names(), &mut check);
    names("springs", file.springs.names(), &mut check);
    names("cables", file.cables.names(), &mut check);
    names("wrenches", file.wrenches.names(), &mut check);
    if let Some(contact) = &file.contact {
        names("materials", contact.materials.names(), &mut check);
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
    let bench = Bench {
        files,
        contact: Names::of(file, &mut check),
    };
    let bodies: Vec<Built> = file
        .bodies
        .iter()
        .map(|(name, b)| body::build(name, b, &bench, &mut check))
        .collect();
    let links: Vec<Link> = file
        .joints
        .iter()
        .filter_map(|(name, j)| joint::link(name, j, &file.bodies, &mut check))
        .collect();
    let (motions, _) = placement::place(file, &links, &mut check);
    let (parts, angles) = parts(file, &bench, bodies, &links, &motions, &mut check);
    let centres: Vec<Vec3> = parts.bodies.iter().map(|b| -b.origin).collect();
    if parts.couplings.iter().any(|c| {
        c.terms
            .iter()
            .any(|t| t.coordinate >= parts.joints[t.joint.0].kind.freedoms())
    }) {
        // Model::new says which; the offsets below must not read such a coordinate.
        if let Err(errors) = Model::new(parts) {
            errors
                .iter()
                .for_each(|e| check.report(problem::of_model(e, file)));
        }
        return Err(check.into_problems());
    }
    let model = match Model::new(with_offsets(parts, &motions, &centres, &angles)) {
        Ok(model) => model,
        Err(errors) => {
            errors
                .iter()
                .for_each(|e| check.report(problem::of_model(e, file)));
            return Err(check.into_problems());
        }
    };
    let charts = chart::build(&file.charts, &model, &mut check);
    let problems = check.into_problems();
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut state = State::at_rest(&model);
    state.bodies = body_states(&motions, &centres);
    state.angles = angles;
    let beyond = start::out_of_reach(&model, &state);
    if !beyond.is_empty() {
        return Err(beyond);
    }
    let assembly = kinematics::assemble(&model, &mut state)
        .map_err(|error| vec![problem::of_assembly(&error)])?;
    let beyond = start::beyond_bounds(&model, &state);
    if !beyond.is_empty() {
        return Err(beyond);
    }
    Ok(Compiled {
        model,
        state,
        assembly,
        integrator,
        settings,
        charts,
    })
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
    bench: &Bench,
    bodies: Vec<Built>,
    links: &[Link],
    motions: &[Motion],
    check: &mut Check,
) -> (ModelParts, Vec<[f64; 2]>) {
    let centres: Vec<Vec3> = bodies.iter().map(|b| b.centre).collect();
    let given: Vec<_> = bodies.iter().map(|b| b.colour).collect();
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
    for link in links {
        if let Some(parent) = link.parent {
            neighbours[parent].push(link.child);
            neighbours[link.child].push(parent);
        }
    }
    let colours = colour::choose(&given, &neighbours);
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
    let joints = Joints::of(links);
    let couplings = file
        .couplings
        .iter()
        .filter_map(|(name, c)| force::coupling(name, c, file, &joints, check))
        .collect();
    let world_shapes = file.world.iter().enumerate();
    let parts = ModelParts {
        forces: force::forces(file, motions, &centres, check),
        world_shapes: world_shapes
            .filter_map(|(k, s)| bench.shape(s, &["world", &k.to_string()], Owner::World, check))
            .collect(),
        bodies: model_bodies,
        joints: model_joints,
        couplings,
        cables: force::cables(file, motions, &centres, check),
        contact: bench.contact.rules(file, check),
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
