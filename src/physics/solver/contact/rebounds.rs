//! How fast what is hit comes back.

use super::Contacts;
use super::warm_start::find;
use crate::model::{ContactStatus, Model, State, Twist};
use crate::solver::{Interval, MechanismSolver, StepContext, Unilateral, What};

/// Approach slower than this many times what gravity gives in a step does not rebound: a resting body stays at rest.
const RESTING: f64 = 4.0;

/// Speed at which a unilateral constraint is hit (m/s, rad/s), and by how much that of an interval that begins or ends
/// at the surface is lower: from the rate over the interval before and the gap at its end, by the energy that gravity
/// adds on the way.
fn impact(before: f64, pull: f64, gap: f64, dt: f64) -> (f64, f64) {
    let half = -0.5 * pull;
    let squared = (half - before).powi(2) + 4.0 * half * gap / dt;
    if half > before && squared > 0.0 {
        (squared.sqrt(), half)
    } else {
        (-before, 0.0)
    }
}

/// An interval in which only gaps at the knot of a state are asked for.
pub(super) fn at_knot(state: &State, dt: f64) -> Interval {
    Interval {
        dt,
        time: state.time,
        share: 0.5,
        blend: 0.5,
    }
}

impl Contacts {
    /// Notes which unilateral constraints are hit in the interval, and the speed at which each of these comes back in the next one.
    pub(super) fn note_hits(
        &mut self,
        solver: &MechanismSolver,
        model: &Model,
        state: &State,
        dt: f64,
    ) {
        self.hits.clear();
        let speed_of_gravity = model.gravity.norm() * dt.abs();
        let interval = at_knot(state, dt);
        let context = StepContext {
            model,
            state,
            contacts: &self.points,
            interval: &interval,
        };
        let fall = Twist {
            linear: model.gravity * dt,
            ..Twist::default()
        };
        for unilateral in solver.unilaterals() {
            if !solver.is_closed(unilateral, speed_of_gravity) || self.was_closed(unilateral, state)
            {
                self.hits.push(None);
                continue;
            }
            let pull = unilateral.rates(|_| fall)[0];
            let before = solver.rates_before(unilateral, &model.gravity, state, dt)[0];
            let gap = match unilateral.what {
                What::Contact(k) => self.points[k].here.distance,
                what => solver.gap(&context, what, false),
            };
            let gap = gap.max(0.0);
            let (speed, half) = impact(before, pull, gap, dt);
            let restitution = self.restitution(unilateral, model);
            let back = if restitution > 0.0 && speed > RESTING * speed_of_gravity {
                (restitution * speed - half).max(0.0)
            } else {
                0.0
            };
            // Gravity brings what lies still to half of that.
            self.hits.push((speed > speed_of_gravity).then_some(back));
        }
    }

    fn restitution(&self, unilateral: &Unilateral, model: &Model) -> f64 {
        match unilateral.what {
            What::Contact(k) => self.points[k].restitution,
            What::Limit { joint, limit, .. } => model.joints[joint].limits[limit].restitution,
            What::Cable { cable, .. } => model.cables[cable].restitution,
        }
    }

    fn was_closed(&self, unilateral: &Unilateral, state: &State) -> bool {
        match unilateral.what {
            What::Contact(k) => find(&state.contacts, &self.points[k])
                .is_some_and(|c| c.status != ContactStatus::Open),
            What::Limit { entry, upper, .. } => {
                let force = state.limits[entry].force;
                if upper { force < 0.0 } else { force > 0.0 }
            }
            What::Cable { entry, .. } => state.limits[entry].force > 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{
        Case, DT, RADIUS, RESTITUTION, above_the_floor, ball, on_a_cable, on_a_rail,
    };
    use super::*;
    use crate::math::Vec3;
    use crate::model::LimitState;

    /// Gravity (m/s²).
    const G: f64 = 9.75;

    /// Relative error of a few sums and roots of numbers of order 1 to 10, and of what the solver leaves.
    const ROUNDING: f64 = 1e-12;

    /// What is hit: the floor, the lower bound of a rail, a cable's end. Each by a body whose way to it ends at `end`
    /// when it is at the height 0.
    fn kinds(gravity: f64) -> [(Case, f64); 3] {
        [
            (
                Case::new(above_the_floor(vec![ball("ball", 2.0)], gravity, 0.0)),
                RADIUS,
            ),
            (Case::new(on_a_rail([-1.0, 30.0], gravity)), -1.0),
            (Case::new(on_a_cable(1.5, gravity)), -1.5),
        ]
    }

    /// What is hit at the end of a fall comes back with its part of the speed that the energy of the fall gives there:
    /// whatever of the way is left at the knot, and however long the interval was of which the state holds the
    /// velocity. The velocity noted is that of the whole interval to come, in whose middle gravity has braked for half
    /// of it.
    #[test]
    fn a_body_that_falls_comes_back_with_its_part_of_the_speed_at_the_surface() {
        for held in [0.0, DT, 3.0 * DT] {
            for gap in [0.0, 0.01] {
                for (k, (mut case, end)) in kinds(G).into_iter().enumerate() {
                    let height = 1.0;
                    let speed = (2.0 * G * (height - gap)).sqrt();
                    case.fly(0, Vec3::z() * (end + gap), Vec3::z() * -speed, held);
                    case.solve();
                    let wanted = RESTITUTION[k] * (2.0 * G * height).sqrt();
                    let [found] = case.rebounds()[..] else {
                        panic!("one thing is hit")
                    };
                    let error = found + 0.5 * G * DT - wanted;
                    assert!(error.abs() < ROUNDING * wanted, "{k}, {held} s: {error:e}");
                }
            }
        }
    }

    /// A slider that is thrown up against its upper bound has lost energy on the way to it, and gravity hastens it on
    /// its way back.
    #[test]
    fn a_body_that_is_thrown_up_comes_back_faster_than_its_part_of_the_speed_at_the_surface() {
        for held in [0.0, DT] {
            for gap in [0.0, 0.01] {
                let mut case = Case::new(on_a_rail([-30.0, 1.0], G));
                let squared: f64 = 16.0;
                let speed = (squared + 2.0 * G * gap).sqrt();
                case.fly(0, Vec3::z() * (1.0 - gap), Vec3::z() * speed, held);
                case.solve();
                let [found] = case.rebounds()[..] else {
                    panic!("one bound is hit")
                };
                let wanted = RESTITUTION[1] * squared.sqrt() + 0.5 * G * DT;
                assert!(
                    (found - wanted).abs() < ROUNDING * wanted,
                    "{held} s: {found}"
                );
            }
        }
    }

    #[test]
    fn a_body_that_hits_at_four_times_the_speed_that_gravity_gives_in_a_step_stays_and_a_faster_one_does_not()
     {
        // Powers of two: the speeds are exact.
        let gravity = 8.0;
        let resting = 4.0 * gravity * DT;
        for (speed, comes_back) in [(resting, false), (resting * (1.0 + 1e-9), true)] {
            let mut case = Case::new(above_the_floor(vec![ball("ball", 2.0)], gravity, 0.0));
            case.fly(0, Vec3::z() * RADIUS, Vec3::z() * -speed, 0.0);
            case.solve();
            assert_eq!(case.rebounds()[0] > 0.0, comes_back, "{speed} m/s");
        }
        // What it makes of a body that lies still is no hit.
        for (speed, hits) in [(resting / 4.0, false), (resting / 4.0 * (1.0 + 1e-9), true)] {
            let mut case = Case::new(above_the_floor(vec![ball("ball", 2.0)], gravity, 0.0));
            case.fly(0, Vec3::z() * RADIUS, Vec3::z() * -speed, 0.0);
            case.solve();
            assert_eq!(case.hits(), [hits.then_some(0.0)], "{speed} m/s");
        }
        // Where there is no gravity nothing is slow.
        let mut case = Case::new(above_the_floor(vec![ball("ball", 2.0)], 0.0, 0.0));
        case.fly(0, Vec3::z() * RADIUS, Vec3::z() * -1e-3, 0.0);
        case.solve();
        let wanted = RESTITUTION[0] * 1e-3;
        assert!((case.rebounds()[0] - wanted).abs() < ROUNDING * wanted);
    }

    #[test]
    fn a_body_that_does_not_get_there_does_not_come_back() {
        for (mut case, end) in kinds(G) {
            // It falls 0.063 m in the interval: near enough to take part.
            case.fly(0, Vec3::z() * (end + 0.065), Vec3::z() * -4.0, DT);
            case.solve();
            assert_eq!(case.rebounds(), [0.0]);
        }
    }

    #[test]
    fn what_was_closed_before_is_not_hit_again() {
        for (k, (mut case, end)) in kinds(G).into_iter().enumerate() {
            // Whether the state says that it was closed, that it was open, or that the other bound was closed.
            let (lower, rope) = ([3.0, 0.0, -3.0], [3.0, 0.0, 0.0]);
            for (told, closed) in [true, false, false].into_iter().enumerate() {
                case.fly(0, Vec3::z() * end, Vec3::z() * -4.0, DT);
                case.solve();
                let comes_back = case.rebounds()[0];
                if k == 0 {
                    remember(&mut case, closed);
                } else {
                    case.state.limits[0].force = if k == 1 { lower[told] } else { rope[told] };
                }
                let found = case.rebounds()[0];
                let wanted = if closed { 0.0 } else { comes_back };
                assert!(comes_back > 1.0 && found == wanted, "{k}: {told} {found}");
                case.state.contacts.clear();
                case.state.limits.fill(LimitState::default());
            }
        }
        let mut case = Case::new(on_a_rail([-30.0, 1.0], G));
        for (force, closed) in [(-3.0, true), (0.0, false), (3.0, false)] {
            case.state.limits[0].force = 0.0;
            case.fly(0, Vec3::z(), Vec3::z() * 4.0, DT);
            case.solve();
            case.state.limits[0].force = force;
            assert_eq!(case.rebounds()[0] == 0.0, closed, "upper bound, {force} N");
        }
    }

    /// The contact of the interval as the state would keep it.
    fn remember(case: &mut Case, closed: bool) {
        let status = if closed {
            ContactStatus::Sticking
        } else {
            ContactStatus::Open
        };
        case.remember(status, 0.0);
    }

    #[test]
    fn what_goes_away_is_not_hit() {
        // At the knot, where gravity has pulled it back for half of the interval, it still goes away at 1 m/s: falling
        // back from there it would come to the surface at some speed, but not in this interval.
        let (speed, half) = impact(3.0, -4.0, 2.0, 0.5);
        assert!(speed < 0.0 && half == 0.0, "{speed} {half}");
    }

    #[test]
    fn what_gravity_would_turn_back_before_the_surface_hits_it_as_fast_as_it_went() {
        // 2 m/s at the knot, against 4 m/s²: it would turn back after 0.5 m, of 5 m. What hits all the same is pushed
        // by something else.
        assert_eq!(impact(-3.0, 2.0, 5.0, 0.5), (3.0, 0.0));
        // A surface at 0.375 m is reached at 1 m/s.
        assert_eq!(impact(-3.0, 2.0, 0.375, 0.5), (1.0, -1.0));
    }
}
