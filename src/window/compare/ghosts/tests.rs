//! What is drawn of lanes, without a graphics card: parts in their places, layers in the lane's colour.

use super::*;
use crate::compare::Stand;
use crate::compare::board::LaneKnot;
use crate::scene3d::layers::paint;
use crate::scene3d::layers::subject::LayerSubject;
use crate::state::layers::{Drawing, Layer, Motion};
use crate::state::look::Look;
use crate::state::trails::Trails;
use bevy::mesh::VertexAttributeValues;
use physics::math::{Pose, Vec3 as Vector};
use std::sync::Arc;

/// How far the lane is from the leader (m).
const APART: f64 = 1.5;

/// A scene some steps after its start with one lane beside it, which is in the same state, but elsewhere.
fn room(spec: &str, steps: usize) -> App {
    let mut session = Session::new(physics::scene::open(spec, &[]).unwrap()).unwrap();
    (0..steps).for_each(|_| assert!(session.step()));
    let mut comparing = Comparing::default();
    let own = Comparing::spec_of(&session);
    comparing.lanes = vec![comparing.choice(own.clone()), comparing.choice(own)];
    comparing.lanes[1].offset = Vector::new(0.0, 0.25, 0.0);
    let moved = |p: &Pose| Pose::translation(APART, 0.0, 0.0) * p;
    let poses: Vec<Pose> = session.poses().iter().map(moved).collect();
    comparing.stands = vec![Stand {
        lane: comparing.lanes[1].id,
        knot: Some(Arc::new(LaneKnot {
            state: session.state().clone(),
            poses: session.poses().to_vec(),
            velocities: Vec::new(),
        })),
        poses,
        trails: Trails::default(),
    }];
    let mut solids = Assets::<StandardMaterial>::default();
    let mut app = App::new();
    app.insert_resource(LayerMaterials::new(&mut solids))
        .insert_resource(solids)
        .insert_resource(Assets::<GhostMaterial>::default())
        .insert_resource(Assets::<Mesh>::default())
        .insert_resource(MeshCache::new(12))
        .insert_resource(View::of(&session))
        .init_resource::<Look>()
        .insert_resource(comparing)
        .insert_resource(session)
        .add_systems(
            Update,
            (build, place, (marks::redraw, cables::redraw)).chain(),
        );
    app.update();
    app
}

/// Vertices of a mesh and their colours.
fn vertices(app: &App, mesh: &Mesh3d) -> (Vec<[f32; 3]>, Vec<[f32; 4]>) {
    let meshes = app.world().resource::<Assets<Mesh>>();
    let mesh = meshes.get(mesh.id()).expect("it is drawn");
    let places = mesh.attribute(Mesh::ATTRIBUTE_POSITION);
    let colours = mesh.attribute(Mesh::ATTRIBUTE_COLOR);
    match (places, colours) {
        (
            Some(VertexAttributeValues::Float32x3(places)),
            Some(VertexAttributeValues::Float32x4(colours)),
        ) => (places.clone(), colours.clone()),
        _ => panic!("a builder has places and colours"),
    }
}

#[test]
fn bodies_and_joints_of_a_lane_are_where_the_lane_is_and_joints_go_with_their_layer() {
    let mut app = room("double_pendulum", 0);
    let check = |app: &mut App, joints: bool| {
        let poses: Vec<Pose> = app.world().resource::<Comparing>().stands[0].poses.clone();
        let model = app.world().resource::<Session>().model().clone();
        let mut ghosts = app.world_mut().query::<(&Ghost, &Transform, &Visibility)>();
        let (mut bodies, mut parts) = (0, 0);
        for (ghost, transform, visibility) in ghosts.iter(app.world()) {
            let wanted = match &ghost.limb {
                Limb::Body(k) => {
                    bodies += 1;
                    Some(convert::transform(&poses[*k]))
                }
                Limb::Joint(part) => {
                    parts += 1;
                    part.place(&model, &poses).filter(|_| joints)
                }
            };
            assert_eq!(*visibility != Visibility::Hidden, wanted.is_some());
            if let Some(wanted) = wanted {
                let shifted = wanted.translation + Vec3::new(0.0, 0.25, 0.0);
                assert!((transform.translation - shifted).length() < 1e-6);
                assert_eq!(transform.rotation, wanted.rotation);
            }
        }
        // A pin is a rod on the child and its bearing on the parent.
        assert_eq!((bodies, parts), (2, 4));
    };
    check(&mut app, true);
    app.world_mut()
        .resource_mut::<Look>()
        .layers
        .style_mut(Layer::Joints)
        .shown = false;
    app.update();
    check(&mut app, false);
    // A lane that is not drawn leaves nothing behind.
    app.world_mut().resource_mut::<Comparing>().lanes[1].drawn = false;
    app.update();
    let left = |app: &mut App| {
        let mut all = app
            .world_mut()
            .query_filtered::<(), Or<(With<Ghost>, With<LayerMesh>, With<GhostCable>)>>();
        all.iter(app.world()).count()
    };
    assert_eq!(left(&mut app), 0);
}

#[test]
fn layers_of_a_ghost_are_the_leaders_in_its_own_colour_and_linked_views_keep_the_colours() {
    let mut app = room("brick_wall", 3);
    let drawn = |app: &mut App, veils: bool| {
        let mut sheets =
            app.world_mut()
                .query::<(&LayerMesh, &Mesh3d, &Visibility, &Transform, &RenderLayers)>();
        let found = sheets
            .iter(app.world())
            .filter(|(s, _, v, ..)| s.veils == veils && **v != Visibility::Hidden);
        let found: Vec<_> = found
            .map(|(s, mesh, _, at, layers)| (s.lane, mesh.clone(), *at, layers.clone()))
            .collect();
        found
    };
    assert!(drawn(&mut app, false).is_empty(), "no layer is on");
    for layer in [Layer::ContactForces, Layer::FrictionCones] {
        app.world_mut().resource_mut::<Look>().toggle(layer);
    }
    app.update();
    let world = app.world();
    let (session, look) = (world.resource::<Session>(), world.resource::<Look>());
    let comparing = world.resource::<Comparing>();
    let (id, radius) = (comparing.lanes[1].id, world.resource::<View>().ball.radius);
    let mut wanted = Drawing::default();
    let motion = Motion {
        model: session.model(),
        state: session.state(),
        velocities: &[],
        poses: [session.poses(), &comparing.stands[0].poses],
        trails: &Trails::default(),
    };
    let subject = LayerSubject::of(motion, &look.layers, radius, look.dark);
    paint(&mut wanted, &subject);
    let shade = comparing.shade(1, Palette::of(look.dark)).colour;
    let [r, g, b, _] = crate::scene3d::lighting::srgb(shade)
        .to_linear()
        .to_f32_array();
    let own: Vec<[f32; 3]> = match wanted.marks.mesh().attribute(Mesh::ATTRIBUTE_POSITION) {
        Some(VertexAttributeValues::Float32x3(places)) => places.clone(),
        _ => panic!("the bricks rest on each other"),
    };
    for veils in [false, true] {
        let sheets = drawn(&mut app, veils);
        assert!(!sheets.is_empty());
        for (lane, mesh, at, layers) in sheets {
            assert_eq!(lane, Some(id));
            assert_eq!(layers, RenderLayers::default());
            assert!((at.translation - Vec3::new(0.0, 0.25, 0.0)).length() < 1e-6);
            let (places, colours) = vertices(&app, &mesh);
            assert!(veils || places == own, "where the lane's bodies are");
            assert!(colours.iter().all(|c| c[..3] == [r, g, b]));
        }
    }
    // Side by side every motion has the colours of the layers, in a view of its own.
    app.world_mut().resource_mut::<Comparing>().arrangement = LaneArrangement::SideBySide;
    app.update();
    let sheets = drawn(&mut app, false);
    let (_, mesh, at, layers) = &sheets[0];
    assert_eq!(*layers, RenderLayers::layer(layer(0)));
    assert_eq!(at.translation, Vec3::ZERO);
    let (places, colours) = vertices(&app, mesh);
    assert_eq!(places, own);
    assert!(colours.iter().any(|c| c[..3] != [r, g, b]));
}

#[test]
fn the_rope_of_a_ghost_hangs_between_the_ends_of_its_lane() {
    let mut app = room("brick_wall", 0);
    let rope = |app: &mut App| {
        let mut cables = app
            .world_mut()
            .query::<(&GhostCable, &Mesh3d, &Visibility)>();
        let found: Vec<_> = cables
            .iter(app.world())
            .filter(|(.., v)| **v != Visibility::Hidden)
            .map(|(_, mesh, _)| mesh.clone())
            .collect();
        found
    };
    let meshes = rope(&mut app);
    assert_eq!(meshes.len(), 1);
    let (places, _) = vertices(&app, &meshes[0]);
    let x = places.iter().map(|p| f64::from(p[0]));
    let (left, right) = x.fold((f64::MAX, f64::MIN), |(l, r), x| (l.min(x), r.max(x)));
    // From the beam above the wall, which stays, to the ball, which is elsewhere in the lane; and the rope is thick.
    let ball = -1.5 + APART;
    assert!((left - ball.min(0.0)).abs() < 0.1 && (right - ball.max(0.0)).abs() < 0.1);
    app.world_mut()
        .resource_mut::<Look>()
        .layers
        .style_mut(Layer::Joints)
        .shown = false;
    app.update();
    assert!(rope(&mut app).is_empty());
}
