//! The systems of steps by a general sparse LU in the best of several orders.

use super::BEYOND;
use crate::claimed::in_words;
use crate::maximal::general_lu::GeneralLu;
use crate::maximal::graphs::{general, least, residual, sparse};
use crate::maximal::{OURS, STEP, TOLERANCE, closed_in_plane, opened};
use crate::{Effort, Item, RunError, Standing, Subject, Table, Verdict, Watch, step};
use nalgebra::{DMatrix, DVector};
use physics::figures::{Curve, Plot};
use physics::linalg::block_ldu::BlockLdu;
use physics::linalg::ordering::minimum_degree;
use physics::model::{Model, State};
use physics::solver::Structure;
use std::time::Instant;

/// The item.
pub const ITEM: Item = Item {
    paper: BEYOND,
    figure: "sparse",
    claim: "on the graph of a mechanism block LDU solves the system of a step faster than a general sparse LU in the best order, and as \
            exactly as the tolerance of a step asks, with pivots in an order of its own",
    place: "[Brüdigam2023] sect. 5.2 compares with dense LU alone",
    setup: "the systems of the tenth step of 10 ms of hinged chains, of closed chains and of chains of four-link segments, the closing joint \
            of each loop in its plane alone, since a general LU takes no redundant rows; factorisation and solution by block LDU, and by the \
            sparse LU of faer by COLAMD as it chooses between columns and blocks, and column by column by COLAMD, by least degree of \
            single numbers and in the order of block LDU; orders are found before; least of up to 20 runs, taken in turns",
    expected: Standing::Holds,
    timed: true,
    run,
    judge,
    plot,
    scene: Subject::Run("four-bar-chain:segments=3"),
    claimed: in_words,
};

const BODIES: &str = "bodies";
/// Families of mechanisms.
const FAMILIES: [&str; 3] = ["chain", "closed chain", "four-link segments"];
/// What is measured of each.
const MEASURES: [&str; 8] = [
    "block LDU [s]",
    "general LU [s]",
    "multiplications of block LDU",
    "multiplications by COLAMD",
    "multiplications by least degree",
    "multiplications in the order of block LDU",
    "residual of block LDU",
    "residual of general LU",
];

fn column(family: usize, measure: usize) -> String {
    format!("{}: {}", FAMILIES[family], MEASURES[measure])
}

/// A mechanism of about so many bodies.
pub fn mechanism(family: usize, bodies: usize) -> (Model, State) {
    match family {
        0 => opened(&format!(
            "chain:links={bodies},joint=revolute,inertia=cylinder"
        )),
        1 => {
            let links = bodies + 1;
            let last = format!("joint_{}", links + 1);
            let closed = opened(&format!("closed-chain:links={links}"));
            closed_in_plane(closed, |name| name == last)
        }
        _ => {
            let segments = opened(&format!("four-bar-chain:segments={}", bodies / 4));
            closed_in_plane(segments, |name| name.starts_with("close_"))
        }
    }
}

fn run(effort: Effort, watch: Watch) -> Result<Table, RunError> {
    let sizes: &[usize] = match effort {
        Effort::Quick => &[4, 12, 40],
        Effort::Full => &[4, 12, 40, 100, 200],
    };
    let columns = (0..3).flat_map(|family| (0..8).map(move |m| column(family, m)));
    let mut table = Table::new([BODIES.to_owned()].into_iter().chain(columns));
    for (k, &bodies) in sizes.iter().enumerate() {
        let mut row = vec![bodies as f64];
        for family in 0..3 {
            let mut sim = OURS.simulation(&mechanism(family, bodies), STEP, TOLERANCE)?;
            for _ in 0..10 {
                step(&mut sim)?;
            }
            row.extend(measured(&sim.structure(), &sim.matrix()));
        }
        table.rows.push(row);
        watch((k + 1) as f64 / sizes.len() as f64, &table)?;
    }
    Ok(table)
}

/// The matrix in blocks, to be eliminated on the graph.
pub fn in_blocks(structure: &Structure, matrix: &DMatrix<f64>) -> BlockLdu {
    let sizes: Vec<usize> = structure.nodes.iter().map(|n| n.1).collect();
    let mut blocks = BlockLdu::new(&sizes, &structure.edges, &structure.order);
    let nodes = (0..sizes.len()).map(|k| (k, k));
    let beside = structure.edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    for (row, column) in nodes.chain(beside) {
        let [i, j] = [row, column].map(|node| blocks.first_row(node));
        let part = matrix.view((i, j), (sizes[row], sizes[column]));
        let numbers: Vec<f64> = part
            .row_iter()
            .flat_map(|r| r.iter().copied().collect::<Vec<_>>())
            .collect();
        let block = blocks.block_mut(row, column).expect("the pair is coupled");
        block.copy_from_slice(&numbers);
    }
    blocks
}

/// The unknowns of the nodes in the order of their elimination.
fn expanded(blocks: &BlockLdu) -> Vec<usize> {
    let of = |&node: &usize| {
        let first = blocks.first_row(node);
        first..first + blocks.sizes()[node]
    };
    blocks.order().iter().flat_map(of).collect()
}

/// Single unknowns by least degree, on the pattern of the matrix and its transpose.
fn by_numbers(matrix: &DMatrix<f64>) -> Vec<usize> {
    let size = matrix.nrows();
    let mut edges = Vec::new();
    for j in 0..size {
        for i in 0..j {
            if matrix[(i, j)] != 0.0 || matrix[(j, i)] != 0.0 {
                edges.push((i, j));
            }
        }
    }
    minimum_degree(&vec![1; size], &edges, &vec![Vec::new(); size])
}

/// What is measured of a system.
pub fn measured(structure: &Structure, matrix: &DMatrix<f64>) -> [f64; 8] {
    let size = matrix.nrows();
    // A right-hand side without a pattern.
    let right = DVector::from_fn(size, |i, _| (1.7 * i as f64).sin());
    let blocks = in_blocks(structure, matrix);
    let (mut ours, x) = sparse(&mut blocks.clone(), right.as_slice());
    let left = residual(matrix, &DVector::from_vec(x), &right);
    let (mut theirs, x) = general(matrix, &right);
    let mut general_left = residual(matrix, &x, &right);
    let orders = [
        GeneralLu::colamd(matrix).unwrap_or_default(),
        by_numbers(matrix),
        expanded(&blocks),
    ];
    let work = orders.map(|order| {
        let lu = GeneralLu::in_order(matrix, &order);
        let Some(mut lu) = lu.filter(|_| order.len() == size) else {
            return f64::NAN;
        };
        let mut x = right.clone();
        let seconds = least(20, || {
            x.copy_from(&right);
            let start = Instant::now();
            let done = lu.solve(x.as_mut_slice());
            let seconds = start.elapsed().as_secs_f64();
            if done { seconds } else { f64::INFINITY }
        });
        // In turns, so that a busy moment hits both.
        ours = ours.min(sparse(&mut blocks.clone(), right.as_slice()).0);
        if seconds < theirs {
            theirs = seconds;
            general_left = residual(matrix, &x, &right);
        }
        lu.multiplications().map_or(f64::NAN, |n| n as f64)
    });
    let [colamd, numbers, graph] = work;
    let own = blocks.operations() as f64;
    [
        ours,
        theirs,
        own,
        colamd,
        numbers,
        graph,
        left,
        general_left,
    ]
}

/// Backward error that the tolerance of a step asks for.
const EXACT: f64 = TOLERANCE;

fn judge(table: &Table) -> Verdict {
    let Some(last) = table.rows.last().filter(|row| row.len() == 25) else {
        return Verdict::unjudged("the table has no rows");
    };
    let of = |family: usize, measure: usize| last[1 + 8 * family + measure];
    let worst = |measure: usize| {
        let all = table.rows.iter();
        let all = all.flat_map(|row| (0..3).map(move |family| row[1 + 8 * family + measure]));
        all.fold(0.0, f64::max)
    };
    let [left, general_left] = [6, 7].map(worst);
    let faster = (0..3).all(|family| of(family, 1) > of(family, 0));
    let shown: Vec<String> = (0..3)
        .map(|family| {
            let work = [3, 4, 5].map(|m| format!("{:.2}", of(family, m) / of(family, 2)));
            format!(
                "{} {:.1} times as long with {} times the multiplications",
                FAMILIES[family],
                of(family, 1) / of(family, 0),
                work.join(", ")
            )
        })
        .collect();
    Verdict::of(
        faster && left <= EXACT,
        format!(
            "at {} bodies a general sparse LU takes, in the best order and beside block LDU, {} (by COLAMD, by least degree, in the order of \
             block LDU); the backward error of block LDU is at most {left:.0e}, that of the general one {general_left:.0e}",
            last[0],
            shown.join("; ")
        ),
    )
}

fn plot(table: &Table) -> Plot {
    let names = (0..3).flat_map(|family| [0, 1].map(|measure| column(family, measure)));
    Plot {
        title: "Time to factor and solve the system of a step".into(),
        axes: [BODIES, "time [s]"].map(Into::into),
        logarithmic: [true, true],
        curves: names
            .map(|name| Curve {
                points: table.points(BODIES, &name),
                name,
            })
            .collect(),
    }
}
