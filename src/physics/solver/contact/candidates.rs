//! Which unilateral constraints take part in an interval.

use super::Contacts;
use super::material::RUNNING;
use super::warm_start::unilateral_of;
use crate::contact::{AtHand, Contact, Located, MATERIAL_POINTS};
use crate::joints::{self, Placement};
use crate::model::{Attachment, Body, BodyId, BodyState, ContactKey, Model, State, Twist};
use crate::solver::{Interval, MechanismSolver, Scale, StepContext, What};

/// Penetration of a contact point that was not foreseen, from which the interval is solved again, relative to the
/// smaller body.
const UNFORESEEN: f64 = 1e-9;

/// The same where contacts are solved live: less than their laws are kept to.
const UNFORESEEN_LIVE: f64 = 1e-6;

/// Penetration that is left to the next interval to mend where no round gets rid of it, relative to the smaller body.
pub const TOLERATED: f64 = 1e-6;

/// Times a penetration of features must grow in an interval to be new.
const DEEPER: f64 = 2.0;

/// Part of the way of a body by which a surface may bend: what lies behind the face that it comes to by no more than
/// that has not yet reached the face, and is not in it.
pub const BEND: f64 = 0.1;

/// Part of a penetration that a contact of the same surfaces has which takes part, for it to be foreseen.
const FORESEEN: f64 = 0.9;

/// Cosine of the angle by which a normal may turn from one round to the next and be that of the same surface.
pub const TURNED: f64 = 0.98;

/// Tangent planes that two surfaces get in an interval.
pub const TANGENTS: usize = 6;

/// A tangent plane or material point that is found again this near to one of the same surfaces, relative to the smaller body, takes
/// its place where contacts are solved live, this many times: both would press, and what the first one says of the surfaces
/// is out of date. Where surfaces touch along a line it would run from end to end for ever.
const ANEW: f64 = 0.05;
const TIMES_ANEW: usize = 3;

/// Contact points this near to each other, relative to the smaller body, with normals this equal, are one.
const TWIN: f64 = 1e-9;

/// How far a limit or cable that joints lock must be exceeded, relative to its length, to take part: what is less is rounding; what is
/// more contradicts the joints.
const UNMOVED: f64 = 1e-6;

/// How near a limit must be to take part (m): twice as far as it comes at the present rate, and what gravity adds.
/// `lever` makes its coordinate a length.
pub fn margin(model: &Model, state: &State, what: What, lever: f64, dt: f64) -> f64 {
    let speed = match what {
        What::Contact(_) => 0.0,
        What::Limit { joint, limit, .. } => {
            let data = &model.joints[joint];
            let at = Placement::of(data, &state.bodies);
            let twist =
                |b: Option<BodyId>| b.map_or_else(Twist::default, |b| state.bodies[b.0].velocity);
            let rates = joints::rates(
                data.kind,
                &at,
                &twist(data.parent),
                &twist(Some(data.child)),
            );
            rates[data.limits[limit].coordinate].abs() * lever
        }
        What::Cable { cable, .. } => {
            let ends = &model.cables[cable].ends;
            let speed = |end: &Attachment| {
                end.body.map_or(0.0, |b| {
                    let v = &state.bodies[b.0].velocity;
                    v.linear.norm() + v.angular.norm() * end.point.norm()
                })
            };
            speed(&ends[0]) + speed(&ends[1])
        }
    };
    2.0 * speed * dt + 4.0 * model.gravity.norm() * dt * dt
}

/// Radius of a ball around the centre of mass of a body that holds its shapes (m).
pub fn radius(body: &Body) -> f64 {
    let reaches = body
        .shapes
        .iter()
        .map(|s| s.pose.translation.vector.norm() + s.geometry.reach());
    reaches.fold(0.0, f64::max)
}

/// How far every body's points may come in an interval, from its velocity and its momentum, with the
/// [radii](radius) of all bodies.
pub fn measure_reach(
    model: &Model,
    bodies: &[BodyState],
    radii: &[f64],
    dt: f64,
    out: &mut Vec<f64>,
) {
    let kick = model.gravity.norm() * dt.abs();
    let reach = |((body, state), radius): ((&Body, &BodyState), &f64)| {
        let speed = state.velocity.linear.norm();
        let free = state.momentum.norm() / body.mass;
        // However fast it spins, no point goes farther than across the ball of all.
        let across = 2.0 * radius / dt.abs();
        let turn = (state.velocity.angular.norm() * radius).min(across);
        // Half as much again, and what gravity adds: what comes farther still is found at the second knot.
        1.5 * dt * (speed.max(free) + turn + kick) + 2e-3 * radius
    };
    out.clear();
    out.extend(model.bodies.iter().zip(bodies).zip(radii).map(reach));
}

/// Leaves one of several contact points of a pair of bodies at the same place with the same normal: where corners and edges
/// coincide, each of them makes its own.
pub fn thin(points: &mut Vec<Located>, scale: &Scale) {
    let mut kept = 0;
    for k in 0..points.len() {
        let Located { contact, here } = &points[k];
        let near = scale.gap(TWIN, scale.smaller(contact.bodies));
        // They are in the order of their shapes, so those of one first body are together.
        let before = points[..kept].iter().rev();
        let mut together = before.take_while(|other| other.bodies[0] == contact.bodies[0]);
        let twin = together.any(|other| {
            let there = &other.here;
            other.bodies == contact.bodies
                && (there.distance - here.distance).abs() < near
                && (there.points[0] - here.points[0]).amax() < near
                && there.normal.dot(&here.normal) > 1.0 - TWIN
        });
        if !twin {
            if kept < k {
                points[kept] = points[k];
            }
            kept += 1;
        }
    }
    points.truncate(kept);
}

/// How it is looked for what was not foreseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// Contacts are solved live: what penetrates less than their laws are kept to is left.
    pub live: bool,
    /// What runs is held at material points.
    pub holds: bool,
    /// More is to be solved in any case: what may touch in the next interval is not asked for.
    pub early: bool,
}

/// What penetrates and was not foreseen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Missed {
    /// How deep, in what is [`TOLERATED`].
    pub depth: f64,
    /// Its bodies; `None` is the world.
    pub bodies: [Option<BodyId>; 2],
}

pub(super) fn deepen(deepest: &mut Option<Missed>, depth: f64, bodies: [Option<BodyId>; 2]) {
    if deepest.is_none_or(|d| depth > d.depth) {
        *deepest = Some(Missed { depth, bodies });
    }
}

/// Bodies of a limit or a cable.
fn ends(model: &Model, what: What) -> [Option<BodyId>; 2] {
    match what {
        What::Contact(_) => [None; 2],
        What::Limit { joint, .. } => [Some(model.joints[joint].child), model.joints[joint].parent],
        What::Cable { cable, .. } => model.cables[cable].ends.map(|end| end.body),
    }
}

impl Contacts {
    /// Finds the joint limits and cables that may act in an interval that starts at `state` and has not begun. Where joints
    /// [lock](MechanismSolver::is_locked) one its gap stays as it is, whatever pushes: it takes part only where it contradicts them.
    pub fn find_limits(
        &mut self,
        solver: &mut MechanismSolver,
        model: &Model,
        state: &State,
        interval: &Interval,
    ) {
        self.near.clear();
        let context = StepContext {
            model,
            state,
            contacts: &[],
            interval,
        };
        let mut at_limits = false;
        for &limit in &self.limits {
            let gap = solver.gap(&context, limit, false);
            let (lever, size) = solver.measures(&context, limit);
            if gap > margin(model, state, limit, lever, interval.dt) {
                continue;
            }
            if gap.abs() <= UNMOVED * size && solver.might_be_locked(model, limit) {
                if !at_limits {
                    solver.begin_at_limits(&context);
                    at_limits = true;
                }
                if solver.is_locked(&context, limit) {
                    continue;
                }
            }
            self.near.push(limit);
        }
    }

    /// Finds what may touch in an interval that starts at `state`: contact points, and the joint limits and cables that were
    /// [found](Self::find_limits). Nothing of it was missed yet, and all rebounds are given in full.
    pub fn look(
        &mut self,
        solver: &MechanismSolver,
        model: &Model,
        state: &State,
        interval: &Interval,
    ) {
        self.measure_reach(model, &state.bodies, interval.dt);
        if self.has_looked(&state.bodies) {
            std::mem::swap(&mut self.points, &mut self.ahead.points);
            self.ahead.bodies.clear();
        } else {
            let found = self.detector.detect(model, &state.bodies, &self.reach);
            self.points.clear();
            self.points.extend_from_slice(found);
        }
        thin(&mut self.points, solver.scale());
        self.put_in_order();
        self.what.clear();
        self.what.extend((0..self.points.len()).map(What::Contact));
        self.what.extend_from_slice(&self.near);
        self.forced.clear();
        self.old.clear();
        self.jammed.clear();
        self.absent.clear();
        self.slippery.clear();
        self.given_up.clear();
        self.replaced.clear();
        self.rescaled = false;
        self.restitution_scale.fill(1.0);
    }

    /// Whether the last look found what may touch in an interval that starts at these bodies and has the reach that was
    /// [measured](Self::reach) last.
    pub fn has_looked(&self, bodies: &[BodyState]) -> bool {
        self.ahead.bodies == bodies && self.ahead.reach == self.reach
    }

    /// How far every body's points may come in an interval.
    fn measure_reach(&mut self, model: &Model, bodies: &[BodyState], dt: f64) {
        measure_reach(model, bodies, &self.radii, dt, &mut self.reach);
    }

    /// How far every body's points may come in an interval of length `dt` (m).
    pub fn reach(&mut self, model: &Model, bodies: &[BodyState], dt: f64) -> &[f64] {
        self.measure_reach(model, bodies, dt);
        &self.reach
    }

    /// Pairs of bodies that may touch while every point of body `k` moves by at most `reach[k]` (m).
    pub fn pairs(
        &mut self,
        model: &Model,
        bodies: &[BodyState],
        reach: &[f64],
        pair: impl FnMut(BodyId, BodyId),
    ) {
        self.detector.neighbours(model, bodies, reach, pair);
    }

    /// Deepest penetration of the bodies of a contact at the first knot, as a gap; 0 if there is none. What was found at the
    /// second knot says nothing of the first.
    fn violation(&self, contact: &Contact) -> f64 {
        let place = self.order.partition_point(|(key, _)| *key < contact.key);
        let (before, after) = self.order.split_at(place);
        // Keys begin with the shapes, so those of one first body are together.
        let with_first = |&(_, k): &(ContactKey, usize)| {
            Some(&self.points[k]).filter(|c| c.bodies[0] == contact.bodies[0])
        };
        let before = before.iter().rev().map_while(with_first);
        let after = after.iter().map_while(with_first);
        let found = |c: &&Located| c.bodies == contact.bodies && !self.forced.contains(&c.key);
        let depths = before.chain(after).filter(found).map(|c| c.here.distance);
        depths.fold(0.0, f64::min)
    }

    /// The contact points of the interval of one pair of shapes.
    fn of_shapes(&self, shapes: u64) -> impl Iterator<Item = &Located> + Clone {
        let Self { points, order, .. } = self;
        AtHand { points, order }.of_shapes(shapes)
    }

    /// The key of the contact whose place one that is found again takes, if there is one within `near`.
    fn anew(&self, contact: &Contact, second: &[BodyState], near: f64) -> Option<ContactKey> {
        let gap = contact.gap(second);
        let same =
            |c: &&Located| c.root() == contact.root() && c.is_material() == contact.is_material();
        let away = |c: &Located| {
            let there = c.gap(second);
            let away = (there.points[0] - gap.points[0]).norm();
            let beside = away <= near && there.normal.dot(&gap.normal) > TURNED;
            beside.then_some((away, c.key))
        };
        let beside = self
            .of_shapes(contact.key.shapes)
            .filter(same)
            .filter_map(away);
        let (_, key) = beside.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let times = self.forced.iter().filter(|k| **k == key).count();
        (times < TIMES_ANEW).then_some(key)
    }

    /// Adds to the unilateral constraints what penetrates at the second knot and was not foreseen. Returns how deep the
    /// deepest is, in what is [`TOLERATED`], with its bodies, and whether something was added. What may touch in the next interval
    /// is found as well.
    pub fn look_again(
        &mut self,
        solver: &mut MechanismSolver,
        model: &Model,
        state: &State,
        interval: &Interval,
        look: Look,
    ) -> (Option<Missed>, bool) {
        let mut deepest: Option<Missed> = None;
        let mut news = false;
        solver.arrive(model, state, interval.dt);
        self.take_passages(solver, model, state, &mut deepest, &mut news);
        let scale = solver.scale();
        let second = solver.at_second();
        self.ahead.bodies.clear();
        let found = if look.early {
            let known = AtHand {
                points: &self.points,
                order: &self.order,
            };
            self.nearby.detect_deeper(model, second, &self.still, known)
        } else {
            let ahead = &mut self.ahead;
            ahead.bodies.extend_from_slice(second);
            measure_reach(model, second, &self.radii, interval.dt, &mut ahead.reach);
            self.detector.detect(model, second, &ahead.reach)
        };
        self.ahead.points.clear();
        self.ahead.points.extend_from_slice(found);
        let unforeseen = if look.live {
            UNFORESEEN_LIVE
        } else {
            UNFORESEEN
        };
        for Located { contact, here } in &self.ahead.points {
            // On the far side of what they went through they would be pushed on.
            let shapes = contact.key.shapes;
            let mut passages = self.passages.iter();
            if passages.any(|p| p.contact.key.shapes == shapes) || self.is_given_up(&contact.key) {
                continue;
            }
            let gap = here.distance;
            let size = scale.smaller(contact.bodies);
            let nothing = scale.gap(unforeseen, size);
            if gap >= -nothing {
                continue;
            }
            let related = |c: &&Located| c.root() == contact.key && !self.is_absent(&c.key);
            let related = self.of_shapes(contact.key.shapes).filter(related);
            if related.clone().any(|c| c.features == contact.features) {
                continue;
            }
            // What is left of a violation at the first knot is mended little by little.
            let allowed = self.violation(contact);
            if gap >= allowed - nothing {
                continue;
            }
            let normal = &here.normal;
            // What takes part with this surface and is as deep was foreseen: its law is not yet kept.
            let foreseen = |c: &Located| {
                let there = c.gap(second);
                there.distance <= FORESEEN * gap && there.normal.dot(normal) > TURNED
            };
            if related.clone().any(foreseen) {
                continue;
            }
            let depth = -gap / scale.gap(TOLERATED, size);
            deepen(&mut deepest, depth, contact.bodies);
            let start = contact.gap(&state.bodies).distance;
            let reach = contact.bodies.iter().flatten();
            let reach: f64 = reach.map(|b| self.reach[b.0]).sum();
            // A tangent plane that is looked for again turns a little less with every round.
            let turned = related
                .clone()
                .any(|c| self.forced.contains(&c.key) && c.gap(second).normal.dot(normal) > TURNED);
            let aside = start < -BEND * reach || start < 10.0 * gap;
            // Features that lie beside some that part the bodies do so too, as a face behind the edge that a body rolls over.
            let beside = || {
                let mut near = self.of_shapes(contact.key.shapes);
                near.any(|c| !self.is_absent(&c.key) && c.gap(second).normal.dot(normal) > TURNED)
            };
            if start < -nothing && aside && !turned && !beside() {
                // These features do not part the bodies at the first knot: only a shorter interval helps.
                continue;
            }
            // Where material points leave others, these hold as well.
            let material = related.filter(|c| c.is_material()).count() as u64;
            let room = if material < MATERIAL_POINTS {
                Some(material + 1)
            } else {
                self.idle_material_point(solver, contact.root())
            };
            let Some(free_number) = room else { continue };
            // Where a tangent plane that was looked for again, or one that presses, leaves another, surfaces touch along a line:
            // both hold.
            let presses = || {
                let own = unilateral_of(solver, self.place(&contact.key)?)?;
                Some(solver.unilaterals()[own].impulse[0] > 0.0)
            };
            let again = self.forced.contains(&contact.key) || presses() == Some(true);
            let further = match again {
                true => self
                    .free_tangent(contact, &[])
                    .or_else(|| contact.numbered(self.idle_tangent(solver, contact.root())?)),
                false => contact.numbered(0),
            };
            // Unbounded lines do not say where they would have met at the first knot.
            let runs = look.holds && contact.travel(&state.bodies, second) > RUNNING * size;
            let mut contact = if material > 0 || runs {
                contact.material(free_number, second)
            } else {
                further.unwrap_or(*contact)
            };
            if look.live
                && let Some(key) = self.anew(&contact, second, ANEW * size)
            {
                contact.key = key;
            }
            let point = Located::at(&self.as_it_slides(&contact), &state.bodies);
            match self.points.iter().position(|c| c.key == contact.key) {
                Some(k) => {
                    self.points[k] = point;
                    self.replaced.push(k);
                }
                None => {
                    self.what.push(What::Contact(self.points.len()));
                    self.points.push(point);
                }
            }
            self.forced.push(contact.key);
            // What was left out is there after all.
            self.absent.retain(|absent| *absent != contact.key);
            // To leave at once would be faster than bodies fall, where they do.
            let fall = (model.gravity.norm() * size).sqrt();
            let deep = -start > fall.max(scale.speed) * interval.dt.abs();
            // Features that part the bodies only here were not in each other where the bodies were not.
            let overlaps = DEEPER * allowed <= start;
            if fall > 0.0 && deep && overlaps && gap > DEEPER * start {
                self.old.push(contact.key);
            }
            news = true;
        }
        let context = StepContext {
            model,
            state,
            contacts: &[],
            interval,
        };
        for &limit in &self.limits {
            if !self.what.contains(&limit) {
                let gap = solver.gap(&context, limit, true);
                let (_, size) = solver.measures(&context, limit);
                if gap < -scale.gap(UNFORESEEN, size) {
                    self.what.push(limit);
                    let depth = -gap / scale.gap(TOLERATED, size);
                    deepen(&mut deepest, depth, ends(model, limit));
                    news = true;
                }
            }
        }
        if news {
            self.put_in_order();
        }
        (deepest, news)
    }
}
