//! Parts of a model: some of its bodies with all that acts on no other, as a model of their own.

use super::{
    BodyId, ContactRules, Coupling, CouplingTerm, Force, Input, Joint, JointId, Model, State, Work,
};

/// A part of a model. Its items come in the order of the model, each with its number there.
#[derive(Debug, Clone)]
pub struct Part {
    /// The part as a model, with all that is fixed to the world.
    pub model: Model,
    /// Bodies.
    pub bodies: Vec<usize>,
    joints: Vec<usize>,
    couplings: Vec<usize>,
    /// Entries of [`State::limits`].
    limits: Vec<usize>,
}

impl Joint {
    /// Whether nothing passes through it: it leaves all free, and nothing pushes or brakes its coordinates.
    pub fn is_idle(&self) -> bool {
        let Self {
            kind,
            damping_translation,
            damping_rotation,
            springs,
            actuators,
            limits,
            ..
        } = self;
        let pushes = !(springs.is_empty() && actuators.is_empty() && limits.is_empty());
        kind.constraints() == 0
            && *damping_translation == 0.0
            && *damping_rotation == 0.0
            && !pushes
    }
}

impl Model {
    /// Every pair of bodies of which one moves as the other does it: by a joint, a coupling, a spring or a cable.
    pub fn ties(&self, mut tie: impl FnMut(BodyId, BodyId)) {
        for joint in self.joints.iter().filter(|j| !j.is_idle()) {
            if let Some(parent) = joint.parent {
                tie(parent, joint.child);
            }
        }
        for coupling in &self.couplings {
            let bodies = |term: &CouplingTerm| {
                let joint = &self.joints[term.joint.0];
                [Some(joint.child), joint.parent]
            };
            let mut bodies = coupling.terms.iter().flat_map(bodies).flatten();
            if let Some(first) = bodies.next() {
                bodies.for_each(|other| tie(first, other));
            }
        }
        let springs = self.forces.iter().filter_map(|force| match force {
            Force::Spring { ends, .. } => Some(ends),
            Force::Wrench { .. } => None,
        });
        for ends in springs.chain(self.cables.iter().map(|c| &c.ends)) {
            if let [Some(a), Some(b)] = ends.map(|end| end.body) {
                tie(a, b);
            }
        }
    }

    /// The part that has the bodies of these numbers, in rising order: of all that [ties](Self::ties) bodies it has what ties
    /// none but its own.
    pub fn part(&self, bodies: &[usize]) -> Part {
        let number = |body: BodyId| bodies.binary_search(&body.0).ok().map(BodyId);
        // The world is in every part.
        let side = |body: Option<BodyId>| match body {
            None => Some(None),
            Some(body) => number(body).map(Some),
        };
        let placed = |joint: &Joint| {
            Some(Joint {
                parent: side(joint.parent)?,
                child: number(joint.child)?,
                ..joint.clone()
            })
        };
        let (joint_numbers, joints) = kept(&self.joints, placed);
        let term = |term: &CouplingTerm| {
            let joint = joint_numbers.binary_search(&term.joint.0).ok();
            joint.map(|k| CouplingTerm {
                joint: JointId(k),
                ..*term
            })
        };
        let (coupling_numbers, couplings) = kept(&self.couplings, |coupling: &Coupling| {
            Some(Coupling {
                terms: coupling.terms.iter().map(term).collect::<Option<_>>()?,
                ..coupling.clone()
            })
        });
        let (_, forces) = kept(&self.forces, |force| {
            let mut force = force.clone();
            match &mut force {
                Force::Wrench { body, .. } => *body = number(*body)?,
                Force::Spring { ends, .. } => {
                    for end in ends {
                        end.body = side(end.body)?;
                    }
                }
            }
            Some(force)
        });
        let (cable_numbers, cables) = kept(&self.cables, |cable| {
            let mut cable = cable.clone();
            for end in &mut cable.ends {
                end.body = side(end.body)?;
            }
            Some(cable)
        });
        let mut first = 0;
        let mut limits = Vec::new();
        for (k, joint) in self.joints.iter().enumerate() {
            let own = first..first + joint.limits.len();
            first = own.end;
            if joint_numbers.binary_search(&k).is_ok() {
                limits.extend(own);
            }
        }
        limits.extend(cable_numbers.into_iter().map(|k| first + k));
        let contact = self.contact.as_ref().map(|rules| ContactRules {
            apart: kept(&rules.apart, |[a, b]| Some([number(*a)?, number(*b)?])).1,
            ..rules.clone()
        });
        let rows = super::rows(&joints, &couplings);
        Part {
            model: Self {
                bodies: bodies.iter().map(|k| self.bodies[*k].clone()).collect(),
                joints,
                couplings,
                forces,
                gravity: self.gravity,
                world_shapes: self.world_shapes.clone(),
                cables,
                contact,
                rows,
            },
            bodies: bodies.to_vec(),
            joints: joint_numbers,
            couplings: coupling_numbers,
            limits,
        }
    }
}

/// What a function makes of items, as far as it makes anything, with their numbers.
fn kept<T, U>(items: &[T], make: impl Fn(&T) -> Option<U>) -> (Vec<usize>, Vec<U>) {
    let numbered = items.iter().enumerate();
    numbered
        .filter_map(|(k, item)| Some((k, make(item)?)))
        .unzip()
}

/// Copies the items of these numbers.
fn pick<T: Copy>(from: &[T], numbers: &[usize], to: &mut Vec<T>) {
    to.clear();
    to.extend(numbers.iter().map(|k| from[*k]));
}

/// Copies items to the places of these numbers.
fn put<T: Copy>(from: &[T], numbers: &[usize], to: &mut [T]) {
    for (item, k) in from.iter().zip(numbers) {
        to[*k] = *item;
    }
}

impl Part {
    /// Number in the part of a body of the model.
    pub fn number(&self, body: BodyId) -> Option<BodyId> {
        self.bodies.binary_search(&body.0).ok().map(BodyId)
    }

    /// Takes what the part has of a state of the model, contacts and memory apart; no work was done in it yet.
    pub fn take(&self, from: &State, state: &mut State) {
        state.time = from.time;
        state.step = from.step;
        pick(&from.bodies, &self.bodies, &mut state.bodies);
        pick(&from.reactions, &self.joints, &mut state.reactions);
        pick(
            &from.coupling_forces,
            &self.couplings,
            &mut state.coupling_forces,
        );
        pick(&from.angles, &self.joints, &mut state.angles);
        state.swept = from.swept;
        pick(&from.limits, &self.limits, &mut state.limits);
        state.work = Work::default();
    }

    /// Puts that back into the state of the model, adding the work that was done.
    pub fn give(&self, from: &State, state: &mut State) {
        put(&from.bodies, &self.bodies, &mut state.bodies);
        put(&from.reactions, &self.joints, &mut state.reactions);
        put(
            &from.coupling_forces,
            &self.couplings,
            &mut state.coupling_forces,
        );
        put(&from.angles, &self.joints, &mut state.angles);
        put(&from.limits, &self.limits, &mut state.limits);
        let (sum, done) = (&mut state.work, &from.work);
        sum.external += done.external;
        sum.dissipated += done.dissipated;
        sum.impact += done.impact;
        sum.friction += done.friction;
    }

    /// Takes what of an input acts on the part.
    pub fn take_input(&self, from: &Input, input: &mut Input) {
        input.drag = from.drag.and_then(|mut drag| {
            drag.body = self.number(drag.body)?;
            Some(drag)
        });
        input.commands.clear();
        input
            .commands
            .extend(from.commands.iter().filter_map(|command| {
                let mut command = *command;
                command.joint = JointId(self.joints.binary_search(&command.joint.0).ok()?);
                Some(command)
            }));
        input.wrenches.clear();
        input
            .wrenches
            .extend(from.wrenches.iter().filter_map(|wrench| {
                let mut wrench = *wrench;
                wrench.body = self.number(wrench.body)?;
                Some(wrench)
            }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        Attachment, Body, Cable, Command, Drag, DragGoal, JointFrame, JointKind, JointLimit,
        ModelParts,
    };
    use super::*;
    use crate::math::{Mat3, Quat, Vec3};

    fn joint(name: &str, kind: JointKind, parent: Option<usize>, child: usize) -> Joint {
        let frame = JointFrame {
            anchor: Vec3::zeros(),
            orientation: Quat::identity(),
        };
        Joint {
            name: name.into(),
            kind,
            parent: parent.map(BodyId),
            child: BodyId(child),
            parent_frame: frame,
            child_frame: frame,
            damping_translation: 0.0,
            damping_rotation: 0.0,
            springs: vec![],
            actuators: vec![],
            limits: vec![],
            compliance: Default::default(),
        }
    }

    fn attachment(body: usize) -> Attachment {
        Attachment {
            body: Some(BodyId(body)),
            point: Vec3::zeros(),
        }
    }

    /// Bodies 0 and 2 on a hinge with limits, 1 and 3 on a spring and a cable, 4 by itself; an idle joint from 0 to 1, a
    /// coupling of the hinge.
    fn model() -> Model {
        let limit = JointLimit {
            coordinate: 0,
            lower: -1.0,
            upper: 1.0,
            restitution: 0.0,
            compliance: Default::default(),
        };
        let body = |k: usize| Body::new(format!("b{k}"), 1.0 + k as f64, Mat3::identity());
        let on_rail = joint("rail", JointKind::Prismatic, None, 1);
        let parts = ModelParts {
            bodies: (0..5).map(body).collect(),
            joints: vec![
                joint("idle", JointKind::Floating, Some(0), 1),
                Joint {
                    limits: vec![limit],
                    ..on_rail
                },
                Joint {
                    limits: vec![limit],
                    ..joint("hinge", JointKind::Revolute, Some(0), 2)
                },
            ],
            couplings: vec![Coupling {
                name: "held".into(),
                terms: vec![CouplingTerm {
                    joint: JointId(2),
                    coordinate: 0,
                    factor: 1.0,
                }],
                offset: 0.0,
                compliance: Default::default(),
            }],
            forces: vec![Force::Spring {
                name: "spring".into(),
                ends: [attachment(1), attachment(3)],
                stiffness: 1.0,
                rest: 0.0,
                damping: 0.0,
            }],
            cables: vec![Cable {
                name: "cable".into(),
                ends: [attachment(3), attachment(1)],
                length: 1.0,
                restitution: 0.0,
                compliance: Default::default(),
            }],
            contact: Some(ContactRules {
                apart: vec![[BodyId(3), BodyId(4)], [BodyId(1), BodyId(3)]],
                ..ContactRules::default()
            }),
            ..ModelParts::default()
        };
        Model::new(parts).expect("it is a model")
    }

    #[test]
    fn what_ties_bodies_is_in_a_part_with_all_of_them_and_what_is_idle_ties_nothing() {
        let model = model();
        let mut ties = Vec::new();
        model.ties(|a, b| ties.push([a.0, b.0]));
        assert_eq!(ties, [[0, 2], [2, 0], [1, 3], [3, 1]]);
        let names = |part: &Part| {
            let joints = part.model.joints.iter().map(|j| j.name.clone());
            joints.collect::<Vec<_>>()
        };
        let (a, b, c) = (model.part(&[0, 2]), model.part(&[1, 3]), model.part(&[4]));
        assert_eq!(names(&a), ["hinge"]);
        assert_eq!(a.model.joints[0].child, BodyId(1));
        assert_eq!(a.model.couplings[0].terms[0].joint, JointId(0));
        assert_eq!(a.model.equations(), 5 + 1);
        assert!(a.model.forces.is_empty() && a.model.cables.is_empty());
        assert_eq!(names(&b), ["rail"]);
        assert_eq!(b.model.joints[0].parent, None);
        assert_eq!(
            b.model.cables[0].ends.map(|e| e.body.map(|b| b.0)),
            [Some(1), Some(0)]
        );
        assert_eq!(b.model.forces.len(), 1);
        let apart = b.model.contact.as_ref().map(|rules| rules.apart.clone());
        assert_eq!(apart, Some(vec![[BodyId(0), BodyId(1)]]));
        assert!(names(&c).is_empty() && c.model.equations() == 0);
        assert_eq!(c.model.bodies[0].name, "b4");
        // As a model that was checked.
        for part in [&a, &b, &c] {
            let checked = Model::new(part.model.parts()).expect("a part is a model");
            assert_eq!(checked, part.model);
        }
    }

    #[test]
    fn parts_take_a_state_and_put_it_together_again() {
        let model = model();
        let mut state = State::at_rest(&model);
        let number = |k: usize, scale: f64| scale * (k + 1) as f64;
        for (k, body) in state.bodies.iter_mut().enumerate() {
            body.position.x = number(k, 1.0);
        }
        for (k, reaction) in state.reactions.iter_mut().enumerate().skip(1) {
            reaction.force.x = number(k, 10.0);
            state.angles[k][0] = number(k, 100.0);
        }
        state.coupling_forces[0] = 5.0;
        for (k, limit) in state.limits.iter_mut().enumerate() {
            limit.gap = number(k, 1000.0);
        }
        state.work.external = 1.0;
        let mut again = State::at_rest(&model);
        again.work.external = 1.0;
        for bodies in [&[0, 2][..], &[1, 3], &[4]] {
            let part = model.part(bodies);
            let mut own = State::at_rest(&part.model);
            part.take(&state, &mut own);
            assert_eq!(own.work.external, 0.0);
            let gaps: Vec<f64> = own.limits.iter().map(|l| l.gap).collect();
            match bodies[0] {
                0 => assert_eq!(gaps, [2000.0]),
                1 => assert_eq!(gaps, [1000.0, 3000.0]),
                _ => assert!(gaps.is_empty()),
            }
            own.work.external = 0.5;
            part.give(&own, &mut again);
        }
        assert_eq!(again.work.external, 2.5);
        again.work.external = 1.0;
        assert_eq!(again, state);
    }

    #[test]
    fn an_input_goes_to_the_part_that_it_acts_on() {
        let model = model();
        let input = Input {
            drag: Some(Drag {
                body: BodyId(3),
                point: Vec3::x(),
                goal: DragGoal::Pull(Vec3::zeros()),
            }),
            commands: vec![Command {
                joint: JointId(2),
                coordinate: 0,
                value: 3.0,
            }],
            ..Input::NOTHING
        }
        .with_torque(BodyId(4), Vec3::z());
        let taken = |bodies: &[usize]| {
            let mut own = input.clone();
            model.part(bodies).take_input(&input, &mut own);
            let joints: Vec<usize> = own.commands.iter().map(|c| c.joint.0).collect();
            let pushed: Vec<usize> = own.wrenches.iter().map(|w| w.body.0).collect();
            (own.drag.map(|d| d.body.0), joints, pushed)
        };
        assert_eq!(taken(&[0, 2]), (None, vec![0], vec![]));
        assert_eq!(taken(&[1, 3]), (Some(1), vec![], vec![]));
        assert_eq!(taken(&[4]), (None, vec![], vec![0]));
    }
}
