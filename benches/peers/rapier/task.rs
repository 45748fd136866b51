//! Scenes as all programs get them, and states as they give them back.

use driftless::model::Twist;
use driftless::scene::{self, Scene};
use serde_json::{Value, json};
use std::error::Error;

/// Position, orientation (w first), velocity and angular velocity of a body, all in world axes.
pub type Reading = [f64; 13];

/// How fast the bodies of a cloud come together [1/s], go round it [1/s] and spin [rad/s].
const CLOUD: (f64, f64, f64) = (2.0, 1.0, 5.0);

/// A scene by its name, with values changed. `cloud:…` is the pit of the same parameters without ground, walls and
/// gravity, whose bodies are thrown at their middle.
pub fn open(name: &str, sets: &[(String, String)]) -> Result<Scene, Box<dyn Error>> {
    let mut all = Vec::new();
    let mut spec = name.to_owned();
    if let Some(parameters) = name.strip_prefix("cloud:") {
        spec = format!("pit:{parameters}");
        all = cloud(&scene::open(&spec, &[])?);
    }
    all.extend_from_slice(sets);
    Ok(scene::open(&spec, &all)?)
}

fn cloud(pit: &Scene) -> Vec<(String, String)> {
    let places = || pit.state.bodies.iter().map(|b| b.position);
    let middle = places().sum::<driftless::math::Vec3>() / places().count() as f64;
    let (inwards, round, spin) = CLOUD;
    let mut sets = vec![
        ("gravity".to_owned(), "(0, 0, 0)".to_owned()),
        ("world".to_owned(), "[]".to_owned()),
    ];
    for (k, body) in pit.model.bodies.iter().enumerate() {
        let arm = pit.state.bodies[k].position - middle;
        let mut velocity = -inwards * arm;
        velocity.x -= round * arm.y;
        velocity.y += round * arm.x;
        let mut turning = [0.0; 3];
        turning[k % 3] = spin;
        let mut set = |field: &str, v: [f64; 3]| {
            let value = format!("({}, {}, {})", v[0], v[1], v[2]);
            sets.push((format!("bodies.{}.{field}", body.name), value));
        };
        set("velocity", velocity.into());
        set("angular_velocity", turning);
    }
    sets
}

/// Friction of all contacts: the other programs get one.
pub fn friction(scene: &Scene) -> Result<f64, Box<dyn Error>> {
    let model = &scene.model;
    if !model.joints.is_empty() || !model.forces.is_empty() || !model.cables.is_empty() {
        return Err("bodies only: joints, springs and cables have no counterpart here".into());
    }
    let rules = model.contact.as_ref().ok_or("the scene has no contact")?;
    if rules.materials.len() != 1 || rules.coefficients(0, 0).1 != 0.0 {
        return Err("one material without restitution only".into());
    }
    Ok(rules.coefficients(0, 0).0)
}

/// What a program needs to know of a scene.
pub fn describe(scene: &Scene) -> Result<Value, Box<dyn Error>> {
    let model = &scene.model;
    let bodies = model.bodies.iter().zip(&scene.state.bodies);
    let bodies = bodies.map(|(body, at)| {
        let rows = body.inertia.row_iter();
        let inertia: Vec<Vec<f64>> = rows.map(|r| r.iter().copied().collect()).collect();
        json!({
            "mass": body.mass,
            "inertia": inertia,
            "shapes": body.shapes,
            "state": reading(&at.position, &at.orientation, &at.velocity),
        })
    });
    Ok(json!({
        "gravity": model.gravity,
        "friction": friction(scene)?,
        "dt": scene.settings.dt,
        "world": model.world_shapes,
        "bodies": bodies.collect::<Vec<_>>(),
    }))
}

pub fn reading(
    x: &driftless::math::Vec3,
    q: &driftless::math::Quat,
    Twist { linear, angular }: &Twist,
) -> Reading {
    [
        x.x, x.y, x.z, q.w, q.i, q.j, q.k, linear.x, linear.y, linear.z, angular.x, angular.y,
        angular.z,
    ]
}
