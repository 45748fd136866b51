//! Films and pictures.

#[cfg(feature = "video")]
pub mod movie;
#[cfg(feature = "app")]
pub mod record;
#[cfg(feature = "app")]
pub mod record_lanes;
#[cfg(feature = "app")]
pub mod unfinished;
#[cfg(feature = "video")]
pub mod video;
