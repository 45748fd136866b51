//! Mechanisms like others: of another size, density and time, elsewhere.

use crate::mechanics::likeness::Likeness;
use driftless::math::Vec3;
use driftless::model::{
    Attachment, Force, Geometry, HeightField, Joint, JointKind, Model, ModelParts, Profile, Shape,
    Signal, State, Surface,
};
use driftless::scene::Scene;
use driftless::sim::{DragGoal, Input};
use std::sync::Arc;

/// Factors of what has units, gravity as it is.
#[derive(Debug, Clone, Copy)]
pub struct Factors {
    /// Of lengths.
    pub length: f64,
    /// Of masses.
    pub mass: f64,
    /// Of times: the root of that of lengths.
    pub time: f64,
}

impl Factors {
    /// A mechanism so many times as long and as dense.
    pub fn new(length: f64, density: f64) -> Self {
        Self {
            length,
            mass: density * length.powi(3),
            time: length.sqrt(),
        }
    }

    fn speed(&self) -> f64 {
        self.length / self.time
    }

    /// Of a joint coordinate.
    fn coordinate(&self, kind: JointKind, k: usize) -> f64 {
        if k < kind.free_translations() {
            self.length
        } else {
            1.0
        }
    }

    /// A signal of so many times the value, at so many times the time.
    pub fn signal(&self, signal: &Signal, value: f64) -> Signal {
        match signal {
            Signal::Constant(x) => Signal::Constant(x * value),
            Signal::Table(points) => {
                let points = points.iter().map(|(t, x)| (t * self.time, x * value));
                Signal::table(points.collect()).expect("times stay in order")
            }
            Signal::Profile(profile) => {
                let points = profile.points().iter();
                let points = points.map(|(t, v)| (t * self.time, v * value)).collect();
                let profile = Profile::new(profile.course(), points);
                Signal::Profile(profile.expect("times stay in order").into())
            }
            Signal::Expression(e) => {
                // Numbers are written without exponents, which expressions do not know.
                let mut text = String::new();
                let letters: Vec<char> = e.text().chars().collect();
                for (k, c) in letters.iter().enumerate() {
                    let in_word = |k: Option<usize>| {
                        k.and_then(|k| letters.get(k))
                            .is_some_and(|c| c.is_alphanumeric() || *c == '_')
                    };
                    if *c == 't' && !in_word(k.checked_sub(1)) && !in_word(Some(k + 1)) {
                        text += &format!("(t/{})", self.time);
                    } else {
                        text.push(*c);
                    }
                }
                Signal::expression(&format!("({text})*({value})")).expect("it was one before")
            }
        }
    }

    fn geometry(&self, geometry: &Geometry) -> Geometry {
        let s = self.length;
        let surface = |from: &Arc<Surface>| {
            Arc::new(Surface {
                vertices: from.vertices.iter().map(|v| v * s).collect(),
                triangles: from.triangles.clone(),
            })
        };
        match geometry {
            Geometry::HalfSpace => Geometry::HalfSpace,
            Geometry::Sphere { radius } => Geometry::Sphere { radius: radius * s },
            Geometry::Box { size } => Geometry::Box { size: size * s },
            Geometry::Cylinder { radius, length } => Geometry::Cylinder {
                radius: radius * s,
                length: length * s,
            },
            Geometry::Capsule { radius, length } => Geometry::Capsule {
                radius: radius * s,
                length: length * s,
            },
            Geometry::Cone { radius, length } => Geometry::Cone {
                radius: radius * s,
                length: length * s,
            },
            Geometry::Ellipsoid { radii } => Geometry::Ellipsoid { radii: radii * s },
            Geometry::Hull(from) => Geometry::Hull(surface(from)),
            Geometry::Mesh(from) => Geometry::Mesh(surface(from)),
            Geometry::HeightField(from) => Geometry::HeightField(Arc::new(HeightField {
                extent: from.extent.map(|x| x * s),
                samples: from.samples,
                heights: from.heights.iter().map(|x| x * s).collect(),
            })),
        }
    }

    fn shape(&self, shape: &mut Shape) {
        shape.geometry = self.geometry(&shape.geometry);
        shape.pose.translation.vector *= self.length;
    }

    fn ends(&self, ends: &mut [Attachment; 2]) {
        ends.iter_mut().for_each(|e| e.point *= self.length);
    }

    fn joint(&self, joint: &mut Joint) {
        let (force, kind) = (self.force(), joint.kind);
        let torque = force * self.length;
        // Of a generalised force, per coordinate.
        let push = |k: usize| force * self.length / self.coordinate(kind, k);
        joint.parent_frame.anchor *= self.length;
        joint.child_frame.anchor *= self.length;
        joint.damping_translation *= force / self.speed();
        joint.damping_rotation *= torque * self.time;
        for spring in &mut joint.springs {
            let q = self.coordinate(kind, spring.coordinate);
            spring.stiffness *= push(spring.coordinate) / q;
            spring.rest *= q;
        }
        for limit in &mut joint.limits {
            let q = self.coordinate(kind, limit.coordinate);
            limit.lower *= q;
            limit.upper *= q;
        }
        for actuator in &mut joint.actuators {
            let (push, q) = (
                push(actuator.coordinate),
                self.coordinate(kind, actuator.coordinate),
            );
            actuator.command = self.signal(&actuator.command, push);
            actuator.limit *= push;
            if let Some(pd) = &mut actuator.pd {
                pd.stiffness *= push / q;
                pd.damping *= push / q * self.time;
                pd.target = self.signal(&pd.target, q);
                pd.rate = self.signal(&pd.rate, q / self.time);
            }
        }
    }

    /// The model with these factors.
    pub fn model(&self, model: &Model) -> Model {
        let mut parts: ModelParts = model.parts();
        let (force, s) = (self.force(), self.length);
        for body in &mut parts.bodies {
            body.mass *= self.mass;
            body.inertia *= self.mass * s * s;
            body.origin *= s;
            body.shapes.iter_mut().for_each(|shape| self.shape(shape));
        }
        parts.joints.iter_mut().for_each(|j| self.joint(j));
        for coupling in &mut parts.couplings {
            for term in &mut coupling.terms {
                let kind = parts.joints[term.joint.0].kind;
                term.factor *= s / self.coordinate(kind, term.coordinate);
            }
            coupling.offset *= s;
        }
        for item in &mut parts.forces {
            match item {
                Force::Spring {
                    ends,
                    stiffness,
                    rest,
                    damping,
                    ..
                } => {
                    self.ends(ends);
                    *stiffness *= force / s;
                    *rest *= s;
                    *damping *= force / self.speed();
                }
                Force::Wrench {
                    point,
                    force: push,
                    torque,
                    ..
                } => {
                    *point *= s;
                    *push = push.clone().map(|x| self.signal(&x, force));
                    *torque = torque.clone().map(|x| self.signal(&x, force * s));
                }
            }
        }
        for cable in &mut parts.cables {
            self.ends(&mut cable.ends);
            cable.length *= s;
        }
        parts.world_shapes.iter_mut().for_each(|w| self.shape(w));
        Model::new(parts).unwrap_or_else(|e| panic!("{self:?}: {e:?}"))
    }
}

impl Likeness for Factors {
    fn state(&self, state: &State) -> State {
        let mut state = state.clone();
        let impulse = self.mass * self.speed();
        for body in &mut state.bodies {
            body.position *= self.length;
            body.velocity.linear *= self.speed();
            body.velocity.angular /= self.time;
            body.momentum *= impulse;
            body.angular_momentum *= impulse * self.length;
        }
        for reaction in &mut state.reactions {
            reaction.force *= self.force();
            reaction.torque *= self.force() * self.length;
        }
        state
    }

    fn scene(&self, scene: &Scene) -> Scene {
        let mut scene = scene.clone();
        scene.model = self.model(&scene.model);
        scene.state = self.state(&scene.state);
        scene.settings.dt *= self.time;
        let rate = scene.settings.options.chosen().any(|o| o.0 == "baumgarte");
        assert!(!rate, "a rate would be scaled");
        scene
    }

    fn input(&self, model: &Model, input: &Input) -> Input {
        let mut input = input.clone();
        if let Some(drag) = &mut input.drag {
            drag.point *= self.length;
            if let DragGoal::Pull(to) = &mut drag.goal {
                *to *= self.length;
            }
        }
        for command in &mut input.commands {
            let q = self.coordinate(model.joints[command.joint.0].kind, command.coordinate);
            command.value *= self.force() * self.length / q;
        }
        for wrench in &mut input.wrenches {
            wrench.point *= self.length;
            wrench.force *= self.force();
            wrench.torque *= self.force() * self.length;
        }
        input
    }

    fn size(&self) -> f64 {
        self.length
    }

    // Gravity pulls on `mass`, and is the same.
    fn force(&self) -> f64 {
        self.mass * self.length / (self.time * self.time)
    }
}

/// The scene elsewhere.
pub fn moved(scene: &Scene, by: &Vec3) -> Scene {
    let mut scene = scene.clone();
    let mut parts = scene.model.parts();
    for joint in parts.joints.iter_mut().filter(|j| j.parent.is_none()) {
        joint.parent_frame.anchor += by;
    }
    let springs = parts.forces.iter_mut().filter_map(|f| match f {
        Force::Spring { ends, .. } => Some(ends),
        Force::Wrench { .. } => None,
    });
    let cables = parts.cables.iter_mut().map(|c| &mut c.ends);
    for end in springs.chain(cables).flatten() {
        if end.body.is_none() {
            end.point += by;
        }
    }
    for shape in &mut parts.world_shapes {
        shape.pose.translation.vector += by;
    }
    scene.model = Model::new(parts).unwrap_or_else(|e| panic!("{by:?}: {e:?}"));
    for body in &mut scene.state.bodies {
        body.position += by;
    }
    scene
}
