//! What is drawn on top of the bodies: one vocabulary of layers, each with size, automatic size and threshold.
//!
//! Everything a layer draws follows from the state, the poses as they are drawn, and its style, so that a film shows
//! what the window shows.

use crate::session::trails::{TrailPoint, Trails};

use crate::mesh::builder::MeshBuilder;
use physics::math::Pose;
use physics::math::Vec3;
use physics::model::{BodyId, ContactKey, Model, State, Twist};

/// What can be shown or hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// Floor and its grid.
    Grid,
    /// Shadows.
    Shadows,
    /// Joints, springs and cables.
    Joints,
    /// Axes of bodies.
    BodyFrames,
    /// Centres of mass.
    Centres,
    /// Inertia ellipsoids.
    Inertia,
    /// Velocities.
    Velocities,
    /// Momenta.
    Momenta,
    /// Trails of chosen points.
    Trails,
    /// Names of bodies.
    Names,
    /// Outlines of shapes that touch others.
    CollisionShapes,
    /// Axes of joints.
    JointFrames,
    /// Forces of joints.
    Reactions,
    /// How far joints are open.
    Violations,
    /// Contact points.
    ContactPoints,
    /// Contact normals.
    ContactNormals,
    /// Contact forces.
    ContactForces,
    /// Friction cones.
    FrictionCones,
    /// How far contacts give.
    Deflections,
    /// How hard elements of foundations are pressed.
    Pressures,
}

/// How a layer is drawn.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LayerStyle {
    /// Whether it is drawn.
    pub shown: bool,
    /// Factor of its sizes; at 1 they suit the bodies. Of joint errors it is what they are enlarged by.
    pub scale: f64,
    /// Whether sizes follow the largest value there is.
    pub auto: bool,
    /// Smaller values are not drawn, in the unit of the layer.
    pub threshold: f64,
}

impl Default for LayerStyle {
    fn default() -> Self {
        Self {
            shown: false,
            scale: 1.0,
            auto: false,
            threshold: 0.0,
        }
    }
}

/// All layers.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// How each is drawn, in the order of [`MARKS`].
    pub styles: [LayerStyle; MARKS.len()],
    /// Whether contact forces are drawn on both bodies, not only on the first.
    pub both: bool,
    /// How long a trail is seen (s).
    pub fade: f64,
    /// Points that leave trails; those of [`chosen`] if there is none.
    pub trails: Vec<TrailPoint>,
    /// The contact under the pointer, whose cone is always drawn.
    pub hovered: Option<ContactKey>,
}

/// What errors and deflections are enlarged by at first, where that is not automatic.
const ENLARGED: f64 = 1e6;

/// What a layer shows, for the panel that lists them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// The layer.
    pub layer: Layer,
    /// What it is called.
    pub name: &'static str,
    /// What it shows.
    pub meaning: &'static str,
    /// Unit of its threshold, if it has one.
    pub unit: Option<&'static str>,
    /// Whether its sizes can follow the largest value.
    pub follows: bool,
    /// Whether it has a size.
    pub sized: bool,
}

impl Mark {
    /// Whether it shows what is far smaller than bodies.
    pub fn enlarges(&self) -> bool {
        matches!(self.layer, Layer::Violations | Layer::Deflections)
    }
}

const fn mark(
    layer: Layer,
    name: &'static str,
    unit: Option<&'static str>,
    follows: bool,
    meaning: &'static str,
) -> Mark {
    Mark {
        layer,
        name,
        meaning,
        unit,
        follows,
        sized: true,
    }
}

/// All layers that have a style, in the order in which they are listed.
pub const MARKS: [Mark; 17] = [
    mark(
        Layer::BodyFrames,
        "Body frames",
        None,
        false,
        "Axes of every body at its centre of mass: x vermilion, y green, z blue",
    ),
    mark(
        Layer::Centres,
        "Centres of mass",
        Some("kg"),
        false,
        "A ball at every centre of mass, its volume as the mass",
    ),
    mark(
        Layer::Inertia,
        "Inertia ellipsoids",
        Some("kg"),
        false,
        "The ellipsoid of even density that has the body's mass and inertia",
    ),
    mark(
        Layer::Velocities,
        "Velocities",
        Some("m/s"),
        true,
        "Velocity of every centre of mass, and the angular velocity with a disc at its tail",
    ),
    mark(
        Layer::Momenta,
        "Momenta",
        Some("kg·m/s"),
        true,
        "Momentum of every body, and its angular momentum with a disc at its tail",
    ),
    Mark {
        sized: true,
        ..mark(
            Layer::Trails,
            "Trails",
            None,
            false,
            "Where chosen points have been; they fade",
        )
    },
    Mark {
        sized: false,
        ..mark(Layer::Names, "Names", None, false, "Names of bodies")
    },
    Mark {
        sized: false,
        ..mark(
            Layer::CollisionShapes,
            "Collision shapes",
            None,
            false,
            "Outlines of all shapes that touch others",
        )
    },
    mark(
        Layer::JointFrames,
        "Joint frames",
        None,
        false,
        "Axes of every joint on both bodies, its own axis drawn through",
    ),
    mark(
        Layer::Reactions,
        "Reactions",
        Some("N"),
        true,
        "Force of every joint on its child, and the torque with a disc at its tail; length ∝ √magnitude",
    ),
    mark(
        Layer::Violations,
        "Joint errors",
        Some("m"),
        true,
        "How far joints are open, enlarged",
    ),
    mark(
        Layer::ContactPoints,
        "Contact points",
        None,
        false,
        "Balls stick, discs slide, small balls are open",
    ),
    mark(
        Layer::ContactNormals,
        "Contact normals",
        None,
        false,
        "Directions in which bodies are kept apart",
    ),
    mark(
        Layer::ContactForces,
        "Contact forces",
        Some("N"),
        true,
        "As long as the square root of their size; none longer than the scene",
    ),
    mark(
        Layer::FrictionCones,
        "Friction cones",
        Some("N"),
        true,
        "Forces inside their cone stick, forces on it slide; opens by atan µ",
    ),
    mark(
        Layer::Deflections,
        "Contact deflections",
        Some("m"),
        true,
        "How far surfaces are in each other at contact points, enlarged",
    ),
    Mark {
        sized: false,
        ..mark(
            Layer::Pressures,
            "Foundation pressures",
            Some("Pa"),
            false,
            "Elements of elastic foundations, coloured by pressure from none, dark, to the largest, yellow",
        )
    },
];

impl Default for Layers {
    fn default() -> Self {
        let style = |mark: Mark| LayerStyle {
            scale: if mark.enlarges() { ENLARGED } else { 1.0 },
            auto: mark.enlarges(),
            ..LayerStyle::default()
        };
        Self {
            styles: MARKS.map(style),
            both: false,
            fade: 2.0,
            trails: Vec::new(),
            hovered: None,
        }
    }
}

impl Layers {
    /// Style of a layer; none of those that are only shown or hidden.
    pub fn style(&self, layer: Layer) -> Option<&LayerStyle> {
        let place = MARKS.iter().position(|m| m.layer == layer)?;
        Some(&self.styles[place])
    }

    /// Style of a layer, to be changed.
    pub fn style_mut(&mut self, layer: Layer) -> Option<&mut LayerStyle> {
        let place = MARKS.iter().position(|m| m.layer == layer)?;
        Some(&mut self.styles[place])
    }

    /// Whether a layer is drawn.
    pub fn shows(&self, layer: Layer) -> bool {
        self.style(layer).is_some_and(|s| s.shown)
    }

    /// Style of a layer if it is drawn.
    pub fn drawn(&self, layer: Layer) -> Option<&LayerStyle> {
        self.style(layer).filter(|s| s.shown)
    }

    /// Whether anything is drawn that tells contacts by whether they stick.
    pub fn any_contact(&self) -> bool {
        CONTACT
            .iter()
            .filter(|l| !matches!(l, Layer::Deflections | Layer::Pressures))
            .any(|l| self.shows(*l))
    }

    /// Whether anything is drawn that takes velocities.
    pub fn any_velocity(&self) -> bool {
        self.shows(Layer::Velocities) || self.shows(Layer::Momenta)
    }

    /// Whether anything is drawn at all.
    pub fn any(&self) -> bool {
        self.styles.iter().any(|s| s.shown)
    }
}

/// The layers of contact.
pub const CONTACT: [Layer; 6] = [
    Layer::ContactPoints,
    Layer::ContactNormals,
    Layer::ContactForces,
    Layer::FrictionCones,
    Layer::Deflections,
    Layer::Pressures,
];

/// What layers draw.
#[derive(Debug, Clone, Default)]
pub struct Drawing {
    /// Points and arrows: solid, and seen through bodies, fainter.
    pub marks: MeshBuilder,
    /// What is seen through: cones, trails.
    pub veils: MeshBuilder,
}

/// A motion as layers see it.
#[derive(Debug, Clone, Copy)]
pub struct Motion<'a> {
    /// The mechanism.
    pub model: &'a Model,
    /// The state reached, from which forces and contacts are read.
    pub state: &'a State,
    /// Velocities at the knot, one per body: only while they are drawn.
    pub velocities: &'a [Twist],
    /// Poses of the bodies at the knot, and as they are drawn.
    pub poses: [&'a [Pose]; 2],
    /// Where chosen points have been.
    pub trails: &'a Trails,
}

/// Most trails where none were chosen.
const FIRST: usize = 8;

/// The points that leave trails: those chosen, or else the centres of bodies that carry no other.
pub fn chosen(layers: &Layers, model: &Model) -> Vec<TrailPoint> {
    let count = model.bodies.len();
    if !layers.trails.is_empty() {
        let valid = layers.trails.iter().filter(|t| t.body.0 < count);
        return valid.copied().collect();
    }
    let carries = |k: usize| model.joints.iter().any(|j| j.parent == Some(BodyId(k)));
    let ends = (0..count).filter(|&k| !carries(k));
    ends.take(FIRST)
        .map(|k| TrailPoint {
            body: BodyId(k),
            point: Vec3::zeros(),
        })
        .collect()
}

/// The points whose trails are drawn: none while the layer is off.
pub fn followed(layers: &Layers, model: &Model) -> Vec<TrailPoint> {
    match layers.shows(Layer::Trails) {
        true => chosen(layers, model),
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use physics::scene;

    #[test]
    fn every_layer_is_listed_once_and_starts_hidden() {
        let layers = Layers::default();
        assert!(!layers.any());
        for (k, mark) in MARKS.iter().enumerate() {
            assert!(!MARKS[..k].iter().any(|m| m.layer == mark.layer));
            assert!(layers.style(mark.layer).is_some());
        }
        assert_eq!(layers.style(Layer::Grid), None);
    }

    #[test]
    fn without_a_choice_the_ends_of_the_mechanism_leave_trails() {
        let session = Session::new(scene::open("double_pendulum", &[]).unwrap()).unwrap();
        let model = session.simulation.model();
        let mut layers = Layers::default();
        let ends = chosen(&layers, model);
        assert_eq!(ends.len(), 1);
        layers.trails = vec![TrailPoint {
            body: BodyId(0),
            point: Vec3::x(),
        }];
        assert_eq!(chosen(&layers, model), layers.trails);
        // A point of a body that is no longer there is left out.
        layers.trails[0].body = BodyId(99);
        assert!(chosen(&layers, model).is_empty());
    }
}
