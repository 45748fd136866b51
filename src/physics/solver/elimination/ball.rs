//! Ball joints in a tree, eliminated about their anchor, where only a force passes.
//!
//! With the motion `(d, θ)` of the anchor and the torque about it, the joint leaves `θ` free:
//! ```text
//!   S = A_θθ,   θ = S⁻¹ (b_θ - A_θd d),   F = A_dd - A_dθ S⁻¹ A_θd,   f = b_d - A_dθ S⁻¹ b_θ
//! ```
//! Three rows and columns go up instead of six; it is the general pair elimination with its zeros left out.

use super::super::links::{Links, Spatial};
use super::super::motion;
use super::super::topology::WORLD;
use super::balance::{Imbalance, squared};
use super::{Elimination, deposit, shifted, store};
use crate::math::lanes::Lanes;

/// Product with a 3×3 matrix given by columns.
#[inline(always)]
fn apply<L: Lanes>(c: [L; 3], v: L) -> L {
    let sum = c[0].mul(v.lane::<0>());
    let sum = c[1].fma(v.lane::<1>(), sum);
    c[2].fma(v.lane::<2>(), sum)
}

/// Eliminates link `i`, given its gathered matrix and right-hand side, and adds what is left to its parent.
#[inline(always)]
pub fn eliminate<L: Lanes>(
    e: &mut Elimination,
    links: &mut Links,
    i: usize,
    a: [L; 12],
    b: (L, L),
) {
    let link = &links.links[i];
    let (offset1, offset2) = (L::load(&link.offset1), L::load(&link.offset2));
    let arm1 = motion::anchor(link, &links.at1, offset1).arm;
    let arm2 = motion::anchor(link, &links.at2, offset2).arm;
    let lift = L::load(&link.lift.linear);
    let back = L::zero().sub(arm2);
    let (x, y, z) = (back.lane::<0>(), back.lane::<1>(), back.lane::<2>());
    let linear = [a[0], a[1], a[2]];
    let mut turned = [a[3], a[4], a[5]];
    let upper = shifted(linear, [a[6], a[7], a[8]], x, y, z);
    let mut lower = shifted(turned, [a[9], a[10], a[11]], x, y, z);
    for k in 0..3 {
        turned[k] = turned[k].sub(arm1.cross(linear[k]));
        lower[k] = lower[k].sub(arm1.cross(upper[k]));
    }
    let torque = b.1.sub(arm1.cross(b.0));
    // Rows of S⁻¹ are the cross products of its columns over the determinant.
    let rows = [
        lower[1].cross(lower[2]),
        lower[2].cross(lower[0]),
        lower[0].cross(lower[1]),
    ];
    let over = L::splat(1.0 / lower[0].dot(rows[0]));
    let first = link.first_column;
    let drive = L::sums(
        rows[0].mul(torque),
        rows[1].mul(torque),
        rows[2].mul(torque),
    )
    .mul(over);
    e.thrust[first].linear = drive.store();
    let mut left = linear;
    for k in 0..3 {
        let t = turned[k];
        let gain = L::sums(rows[0].mul(t), rows[1].mul(t), rows[2].mul(t)).mul(over);
        e.gain[first + k].linear = gain.store();
        left[k] = left[k].sub(apply(upper, gain));
    }
    let (parent, opens) = (link.parent, link.opens_parent);
    if parent == WORLD {
        return;
    }
    let room = links.links[parent].room;
    // The anchor moves by the parent's motion less the lift.
    let force = b.0.sub(apply(upper, drive)).add(apply(left, lift));
    let (reach1, reach2) = (offset1.add(arm1), offset2.add(arm2));
    let none = [L::zero(); 3];
    let (x, y, z) = (reach2.lane::<0>(), reach2.lane::<1>(), reach2.lane::<2>());
    let beside = shifted(left, none, x, y, z);
    deposit(
        &mut e.carried[room],
        opens,
        reach1,
        [left, none, beside, none],
    );
    let above = &mut links.links[parent];
    let so_far = if opens { above.rhs } else { above.wrench };
    let linear = L::load(&so_far.linear).add(force);
    let angular = L::load(&so_far.angular).add(reach1.cross(force));
    above.wrench = Spatial {
        linear: linear.store(),
        angular: angular.store(),
    };
}

/// Motion of link `i`, given its parent's.
#[inline(always)]
pub fn unfold<L: Lanes>(e: &Elimination, links: &mut Links, i: usize) {
    let link = &links.links[i];
    let offset2 = L::load(&link.offset2);
    let arm2 = motion::anchor(link, &links.at2, offset2).arm;
    let mut d = L::zero().sub(L::load(&link.lift.linear));
    if link.parent != WORLD {
        let above = &links.links[link.parent].motion;
        let turn = L::load(&above.angular);
        d = d
            .add(L::load(&above.linear))
            .add(turn.cross(offset2.add(arm2)));
    }
    let first = link.first_column;
    let theta = L::load(&e.thrust[first].linear);
    let theta = L::load(&e.gain[first].linear).fnma(d.lane::<0>(), theta);
    let theta = L::load(&e.gain[first + 1].linear).fnma(d.lane::<1>(), theta);
    let theta = L::load(&e.gain[first + 2].linear).fnma(d.lane::<2>(), theta);
    links.links[i].motion = store((d.add(arm2.cross(theta)), theta));
}

/// What the joint cannot take of `b`: the torque about the anchor. It stays with the link; `worst` keeps squares.
#[inline(always)]
pub fn balance<L: Lanes>(links: &Links, i: usize, b: (L, L), worst: &mut Imbalance) -> (L, L) {
    let link = &links.links[i];
    let arm = motion::anchor(link, &links.at1, L::load(&link.offset1)).arm;
    let torque = b.1.sub(arm.cross(b.0));
    let left = (b.0, b.1.sub(torque));
    let square = torque.dot(torque) * (link.over_arm * link.over_arm);
    worst.take(link, i, square, squared(link, left));
    left
}
