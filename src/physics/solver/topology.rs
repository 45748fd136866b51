//! The mechanism's graph: a spanning forest of bodies, and the loop constraints that make it cyclic.
//!
//! Links are bodies in an order in which parents come before children and every subtree is contiguous, so that
//! elimination runs from the last link to the first, leaf to root [Brüdigam2023 sect. 4.1]. A loop constraint (a joint
//! that closes a loop, a coupling, a damper between two points) is carried up from the bodies it touches to the
//! link where their paths meet and is eliminated there: its fill-in stays on those paths [Brüdigam2023 sect. 4.2].

use crate::forces::{self, StiffSprings};
use crate::model::{Force, Joint, Model};
use std::ops::Range;

/// No link: the world.
pub const WORLD: usize = usize::MAX;

/// The joint by which a link hangs on its parent link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeJoint {
    /// Index of the joint.
    pub joint: usize,
    /// Whether the link is the joint's parent body, and the parent link its child body.
    pub reversed: bool,
}

/// What a loop constraint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopConstraintKind {
    /// All constraint rows of a joint.
    Joint(usize),
    /// Damping and drive of one coordinate of a joint that is not in the tree.
    Law {
        /// The joint.
        joint: usize,
        /// Its coordinate.
        coordinate: usize,
    },
    /// A coupling.
    Coupling(usize),
    /// A stiff spring on a coordinate of a joint that is not in the tree.
    Spring {
        /// The joint.
        joint: usize,
        /// Index among its springs.
        spring: usize,
    },
    /// The damper of a spring between two points.
    Damper(usize),
    /// A stiff spring between two points, by the components of its tension.
    Line(usize),
}

/// Rows that are not part of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct LoopConstraint {
    /// What it is.
    pub kind: LoopConstraintKind,
    /// Number of rows.
    pub rows: usize,
    /// First row among all loop constraint rows.
    pub first_row: usize,
    /// Links it touches.
    pub supports: Vec<usize>,
    /// Link at which it is eliminated; [`WORLD`] if only after all links.
    pub top: usize,
}

impl LoopConstraint {
    /// Its rows among all loop constraint rows.
    pub fn own_rows(&self) -> Range<usize> {
        self.first_row..self.first_row + self.rows
    }

    /// Whether it gives its own multiplier: a damper, a drive or a spring.
    pub fn is_explicit(&self) -> bool {
        !matches!(
            self.kind,
            LoopConstraintKind::Joint(_) | LoopConstraintKind::Coupling(_)
        )
    }
}

/// The loop constraints that are carried through one link.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Front {
    /// Loop constraints eliminated here, then those passed on, each with its first row in the front.
    pub loop_constraints: Vec<(usize, usize)>,
    /// Rows of the loop constraints eliminated here.
    pub ended: usize,
    /// All rows.
    pub rows: usize,
    /// For each row passed on, its row in the parent's front (or in the ground front).
    pub target: Vec<usize>,
}

/// The graph of a mechanism, arranged for elimination.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Topology {
    /// Body of every link.
    pub bodies: Vec<usize>,
    /// Link of every body.
    pub links: Vec<usize>,
    /// Parent link of every link, [`WORLD`] for roots.
    pub parents: Vec<usize>,
    /// Joint to the parent; `None` for a root that floats freely.
    pub joints: Vec<Option<TreeJoint>>,
    /// What is not in the tree.
    pub loop_constraints: Vec<LoopConstraint>,
    /// Front of every link; empty where no loop constraint passes.
    pub fronts: Vec<Front>,
    /// Fronts of the world, one for each group of trees that loop constraints tie together.
    pub ground: Vec<Front>,
    /// Ground front of every root link that passes something on.
    pub ground_of: Vec<usize>,
    /// Total of all loop constraint rows.
    pub loop_rows: usize,
    /// Springs that are solved for with the motion.
    pub stiff: StiffSprings,
}

impl Topology {
    /// Builds the graph, taking the cheapest of a few spanning forests.
    pub fn new(model: &Model) -> Self {
        Self::with_springs(model, &StiffSprings::default())
    }

    /// The same with springs that are solved for with the motion.
    pub fn with_springs(model: &Model, stiff: &StiffSprings) -> Self {
        let candidates =
            [Search::Breadth, Search::Depth].map(|search| Self::spanning(model, stiff, search));
        let [breadth, depth] = candidates;
        if depth.cost() < breadth.cost() {
            depth
        } else {
            breadth
        }
    }

    /// Whether the mechanism is a tree with nothing on top.
    pub fn is_tree(&self) -> bool {
        self.loop_constraints.is_empty()
    }

    /// Estimate of the multiplications of one elimination.
    fn cost(&self) -> usize {
        let cube = |n: usize| n * n * n;
        let fronts = self.fronts.iter().map(|f| cube(6 + f.rows)).sum::<usize>();
        fronts + self.ground.iter().map(|f| cube(f.rows)).sum::<usize>()
    }

    fn spanning(model: &Model, stiff: &StiffSprings, search: Search) -> Self {
        let count = model.bodies.len();
        let edges = Edges::new(model);
        let mut parent_body = vec![WORLD; count];
        let mut tree_joint: Vec<Option<TreeJoint>> = vec![None; count];
        let mut used = vec![false; model.joints.len()];
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut reached = vec![false; count];
        let mut roots = Vec::new();
        let mut queue = std::collections::VecDeque::new();
        // How many edges of every body, and last of the world, were followed: a body with many is come back to often.
        let mut followed = vec![0; count + 1];
        let mut seeds = 0..count;
        // The world first, then the lowest body of every part that does not hang on the world.
        let mut next = Some(WORLD);
        while let Some(start) = next {
            queue.push_back(start);
            while let Some(from) = search.take(&mut queue) {
                let mut found = Vec::new();
                let followed = &mut followed[from.min(count)];
                for &(joint, reversed) in &edges.of(from)[*followed..] {
                    *followed += 1;
                    let j = &model.joints[joint];
                    let to = if reversed {
                        j.parent.map_or(WORLD, |p| p.0)
                    } else {
                        j.child.0
                    };
                    if to == WORLD || reached[to] {
                        continue;
                    }
                    reached[to] = true;
                    used[joint] = true;
                    parent_body[to] = from;
                    tree_joint[to] = Some(TreeJoint { joint, reversed });
                    if from == WORLD {
                        roots.push(to)
                    } else {
                        children[from].push(to)
                    }
                    found.push(to);
                    if search == Search::Depth {
                        // Go on from the new body before looking at the others.
                        queue.push_back(from);
                        break;
                    }
                }
                queue.extend(found);
            }
            next = seeds.find(|&b| !reached[b]).inspect(|&b| {
                reached[b] = true;
                roots.push(b);
            });
        }
        let mut topology = Self {
            links: vec![WORLD; count],
            stiff: stiff.clone(),
            ..Self::default()
        };
        let mut stack: Vec<usize> = roots.into_iter().rev().collect();
        while let Some(body) = stack.pop() {
            topology.links[body] = topology.bodies.len();
            topology.bodies.push(body);
            let parent = parent_body[body];
            topology.parents.push(if parent == WORLD {
                WORLD
            } else {
                topology.links[parent]
            });
            topology.joints.push(tree_joint[body]);
            stack.extend(children[body].iter().rev());
        }
        topology.add_loop_constraints(model, &used);
        topology.build_fronts();
        topology
    }

    fn add_loop_constraints(&mut self, model: &Model, used: &[bool]) {
        for (k, joint) in model.joints.iter().enumerate().filter(|(k, _)| !used[*k]) {
            let (links, world) = self.joint_links(joint);
            if joint.kind.constraints() > 0 {
                self.add_loop_constraint(
                    LoopConstraintKind::Joint(k),
                    joint.kind.constraints(),
                    links.clone(),
                    world,
                );
            }
            for coordinate in (0..joint.kind.freedoms()).filter(|&c| forces::has_law(joint, c)) {
                self.add_loop_constraint(
                    LoopConstraintKind::Law {
                        joint: k,
                        coordinate,
                    },
                    1,
                    links.clone(),
                    false,
                );
            }
            for spring in self.stiff.clone().of_joint(k) {
                let kind = LoopConstraintKind::Spring { joint: k, spring };
                self.add_loop_constraint(kind, 1, links.clone(), false);
            }
        }
        for (k, coupling) in model.couplings.iter().enumerate() {
            let mut links = Vec::new();
            let mut grounded = false;
            for term in &coupling.terms {
                let (touched, world) = self.joint_links(&model.joints[term.joint.0]);
                links.extend(touched);
                grounded |= world;
            }
            links.sort_unstable();
            links.dedup();
            self.add_loop_constraint(LoopConstraintKind::Coupling(k), 1, links, grounded);
        }
        for (k, force) in model.forces.iter().enumerate() {
            let Force::Spring { ends, damping, .. } = force else {
                continue;
            };
            let bodies = ends.iter().filter_map(|e| e.body);
            let links: Vec<usize> = bodies.map(|b| self.links[b.0]).collect();
            if *damping > 0.0 {
                self.add_loop_constraint(LoopConstraintKind::Damper(k), 1, links.clone(), false);
            }
            if self.stiff.holds_line(k) {
                self.add_loop_constraint(LoopConstraintKind::Line(k), 3, links, false);
            }
        }
    }

    /// Links of the joint's bodies, and whether it hangs on the world.
    fn joint_links(&self, joint: &Joint) -> (Vec<usize>, bool) {
        let links = joint
            .parent
            .iter()
            .chain([&joint.child])
            .map(|b| self.links[b.0])
            .collect();
        (links, joint.parent.is_none())
    }

    fn add_loop_constraint(
        &mut self,
        kind: LoopConstraintKind,
        rows: usize,
        supports: Vec<usize>,
        grounded: bool,
    ) {
        if supports.is_empty() {
            return;
        }
        let top = if grounded {
            WORLD
        } else {
            supports
                .iter()
                .copied()
                .reduce(|a, b| self.meet(a, b))
                .unwrap_or(WORLD)
        };
        self.loop_constraints.push(LoopConstraint {
            kind,
            rows,
            first_row: self.loop_rows,
            supports,
            top,
        });
        self.loop_rows += rows;
    }

    /// Lowest common ancestor of two links.
    fn meet(&self, mut a: usize, mut b: usize) -> usize {
        // Parents come before children, so the larger index is never an ancestor of the smaller.
        while a != b {
            if a == WORLD || b == WORLD {
                return WORLD;
            }
            if a > b {
                a = self.parents[a]
            } else {
                b = self.parents[b]
            }
        }
        a
    }

    fn build_fronts(&mut self) {
        let count = self.bodies.len();
        self.fronts = vec![Front::default(); count];
        self.ground_of = vec![0; count];
        if self.loop_constraints.is_empty() {
            return;
        }
        let mut present: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (k, loop_constraint) in self.loop_constraints.iter().enumerate() {
            for &support in &loop_constraint.supports {
                let mut link = support;
                while link != WORLD && present[link].last() != Some(&k) {
                    present[link].push(k);
                    if link == loop_constraint.top {
                        break;
                    }
                    link = self.parents[link];
                }
            }
        }
        for (link, list) in present.iter().enumerate() {
            let loop_constraints = &self.loop_constraints;
            let (ended, passed): (Vec<usize>, Vec<usize>) =
                list.iter().partition(|&&k| loop_constraints[k].top == link);
            self.fronts[link] = Front::of(ended.iter().chain(&passed), loop_constraints);
            self.fronts[link].ended = ended.iter().map(|&k| loop_constraints[k].rows).sum();
        }
        self.build_ground(&present);
        for link in 0..count {
            let target = |front: &Front, k: usize| {
                front
                    .loop_constraints
                    .iter()
                    .find(|c| c.0 == k)
                    .map_or(0, |c| c.1) // always found: the loop constraint passes here
            };
            let parent = self.parents[link];
            let above = if parent == WORLD {
                self.ground.get(self.ground_of[link])
            } else {
                Some(&self.fronts[parent])
            };
            let Some(above) = above else { continue };
            let here = &self.fronts[link];
            let mut rows = Vec::with_capacity(here.rows - here.ended);
            for &(k, first) in here.loop_constraints.iter().filter(|c| c.1 >= here.ended) {
                debug_assert!(first >= here.ended);
                let start = target(above, k);
                rows.extend(start..start + self.loop_constraints[k].rows);
            }
            self.fronts[link].target = rows;
        }
    }

    /// Groups the trees that loop constraints tie together at the world.
    fn build_ground(&mut self, present: &[Vec<usize>]) {
        let roots: Vec<usize> = (0..self.bodies.len())
            .filter(|&l| self.parents[l] == WORLD)
            .collect();
        let mut group: Vec<usize> = (0..self.loop_constraints.len()).collect();
        for &root in &roots {
            let at_world: Vec<usize> = present[root]
                .iter()
                .copied()
                .filter(|&k| self.loop_constraints[k].top == WORLD)
                .collect();
            let Some(&lowest) = at_world.iter().min_by_key(|&&k| group[k]) else {
                continue;
            };
            let (to, merged): (usize, Vec<usize>) =
                (group[lowest], at_world.iter().map(|&k| group[k]).collect());
            group
                .iter_mut()
                .filter(|g| merged.contains(g))
                .for_each(|g| *g = to);
        }
        let mut names: Vec<usize> = group.clone();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let members: Vec<usize> = (0..group.len())
                .filter(|&k| group[k] == name && self.loop_constraints[k].top == WORLD)
                .collect();
            if members.is_empty() {
                continue;
            }
            let index = self.ground.len();
            let mut front = Front::of(members.iter(), &self.loop_constraints);
            front.ended = front.rows;
            self.ground.push(front);
            for &root in &roots {
                if present[root].iter().any(|k| members.contains(k)) {
                    self.ground_of[root] = index;
                }
            }
        }
    }
}

impl Front {
    fn of<'a>(loop_constraints: impl Iterator<Item = &'a usize>, all: &[LoopConstraint]) -> Self {
        let mut front = Self::default();
        for &k in loop_constraints {
            front.loop_constraints.push((k, front.rows));
            front.rows += all[k].rows;
        }
        front
    }
}

/// Order in which a spanning forest grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Search {
    Breadth,
    Depth,
}

impl Search {
    fn take(self, queue: &mut std::collections::VecDeque<usize>) -> Option<usize> {
        match self {
            Self::Breadth => queue.pop_front(),
            Self::Depth => queue.pop_back(),
        }
    }
}

/// Joints at every body and at the world.
struct Edges {
    at_body: Vec<Vec<(usize, bool)>>,
    at_world: Vec<(usize, bool)>,
}

impl Edges {
    fn new(model: &Model) -> Self {
        let mut edges = Self {
            at_body: vec![Vec::new(); model.bodies.len()],
            at_world: Vec::new(),
        };
        for (k, joint) in model.joints.iter().enumerate() {
            match joint.parent {
                Some(parent) => {
                    edges.at_body[parent.0].push((k, false));
                    edges.at_body[joint.child.0].push((k, true));
                }
                None => edges.at_world.push((k, false)),
            }
        }
        edges
    }

    fn of(&self, body: usize) -> &[(usize, bool)] {
        if body == WORLD {
            &self.at_world
        } else {
            &self.at_body[body]
        }
    }
}
