//! The table of layers: everything that is known of one before it is drawn.

use crate::state::shortcut::Shortcut;
use bevy::prelude::KeyCode;

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

impl Layer {
    /// Its place in [`LAYERS`], which has one row for each.
    pub const fn place(self) -> usize {
        self as usize
    }

    /// What is known of it.
    pub fn info(self) -> &'static LayerInfo {
        &LAYERS[self.place()]
    }

    /// The layer of an id.
    pub fn of_id(id: &str) -> Option<Self> {
        LAYERS.iter().find(|row| row.id == id).map(|row| row.layer)
    }
}

/// What a layer belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerGroup {
    /// What is there without any mechanism; only shown or hidden.
    Room,
    /// Bodies.
    Bodies,
    /// Joints.
    Joints,
    /// Contact.
    Contact,
}

impl LayerGroup {
    /// All groups, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Room, Self::Bodies, Self::Joints, Self::Contact];

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Room => "Room",
            Self::Bodies => "Bodies",
            Self::Joints => "Joints",
            Self::Contact => "Contact",
        }
    }
}

/// Which sizes a layer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerSize {
    /// None.
    None,
    /// One that suits the bodies, times a factor.
    Fixed,
    /// One that can follow the largest value as well.
    Following,
    /// As [`LayerSize::Following`], of what is far smaller than bodies and is drawn enlarged.
    Enlarged,
}

/// What is known of a layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerInfo {
    /// The layer.
    pub layer: Layer,
    /// By which it is kept in the settings; it stays when the name changes.
    pub id: &'static str,
    /// What it belongs to.
    pub group: LayerGroup,
    /// What it is called in the list.
    pub name: &'static str,
    /// What it is called among keys and commands.
    pub words: &'static str,
    /// What it shows.
    pub meaning: &'static str,
    /// Its key.
    pub key: Shortcut,
    /// Which sizes it has.
    pub size: LayerSize,
    /// Unit of its threshold, if it has one.
    pub unit: Option<&'static str>,
    /// Whether it is shown at first.
    pub shown: bool,
}

impl LayerInfo {
    /// Whether it has a size that can be chosen.
    pub fn is_sized(&self) -> bool {
        self.size != LayerSize::None
    }

    /// Whether its sizes can follow the largest value.
    pub fn follows(&self) -> bool {
        matches!(self.size, LayerSize::Following | LayerSize::Enlarged)
    }

    /// Whether it shows what is far smaller than bodies.
    pub fn enlarges(&self) -> bool {
        self.size == LayerSize::Enlarged
    }
}

/// All layers, in the order in which they are listed.
pub const LAYERS: [LayerInfo; 20] = [
    LayerInfo {
        layer: Layer::Grid,
        id: "grid",
        group: LayerGroup::Room,
        name: "Floor and grid",
        words: "floor and grid",
        meaning: "Show or hide",
        key: Shortcut::plain(KeyCode::KeyG, "G"),
        size: LayerSize::None,
        unit: None,
        shown: true,
    },
    LayerInfo {
        layer: Layer::Shadows,
        id: "shadows",
        group: LayerGroup::Room,
        name: "Shadows",
        words: "shadows",
        meaning: "Show or hide",
        key: Shortcut::plain(KeyCode::KeyH, "H"),
        size: LayerSize::None,
        unit: None,
        shown: true,
    },
    LayerInfo {
        layer: Layer::Joints,
        id: "joints",
        group: LayerGroup::Room,
        name: "Joints and cables",
        words: "joints",
        meaning: "Show or hide",
        key: Shortcut::plain(KeyCode::KeyJ, "J"),
        size: LayerSize::None,
        unit: None,
        shown: true,
    },
    LayerInfo {
        layer: Layer::BodyFrames,
        id: "body_frames",
        group: LayerGroup::Bodies,
        name: "Body frames",
        words: "axes of bodies",
        meaning: "Axes of every body at its centre of mass: x vermilion, y green, z blue",
        key: Shortcut::shift(KeyCode::KeyB, "Shift + B"),
        size: LayerSize::Fixed,
        unit: None,
        shown: false,
    },
    LayerInfo {
        layer: Layer::Centres,
        id: "centres_of_mass",
        group: LayerGroup::Bodies,
        name: "Centres of mass",
        words: "centres of mass",
        meaning: "A ball at every centre of mass, its volume as the mass",
        key: Shortcut::plain(KeyCode::KeyO, "O"),
        size: LayerSize::Fixed,
        unit: Some("kg"),
        shown: false,
    },
    LayerInfo {
        layer: Layer::Inertia,
        id: "inertia_ellipsoids",
        group: LayerGroup::Bodies,
        name: "Inertia ellipsoids",
        words: "inertia ellipsoids",
        meaning: "The ellipsoid of even density that has the body's mass and inertia",
        key: Shortcut::plain(KeyCode::KeyE, "E"),
        size: LayerSize::Fixed,
        unit: Some("kg"),
        shown: false,
    },
    LayerInfo {
        layer: Layer::Velocities,
        id: "velocities",
        group: LayerGroup::Bodies,
        name: "Velocities",
        words: "velocities",
        meaning: "Velocity of every centre of mass, and the angular velocity with a disc at its tail",
        key: Shortcut::plain(KeyCode::KeyV, "V"),
        size: LayerSize::Following,
        unit: Some("m/s"),
        shown: false,
    },
    LayerInfo {
        layer: Layer::Momenta,
        id: "momenta",
        group: LayerGroup::Bodies,
        name: "Momenta",
        words: "momenta",
        meaning: "Momentum of every body, and its angular momentum with a disc at its tail",
        key: Shortcut::shift(KeyCode::KeyV, "Shift + V"),
        size: LayerSize::Following,
        unit: Some("kg·m/s"),
        shown: false,
    },
    LayerInfo {
        layer: Layer::Trails,
        id: "trails",
        group: LayerGroup::Bodies,
        name: "Trails",
        words: "trails",
        meaning: "Where chosen points have been; they fade",
        key: Shortcut::shift(KeyCode::KeyT, "Shift + T"),
        size: LayerSize::Fixed,
        unit: None,
        shown: false,
    },
    LayerInfo {
        layer: Layer::Names,
        id: "names",
        group: LayerGroup::Bodies,
        name: "Names",
        words: "names",
        meaning: "Names of bodies",
        key: Shortcut::shift(KeyCode::KeyN, "Shift + N"),
        size: LayerSize::None,
        unit: None,
        shown: false,
    },
    LayerInfo {
        layer: Layer::CollisionShapes,
        id: "collision_shapes",
        group: LayerGroup::Bodies,
        name: "Collision shapes",
        words: "collision shapes",
        meaning: "Outlines of all shapes that touch others",
        key: Shortcut::shift(KeyCode::KeyH, "Shift + H"),
        size: LayerSize::None,
        unit: None,
        shown: false,
    },
    LayerInfo {
        layer: Layer::JointFrames,
        id: "joint_frames",
        group: LayerGroup::Joints,
        name: "Joint frames",
        words: "axes of joints",
        meaning: "Axes of every joint on both bodies, its own axis drawn through",
        key: Shortcut::shift(KeyCode::KeyJ, "Shift + J"),
        size: LayerSize::Fixed,
        unit: None,
        shown: false,
    },
    LayerInfo {
        layer: Layer::Reactions,
        id: "reactions",
        group: LayerGroup::Joints,
        name: "Reactions",
        words: "reactions of joints",
        meaning: "Force of every joint on its child, and the torque with a disc at its tail; length by the square root of the magnitude",
        key: Shortcut::shift(KeyCode::KeyR, "Shift + R"),
        size: LayerSize::Following,
        unit: Some("N"),
        shown: false,
    },
    LayerInfo {
        layer: Layer::Violations,
        id: "joint_errors",
        group: LayerGroup::Joints,
        name: "Joint errors",
        words: "joint errors, enlarged",
        meaning: "How far joints are open, enlarged",
        key: Shortcut::shift(KeyCode::KeyG, "Shift + G"),
        size: LayerSize::Enlarged,
        unit: Some("m"),
        shown: false,
    },
    LayerInfo {
        layer: Layer::ContactPoints,
        id: "contact_points",
        group: LayerGroup::Contact,
        name: "Contact points",
        words: "contact points",
        meaning: "Balls stick, discs slide, small balls are open",
        key: Shortcut::plain(KeyCode::KeyC, "C"),
        size: LayerSize::Fixed,
        unit: None,
        shown: false,
    },
    LayerInfo {
        layer: Layer::ContactNormals,
        id: "contact_normals",
        group: LayerGroup::Contact,
        name: "Contact normals",
        words: "contact normals",
        meaning: "Directions in which bodies are kept apart",
        key: Shortcut::plain(KeyCode::KeyN, "N"),
        size: LayerSize::Fixed,
        unit: None,
        shown: false,
    },
    LayerInfo {
        layer: Layer::ContactForces,
        id: "contact_forces",
        group: LayerGroup::Contact,
        name: "Contact forces",
        words: "contact forces",
        meaning: "As long as the square root of their size; none longer than the scene",
        key: Shortcut::shift(KeyCode::KeyF, "Shift + F"),
        size: LayerSize::Following,
        unit: Some("N"),
        shown: false,
    },
    LayerInfo {
        layer: Layer::FrictionCones,
        id: "friction_cones",
        group: LayerGroup::Contact,
        name: "Friction cones",
        words: "friction cones",
        meaning: "Forces inside their cone stick, forces on it slide; opens by atan µ",
        key: Shortcut::shift(KeyCode::KeyC, "Shift + C"),
        size: LayerSize::Following,
        unit: Some("N"),
        shown: false,
    },
    LayerInfo {
        layer: Layer::Deflections,
        id: "contact_deflections",
        group: LayerGroup::Contact,
        name: "Contact deflections",
        words: "contact deflections, enlarged",
        meaning: "How far surfaces are in each other at contact points, enlarged",
        key: Shortcut::shift(KeyCode::KeyD, "Shift + D"),
        size: LayerSize::Enlarged,
        unit: Some("m"),
        shown: false,
    },
    LayerInfo {
        layer: Layer::Pressures,
        id: "foundation_pressures",
        group: LayerGroup::Contact,
        name: "Foundation pressures",
        words: "pressures of foundations",
        meaning: "Elements of elastic foundations, coloured by pressure from none, dark, to the largest, yellow",
        key: Shortcut::shift(KeyCode::KeyP, "Shift + P"),
        size: LayerSize::None,
        unit: Some("Pa"),
        shown: false,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_has_its_row_with_an_id_a_name_and_a_key_of_its_own() {
        for (k, row) in LAYERS.iter().enumerate() {
            assert_eq!(row.layer.place(), k, "{}", row.id);
            assert_eq!(Layer::of_id(row.id), Some(row.layer), "{}", row.id);
            for other in &LAYERS[k + 1..] {
                assert_ne!(row.name, other.name);
                assert_ne!(row.words, other.words);
                assert_ne!(row.key, other.key);
            }
            let words = |text: &str| text.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            assert!(words(row.id), "{} is no name of a file", row.id);
            assert!(LayerGroup::ALL.contains(&row.group) && !row.meaning.is_empty());
        }
        assert_eq!(Layer::of_id("Body frames"), None);
    }
}
