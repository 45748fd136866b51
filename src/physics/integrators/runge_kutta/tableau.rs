//! Butcher tableaus: the methods as data.

/// An explicit Runge-Kutta method.
#[derive(Debug, PartialEq)]
pub struct Tableau {
    /// The word by which it is chosen.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// Order of `b`.
    pub order: u32,
    /// Rows of the strictly lower triangle.
    pub a: &'static [&'static [f64]],
    /// Weights.
    pub b: &'static [f64],
    /// Nodes.
    pub c: &'static [f64],
    /// What an interpolant of order 4 has beyond Hermite's of order 3: weights of the slopes at the stages and at the end of the
    /// step in its last term [Hairer, Nørsett, Wanner, sect. II.6]; empty where there is none.
    pub dense: &'static [f64],
    /// Positions move with the new velocity, not with the velocity of the stages: semi-implicit Euler.
    pub new_velocity: bool,
}

const NONE: Tableau = Tableau {
    name: "",
    summary: "",
    order: 1,
    a: &[&[]],
    b: &[1.0],
    c: &[0.0],
    dense: &[],
    new_velocity: false,
};

/// `y + h f(y)`.
pub const EXPLICIT_EULER: Tableau = Tableau {
    name: "explicit-euler",
    summary: "order 1: y + h f(y)",
    ..NONE
};

/// Velocities first, then positions with the new velocities.
pub const SEMI_IMPLICIT_EULER: Tableau = Tableau {
    name: "semi-implicit-euler",
    new_velocity: true,
    ..NONE
};

/// The explicit trapezoidal rule.
pub const HEUN: Tableau = Tableau {
    name: "heun",
    summary: "order 2: the explicit trapezoidal rule",
    order: 2,
    a: &[&[], &[1.0]],
    b: &[0.5, 0.5],
    c: &[0.0, 1.0],
    ..NONE
};

/// The explicit midpoint rule.
const MIDPOINT: Tableau = Tableau {
    name: "midpoint",
    summary: "order 2: the explicit midpoint rule",
    order: 2,
    a: &[&[], &[0.5]],
    b: &[0.0, 1.0],
    c: &[0.0, 0.5],
    ..NONE
};

/// Kutta's method of order 3.
const RK33: Tableau = Tableau {
    name: "rk33",
    summary: "order 3 in 3 stages (Kutta)",
    order: 3,
    a: &[&[], &[0.5], &[-1.0, 2.0]],
    b: &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 1.0],
    ..NONE
};

/// The classical method of Kutta.
pub const RK44: Tableau = Tableau {
    name: "rk44",
    summary: "order 4 in 4 stages, the classical one (Kutta)",
    order: 4,
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
    ..NONE
};

/// Butcher's method of order 6 [Butcher 1964].
const RK67: Tableau = Tableau {
    name: "rk67",
    summary: "order 6 in 7 stages (Butcher)",
    order: 6,
    a: &[
        &[],
        &[1.0 / 3.0],
        &[0.0, 2.0 / 3.0],
        &[1.0 / 12.0, 1.0 / 3.0, -1.0 / 12.0],
        &[-1.0 / 16.0, 9.0 / 8.0, -3.0 / 16.0, -3.0 / 8.0],
        &[0.0, 9.0 / 8.0, -3.0 / 8.0, -3.0 / 4.0, 0.5],
        &[
            9.0 / 44.0,
            -9.0 / 11.0,
            63.0 / 44.0,
            18.0 / 11.0,
            0.0,
            -16.0 / 11.0,
        ],
    ],
    b: &[
        11.0 / 120.0,
        0.0,
        27.0 / 40.0,
        27.0 / 40.0,
        -4.0 / 15.0,
        -4.0 / 15.0,
        11.0 / 120.0,
    ],
    c: &[0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0, 0.5, 0.5, 1.0],
    ..NONE
};

/// [Bogacki, Shampine 1989].
const ODE23: Tableau = Tableau {
    name: "ode23",
    summary: "order 3 in 3 stages (Bogacki, Shampine)",
    order: 3,
    a: &[&[], &[0.5], &[0.0, 0.75]],
    b: &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0],
    c: &[0.0, 0.5, 0.75],
    ..NONE
};

/// [Dormand, Prince 1980].
pub const DOPRI5: Tableau = Tableau {
    name: "dopri5",
    summary: "order 5 in 6 stages with an interpolant of order 4 (Dormand, Prince)",
    order: 5,
    a: &[
        &[],
        &[0.2],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[
            19372.0 / 6561.0,
            -25360.0 / 2187.0,
            64448.0 / 6561.0,
            -212.0 / 729.0,
        ],
        &[
            9017.0 / 3168.0,
            -355.0 / 33.0,
            46732.0 / 5247.0,
            49.0 / 176.0,
            -5103.0 / 18656.0,
        ],
    ],
    b: &[
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
    c: &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0],
    dense: &[
        -12715105075.0 / 11282082432.0,
        0.0,
        87487479700.0 / 32700410799.0,
        -10690763975.0 / 1880347072.0,
        701980252875.0 / 199316789632.0,
        -1453857185.0 / 822651844.0,
        69997945.0 / 29380423.0,
    ],
    ..NONE
};

/// [Fehlberg 1968], advanced with the weights of order 8.
const RK8: Tableau = Tableau {
    name: "rk8",
    summary: "order 8 in 13 stages (Fehlberg)",
    order: 8,
    a: &[
        &[],
        &[2.0 / 27.0],
        &[1.0 / 36.0, 1.0 / 12.0],
        &[1.0 / 24.0, 0.0, 0.125],
        &[5.0 / 12.0, 0.0, -25.0 / 16.0, 25.0 / 16.0],
        &[0.05, 0.0, 0.0, 0.25, 0.2],
        &[
            -25.0 / 108.0,
            0.0,
            0.0,
            125.0 / 108.0,
            -65.0 / 27.0,
            125.0 / 54.0,
        ],
        &[
            31.0 / 300.0,
            0.0,
            0.0,
            0.0,
            61.0 / 225.0,
            -2.0 / 9.0,
            13.0 / 900.0,
        ],
        &[
            2.0,
            0.0,
            0.0,
            -53.0 / 6.0,
            704.0 / 45.0,
            -107.0 / 9.0,
            67.0 / 90.0,
            3.0,
        ],
        &[
            -91.0 / 108.0,
            0.0,
            0.0,
            23.0 / 108.0,
            -976.0 / 135.0,
            311.0 / 54.0,
            -19.0 / 60.0,
            17.0 / 6.0,
            -1.0 / 12.0,
        ],
        &[
            2383.0 / 4100.0,
            0.0,
            0.0,
            -341.0 / 164.0,
            4496.0 / 1025.0,
            -301.0 / 82.0,
            2133.0 / 4100.0,
            45.0 / 82.0,
            45.0 / 164.0,
            18.0 / 41.0,
        ],
        &[
            3.0 / 205.0,
            0.0,
            0.0,
            0.0,
            0.0,
            -6.0 / 41.0,
            -3.0 / 205.0,
            -3.0 / 41.0,
            3.0 / 41.0,
            6.0 / 41.0,
            0.0,
        ],
        &[
            -1777.0 / 4100.0,
            0.0,
            0.0,
            -341.0 / 164.0,
            4496.0 / 1025.0,
            -289.0 / 82.0,
            2193.0 / 4100.0,
            51.0 / 82.0,
            33.0 / 164.0,
            12.0 / 41.0,
            0.0,
            1.0,
        ],
    ],
    b: &[
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        34.0 / 105.0,
        9.0 / 35.0,
        9.0 / 35.0,
        9.0 / 280.0,
        9.0 / 280.0,
        0.0,
        41.0 / 840.0,
        41.0 / 840.0,
    ],
    c: &[
        0.0,
        2.0 / 27.0,
        1.0 / 9.0,
        1.0 / 6.0,
        5.0 / 12.0,
        0.5,
        5.0 / 6.0,
        1.0 / 6.0,
        2.0 / 3.0,
        1.0 / 3.0,
        1.0,
        0.0,
        1.0,
    ],
    ..NONE
};

/// Those that can be chosen by name.
pub static ALL: [Tableau; 9] = [
    EXPLICIT_EULER,
    HEUN,
    MIDPOINT,
    RK33,
    RK44,
    RK67,
    ODE23,
    DOPRI5,
    RK8,
];

/// Their names with what they are.
pub const WORDS: [(&str, &str); 9] = {
    const fn word(t: &Tableau) -> (&'static str, &'static str) {
        (t.name, t.summary)
    }
    [
        word(&EXPLICIT_EULER),
        word(&HEUN),
        word(&MIDPOINT),
        word(&RK33),
        word(&RK44),
        word(&RK67),
        word(&ODE23),
        word(&DOPRI5),
        word(&RK8),
    ]
};

/// The tableau of a name.
pub fn named(name: &str) -> &'static Tableau {
    let found = ALL.iter().find(|t| t.name == name);
    found.expect("only words of the list are read")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rooted tree by its branches.
    #[derive(Clone, PartialEq, PartialOrd)]
    struct Tree(Vec<Tree>);

    impl Tree {
        fn size(&self) -> usize {
            1 + self.0.iter().map(Tree::size).sum::<usize>()
        }

        /// Density: the product of the sizes of all subtrees.
        fn density(&self) -> f64 {
            self.size() as f64 * self.0.iter().map(Tree::density).product::<f64>()
        }

        /// By stage the product over the branches of the sums that the tableau makes of them.
        fn values(&self, t: &Tableau) -> Vec<f64> {
            let branches: Vec<Vec<f64>> = self.0.iter().map(|b| b.values(t)).collect();
            let sum = |row: &[f64], v: &[f64]| row.iter().zip(v).map(|(a, v)| a * v).sum::<f64>();
            t.a.iter()
                .map(|row| branches.iter().map(|v| sum(row, v)).product())
                .collect()
        }
    }

    /// All rooted trees up to a size, by size.
    fn trees(most: usize) -> Vec<Vec<Tree>> {
        let mut all = vec![vec![Tree(vec![])]];
        while all.len() < most {
            // A branch grown on the root of every smaller tree; branches in order, so that none comes twice.
            let size = all.len() + 1;
            let mut grown: Vec<Tree> = Vec::new();
            for branch in 1..size {
                for (root, branch) in all[size - branch - 1]
                    .iter()
                    .flat_map(|r| all[branch - 1].iter().map(move |b| (r, b)))
                {
                    if root.0.last().is_none_or(|last| last <= branch) {
                        let mut tree = root.clone();
                        tree.0.push(branch.clone());
                        grown.push(tree);
                    }
                }
            }
            all.push(grown);
        }
        all
    }

    /// Largest error of the order conditions [Hairer, Nørsett, Wanner, theorem II.2.13] of an order.
    fn error(t: &Tableau, weights: &[f64], trees: &[Tree]) -> f64 {
        let one = |tree: &Tree| {
            let values = tree.values(t);
            let sum: f64 = weights.iter().zip(&values).map(|(b, v)| b * v).sum();
            (sum - 1.0 / tree.density()).abs()
        };
        trees.iter().map(one).fold(0.0, f64::max)
    }

    #[test]
    fn tableaus_satisfy_the_conditions_of_their_order_and_no_more() {
        let trees = trees(9);
        let counts: Vec<usize> = trees.iter().map(Vec::len).collect();
        // Hairer, Nørsett, Wanner, table II.2.2.
        assert_eq!(counts, [1, 1, 2, 4, 9, 20, 48, 115, 286]);
        for t in &ALL {
            for (k, trees) in trees.iter().enumerate() {
                let error = error(t, t.b, trees);
                let (k, order) = (k as u32 + 1, t.order);
                // Rounding of coefficients up to 16, and products of up to eight of them.
                assert!(k > order || error < 2e-14, "{} order {k}: {error}", t.name);
                assert!(
                    k != order + 1 || error > 1e-6,
                    "{}: more than {order}",
                    t.name
                );
            }
        }
    }

    #[test]
    fn nodes_are_the_sums_of_their_rows() {
        for t in ALL.iter().chain([&SEMI_IMPLICIT_EULER]) {
            assert!(
                t.a.len() == t.c.len() && t.b.len() <= t.a.len(),
                "{}",
                t.name
            );
            for (row, c) in t.a.iter().zip(t.c) {
                // Rounding of coefficients up to 16.
                assert!((row.iter().sum::<f64>() - c).abs() < 1e-14, "{}", t.name);
            }
        }
    }
}
