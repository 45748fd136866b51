//! Meshes: of shapes, of what is drawn anew while things move, and where they are shared.

pub mod builder;
pub mod cache;
pub mod convert;
pub mod primitives;
pub mod stout;
pub mod surfaces;
