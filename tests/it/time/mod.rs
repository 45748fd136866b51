//! The past: takes, branches, bookmarks, going back.

pub mod older_takes;
#[cfg(feature = "app")]
pub mod past;
pub mod takes;
#[cfg(feature = "app")]
pub mod time_travel;
pub mod timeline;
