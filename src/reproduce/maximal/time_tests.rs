//! Verdicts on times, which are made up: they must not hang on what else the machine does. Block systems and falls of spheres
//! themselves are run.

use super::*;
use crate::trials::columns;
use crate::{Item, Standing};

/// Verdicts of made-up tables with the columns of an item.
struct Made<'a> {
    item: &'a Item,
    columns: Vec<String>,
    sizes: &'a [f64],
}

impl<'a> Made<'a> {
    fn of(item: &'a Item, sizes: &'a [f64]) -> Self {
        Self {
            item,
            columns: columns(item),
            sizes,
        }
    }

    /// The verdict of a row for each of the sizes.
    fn judged(&self, row: impl Fn(f64) -> Vec<f64>) -> Standing {
        let mut table = Table::new(self.columns.clone());
        let rows = self
            .sizes
            .iter()
            .map(|&size| [vec![size], row(size)].concat());
        table.rows.extend(rows);
        (self.item.judge)(&table).standing
    }
}

#[test]
fn times_are_judged_by_their_growth_and_their_order() {
    use Standing::{Differs, Holds};
    let chains = |ours: f64, power: i32| {
        move |n: f64| {
            let time = ours * n.powi(power);
            vec![time, 0.8 * time, n, n, n, 2.0, time, 2.0]
        }
    };
    for item in [chain_time::ITEM_2020, chain_time::ITEM_2023] {
        let made = Made::of(&item, &[10.0, 20.0, 50.0, 100.0]);
        // Faster on hinges too: that is not what the papers say.
        assert_eq!(made.judged(chains(0.5, 1)), Differs);
        assert_eq!(made.judged(chains(1.2, 1)), Holds);
        assert_eq!(made.judged(chains(0.012, 2)), Differs);
    }
    let loops = |ours: f64, power: i32| {
        move |n: f64| {
            let time = ours * n.powi(power);
            vec![n, time, n, n, time]
        }
    };
    let made = Made::of(&loop_time::ITEM, &[11.0, 21.0, 61.0]);
    assert_eq!(made.judged(loops(0.5, 1)), Holds);
    assert_eq!(made.judged(loops(1.5, 1)), Differs);
    assert_eq!(made.judged(loops(0.01, 2)), Differs);
    let steps = |power: i32| {
        move |n: f64| {
            let [sparse, dense] = [n.powi(power), n.powi(3)];
            vec![sparse, 10.0 * dense, n, sparse, dense]
        }
    };
    let made = Made::of(&sparse::ITEM, &[10.0, 20.0, 40.0]);
    assert_eq!(made.judged(steps(1)), Holds);
    assert_eq!(made.judged(steps(2)), Differs);
    let solvers = |power: i32| {
        move |n: f64| {
            let [sparse, dense] = [n.powi(power), 10.0 * n.powi(3)];
            vec![sparse, dense, n, sparse, n, dense, n]
        }
    };
    let made = Made::of(&segments::ITEM_2023, &[2.0, 4.0, 8.0]);
    assert_eq!(made.judged(solvers(1)), Holds);
    assert_eq!(made.judged(solvers(3)), Differs);
}

#[test]
fn spheres_rest_on_the_ground_and_not_in_it() {
    use Standing::{Differs, Holds};
    for case in [OURS, spheres::INTERIOR] {
        let chain = opened("sphere-chain:spheres=5");
        let fallen = spheres::fall(&case, &chain, spheres::RADIUS, 1);
        let ([_, _, deepest, open], resting) = fallen.expect("it runs");
        assert!(
            deepest < 1e-8 && open < 1e-8 && resting == 5,
            "{deepest} {open}"
        );
    }
    let falls = |power: i32, deepest: f64| {
        move |n: f64| {
            let both = [n.powi(power), 7.0, deepest, 1e-12];
            [&both[..], &both[..], &both[..], &[n]].concat()
        }
    };
    let made = Made::of(&spheres::ITEM, &[10.0, 20.0, 40.0]);
    assert_eq!(made.judged(falls(1, 0.0)), Holds);
    assert_eq!(made.judged(falls(2, 0.0)), Differs);
    assert_eq!(made.judged(falls(1, 0.1)), Differs);
}

#[test]
fn block_systems_are_judged_by_their_times_and_by_what_is_left() {
    use Standing::{Differs, Holds};
    let row = |dense: f64, left: f64| {
        move |n: f64| {
            let cube = n.powi(3);
            vec![
                1e-6 * n,
                1e-6 * dense * cube,
                left,
                n,
                cube,
                n,
                n,
                1e-5 * n,
                1e-14,
            ]
        }
    };
    let sizes = [22.0, 62.0, 102.0];
    let made = Made::of(&graphs::LADDER, &sizes);
    assert_eq!(made.judged(row(1.0, 1e-14)), Holds);
    assert_eq!(made.judged(row(1e-3, 1e-14)), Differs);
    assert_eq!(made.judged(row(1.0, 1e-3)), Differs);
    let made = Made::of(&graphs::NET, &sizes);
    let nets = |dense: f64, printed: f64| {
        move |n: f64| {
            let as_printed = [1e-6 * n, 1e-6 * printed * n.powi(3), n, n.powi(3), 1e-14];
            [&row(dense, 1e-14)(n)[..], &as_printed].concat()
        }
    };
    assert_eq!(made.judged(nets(1.0, 1.0)), Holds);
    assert_eq!(made.judged(nets(1e-6, 1.0)), Differs);
    assert_eq!(made.judged(nets(1.0, 1e-6)), Differs);
    let crystals = |advantage: [f64; 3]| {
        move |n: f64| {
            let k = [64.0, 125.0, 216.0].iter().position(|size| *size == n);
            let k = k.expect("a size of the table");
            vec![
                1.0,
                advantage[k],
                1e-14,
                1.0,
                advantage[k],
                1.0,
                1.0,
                2.0,
                1e-14,
            ]
        }
    };
    let made = Made::of(&graphs::CRYSTAL, &[64.0, 125.0, 216.0]);
    assert_eq!(made.judged(crystals([2.0, 4.0, 0.9])), Holds);
    assert_eq!(made.judged(crystals([2.0, 4.0, 8.0])), Differs);
}

/// Graphs have the nodes and edges of their names, a depth-first search leaves every node once and children before parents, and
/// both orders solve the same system.
#[test]
fn systems_on_graphs_are_solved_in_any_order() {
    for (graph, nodes, edges) in [
        (graphs::ladder(5), 10, 13),
        (graphs::net(4), 16, 24),
        (graphs::net_as_printed(4), 16, 24),
        // Nine rows whose ends are neighbours; then numbers that stand for two nodes.
        (graphs::net_as_printed(10), 100, 189),
        (graphs::crystal(3), 27, 54),
    ] {
        assert_eq!((graph.0, graph.1.len()), (nodes, edges));
        let searched = graphs::depth_first(&graph);
        let mut sorted = searched.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..nodes).collect::<Vec<_>>());
        let solve = |order: &[usize]| {
            let (mut matrix, right) = graphs::system(&graph, order);
            let mut dense = right.clone();
            assert!(matrix.solve_dense(&mut dense));
            let mut x = right;
            matrix.factor();
            matrix.solve(&mut x);
            (x, dense)
        };
        for order in [searched, graphs::least_degree(&graph)] {
            let (x, dense) = solve(&order);
            let size = largest(&dense);
            for (a, b) in x.iter().zip(&dense) {
                // Rounding of 1e-16 times the conditions of random matrices of this size and of their blocks.
                assert!((a - b).abs() < 1e-9 * size, "{a} {b}");
            }
        }
    }
    let path = (5, vec![(0, 1), (1, 2), (1, 3), (3, 4)]);
    let order = graphs::depth_first(&path);
    assert_eq!(physics::linalg::block_ldu::fill_in(5, &path.1, &order), 0);
}
