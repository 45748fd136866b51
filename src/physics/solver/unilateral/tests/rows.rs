//! Gaps, rows and masses of every kind of unilateral constraint at one configuration.

use super::super::constraint::tangents;
use super::super::{Scene, Unilateral};
use super::{DT, all, scene};
use crate::contact::{Feature, Located};
use crate::math::lanes::V4;
use crate::math::{Mat3, Vec3};
use crate::model::specimen::moved;
use crate::model::{BodyState, ContactState, ContactStatus, Model, State, Twist};
use crate::solver::{LinearSolver, MechanismSolver, WORLD, What};

/// A mechanism at a configuration, with one of everything that is unilateral.
pub(super) struct Bench {
    pub model: Model,
    pub state: State,
    pub contacts: Vec<Located>,
    pub solver: MechanismSolver,
}

impl Bench {
    pub fn new() -> Self {
        let (mut model, state, contacts) = scene(&[0.1, -0.3, 0.2, 0.4, -0.2]);
        model.gravity = Vec3::zeros();
        let mut solver = MechanismSolver::new(&model, LinearSolver::Articulated);
        solver.place(&state.bodies, &Vec3::zeros());
        Self {
            model,
            state,
            contacts,
            solver,
        }
    }

    pub fn scene(&self) -> Scene<'_> {
        Scene {
            model: &self.model,
            topology: &self.solver.topology,
            links: &self.solver.links,
            contacts: &self.contacts,
            first: &self.state.bodies,
            angles: &self.state.angles,
            scale: &self.solver.scale,
            dt: DT,
        }
    }

    fn all(&self) -> Vec<What> {
        all(&self.contacts, &self.model)
    }

    fn link(&self, body: usize) -> usize {
        self.solver.topology.links[body]
    }

    /// Velocities by body as those by link.
    fn by_link(&self, twists: &[Twist; 2]) -> impl Fn(usize) -> Twist {
        let first = self.link(0);
        let twists = *twists;
        move |link| twists[usize::from(link != first)]
    }
}

fn twists() -> [Twist; 2] {
    [
        Twist {
            linear: Vec3::new(0.3, -0.8, 0.5),
            angular: Vec3::new(-0.6, 0.2, 0.9),
        },
        Twist {
            linear: Vec3::new(-0.4, 0.7, 0.1),
            angular: Vec3::new(0.5, -0.3, 0.8),
        },
    ]
}

fn along(bodies: &[BodyState], twists: &[Twist; 2], t: f64) -> Vec<BodyState> {
    let go = |k: usize| moved(&bodies[k], twists[k].linear * t, twists[k].angular * t);
    vec![go(0), go(1)]
}

#[test]
fn gaps_are_what_is_left_to_the_bound() {
    let bench = Bench::new();
    let scene = bench.scene();
    let gap = |what| Unilateral::gap_of(what, &scene, &bench.state.bodies);
    let limits: Vec<What> = super::super::limits(&bench.model).collect();
    for pair in limits[..4].chunks(2) {
        let lever = Unilateral::new(pair[0], &scene).lever;
        // From -1 to 1.5, at the length of the joint.
        let sum = gap(pair[0]) + gap(pair[1]);
        assert!((sum - 2.5 * lever).abs() < 1e-14);
    }
    let [a, b] = [0, 1].map(|k| {
        let body = &bench.state.bodies[k];
        body.position + body.orientation * bench.model.cables[0].ends[k].point
    });
    assert!((gap(limits[4]) - (1.0 - (b - a).norm())).abs() < 1e-14);
    for (k, contact) in bench.contacts.iter().enumerate() {
        let [on, under] = contact.gap(&bench.state.bodies).points;
        // Points of both surfaces; whether they overlap is for the normal to say.
        let found = gap(What::Contact(k));
        assert!((found.abs() - (on - under).norm()).abs() < 1e-13);
    }
}

/// Central differences of 1e-6: 1e-12 times third derivatives, and rounding of 1e-10.
#[test]
fn the_rate_of_the_normal_row_is_that_of_the_gap() {
    let bench = Bench::new();
    let scene = bench.scene();
    let twists = twists();
    for what in bench.all() {
        let unilateral = Unilateral::new(what, &scene);
        let gap = |t| Unilateral::gap_of(what, &scene, &along(&bench.state.bodies, &twists, t));
        let found = (gap(1e-6) - gap(-1e-6)) / 2e-6;
        let claim = unilateral.rates(bench.by_link(&twists))[0];
        assert!((found - claim).abs() < 1e-8, "{what:?}: {found} {claim}");
        assert!(claim.abs() > 1e-3, "something moves");
    }
}

#[test]
fn slip_is_the_relative_velocity_of_the_material_at_the_middle_of_the_gap() {
    let bench = Bench::new();
    let scene = bench.scene();
    let twists = twists();
    for (k, contact) in bench.contacts.iter().enumerate() {
        let unilateral = Unilateral::new(What::Contact(k), &scene);
        let gap = contact.gap(&bench.state.bodies);
        let middle = gap.points[1] + gap.normal * (0.5 * gap.distance);
        let velocity = |side: usize| {
            contact.bodies[side].map_or_else(Vec3::zeros, |b| {
                let (arm, t) = (middle - bench.state.bodies[b.0].position, &twists[b.0]);
                t.linear + t.angular.cross(&arm)
            })
        };
        let slip = velocity(0) - velocity(1);
        for row in 0..3 {
            let rate = unilateral.rates(bench.by_link(&twists))[row];
            assert!((rate - unilateral.axes[row].dot(&slip)).abs() < 1e-13);
        }
    }
}

#[test]
fn tangents_complete_a_right_handed_basis() {
    for n in [Vec3::x(), -Vec3::z(), Vec3::new(0.2, -0.7, 0.4).normalize()] {
        let [a, b] = tangents(&n);
        let turn = Mat3::from_columns(&[n, a, b]);
        assert!((turn.transpose() * turn - Mat3::identity()).norm() < 1e-15 * 10.0);
        assert!((turn.determinant() - 1.0).abs() < 1e-15 * 10.0);
    }
}

/// Over an interval a body goes past another as far as the centres of what is round go and roll, and as the points of faces go.
#[test]
fn velocities_of_an_interval_are_changes_of_gaps_and_ways_of_material() {
    let mut bench = Bench::new();
    let twists = twists();
    let second = along(&bench.state.bodies, &twists, DT);
    let mut sines = [Vec3::zeros(); 2];
    for (body, twist) in twists.iter().enumerate() {
        let [before, after] = [&bench.state.bodies, &second].map(|b| b[body].orientation);
        sines[body] = (after * before.inverse()).imag();
        let link = bench.link(body);
        let link = &mut bench.solver.links.links[link];
        link.velocity = V4::from3(&twist.linear);
        link.half_angle_sine = V4::from3(&sines[body]);
    }
    let means = [0, 1].map(|body| Twist {
        angular: sines[body] * (2.0 / DT),
        ..twists[body]
    });
    let scene = bench.scene();
    let way = |contact: &Located, side: usize| {
        let Some(body) = contact.bodies[side] else {
            return Vec3::zeros();
        };
        let (gap, sign) = (&contact.here, [1.0, -1.0][side]);
        let pivot = match contact.features[side] {
            Feature::Point { radius, .. } | Feature::Line { radius, .. } => {
                gap.points[side] + gap.normal * (sign * radius)
            }
            _ => gap.points[side],
        };
        let [before, after] = [&bench.state.bodies, &second].map(|b| &b[body.0]);
        let held = before.orientation.inverse() * (pivot - before.position);
        let there = after.position + after.orientation * held;
        there - pivot + sines[body.0].cross(&(gap.middle() - pivot)) * 2.0
    };
    for what in bench.all() {
        let mut unilateral = Unilateral::new(what, &scene);
        (unilateral.floor, unilateral.rebound) = (-0.02, 0.3);
        unilateral.advance(&scene, &second);
        let gap = Unilateral::gap_of(what, &scene, &second);
        assert_eq!(unilateral.gap, gap);
        assert!((unilateral.velocity[0] - ((gap + 0.02) / DT - 0.3)).abs() < 1e-12);
        for row in 1..unilateral.rows {
            let What::Contact(k) = what else {
                panic!("it has no slip")
            };
            let contact = &bench.contacts[k];
            let slip = (way(contact, 0) - way(contact, 1)).dot(&unilateral.axes[row]) / DT;
            // Rounding of places of order 1 over the step.
            assert!((unilateral.velocity[row] - slip).abs() < 1e-15 * 10.0 / DT);
        }
        // With a linear gap the row at the first knot says it all, and the true gap is told beside it.
        unilateral.linear = true;
        unilateral.advance(&scene, &second);
        assert_eq!(unilateral.gap, gap);
        let first = Unilateral::gap_of(what, &scene, &bench.state.bodies);
        let wanted = unilateral.rates(bench.by_link(&means))[0] + (first + 0.02) / DT - 0.3;
        assert!((unilateral.velocity[0] - wanted).abs() < 1e-12);
    }
}

/// The energy of a unit impulse is half of one over the mass: read from the velocities that it gives.
#[test]
fn effective_masses_are_those_of_the_bodies_by_themselves() {
    let bench = Bench::new();
    let scene = bench.scene();
    for what in bench.all() {
        let unilateral = Unilateral::new(what, &scene);
        let struck = |link: usize| {
            let side = usize::from(unilateral.links[0] != link);
            let body = usize::from(link != bench.link(0));
            let (model, pose) = (&bench.model.bodies[body], &bench.state.bodies[body]);
            let [fx, fy, fz, tx, ty, tz] = unilateral.force[side][0];
            let torque = pose.orientation.inverse() * Vec3::new(tx, ty, tz);
            let spin = model.inertia.try_inverse().expect("a body has inertia") * torque;
            Twist {
                linear: Vec3::new(fx, fy, fz) / model.mass,
                angular: pose.orientation * spin,
            }
        };
        let mobility = unilateral.rates(struck)[0];
        assert!((unilateral.mass * mobility - 1.0).abs() < 1e-12, "{what:?}");
        // The lighter body there is, 0.5 kg where the second takes part.
        let light = if unilateral.links.contains(&bench.link(1)) {
            0.5
        } else {
            2.0
        };
        let pace = unilateral.pace(scene.links, 3.0);
        let energies = [0.5 * light * 9.0, 0.5 * unilateral.mass * pace.powi(2)];
        assert!((energies[0] - energies[1]).abs() < 1e-12);
    }
}

#[test]
fn a_limit_acts_on_child_and_parent_and_a_cable_on_its_ends() {
    let bench = Bench::new();
    let scene = bench.scene();
    let (a, b) = (bench.link(0), bench.link(1));
    for what in super::super::limits(&bench.model) {
        let wanted = match what {
            What::Limit { .. } => [b, a],
            _ => [a, b],
        };
        assert_eq!(Unilateral::new(what, &scene).links, wanted);
    }
    assert_eq!(Unilateral::new(What::Contact(1), &scene).links, [b, WORLD]);
}

#[test]
fn a_contact_at_a_knot_has_the_rows_of_one_in_an_interval() {
    let mut bench = Bench::new();
    for friction in [0.7, 0.0] {
        bench.contacts[0].contact.friction = friction;
        let contact = bench.contacts[0];
        let scene = bench.scene();
        let gap = contact.gap(&bench.state.bodies);
        let here = ContactState {
            key: contact.key,
            bodies: contact.bodies,
            point: gap.middle(),
            normal: gap.normal,
            gap: gap.distance,
            force: Vec3::zeros(),
            slip: Vec3::zeros(),
            friction,
            status: ContactStatus::Open,
            rebound: 0.2,
            hit: false,
            turning: 0.0,
        };
        let bodies = &bench.state.bodies;
        let mut knot = Unilateral::empty(What::Contact(0));
        knot.begin_at_knot(&here, scene.topology, scene.links, bodies, scene.scale);
        let whole = Unilateral::new(What::Contact(0), &scene);
        assert_eq!(knot.rows, if friction > 0.0 { 3 } else { 1 });
        assert_eq!((knot.rows, knot.links), (whole.rows, whole.links));
        assert_eq!(knot.force, whole.force);
        assert_eq!((knot.mass, knot.friction), (whole.mass, friction));
        assert_eq!((knot.rebound, knot.axes), (0.2, whole.axes));
        assert_eq!((knot.size, knot.speed), (whole.size, whole.speed));
    }
}
