//! Regularisation of systems in which constraints may be redundant.
//!
//! Where a constraint implies another, the matrix that gives their multipliers is singular. `ρ` times the row's free
//! mobility `H M⁻¹ Hᵀ`, that which it would have were all bodies free, is added to its diagonal, in the factorisation
//! only: the unknown is the change of the multiplier and the residual is exact, so that repeating the solve leaves
//! nothing softened.
//!
//! The mobility that elimination leaves is no measure: of a constraint that the others imply wholly it is rounding,
//! and of single rows it depends on the axes in which they are written. The free one scales with the mechanism, and
//! rows of metres and of radians are each measured by themselves.

/// Regularisation of a constraint row relative to its free mobility. Constraints that feel less of the bodies than
/// this, because light ones tie them to ones `1/ρ` times as heavy, close slowly; rounding is far below.
pub const RHO: f64 = 1e-8;

/// Part of the multipliers of the last step that a step sets out from. What a constraint needs is found all the same; what constraints
/// that imply each other press against each other with is rounding over `ρ`, and so it does not add up.
pub const KEPT: f64 = 0.99;
