//! Linear systems: small dense ones inside a step, block-sparse ones on a graph.

pub mod bit_graph;
pub mod block_ldu;
pub mod block_six;
mod branches;
mod kernels;
pub mod lu;
pub mod ordering;
pub mod proximal;
mod six_factor;
pub mod six_lu;
pub mod symbolic;
