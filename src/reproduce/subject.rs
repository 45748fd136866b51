//! What can be looked at while an experiment runs.

/// The scene of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// What is run, or one of its sizes: a shipped scene, or a generator with its parameters.
    Run(&'static str),
    /// A scene near to what is run, and what is different there.
    Near(&'static str, &'static str),
    /// None, for this reason.
    None(&'static str),
}

impl Subject {
    /// What opens it.
    pub fn scene(&self) -> Option<&'static str> {
        match self {
            Self::Run(scene) | Self::Near(scene, _) => Some(scene),
            Self::None(_) => None,
        }
    }

    /// What is different in it, or why there is none.
    pub fn note(&self) -> Option<&'static str> {
        match self {
            Self::Run(_) => None,
            Self::Near(_, note) | Self::None(note) => Some(note),
        }
    }
}
