//! What is remembered and under which name: one table for reading, writing and resetting.

use crate::camera::motion::NamedView;
use crate::record::Recording;
use crate::session::trails::FADE;
use crate::state::layers::{LayerStyle, MARKS};
use crate::state::look::Look;
use crate::state::preferences::Preferences;
use crate::state::recording::ENDINGS;
use crate::state::workspace::Workspace;
use crate::theme::size;
use bevy::prelude::World;
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
    pub get: fn(&World) -> Value,
    /// Takes a value, or says what is wrong with it.
    pub set: fn(&mut World, &Value) -> Result<(), String>,
}

/// A setting that is a field of a resource, with a rule for its values.
macro_rules! entry {
    ($group:literal . $name:literal, $resource:ident . $($field:ident).+, $rule:expr) => {
        Entry {
            path: [$group, $name],
            collected: false,
            get: |world| written(&world.resource::<$resource>().$($field).+),
            set: |world, value| {
                world.resource_mut::<$resource>().$($field).+ = taken(value, $rule)?;
                Ok(())
            },
        }
    };
    // Numbers of single precision are written as short as they can be read back.
    (single $group:literal . $name:literal, $resource:ident . $($field:ident).+, $rule:expr) => {
        Entry {
            get: |world| {
                let text = world.resource::<$resource>().$($field).+.to_string();
                text.parse::<f64>().unwrap_or_default().into()
            },
            ..entry!($group . $name, $resource . $($field).+, $rule)
        }
    };
    ($group:literal . $name:literal, $resource:ident . $($field:ident).+) => {
        entry!($group . $name, $resource . $($field).+, |_| Ok(()))
    };
}

/// All settings, in the order of their groups.
pub const ENTRIES: &[Entry] = &[
    entry!("look"."dark", Look.dark),
    entry!(single "look"."scale", Workspace.scale, within(size::SCALE.0..=size::SCALE.1)),
    entry!("window"."size", Preferences.window, each(320..=16_384)),
    entry!("panels"."side", Workspace.side),
    entry!(single "panels"."side_width", Preferences.side_width, within(size::SIDE.1..=size::SIDE.2)),
    entry!("panels"."plots", Workspace.plots),
    entry!(single "panels"."plots_width", Preferences.plots_width, within(size::PLOTS.1..=size::PLOTS.2)),
    entry!("panels"."machine_figures", Workspace.info),
    entry!("start"."gallery", Preferences.gallery_at_start),
    entry!("keys"."single_letters", Preferences.single_keys),
    entry!("pointer"."plain_pulls", Preferences.plain_pulls),
    entry!("plots"."energy_error", Look.error_axis),
    entry!("layers"."grid", Look.grid),
    entry!("layers"."shadows", Look.shadows),
    entry!("layers"."joints", Look.joints),
    Entry {
        path: ["layers", "styles"],
        collected: false,
        get: |world| {
            let styles = MARKS.iter().zip(&world.resource::<Look>().layers.styles);
            let styles = styles.map(|(mark, style)| (mark.name.to_owned(), written(style)));
            Value::Object(styles.collect())
        },
        set: |world, value| {
            let found: BTreeMap<String, LayerStyle> = taken(value, |_| Ok(()))?;
            let mut look = world.resource_mut::<Look>();
            let mut styles = look.layers.styles;
            for (name, style) in found {
                let place = MARKS.iter().position(|mark| mark.name == name);
                let place = place.ok_or_else(|| format!("no layer is called `{name}`"))?;
                within(1e-15..=1e15)(&style.scale)?;
                within(0.0..=1e12)(&style.threshold)?;
                styles[place] = style;
            }
            look.layers.styles = styles;
            Ok(())
        },
    },
    entry!("layers"."forces_on_both", Look.layers.both),
    entry!("layers"."trail_time", Look.layers.fade, within(FADE[0]..=FADE[1])),
    entry!("record"."subject", Recording.settings.subject),
    Entry {
        path: ["record", "ending"],
        collected: false,
        get: |world| written(&world.resource::<Recording>().settings.ending),
        set: |world, value| {
            let word: String = taken(value, |_| Ok(()))?;
            let known = ENDINGS.iter().find(|e| e.0 == word);
            let ending = known.ok_or("not mp4, gif or an empty text")?.0;
            world.resource_mut::<Recording>().settings.ending = ending;
            Ok(())
        },
    },
    entry!("record"."size", Recording.settings.size, each(16..=16_384)),
    entry!("record"."fps", Recording.settings.fps, within(1.0..=240.0)),
    entry!("record"."speed", Recording.settings.speed, |speed: &Option<f64>| {
        speed.map_or(Ok(()), |x| within(1e-4..=1e4)(&x))
    }),
    entry!("record"."plots", Recording.settings.lettering.plots),
    entry!("record"."large_type", Recording.settings.lettering.large),
    entry!("record"."countdown", Recording.settings.countdown),
    entry!("record"."quality", Recording.settings.quality),
    entry!("record"."duration", Recording.settings.duration, within(1e-3..=1e5)),
    Entry {
        collected: true,
        ..entry!("collected"."recent_files", Preferences.recent)
    },
    Entry {
        collected: true,
        ..entry!("collected"."palette", Preferences.done)
    },
    Entry {
        collected: true,
        ..entry!("collected"."views", Preferences.views, |views: &BTreeMap<String, Vec<NamedView>>| {
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
