//! Elimination of a body together with the multipliers of the joint to its parent, from leaf to root.
//!
//! For a link with parent `j` the Newton system reads
//! ```text
//!   A δ - Bᵀ λ = b          balance of the link and what hangs on it
//!   C (δ - X₂ δ_j) = -g     its joint
//! ```
//! With `N` the null space of `C` at `z2`, `M` that of `B` at `z1`, and `w` a motion that opens the joint by `g`,
//! `δ = X₂ δ_j + N y - w`, and `Mᵀ` removes the multiplier:
//! ```text
//!   S = Mᵀ A N,   y = S⁻¹ (Mᵀ (b + A w) + h - Mᵀ A X₂ δ_j)
//!   A_j += X₁ᵀ (A - A N S⁻¹ Mᵀ A) X₂,   b_j += X₁ᵀ (b + A w - A N S⁻¹ (Mᵀ (b + A w) + h))
//! ```
//! This is the papers' LDU [Brüdigam2023 alg. 1] with the pair (joint, body) as one pivot: the pivot is `S`, one
//! number for a revolute joint, regular where nothing turns far in the interval ([`turn`](super::turn)). `h` are
//! generalised impulses on the free coordinates; what they change with `y` is added to `S`.

use super::links::{Link, Links, Spatial};
use super::motion::{UNIT, apply};
use super::topology::WORLD;
use crate::math::lanes::{Lanes, V4};
use crate::model::JointKind;

/// A 6×6 matrix in columns: linear rows then angular rows of the linear columns, then of the angular columns.
pub type Block = [V4; 12];

/// What stands for the mass of a body in the system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mass {
    /// Derivative of the interval's momentum with respect to the motion of `z2`.
    Interval {
        /// Step (s).
        dt: f64,
    },
    /// Mass and inertia at the knot.
    Knot,
}

/// Room for an elimination, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Elimination {
    /// What subtrees leave on links that are still to be eliminated, by room.
    carried: Vec<Block>,
    /// `A N`, one column per freedom.
    pub thrust: Vec<Spatial>,
    /// `S⁻¹ Mᵀ A`, one row per freedom.
    pub gain: Vec<Spatial>,
    /// `S⁻¹ (Mᵀ b' + h)`, one number per freedom.
    pub drive: Vec<f64>,
    /// `S⁻¹`, up to 6×6 per link, row by row from `6 · first_column`.
    pub inverse: Vec<f64>,
    /// Generalised impulses on the free coordinates (N·s, N·m·s).
    pub push: Vec<f64>,
    /// The same with the impulses of laws as they were found: what is balanced.
    pub held: Vec<f64>,
    /// Changes of the free coordinates by the last solution, kept where something drives them.
    pub found: Vec<f64>,
    /// What is added to `S`, laid out like `inverse`.
    pub stiffness: Vec<f64>,
    /// Whether `push` and `stiffness` count.
    pub driven: bool,
    /// What is added to the matrix of one link (the mouse spring).
    pub extra: Option<(usize, Block)>,
}

impl Elimination {
    pub fn new(links: &Links) -> Self {
        let columns = links.columns1.len();
        Self {
            carried: vec![[V4::ZERO; 12]; links.rooms],
            thrust: vec![Spatial::default(); columns],
            gain: vec![Spatial::default(); columns],
            drive: vec![0.0; columns],
            inverse: vec![0.0; 6 * columns],
            push: vec![0.0; columns],
            held: vec![0.0; columns],
            found: vec![0.0; columns],
            stiffness: vec![0.0; 6 * columns],
            driven: false,
            extra: None,
        }
    }
}

/// The body's own matrix.
#[inline(always)]
pub(super) fn body_block<L: Lanes>(link: &Link, mass: Mass) -> Block {
    let mut a = [V4::ZERO; 12];
    let linear = match mass {
        Mass::Knot => {
            a[9..12].copy_from_slice(&link.inertia);
            link.mass
        }
        Mass::Interval { dt } if link.goes > 0 => {
            // Its rotation is known: nothing is asked of it.
            a[9..12].copy_from_slice(&link.inertia);
            link.mass / dt
        }
        Mass::Interval { dt } => {
            let u = L::load(&link.half_angle_sine);
            let s = (1.0 - u.dot(u)).max(0.0).sqrt();
            let p = L::load(&link.angular_momentum);
            let across = u.dot(apply::<L>(&link.inertia, u));
            // T = P J with P = s I + [u]×, then T Pᵀ = s T - T [u]×.
            let mut t = [L::zero(); 3];
            for k in 0..3 {
                let c = L::load(&link.inertia[k]);
                t[k] = c.scale(s).add(u.cross(c));
            }
            let over = 1.0 / dt;
            let (x, y, z) = (u.lane::<0>(), u.lane::<1>(), u.lane::<2>());
            let turned = [
                t[2].fnma(y, t[1].mul(z)),
                t[0].fnma(z, t[2].mul(x)),
                t[1].fnma(x, t[0].mul(y)),
            ];
            for k in 0..3 {
                let unit = L::load(&UNIT[k]);
                let symmetric = unit.fnma(L::splat(across), t[k].scale(s).sub(turned[k]));
                a[9 + k] = unit.cross(p).scale(0.5).axpy(over, symmetric).store();
            }
            link.mass / dt
        }
    };
    a[0].0[0] = linear;
    a[1].0[1] = linear;
    a[2].0[2] = linear;
    a
}

#[inline(always)]
fn times<L: Lanes>(a: &[L; 12], x: (L, L)) -> (L, L) {
    let (l, r) = x;
    let linear = a[0].mul(l.lane::<0>());
    let linear = a[1].fma(l.lane::<1>(), linear);
    let linear = a[2].fma(l.lane::<2>(), linear);
    let turned = a[6].mul(r.lane::<0>());
    let turned = a[7].fma(r.lane::<1>(), turned);
    let turned = a[8].fma(r.lane::<2>(), turned);
    let angular = a[3].mul(l.lane::<0>());
    let angular = a[4].fma(l.lane::<1>(), angular);
    let angular = a[5].fma(l.lane::<2>(), angular);
    let spun = a[9].mul(r.lane::<0>());
    let spun = a[10].fma(r.lane::<1>(), spun);
    let spun = a[11].fma(r.lane::<2>(), spun);
    (linear.add(turned), angular.add(spun))
}

#[inline(always)]
fn times_transposed<L: Lanes>(m: (L, L), a: &[L; 12]) -> (L, L) {
    (
        L::sums(
            m.0.fma(a[0], m.1.mul(a[3])),
            m.0.fma(a[1], m.1.mul(a[4])),
            m.0.fma(a[2], m.1.mul(a[5])),
        ),
        L::sums(
            m.0.fma(a[6], m.1.mul(a[9])),
            m.0.fma(a[7], m.1.mul(a[10])),
            m.0.fma(a[8], m.1.mul(a[11])),
        ),
    )
}

#[inline(always)]
fn load<L: Lanes>(s: &Spatial) -> (L, L) {
    (L::load(&s.linear), L::load(&s.angular))
}

#[inline(always)]
fn store<L: Lanes>(s: (L, L)) -> Spatial {
    Spatial {
        linear: s.0.store(),
        angular: s.1.store(),
    }
}

#[inline(always)]
fn dot<L: Lanes>(a: (L, L), b: (L, L)) -> f64 {
    a.0.dot(b.0) + a.1.dot(b.1)
}

/// Inverse by Gauss-Jordan without exchanges: `S` is positive definite where turns are small, as they have to be.
#[inline(always)]
fn invert<const F: usize>(mut s: [[f64; F]; F]) -> [[f64; F]; F] {
    for k in 0..F {
        let pivot = 1.0 / s[k][k];
        s[k][k] = 1.0;
        for j in 0..F {
            s[k][j] *= pivot;
        }
        for i in 0..F {
            if i != k {
                let factor = std::mem::replace(&mut s[i][k], 0.0);
                for j in 0..F {
                    s[i][j] -= factor * s[k][j];
                }
            }
        }
    }
    s
}

/// Eliminates one link with `F` freedoms; returns what it leaves, still at its own centre of mass.
#[inline(always)]
fn pair<L: Lanes, const F: usize>(
    e: &mut Elimination,
    links: &Links,
    i: usize,
    mut a: [L; 12],
    mut b: (L, L),
) -> ([L; 12], (L, L)) {
    let link = &links.links[i];
    let first = link.first_column;
    if link.jointed {
        let opened = times(&a, load(&link.lift));
        b = (b.0.add(opened.0), b.1.add(opened.1));
    }
    // No closures here: the vector lanes need everything inlined into one function.
    let none = (L::zero(), L::zero());
    let (mut thrust, mut row) = ([none; F], [none; F]);
    let mut s = [[0.0; F]; F];
    let mut r = [0.0; F];
    for k in 0..F {
        thrust[k] = times(&a, load(&links.columns2[first + k]));
    }
    for k in 0..F {
        let m = load(&links.columns1[first + k]);
        row[k] = times_transposed(m, &a);
        r[k] = dot(m, b);
        for j in 0..F {
            s[k][j] = dot(m, thrust[j]);
        }
    }
    if e.driven {
        for k in 0..F {
            r[k] += e.push[first + k];
            for j in 0..F {
                s[k][j] += e.stiffness[6 * first + F * k + j];
            }
        }
    }
    let inverse = invert(s);
    for k in 0..F {
        let mut gain = (L::zero(), L::zero());
        let mut drive = 0.0;
        for j in 0..F {
            gain = (
                gain.0.axpy(inverse[k][j], row[j].0),
                gain.1.axpy(inverse[k][j], row[j].1),
            );
            drive += inverse[k][j] * r[j];
            e.inverse[6 * first + F * k + j] = inverse[k][j];
        }
        e.gain[first + k] = store(gain);
        e.drive[first + k] = drive;
        e.thrust[first + k] = store(thrust[k]);
        if link.parent == WORLD {
            continue;
        }
        let (t, u) = thrust[k];
        a[0] = t.fnma(gain.0.lane::<0>(), a[0]);
        a[1] = t.fnma(gain.0.lane::<1>(), a[1]);
        a[2] = t.fnma(gain.0.lane::<2>(), a[2]);
        a[3] = u.fnma(gain.0.lane::<0>(), a[3]);
        a[4] = u.fnma(gain.0.lane::<1>(), a[4]);
        a[5] = u.fnma(gain.0.lane::<2>(), a[5]);
        a[6] = t.fnma(gain.1.lane::<0>(), a[6]);
        a[7] = t.fnma(gain.1.lane::<1>(), a[7]);
        a[8] = t.fnma(gain.1.lane::<2>(), a[8]);
        a[9] = u.fnma(gain.1.lane::<0>(), a[9]);
        a[10] = u.fnma(gain.1.lane::<1>(), a[10]);
        a[11] = u.fnma(gain.1.lane::<2>(), a[11]);
        b = (b.0.fnma_scalar(drive, t), b.1.fnma_scalar(drive, u));
    }
    (a, b)
}

/// Eliminates one link that neither joints nor the mouse hold: its mass and its inertia by themselves.
#[inline(always)]
fn free<L: Lanes>(e: &mut Elimination, first: usize, a: &[L; 12], b: (L, L)) {
    let over = 1.0 / a[0].store().0[0];
    let mut inertia = [[0.0; 3]; 3];
    for k in 0..3 {
        let column = a[9 + k].store().0;
        for i in 0..3 {
            inertia[i][k] = column[i];
        }
    }
    let inertia = invert(inertia);
    let (linear, angular) = (b.0.store().0, b.1.store().0);
    let inverse = &mut e.inverse[6 * first..6 * first + 36];
    inverse.fill(0.0);
    for k in 0..3 {
        inverse[7 * k] = over;
        e.drive[first + k] = over * linear[k];
        let mut drive = 0.0;
        for j in 0..3 {
            inverse[6 * (3 + k) + 3 + j] = inertia[k][j];
            drive += inertia[k][j] * angular[j];
        }
        e.drive[first + 3 + k] = drive;
    }
}

/// `self - x · b`, used where the factor is a number.
trait MinusScaled: Lanes {
    #[inline(always)]
    fn fnma_scalar(self, x: f64, b: Self) -> Self {
        b.fnma(Self::splat(x), self)
    }
}

impl<L: Lanes> MinusScaled for L {}

/// Matrix and right-hand side of link `i` with everything its children left on it.
#[inline(always)]
pub(super) fn gather<L: Lanes>(
    e: &Elimination,
    links: &Links,
    i: usize,
    mass: Mass,
) -> ([L; 12], (L, L)) {
    let link = &links.links[i];
    let own = body_block::<L>(link, mass);
    let mut a = [L::zero(); 12];
    for k in 0..12 {
        a[k] = L::load(&own[k]);
    }
    if link.has_children {
        let carried = &e.carried[link.room];
        for k in 0..12 {
            a[k] = a[k].add(L::load(&carried[k]));
        }
    }
    if let Some((at, block)) = &e.extra
        && *at == i
    {
        for k in 0..12 {
            a[k] = a[k].add(L::load(&block[k]));
        }
    }
    (a, gather_wrench(link))
}

/// Right-hand side of a link with everything its children left on it.
#[inline(always)]
fn gather_wrench<L: Lanes>(link: &Link) -> (L, L) {
    load(if link.has_children {
        &link.wrench
    } else {
        &link.rhs
    })
}

/// Adds a matrix to what a parent carries; the angular rows gain `[r₁]×` times the linear rows (X₁ᵀ).
/// Blocks are linear and angular rows of the linear columns, then of the angular columns.
#[inline(always)]
fn deposit<L: Lanes>(carried: &mut Block, opens: bool, r1: L, blocks: [[L; 3]; 4]) {
    let [linear, turned, upper, lower] = blocks;
    for k in 0..3 {
        let (spun, lifted) = (
            turned[k].add(r1.cross(linear[k])),
            lower[k].add(r1.cross(upper[k])),
        );
        if opens {
            carried[k] = linear[k].store();
            carried[3 + k] = spun.store();
            carried[6 + k] = upper[k].store();
            carried[9 + k] = lifted.store();
        } else {
            carried[k] = linear[k].add(L::load(&carried[k])).store();
            carried[3 + k] = spun.add(L::load(&carried[3 + k])).store();
            carried[6 + k] = upper[k].add(L::load(&carried[6 + k])).store();
            carried[9 + k] = lifted.add(L::load(&carried[9 + k])).store();
        }
    }
}

/// `t - c [r]×` for a block with columns `c`, where `r = (x, y, z)`.
#[inline(always)]
fn shifted<L: Lanes>(c: [L; 3], t: [L; 3], x: L, y: L, z: L) -> [L; 3] {
    [
        c[1].fnma(z, c[2].fma(y, t[0])),
        c[2].fnma(x, c[0].fma(z, t[1])),
        c[0].fnma(y, c[1].fma(x, t[2])),
    ]
}

/// Eliminates one link, given its gathered matrix and right-hand side, and adds what is left to its parent.
#[inline(always)]
pub(super) fn eliminate<L: Lanes>(
    e: &mut Elimination,
    links: &mut Links,
    i: usize,
    a: [L; 12],
    b: (L, L),
) {
    if links.lean && links.links[i].kind == JointKind::Spherical {
        ball::eliminate(e, links, i, a, b);
        return;
    }
    let is_pulled = e.extra.as_ref().is_some_and(|(at, _)| *at == i);
    if links.links[i].alone && !is_pulled {
        free(e, links.links[i].first_column, &a, b);
        return;
    }
    let (a, b) = match links.links[i].freedoms {
        0 => pair::<L, 0>(e, links, i, a, b),
        1 => pair::<L, 1>(e, links, i, a, b),
        2 => pair::<L, 2>(e, links, i, a, b),
        3 => pair::<L, 3>(e, links, i, a, b),
        4 => pair::<L, 4>(e, links, i, a, b),
        5 => pair::<L, 5>(e, links, i, a, b),
        _ => pair::<L, 6>(e, links, i, a, b),
    };
    let link = &links.links[i];
    let (parent, opens) = (link.parent, link.opens_parent);
    if parent == WORLD {
        return;
    }
    let room = links.links[parent].room;
    let r1 = L::load(&link.offset1);
    let r2 = L::load(&link.offset2);
    let (x, y, z) = (r2.lane::<0>(), r2.lane::<1>(), r2.lane::<2>());
    // A X₂: the angular columns lose A₁ [r₂]×, column by column.
    let linear = [a[0], a[1], a[2]];
    let upper = shifted(linear, [a[6], a[7], a[8]], x, y, z);
    let lower = shifted([a[3], a[4], a[5]], [a[9], a[10], a[11]], x, y, z);
    deposit(
        &mut e.carried[room],
        opens,
        r1,
        [linear, [a[3], a[4], a[5]], upper, lower],
    );
    pass_wrench(links, i, b);
}

/// Adds a wrench at link `i` to what its parent carries.
#[inline(always)]
pub(super) fn pass_wrench<L: Lanes>(links: &mut Links, i: usize, b: (L, L)) {
    let link = &links.links[i];
    let r1 = L::load(&link.offset1);
    let torque = b.1.add(r1.cross(b.0));
    let (opens, parent) = (link.opens_parent, link.parent);
    let parent = &mut links.links[parent];
    let so_far = if opens {
        load::<L>(&parent.rhs)
    } else {
        load::<L>(&parent.wrench)
    };
    parent.wrench = store((so_far.0.add(b.0), so_far.1.add(torque)));
}

/// Root to leaf: motion of link `i`, given its parent's.
#[inline(always)]
pub(super) fn unfold<L: Lanes>(e: &mut Elimination, links: &mut Links, i: usize) {
    let link = &links.links[i];
    if links.lean && link.kind == JointKind::Spherical {
        ball::unfold::<L>(e, links, i);
        return;
    }
    let mut motion = (L::zero(), L::zero());
    if link.parent != WORLD {
        let above = &links.links[link.parent].motion;
        let turn = L::load(&above.angular);
        motion = (
            L::load(&above.linear).add(turn.cross(L::load(&link.offset2))),
            turn,
        );
    }
    let carried = motion;
    if link.jointed {
        let lift = load::<L>(&link.lift);
        motion = (motion.0.sub(lift.0), motion.1.sub(lift.1));
    }
    for k in link.first_column..link.first_column + link.freedoms {
        let y = e.drive[k]
            - if link.parent == WORLD {
                0.0
            } else {
                dot(load::<L>(&e.gain[k]), carried)
            };
        if e.driven {
            e.found[k] = y;
        }
        let n = load::<L>(&links.columns2[k]);
        motion = (motion.0.axpy(y, n.0), motion.1.axpy(y, n.1));
    }
    links.links[i].motion = store(motion);
}

pub mod balance;
mod ball;
mod repeat;
pub(super) use repeat::repeat;
