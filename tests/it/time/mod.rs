//! The past: takes, branches, bookmarks, going back.

pub mod branches;
pub mod cli_takes;
pub mod damaged_takes;
pub mod older_takes;
#[cfg(feature = "app")]
pub mod past;
pub mod takes;
#[cfg(feature = "app")]
pub mod time_travel;
pub mod timeline;
