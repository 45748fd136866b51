//! What no paper ran: the methods of the papers in maximal coordinates where systems are much larger and runs much longer, and
//! their systems by a solver that knows no graph.

pub mod energy;
pub mod general;
pub mod size;
#[cfg(test)]
mod tests;

/// Key of the group.
const BEYOND: &str = "beyond";
