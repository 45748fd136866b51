//! What is remembered and under which name: one table for reading, writing and resetting.

use crate::camera::motion::NamedView;
use crate::record::Recording;
use crate::state::layers::{LAYERS, Layer, LayerGroup, LayerStyle};
use crate::state::look::Look;
use crate::state::panels::PanelId;
use crate::state::preferences::Preferences;
use crate::state::recording::ENDINGS;
use crate::state::trails::FADE;
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
pub struct Setting {
    /// Its group and its name in the file.
    pub path: [&'static str; 2],
    /// Whether it is something collected, which a reset of the settings leaves alone.
    pub collected: bool,
    /// Its value.
    pub get: fn(&World) -> Value,
    /// Takes a value, or says what is wrong with it.
    pub set: fn(&mut World, &Value) -> Result<(), String>,
}

/// A setting of former versions.
pub struct FormerEntry {
    /// Its group and its name in the file.
    pub path: [&'static str; 2],
    /// Takes a value, or says what is wrong with it.
    pub set: fn(&mut World, &Value) -> Result<(), String>,
}

/// A setting that is a field of a resource, with a rule for its values.
macro_rules! entry {
    ($group:literal . $name:literal, $resource:ident . $($field:ident).+, $rule:expr) => {
        Setting {
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
        Setting {
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

/// Whether a layer of the room is shown.
macro_rules! shown {
    ($name:literal, $layer:expr) => {
        Setting {
            path: ["layers", $name],
            collected: false,
            get: |world| written(&world.resource::<Look>().layers.shows($layer)),
            set: |world, value| {
                let shown = taken(value, |_| Ok(()))?;
                world.resource_mut::<Look>().layers.style_mut($layer).shown = shown;
                Ok(())
            },
        }
    };
}

/// All settings, in the order of their groups.
pub const ENTRIES: &[Setting] = &[
    entry!("look"."dark", Look.dark),
    entry!(single "look"."scale", Workspace.scale, within(size::SCALE.0..=size::SCALE.1)),
    entry!("window"."size", Preferences.window, each(320..=16_384)),
    entry!("panels"."open", Workspace.open, once_each),
    entry!("panels"."layout", Workspace.arrangement),
    entry!("panels"."machine_figures", Workspace.info),
    entry!("start"."gallery", Preferences.gallery_at_start),
    entry!("keys"."single_letters", Preferences.single_keys),
    entry!("pointer"."plain_pulls", Preferences.plain_pulls),
    entry!("view"."full_resolution", Preferences.full_resolution),
    entry!("plots"."energy_error", Look.error_axis),
    shown!("grid", Layer::Grid),
    shown!("shadows", Layer::Shadows),
    shown!("joints", Layer::Joints),
    Setting {
        path: ["layers", "styles"],
        collected: false,
        get: |world| {
            let layers = &world.resource::<Look>().layers;
            let rows = LAYERS.iter().filter(|row| row.group != LayerGroup::Room);
            let styles = rows.map(|row| (row.id.to_owned(), written(layers.style(row.layer))));
            Value::Object(styles.collect())
        },
        set: |world, value| {
            let found: BTreeMap<String, LayerStyle> = taken(value, |_| Ok(()))?;
            let mut styles = world.resource::<Look>().layers.clone();
            for (name, style) in found {
                let layer = styled(&name).ok_or_else(|| format!("no layer is called `{name}`"))?;
                within(1e-15..=1e15)(&style.scale)?;
                within(0.0..=1e12)(&style.threshold)?;
                *styles.style_mut(layer) = style;
            }
            world.resource_mut::<Look>().layers = styles;
            Ok(())
        },
    },
    entry!("layers"."forces_on_both", Look.layers.both),
    entry!("layers"."trail_time", Look.layers.fade, within(FADE[0]..=FADE[1])),
    entry!("record"."subject", Recording.settings.subject),
    Setting {
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
    Setting {
        collected: true,
        ..entry!("collected"."recent_files", Preferences.recent)
    },
    Setting {
        collected: true,
        ..entry!("collected"."palette", Preferences.done)
    },
    Setting {
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

/// Names under which the styles of layers were kept before layers had ids.
const FORMER_STYLES: [(&str, Layer); 17] = [
    ("Body frames", Layer::BodyFrames),
    ("Centres of mass", Layer::Centres),
    ("Inertia ellipsoids", Layer::Inertia),
    ("Velocities", Layer::Velocities),
    ("Momenta", Layer::Momenta),
    ("Trails", Layer::Trails),
    ("Names", Layer::Names),
    ("Collision shapes", Layer::CollisionShapes),
    ("Joint frames", Layer::JointFrames),
    ("Reactions", Layer::Reactions),
    ("Joint errors", Layer::Violations),
    ("Contact points", Layer::ContactPoints),
    ("Contact normals", Layer::ContactNormals),
    ("Contact forces", Layer::ContactForces),
    ("Friction cones", Layer::FrictionCones),
    ("Contact deflections", Layer::Deflections),
    ("Foundation pressures", Layer::Pressures),
];

/// The layer whose style is kept under a name.
fn styled(name: &str) -> Option<Layer> {
    let former = FORMER_STYLES.iter().find(|f| f.0 == name).map(|f| f.1);
    let layer = Layer::of_id(name).or(former)?;
    (layer.info().group != LayerGroup::Room).then_some(layer)
}

/// What was kept elsewhere in former versions; it is read before everything else and not written again.
pub const FORMER: &[FormerEntry] = &[
    FormerEntry {
        path: ["panels", "side"],
        set: |world, value| {
            let side: Option<PanelId> = taken(value, |_| Ok(()))?;
            if let Some(side) = side {
                world.resource_mut::<Workspace>().open(side);
            }
            Ok(())
        },
    },
    FormerEntry {
        path: ["panels", "plots"],
        set: |world, value| {
            let mut workspace = world.resource_mut::<Workspace>();
            match taken(value, |_| Ok(()))? {
                true => workspace.open(PanelId::Plots),
                false => workspace.close(PanelId::Plots),
            }
            Ok(())
        },
    },
    FormerEntry {
        path: ["panels", "side_width"],
        set: |world, value| widen(world, PanelId::Inspector, value, size::SIDE),
    },
    FormerEntry {
        path: ["panels", "plots_width"],
        set: |world, value| widen(world, PanelId::Plots, value, size::PLOTS),
    },
];

/// Takes the width of the dock of a panel in a range, given with what it is at first.
fn widen(
    world: &mut World,
    panel: PanelId,
    value: &Value,
    (_, least, most): (f32, f32, f32),
) -> Result<(), String> {
    let width = taken(value, within(least..=most))?;
    let mut workspace = world.resource_mut::<Workspace>();
    workspace.arrangement.widen(panel, width);
    Ok(())
}

/// No panel is open twice.
// A rule takes the value as it is kept.
#[allow(clippy::ptr_arg)]
fn once_each(open: &Vec<PanelId>) -> Result<(), String> {
    let twice = (1..open.len()).find(|&k| open[..k].contains(&open[k]));
    twice.map_or(Ok(()), |k| {
        Err(format!("{} is there twice", open[k].info().title))
    })
}

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
