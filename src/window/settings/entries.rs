//! What is remembered and under which name: one table for reading, writing and resetting.

use crate::camera::motion::NamedView;
use crate::session::trails::FADE;
use crate::state::layers::{LayerStyle, MARKS};
use crate::state::recording::ENDINGS;
use crate::state::shell::Shell;
use crate::theme::size;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// A setting of the window.
pub struct Entry {
    /// Its group and its name in the file.
    pub path: [&'static str; 2],
    /// Whether it is something collected, which a reset of the settings leaves alone.
    pub collected: bool,
    /// Its value.
    pub get: fn(&Shell) -> Value,
    /// Takes a value, or says what is wrong with it.
    pub set: fn(&mut Shell, &Value) -> Result<(), String>,
}

/// A setting that is a field of the shell, with a rule for its values.
macro_rules! entry {
    ($group:literal . $name:literal, $($field:ident).+, $rule:expr) => {
        Entry {
            path: [$group, $name],
            collected: false,
            get: |shell| written(&shell.$($field).+),
            set: |shell, value| {
                shell.$($field).+ = taken(value, $rule)?;
                Ok(())
            },
        }
    };
    // Numbers of single precision are written as short as they can be read back.
    (single $group:literal . $name:literal, $($field:ident).+, $rule:expr) => {
        Entry {
            get: |shell| {
                let text = shell.$($field).+.to_string();
                text.parse::<f64>().unwrap_or_default().into()
            },
            ..entry!($group . $name, $($field).+, $rule)
        }
    };
    ($group:literal . $name:literal, $($field:ident).+) => {
        entry!($group . $name, $($field).+, |_| Ok(()))
    };
}

/// All settings, in the order of their groups.
pub const ENTRIES: &[Entry] = &[
    entry!("look"."dark", dark),
    entry!(single "look"."scale", scale, within(size::SCALE.0..=size::SCALE.1)),
    entry!("window"."size", preferences.window, each(320..=16_384)),
    entry!("panels"."side", side),
    entry!(single "panels"."side_width", preferences.side_width, within(size::SIDE.1..=size::SIDE.2)),
    entry!("panels"."plots", plots),
    entry!(single "panels"."plots_width", preferences.plots_width, within(size::PLOTS.1..=size::PLOTS.2)),
    entry!("panels"."machine_figures", info),
    entry!("start"."gallery", preferences.gallery_at_start),
    entry!("keys"."single_letters", preferences.single_keys),
    entry!("pointer"."plain_pulls", preferences.plain_pulls),
    entry!("layers"."grid", grid),
    entry!("layers"."shadows", shadows),
    entry!("layers"."joints", joints),
    Entry {
        path: ["layers", "styles"],
        collected: false,
        get: |shell| {
            let styles = MARKS.iter().zip(&shell.layers.styles);
            let styles = styles.map(|(mark, style)| (mark.name.to_owned(), written(style)));
            Value::Object(styles.collect())
        },
        set: |shell, value| {
            let found: BTreeMap<String, LayerStyle> = taken(value, |_| Ok(()))?;
            let mut styles = shell.layers.styles;
            for (name, style) in found {
                let place = MARKS.iter().position(|mark| mark.name == name);
                let place = place.ok_or_else(|| format!("no layer is called `{name}`"))?;
                within(1e-15..=1e15)(&style.scale)?;
                within(0.0..=1e12)(&style.threshold)?;
                styles[place] = style;
            }
            shell.layers.styles = styles;
            Ok(())
        },
    },
    entry!("layers"."forces_on_both", layers.both),
    entry!("layers"."trail_time", layers.fade, within(FADE[0]..=FADE[1])),
    entry!("record"."subject", recording.subject),
    Entry {
        path: ["record", "ending"],
        collected: false,
        get: |shell| written(&shell.recording.ending),
        set: |shell, value| {
            let word: String = taken(value, |_| Ok(()))?;
            let known = ENDINGS.iter().find(|e| e.0 == word);
            shell.recording.ending = known.ok_or("not mp4, gif or an empty text")?.0;
            Ok(())
        },
    },
    entry!("record"."size", recording.size, each(16..=16_384)),
    entry!("record"."fps", recording.fps, within(1.0..=240.0)),
    entry!("record"."speed", recording.speed, |speed: &Option<f64>| {
        speed.map_or(Ok(()), |x| within(1e-4..=1e4)(&x))
    }),
    entry!("record"."plots", recording.plots),
    entry!("record"."quality", recording.quality),
    entry!("record"."duration", recording.duration, within(1e-3..=1e5)),
    Entry {
        collected: true,
        ..entry!("collected"."recent_files", recent)
    },
    Entry {
        collected: true,
        ..entry!("collected"."palette", preferences.done)
    },
    Entry {
        collected: true,
        ..entry!("collected"."views", preferences.views, |views: &BTreeMap<String, Vec<NamedView>>| {
            let mut all = views.values().flatten();
            match all.find(|v| !v.is_possible()) {
                Some(view) => Err(format!("no camera can be at the view `{}`", view.name)),
                None => Ok(()),
            }
        })
    },
];

/// A value as it is written.
fn written(value: &impl Serialize) -> Value {
    // Numbers that are not finite become null; the setters keep them out.
    serde_json::to_value(value).unwrap_or_default()
}

/// A value as it is read, if it keeps a rule.
fn taken<T: DeserializeOwned>(
    value: &Value,
    rule: impl Fn(&T) -> Result<(), String>,
) -> Result<T, String> {
    let value = T::deserialize(value).map_err(|e| e.to_string())?;
    rule(&value)?;
    Ok(value)
}

/// Numbers in a range.
fn within<T: PartialOrd + Display>(range: RangeInclusive<T>) -> impl Fn(&T) -> Result<(), String> {
    move |x| {
        if range.contains(x) {
            return Ok(());
        }
        Err(format!(
            "{x} is not from {} to {}",
            range.start(),
            range.end()
        ))
    }
}

/// Pairs of numbers in a range.
fn each(range: RangeInclusive<u32>) -> impl Fn(&[u32; 2]) -> Result<(), String> {
    let one = within(range);
    move |pair| pair.iter().try_for_each(&one)
}
