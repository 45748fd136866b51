//! The law and the balance on piles, stacks and columns; islands and their parts; single points; points that are nearly the same; clarabel beside it.

mod alternation;
mod clarabel;
mod compliance;
mod dissection;
mod islands;
mod laws;
mod local;
mod merging;
mod piles;
mod worked;
