//! Nearest points of convex solids from their farthest points alone [Gilbert1988].
//!
//! The differences of points of the two solids form a convex body; the iteration finds its point nearest to the
//! origin as the nearest point of a growing and shrinking simplex of its farthest points.

use crate::math::Vec3;

/// The distance is good to this part of itself: close to what rounding leaves. Twice its root is what the direction
/// may err by (rad).
pub(super) const GOOD: f64 = 1e-13;

/// The same for solids that are far apart, where no less is asked for.
const ROUGH: f64 = 1e-8;

/// What the direction may err by (rad) in clearances of one size of the smaller solid. On their way to each other solids
/// turn and slide by so much more that nothing is lost.
const BLUNT: f64 = 1e-3;

/// Iterations; curved solids take ten to thirty.
pub(super) const ITERATIONS: usize = 100;

/// Points of both solids, and the difference of where they are moved to.
#[derive(Debug, Clone, Copy)]
struct Corner {
    points: [Vec3; 2],
    difference: Vec3,
}

/// A simplex of up to three differences, and its point nearest to the origin as weights of them.
#[derive(Debug, Clone, Copy)]
struct Simplex {
    corners: [Corner; 3],
    weights: [f64; 3],
    count: usize,
}

/// A face of a simplex and one more corner: that corner, and these of the simplex.
#[derive(Debug, Clone, Copy)]
struct Face {
    others: [usize; 2],
    weights: [f64; 3],
    count: usize,
    /// Its point nearest to the origin.
    point: Vec3,
}

/// Where a search ended: points of both solids, up to three of each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seed {
    points: [[Vec3; 2]; 3],
    count: usize,
}

/// Where a search begins.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start {
    /// With the points that face each other along a vector of any length but 0.
    Along(Vec3),
    /// Where another ended, of the same solids moved otherwise.
    At(Seed),
}

/// Nearest points of two solids.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// Unit vector from the second to the first.
    pub normal: Vec3,
    /// The points, each of its solid where it is, not where it was moved to (m).
    pub points: [Vec3; 2],
    /// What the direction may err by (rad).
    pub blunt: f64,
    /// Where the search ended.
    pub seed: Seed,
}

/// How two solids lie to each other.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lie {
    /// Apart by no more than was asked for.
    Near(Nearest),
    /// Apart by more along this unit vector from the second to the first.
    Far(Vec3),
    /// Hardly apart, if at all: roughly along this unit vector, and where the search ended.
    Touching(Vec3, Seed),
    /// In each other.
    Overlapping,
}

/// How far two solids are apart, as far as it matters.
#[derive(Debug, Clone, Copy)]
pub(super) enum Clearance {
    /// At least so far (m), along this unit vector from the second to the first.
    AtLeast(f64, Vec3),
    /// At most so far (m).
    AtMost(f64),
}

/// A search for the nearest points of two solids, the first moved by `shift`.
///
/// `lowest` gives for a vector the farthest point of the first solid against it and that of the second along it.
struct Search<F> {
    lowest: F,
    shift: Vec3,
    simplex: Simplex,
    /// Nearest difference that was reached: its length is no less than the distance.
    best: Vec3,
}

/// What a new corner did to a search.
enum Step {
    Nearer,
    /// Nothing is nearer.
    Ends,
    /// The solids overlap.
    Inside,
}

impl<F: Fn(&Vec3) -> [Vec3; 2]> Search<F> {
    fn from(lowest: F, shift: &Vec3, start: &Start) -> Self {
        let corner = |points| Corner::of(points, shift);
        let first = corner(match start {
            Start::Along(start) => lowest(start),
            Start::At(seed) => seed.points[0],
        });
        let mut search = Self {
            lowest,
            shift: *shift,
            simplex: Simplex {
                corners: [first; 3],
                weights: [1.0, 0.0, 0.0],
                count: 1,
            },
            best: first.difference,
        };
        if let Start::At(seed) = start {
            for points in &seed.points()[1..] {
                search.add(corner(*points));
            }
        }
        search
    }

    /// The corner that is lowest along the best: along it the solids are apart by at least as much.
    fn lowest(&self) -> Corner {
        Corner::of((self.lowest)(&self.best), &self.shift)
    }

    /// Adds a corner where it makes the simplex nearer.
    fn add(&mut self, next: Corner) -> Step {
        let Some(face) = self.simplex.nearest_with(&next.difference) else {
            return Step::Inside;
        };
        // Rounding is all that is left when a new point does not help.
        if face.point.norm_squared() >= self.best.norm_squared() {
            return Step::Ends;
        }
        self.best = face.point;
        self.simplex.reduce(next, &face);
        Step::Nearer
    }

    /// Goes on with a corner that was lowest, until the distance is `good` to this part of itself.
    fn take(&mut self, next: Corner, good: f64) -> Step {
        let square = self.best.norm_squared();
        let gain = square - self.best.dot(&next.difference);
        let mut corners = self.simplex.corners[..self.simplex.count].iter();
        if corners.any(|c| c.difference == next.difference) || gain <= good * square {
            return Step::Ends;
        }
        self.add(next)
    }

    /// Where it stands.
    fn seed(&self) -> Seed {
        Seed {
            points: self.simplex.corners.map(|corner| corner.points),
            count: self.simplex.count,
        }
    }
}

impl Seed {
    /// One point of each solid.
    pub fn of(points: [Vec3; 2]) -> Self {
        Self {
            points: [points; 3],
            count: 1,
        }
    }

    /// The points of both solids that it begins with.
    pub fn points(&self) -> &[[Vec3; 2]] {
        &self.points[..self.count]
    }
}

impl Corner {
    fn of(points: [Vec3; 2], shift: &Vec3) -> Self {
        Self {
            points,
            difference: points[0] + shift - points[1],
        }
    }
}

/// How well the distance of two solids is to be known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope {
    /// Rounding of both together (m).
    pub rounding: f64,
    /// Extent of the smaller (m).
    pub size: f64,
    /// Less than this apart they touch (m), without their rounding.
    pub touching: f64,
    /// More than this apart they are far (m), without their rounding.
    pub limit: f64,
    /// To what part of itself the distance of solids that touch is to be known.
    pub good: f64,
}

impl Scope {
    /// To what part of itself a distance is to be known; `best` is as long, without the rounding.
    fn good(&self, best: &Vec3) -> f64 {
        let clearance = (best.norm() - self.rounding).abs() / self.size;
        (BLUNT * clearance)
            .powi(2)
            .clamp(self.good, ROUGH.max(self.good))
    }
}

/// How two convex solids lie to each other, without their rounding, the first moved by `shift` (m). For `lowest` see
/// [`Search`].
pub(super) fn lie(
    lowest: impl Fn(&Vec3) -> [Vec3; 2],
    start: &Start,
    shift: &Vec3,
    scope: &Scope,
) -> Lie {
    let mut search = Search::from(lowest, shift, start);
    for _ in 0..ITERATIONS {
        let next = search.lowest();
        let along = search.best.dot(&next.difference);
        if along > 0.0 && along * along > scope.limit * scope.limit * search.best.norm_squared() {
            return Lie::Far(search.best.normalize());
        }
        if search.best.norm_squared() < scope.touching * scope.touching
            && let Some(normal) = search.best.try_normalize(0.0)
        {
            return Lie::Touching(normal, search.seed());
        }
        match search.take(next, scope.good(&search.best)) {
            Step::Nearer => {}
            Step::Ends => break,
            Step::Inside => return Lie::Overlapping,
        }
    }
    let best = search.best;
    if best.norm_squared() == 0.0 {
        return Lie::Overlapping;
    }
    let on_first = search.simplex.first();
    Lie::Near(Nearest {
        normal: best.normalize(),
        points: [on_first, on_first + shift - best],
        blunt: 2.0 * scope.good(&best).sqrt(),
        seed: search.seed(),
    })
}

/// Whether two convex solids, rounded by `rounding` (m) together, are more than `limit` (m) apart: where that is not
/// clear after so many iterations they are said to be near. `start` is a direction from the second to the first; for `lowest`
/// see [`Search`].
pub(super) fn clearance(
    lowest: impl Fn(&Vec3) -> [Vec3; 2],
    start: &Vec3,
    rounding: f64,
    limit: f64,
    iterations: usize,
) -> Clearance {
    let mut search = Search::from(lowest, &Vec3::zeros(), &Start::Along(*start));
    let way = start.norm();
    let mut least = (start.dot(&search.best) / way - rounding, start / way);
    for _ in 0..iterations {
        let most = search.best.norm() - rounding;
        // A bound of half of what there is lasts for half of the way until they meet.
        if most <= limit || least.0 - limit >= 0.5 * (most - limit) {
            break;
        }
        let next = search.lowest();
        let normal = search.best / (most + rounding);
        let along = normal.dot(&next.difference) - rounding;
        if along > least.0 {
            least = (along, normal);
        }
        match search.take(next, ROUGH) {
            Step::Nearer => {}
            Step::Ends => break,
            Step::Inside => return Clearance::AtMost(0.0),
        }
    }
    if least.0 > limit {
        Clearance::AtLeast(least.0, least.1)
    } else {
        Clearance::AtMost(search.best.norm() - rounding)
    }
}

impl Simplex {
    /// The point of the first solid that the weights make.
    fn first(&self) -> Vec3 {
        let corners = self.corners[..self.count].iter().zip(self.weights);
        corners.map(|(c, w)| c.points[0] * w).sum()
    }

    /// The face of this simplex and one more corner that is nearest to the origin; nothing if the origin is inside.
    /// Every face that is nearer than this simplex has the new corner.
    fn nearest_with(&self, n: &Vec3) -> Option<Face> {
        let d = |k: usize| &self.corners[k].difference;
        if self.count == 3 && contains_origin([d(0), d(1), d(2), n]) {
            return None;
        }
        let mut best = Face {
            others: [0; 2],
            weights: [1.0, 0.0, 0.0],
            count: 1,
            point: *n,
        };
        let mut least = n.norm_squared();
        let mut consider = |face: Face| {
            let square = face.point.norm_squared();
            if square < least {
                (least, best) = (square, face);
            }
        };
        for i in 0..self.count {
            if let Some([u, v]) = on_segment(n, d(i)) {
                consider(Face {
                    others: [i; 2],
                    weights: [u, v, 0.0],
                    count: 2,
                    point: n * u + d(i) * v,
                });
            }
        }
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            if j < self.count
                && let Some(weights) = on_triangle(n, d(i), d(j))
            {
                consider(Face {
                    others: [i, j],
                    weights,
                    count: 3,
                    point: n * weights[0] + d(i) * weights[1] + d(j) * weights[2],
                });
            }
        }
        Some(best)
    }

    /// Becomes a face of itself and a new corner.
    fn reduce(&mut self, next: Corner, face: &Face) {
        // The later first: it comes from no earlier than its new place.
        let [i, j] = face.others;
        if face.count == 3 && j != 2 {
            self.corners[2] = self.corners[j];
        }
        if face.count > 1 && i != 1 {
            self.corners[1] = self.corners[i];
        }
        self.corners[0] = next;
        (self.weights, self.count) = (face.weights, face.count);
    }
}

/// Weights of the foot of the origin on a segment, if it is between the ends.
fn on_segment(a: &Vec3, b: &Vec3) -> Option<[f64; 2]> {
    let along = b - a;
    let share = -a.dot(&along) / along.norm_squared();
    (share > 0.0 && share < 1.0).then_some([1.0 - share, share])
}

/// Weights of the foot of the origin on a triangle, if it is inside.
fn on_triangle(a: &Vec3, b: &Vec3, c: &Vec3) -> Option<[f64; 3]> {
    let normal = (b - a).cross(&(c - a));
    let area = normal.norm_squared();
    let longest = (b - a).norm_squared().max((c - a).norm_squared());
    // A sliver has no normal worth the digits it costs; its sides stand for it.
    if area <= 1e-16 * longest * longest {
        return None;
    }
    let opposite = |p: &Vec3, q: &Vec3| normal.dot(&p.cross(q));
    let weights = [opposite(b, c), opposite(c, a), opposite(a, b)];
    let sum: f64 = weights.iter().sum();
    let inside = weights.iter().all(|w| *w >= 0.0);
    inside.then(|| weights.map(|w| w / sum))
}

/// Whether the origin lies on the inner side of all four faces.
fn contains_origin(p: [&Vec3; 4]) -> bool {
    (0..4).all(|apex| {
        let [a, b, c] = [1, 2, 3].map(|k| p[(apex + k) % 4]);
        let normal = (b - a).cross(&(c - a));
        let (inner, origin) = (normal.dot(&(p[apex] - a)), -normal.dot(a));
        // A flat simplex holds nothing, whatever its rounding says.
        let thick = inner * inner > 1e-20 * normal.norm_squared() * (p[apex] - a).norm_squared();
        thick && inner * origin > 0.0
    })
}
