//! Figures that are not run, and what they lack.

/// A figure without an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unrun {
    /// Key of the paper.
    pub paper: &'static str,
    /// The figure.
    pub figure: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// What the paper claims, in one sentence.
    pub claim: &'static str,
    /// Where it does.
    pub place: &'static str,
    /// Why it is not run.
    pub lacks: &'static str,
}

/// All of them.
pub const UNRUN: &[Unrun] = &[
    Unrun {
        paper: "bruedigam2023",
        figure: "13",
        title: "A quadruped that learns to walk",
        claim: "control parameters of the quadruped Unitree A1 are learned by sampling, for more than 12 m in 10 s after 100 episodes",
        place: "sect. 5.4, fig. 13",
        lacks: "needs robots: the model of the A1 and its controller",
    },
    Unrun {
        paper: "bruedigam2023",
        figure: "14",
        title: "Gains of an exoskeleton for an arm",
        claim: "gains that keep the torque of the elbow within 5 N m for a healthy patient exceed it for a spastic one, and adapted gains keep it for both",
        place: "sect. 5.4, fig. 14",
        lacks: "needs robots: the model of the exoskeleton on an arm",
    },
];
