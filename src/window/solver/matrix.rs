//! The block matrix before and after ordering, fill-in marked [Brüdigam2023 fig. 3, 4, 6].

use crate::solver::graph::shortened;
use crate::solver::sheet::{Framing, PanZoom};
use crate::solver::{LitNodes, PlanPicture, words};
use crate::theme::categorical::hue;
use crate::theme::{Palette, categorical, colour};
use bevy_egui::egui::{
    Align2, Color32, ColorImage, FontId, Id, Mesh, Rect, Shape, Stroke, StrokeKind, TextureHandle,
    TextureOptions, Ui, Vec2, pos2,
};
use physics::linalg::symbolic::Block;
use physics::model::Model;
use physics::solver::Scheme;

/// Size of a cell from which cells are drawn one by one, with dots, with numbers, with names (points).
const CELLS: f32 = 2.0;
const DOTS: f32 = 8.0;
const NUMBERS: f32 = 15.0;
const NAMES: f32 = 11.0;
/// Most pixels along a side of the picture that stands for all cells.
const PICTURE: usize = 1024;

/// One of the two matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockOrder {
    /// In the order of the nodes.
    Before,
    /// As it is eliminated.
    After,
}

/// A matrix as it is drawn.
struct MatrixGrid<'a> {
    drawn: &'a PlanPicture,
    order: BlockOrder,
    blocks: &'a [Block],
    count: usize,
    /// All blocks are worked on.
    full: bool,
}

impl<'a> MatrixGrid<'a> {
    fn new(drawn: &'a PlanPicture, order: BlockOrder) -> Self {
        let plan = &drawn.plan;
        let (blocks, count) = match order {
            BlockOrder::Before => (&plan.unordered, plan.nodes.len()),
            BlockOrder::After if plan.scheme == Scheme::Dense => {
                (&plan.unordered, plan.nodes.len())
            }
            BlockOrder::After => (&plan.blocks, plan.stages.len()),
        };
        Self {
            drawn,
            order,
            blocks,
            count,
            full: order == BlockOrder::After && plan.scheme == Scheme::Dense,
        }
    }

    /// Nodes of a row.
    fn nodes(&self, row: usize) -> &[usize] {
        match self.order {
            BlockOrder::Before => &self.drawn.natural[row..=row],
            BlockOrder::After => &self.drawn.plan.stages[row],
        }
    }

    /// Row of a node.
    fn row(&self, node: usize) -> usize {
        match self.order {
            BlockOrder::Before => node,
            BlockOrder::After => self.drawn.places[node],
        }
    }

    /// The block at a cell: whether it is filled in; none if it is zero.
    fn block(&self, a: usize, b: usize) -> Option<bool> {
        let (column, row) = (a.min(b), a.max(b));
        let found = self
            .blocks
            .binary_search_by_key(&(column, row), |x| (x.column, x.row));
        match found {
            Ok(k) => Some(self.blocks[k].fill),
            Err(_) => self.full.then_some(true),
        }
    }

    /// Colour of a cell on the diagonal: of its constraint, if a body is eliminated with one.
    fn shade(&self, row: usize, dark: bool) -> Color32 {
        let nodes = self.nodes(row);
        let node = &self.drawn.plan.nodes[nodes[0]];
        hue(words::hue(node), dark)
    }
}

/// Draws a matrix; the nodes of the row and of the column under the pointer, and what is told of their block.
pub fn matrix_ui(
    ui: &mut Ui,
    rect: Rect,
    drawn: &PlanPicture,
    order: BlockOrder,
    model: &Model,
    marks: &LitNodes,
    framing: &mut Framing,
) -> Option<(Vec<usize>, String)> {
    let grid = MatrixGrid::new(drawn, order);
    let (name, count) = match order {
        BlockOrder::Before => ("Matrix before ordering", grid.count),
        BlockOrder::After => ("Matrix as it is eliminated", grid.count),
    };
    let size = Vec2::splat(count.max(1) as f32);
    let (sheet, response) = PanZoom::show(ui, rect, size, framing, name);
    let dark = ui.visuals().dark_mode;
    let palette = Palette::worn(ui);
    let painter = ui.painter().with_clip_rect(rect);
    let all = Rect::from_two_pos(sheet.on_screen(0.0, 0.0), sheet.on_screen(size.x, size.y));
    let ground = if grid.full {
        fill_shade(dark).gamma_multiply(0.5)
    } else {
        colour(palette.well)
    };
    painter.rect(
        all,
        0.0,
        ground,
        Stroke::new(1.0, colour(palette.line)),
        StrokeKind::Outside,
    );
    if sheet.scale < CELLS {
        let picture = picture(ui, &grid, dark);
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(picture.id(), all, whole, Color32::WHITE);
    } else {
        cells(&painter, &grid, &sheet, dark, palette, model);
    }
    for (nodes, shade) in [
        (&marks.selected, colour(palette.accent)),
        (&marks.pointed, colour(palette.text[0])),
    ] {
        for &node in nodes.iter().filter(|&&k| k < drawn.plan.nodes.len()) {
            let at = grid.row(node) as f32;
            let veil = shade.gamma_multiply(0.16);
            for strip in [[at, 0.0, at + 1.0, size.y], [0.0, at, size.x, at + 1.0]] {
                let [x0, y0, x1, y1] = strip;
                let strip = Rect::from_two_pos(sheet.on_screen(x0, y0), sheet.on_screen(x1, y1));
                painter.rect_filled(strip.expand(0.5), 0.0, veil);
            }
            painter.rect_stroke(
                sheet.cell(at, at, 0.0).expand(1.0),
                1.0,
                Stroke::new(2.0, shade),
                StrokeKind::Outside,
            );
        }
    }
    let under = sheet.under(response.hover_pos()?);
    let (column, row) = (under.x.floor(), under.y.floor());
    let inside = |x: f32| (0.0..count as f32).contains(&x);
    if !(inside(column) && inside(row)) {
        return None;
    }
    read(&grid, row as usize, column as usize, model)
}

/// Nodes and words of a cell; none if its block is zero.
fn read(
    grid: &MatrixGrid,
    row: usize,
    column: usize,
    model: &Model,
) -> Option<(Vec<usize>, String)> {
    let plan = &grid.drawn.plan;
    let size = |k: usize| -> usize { grid.nodes(k).iter().map(|&n| plan.nodes[n].size).sum() };
    let name = |k: usize| {
        let names = grid
            .nodes(k)
            .iter()
            .map(|&n| words::name(plan.nodes[n].kind, model));
        names.collect::<Vec<_>>().join(" and ")
    };
    let shape = format!("{} × {}", size(row), size(column));
    if row == column {
        let text = format!("{}: {shape}, number {}", name(row), row + 1);
        return Some((grid.nodes(row).to_vec(), text));
    }
    let fill = grid.block(row, column)?;
    let nodes = [grid.nodes(row), grid.nodes(column)].concat();
    let how = match (grid.full && fill, fill) {
        (true, _) => "zero, but worked on",
        (_, true) => "filled in",
        (_, false) => "coupled",
    };
    Some((
        nodes,
        format!("{} with {}: {shape}, {how}", name(row), name(column)),
    ))
}

/// Colour of what elimination adds.
pub fn fill_shade(dark: bool) -> Color32 {
    hue(categorical::FILL, dark)
}

/// Draws the cells that are seen.
fn cells(
    painter: &bevy_egui::egui::Painter,
    grid: &MatrixGrid,
    sheet: &PanZoom,
    dark: bool,
    palette: &Palette,
    model: &Model,
) {
    let gap = if sheet.scale > 5.0 { 1.0 } else { 0.0 };
    let [least, greatest] = sheet.seen();
    let seen = |k: usize, low: f32, high: f32| k as f32 + 1.0 >= low && k as f32 <= high;
    let both = |row: usize, column: usize| {
        seen(row, least.y, greatest.y) && seen(column, least.x, greatest.x)
    };
    let mut mesh = Mesh::default();
    let mut dots = Vec::new();
    let coupled = colour(palette.text[1]).gamma_multiply(if dark { 0.75 } else { 0.6 });
    for block in grid.blocks.iter().filter(|b| !(grid.full && b.fill)) {
        let shade = if block.fill {
            fill_shade(dark)
        } else {
            coupled
        };
        for (row, column) in [(block.row, block.column), (block.column, block.row)] {
            if both(row, column) {
                let cell = sheet.cell(column as f32, row as f32, gap);
                if block.fill && sheet.scale >= DOTS {
                    mesh.add_colored_rect(cell, shade.gamma_multiply(0.35));
                    dots.push(cell.center());
                } else {
                    mesh.add_colored_rect(cell, shade);
                }
            }
        }
    }
    for k in (0..grid.count).filter(|&k| both(k, k)) {
        mesh.add_colored_rect(sheet.cell(k as f32, k as f32, gap), grid.shade(k, dark));
    }
    painter.add(Shape::mesh(mesh));
    for at in dots {
        painter.circle_filled(at, 0.22 * sheet.scale.min(24.0), fill_shade(dark));
    }
    let centre = |k: usize| sheet.cell(k as f32, k as f32, gap).center();
    let plan = &grid.drawn.plan;
    for k in (0..grid.count).filter(|&k| seen(k, least.y, greatest.y)) {
        let at = centre(k);
        if sheet.scale >= NUMBERS && both(k, k) {
            let font = FontId::proportional((0.5 * sheet.scale).clamp(9.0, 14.0));
            let ink = if dark { Color32::BLACK } else { Color32::WHITE };
            painter.text(at, Align2::CENTER_CENTER, (k + 1).to_string(), font, ink);
        }
        let margin = sheet.on_screen(0.0, 0.0).x - sheet.rect.left();
        if sheet.scale >= NAMES && margin > 34.0 {
            let first = &plan.nodes[grid.nodes(k)[0]];
            let name = shortened(&words::name(first.kind, model), margin - 10.0);
            let beside = pos2(sheet.rect.left() + margin - 5.0, at.y);
            let font = FontId::proportional((0.8 * sheet.scale).clamp(9.0, 11.0));
            painter.text(beside, Align2::RIGHT_CENTER, name, font, palette.faint());
        }
    }
}

/// All cells as a picture, a pixel for each or for a square of them.
fn picture(ui: &Ui, grid: &MatrixGrid, dark: bool) -> TextureHandle {
    let id = Id::new(("solver's matrix", grid.order));
    let key = (grid.drawn.serial, dark);
    let known: Option<((u64, bool), TextureHandle)> = ui.data(|d| d.get_temp(id));
    if let Some((at, texture)) = known
        && at == key
    {
        return texture;
    }
    let step = grid.count.div_ceil(PICTURE).max(1);
    let side = grid.count.div_ceil(step).max(1);
    let mut image = ColorImage::filled([side, side], Color32::TRANSPARENT);
    let mut put = |row: usize, column: usize, shade: Color32| {
        image.pixels[row / step * side + column / step] = shade;
    };
    let palette = Palette::of(dark);
    // Later ones cover earlier ones: fill-in is what one looks for.
    for fill in [false, true] {
        for block in grid
            .blocks
            .iter()
            .filter(|b| b.fill == fill && !(grid.full && fill))
        {
            let shade = if fill {
                fill_shade(dark)
            } else {
                colour(palette.text[0])
            };
            put(block.row, block.column, shade);
            put(block.column, block.row, shade);
        }
    }
    for k in 0..grid.count {
        put(k, k, grid.shade(k, dark));
    }
    let options = TextureOptions {
        magnification: bevy_egui::egui::TextureFilter::Nearest,
        ..TextureOptions::LINEAR
    };
    let name = format!("matrix {:?}", grid.order);
    let texture = ui.ctx().load_texture(name, image, options);
    ui.data_mut(|d| d.insert_temp(id, (key, texture.clone())));
    texture
}
