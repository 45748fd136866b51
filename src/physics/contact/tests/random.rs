//! What holds for random shapes at random poses.

use super::*;
use crate::contact::curved::{apart, moved};
use crate::contact::nearest::{Lie, Scope, Start};
use crate::contact::pair::separation;
use crate::contact::parry::reference_distance;
use crate::contact::polyhedron::Polyhedron;
use crate::contact::solid::Solid;
use proptest::prelude::*;

pub fn round() -> impl Strategy<Value = Geometry> {
    prop_oneof![
        (0.1..0.4f64).prop_map(ball),
        ((0.1..0.3f64), (0.2..1.0f64)).prop_map(|(r, l)| capsule(r, l)),
    ]
}

pub fn sharp() -> impl Strategy<Value = Geometry> {
    let size = proptest::array::uniform3(0.2..1.0f64);
    prop_oneof![
        size.prop_map(|size| Geometry::Box { size: size.into() }),
        Just(octahedron()),
    ]
}

pub fn curved() -> impl Strategy<Value = Geometry> {
    let radii = proptest::array::uniform3(0.1..0.5f64);
    prop_oneof![
        ((0.1..0.4f64), (0.2..1.0f64))
            .prop_map(|(radius, length)| Geometry::Cylinder { radius, length }),
        ((0.1..0.4f64), (0.2..1.0f64))
            .prop_map(|(radius, length)| Geometry::Cone { radius, length }),
        radii.prop_map(|radii| Geometry::Ellipsoid {
            radii: radii.into()
        }),
    ]
}

/// A solid of any kind but surfaces.
pub fn solid() -> impl Strategy<Value = Geometry> {
    prop_oneof![round(), sharp(), curved()]
}

pub fn pose() -> impl Strategy<Value = BodyState> {
    let part = |scale: f64| proptest::array::uniform3(-scale..scale);
    (part(0.8), part(3.0)).prop_map(|(position, turn)| at(position, turn))
}

pub fn placed(model: &Model, bodies: &[BodyState]) -> Vec<Polyhedron> {
    Solid::all(model)
        .iter()
        .map(|solid| {
            let mut placed = Polyhedron::default();
            solid.polyhedron.place(&solid.pose(bodies), &mut placed);
            placed
        })
        .collect()
}

/// Distance of the two bodies of a model, by an independent iteration.
pub fn distance(model: &Model, bodies: &[BodyState]) -> f64 {
    let placed = placed(model, bodies);
    reference_distance(&placed[0], &placed[1]) - placed[0].radius - placed[1].radius
}

/// How much a gap can differ from the distance of the solids (m). The points of the gap lie on the solids, so these
/// are no farther apart; and along its normal the solids are apart by their separation, so they are no nearer.
fn error(contact: &Contact, model: &Model, bodies: &[BodyState]) -> f64 {
    let placed = placed(model, bodies);
    let gap = contact.gap(bodies);
    let mut random = Lcg(1);
    let mut outside: f64 = 0.0;
    for _ in 0..300 {
        let direction = random.vector().normalize();
        for (solid, point) in placed.iter().zip(gap.points) {
            let reach = direction.dot(&solid.farthest(&direction)) + solid.radius;
            outside = outside.max(direction.dot(&point) - reach);
        }
    }
    let rounding = placed[0].radius + placed[1].radius;
    let apart = separation(&placed[0], &placed[1], &gap.normal) - rounding;
    outside.max((gap.distance - apart).abs())
}

/// The least gap, the distance.
fn compare(a: Geometry, b: Geometry, bodies: &[BodyState]) -> (Vec<Contact>, f64) {
    let model = scene(&[a, b], &[]);
    (found(&model, bodies, 0.2), distance(&model, bodies))
}

/// Tangent planes stand in only where nothing else is as near, which rounding may decide.
fn is_tangent(contact: &Contact) -> bool {
    contact.key.features >> 61 == 6
}

/// How much the references and the tangent planes may err: both iterate to about 1e-8 of sizes near 1.
const ITERATION: f64 = 1e-6;

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn rounded_solids_are_as_far_apart_as_they_are(
        a in round(), b in prop_oneof![round(), sharp()], bodies in [pose(), pose()],
    ) {
        let (contacts, distance) = compare(a, b, &bodies);
        // Deeper, the reference stops at the cores.
        prop_assume!(distance > -0.05 && distance < 0.3);
        prop_assert!((least(&contacts, &bodies) - distance).abs() < ITERATION,
            "{distance} {contacts:#?}");
    }

    #[test]
    fn curved_solids_are_as_far_apart_as_they_are(
        a in curved(), b in solid(), bodies in [pose(), pose()],
    ) {
        let model = scene(&[a, b], &[]);
        let contacts = found(&model, &bodies, 0.2);
        let distance = distance(&model, &bodies);
        prop_assume!(distance > 1e-3 && distance < 0.3);
        let gap = |c: &Contact| c.gap(&bodies).distance;
        let nearest = contacts.iter().min_by(|a, b| gap(a).total_cmp(&gap(b)));
        prop_assert!(nearest.is_some());
        let nearest = nearest.unwrap();
        let error = error(nearest, &model, &bodies);
        // Points err by the root of what the distance errs: 1e-13 of itself for tangent planes. Other features stand in
        // for them where their gap is within 1e-6 of sizes near 1.
        let bound = if is_tangent(nearest) { 1e-5 } else { 1e-3 };
        prop_assert!(error < bound, "{error} {distance} {contacts:#?}");
    }

    #[test]
    fn curved_solids_that_hardly_overlap_are_parted_by_little(
        a in curved(), b in prop_oneof![sharp(), curved()], bodies in [pose(), pose()], depth in 1e-5..1e-3f64,
    ) {
        let model = scene(&[a, b], &[]);
        let both = placed(&model, &bodies);
        let scope = Scope { rounding: 0.0, size: 0.1, touching: 0.0, limit: f64::INFINITY, good: 1e-13 };
        let lie = moved(&both[0], &both[1], &Start::Along(Vec3::z()), &Vec3::zeros(), &scope);
        prop_assume!(matches!(lie, Lie::Near(_)));
        let near = apart(&both[0], &both[1], &Vec3::z(), 0.1, f64::INFINITY);
        let way = near.unwrap().normal;
        let mut met = bodies;
        met[0].position -= way * (separation(&both[0], &both[1], &way) + depth);
        let contacts = found(&model, &met, 1e-3);
        // Back along the way they are apart, so that no more than the depth parts them, but for how well it is found.
        // Tips that meet may as well pass beside each other.
        let gap = least(&contacts, &met);
        prop_assert!(gap.abs() < 1.05 * depth, "{gap} {depth} {contacts:#?}");
    }

    #[test]
    fn nothing_stands_between_sharp_solids_that_are_apart(
        a in sharp(), b in sharp(), bodies in [pose(), pose()],
    ) {
        let (contacts, distance) = compare(a, b, &bodies);
        prop_assume!(distance > 0.0 && distance < 0.3);
        for contact in &contacts {
            let gap = contact.gap(&bodies);
            prop_assert!(gap.distance >= -ITERATION, "{distance} {contact:#?} {gap:#?}");
        }
    }

    #[test]
    fn sharp_solids_that_overlap_are_parted(
        a in sharp(), b in sharp(), bodies in [pose(), pose()], depth in 1e-5..1e-2f64,
    ) {
        let model = scene(&[a, b], &[]);
        let mut bodies = bodies;
        prop_assume!(distance(&model, &bodies) > 0.0);
        // Together along the line of centres until they overlap a little.
        let towards = (bodies[1].position - bodies[0].position).normalize();
        for _ in 0..200 {
            let apart = distance(&model, &bodies);
            bodies[0].position += towards * apart;
            if apart < 1e-9 {
                break;
            }
        }
        prop_assume!(distance(&model, &bodies) < 1e-6);
        bodies[0].position += towards * depth;
        let contacts = found(&model, &bodies, 0.0);
        let least = least(&contacts, &bodies);
        // A feature may lean a little from the direction in which the solids part.
        prop_assert!(least < 0.0 && least >= -1.02 * depth - ITERATION, "{least} {contacts:#?}");
        // Out along the normal of the deepest, again while another takes its place, they come apart, and not far.
        let start = bodies[0].position;
        for _ in 0..8 {
            let gaps = found(&model, &bodies, 0.0).into_iter().map(|c| c.gap(&bodies));
            let deepest = gaps.min_by(|a, b| a.distance.total_cmp(&b.distance));
            if let Some(deepest) = deepest.filter(|g| g.distance < 0.0) {
                bodies[0].position -= deepest.normal * (1.03 * deepest.distance - ITERATION);
            }
        }
        prop_assert!(distance(&model, &bodies) > 0.0);
        prop_assert!((bodies[0].position - start).norm() < 2.0 * depth + 10.0 * ITERATION);
    }

    #[test]
    fn the_world_may_be_turned(
        a in solid(),
        b in solid(),
        bodies in [pose(), pose()], turn in pose(),
    ) {
        let model = scene(&[a, b], &[]);
        prop_assume!(distance(&model, &bodies) > 1e-3);
        // What is farther than this may come and go with rounding.
        let limit = 0.18;
        let frame = Pose::from_parts(turn.position.into(), turn.orientation);
        let turned = bodies.map(|b| {
            let pose = frame * Pose::from_parts(b.position.into(), b.orientation);
            BodyState { position: pose.translation.vector, orientation: pose.rotation, ..b }
        });
        let (before, after) = (found(&model, &bodies, 0.1), found(&model, &turned, 0.1));
        let told = |c: &&Contact| c.gap(&bodies).distance < limit && !is_tangent(c);
        for a in before.iter().filter(told) {
            let b = after.iter().find(|b| b.key == a.key);
            prop_assert!(b.is_some(), "{a:#?} {after:#?}");
            let (a, b) = (a.gap(&bodies), b.unwrap().gap(&turned));
            // Tangent planes come from an iteration that sees other rounding.
            prop_assert!((a.distance - b.distance).abs() < ITERATION, "{} {}", a.distance, b.distance);
            prop_assert!((frame * a.normal - b.normal).norm() < 1e-3);
        }
    }

    #[test]
    fn keys_are_unique_and_a_small_motion_keeps_them(
        a in solid(),
        b in solid(),
        bodies in [pose(), pose()], motion in pose(),
    ) {
        let model = scene(&[a, b], &[]);
        prop_assume!(distance(&model, &bodies) > 1e-3);
        let before = found(&model, &bodies, 0.1);
        prop_assert!(before.windows(2).all(|p| p[0].key < p[1].key));
        prop_assert_eq!(&before, &found(&model, &bodies, 0.1));
        let mut moved = bodies;
        moved[0].position += motion.position * 1e-9;
        let after = found(&model, &moved, 0.1);
        let kept = |c: &&Contact| !is_tangent(c);
        let keys = |c: &[Contact]| c.iter().filter(kept).map(|c| c.key).collect::<Vec<_>>();
        prop_assert_eq!(keys(&before), keys(&after));
    }

    /// A corner of a surface may lie behind a face of a solid and before none of its own, and yet beside it: solids with
    /// leaning sides narrow behind their faces.
    #[test]
    fn what_is_apart_from_a_peak_is_not_in_it(
        a in prop_oneof![sharp(), curved()], body in pose(), height in 0.1..0.8f64,
    ) {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let mut vertices: Vec<Vec3> = corners.iter().map(|c| Vec3::new(c[0], c[1], 0.0)).collect();
        vertices.push(Vec3::z() * height);
        let triangles = vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
        let alone = triangles.iter().map(|t: &[u32; 3]| {
            Polyhedron::from_polygons(&vertices, std::iter::once(t.as_slice()))
        });
        let sides: Vec<_> = alone.collect();
        let model = scene(&[a], &[Geometry::Mesh(Arc::new(Surface { vertices, triangles }))]);
        let bodies = [body];
        let solid = &placed(&model, &bodies)[0];
        let middle = solid.middle();
        prop_assume!(middle.z > height * (1.0 - middle.x.abs().max(middle.y.abs())));
        let distances = sides.iter().map(|side| reference_distance(solid, side));
        let distance = distances.fold(f64::INFINITY, f64::min);
        prop_assume!(distance > 1e-3);
        let deepest = least(&found(&model, &bodies, 0.3), &bodies);
        prop_assert!(deepest > -1e-9, "{deepest} m though {distance} m apart");
    }
}
