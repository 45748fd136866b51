//! Loop constraints carried up the tree: the fill-in of loops, kept on the paths where it arises.
//!
//! On every link the loop constraints that pass through it act by wrenches `H Λ` and are moved by `K δ`. With the
//! link's own system (see [`elimination`](super::elimination)) that is a small dense front
//! ```text
//!   A δ - H Λ = b
//!   K δ + W Λ = γ
//! ```
//! Loop constraints whose paths meet here are eliminated first, the others are passed on with the pair elimination. `W`
//! of a rigid loop constraint may be singular where constraints are redundant: [`ρ`](crate::linalg::proximal) times the
//! mobility that each row would have were all bodies free is added to its diagonal, in the factorisation only. The
//! unknown is the change of the multiplier and the residual is exact, so this is a proximal step and nothing is
//! softened.

mod solve;

use super::elimination::{Block, Elimination};
use super::links::{Links, Spatial};
use super::topology::{Front, Topology, WORLD};
use crate::linalg::lu;
use crate::linalg::proximal::RHO;
use crate::math::lanes::V4;

/// Size of a pivot, relative to the free mobilities of its rows, below which it counts as zero when redundancy is
/// counted.
const RANK_CUT: f64 = 1e-9;

/// Six numbers: linear then angular part.
pub type Six = [f64; 6];

/// One dense front.
#[derive(Debug, Clone, Default)]
struct Room {
    rows: usize,
    ended: usize,
    /// `K`, one row of six per loop constraint row.
    k: Vec<Six>,
    /// `H` transposed, likewise.
    h: Vec<Six>,
    /// `W`, rows × rows.
    w: Vec<f64>,
    gamma: Vec<f64>,
    /// Factors of the ended block and their order.
    lu: Vec<f64>,
    order: Vec<usize>,
    /// `W_EE⁻¹ [K_E | γ_E | W_EF]`, per ended row.
    x_k: Vec<Six>,
    x_gamma: Vec<f64>,
    x_f: Vec<f64>,
    /// `S⁻¹ Mᵀ H` of the rows passed on: freedoms × passed.
    lever: Vec<f64>,
    /// `K N` of the rows passed on: passed × freedoms.
    reach: Vec<f64>,
    /// A column of a solve.
    scratch: Vec<f64>,
    /// Row among all loop constraint rows of each row here.
    global: Vec<usize>,
}

impl Room {
    fn new(front: &Front, topology: &Topology, freedoms: usize) -> Self {
        let (rows, ended) = (front.rows, front.ended);
        let passed = rows - ended;
        let mut global = Vec::with_capacity(rows);
        for &(k, _) in &front.loop_constraints {
            global.extend(topology.loop_constraints[k].own_rows());
        }
        Self {
            rows,
            ended,
            k: vec![[0.0; 6]; rows],
            h: vec![[0.0; 6]; rows],
            w: vec![0.0; rows * rows],
            gamma: vec![0.0; rows],
            lu: vec![0.0; ended * ended],
            order: vec![0; ended],
            x_k: vec![[0.0; 6]; ended],
            x_gamma: vec![0.0; ended],
            x_f: vec![0.0; ended * passed],
            lever: vec![0.0; freedoms * passed],
            reach: vec![0.0; freedoms * passed],
            scratch: vec![0.0; ended],
            global,
        }
    }

    fn clear(&mut self) {
        self.k.fill([0.0; 6]);
        self.h.fill([0.0; 6]);
        self.w.fill(0.0);
        self.gamma.fill(0.0);
    }

    /// Regularises and factors the ended block; returns how many of its rows are implied by others.
    fn factor_ended(&mut self, rho: f64, count: bool, rows: &[LoopRow]) -> usize {
        let (n, e) = (self.rows, self.ended);
        for i in 0..e {
            self.lu[i * e..(i + 1) * e].copy_from_slice(&self.w[i * n..i * n + e]);
        }
        let implied = if count { self.implied(rows) } else { 0 };
        for i in 0..e {
            let row = &rows[self.global[i]];
            if row.diagonal == 0.0 {
                self.lu[i * e + i] += rho * row.free;
            }
        }
        lu::factor(&mut self.lu, e, &mut self.order);
        implied
    }

    /// How many of the rows ended here are implied by others, once each is measured by its free mobility.
    fn implied(&self, rows: &[LoopRow]) -> usize {
        let e = self.ended;
        let size = |i: usize| {
            let row = &rows[self.global[i]];
            let size = if row.diagonal == 0.0 {
                row.free
            } else {
                self.lu[i * e + i]
            };
            size.abs().sqrt()
        };
        let sizes: Vec<f64> = (0..e).map(size).collect();
        let mut scaled = self.lu.clone();
        for (k, x) in scaled.iter_mut().enumerate() {
            *x /= sizes[k / e] * sizes[k % e];
        }
        lu::deficiency(&mut scaled, e, RANK_CUT)
    }
}

/// Values of one loop constraint row for one solve.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LoopRow {
    /// Right-hand side: minus the residual of the row.
    pub gamma: f64,
    /// Diagonal: 0 for a rigid row, 1 for a row that gives its multiplier explicitly.
    pub diagonal: f64,
    /// What the multiplier of an explicit row is lowered by with the motion of the row.
    pub slope: f64,
    /// Mobility that the row would have were all bodies free, `H M⁻¹ Hᵀ`, times the step of an interval.
    pub free: f64,
}

/// All fronts of a mechanism.
#[derive(Debug, Clone, Default)]
pub struct Fronts {
    rooms: Vec<Room>,
    ground: Vec<Room>,
    /// Change of every loop constraint multiplier found by the last solve.
    pub change: Vec<f64>,
    /// Regularisation relative to the free mobility of each row; [`RHO`] unless a step is retried.
    pub rho: f64,
    /// Whether to count implied rows while factoring.
    pub count_redundant: bool,
    /// Rows found to be implied by others.
    pub redundant: usize,
}

impl Fronts {
    /// Rooms for a topology.
    pub fn new(topology: &Topology, links: &Links) -> Self {
        let room = |(front, link): (&Front, &super::links::Link)| {
            Room::new(front, topology, link.freedoms)
        };
        Self {
            rooms: topology.fronts.iter().zip(&links.links).map(room).collect(),
            ground: topology
                .ground
                .iter()
                .map(|f| Room::new(f, topology, 0))
                .collect(),
            change: vec![0.0; topology.loop_rows],
            rho: RHO,
            count_redundant: false,
            redundant: 0,
        }
    }

    /// Empties all fronts and puts in the loop constraints: `support(loop constraint, nth support, row)` gives `(H,
    /// K)`.
    pub fn begin(
        &mut self,
        topology: &Topology,
        rows: &[LoopRow],
        support: impl Fn(usize, usize, usize) -> (Six, Six),
    ) {
        self.redundant = 0;
        self.rooms
            .iter_mut()
            .chain(&mut self.ground)
            .for_each(Room::clear);
        for (k, loop_constraint) in topology.loop_constraints.iter().enumerate() {
            for (n, &link) in loop_constraint.supports.iter().enumerate() {
                let first = row_in(&topology.fronts[link], k);
                for r in 0..loop_constraint.rows {
                    let (h, kr) = support(k, n, r);
                    let room = &mut self.rooms[link];
                    add(&mut room.h[first + r], &h);
                    add(&mut room.k[first + r], &kr);
                }
            }
            let (room, first) = if loop_constraint.top == WORLD {
                let (index, front) = topology
                    .ground
                    .iter()
                    .enumerate()
                    .find(|(_, f)| f.loop_constraints.iter().any(|c| c.0 == k))
                    .unzip();
                let (Some(index), Some(front)) = (index, front) else {
                    continue;
                };
                (&mut self.ground[index], row_in(front, k))
            } else {
                (
                    &mut self.rooms[loop_constraint.top],
                    row_in(&topology.fronts[loop_constraint.top], k),
                )
            };
            for r in 0..loop_constraint.rows {
                let row = &rows[loop_constraint.first_row + r];
                let i = first + r;
                room.gamma[i] += row.gamma;
                room.w[i * room.rows + i] += row.diagonal;
            }
        }
    }

    /// Eliminates the loop constraints that end at `link`: changes its matrix and right-hand side.
    pub fn end_at(&mut self, link: usize, a: &mut Block, b: &mut Spatial, rows: &[LoopRow]) {
        let room = &mut self.rooms[link];
        if room.ended == 0 {
            return;
        }
        self.redundant += room.factor_ended(self.rho, self.count_redundant, rows);
        let (n, e) = (room.rows, room.ended);
        let p = n - e;
        for c in 0..6 {
            let k = &room.k;
            lu::solve(&room.lu, e, &room.order, |i| k[i][c], &mut room.scratch);
            for i in 0..e {
                room.x_k[i][c] = room.scratch[i];
            }
        }
        for j in 0..p {
            let w = &room.w;
            lu::solve(
                &room.lu,
                e,
                &room.order,
                |i| w[i * n + e + j],
                &mut room.scratch,
            );
            for i in 0..e {
                room.x_f[i * p + j] = room.scratch[i];
            }
        }
        for i in 0..e {
            let h = room.h[i];
            for c in 0..6 {
                // Columns of the block: c < 3 linear, else angular; three linear rows, then three angular.
                let base = if c < 3 { c } else { 3 + c };
                for r in 0..3 {
                    a[base].0[r] += h[r] * room.x_k[i][c];
                    a[base + 3].0[r] += h[3 + r] * room.x_k[i][c];
                }
            }
            for j in 0..p {
                let x = room.x_f[i * p + j];
                for r in 0..6 {
                    room.h[e + j][r] -= h[r] * x;
                }
            }
        }
        for f in 0..p {
            for i in 0..e {
                let w = room.w[(e + f) * n + i];
                if w == 0.0 {
                    continue;
                }
                for c in 0..6 {
                    room.k[e + f][c] -= w * room.x_k[i][c];
                }
                for j in 0..p {
                    room.w[(e + f) * n + e + j] -= w * room.x_f[i * p + j];
                }
            }
        }
        self.press_at(link, b);
    }

    /// Passes the other loop constraints through the pair elimination of `link` to its parent or to the ground.
    pub fn pass(&mut self, link: usize, links: &Links, e: &Elimination, topology: &Topology) {
        let it = &links.links[link];
        let target = &topology.fronts[link].target;
        if target.is_empty() {
            return;
        }
        let room = &mut self.rooms[link];
        let (n, ended) = (room.rows, room.ended);
        let p = n - ended;
        let (first, freedoms) = (it.first_column, it.freedoms);
        let lift = six(&it.lift);
        // lever = S⁻¹ Mᵀ H
        for k in 0..freedoms {
            for j in 0..p {
                let sum: f64 = (0..freedoms)
                    .map(|q| {
                        e.inverse[6 * first + freedoms * k + q]
                            * dot(&six(&links.columns1[first + q]), &room.h[ended + j])
                    })
                    .sum();
                room.lever[k * p + j] = sum;
            }
        }
        for f in 0..p {
            let row = room.k[ended + f];
            room.gamma[ended + f] += dot(&row, &lift);
            for q in 0..freedoms {
                let kn = dot(&row, &six(&links.columns2[first + q]));
                room.reach[freedoms * f + q] = kn;
                for j in 0..p {
                    room.w[(ended + f) * n + ended + j] += kn * room.lever[q * p + j];
                }
                if it.parent != WORLD {
                    let gain = six(&e.gain[first + q]);
                    for c in 0..6 {
                        room.k[ended + f][c] -= kn * gain[c];
                    }
                }
            }
            for q in 0..freedoms {
                let thrust = six(&e.thrust[first + q]);
                let lever = room.lever[q * p + f];
                for c in 0..6 {
                    room.h[ended + f][c] -= thrust[c] * lever;
                }
            }
        }
        let (from, to) = self.upwards(link, links, topology);
        for f in 0..p {
            let t = target[f];
            for j in 0..p {
                to.w[t * to.rows + target[j]] += from.w[(ended + f) * n + ended + j];
            }
            if it.parent != WORLD {
                // K X₂ and X₁ᵀ H.
                let (r1, r2) = (&it.offset1.0, &it.offset2.0);
                let (k, h) = (&from.k[ended + f], &from.h[ended + f]);
                add(&mut to.k[t], &shifted(k, r2));
                add(&mut to.h[t], &shifted(h, r1));
            }
        }
        self.press_on(link, links, e, topology);
    }

    /// The front of `link`, which passes something on, and that which receives it.
    fn upwards(
        &mut self,
        link: usize,
        links: &Links,
        topology: &Topology,
    ) -> (&mut Room, &mut Room) {
        match links.links[link].parent {
            WORLD => {
                let ground = &mut self.ground[topology.ground_of[link]];
                (&mut self.rooms[link], ground)
            }
            parent => {
                // Parents come before children.
                let (before, after) = self.rooms.split_at_mut(link);
                (&mut after[0], &mut before[parent])
            }
        }
    }

    /// Solves for the loop constraints that end at the world.
    pub fn end_at_ground(&mut self, rows: &[LoopRow]) {
        for room in &mut self.ground {
            self.redundant += room.factor_ended(self.rho, self.count_redundant, rows);
        }
        self.press_on_ground();
    }

    /// Loop-constraint rows that the last factorisation has coupled with a link, and pairs of them that it has coupled
    /// there with one that ends there.
    #[cfg(test)]
    pub fn coupled(&self, link: usize) -> (Vec<usize>, Vec<(usize, usize)>) {
        let room = &self.rooms[link];
        let some = |i: &usize| room.k[*i].iter().chain(&room.h[*i]).any(|x| *x != 0.0);
        let rows = (0..room.rows).filter(some).map(|i| room.global[i]);
        let pairs = (0..room.rows).flat_map(|i| (0..room.ended).map(move |j| (i, j)));
        let pairs = pairs.filter(|&(i, j)| i != j && room.w[i * room.rows + j] != 0.0);
        let pairs = pairs.map(|(i, j)| (room.global[i], room.global[j]));
        (rows.collect(), pairs.collect())
    }
}

fn row_in(front: &Front, loop_constraint: usize) -> usize {
    // The loop constraint is in the front: its path runs through the link.
    front
        .loop_constraints
        .iter()
        .find(|c| c.0 == loop_constraint)
        .map_or(0, |c| c.1)
}

fn add(to: &mut Six, what: &Six) {
    for (t, w) in to.iter_mut().zip(what) {
        *t += w;
    }
}

fn dot(a: &Six, b: &Six) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A row `(l, a)` moved by `r`: `(l, a + r × l)`.
fn shifted(row: &Six, r: &[f64; 4]) -> Six {
    let [lx, ly, lz, ax, ay, az] = *row;
    [
        lx,
        ly,
        lz,
        ax + r[1] * lz - r[2] * ly,
        ay + r[2] * lx - r[0] * lz,
        az + r[0] * ly - r[1] * lx,
    ]
}

/// Linear and angular part as six numbers.
pub fn six(s: &Spatial) -> Six {
    let (l, a): (&V4, &V4) = (&s.linear, &s.angular);
    [l.0[0], l.0[1], l.0[2], a.0[0], a.0[1], a.0[2]]
}
