//! What is drawn in three dimensions, in the window and in films.

pub mod bodies;
pub mod cables;
pub mod ground;
pub mod joints;
pub mod layers;
pub mod lighting;
