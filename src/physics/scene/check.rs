//! Collecting what is wrong with the meaning of a scene, and small values that can be wrong.

use super::error::{Problem, count};
use super::format::OrientationFile;
use super::items::Items;
use super::value::Vector;
use crate::math::{Quat, Vec3};

/// Problems found so far.
pub(super) struct Check<'a> {
    problems: Vec<Problem>,
    /// Fields that were left out because their text is wrong.
    blanked: &'a [Vec<String>],
    /// Names that may still be compared with wrong ones.
    patience: usize,
}

/// Comparisons of names at most: a file may have as many wrong names as right ones, and a suggestion for each would
/// take minutes.
const PATIENCE: usize = 100_000;

impl<'a> Check<'a> {
    /// No problems yet.
    pub fn new(blanked: &'a [Vec<String>]) -> Self {
        Self {
            problems: Vec::new(),
            blanked,
            patience: PATIENCE,
        }
    }

    /// Adds a problem, unless it follows from a field that was left out and reported before.
    pub fn report(&mut self, problem: Problem) {
        let follows = |b: &Vec<String>| b.starts_with(&problem.path) || problem.path.starts_with(b);
        if !self.blanked.iter().any(follows) {
            self.problems.push(problem);
        }
    }

    /// Adds a problem with a field.
    pub fn wrong(&mut self, path: &[&str], found: impl ToString, expected: &str) {
        self.report(Problem::new(path, found.to_string(), expected));
    }

    /// All problems.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Whether the item was left out because its text is wrong: references to it are no errors.
    pub fn is_left_out(&self, item: &[&str]) -> bool {
        let holds = |b: &Vec<String>| {
            !b.is_empty() && b.len() <= item.len() && b.iter().zip(item).all(|(b, i)| b == i)
        };
        self.blanked.iter().any(holds)
    }

    /// Place of a name among the items of a section; reports a name that does not exist.
    pub fn index<T>(
        &mut self,
        path: &[&str],
        section: &'static str,
        name: &str,
        items: &Items<T>,
    ) -> Option<usize> {
        let index = items.place(name);
        if index.is_none() {
            self.unknown(path, section, name, items.names());
        }
        index
    }

    /// Place of a body, or nothing for the world; reports a name that does not exist.
    pub fn body_or_world<T>(
        &mut self,
        path: &[&str],
        name: &str,
        bodies: &Items<T>,
    ) -> Option<Option<usize>> {
        if name == "world" {
            return Some(None);
        }
        let index = bodies.place(name);
        if index.is_none() {
            let known = std::iter::once("world").chain(bodies.names());
            self.unknown(path, "bodies", name, known);
        }
        index.map(Some)
    }

    fn unknown<'n>(
        &mut self,
        path: &[&str],
        section: &'static str,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) {
        if !self.is_left_out(&[section, name]) {
            let what = section.trim_end_matches('s').replace("bodie", "body");
            let left = self.patience.checked_sub(count(&known));
            self.patience = left.unwrap_or(0);
            self.report(match left {
                Some(_) => Problem::unknown_name(path, &what, name, known),
                None => Problem::no_such_name(path, &what, name, known),
            });
        }
    }

    /// A number above zero; reports others and gives `None`.
    pub fn positive(&mut self, path: &[&str], value: f64, unit: &str) -> Option<f64> {
        if value > 0.0 {
            return Some(value);
        }
        self.wrong(path, value, &format!("a number above 0{unit}"));
        None
    }

    /// A number of at least zero; reports others.
    pub fn not_negative(&mut self, path: &[&str], value: f64, unit: &str) -> f64 {
        if value < 0.0 {
            self.wrong(path, value, &format!("a number of at least 0{unit}"));
        }
        value.max(0.0)
    }

    /// Unit vector along a direction; reports a direction without length.
    pub fn direction(&mut self, path: &[&str], vector: Vec3) -> Vec3 {
        vector.try_normalize(1e-12).unwrap_or_else(|| {
            let found = format!("({}, {}, {})", vector.x, vector.y, vector.z);
            self.wrong(path, found, "a direction, not all of x, y, z zero");
            Vec3::z()
        })
    }

    /// The rotation that an orientation describes; the identity if there is none.
    pub fn orientation(&mut self, path: &[&str], file: Option<&OrientationFile>) -> Quat {
        let Some(file) = file else {
            return Quat::identity();
        };
        let field = |name| [path, &[name]].concat();
        match file {
            OrientationFile {
                axis: Some(Vector(axis)),
                angle: Some(angle),
                euler: None,
                quaternion: None,
            } => {
                let axis = self.direction(&field("axis"), *axis);
                Quat::from_scaled_axis(axis * angle.0)
            }
            OrientationFile {
                axis: None,
                angle: None,
                euler: Some(Vector(e)),
                quaternion: None,
            } => Quat::from_euler_angles(e.x, e.y, e.z),
            OrientationFile {
                axis: None,
                angle: None,
                euler: None,
                quaternion: Some(q),
            } => match q.0[..] {
                [w, x, y, z] if w * w + x * x + y * y + z * z > 1e-24 => {
                    Quat::from_quaternion(nalgebra::Quaternion::new(w, x, y, z))
                }
                _ => {
                    let found = format!("{:?}", q.0);
                    self.wrong(
                        &field("quaternion"),
                        found,
                        "four numbers (w, x, y, z), not all zero",
                    );
                    Quat::identity()
                }
            },
            _ => {
                let given = [
                    ("axis", file.axis.is_some()),
                    ("angle", file.angle.is_some()),
                    ("euler", file.euler.is_some()),
                    ("quaternion", file.quaternion.is_some()),
                ];
                let given: Vec<&str> = given.iter().filter(|g| g.1).map(|g| g.0).collect();
                let found = if given.is_empty() {
                    "none of them".into()
                } else {
                    given.join(" and ")
                };
                self.wrong(path, found, "axis and angle, or euler, or quaternion");
                Quat::identity()
            }
        }
    }
}
