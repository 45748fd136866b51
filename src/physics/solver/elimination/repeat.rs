//! Another right-hand side, by what the elimination of the matrix left.

use super::super::fronts::Fronts;
use super::super::links::Links;
use super::super::topology::{Topology, WORLD};
use super::{Elimination, MinusScaled, dot, gather_wrench, load, pass_wrench, store};
use crate::math::lanes::Lanes;

/// Leaf to root: what other wrenches on the links come to, where no joint is open, nothing drives and loop constraints
/// have [right-hand sides of zero](Fronts::close); a tenth of the work of the elimination.
#[inline(always)]
pub fn repeat<L: Lanes>(
    e: &mut Elimination,
    links: &mut Links,
    fronts: &mut Fronts,
    topology: &Topology,
) {
    for i in (0..links.links.len()).rev() {
        let link = &links.links[i];
        let mut b = gather_wrench::<L>(link);
        let mut wrench = store(b);
        fronts.press_at(i, &mut wrench);
        b = load(&wrench);
        let (first, freedoms) = (link.first_column, link.freedoms);
        let mut r = [0.0; 6];
        for k in 0..freedoms {
            r[k] = dot(load::<L>(&links.columns1[first + k]), b);
        }
        for k in 0..freedoms {
            let mut drive = 0.0;
            for j in 0..freedoms {
                drive += e.inverse[6 * first + freedoms * k + j] * r[j];
            }
            e.drive[first + k] = drive;
            let (t, u) = load::<L>(&e.thrust[first + k]);
            b = (b.0.fnma_scalar(drive, t), b.1.fnma_scalar(drive, u));
        }
        fronts.press_on(i, links, e, topology);
        if links.links[i].parent != WORLD {
            pass_wrench(links, i, b);
        }
    }
    fronts.press_on_ground();
}
