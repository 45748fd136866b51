//! The law and the balance on piles, stacks and columns; islands; single points; points that are nearly the same; clarabel beside it.

mod clarabel;
mod compliance;
mod islands;
mod laws;
mod local;
mod merging;
mod piles;
mod worked;
