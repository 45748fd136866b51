//! What is near at a contact: a point, line, plane, rim or ellipsoid fixed to a body, and how far two of them are
//! apart.

use super::gap;
use super::material::without_number;
use crate::math::{Pose, Quat, Vec3};
use crate::model::{BodyId, BodyState, ContactKey, SurfaceCompliance};
use std::ops::Deref;

/// A geometric feature of a shape, in the frame of its body (origin at the centre of mass) or of the world.
///
/// A radius rounds it: a sphere is a rounded point, the side of a capsule or cylinder a rounded line. Lines and
/// planes are unbounded: whoever makes a contact sees to it that the nearest points lie on the solids.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Feature {
    /// Corner, centre of a sphere or of a cap.
    Point {
        /// Where (m).
        at: Vec3,
        /// Rounding (m).
        radius: f64,
    },
    /// Edge or axis. Of two lines the directions are chosen such that the first direction crossed with the second
    /// points from the second body to the first: that gives the distance its sign.
    Line {
        /// A point on it (m).
        at: Vec3,
        /// Unit vector along it.
        along: Vec3,
        /// Rounding (m).
        radius: f64,
    },
    /// Face.
    Plane {
        /// A point on it (m).
        at: Vec3,
        /// Unit vector out of the solid.
        normal: Vec3,
    },
    /// Rim of a disc; meets planes only, anything else meets its centre.
    Rim {
        /// Centre (m).
        at: Vec3,
        /// Unit vector along the axis.
        axis: Vec3,
        /// Radius (m).
        radius: f64,
    },
    /// Ellipsoid; meets planes only, anything else meets its centre.
    Ellipsoid {
        /// Centre (m).
        at: Vec3,
        /// Orientation `body_from_ellipsoid`.
        orientation: Quat,
        /// Half-axes (m).
        radii: Vec3,
    },
}

/// Two features of two bodies that may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Which contact: the same for the same features of the same shapes, whatever the step.
    pub key: ContactKey,
    /// The bodies; `None` is the world. The first is never the world.
    pub bodies: [Option<BodyId>; 2],
    /// Their features.
    pub features: [Feature; 2],
    /// Coefficient of friction.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// How far both surfaces give.
    pub compliance: SurfaceCompliance,
}

/// How far two features are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Signed distance φ (m).
    pub distance: f64,
    /// Unit normal from the second to the first, world frame: with the arms to [`points`](Self::points) it is the
    /// gradient of φ.
    pub normal: Vec3,
    /// Nearest points of both surfaces, world frame (m).
    pub points: [Vec3; 2],
}

impl Gap {
    /// How far the nearest points are apart (m).
    pub fn apart(&self) -> f64 {
        (self.points[0] - self.points[1]).norm()
    }

    /// The middle between the nearest points (m).
    pub fn middle(&self) -> Vec3 {
        (self.points[0] + self.points[1]) * 0.5
    }
}

/// A contact with its gap at one configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Located {
    /// The contact.
    pub contact: Contact,
    /// Its gap there.
    pub here: Gap,
}

impl Located {
    /// A contact at the poses of `bodies`.
    pub fn at(contact: &Contact, bodies: &[BodyState]) -> Self {
        Self {
            contact: *contact,
            here: contact.gap(bodies),
        }
    }
}

impl Deref for Located {
    type Target = Contact;

    fn deref(&self) -> &Contact {
        &self.contact
    }
}

/// Bits of the number in each half of a key; above it is the kind of the feature.
pub(super) const NUMBER_BITS: u32 = 29;

/// Kind of a half that stands for the tangent plane of a curved surface.
pub(super) const TANGENT: u64 = 6;

/// Mask of the number.
const NUMBER: u64 = (1 << NUMBER_BITS) - 1;

/// The half of a key's features.
fn half(key: ContactKey, shift: u32) -> u64 {
    key.features >> shift & u64::from(u32::MAX)
}

impl ContactKey {
    /// Which contact it is, whatever its number and that of its material points.
    pub fn root(self) -> Self {
        without_number(self.numbered(0).unwrap_or(self))
    }

    /// That of one of several tangent planes of the same two surfaces; nothing if it is no tangent plane.
    fn numbered(mut self, number: u64) -> Option<Self> {
        let shift = self.tangent_shift()?;
        self.features = self.features & !(NUMBER << shift) | number << shift;
        Some(self)
    }

    /// Whether it is that of a tangent plane of two surfaces, neither of which has a feature there.
    pub fn is_tangent(self) -> bool {
        [0, 32]
            .iter()
            .all(|&shift| half(self, shift) >> NUMBER_BITS == TANGENT)
    }

    /// Where the number of a tangent plane is; nothing if it is none.
    fn tangent_shift(self) -> Option<u32> {
        [0, 32]
            .into_iter()
            .find(|&shift| half(self, shift) >> NUMBER_BITS == TANGENT)
    }

    /// The number of a tangent plane; zero of what is none.
    pub fn tangent_number(self) -> u64 {
        let shift = self.tangent_shift();
        shift.map_or(0, |shift| half(without_number(self), shift) & NUMBER)
    }
}

impl Contact {
    /// Which contact it is, whatever its number and that of its material points.
    pub fn root(&self) -> ContactKey {
        self.key.root()
    }

    /// The contact as one of several tangent planes of the same two surfaces, as where they touch along a line;
    /// nothing if it is no tangent plane.
    pub fn numbered(self, number: u64) -> Option<Self> {
        let key = self.key.numbered(number)?;
        Some(Self { key, ..self })
    }

    /// Distance, normal and nearest points at the poses of `bodies`.
    pub fn gap(&self, bodies: &[BodyState]) -> Gap {
        let placed = |side: usize| match self.bodies[side] {
            None => self.features[side],
            Some(body) => self.features[side].placed(&bodies[body.0]),
        };
        gap::between(&placed(0), &placed(1))
    }
}

impl Feature {
    /// The feature of a body in the world frame.
    pub(super) fn placed(&self, body: &BodyState) -> Self {
        self.moved(&Pose::from_parts(body.position.into(), body.orientation))
    }

    /// The feature in another frame.
    pub(super) fn moved(&self, pose: &Pose) -> Self {
        // One vector or two: a matrix would pay from the third on.
        let turn = pose.rotation;
        let point = |at: Vec3| pose.translation.vector + turn * at;
        match *self {
            Self::Point { at, radius } => Self::Point {
                at: point(at),
                radius,
            },
            Self::Line { at, along, radius } => Self::Line {
                at: point(at),
                along: turn * along,
                radius,
            },
            Self::Plane { at, normal } => Self::Plane {
                at: point(at),
                normal: turn * normal,
            },
            Self::Rim { at, axis, radius } => Self::Rim {
                at: point(at),
                axis: turn * axis,
                radius,
            },
            Self::Ellipsoid {
                at,
                orientation,
                radii,
            } => Self::Ellipsoid {
                at: point(at),
                orientation: turn * orientation,
                radii,
            },
        }
    }
}
