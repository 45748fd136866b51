//! How finely the view is drawn: on a machine without a graphics card coarser before it becomes slow.
//!
//! Coarser, the cameras draw into a picture smaller than the window, which the interface shows behind everything else.

use crate::scene3d::lighting::Canvas;
use crate::schedule::AppSet;
use crate::state::machine::Machine;
use crate::state::preferences::Preferences;
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::window::PrimaryWindow;
use bevy_egui::egui::TextureId;
use bevy_egui::{EguiTextureHandle, EguiUserTextures};

/// Shares of the window's pixels that are drawn in either direction, from fine to coarse.
const LEVELS: [f32; 4] = [1.0, 0.75, 0.55, 0.4];
/// Frames per second below which the view is drawn coarser.
const SLOW: f64 = 11.0;
/// Frames per second above which it is drawn finer: a level finer has less than twice the pixels, and stays above [`SLOW`].
const FAST: f64 = 24.0;
/// Time over which frames are counted, and before the first count (s): the first frames make the shaders.
const SPAN: (f64, f64) = (1.5, 4.0);
/// Fewest frames that say how fast drawing is.
const FEWEST: u32 = 4;

/// Chooses how finely the view is drawn.
pub struct ResolutionPlugin;

impl Plugin for ResolutionPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Resolution>().add_systems(
            Update,
            (choose, apply)
                .chain()
                .in_set(AppSet::Draw)
                .run_if(not(resource_exists::<Canvas>)),
        );
    }
}

/// How finely the view is drawn.
#[derive(Resource, Default)]
pub struct Resolution {
    /// Whether every pixel of the window is drawn, however long that takes: it is filmed.
    pub filmed: bool,
    level: usize,
    count: FrameCount,
    picture: Option<SmallPicture>,
}

/// What the cameras draw into.
struct SmallPicture {
    image: Handle<Image>,
    texture: TextureId,
    size: UVec2,
    /// Size of the window that it is for [pixels].
    window: UVec2,
}

/// Frames since the last look at how fast they are.
#[derive(Debug, Default, Clone, Copy)]
struct FrameCount {
    frames: u32,
    seconds: f64,
}

impl Resolution {
    /// What is shown behind the interface, where cameras do not draw into the window.
    pub fn texture(&self) -> Option<TextureId> {
        self.picture.as_ref().map(|p| p.texture)
    }

    /// What cameras draw into instead of the window, and its size [pixels].
    pub(super) fn target(&self) -> Option<(RenderTarget, UVec2)> {
        let picture = self.picture.as_ref()?;
        Some((picture.image.clone().into(), picture.size))
    }
}

/// The level after so many frames in so many seconds, once that says anything.
fn next_level(level: usize, count: FrameCount) -> Option<usize> {
    if count.frames < FEWEST || count.seconds < SPAN.0 {
        return None;
    }
    let rate = f64::from(count.frames) / count.seconds;
    Some(if rate < SLOW {
        (level + 1).min(LEVELS.len() - 1)
    } else if rate > FAST {
        level.saturating_sub(1)
    } else {
        level
    })
}

fn choose(
    mut resolution: ResMut<Resolution>,
    machine: Res<Machine>,
    preferences: Res<Preferences>,
    time: Res<Time<Real>>,
) {
    if !machine.software || preferences.full_resolution || resolution.filmed {
        resolution.level = 0;
        resolution.count = FrameCount::default();
        return;
    }
    if time.elapsed_secs_f64() < SPAN.1 {
        return;
    }
    let count = &mut resolution.count;
    count.frames += 1;
    count.seconds += time.delta_secs_f64();
    if let Some(level) = next_level(resolution.level, resolution.count) {
        resolution.level = level;
        resolution.count = FrameCount::default();
    }
}

/// Lets the cameras draw into the window, or into a picture of the size that the level asks for.
fn apply(
    mut resolution: ResMut<Resolution>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut images: ResMut<Assets<Image>>,
    mut textures: ResMut<EguiUserTextures>,
    mut cameras: Query<&mut RenderTarget, With<Camera3d>>,
) {
    let Some(window) = window.iter().next().map(Window::physical_size) else {
        return;
    };
    let share = LEVELS[resolution.level];
    let size = (window.as_vec2() * share).ceil().as_uvec2().max(UVec2::ONE);
    let fits = match &resolution.picture {
        None => resolution.level == 0,
        Some(p) => resolution.level > 0 && (p.size, p.window) == (size, window),
    };
    if fits {
        return;
    }
    if let Some(old) = resolution.picture.take() {
        textures.remove_image(&old.image);
    }
    if resolution.level > 0 {
        let image = Image::new_target_texture(size.x, size.y, TextureFormat::Rgba8UnormSrgb, None);
        let image = images.add(image);
        resolution.picture = Some(SmallPicture {
            texture: textures.add_image(EguiTextureHandle::Weak(image.id())),
            image,
            size,
            window,
        });
    }
    for mut target in &mut cameras {
        *target = resolution
            .target()
            .map_or_else(RenderTarget::default, |t| t.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(rate: f64) -> FrameCount {
        FrameCount {
            frames: (rate * 2.0) as u32,
            seconds: 2.0,
        }
    }

    #[test]
    fn slow_drawing_gets_coarser_and_fast_drawing_finer_without_swinging() {
        let last = LEVELS.len() - 1;
        for level in 0..=last {
            assert_eq!(next_level(level, at(5.0)), Some((level + 1).min(last)));
            assert_eq!(next_level(level, at(16.0)), Some(level));
            assert_eq!(next_level(level, at(60.0)), Some(level.saturating_sub(1)));
        }
        // What is fast enough for a finer level stays above what is slow there.
        for pair in LEVELS.windows(2) {
            let pixels = f64::from((pair[0] / pair[1]).powi(2));
            assert!(FAST / pixels > SLOW, "{pair:?}");
        }
        // A few frames say nothing.
        let few = FrameCount {
            frames: FEWEST - 1,
            seconds: 60.0,
        };
        let short = FrameCount {
            frames: 900,
            seconds: 0.5 * SPAN.0,
        };
        assert_eq!((next_level(1, few), next_level(1, short)), (None, None));
    }
}
