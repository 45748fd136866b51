//! The law of a point in its piece, solved for the change of its impulses: `δr = push - k δu`.

use crate::solver::law::Dual;
use crate::solver::unilateral::length;

/// A point's eliminated law.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Eliminated {
    /// Rows by impulse, columns by velocity.
    pub k: [[f64; 3]; 3],
    pub push: [f64; 3],
    /// It couples its bodies.
    pub pressed: bool,
}

impl Eliminated {
    /// The inverse of `C + E gives + epsilon` of [`Dual::piece`] with the disc for a section, in closed form: every step visits
    /// all points. Tangents give alike.
    pub fn of(dual: &Dual, gives: [f64; 3], epsilon: f64) -> Self {
        let (r, u) = (&dual.impulse, &dual.velocity);
        if !dual.is_pressed() {
            // Open: all impulses vanish.
            return Self {
                push: [-r[0], -r[1], -r[2]],
                ..Self::default()
            };
        }
        let mut law = Self {
            pressed: true,
            ..Self::default()
        };
        let normal = inverse(gives[0] + epsilon);
        law.k[0][0] = normal;
        law.push[0] = -u[0] * normal;
        if dual.rows == 1 {
            return law;
        }
        let z = [r[1] - u[1], r[2] - u[2]];
        let length = length(z);
        let bound = (dual.friction * r[0]).max(0.0);
        if length <= bound {
            let stuck = inverse(gives[1] + epsilon);
            for row in 1..3 {
                law.k[row][row] = stuck;
                law.push[row] = -u[row] * stuck;
            }
            return law;
        }
        // It slides along `d`: friction follows the normal impulse along it and turns with the slip across it.
        let d = [z[0] / length, z[1] / length];
        let shrink = bound / length;
        let along = 1.0 / (1.0 + epsilon);
        let across = inverse(1.0 - shrink + shrink * gives[1] + epsilon);
        let rest = bound - (d[0] * r[1] + d[1] * r[2]);
        let aside = d[1] * r[1] - d[0] * r[2];
        let drawn = along * (rest + dual.friction * law.push[0]);
        let turned = across * aside;
        let side = [-d[1], d[0]];
        for row in 0..2 {
            law.push[1 + row] = d[row] * drawn + side[row] * turned;
            law.k[1 + row][0] = d[row] * along * dual.friction * normal;
            for column in 0..2 {
                law.k[1 + row][1 + column] = side[row] * side[column] * shrink * across;
            }
        }
        law
    }
}

/// One over a pivot; what has none is left as it is.
fn inverse(pivot: f64) -> f64 {
    if pivot == 0.0 { 1.0 } else { 1.0 / pivot }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Vec3};
    use crate::solver::ConeSection;
    use proptest::prelude::*;

    proptest! {
        /// In all pieces, with friction and without, against the inverse of the matrix: what is off is rounding, of inverses
        /// up to `1/ε`.
        #[test]
        fn is_the_inverse_of_the_piece(
            r in prop::array::uniform3(-2.0..2.0f64),
            u in prop::array::uniform3(-2.0..2.0f64),
            friction in prop_oneof![Just(0.0), 0.0..3.0f64],
            gives in prop_oneof![Just(0.0), 1e-6..1.0f64],
            exponent in -6..0i32,
            rough in any::<bool>(),
        ) {
            let epsilon = 10f64.powi(exponent);
            let rows = if rough { 3 } else { 1 };
            let of = |x: [f64; 3]| if rough { x } else { [x[0], 0.0, 0.0] };
            let dual = Dual { rows, friction, speed: 1.0, impulse: of(r), velocity: of(u) };
            let gives = of([0.5 * gives, gives, gives]);
            let law = Eliminated::of(&dual, gives, epsilon);
            let piece = dual.piece(ConeSection::Disc);
            let near = if dual.is_pressed() { epsilon } else { 0.0 };
            let matrix = piece.c + piece.e * Mat3::from_diagonal(&Vec3::from(gives)) + Mat3::identity() * near;
            let inverse = matrix.try_inverse().expect("it is regular");
            let (push, k) = (inverse * piece.rhs, inverse * piece.e);
            prop_assert_eq!(law.pressed, dual.is_pressed());
            for i in 0..rows {
                prop_assert!((law.push[i] - push[i]).abs() <= 1e-13 / epsilon);
                for j in 0..rows {
                    prop_assert!((law.k[i][j] - k[(i, j)]).abs() <= 1e-13 / epsilon);
                }
            }
        }
    }
}
