//! The papers whose experiments are run.

/// A paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paper {
    /// Its key, as on the command line.
    pub key: &'static str,
    /// Who wrote it, and when.
    pub authors: &'static str,
    /// Its title.
    pub title: &'static str,
}

/// All of them; those in maximal coordinates, which this program is after, first.
pub const PAPERS: &[Paper] = &[
    Paper {
        key: "bruedigam2023",
        authors: "Brüdigam, Sosnowski, Manchester, Hirche 2023",
        title: "Variational integrators and graph-based solvers for multibody dynamics in maximal coordinates",
    },
    Paper {
        key: "bruedigam2020",
        authors: "Brüdigam, Manchester 2020",
        title: "Linear-time variational integrators in maximal coordinates",
    },
    Paper {
        key: "lee2016",
        authors: "Lee, Liu, Park, Srinivasa 2016",
        title: "A linear-time variational integrator for multibody systems",
    },
    Paper {
        key: "holzinger2024",
        authors: "Holzinger, Arnold, Gerstmayr 2024",
        title: "Evaluation and implementation of Lie group integration methods for rigid multibody systems",
    },
    Paper {
        key: "drumwright",
        authors: "Drumwright",
        title: "An unconditionally stable first-order constraint solver for multibody systems",
    },
    Paper {
        key: "beyond",
        authors: "Beyond the papers",
        title: "systems and runs longer than theirs, and their systems by a solver that knows no graph",
    },
];
