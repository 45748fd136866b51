//! Scenes seen from their own cameras: the mechanism is in the middle of the view, and large enough to be seen.

use driftless::math::Vec3;
use driftless::window::camera::bounds;
use driftless::window::camera::orbit::{Orbit, Viewport};
use driftless::window::camera::view::View;
use driftless::window::session::Session;

/// The part of a window of 1280 by 720 points that panels and plots leave free [points].
const VIEW: [f64; 2] = [860.0, 600.0];
/// How long the motion is watched [s], and how many steps of it at most.
const WATCHED: f64 = 3.0;
const STEPS: usize = 400;
/// Part of the view that the motion should fill in height or width, and what is right.
const WANTED: f64 = 0.66;
const RIGHT: [f64; 2] = [0.5, 0.85];

/// Everything that a scene moves through at first, as balls.
fn swept(session: &mut Session) -> Vec<(Vec3, f64)> {
    let mut balls = Vec::new();
    let mut step = 0;
    loop {
        if step % 4 == 0 {
            let model = session.simulation.model();
            balls.extend(bounds::mechanism(model, session.poses()));
        }
        let over = session.sample.time > WATCHED || step >= STEPS;
        let large = session.poses().len() > 60 && step > 40;
        if over || large || !session.step() {
            return balls;
        }
        step += 1;
    }
}

/// Left, right, lower and upper edge of what is seen of balls, as parts of the view; 0 is its middle.
fn edges(orbit: &Orbit, balls: &[(Vec3, f64)]) -> [f64; 4] {
    let viewport = Viewport {
        corner: [0.0; 2],
        size: VIEW,
    };
    let mut found = [f64::INFINITY, -f64::INFINITY, f64::INFINITY, -f64::INFINITY];
    let eye = orbit.eye();
    for (centre, radius) in balls {
        let Some([x, y]) = orbit.project(&viewport, centre) else {
            continue;
        };
        // A ball at this depth, in points.
        let depth = (eye - centre).dot(&orbit.back());
        let reach = radius / depth * VIEW[1] / (2.0 * (0.5 * orbit.field_of_view).tan());
        let [x, y] = [x - 0.5 * VIEW[0], 0.5 * VIEW[1] - y];
        found[0] = found[0].min((x - reach) / VIEW[0]);
        found[1] = found[1].max((x + reach) / VIEW[0]);
        found[2] = found[2].min((y - reach) / VIEW[1]);
        found[3] = found[3].max((y + reach) / VIEW[1]);
    }
    found
}

/// The larger of the parts of width and height that are filled.
fn share([left, right, low, high]: [f64; 4]) -> f64 {
    (right - left).max(high - low)
}

/// The camera that looks from the same side at the middle of what is seen, from where it fills the view as it should.
fn framed(mut orbit: Orbit, balls: &[(Vec3, f64)]) -> Orbit {
    for _ in 0..40 {
        let now = edges(&orbit, balls);
        let height = 2.0 * orbit.distance * (0.5 * orbit.field_of_view).tan();
        let back = orbit.back();
        let right = Vec3::z().cross(&back).normalize();
        let up = back.cross(&right);
        let wide = height * VIEW[0] / VIEW[1];
        orbit.focus += 0.5 * ((now[0] + now[1]) * wide * right + (now[2] + now[3]) * height * up);
        orbit.distance *= (share(now) / WANTED).clamp(0.5, 2.0);
    }
    orbit
}

#[test]
fn every_scene_opens_with_its_mechanism_in_the_middle_of_the_view() {
    let mut wrong = Vec::new();
    for scene in driftless::scene::shipped() {
        let opened = driftless::scene::open(&scene.name, &[]).expect("it is shipped");
        let mut session = Session::new(opened).expect("it runs");
        let orbit = View::of(&session).orbit;
        let balls = swept(&mut session);
        let seen = edges(&orbit, &balls);
        let [left, right, low, high] = seen;
        let inside = left > -0.5 && right < 0.5 && low > -0.5 && high < 0.5;
        let large = (RIGHT[0]..=RIGHT[1]).contains(&share(seen));
        if !(inside && large) {
            let better = framed(orbit, &balls);
            let [eye, target] = [better.eye(), better.focus];
            let round = |v: Vec3| v.map(|x| (100.0 * x).round() / 100.0);
            let ([ex, ey, ez], [tx, ty, tz]) = (round(eye).into(), round(target).into());
            let ([ex, ey, ez], [tx, ty, tz]): ([f64; 3], [f64; 3]) = ([ex, ey, ez], [tx, ty, tz]);
            wrong.push(format!(
                "{}: {:.2} of the view, from {left:.2} to {right:.2} and {low:.2} to {high:.2}; better \
                 camera: (eye: ({ex}, {ey}, {ez}), target: ({tx}, {ty}, {tz}))",
                scene.name,
                share(seen)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
