//! The features of simple solids.

use super::gap::perpendicular;
use super::polyhedron::{Corner, Edge, Ellipsoid, Face, Polyhedron, Rim};
use crate::math::{Quat, Vec3};
use std::f64::consts::TAU;

/// Lines down the side of a cone that bound the directions in which its tip is touched.
const GENERATORS: usize = 16;

impl Polyhedron {
    /// A rounded point.
    pub fn point(at: Vec3, radius: f64) -> Self {
        Self {
            radius,
            corners: vec![Corner {
                at,
                radius,
                spokes: 0..0,
            }],
            ..Self::default()
        }
    }

    /// A rounded segment.
    pub fn segment(from: Vec3, to: Vec3, radius: f64) -> Self {
        let length = (to - from).norm();
        let along = (to - from) / length;
        Self {
            radius,
            corners: vec![
                Corner {
                    at: from,
                    radius,
                    spokes: 0..1,
                },
                Corner {
                    at: to,
                    radius,
                    spokes: 1..2,
                },
            ],
            edges: vec![Edge {
                at: from,
                along,
                length,
                radius,
                inward: [Vec3::zeros(); 2],
                faces: [usize::MAX; 2],
            }],
            spokes: vec![along, -along],
            ..Self::default()
        }
    }

    /// A cylinder about the z axis.
    pub fn cylinder(radius: f64, length: f64) -> Self {
        let end = Vec3::z() * (0.5 * length);
        let axis = Self::segment(-end, end, radius);
        let mut made = Self {
            ends: axis.corners,
            edges: axis.edges,
            spokes: axis.spokes,
            ..Self::default()
        };
        made.add_disc(-end, -Vec3::z(), radius);
        made.add_disc(end, Vec3::z(), radius);
        made
    }

    /// A cone about the z axis, its centroid at the origin.
    pub fn cone(radius: f64, length: f64) -> Self {
        let tip = Vec3::z() * (0.75 * length);
        let mut made = Self::default();
        made.add_disc(Vec3::z() * (-0.25 * length), -Vec3::z(), radius);
        let rim = made.rims[0];
        // Many of the lines down its side stand for all.
        let angles = (0..GENERATORS).map(|k| TAU * k as f64 / GENERATORS as f64);
        made.spokes = angles.map(|a| (rim.point(a) - tip).normalize()).collect();
        made.corners.push(Corner {
            at: tip,
            radius: 0.0,
            spokes: 0..GENERATORS,
        });
        made
    }

    /// An ellipsoid about the origin.
    pub fn ellipsoid(radii: Vec3) -> Self {
        Self {
            ellipsoids: vec![Ellipsoid {
                at: Vec3::zeros(),
                orientation: Quat::identity(),
                radii,
            }],
            ..Self::default()
        }
    }

    fn add_disc(&mut self, at: Vec3, normal: Vec3, radius: f64) {
        self.rims.push(Rim {
            at,
            axis: normal,
            zero: perpendicular(&normal),
            radius,
        });
        let plane = self.faces.len();
        self.faces.push(Face {
            at,
            normal,
            sides: 0..0,
            disc: Some(radius),
            plane,
        });
    }

    /// Everything below a plane.
    pub fn half_space(at: Vec3, normal: Vec3) -> Self {
        Self {
            faces: vec![Face {
                at,
                normal,
                sides: 0..0,
                disc: None,
                plane: 0,
            }],
            ..Self::default()
        }
    }

    /// A box about the origin.
    pub fn cuboid(size: &Vec3) -> Self {
        let half = size * 0.5;
        let corner = |k: usize| {
            let sign = |axis: usize| if k >> axis & 1 == 0 { -1.0 } else { 1.0 };
            Vec3::new(sign(0), sign(1), sign(2)).component_mul(&half)
        };
        let corners: Vec<Vec3> = (0..8).map(corner).collect();
        let faces: [&[u32]; 6] = [
            &[0, 4, 6, 2],
            &[1, 3, 7, 5],
            &[0, 1, 5, 4],
            &[2, 6, 7, 3],
            &[0, 2, 3, 1],
            &[4, 5, 7, 6],
        ];
        Self::from_polygons(&corners, faces.iter().copied())
    }
}
