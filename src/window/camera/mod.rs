//! Where one looks from.

pub mod bounds;
pub mod framing;
pub mod motion;
pub mod moving;
pub mod orbit;
pub mod path;
pub mod view;
