//! Contact as data: materials and their pairs, who never touches, cables and limits, and what a state keeps of them.

use super::compliance::Compliance;
use super::force::Attachment;
use super::hertz::SurfaceCompliance;
use super::id::BodyId;
use crate::math::Vec3;
use serde::{Deserialize, Serialize};

/// What a surface is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Unique name.
    pub name: String,
    /// Coefficient of Coulomb friction against itself.
    pub friction: f64,
    /// Coefficient of restitution against itself, 0 to 1.
    pub restitution: f64,
    /// How far its surface gives along the normal at a contact point.
    pub compliance: SurfaceCompliance,
}

/// What two materials do to each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MaterialPair {
    /// Indices of the materials.
    pub materials: [usize; 2],
    /// Coefficient of Coulomb friction.
    pub friction: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// How far both surfaces together give along the normal at a contact point.
    pub compliance: SurfaceCompliance,
}

/// Rules of contact. Without them shapes are only drawn and weighed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ContactRules {
    /// Materials; the first is that of shapes that name none.
    pub materials: Vec<Material>,
    /// Pairs whose coefficients are given.
    pub pairs: Vec<MaterialPair>,
    /// Bodies that never touch each other.
    pub apart: Vec<[BodyId; 2]>,
    /// Whether bodies that a joint connects touch each other.
    pub joined: bool,
}

impl ContactRules {
    fn pair(&self, a: usize, b: usize) -> Option<&MaterialPair> {
        let given = |p: &&MaterialPair| p.materials == [a, b] || p.materials == [b, a];
        self.pairs.iter().find(given)
    }

    /// How far two materials give together: what is given for the pair, else one [behind](SurfaceCompliance::behind) the
    /// other. `None` where these have no law together.
    pub fn compliance(&self, a: usize, b: usize) -> Option<SurfaceCompliance> {
        match self.pair(a, b) {
            Some(pair) => Some(pair.compliance),
            None => {
                let [a, b] = [a, b].map(|k| self.materials[k].compliance);
                a.behind(b)
            }
        }
    }

    /// Friction and restitution of two materials: those given for the pair; else the geometric mean of the
    /// frictions and the larger restitution.
    pub fn coefficients(&self, a: usize, b: usize) -> (f64, f64) {
        match self.pair(a, b) {
            Some(pair) => (pair.friction, pair.restitution),
            None => {
                let (a, b) = (&self.materials[a], &self.materials[b]);
                let friction = (a.friction * b.friction).sqrt();
                (friction, a.restitution.max(b.restitution))
            }
        }
    }
}

/// Range of one coordinate of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct JointLimit {
    /// Which coordinate of the joint, counted from 0 (translations first).
    pub coordinate: usize,
    /// Least value (m, rad); `-∞` if there is none.
    pub lower: f64,
    /// Largest value (m, rad); `∞` if there is none.
    pub upper: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// How far it gives.
    pub compliance: Compliance,
}

/// A rope without mass: two points are never farther apart than its length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cable {
    /// Unique name.
    pub name: String,
    /// Where it is fixed.
    pub ends: [Attachment; 2],
    /// Length (m).
    pub length: f64,
    /// Coefficient of restitution when it becomes taut, 0 to 1.
    pub restitution: f64,
    /// How far it stretches.
    pub compliance: Compliance,
}

/// What tells one contact point from another, the same from step to step.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct ContactKey {
    /// Owners and indices of both shapes.
    pub shapes: u64,
    /// Features of both shapes.
    pub features: u64,
}

impl ContactKey {
    /// A key of a pair of shapes, by their numbers among all that touch, the lower first.
    pub fn new(shapes: [usize; 2], features: u64) -> Self {
        Self {
            shapes: (shapes[0] as u64) << 32 | shapes[1] as u64,
            features,
        }
    }

    /// Numbers of the shapes.
    pub fn numbers(self) -> [usize; 2] {
        [self.shapes >> 32, self.shapes & u64::from(u32::MAX)].map(|k| k as usize)
    }
}

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ContactStatus {
    /// No force.
    #[default]
    Open,
    /// The friction force is below its bound and the surfaces do not slide.
    Sticking,
    /// The friction force is at its bound and opposes the slip.
    Sliding,
}

/// A contact point at a knot and its force over the interval before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ContactState {
    /// Which contact.
    pub key: ContactKey,
    /// The bodies; `None` is the world.
    pub bodies: [Option<BodyId>; 2],
    /// Where it is at the knot, world frame (m).
    pub point: Vec3,
    /// Unit normal from the second body to the first, world frame.
    pub normal: Vec3,
    /// Distance of the surfaces at the knot (m), negative for penetration.
    pub gap: f64,
    /// Mean force on the first body over the interval, world frame (N); an impact shows impulse / dt.
    pub force: Vec3,
    /// Tangential velocity of the first body against the second over the interval, world frame (m/s).
    pub slip: Vec3,
    /// Coefficient of friction.
    pub friction: f64,
    /// Sticking, sliding or open.
    pub status: ContactStatus,
    /// Speed of separation that restitution asks of the next interval (m/s).
    pub rebound: f64,
    /// Whether the bodies hit each other here in the interval before. The next one completes the impact; what it rubs is not read at the
    /// knot between.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hit: bool,
    /// Of a contact that was hit, the speed of separation at the knot, taken negative, at which the gap closes no more over the next interval: by so
    /// much its surfaces turn away from each other (m/s).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub turning: f64,
}

fn is_zero(speed: &f64) -> bool {
    *speed == 0.0
}

impl ContactState {
    /// Normal force (N).
    pub fn normal_force(&self) -> f64 {
        self.force.dot(&self.normal)
    }

    /// Friction force on the first body (N).
    pub fn friction_force(&self) -> Vec3 {
        self.force - self.normal * self.normal_force()
    }
}

/// A joint limit or a cable at a knot.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct LimitState {
    /// Distance to the nearer bound (m, rad).
    pub gap: f64,
    /// Mean force over the interval before [N, N·m]: that of the lower bound is positive, that of the upper bound
    /// negative; a cable's tension is positive.
    pub force: f64,
    /// Speed of separation that restitution asks of the next interval (m/s, rad/s).
    pub rebound: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::specimen::open_contact;

    /// Takes from before it was kept have contacts without it.
    #[test]
    fn whether_a_contact_was_hit_is_written_where_it_was() {
        for hit in [false, true] {
            let contact = ContactState {
                hit,
                ..open_contact([Some(BodyId(3)), None])
            };
            let text = ron::to_string(&contact).expect("it is written");
            assert_eq!(text.contains("hit"), hit, "{text}");
            assert_eq!(ron::from_str(&text), Ok(contact));
        }
    }

    #[test]
    fn a_pair_that_is_given_wins_over_the_mean() {
        let material = |name: &str, friction, restitution| Material {
            name: name.into(),
            friction,
            restitution,
            compliance: SurfaceCompliance::RIGID,
        };
        let mut rules = ContactRules {
            materials: vec![material("steel", 0.2, 0.5), material("rubber", 0.8, 0.1)],
            ..ContactRules::default()
        };
        let (friction, restitution) = rules.coefficients(0, 1);
        assert!((friction - 0.4).abs() < 1e-15);
        assert_eq!(restitution, 0.5);
        rules.pairs = vec![MaterialPair {
            materials: [1, 0],
            friction: 0.7,
            restitution: 0.3,
            compliance: SurfaceCompliance::RIGID,
        }];
        assert_eq!(rules.coefficients(0, 1), (0.7, 0.3));
        assert_eq!(rules.coefficients(1, 1), (0.8, 0.1));
    }
}
