//! Scene files: what they hold, what is wrong with them, where.

pub mod builders;
pub mod compliance;
pub mod contact;
pub mod contact_mistakes;
pub mod damage;
pub mod document;
pub mod errors;
pub mod files;
pub mod limits;
pub mod mistakes;
pub mod motions;
pub mod shipped;
pub mod surfaces;
pub mod templates;
pub mod words;
