//! Values that a scene may write in more than one way: numbers, vectors, colours, functions of time.

use crate::integrators::Written;
use crate::math::Vec3;
use crate::model::{Course, bounded};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, SerializeTuple, Serializer};
use std::fmt;

/// A finite number: `1.5`, or a string with a constant expression such as `"sqrt(2)/2"`, `"PI/4"`, `"30 deg"`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Number(pub f64);

/// One number, or a list of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Numbers(pub Vec<f64>);

/// Three numbers: `(x, y, z)` or `[x, y, z]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vector(pub Vec3);

/// Inertia tensor: `(xx, yy, zz)`, or `(xx, yy, zz, xy, xz, yz)` with the entries of the tensor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tensor(pub [f64; 6]);

/// Colour in sRGB: a name, `"#rrggbb"`, or three numbers from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub enum ColourValue {
    /// A name or `#rrggbb`.
    Text(String),
    /// Red, green, blue.
    Channels([f64; 3]),
}

/// A function of time: a number, a string with an expression in `t`, a table `[(time, value), …]`, or a motion through
/// waypoints, `(spline: [(time, value), …])` or `(constant_acceleration: [(time, value), …])`.
#[derive(Debug, Clone, PartialEq)]
pub enum SignalValue {
    /// The same value at all times.
    Constant(f64),
    /// An expression in `t`.
    Expression(String),
    /// Points (time (s), value).
    Table(Vec<(f64, f64)>),
    /// Waypoints (time (s), value).
    Profile(Course, Vec<(f64, f64)>),
}

/// Ways from waypoint to waypoint with their names.
const COURSES: [(Course, &str); 2] = [
    (Course::Spline, COURSE_NAMES[0]),
    (Course::ConstantAcceleration, COURSE_NAMES[1]),
];
const COURSE_NAMES: [&str; 2] = ["spline", "constant_acceleration"];

/// Three functions of time, along x, y and z.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Signals(pub [SignalValue; 3]);

/// Heights of a height field (m): an expression in x and y, or one number per sample, x running fastest.
#[derive(Debug, Clone, PartialEq)]
pub enum Heights {
    /// An expression in x and y (m).
    Formula(String),
    /// A number for every sample.
    List(Vec<f64>),
}

/// A value of an option of a method: a number, a word, `true` or `false`.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionWord(pub Written);

impl Default for SignalValue {
    fn default() -> Self {
        Self::Constant(0.0)
    }
}

impl From<f64> for Number {
    fn from(x: f64) -> Self {
        Self(x)
    }
}

impl From<f64> for Numbers {
    fn from(x: f64) -> Self {
        Self(vec![x])
    }
}

impl<const N: usize> From<[f64; N]> for Numbers {
    fn from(all: [f64; N]) -> Self {
        Self(all.to_vec())
    }
}

impl From<Vec<f64>> for Numbers {
    fn from(all: Vec<f64>) -> Self {
        Self(all)
    }
}

impl From<Vec3> for Vector {
    fn from(v: Vec3) -> Self {
        Self(v)
    }
}

impl From<[f64; 3]> for Vector {
    fn from(v: [f64; 3]) -> Self {
        Self(v.into())
    }
}

impl From<f64> for SignalValue {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

/// An expression in `t`.
impl From<&str> for SignalValue {
    fn from(text: &str) -> Self {
        Self::Expression(text.into())
    }
}

impl Number {
    /// A number as a person types it: digits, or a constant expression with an optional unit of angle.
    pub fn read(text: &str) -> Option<Self> {
        Self::parse(text.trim()).map(Self)
    }

    /// Value of a constant expression with an optional unit of angle.
    fn parse(text: &str) -> Option<f64> {
        let degrees = text
            .strip_suffix("deg")
            .or_else(|| text.strip_suffix('°'))
            .map(str::trim);
        let text = degrees.unwrap_or(text);
        // The expressions know no powers of ten such as 1e-9.
        let value: f64 = match text.parse() {
            Ok(value) => value,
            Err(_) => bounded(text)
                .ok()
                .and_then(|()| exmex::eval_str(text).ok())?,
        };
        let scaled = if degrees.is_some() {
            value.to_radians()
        } else {
            value
        };
        scaled.is_finite().then_some(scaled)
    }
}

const NUMBER: &str =
    "a finite number, or a string with a constant expression such as \"sqrt(2)/2\" or \"30 deg\"";

fn finite<E: Error>(value: f64) -> Result<f64, E> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(E::custom(format!("found {value}, expected {NUMBER}")))
    }
}

fn constant<E: Error>(text: &str) -> Result<f64, E> {
    let wrong = || match bounded(text) {
        Ok(()) => E::custom(format!("found \"{text}\", expected {NUMBER}")),
        Err(found) => E::custom(format!("found {found}, expected {NUMBER}")),
    };
    Number::parse(text).ok_or_else(wrong)
}

/// Collects a sequence of numbers.
fn numbers<'de, A: SeqAccess<'de>>(mut seq: A) -> Result<Vec<f64>, A::Error> {
    let mut out = Vec::new();
    while let Some(Number(x)) = seq.next_element()? {
        out.push(x);
    }
    Ok(out)
}

/// Implements the part of a visitor that reads single numbers, given what becomes of one.
macro_rules! visit_number {
    ($make:expr) => {
        fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
            finite(value).map($make)
        }
        fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
            Ok($make(value as f64))
        }
        fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
            Ok($make(value as f64))
        }
    };
}

/// Implements `Deserialize` through a visitor with the given methods.
macro_rules! deserialize_any {
    ($type:ty, $expecting:expr, { $($methods:tt)* }) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct ValueVisitor;
                impl<'de> Visitor<'de> for ValueVisitor {
                    type Value = $type;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }
                    $($methods)*
                }
                deserializer.deserialize_any(ValueVisitor)
            }
        }
    };
}

deserialize_any!(Number, NUMBER, {
    visit_number!(Number);
    fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
        constant(text).map(Number)
    }
});

deserialize_any!(OptionWord, "a number, a word in quotes, true or false", {
    visit_number!(|x| OptionWord(Written::Number(x)));
    fn visit_bool<E: Error>(self, on: bool) -> Result<OptionWord, E> {
        Ok(OptionWord(Written::Switch(on)))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<OptionWord, E> {
        Ok(OptionWord(Written::Text(text.into())))
    }
});

deserialize_any!(Numbers, "a number or a list of numbers", {
    visit_number!(|x| Numbers(vec![x]));
    fn visit_str<E: Error>(self, text: &str) -> Result<Numbers, E> {
        constant(text).map(|x| Numbers(vec![x]))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Numbers, A::Error> {
        numbers(seq).map(Numbers)
    }
});

deserialize_any!(Vector, "three numbers (x, y, z)", {
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Vector, A::Error> {
        let n = numbers(seq)?;
        match n[..] {
            [x, y, z] => Ok(Vector(Vec3::new(x, y, z))),
            _ => Err(A::Error::invalid_length(n.len(), &self)),
        }
    }
});

deserialize_any!(
    Tensor,
    "three numbers (xx, yy, zz) or six (xx, yy, zz, xy, xz, yz)",
    {
        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Tensor, A::Error> {
            let n = numbers(seq)?;
            match n[..] {
                [xx, yy, zz] => Ok(Tensor([xx, yy, zz, 0.0, 0.0, 0.0])),
                [xx, yy, zz, xy, xz, yz] => Ok(Tensor([xx, yy, zz, xy, xz, yz])),
                _ => Err(A::Error::invalid_length(n.len(), &self)),
            }
        }
    }
);

deserialize_any!(
    ColourValue,
    "a colour: a name such as \"blue\", \"#rrggbb\", or three numbers from 0 to 1",
    {
        fn visit_str<E: Error>(self, text: &str) -> Result<ColourValue, E> {
            Ok(ColourValue::Text(text.into()))
        }
        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<ColourValue, A::Error> {
            let n = numbers(seq)?;
            match n[..] {
                [r, g, b] => Ok(ColourValue::Channels([r, g, b])),
                _ => Err(A::Error::invalid_length(n.len(), &self)),
            }
        }
    }
);

deserialize_any!(
    SignalValue,
    "a number, a string with an expression in t, a table [(time, value), …], or a motion (spline: [(time, value), …]) or \
     (constant_acceleration: [(time, value), …])",
    {
        visit_number!(SignalValue::Constant);
        fn visit_str<E: Error>(self, text: &str) -> Result<SignalValue, E> {
            Ok(match Number::parse(text) {
                Some(value) => SignalValue::Constant(value),
                None => SignalValue::Expression(text.into()),
            })
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<SignalValue, A::Error> {
            let mut points = Vec::new();
            while let Some((Number(t), Number(v))) = seq.next_element()? {
                points.push((t, v));
            }
            Ok(SignalValue::Table(points))
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SignalValue, A::Error> {
            let none = || A::Error::custom("found (), expected spline or constant_acceleration");
            let name: String = map.next_key()?.ok_or_else(none)?;
            let known = COURSES.into_iter().find(|(_, known)| *known == name);
            let (course, _) = known.ok_or_else(|| A::Error::unknown_field(&name, &COURSE_NAMES))?;
            let points: Vec<(Number, Number)> = map.next_value()?;
            if let Some(more) = map.next_key::<String>()? {
                let found = format!("found {more} beside {name}, expected one of them");
                return Err(A::Error::custom(found));
            }
            let points = points.into_iter().map(|(t, v)| (t.0, v.0));
            Ok(SignalValue::Profile(course, points.collect()))
        }
    }
);

deserialize_any!(
    Heights,
    "a list of numbers, or a string with an expression in x and y",
    {
        fn visit_str<E: Error>(self, text: &str) -> Result<Heights, E> {
            Ok(Heights::Formula(text.into()))
        }
        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Heights, A::Error> {
            numbers(seq).map(Heights::List)
        }
    }
);

deserialize_any!(Signals, "three numbers or functions of time (x, y, z)", {
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Signals, A::Error> {
        let mut signals = Vec::new();
        while let Some(signal) = seq.next_element()? {
            signals.push(signal);
        }
        let n = signals.len();
        let signals = signals.try_into();
        signals
            .map(Signals)
            .map_err(|_| A::Error::invalid_length(n, &self))
    }
});

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

impl Serialize for OptionWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Written::Number(x) => serializer.serialize_f64(*x),
            Written::Text(text) => serializer.serialize_str(text),
            Written::Switch(on) => serializer.serialize_bool(*on),
        }
    }
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0[..] {
            [x] => serializer.serialize_f64(x),
            _ => serializer.collect_seq(&self.0),
        }
    }
}

fn tuple<S: Serializer>(serializer: S, values: &[f64]) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_tuple(values.len())?;
    for value in values {
        out.serialize_element(value)?;
    }
    out.end()
}

impl Serialize for Vector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        tuple(serializer, self.0.as_slice())
    }
}

impl Serialize for Tensor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let diagonal = self.0[3..].iter().all(|x| *x == 0.0);
        tuple(serializer, &self.0[..if diagonal { 3 } else { 6 }])
    }
}

impl Serialize for Signals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Serialize for ColourValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Channels(channels) => tuple(serializer, channels),
        }
    }
}

impl Serialize for Heights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Formula(text) => serializer.serialize_str(text),
            Self::List(list) => serializer.collect_seq(list),
        }
    }
}

impl Serialize for SignalValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(value) => serializer.serialize_f64(*value),
            Self::Expression(text) => serializer.serialize_str(text),
            Self::Table(points) => {
                let mut seq = serializer.serialize_seq(Some(points.len()))?;
                for point in points {
                    seq.serialize_element(point)?;
                }
                seq.end()
            }
            Self::Profile(course, points) => {
                let known = COURSES.into_iter().find(|(known, _)| known == course);
                let (_, name) = known.unwrap_or(COURSES[0]);
                let mut motion = serializer.serialize_struct("Motion", 1)?;
                motion.serialize_field(name, points)?;
                motion.end()
            }
        }
    }
}
