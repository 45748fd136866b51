//! Elastic foundations: layers of springs and dampers on faces of shapes, which give along the normal of the face alone
//! [Drumwright sect. 5.5].

use super::compliance::Compliance;
use super::shape::{Geometry, Shape};
use crate::math::Vec3;
use serde::{Deserialize, Serialize};

/// Elements of one foundation at most.
pub const MOST_ELEMENTS: usize = 1_000_000;

/// A face of a box, or the plane of a half-space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Face {
    /// Axis of the shape's frame along which its normal is: 0, 1 or 2.
    pub axis: usize,
    /// Whether the normal points along the axis, and not against it.
    pub upper: bool,
}

impl Face {
    /// All faces of a box by their names.
    pub const NAMES: [&'static str; 6] = ["-x", "+x", "-y", "+y", "-z", "+z"];

    /// The face of that name.
    pub fn named(name: &str) -> Option<Self> {
        let k = Self::NAMES.iter().position(|n| *n == name)?;
        Some(Self {
            axis: k / 2,
            upper: k % 2 == 1,
        })
    }

    /// Axes of the shape's frame along which its elements lie.
    pub fn along(self) -> [usize; 2] {
        [[1, 2], [0, 2], [0, 1]][self.axis]
    }
}

/// A layer of springs and dampers on a face, as many as there are elements, each of which gives for itself.
///
/// The layer reaches from the face, which is where it is without load, to its rigid base a depth below.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Foundation {
    /// On which face.
    pub face: Face,
    /// Extent along the [two axes](Face::along) of the face, about its middle (m).
    pub extent: [f64; 2],
    /// Number of elements along them.
    pub elements: [usize; 2],
    /// Depth of the layer (m).
    pub depth: f64,
    /// Elastic modulus (Pa): an element has the stiffness modulus · area / depth.
    pub modulus: f64,
    /// Viscosity [Pa·s]: an element has the damping viscosity · area / depth.
    pub damping: f64,
}

/// Where a foundation is, in the frame of the body that its shape is of, or in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patch {
    /// Middle of the face (m).
    pub centre: Vec3,
    /// Unit vector out of the shape.
    pub normal: Vec3,
    /// Unit vectors along which elements lie.
    pub along: [Vec3; 2],
}

impl Patch {
    /// The point so far from the middle of the face along the two axes (m).
    pub fn point(&self, [x, y]: [f64; 2]) -> Vec3 {
        self.centre + self.along[0] * x + self.along[1] * y
    }
}

impl Foundation {
    /// Number of elements.
    pub fn count(&self) -> usize {
        self.elements[0] * self.elements[1]
    }

    /// Lengths of an element along the two axes (m).
    pub fn spacing(&self) -> [f64; 2] {
        [0, 1].map(|k| self.extent[k] / self.elements[k] as f64)
    }

    /// Area of an element (m²).
    pub fn area(&self) -> f64 {
        let [a, b] = self.spacing();
        a * b
    }

    /// Spring and damper of an element along the normal.
    pub fn compliance(&self) -> Compliance {
        let by = self.area() / self.depth;
        Compliance {
            stiffness: self.modulus * by,
            damping: self.damping * by,
        }
    }

    /// Middle of an element from the middle of the face, along the two axes (m); the first axis runs fastest.
    pub fn middle(&self, element: usize) -> [f64; 2] {
        let [a, _] = self.elements;
        let at = [element % a, element / a];
        let spacing = self.spacing();
        [0, 1].map(|k| spacing[k] * (at[k] as f64 + 0.5) - 0.5 * self.extent[k])
    }

    /// Where it is on its shape.
    pub fn patch(&self, shape: &Shape) -> Patch {
        let unit = |axis: usize| {
            let mut v = Vec3::zeros();
            v[axis] = 1.0;
            v
        };
        let sign = if self.face.upper { 1.0 } else { -1.0 };
        let half = match &shape.geometry {
            Geometry::Box { size } => 0.5 * size[self.face.axis],
            _ => 0.0,
        };
        let outwards = unit(self.face.axis) * sign;
        let turn = |v: Vec3| shape.pose.rotation * v;
        Patch {
            centre: (shape.pose * nalgebra::Point3::from(outwards * half)).coords,
            normal: turn(outwards),
            along: self.face.along().map(|axis| turn(unit(axis))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Quat};

    #[test]
    fn elements_cover_their_face_and_share_its_stiffness() {
        let foundation = Foundation {
            face: Face::named("-y").expect("it is a face"),
            extent: [2.0, 0.6],
            elements: [4, 3],
            depth: 0.5,
            modulus: 1e6,
            damping: 200.0,
        };
        // 1.2 m² of 1 MPa over half a metre.
        let all = foundation.count() as f64;
        assert!((foundation.compliance().stiffness * all - 2.4e6).abs() < 1e-9);
        assert!((foundation.compliance().damping * all - 480.0).abs() < 1e-12);
        let corners = [0, 11].map(|k| foundation.middle(k));
        for ([x, z], sign) in corners.into_iter().zip([-1.0, 1.0]) {
            assert!((x - sign * 0.75).abs() < 1e-15 && (z - sign * 0.2).abs() < 1e-15);
        }
        let shape = Shape {
            geometry: Geometry::Box {
                size: Vec3::new(2.0, 3.0, 0.6),
            },
            pose: Pose::from_parts(
                Vec3::new(0.0, 0.0, 7.0).into(),
                Quat::from_scaled_axis(Vec3::x() * std::f64::consts::FRAC_PI_2),
            ),
            colour: None,
            touch: Default::default(),
            foundations: vec![foundation],
        };
        let patch = foundation.patch(&shape);
        // A quarter turn about x takes -y to -z.
        assert!((patch.centre - Vec3::new(0.0, 0.0, 5.5)).norm() < 1e-15);
        assert!((patch.normal + Vec3::z()).norm() < 1e-15);
        assert!((patch.along[0] - Vec3::x()).norm() < 1e-15);
        assert!((patch.along[1] + Vec3::y()).norm() < 1e-15);
        assert_eq!(Face::named("z"), None);
    }
}
