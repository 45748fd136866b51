//! What is drawn on top of the bodies: one vocabulary of layers, each with size, automatic size and threshold.
//!
//! Everything a layer draws follows from the state, the poses as they are drawn, and its style, so that a film shows
//! what the window shows.

mod table;

pub use crate::state::layers::table::{LAYERS, Layer, LayerGroup, LayerInfo, LayerSize};

use crate::state::trails::{TrailPoint, Trails};

use crate::mesh::builder::MeshBuilder;
use physics::math::Pose;
use physics::math::Vec3;
use physics::model::{BodyId, ContactKey, Model, State, Twist};

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
    /// How each is drawn, in the order of [`LAYERS`].
    pub styles: [LayerStyle; LAYERS.len()],
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

impl LayerStyle {
    /// How a layer is drawn at first.
    const fn first(row: &LayerInfo) -> Self {
        let enlarges = matches!(row.size, LayerSize::Enlarged);
        Self {
            shown: row.shown,
            scale: if enlarges { ENLARGED } else { 1.0 },
            auto: enlarges,
            threshold: 0.0,
        }
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            styles: LAYERS.map(|row| LayerStyle::first(&row)),
            both: false,
            fade: 2.0,
            trails: Vec::new(),
            hovered: None,
        }
    }
}

impl Layers {
    /// Style of a layer.
    pub fn style(&self, layer: Layer) -> &LayerStyle {
        &self.styles[layer.place()]
    }

    /// Style of a layer, to be changed.
    pub fn style_mut(&mut self, layer: Layer) -> &mut LayerStyle {
        &mut self.styles[layer.place()]
    }

    /// Whether a layer is drawn.
    pub fn shows(&self, layer: Layer) -> bool {
        self.style(layer).shown
    }

    /// Style of a layer if it is drawn.
    pub fn drawn(&self, layer: Layer) -> Option<&LayerStyle> {
        Some(self.style(layer)).filter(|s| s.shown)
    }

    /// Whether anything is drawn that tells contacts by whether they stick.
    pub fn any_contact(&self) -> bool {
        let mut layers = [
            Layer::ContactPoints,
            Layer::ContactNormals,
            Layer::ContactForces,
            Layer::FrictionCones,
        ]
        .into_iter();
        layers.any(|l| self.shows(l))
    }

    /// Whether anything is drawn that takes velocities.
    pub fn any_velocity(&self) -> bool {
        self.shows(Layer::Velocities) || self.shows(Layer::Momenta)
    }

    /// Whether anything is drawn on top of the bodies.
    pub fn any(&self) -> bool {
        let mut rows = LAYERS.iter().filter(|row| row.group != LayerGroup::Room);
        rows.any(|row| self.shows(row.layer))
    }
}

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
    fn what_is_drawn_on_top_starts_hidden_and_the_room_shown() {
        let mut layers = Layers::default();
        assert!(!layers.any());
        assert!(layers.shows(Layer::Grid) && layers.shows(Layer::Joints));
        layers.style_mut(Layer::Names).shown = true;
        assert!(layers.any() && !layers.any_contact());
    }

    #[test]
    fn without_a_choice_the_ends_of_the_mechanism_leave_trails() {
        let session = Session::new(scene::open("double_pendulum", &[]).unwrap()).unwrap();
        let model = session.model();
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
