//! What contacts do to the energy of an interval.

use super::Contacts;
use crate::model::{BodyId, Model, State, Twist};
use crate::solver::past::{self, Taken};
use crate::solver::{MechanismSolver, Unilateral, WORLD};

/// Part of the rebounds below which none is given.
const LEAST_RESTITUTION_SCALE: f64 = 1e-3;

/// What the energies of an interval say of its solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing against it.
    Sound,
    /// The rebounds of an island return more than contacts took from it: they are slowed down, to be solved again.
    Overshoots,
    /// Contacts give energy that nothing gave them, or take more than there is.
    Impossible,
}

/// How an interval is judged.
#[derive(Debug, Clone, Copy)]
pub struct Judgement {
    /// Its length (s).
    pub dt: f64,
    /// Whether rebounds that overshoot are left out instead of slowed down.
    pub drops: bool,
    /// Whether contacts are solved live.
    pub live: bool,
    /// Whether they were left far from their laws for want of work.
    pub unsolved: bool,
}

/// Energy that a unilateral constraint takes over the interval, from its normal and its tangential impulses, and the
/// sum of sizes of which it is the difference [J]: velocities before and after are read with the rows at the first
/// knot, from the [twists](MechanismSolver::twists_of_work) of the links.
fn loss(unilateral: &Unilateral, twists: &[[Twist; 2]]) -> ([f64; 2], f64) {
    let (mut losses, mut size) = ([0.0; 2], 0.0);
    if unilateral.impulse == [0.0; 3] {
        return (losses, size);
    }
    let [before, after] = [0, 1].map(|end| unilateral.rates(|link| twists[link][end]));
    for row in 0..unilateral.rows {
        let impulse = unilateral.impulse[row] * unilateral.mass;
        losses[usize::from(row > 0)] -= 0.5 * impulse * (before[row] + after[row]);
        size += impulse.abs() * (before[row].abs() + after[row].abs());
    }
    (losses, size)
}

impl Contacts {
    /// Judges the solution of the interval by the energy of its islands. Rebounds that overshoot, as they may where
    /// several meet, are slowed down in all of their island, or left out.
    pub fn judge(
        &mut self,
        solver: &mut MechanismSolver,
        model: &Model,
        state: &State,
        judgement: Judgement,
    ) -> Verdict {
        let Judgement {
            dt,
            drops,
            live,
            unsolved,
        } = judgement;
        let speed = model.gravity.norm() * dt.abs();
        let unilaterals = solver.unilaterals();
        let closed = unilaterals.iter().filter(|u| solver.is_closed(u, speed));
        self.islands.gather(closed.map(|u| u.links), |link| {
            let energies = solver.energies(state, link);
            if unsolved {
                energies.of_what_is_unsolved()
            } else {
                energies
            }
        });
        solver.twists_of_work(&model.gravity, state, dt, &mut self.twists);
        for unilateral in solver.unilaterals_mut() {
            let (loss, size) = loss(unilateral, &self.twists);
            unilateral.taken = Some(loss);
            // What pushes out of a violation is asked to give the energy of the speed that it does that with.
            let asked = unilateral.impulse[0] * unilateral.mass * unilateral.mended / dt;
            let normal = if loss[0] < 0.0 {
                (loss[0] + asked).min(0.0)
            } else {
                loss[0]
            };
            let rebounds = unilateral.rebound > 0.0;
            self.islands
                .book(unilateral.links, [normal, loss[1]], size, rebounds);
        }
        if self.overshoots(solver, drops) {
            Verdict::Overshoots
        } else if self.islands.are_impossible(live) {
            Verdict::Impossible
        } else {
            Verdict::Sound
        }
    }

    /// Bodies of the unilateral constraint that gave most in the interval, beyond what it mends; `None` is the world.
    pub fn giver(
        &mut self,
        solver: &MechanismSolver,
        model: &Model,
        state: &State,
        dt: f64,
    ) -> [Option<BodyId>; 2] {
        let body = |link: usize| (link != WORLD).then(|| BodyId(solver.topology().bodies[link]));
        let most = self.most_giving(solver, model, state, dt);
        most.map_or([None; 2], |k| solver.unilaterals()[k].links.map(body))
    }

    /// The place of that unilateral constraint.
    pub(super) fn most_giving(
        &mut self,
        solver: &MechanismSolver,
        model: &Model,
        state: &State,
        dt: f64,
    ) -> Option<usize> {
        solver.twists_of_work(&model.gravity, state, dt, &mut self.twists);
        let gain = |u: &Unilateral| -> f64 {
            let ([normal, tangential], _) = loss(u, &self.twists);
            -normal - tangential - u.impulse[0] * u.mass * u.mended / dt
        };
        let gains = solver.unilaterals().iter().map(gain).enumerate();
        gains.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, _)| k)
    }

    fn overshoots(&mut self, solver: &MechanismSolver, drops: bool) -> bool {
        let mut found = false;
        for (body, scale) in self.restitution_scale.iter_mut().enumerate() {
            let link = solver.topology().links[body];
            let Some(slower) = self.islands.slower([link, WORLD]) else {
                continue;
            };
            let slower = *scale * slower;
            *scale = if drops || slower < LEAST_RESTITUTION_SCALE {
                0.0
            } else {
                slower
            };
            found = true;
        }
        self.rescaled |= found;
        found
    }

    /// Sums up what contacts took, and notes which unilateral constraints rebound; `state` is that at the first knot.
    pub fn settle(&mut self, solver: &MechanismSolver, model: &Model, state: &State, dt: f64) {
        let (by_body, sum) = &mut self.losses;
        by_body.clear();
        by_body.resize(state.bodies.len(), Taken::default());
        *sum = [0.0; 2];
        if solver.unilaterals().iter().any(|u| u.taken.is_none()) {
            solver.twists_of_work(&model.gravity, state, dt, &mut self.twists);
        }
        for unilateral in solver.unilaterals() {
            let judged = unilateral.taken;
            let loss = judged.unwrap_or_else(|| loss(unilateral, &self.twists).0);
            *sum = [sum[0] + loss[0], sum[1] + loss[1]];
            let share = 1.0 / solver.bodies(unilateral).count().max(1) as f64;
            for body in solver.bodies(unilateral) {
                by_body[body].last += share * (loss[0] + loss[1]);
            }
        }
        for (body, taken) in by_body.iter_mut().enumerate() {
            taken.reserve = past::taken(state, body).reserve + taken.last;
            if taken.reserve < 0.0 {
                // What was given although it was never taken, as where the mouse pulls, is not owed for ever.
                let owed = solver
                    .energies(state, solver.topology().links[body])
                    .rounding;
                taken.reserve = taken.reserve.max(-owed);
            }
        }
        self.note_hits(solver, model, state, dt);
    }
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{Case, DT, RADIUS, above_the_floor, ball};
    use super::*;
    use crate::kinematics;
    use crate::math::Vec3;
    use crate::model::ContactStatus;

    /// Gravity (m/s²).
    const G: f64 = 9.75;

    /// Relative error of sums of a dozen products of numbers of order 1 to 10.
    const ROUNDING: f64 = 1e-13;

    /// Linear and angular velocities of every body.
    type Twists = [(Vec3, Vec3); 2];

    /// Two balls of 2 kg and 3 kg on the floor that touch each other: the first on the floor, the second on the floor,
    /// one on the other.
    fn pair(gravity: f64) -> Case {
        let parts = above_the_floor(vec![ball("a", 2.0), ball("b", 3.0)], gravity, 0.5);
        let mut case = Case::new(parts);
        case.fly(0, Vec3::new(0.0, 0.0, RADIUS), Vec3::zeros(), 0.0);
        case.fly(1, Vec3::new(0.8, 0.6, RADIUS), Vec3::zeros(), 0.0);
        case
    }

    /// Which of the unilateral constraints is on these links, the world's left out.
    fn on(case: &Case, links: &[usize]) -> usize {
        let is = |u: &Unilateral| -> bool {
            let mut there: Vec<_> = u.links.into_iter().filter(|&l| l != WORLD).collect();
            there.sort_unstable();
            there == links
        };
        let found = case.solver.unilaterals().iter().position(is);
        found.expect("they are near enough")
    }

    fn kinetic(case: &Case, twists: &Twists) -> f64 {
        let energy = |(body, (v, w)): (&crate::model::Body, &(Vec3, Vec3))| {
            0.5 * (body.mass * v.norm_squared() + w.dot(&(body.inertia * w)))
        };
        case.model.bodies.iter().zip(twists).map(energy).sum()
    }

    /// Velocities after impulses [m/s, normal and tangential] of the constraints, by the momentum of every ball.
    fn push(case: &mut Case, before: &Twists, impulses: &[(usize, [f64; 3])]) -> Twists {
        for unilateral in case.solver.unilaterals_mut() {
            unilateral.impulse = [0.0; 3];
        }
        let mut after = *before;
        for &(k, impulse) in impulses {
            let unilateral = &mut case.solver.unilaterals_mut()[k];
            unilateral.impulse = impulse;
            let [n, t1, t2] = unilateral.axes;
            let total = (n * impulse[0] + t1 * impulse[1] + t2 * impulse[2]) * unilateral.mass;
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                let link = case.solver.unilaterals()[k].links[side];
                if link == WORLD {
                    continue;
                }
                let body = case.solver.topology().bodies[link];
                let data = &case.model.bodies[body];
                let inverse = data.inertia.try_inverse().expect("balls have inertia");
                // The point of the first ball that is hit faces the other's centre; all touch.
                let arm = n * (-sign * RADIUS);
                after[body].0 += total * (sign / data.mass);
                after[body].1 += inverse * arm.cross(&(total * sign));
            }
        }
        case.move_with(&after);
        after
    }

    fn relative(found: f64, wanted: f64) -> f64 {
        (found - wanted).abs() / wanted.abs()
    }

    /// Without gravity what contacts take is what the motion loses, whatever the impulses and the motion; and it is
    /// taken by impacts where only normal impulses act, by friction where only tangential ones do.
    #[test]
    fn the_energy_that_contacts_take_is_what_the_bodies_lose() {
        let mut case = pair(0.0);
        let before: Twists = [
            (Vec3::new(1.0, 0.5, -3.0), Vec3::new(2.0, -1.0, 4.0)),
            (Vec3::new(-2.0, 0.25, -1.0), Vec3::new(0.5, 3.0, -2.0)),
        ];
        for (body, twist) in case.state.bodies.iter_mut().zip(before) {
            (body.velocity.linear, body.velocity.angular) = twist;
        }
        kinematics::set_momenta(&case.model, &mut case.state.bodies);
        case.take();
        let (a, b, both) = (on(&case, &[0]), on(&case, &[1]), on(&case, &[0, 1]));
        let (hit, rub) = ([1.5, 0.0, 0.0], [0.0, 0.75, -0.5]);
        let all = [
            (a, [3.5, 0.5, -0.25]),
            (b, [1.5, -0.75, 0.5]),
            (both, [2.0, 0.25, 1.0]),
        ];
        // The impulses, the part that the first ball loses, whether impacts or friction take it.
        let cases: [(&[_], Option<f64>, Option<usize>); 7] = [
            (&[(a, hit)], Some(1.0), Some(0)),
            (&[(b, hit)], Some(0.0), Some(0)),
            (&[(both, hit)], Some(0.5), Some(0)),
            (&[(a, rub)], Some(1.0), Some(1)),
            (&[(b, rub)], Some(0.0), Some(1)),
            (&[(both, rub)], Some(0.5), Some(1)),
            (&all, None, None),
        ];
        for (impulses, share, kind) in cases {
            let after = push(&mut case, &before, impulses);
            let wanted = kinetic(&case, &before) - kinetic(&case, &after);
            case.contacts
                .settle(&case.solver, &case.model, &case.state, DT);
            let (by_body, sum) = &case.contacts.losses;
            assert!(
                relative(sum[0] + sum[1], wanted) < ROUNDING,
                "{impulses:?}: {sum:?} J of {wanted} J"
            );
            assert!(relative(by_body.iter().map(|t| t.last).sum(), wanted) < ROUNDING);
            if let Some(share) = share {
                let error = by_body[0].last - share * wanted;
                assert!(error.abs() < ROUNDING * wanted.abs(), "{by_body:?}");
            }
            if let Some(kind) = kind {
                assert!(sum[1 - kind].abs() < ROUNDING * wanted.abs(), "{sum:?}");
            }
        }
    }

    /// A ball falls on the floor and stays: what the floor takes is what its kinetic and its potential energy lose from
    /// the middle of the interval before the knot to that of the one behind it, both of the same length, whatever the
    /// length of the interval that led there.
    #[test]
    fn the_floor_takes_from_a_falling_ball_what_gravity_does_not_give() {
        for held in [0.0, DT, 3.0 * DT] {
            let (mass, height, knot) = (2.0, 0.01, -4.0);
            let parts = above_the_floor(vec![ball("ball", mass)], G, 0.0);
            let mut case = Case::new(parts);
            case.fly(0, Vec3::z() * (RADIUS + height), Vec3::z() * knot, held);
            case.solve();
            let energy = |speed: f64, height: f64| mass * (0.5 * speed * speed + G * height);
            // In free flight gravity gives half of what it gives in an interval from its middle to the knot; then the
            // ball goes down to the floor.
            let (before, after) = (knot + 0.5 * G * DT, -height / DT);
            let middles = [height - 0.5 * DT * before, height + 0.5 * DT * after];
            let wanted = energy(before, middles[0]) - energy(after, middles[1]);
            case.contacts
                .settle(&case.solver, &case.model, &case.state, DT);
            let (by_body, [impact, friction]) = &case.contacts.losses;
            // The solver leaves 1e-12 m/s.
            assert!(relative(*impact, wanted) < 1e-11, "{held} s: {impact} J");
            assert_eq!((by_body[0].last, *friction), (*impact, 0.0));
        }
    }

    /// 6 N s make 4 m/s down 1 m/s up or faster: the size is impulse times speed, both before and after.
    #[test]
    fn the_size_of_a_loss_is_that_of_the_works_of_which_it_is_the_sum() {
        let mut case = Case::new(above_the_floor(vec![ball("ball", 2.0)], 0.0, 0.5));
        case.fly(0, Vec3::z() * RADIUS, Vec3::new(0.0, 0.0, -4.0), 0.0);
        case.take();
        for (impulse, slide, wanted) in [(3.0, 0.0, 30.0), (-3.0, 0.0, 30.0), (3.0, 2.0, 38.0)] {
            let [_, along, _] = case.solver.unilaterals()[0].axes;
            case.move_with(&[(Vec3::z() + along * slide, Vec3::zeros())]);
            // Along the first tangent 4 N s at 2 m/s after and none before.
            let tangential = if slide > 0.0 { 2.0 } else { 0.0 };
            case.solver.unilaterals_mut()[0].impulse = [impulse, tangential, 0.0];
            let unilateral = &case.solver.unilaterals()[0];
            let mut twists = Vec::new();
            let solver = &case.solver;
            solver.twists_of_work(&case.model.gravity, &case.state, DT, &mut twists);
            let (_, size) = loss(unilateral, &twists);
            assert!(relative(size, wanted) < ROUNDING, "{size} J");
        }
    }

    /// The pair, of which the first ball is hit with 2 N s at a mean speed of 1.5 m/s: the floor gives it 3 J. Contacts
    /// took `lost` from it before, and all are to come back at 2 m/s.
    fn gaining(lost: f64) -> Case {
        let mut case = pair(G);
        let at = case.state.bodies[0].position;
        case.fly(0, at, Vec3::z() * -1.0, DT);
        let taken = Taken {
            last: lost,
            reserve: lost,
        };
        past::write_taken(&mut case.state, &[taken, Taken::default()]);
        case.take();
        case.remember(ContactStatus::Open, 2.0);
        case.take();
        let floor = on(&case, &[0]);
        let unilateral = &mut case.solver.unilaterals_mut()[floor];
        unilateral.impulse[0] = 2.0 / unilateral.mass;
        unilateral.velocity[0] = 0.0;
        let after = 3.0 - case.state.bodies[0].velocity.linear.z;
        let still = (Vec3::zeros(), Vec3::zeros());
        case.move_with(&[(Vec3::z() * after, Vec3::zeros()), still]);
        case
    }

    /// Part of its rebound that the contact of each ball with the floor is to give in the next try.
    fn parts(case: &mut Case) -> [f64; 2] {
        let interval = super::super::rebounds::at_knot(&case.state, DT);
        let context = crate::solver::StepContext {
            model: &case.model,
            state: &case.state,
            contacts: case.contacts.points(),
            interval: &interval,
        };
        let impulses: Vec<_> = case
            .solver
            .unilaterals()
            .iter()
            .map(|u| u.impulse)
            .collect();
        case.contacts.recall(&mut case.solver, &context);
        for (unilateral, impulse) in case.solver.unilaterals_mut().iter_mut().zip(impulses) {
            unilateral.impulse = impulse;
        }
        [0, 1].map(|ball| case.solver.unilaterals()[on(case, &[ball])].rebound / 2.0)
    }

    fn judge(case: &mut Case, drops: bool) -> Verdict {
        judge_as(case, drops, false)
    }

    fn judge_as(case: &mut Case, drops: bool, unsolved: bool) -> Verdict {
        let judgement = Judgement {
            dt: DT,
            drops,
            live: unsolved,
            unsolved,
        };
        case.contacts
            .judge(&mut case.solver, &case.model, &case.state, judgement)
    }

    #[test]
    fn rebounds_that_return_more_than_was_taken_are_slowed_by_the_root_and_then_left_out() {
        // It had lost a quarter of the 3 J: half the speed returns that.
        let mut case = gaining(0.75);
        assert_eq!(parts(&mut case), [1.0, 1.0]);
        let mut wanted = 1.0;
        while wanted > 2e-3 {
            assert_eq!(judge(&mut case, false), Verdict::Overshoots);
            wanted *= 0.5;
            let [slowed, other] = parts(&mut case);
            // Each time a millionth more, so that rounding does not make another round.
            assert!(relative(slowed, wanted) < 2e-5, "{slowed} of {wanted}");
            assert_eq!(other, 1.0, "the other ball is an island of its own");
        }
        // Less than a thousandth is none.
        assert_eq!(judge(&mut case, false), Verdict::Overshoots);
        assert_eq!(parts(&mut case), [0.0, 1.0]);
        let mut case = gaining(0.75);
        assert_eq!(judge(&mut case, true), Verdict::Overshoots);
        assert_eq!(parts(&mut case), [0.0, 1.0]);
        // What was taken may come back.
        let mut case = gaining(3.0);
        assert_eq!(judge(&mut case, true), Verdict::Sound);
        assert_eq!(parts(&mut case), [1.0, 1.0]);
    }

    #[test]
    fn a_gain_without_a_rebound_is_impossible_unless_it_mends_a_violation() {
        let mut case = gaining(0.75);
        for unilateral in case.solver.unilaterals_mut() {
            unilateral.rebound = 0.0;
        }
        assert_eq!(judge(&mut case, false), Verdict::Impossible);
        let touching = on(&case, &[0]);
        // Of the 3 J, 2 N s give 0.2 J to what is pushed out at 0.1 m/s, and all of it at 2 m/s.
        for (speed, verdict) in [(0.1, Verdict::Impossible), (2.0, Verdict::Sound)] {
            case.solver.unilaterals_mut()[touching].mended = speed * DT;
            assert_eq!(judge(&mut case, false), verdict);
        }
        // Whatever is not sure, 3 J are more than the 0.75 J that were ever taken.
        case.solver.unilaterals_mut()[touching].mended = 0.0;
        assert_eq!(judge_as(&mut case, false, true), Verdict::Impossible);
    }

    /// Two balls whose gap closes at most a little are two islands: what an interior point leaves of a force between
    /// them ties nothing together. The gap is more than a thousandth of the way that gravity and the impulse make, of
    /// 1.2 m/s, and less than that of 15 m/s.
    #[test]
    fn what_comes_near_in_the_interval_without_touching_makes_no_island() {
        for (gap, other) in [(5e-3, 1.0), (0.0, 0.5)] {
            let mut case = gaining(0.75);
            let both = on(&case, &[0, 1]);
            let unilateral = &mut case.solver.unilaterals_mut()[both];
            (unilateral.impulse[0], unilateral.velocity[0]) = (1.0, gap);
            assert_eq!(judge(&mut case, false), Verdict::Overshoots);
            let found = parts(&mut case);
            // Each time a millionth more, so that rounding does not make another round.
            for (found, wanted) in found.into_iter().zip([0.5, other]) {
                assert!(relative(found, wanted) < 2e-6, "{gap} m/s: {found}");
            }
        }
    }
}
