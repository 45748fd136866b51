//! The past: takes, branches, bookmarks, going back.

#[cfg(feature = "app")]
pub mod older_takes;
pub mod past;
pub mod takes;
#[cfg(feature = "app")]
pub mod time_travel;
pub mod timeline;
