//! S. Holzinger, M. Arnold, J. Gerstmayr: Evaluation and implementation of Lie group integration methods for rigid multibody
//! systems [Holzinger2024].
//!
//! An item per figure and table. Those of one mechanism run the same [`Ladder`](ladder::Ladder) and look at it in their own way.

pub mod held_convergence;
pub mod held_iterations;
pub mod held_time;
mod judges;
mod ladder;
pub mod puma_angles;
pub mod puma_convergence;
pub mod puma_cost;
pub mod rotor_convergence;
pub mod rotor_iterations;
pub mod rotor_precession;
pub mod rotor_time;
pub mod rotor_work;
pub mod slider_convergence;
pub mod slider_cost;
pub mod slider_motion;
pub mod tangent;
pub mod top_convergence;
pub mod top_iterations;
pub mod top_motion;
pub mod top_time;
pub mod top_work;
pub mod variational;

use ladder::{CLOSED_RK67, Case, Ladder, RK67};
use nalgebra::DVector;
use physics::math::Vec3;
use physics::sim::Simulation;

/// Key of the paper.
const PAPER: &str = "holzinger2024";

/// The case in minimal coordinates.
const MINIMAL: &str = "minimal coordinates";

/// Explicit methods, classical and on the group, then implicit ones.
const ALL: [Case; 10] = [
    explicit(
        "RK44 Rxyz",
        &[("tableau", "rk44"), ("parametrisation", "rxyz")],
    ),
    explicit("RK44 RV", &[("tableau", "rk44"), ("parametrisation", "rv")]),
    explicit(
        "DOPRI5 Rxyz",
        &[("tableau", "dopri5"), ("parametrisation", "rxyz")],
    ),
    explicit(
        "DOPRI5 RV",
        &[("tableau", "dopri5"), ("parametrisation", "rv")],
    ),
    explicit(
        "RK67 Rxyz",
        &[("tableau", "rk67"), ("parametrisation", "rxyz")],
    ),
    explicit("RK67 RV", &[("tableau", "rk67"), ("parametrisation", "rv")]),
    RXYZ,
    EP,
    RV,
    implicit("gen-alpha SE3", &[("parametrisation", "se3")]),
];

const RXYZ: Case = implicit("gen-alpha Rxyz", &[("parametrisation", "rxyz")]);
const EP: Case = implicit("gen-alpha EP", &[("parametrisation", "ep")]);
/// As in the paper, without the tangent operator in the matrix.
const RV: Case = implicit(
    "gen-alpha RV",
    &[("parametrisation", "rv"), ("tangent", "neglected")],
);

/// Names of the implicit methods that the paper compares.
const IMPLICIT: [&str; 3] = [RXYZ.name, EP.name, RV.name];

const fn explicit(name: &'static str, options: &'static [(&'static str, &'static str)]) -> Case {
    Case {
        name,
        method: "runge-kutta",
        options,
    }
}

const fn implicit(name: &'static str, options: &'static [(&'static str, &'static str)]) -> Case {
    Case {
        name,
        method: "generalized-alpha",
        options,
    }
}

/// The heavy top without kinematic constraints (figures 3 to 5, table 4).
const TOP: Ladder = Ladder {
    name: "heavy top without constraints",
    scene: "heavy_top_free",
    cases: &ALL,
    first: 8e-4,
    levels: [8, 11],
    end: 1.0,
    tolerance: 1e-10,
    reference: (RK67, [40_000, 100_000]),
    measure: |sim| point(sim, Vec3::y()),
};

/// What is run of it.
const TOP_SETUP: &str = "body with the inertia about the fixed point, weight as a couple; 1 s in steps of 8e-4 s, where the \
     paper begins at 1e-4 s, halved 10 times, quick 7; tolerance 1e-10 of the forces; reference rk67 with rv in steps of 1e-5 s, quick 2.5e-5; spectral radius 0.9";

/// The heavy top on a spherical joint (figures 6 to 8).
const HELD: Ladder = Ladder {
    name: "heavy top with constraints",
    scene: "heavy_top",
    cases: &[
        RXYZ,
        EP,
        implicit(RV.name, &[("parametrisation", "rv")]),
        implicit("gen-alpha SE3", &[("parametrisation", "se3")]),
        implicit(
            "modified Rxyz",
            &[("parametrisation", "rxyz"), ("newton", "modified")],
        ),
        implicit(
            "modified EP",
            &[("parametrisation", "ep"), ("newton", "modified")],
        ),
        implicit(
            "modified RV",
            &[("parametrisation", "rv"), ("newton", "modified")],
        ),
    ],
    measure: |sim| point(sim, Vec3::zeros()),
    ..TOP
};

/// What is run of it.
const HELD_SETUP: &str = "15 kg, its centre of mass 1 m from the joint; 1 s in steps of 8e-4 s, where the paper begins at 1e-4 s, halved 10 times, quick 7; tolerance 1e-10 of \
     the forces; the tangent operator in the matrix as in figure 7; \
     reference rk67 with rv where the paper has generalised-alpha with EP; spectral radius 0.9";

/// The rotor on flexible supports (figures 11 to 13, table 7).
const ROTOR: Ladder = Ladder {
    name: "rotor",
    scene: "rotor",
    levels: [6, 9],
    end: 4.0,
    reference: (RK67, [400_000, 1_000_000]),
    measure: |sim| point(sim, Vec3::new(-0.4, 0.0, 0.0)),
    ..TOP
};

/// What is run of it.
const ROTOR_SETUP: &str = "parameters of our own, since table 6 is not public: 2 kg, 637 rad/s, supports of 800 N/m, chosen for a precession of \
     0.4 Hz; 4 s in steps of 8e-4 s, where the paper begins at 1e-4 s, halved 8 times, quick 5; tolerance 1e-10 of the forces; reference rk67 with rv";

/// The spatial slider-crank (figures 16, 17).
const SLIDER: Ladder = Ladder {
    name: "slider-crank",
    scene: "slider_crank",
    cases: &[
        RXYZ,
        EP,
        RV,
        implicit("gen-alpha SE3", &[("parametrisation", "se3")]),
    ],
    first: 4e-3,
    levels: [6, 10],
    end: 5.0,
    reference: (CLOSED_RK67, [20_000, 50_000]),
    measure: |sim| DVector::from_element(1, sim.state().bodies[2].position.x),
    ..TOP
};

/// What is run of it.
const SLIDER_SETUP: &str = "ideal universal joint; 5 s in steps of 4e-3 s halved 9 times where the paper halves 12, quick 5; tolerance 1e-10 of \
     the forces; reference rk67 with rv and projection where the paper has generalised-alpha with Rxyz";

/// The Puma 560 from one pose to another (figures 20, 21).
const PUMA: Ladder = Ladder {
    name: "puma",
    scene: "puma",
    cases: &[
        RXYZ,
        EP,
        RV,
        Case {
            name: MINIMAL,
            method: "minimal-riqn",
            options: &[],
        },
        Case {
            name: "minimal coordinates, RK4",
            method: "joint-space-rk4",
            options: &[],
        },
        Case {
            name: "variational-2",
            method: "variational-2",
            options: &[],
        },
    ],
    first: 0.1,
    levels: [8, 11],
    end: 1.0,
    reference: (CLOSED_RK67, [10_000, 40_000]),
    measure: angles,
    ..TOP
};

/// What is run of it.
const PUMA_SETUP: &str = "gains of a published model of the same robot, half of the second constant acceleration, half deceleration; steps of \
     0.1 s halved 10 times, quick 7; tolerance 1e-10 of the forces; minimal coordinates by minimal-riqn, which is variational, since \
     there is no generalised-alpha in them here";

/// A point of the first body.
fn point(sim: &Simulation, at: Vec3) -> DVector<f64> {
    let body = &sim.state().bodies[0];
    let point = body.position + body.orientation * at;
    DVector::from_column_slice(point.as_slice())
}

/// Angles of all joints.
fn angles(sim: &mut Simulation) -> DVector<f64> {
    let joints = sim.model().joints.len();
    let angles = (0..joints).flat_map(|k| sim.coordinates(physics::model::JointId(k)));
    DVector::from_iterator(joints, angles)
}

/// A ratio as text.
fn shown(ratio: Option<f64>) -> String {
    ratio.map_or("none".into(), |r| format!("{r:.3}"))
}
