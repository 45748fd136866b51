//! Pictures of the gallery on the screen: decoded when they are first seen, a few in each frame.

use crate::scenes::gallery::pictures::picture;
use crate::theme::{Palette, colour};
use bevy_egui::egui::{self, Color32, CornerRadius, Id, Rect, TextureHandle, TextureOptions, Ui};
use std::collections::BTreeMap;
use video::read_png;

/// Most pictures decoded in one frame, so that none takes long.
const AT_ONCE: usize = 3;

/// Pictures on the graphics card, and how many were decoded in which frame.
#[derive(Clone, Default)]
struct Shelf {
    textures: BTreeMap<(&'static str, bool), Option<TextureHandle>>,
    frame: u64,
    decoded: usize,
}

/// Paints the picture of a scene; a quiet rectangle until it is there, and where there is none.
pub fn paint(ui: &Ui, name: &str, at: Rect, corner: CornerRadius) {
    match texture(ui, name) {
        Some(texture) => {
            let image = egui::Image::new(&texture).corner_radius(corner);
            image.paint_at(ui, at);
        }
        None => {
            let fill = colour(Palette::worn(ui).backdrop[1]);
            ui.painter().rect_filled(at, corner, fill);
        }
    }
}

/// The picture, once it is decoded.
fn texture(ui: &Ui, name: &str) -> Option<TextureHandle> {
    let dark = ui.visuals().dark_mode;
    let (name, bytes) = picture(name, dark)?;
    let id = Id::new("pictures of the gallery");
    let ctx = ui.ctx();
    let now = ctx.cumulative_frame_nr();
    let known = ctx.data_mut(|data| {
        let shelf = data.get_temp_mut_or_default::<Shelf>(id);
        if shelf.frame != now {
            (shelf.frame, shelf.decoded) = (now, 0);
        }
        let known = shelf.textures.get(&(name, dark)).cloned();
        if known.is_none() && shelf.decoded < AT_ONCE {
            shelf.decoded += 1;
            return Some(None);
        }
        known.map(Some)
    });
    match known {
        Some(Some(texture)) => texture,
        Some(None) => {
            let texture = decode(ctx, name, bytes);
            ctx.data_mut(|data| {
                let shelf = data.get_temp_mut_or_default::<Shelf>(id);
                shelf.textures.insert((name, dark), texture.clone());
            });
            texture
        }
        None => {
            ctx.request_repaint();
            None
        }
    }
}

/// Reads a picture; none if it is damaged, as a test rules out.
fn decode(ctx: &egui::Context, name: &str, bytes: &[u8]) -> Option<TextureHandle> {
    let picture = read_png(bytes).ok()?;
    let size = picture.size().map(|edge| edge as usize);
    let pixels = picture.rgba.chunks_exact(4);
    let pixels = pixels.map(|p| Color32::from_rgb(p[0], p[1], p[2]));
    let image = egui::ColorImage::new(size, pixels.collect());
    Some(ctx.load_texture(name, image, TextureOptions::LINEAR))
}
