//! Scenes seen from their own cameras: the mechanism is in the middle of the view, and large enough to be seen.

use driftless::math::Vec3;
use driftless::window::camera::bounds;
use driftless::window::camera::framing::{Extent, framed};
use driftless::window::camera::orbit::{Orbit, Viewport};
use driftless::window::camera::view::View;
use driftless::window::session::Session;

/// The part of a window of 1280 by 720 points that panels and plots leave free.
const VIEW: Viewport = Viewport {
    corner: [0.0; 2],
    size: [908.0, 614.0],
};
/// How long the motion is watched [s], and how many steps of it at most.
const WATCHED: f64 = 3.0;
const STEPS: usize = 400;
/// A scene of more bodies is watched for so many steps: it is seen at once how large it is, and long how it moves.
const MANY: (usize, usize) = (60, 40);
/// Scenes whose motion goes somewhere, with how long they are watched [s]: for as long as they are run by themselves, or
/// until what slides away has told what it tells.
const LONGER: [(&str, f64); 4] = [
    ("passive_walker", 10.0),
    ("rimless_wheel", 8.0),
    ("wheel_rim", 6.0),
    ("four_frictions", 1.0),
];
/// Scenes that are a place into which bodies fall or run: the place is to be seen.
const PLACES: [&str; 3] = ["marble_run", "ball_pit", "pit:"];
/// Part of the view's height or width that the motion should fill, and what is right.
const WANTED: f64 = 0.68;
const RIGHT: [f64; 2] = [0.5, 0.85];

/// Everything that a scene moves through at first, as balls.
fn swept(session: &mut Session, watched: f64) -> Vec<(Vec3, f64)> {
    let mut balls = Vec::new();
    let steps = if watched > WATCHED { usize::MAX } else { STEPS };
    for step in 0..steps {
        if step % 4 == 0 {
            let model = session.model();
            balls.extend(bounds::mechanism(model, session.poses()));
        }
        let large = session.poses().len() > MANY.0 && step > MANY.1;
        if session.sample().time > watched || large || !session.step() {
            break;
        }
    }
    balls
}

/// A camera in the words of a scene file, to a centimetre, or to a hundredth of its distance.
fn written(orbit: &Orbit) -> String {
    let unit = 10f64.powf(orbit.distance.log10().floor() - 2.0);
    let digits = (-unit.log10()).round().max(0.0) as usize;
    let point = |v: Vec3| {
        let [x, y, z] = <[f64; 3]>::from(v);
        format!("({x:.digits$}, {y:.digits$}, {z:.digits$})")
    };
    format!(
        "(eye: {}, target: {})",
        point(orbit.eye()),
        point(orbit.focus)
    )
}

/// What is wrong with the camera of a scene, if anything is.
fn fault(spec: &str) -> Option<String> {
    let opened = driftless::scene::open(spec, &[]).expect("it is shipped");
    let mut session = Session::new(opened).expect("it runs");
    let orbit = View::of(&session).orbit;
    let longer = LONGER.iter().find(|(name, _)| *name == spec);
    let balls = match PLACES.contains(&spec) {
        true => bounds::world(session.model()),
        false => swept(&mut session, longer.map_or(WATCHED, |(_, time)| *time)),
    };
    let better = || written(&framed(orbit, &VIEW, &balls, WANTED));
    let seen = match Extent::of(&orbit, &VIEW, &balls) {
        // A scene to begin from may have no bodies.
        None if balls.is_empty() => return None,
        None => {
            return Some(format!(
                "{spec}: nothing is seen; better camera: {}",
                better()
            ));
        }
        Some(seen) => seen,
    };
    let large = (RIGHT[0]..=RIGHT[1]).contains(&seen.share());
    (!(seen.is_inside() && large)).then(|| {
        let ([left, right], [low, high]) = (seen.across, seen.upright);
        format!(
            "{spec}: {:.2} of the view, from {left:.2} to {right:.2} and {low:.2} to {high:.2}; better camera: {}",
            seen.share(),
            better()
        )
    })
}

#[test]
fn every_scene_opens_with_its_mechanism_in_the_middle_of_the_view() {
    let files = driftless::scene::shipped().iter();
    let files = files.chain(driftless::scene::templates());
    let made = driftless::scene::generators().iter();
    let made = made.map(|g| format!("{}:", g.name));
    let specs = files.map(|s| s.name.to_owned()).chain(made);
    let wrong: Vec<String> = specs.filter_map(|spec| fault(&spec)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
