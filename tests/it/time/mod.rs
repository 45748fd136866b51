//! The past: takes, branches, bookmarks, going back.

pub mod branches;
pub mod cli_takes;
pub mod damaged_takes;
pub mod older_takes;
#[cfg(feature = "window")]
pub mod past;
pub mod takes;
#[cfg(feature = "window")]
pub mod time_travel;
pub mod timeline;
