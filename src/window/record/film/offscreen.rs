//! The room of the window without a window: drawn into a picture in memory, one whenever it is asked for.
//!
//! Nothing in it runs by itself. [`OffscreenRenderer::picture`] puts the bodies in their places, draws once, waits until the
//! driver has finished, and copies the result, so that a picture shows exactly what it was asked for.

use crate::camera::orbit::{Orbit, Viewport};
use crate::camera::view::View;
use crate::compare::Comparing;
use crate::jobs::Reporter;
use crate::record::film::error::FilmError;
use crate::record::film::strip::{ShownTime, StripPlugin};
use crate::record::film::{Film, RenderInputs};
use crate::scene3d::lighting::Canvas;
use crate::session::Session;
use crate::session::playback::Playback;
use crate::state::StatePlugin;
use crate::state::look::Look;
use crate::state::recording::Quality;
use bevy::app::{PluginsState, TerminalCtrlCHandlerPlugin};
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::RenderPlugin;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoderDescriptor, MapMode, PipelineCache,
    PollType, TexelCopyBufferInfo, TexelCopyBufferLayout, TextureFormat, TextureUsages,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::settings::{Backends, WgpuSettings};
use bevy::render::texture::GpuImage;
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use physics::math::Pose;
use std::time::{Duration, Instant};
use video::Picture;

/// Pictures that must come out alike before the first counts: until then shaders, fonts and meshes may be missing.
const ALIKE: u32 = 3;
/// Longest wait for that.
const PATIENCE: Duration = Duration::from_secs(120);

/// The drivers to choose from: OpenGL, which is asked for a display, only where it is named in the environment.
fn driver() -> WgpuSettings {
    let named = std::env::var_os("WGPU_BACKEND").is_some();
    let settings = WgpuSettings::default();
    let backends = if named {
        settings.backends
    } else {
        Some(Backends::PRIMARY)
    };
    WgpuSettings {
        backends,
        ..settings
    }
}

/// An off-screen room with a scene in it.
pub struct OffscreenRenderer {
    app: App,
    image: Handle<Image>,
    buffer: Buffer,
    size: UVec2,
    /// Bytes of a row in the buffer.
    stride: usize,
}

impl OffscreenRenderer {
    /// Builds the room around a scene.
    pub fn build(film: &Film, inputs: RenderInputs, mut view: View) -> Result<Self, FilmError> {
        let size = UVec2::from_array(film.movie.size);
        view.viewport = Viewport {
            corner: [0.0; 2],
            size: film.movie.size.map(f64::from),
        };
        view.points = 1.0;
        let RenderInputs {
            session,
            look,
            trails,
            lanes,
        } = inputs;
        let interface = film.lettering.is_any() || lanes.is_on();
        let mut app = App::new();
        crate::schedule::order(&mut app);
        app.add_plugins(
            DefaultPlugins
                .set(WindowPlugin {
                    primary_window: None,
                    exit_condition: ExitCondition::DontExit,
                    ..default()
                })
                .set(RenderPlugin {
                    synchronous_pipeline_compilation: true,
                    render_creation: driver().into(),
                    ..default()
                })
                .disable::<WinitPlugin>()
                // It would draw one picture behind.
                .disable::<PipelinedRenderingPlugin>()
                // These belong to the whole program, not to a room.
                .disable::<TerminalCtrlCHandlerPlugin>()
                .disable::<bevy::log::LogPlugin>(),
        );
        if app.get_sub_app(RenderApp).is_none() {
            return Err(FilmError::NoDriver);
        }
        let mut target =
            Image::new_target_texture(size.x, size.y, TextureFormat::Rgba8UnormSrgb, None);
        target.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        let image = app.world_mut().resource_mut::<Assets<Image>>().add(target);
        app.insert_resource(Canvas {
            image: image.clone(),
            size,
            smooth: film.quality == Quality::Good,
            interface,
        })
        // Nothing depends on how fast the machine is.
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            16,
        )))
        .insert_resource(session)
        .insert_resource(look)
        .insert_resource(trails)
        .insert_resource(view)
        .insert_resource(lanes)
        .init_resource::<Playback>()
        .add_plugins((
            StatePlugin,
            crate::scene3d::ScenePlugin,
            crate::compare::ghosts::GhostsPlugin,
            crate::compare::views::ViewsPlugin,
        ));
        if interface {
            app.add_plugins(StripPlugin {
                lettering: film.lettering.clone(),
            });
        } else {
            app.init_resource::<ShownTime>()
                .init_resource::<bevy_egui::EguiGlobalSettings>();
        }
        while app.plugins_state() == PluginsState::Adding {
            bevy::tasks::tick_global_task_pools_on_main_thread();
        }
        app.finish();
        app.cleanup();
        let stride = RenderDevice::align_copy_bytes_per_row(4 * size.x as usize);
        let device = app.world().resource::<RenderDevice>();
        let buffer = device.create_buffer(&BufferDescriptor {
            label: Some("picture"),
            size: (stride * size.y as usize) as u64,
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut renderer = Self {
            app,
            image,
            buffer,
            size,
            stride,
        };
        renderer.settle()?;
        Ok(renderer)
    }

    /// The session that is shown.
    pub fn session(&mut self) -> &mut Session {
        self.app.world_mut().resource_mut::<Session>().into_inner()
    }

    /// The lanes beside it.
    pub fn lanes(&self) -> &Comparing {
        self.app.world().resource::<Comparing>()
    }

    /// Takes the lanes to a time (s) that the session has passed; waits for them unless the film is to end.
    pub fn set_out(&mut self, time: f64, reporter: &Reporter<f64>) {
        let world = self.app.world_mut();
        world.resource_scope(|world, mut lanes: Mut<Comparing>| {
            world.resource_scope(|world, mut session: Mut<Session>| {
                let look = world.resource::<Look>();
                lanes.accompany(&mut session, look, time, || reporter.is_cancelled());
            });
        });
        world.resource_mut::<View>().time = time;
    }

    /// Draws the bodies at a fraction of the last step, seen from where `camera` says for these poses.
    pub fn picture(
        &mut self,
        fraction: f64,
        camera: impl FnOnce(&[Pose]) -> Orbit,
    ) -> Result<Picture, FilmError> {
        let world = self.app.world_mut();
        let session = world.resource::<Session>();
        let lanes = world.resource::<Comparing>();
        // Where lanes have longer steps, the session is ahead of what is shown of it.
        let leading = lanes.leading(session.poses().len()).map(<[Pose]>::to_vec);
        let (poses, shown) = match leading {
            Some(poses) => (poses, world.resource::<View>().time),
            None => {
                let poses = session.poses_at(fraction).collect();
                (poses, session.time_at(fraction))
            }
        };
        world.resource_mut::<ShownTime>().0 = shown;
        let mut view = world.resource_mut::<View>();
        view.orbit = camera(&poses);
        view.poses = poses;
        self.app.update();
        self.read()
    }

    /// Draws until nothing changes any more although nothing moves.
    fn settle(&mut self) -> Result<(), FilmError> {
        let start = Instant::now();
        let mut last = None;
        let mut alike = 0;
        while alike < ALIKE {
            if start.elapsed() > PATIENCE {
                return Err(FilmError::Driver(
                    "the picture does not come to rest".into(),
                ));
            }
            self.app.update();
            let picture = Some(self.read()?);
            let render = self.app.sub_app(RenderApp).world();
            let waits = render
                .resource::<PipelineCache>()
                .waiting_pipelines()
                .next()
                .is_some();
            alike = if !waits && picture == last {
                alike + 1
            } else {
                0
            };
            last = picture;
            // Shaders and pictures are read on other threads.
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Copies what was drawn last.
    fn read(&mut self) -> Result<Picture, FilmError> {
        let world = self.app.world();
        let (device, queue) = (
            world.resource::<RenderDevice>(),
            world.resource::<RenderQueue>(),
        );
        let render = self.app.sub_app(RenderApp).world();
        let images = render.resource::<RenderAssets<GpuImage>>();
        let missing = || FilmError::Driver("the picture was not created".into());
        let image = images.get(&self.image).ok_or_else(missing)?;
        let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            image.texture.as_image_copy(),
            TexelCopyBufferInfo {
                buffer: &self.buffer,
                layout: TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(self.stride as u32),
                    rows_per_image: None,
                },
            },
            image.texture_descriptor.size,
        );
        // The drawing was handed over before, so the copy comes after it.
        queue.submit([encoder.finish()]);
        let slice = self.buffer.slice(..);
        let (tell, hear) = std::sync::mpsc::channel();
        slice.map_async(MapMode::Read, move |mapped| {
            // Whoever asked has left only if the driver failed before.
            let _ = tell.send(mapped);
        });
        let waited = device.wgpu_device().poll(PollType::Wait {
            submission_index: None,
            timeout: None,
        });
        waited.map_err(|e| FilmError::Driver(e.to_string()))?;
        let mapped = hear.recv().map_err(|e| FilmError::Driver(e.to_string()))?;
        mapped.map_err(|e| FilmError::Driver(e.to_string()))?;
        let row = 4 * self.size.x as usize;
        let padded = slice.get_mapped_range();
        let mut rgba = Vec::with_capacity(row * self.size.y as usize);
        for line in padded.chunks(self.stride) {
            rgba.extend_from_slice(&line[..row]);
        }
        drop(padded);
        self.buffer.unmap();
        Ok(Picture {
            width: self.size.x,
            height: self.size.y,
            rgba,
        })
    }
}
