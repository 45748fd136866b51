//! Edits that were not saved.

use std::path::PathBuf;
use std::time::SystemTime;

/// Edits that an earlier session left.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Where they are.
    pub file: PathBuf,
    /// What opens the scene that was edited.
    pub spec: String,
    /// The scene as it was edited.
    pub text: String,
    /// When they were kept.
    pub kept: SystemTime,
}

impl Draft {
    /// How long ago that was, in words.
    pub fn age(&self) -> String {
        let minutes = self.kept.elapsed().unwrap_or_default().as_secs() / 60;
        let ago = |count: u64, noun: &str| match count {
            1 => format!("1 {noun} ago"),
            _ => format!("{count} {noun}s ago"),
        };
        match minutes {
            0 => "a moment ago".into(),
            1..60 => ago(minutes, "minute"),
            60..1440 => ago(minutes / 60, "hour"),
            _ => ago(minutes / 1440, "day"),
        }
    }
}
