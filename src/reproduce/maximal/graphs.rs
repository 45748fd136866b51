//! Block systems on graphs of many loops: figures 9b to 9d of the later paper.

use super::general_lu::GeneralLu;
use super::{PAPER_2023, growth};
use crate::claimed::{in_words, points};
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch};
use nalgebra::{DMatrix, DVector};
use physics::figures::{Curve, Plot};
use physics::linalg::block_ldu::BlockLdu;
use physics::linalg::ordering::minimum_degree;
use std::time::Instant;

/// The ladder.
pub const LADDER: Item = Item {
    paper: PAPER_2023,
    figure: "9b",
    claim: "on the graph of a ladder the sparse solver outperforms the dense one, by more than two orders of magnitude where it is long",
    place: "sect. 5.2, fig. 9b",
    setup: "rungs 1 to 151, quick 51, of two nodes each, blocks of 6 × 6 random numbers from -1 to 1; factorisation and solution by block LDU \
            in the order of least degree and in that of a depth-first search as in the paper, by dense LU with exchanges, in one thread and \
            without blocking, and by the sparse LU of faer with its order of columns, which knows no blocks, in one thread; orders are \
            found before; the least of up to 20 runs, dense of 3",
    expected: Standing::Holds,
    timed: true,
    run: |effort, watch| {
        run(
            &ladder,
            [&[1, 3, 11, 25, 51], &[1, 3, 11, 31, 51, 101, 151]],
            effort,
            watch,
        )
    },
    judge: judge_linear,
    plot,
    scene: Subject::None("random numbers in blocks, and no mechanism"),
    claimed,
};

/// The net.
pub const NET: Item = Item {
    figure: "9c",
    claim: "on the graph of a square net the sparse solver outperforms the dense one",
    place: "sect. 5.2, fig. 9c",
    setup: "as figure 9b, for nets of 1 to 18 nodes a side, quick 12; nodes have the four neighbours of a grid, and as in the paper's code, \
            which also links the ends of rows from 10 on and counts nodes twice from 11 on",
    run: |effort, watch| {
        let sizes: [&[usize]; 2] = [&[1, 2, 4, 8, 12], &[1, 2, 3, 4, 6, 8, 10, 12, 15, 18]];
        let sizes = sizes[usize::from(effort == Effort::Full)];
        let columns = COLUMNS.into_iter().chain(NET_PRINTED);
        let mut table = Table::new(columns);
        for (k, &side) in sizes.iter().enumerate() {
            let printed = measured(&net_as_printed(side));
            let printed = [1, 2, 4, 5, 3].map(|column| printed[column]);
            let mut row = measured(&net(side));
            row.extend(printed);
            table.rows.push(row);
            watch((k + 1) as f64 / sizes.len() as f64, &table)?;
        }
        Ok(table)
    },
    judge: judge_net,
    claimed: in_words,
    ..LADDER
};

/// The crystal.
pub const CRYSTAL: Item = Item {
    figure: "9d",
    claim: "on the graph of a cubic crystal the advantage shrinks, to a slightly slower sparse solver at 216 nodes",
    place: "sect. 5.2, fig. 9d",
    setup: "as figure 9b, for crystals of 1 to 6 nodes a side",
    expected: Standing::Differs,
    timed: true,
    run: |effort, watch| {
        run(
            &crystal,
            [&[1, 2, 3, 4, 6], &[1, 2, 3, 4, 5, 6]],
            effort,
            watch,
        )
    },
    judge: judge_crystal,
    ..LADDER
};

const NODES: &str = "nodes";
const SPARSE: &str = "block LDU [s]";
const DENSE: &str = "dense LU [s]";
const LEFT: &str = "residual of block LDU";
const WORK: &str = "multiplications of block LDU";
const DENSE_WORK: &str = "multiplications of dense LU";
const DEPTH_FIRST: &str = "block LDU by depth-first search [s]";
const DEPTH_FIRST_WORK: &str = "multiplications by depth-first search";
const GENERAL: &str = "general sparse LU [s]";
const GENERAL_LEFT: &str = "residual of general sparse LU";

/// Columns of all graphs.
const COLUMNS: [&str; 10] = [
    NODES,
    SPARSE,
    DENSE,
    LEFT,
    WORK,
    DENSE_WORK,
    DEPTH_FIRST,
    DEPTH_FIRST_WORK,
    GENERAL,
    GENERAL_LEFT,
];
/// What is measured of the net of the paper's code.
const NET_PRINTED: [&str; 5] = [
    "as printed: block LDU [s]",
    "as printed: dense LU [s]",
    "as printed: multiplications of block LDU",
    "as printed: multiplications of dense LU",
    "as printed: residual of block LDU",
];

/// Size of all blocks.
const SIZE: usize = 6;

/// Edges of a graph of so many nodes.
pub type Graph = (usize, Vec<(usize, usize)>);

/// Two rails and their rungs.
pub fn ladder(rungs: usize) -> Graph {
    let across = (0..rungs).map(|k| (2 * k, 2 * k + 1));
    let along = (1..rungs).flat_map(|k| [(2 * k - 2, 2 * k), (2 * k - 1, 2 * k + 1)]);
    (2 * rungs, across.chain(along).collect())
}

/// A square net.
pub fn net(side: usize) -> Graph {
    grid([side, side, 1])
}

/// The net of the paper's code: node `10 i + k` in place `k` of row `i`, from 1, linked to the next number and to the one ten
/// further. From 10 nodes a side on the ends of rows are neighbours, and from 11 on numbers stand for two nodes, each with all
/// neighbours of both.
pub fn net_as_printed(side: usize) -> Graph {
    let names: Vec<usize> = (0..side)
        .flat_map(|i| (1..=side).map(move |k| 10 * i + k))
        .collect();
    let pairs = (0..names.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
    let linked = pairs.filter(|&(b, a)| matches!(names[a].abs_diff(names[b]), 1 | 10));
    (side * side, linked.collect())
}

/// A cubic crystal.
pub fn crystal(side: usize) -> Graph {
    grid([side; 3])
}

fn grid(sides: [usize; 3]) -> Graph {
    let [a, b, c] = sides;
    let at = |x: usize, y: usize, z: usize| x + a * (y + b * z);
    let mut edges = Vec::new();
    for z in 0..c {
        for y in 0..b {
            for x in 0..a {
                let here = at(x, y, z);
                edges.extend((x + 1 < a).then(|| (here, at(x + 1, y, z))));
                edges.extend((y + 1 < b).then(|| (here, at(x, y + 1, z))));
                edges.extend((z + 1 < c).then(|| (here, at(x, y, z + 1))));
            }
        }
    }
    (a * b * c, edges)
}

/// Numbers from -1 to 1 without a pattern, the same in every run: a linear congruence of 64 bits, of which the upper are taken.
fn numbers() -> impl FnMut() -> f64 {
    let mut state = 1_u64;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// The nodes in the reverse of the order in which a depth-first search from the first comes to them and leaves them: leaves first,
/// as the papers eliminate.
pub fn depth_first((nodes, edges): &Graph) -> Vec<usize> {
    let mut neighbours = vec![Vec::new(); *nodes];
    for &(a, b) in edges {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let mut order = Vec::with_capacity(*nodes);
    let mut seen = vec![false; *nodes];
    // A node with how many of its neighbours were looked at.
    let mut path = vec![(0, 0)];
    seen[0] = true;
    while let Some((node, looked)) = path.last_mut() {
        let node = *node;
        match neighbours[node].get(*looked) {
            Some(&next) => {
                *looked += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    path.push((next, 0));
                }
            }
            None => {
                order.push(node);
                path.pop();
            }
        }
    }
    order
}

/// The order of least degree.
pub fn least_degree((nodes, edges): &Graph) -> Vec<usize> {
    minimum_degree(&vec![SIZE; *nodes], edges, &vec![Vec::new(); *nodes])
}

/// The system of a graph, to be eliminated in an order, and a right-hand side.
pub fn system((nodes, edges): &Graph, order: &[usize]) -> (BlockLdu, Vec<f64>) {
    let mut matrix = BlockLdu::new(&vec![SIZE; *nodes], edges, order);
    let mut next = numbers();
    let beside = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    for (row, column) in (0..*nodes).map(|k| (k, k)).chain(beside) {
        let block = matrix.block_mut(row, column).expect("the pair is coupled");
        block.fill_with(&mut next);
    }
    let right = (0..SIZE * nodes).map(|_| next()).collect();
    (matrix, right)
}

fn run(
    graph: &dyn Fn(usize) -> Graph,
    [quick, full]: [&[usize]; 2],
    effort: Effort,
    watch: Watch,
) -> Result<Table, RunError> {
    let sizes = if effort == Effort::Quick { quick } else { full };
    let mut table = Table::new(COLUMNS);
    for (k, &size) in sizes.iter().enumerate() {
        table.rows.push(measured(&graph(size)));
        watch((k + 1) as f64 / sizes.len() as f64, &table)?;
    }
    Ok(table)
}

/// A row of the table.
fn measured(graph: &Graph) -> Vec<f64> {
    let nodes = graph.0;
    let (mut matrix, right) = system(graph, &least_degree(graph));
    let (fast, x) = sparse(&mut matrix, &right);
    let (mut other, _) = system(graph, &depth_first(graph));
    let (searched, _) = sparse(&mut other, &right);
    let dense = system(graph, &least_degree(graph)).0.to_dense();
    let right = DVector::from_vec(right);
    let slow = least(3, || {
        let copy = dense.clone();
        let start = Instant::now();
        let solution = copy.lu().solve(&right);
        let seconds = start.elapsed().as_secs_f64();
        if solution.is_some() {
            seconds
        } else {
            f64::NAN
        }
    });
    let left = residual(&dense, &DVector::from_vec(x), &right);
    let (general, x) = general(&dense, &right);
    let general_left = residual(&dense, &x, &right);
    let rows = SIZE * nodes;
    let work = [
        matrix.operations(),
        rows.pow(3) / 3 + rows.pow(2),
        other.operations(),
    ]
    .map(|n| n as f64);
    vec![
        nodes as f64,
        fast,
        slow,
        left,
        work[0],
        work[1],
        searched,
        work[2],
        general,
        general_left,
    ]
}

/// Least time to factor and solve (s) by a sparse LU that knows no blocks, and the solution; not a number where it fails.
pub fn general(dense: &DMatrix<f64>, right: &DVector<f64>) -> (f64, DVector<f64>) {
    let mut x = right.clone();
    let Some(mut lu) = GeneralLu::new(dense) else {
        return (f64::NAN, x);
    };
    let seconds = least(20, || {
        x.copy_from(right);
        let start = Instant::now();
        let done = lu.solve(x.as_mut_slice());
        let seconds = start.elapsed().as_secs_f64();
        if done { seconds } else { f64::NAN }
    });
    (seconds, x)
}

/// Least time to factor and solve (s), and the solution.
pub fn sparse(matrix: &mut BlockLdu, right: &[f64]) -> (f64, Vec<f64>) {
    matrix.keep();
    let mut x = right.to_vec();
    let seconds = least(20, || {
        matrix.restore();
        x.copy_from_slice(right);
        let start = Instant::now();
        matrix.factor();
        matrix.solve(&mut x);
        start.elapsed().as_secs_f64()
    });
    (seconds, x)
}

/// What is left of the right-hand side, over the size of matrix and solution.
pub fn residual(matrix: &DMatrix<f64>, x: &DVector<f64>, right: &DVector<f64>) -> f64 {
    let left = matrix * x - right;
    let row = matrix
        .row_iter()
        .map(|r| r.iter().map(|a| a.abs()).sum::<f64>());
    let size = row.fold(0.0, f64::max);
    left.amax() / (size * x.amax() + right.amax())
}

/// The least of some times, fewer where they are long.
pub fn least(most: u32, mut time: impl FnMut() -> f64) -> f64 {
    let [mut least, mut sum] = [f64::INFINITY, 0.0];
    for _ in 0..most {
        let seconds = time();
        least = least.min(seconds);
        sum += seconds;
        if sum > 1.0 {
            break;
        }
    }
    least
}

/// Backward error that is small where blocks are not exchanged: random blocks make multipliers of some thousands.
const SOLVED: f64 = 1e-8;

/// The last row and whether all systems were solved.
fn found(table: &Table) -> Option<(&Vec<f64>, bool)> {
    let last = table.rows.last().filter(|row| row.len() >= COLUMNS.len())?;
    let left = [LEFT, GENERAL_LEFT].map(|name| table.column(name)).concat();
    let solved = left.iter().all(|e| *e <= SOLVED);
    Some((last, solved))
}

fn said(table: &Table, last: &[f64]) -> String {
    let worst = table.column(LEFT).into_iter().fold(0.0, f64::max);
    format!(
        "at {} nodes dense LU takes {:.0} times as long as block LDU and {:.0} times as many multiplications, in the order of a depth-first \
         search {:.1} times as long and {:.1} times as many; the backward error is at most {worst:.0e}; a general sparse LU takes {} as long \
         as block LDU",
        last[0],
        last[2] / last[1],
        last[5] / last[4],
        last[2] / last[6],
        last[5] / last[7],
        ratios(table),
    )
}

/// The times of a general sparse LU over those of block LDU, from the smallest system of several nodes to the largest.
fn ratios(table: &Table) -> String {
    let rows = table.rows.iter().filter(|row| row[0] > 1.0);
    let ratios: Vec<f64> = rows.map(|row| row[8] / row[1]).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    let last = ratios.last().copied().unwrap_or(f64::NAN);
    format!("{least:.1} to {most:.1} times, at last {last:.1} times")
}

fn judge_linear(table: &Table) -> Verdict {
    let Some((last, solved)) = found(table) else {
        return Verdict::unjudged("the table has no rows");
    };
    let [sparse, dense] = [SPARSE, DENSE].map(|column| growth(table, NODES, column, 20.0));
    Verdict::of(
        solved && last[2] > 100.0 * last[1] && sparse < 1.25 && dense > 2.2,
        format!(
            "{}; time grows with the nodes to the power of {sparse:.2}, dense {dense:.2}",
            said(table, last)
        ),
    )
}

fn judge_net(table: &Table) -> Verdict {
    let Some((last, solved)) = found(table) else {
        return Verdict::unjudged("the table has no rows");
    };
    if last.len() != 15 {
        return Verdict::unjudged("the table lacks the net as printed");
    }
    let faster = table
        .rows
        .iter()
        .filter(|row| row[0] > 1.0)
        .all(|row| row[2] > row[1] && row[11] > row[10]);
    let printed = table.column(NET_PRINTED[4]);
    let printed_solved = printed.iter().all(|e| *e <= SOLVED);
    Verdict::of(
        solved && printed_solved && faster,
        format!(
            "{}; with the neighbours of the paper's code block LDU takes {:.2} of the time and {:.2} of the multiplications there, dense LU {:.0} \
             times as long as that",
            said(table, last),
            last[10] / last[1],
            last[12] / last[4],
            last[11] / last[10],
        ),
    )
}

fn judge_crystal(table: &Table) -> Verdict {
    let Some((last, solved)) = found(table).filter(|(last, _)| last[0] >= 216.0) else {
        return Verdict::unjudged("the table lacks 216 nodes");
    };
    // By multiplications, since how fast a dense factorisation does them is another matter.
    let advantage = |row: &Vec<f64>| row[5] / row[4];
    let best = table.rows.iter().map(advantage).fold(0.0, f64::max);
    Verdict::of(
        solved && advantage(last) < best && last[2] < last[1],
        format!(
            "{}; in the order of least degree the advantage grows, to {best:.0} times fewer multiplications at most",
            said(table, last)
        ),
    )
}

/// What two orders of magnitude are.
fn claimed(table: &Table) -> Vec<Curve> {
    let dense = table.points(NODES, DENSE);
    let hundredth: Vec<[f64; 2]> = dense.into_iter().map(|[n, t]| [n, 0.01 * t]).collect();
    vec![points(
        "paper: a hundredth of dense LU where it is long",
        &hundredth,
    )]
}

fn plot(table: &Table) -> Plot {
    Plot {
        title: "Time to factor and solve a block system".into(),
        axes: [NODES, "time [s]"].map(Into::into),
        logarithmic: [true, true],
        curves: [SPARSE, DENSE, DEPTH_FIRST, GENERAL]
            .map(|name| Curve {
                name: name.into(),
                points: table.points(NODES, name),
            })
            .into(),
    }
}
