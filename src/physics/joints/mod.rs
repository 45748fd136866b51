//! Joint geometry: constraint rows, joint coordinates and the wrenches that belong to them.
//!
//! Everything about a joint reduces to one primitive, the [`Row`]: a direction `(force, torque)` at the
//! child's anchor. A row is at once
//! - the gradient of a constraint or of a joint coordinate with respect to the relative motion, and
//! - the wrench per unit multiplier on the child, with the opposite wrench on the parent at the same point.
//!
//! The two half-joints [Brüdigam2023 app. B] give all kinds: the translational one holds components of the
//! gap between the anchors in the parent's joint axes; the rotational one holds pairs of axes, one fixed in
//! the parent and one in the child, perpendicular.
//!
//! | symbol | code | unit | frame |
//! |---|---|---|---|
//! | `t_1, t_2, t_3` | columns of `parent_axes` | - | world |
//! | `b_1, b_2, b_3` | columns of `child_axes` | - | world |
//! | `y_b - y_a` | `gap` | m | world |

mod bias;
mod coordinates;
mod curvature;
mod placement;
mod reaction;
mod stretch;

pub use crate::model::Row;
pub use bias::{constraint_bias, coordinate_bias};
pub use coordinates::{
    coordinate_row, coordinates, coordinates_from, rate_row, rates, refresh_angles,
    relative_rotation, sweep, sweep_from, turn_between, unwrapped_angles,
};
pub use curvature::{
    PairSlope, constraint_curvature, coordinate_curvature, rate_curvature, row_pair, six_by_six,
};
pub use placement::{
    Drift, Placement, constraint, constraint_rows, drift, free_translations, row_on,
};
pub use reaction::react;
pub use stretch::Stretch;

#[cfg(test)]
mod tests;
