//! Films and pictures.

#[cfg(feature = "video")]
pub mod movie;
#[cfg(feature = "window")]
pub mod record;
#[cfg(feature = "window")]
pub mod record_lanes;
#[cfg(feature = "window")]
pub mod unfinished;
#[cfg(feature = "video")]
pub mod video;
