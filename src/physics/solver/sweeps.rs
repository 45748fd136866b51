//! Passes over all links, each compiled for the portable and for the vector lanes and chosen at run time.

use super::elimination::balance::{Imbalance, imbalance as imbalance_all};
use super::elimination::{self, Elimination, Mass, repeat as repeat_all};
use super::fronts::Fronts;
use super::links::{Links, Spatial};
use super::loop_constraints::LoopConstraints;
use super::motion::{self, Moved, place as place_all};
use super::topology::Topology;
use crate::math::Vec3;
use crate::math::lanes::{Lanes, V4, pass};
use crate::model::{BodyState, State};

pass! {
    /// See [`motion::place`].
    pub(super) place => place_all, (links: &mut Links, bodies: &[BodyState], kick: &Vec3)
}

pass! {
    /// Guesses the velocities of all links and moves them, root to leaf.
    pub(super) predict => predict_all, (links: &mut Links, state: &State, weights: &[f64; 3], dt: f64) -> Moved
}

pass! {
    /// Moves all links, root to leaf.
    pub(super) advance => advance_all, (links: &mut Links, dt: f64) -> Moved
}

pass! {
    /// Eliminates all links, leaf to root, and what loop constraints end at the world.
    pub(super) factor => factor_all, (
        e: &mut Elimination,
        links: &mut Links,
        fronts: &mut Fronts,
        loop_constraints: &LoopConstraints,
        topology: &Topology,
        mass: Mass
    )
}

pass! {
    /// See [`repeat`](elimination::repeat).
    pub(super) repeat => repeat_all, (
        e: &mut Elimination,
        links: &mut Links,
        fronts: &mut Fronts,
        topology: &Topology
    )
}

pass! {
    /// Root to leaf: the motion found, the velocities it asks for, and the links moved by them.
    pub(super) newton_step => newton_step_all, (
        e: &mut Elimination,
        links: &mut Links,
        fronts: &mut Fronts,
        dt: f64
    ) -> Moved
}

pass! {
    /// Root to leaf: the velocities that a motion found elsewhere asks for, and the links moved by them.
    pub(super) follow => follow_all, (links: &mut Links, dt: f64) -> Moved
}

pass! {
    /// Root to leaf: the motion found.
    pub(super) unfold => unfold_all, (e: &mut Elimination, links: &mut Links, fronts: &mut Fronts)
}

pass! {
    /// See [`balance`](elimination::balance::imbalance).
    pub(super) imbalance => imbalance_all, (e: &Elimination, links: &mut Links) -> Imbalance
}

#[inline(always)]
fn predict_all<L: Lanes>(links: &mut Links, state: &State, weights: &[f64; 3], dt: f64) -> Moved {
    let mut moved = Moved::default();
    // Two loops: a vector load right behind the scalar stores of a guess would wait for them.
    for i in 0..links.links.len() {
        motion::guess(links, i, state, weights, dt);
    }
    for i in 0..links.links.len() {
        motion::advance::<L>(links, i, dt, &mut moved);
    }
    moved
}

#[inline(always)]
fn advance_all<L: Lanes>(links: &mut Links, dt: f64) -> Moved {
    let mut moved = Moved::default();
    for i in 0..links.links.len() {
        motion::advance::<L>(links, i, dt, &mut moved);
    }
    moved
}

#[inline(always)]
fn factor_all<L: Lanes>(
    e: &mut Elimination,
    links: &mut Links,
    fronts: &mut Fronts,
    loop_constraints: &LoopConstraints,
    topology: &Topology,
    mass: Mass,
) {
    let tree = topology.is_tree();
    for i in (0..links.links.len()).rev() {
        let (mut a, mut b) = elimination::gather::<L>(e, links, i, mass);
        if !tree {
            let mut block = [V4::ZERO; 12];
            for k in 0..12 {
                block[k] = a[k].store();
            }
            let mut rhs = Spatial {
                linear: b.0.store(),
                angular: b.1.store(),
            };
            fronts.end_at(i, &mut block, &mut rhs, &loop_constraints.rows);
            for k in 0..12 {
                a[k] = L::load(&block[k]);
            }
            b = (L::load(&rhs.linear), L::load(&rhs.angular));
        }
        elimination::eliminate::<L>(e, links, i, a, b);
        if !tree {
            fronts.pass(i, links, e, topology);
        }
    }
    if !tree {
        fronts.end_at_ground(&loop_constraints.rows);
    }
}

#[inline(always)]
fn unfold_one<L: Lanes>(e: &mut Elimination, links: &mut Links, fronts: &mut Fronts, i: usize) {
    if fronts.change.is_empty() {
        elimination::unfold::<L>(e, links, i);
        return;
    }
    let (first, freedoms) = (links.links[i].first_column, links.links[i].freedoms);
    fronts.drive(i, first, freedoms, &mut e.drive);
    elimination::unfold::<L>(e, links, i);
    fronts.resolve(i, &links.links[i].motion);
}

#[inline(always)]
fn unfold_all<L: Lanes>(e: &mut Elimination, links: &mut Links, fronts: &mut Fronts) {
    for i in 0..links.links.len() {
        unfold_one::<L>(e, links, fronts, i);
    }
}

#[inline(always)]
fn newton_step_all<L: Lanes>(
    e: &mut Elimination,
    links: &mut Links,
    fronts: &mut Fronts,
    dt: f64,
) -> Moved {
    let mut moved = Moved::default();
    for i in 0..links.links.len() {
        unfold_one::<L>(e, links, fronts, i);
        follow_one::<L>(links, i, dt, &mut moved);
    }
    moved
}

#[inline(always)]
fn follow_all<L: Lanes>(links: &mut Links, dt: f64) -> Moved {
    let mut moved = Moved::default();
    for i in 0..links.links.len() {
        follow_one::<L>(links, i, dt, &mut moved);
    }
    moved
}

#[inline(always)]
fn follow_one<L: Lanes>(links: &mut Links, i: usize, dt: f64, moved: &mut Moved) {
    let link = &mut links.links[i];
    let u = L::load(&link.half_angle_sine);
    let turn = L::load(&link.motion.angular);
    let s = (1.0 - u.dot(u)).max(0.0).sqrt();
    // A rotation θ of z2 changes u by (s θ - u × θ)/2.
    let du = turn.scale(s).sub(u.cross(turn)).scale(0.5);
    let dv = L::load(&link.motion.linear).scale(1.0 / dt);
    link.change = Spatial {
        linear: dv.store(),
        angular: du.store(),
    };
    link.velocity = L::load(&link.velocity).add(dv).store();
    link.half_angle_sine = u.add(du).store();
    motion::advance::<L>(links, i, dt, moved);
}
