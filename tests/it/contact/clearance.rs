//! How far solids are apart, from formulas that share nothing with the program: balls, boxes and half-spaces.

use driftless::math::{Mat3, Pose, Vec3};
use driftless::model::{Geometry, Model, Shape, State, Touch};

/// A solid with a formula, placed in the world.
#[derive(Clone, Copy)]
enum Solid {
    Below {
        point: Vec3,
        normal: Vec3,
    },
    Ball {
        centre: Vec3,
        radius: f64,
    },
    Block {
        centre: Vec3,
        axes: Mat3,
        half: Vec3,
    },
}

impl Solid {
    fn of(shape: &Shape, owner: &Pose) -> Option<Self> {
        let pose = owner * shape.pose;
        let (centre, axes) = (
            pose.translation.vector,
            pose.rotation.to_rotation_matrix().into_inner(),
        );
        match shape.geometry {
            Geometry::HalfSpace => Some(Self::Below {
                point: centre,
                normal: axes.column(2).into(),
            }),
            Geometry::Sphere { radius } => Some(Self::Ball { centre, radius }),
            Geometry::Box { size } => Some(Self::Block {
                centre,
                axes,
                half: size / 2.0,
            }),
            _ => None,
        }
    }

    /// Centre and radius of a ball around it.
    fn hull(&self) -> (Vec3, f64) {
        match *self {
            Self::Below { point, .. } => (point, f64::INFINITY),
            Self::Ball { centre, radius } => (centre, radius),
            Self::Block { centre, half, .. } => (centre, half.norm()),
        }
    }

    /// How far it reaches to either side of its centre along a unit vector.
    fn extent(&self, along: &Vec3) -> f64 {
        match self {
            Self::Below { .. } => f64::INFINITY,
            Self::Ball { radius, .. } => *radius,
            Self::Block { axes, half, .. } => axes.tr_mul(along).abs().dot(half),
        }
    }
}

/// Distance of two solids [m]; minus the depth where they overlap. Where two boxes are apart it is the largest
/// separation along a normal or a pair of edges, which is not above their distance.
fn distance(a: &Solid, b: &Solid) -> f64 {
    match (*a, *b) {
        (Solid::Below { .. }, Solid::Below { .. }) => f64::INFINITY,
        (Solid::Below { point, normal }, solid) | (solid, Solid::Below { point, normal }) => {
            (solid.hull().0 - point).dot(&normal) - solid.extent(&normal)
        }
        (Solid::Ball { centre, radius }, other) | (other, Solid::Ball { centre, radius }) => {
            match other {
                Solid::Block {
                    centre: middle,
                    axes,
                    half,
                } => {
                    let out = axes.tr_mul(&(centre - middle)).abs() - half;
                    let outside = out.map(|x| x.max(0.0)).norm();
                    outside + out.max().min(0.0) - radius
                }
                ball => {
                    let (middle, r) = ball.hull();
                    (centre - middle).norm() - r - radius
                }
            }
        }
        (Solid::Block { axes: p, .. }, Solid::Block { axes: q, .. }) => {
            let apart = a.hull().0 - b.hull().0;
            let along = |n: Vec3| apart.dot(&n).abs() - a.extent(&n) - b.extent(&n);
            let columns = |m: &Mat3| [0, 1, 2].map(|k| Vec3::from(m.column(k)));
            let faces = columns(&p).into_iter().chain(columns(&q)).map(along);
            let edges = columns(&p)
                .into_iter()
                .flat_map(|e| columns(&q).map(|f| e.cross(&f)))
                // Nearly parallel edges separate nothing that the faces do not.
                .filter(|n| n.norm() > 1e-6)
                .map(|n| along(n.normalize()));
            faces.chain(edges).fold(f64::NEG_INFINITY, f64::max)
        }
    }
}

/// Least distance of any two bodies, and of any body and the world [m]; infinite where no two of them are near.
pub fn clearance(model: &Model, state: &State) -> f64 {
    let mut solids: Vec<(Option<usize>, Touch, Solid)> = Vec::new();
    let world = Pose::identity();
    let fixed = model.world_shapes.iter();
    solids.extend(fixed.filter_map(|s| Some((None, s.touch, Solid::of(s, &world)?))));
    for (k, (body, at)) in model.bodies.iter().zip(&state.bodies).enumerate() {
        let pose = Pose::from_parts(at.position.into(), at.orientation);
        let shapes = body.shapes.iter();
        solids.extend(shapes.filter_map(|s| Some((Some(k), s.touch, Solid::of(s, &pose)?))));
    }
    let mut least = f64::INFINITY;
    for (k, (owner, touch, solid)) in solids.iter().enumerate() {
        for (other_owner, other_touch, other) in &solids[..k] {
            if owner == other_owner || !touch.meets(other_touch) {
                continue;
            }
            let ((p, r), (q, s)) = (solid.hull(), other.hull());
            if (p - q).norm() < r + s + least.min(1.0) {
                least = least.min(distance(solid, other));
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use driftless::math::Quat;

    fn block(centre: Vec3, turn: Quat, size: Vec3) -> Solid {
        Solid::Block {
            centre,
            axes: turn.to_rotation_matrix().into_inner(),
            half: size / 2.0,
        }
    }

    #[test]
    fn worked_cases() {
        let unit = |x: f64| block(Vec3::x() * x, Quat::identity(), Vec3::repeat(1.0));
        let ball = |x: f64| Solid::Ball {
            centre: Vec3::x() * x,
            radius: 0.25,
        };
        let eighth = Quat::from_scaled_axis(Vec3::z() * std::f64::consts::FRAC_PI_4);
        let turned = block(Vec3::x() * 1.5, eighth, Vec3::repeat(1.0));
        let floor = Solid::Below {
            point: Vec3::z() * -2.0,
            normal: Vec3::z(),
        };
        for (a, b, expected) in [
            (unit(0.0), unit(1.25), 0.25),
            (unit(0.0), unit(0.9), -0.1),
            (unit(0.0), turned, 1.0 - 0.5f64.sqrt()),
            (unit(0.0), ball(1.0), 0.25),
            (ball(0.7), unit(0.0), -0.05),
            (ball(0.0), ball(0.75), 0.25),
            (floor, unit(0.0), 1.5),
            (ball(3.0), floor, 1.75),
        ] {
            let found = distance(&a, &b);
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }
}
