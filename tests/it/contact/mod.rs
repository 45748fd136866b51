//! Rigid contact: laws, rebounds, stacks, piles, scenes.

pub mod bounce;
pub mod cables;
pub mod classics;
pub mod clearance;
pub mod cli_contact;
pub mod collisions;
pub mod compliant;
pub mod compliant_fast;
pub mod drag;
pub mod energy;
pub mod heaps;
pub mod laws;
pub mod limits;
pub mod piles;
pub mod push;
pub mod rebound;
pub mod redundancy;
pub mod rolling;
pub mod scenes;
pub mod slope;
pub mod stacks;
pub mod states;
pub mod thin;
pub mod thrown;
pub mod touching;
pub mod toys;
