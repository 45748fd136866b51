//! The papers in the gallery: a group for each, a card for each figure with its claim and how it stands.

use crate::commands::Command;
use crate::commands::papers::{Effort, PapersCommand};
use crate::papers::chart::small_ui;
use crate::papers::panel_ui::shade;
use crate::papers::run::{RunState, Status};
use crate::papers::{Papers, titles, words};
use crate::scenes::gallery::holds;
use crate::scenes::textures;
use crate::theme::{Palette, colour, gallery, papers as look, size};
use crate::ui::{Spoken, heading, toggle};
use bevy_egui::egui::{
    self, Align, Color32, CornerRadius, FontId, Key, Layout, Rect, Response, ScrollArea, Sense,
    Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, pos2, vec2,
};
use reproduce::{ITEMS, Item, PAPERS, Paper, Standing, UNRUN, Unrun};

/// A figure on a card.
#[derive(Clone, Copy)]
enum Figure {
    /// One that is run, with its place.
    Run(usize, &'static Item),
    /// One that is not.
    Unrun(&'static Unrun),
}

impl Figure {
    fn paper(&self) -> &'static str {
        match self {
            Self::Run(_, item) => item.paper,
            Self::Unrun(unrun) => unrun.paper,
        }
    }

    fn figure(&self) -> &'static str {
        match self {
            Self::Run(_, item) => item.figure,
            Self::Unrun(unrun) => unrun.figure,
        }
    }

    fn title(&self) -> &'static str {
        match self {
            Self::Run(place, _) => &titles()[*place],
            Self::Unrun(unrun) => unrun.title,
        }
    }

    fn claim(&self) -> &'static str {
        match self {
            Self::Run(_, item) => item.claim,
            Self::Unrun(unrun) => unrun.claim,
        }
    }

    /// The name of its picture, if it has one.
    fn picture(&self) -> Option<String> {
        let Self::Run(_, item) = self else {
            return None;
        };
        let scene = item.scene.scene()?;
        Some(match scene.split_once(':') {
            Some((generator, _)) => format!("made_{generator}"),
            None => scene.into(),
        })
    }

    /// Everything that a search looks through.
    fn searched(&self) -> String {
        let cited = words::cited(self.paper(), self.figure());
        format!("{cited} {} {}", self.title(), self.claim())
    }
}

/// All figures, paper by paper.
fn figures(paper: &Paper) -> impl Iterator<Item = Figure> {
    let run = ITEMS.iter().enumerate().map(|(k, i)| Figure::Run(k, i));
    let all = run.chain(UNRUN.iter().map(Figure::Unrun));
    all.filter(|f| f.paper() == paper.key)
}

/// Draws the papers in the place of the scenes.
pub fn papers_ui(ui: &mut Ui, papers: &mut Papers) -> Vec<Command> {
    let mut out = Vec::new();
    let enter = header_ui(ui, papers, &mut out);
    let faint = Palette::worn(ui).faint();
    let text = egui::RichText::new(count(papers)).small().color(faint);
    ui.add(egui::Label::new(text).wrap());
    let mut first = None;
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for paper in PAPERS {
                let found = figures(paper).filter(|f| holds(&f.searched(), &papers.search));
                let found: Vec<Figure> = found.collect();
                if found.is_empty() {
                    continue;
                }
                first = first.or(found.first().copied());
                heading(ui, &words::heading(paper));
                cards_ui(ui, papers, &found, &mut out);
            }
            if first.is_none() {
                ui.add_space(20.0);
                ui.label(words::NOTHING);
            }
        });
    if let (true, Some(Figure::Run(place, _))) = (enter, first) {
        out.push(Command::Papers(PapersCommand::Run(place)));
    }
    out
}

/// Search and how much is run; true if the first find is asked for.
fn header_ui(ui: &mut Ui, papers: &mut Papers, out: &mut Vec<Command>) -> bool {
    let mut enter = false;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let both = [(Effort::Full, words::FULL), (Effort::Quick, words::QUICK)];
            for (effort, (label, meaning)) in both {
                let lit = papers.effort == effort;
                let command = Command::Papers(PapersCommand::Effort(effort));
                toggle(ui, lit, label, meaning, command, out);
            }
            let (spoken, hint, hover) = words::SEARCH;
            let field = egui::TextEdit::singleline(&mut papers.search)
                .hint_text(hint)
                .desired_width(f32::INFINITY);
            let field = ui.add(field).on_hover_text(hover).spoken(spoken);
            if std::mem::take(&mut papers.wants_keys) {
                field.request_focus();
            }
            enter = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        });
    });
    ui.add_space(2.0);
    enter
}

/// How many figures were run and hold.
fn count(papers: &Papers) -> String {
    let mut standings = [0; 4];
    standings[3] = UNRUN.len();
    let records = (0..ITEMS.len()).filter_map(|place| papers.record(place));
    for record in records {
        if let Status::Judged(verdict) = &record.status {
            standings[match verdict.standing {
                Standing::Holds => 0,
                Standing::Differs => 1,
                Standing::Unjudged => 2,
            }] += 1;
        }
    }
    words::count(ITEMS.len() + UNRUN.len(), standings)
}

/// Cards beside and below each other.
fn cards_ui(ui: &mut Ui, papers: &Papers, figures: &[Figure], out: &mut Vec<Command>) {
    let width = ui.available_width();
    let columns = ((width + size::GAP) / (look::CARD + size::GAP))
        .floor()
        .max(1.0);
    let card = (width + size::GAP) / columns - size::GAP;
    ui.spacing_mut().item_spacing = vec2(size::GAP, size::GAP);
    for row in figures.chunks(columns as usize) {
        ui.horizontal_top(|ui| {
            for figure in row {
                let response = card_ui(ui, papers, figure, card);
                if let (Figure::Run(place, _), true) = (figure, response.clicked()) {
                    // One that was run is shown, and can be run again from there.
                    let command = match papers.record(*place) {
                        Some(_) => PapersCommand::Look(*place),
                        None => PapersCommand::Run(*place),
                    };
                    out.push(Command::Papers(command));
                }
            }
        });
    }
}

/// How a figure stands, and the colour of that.
fn standing(ui: &Ui, papers: &Papers, figure: &Figure) -> (String, Color32) {
    let palette = Palette::worn(ui);
    let (place, item) = match figure {
        Figure::Run(place, item) => (*place, *item),
        Figure::Unrun(_) => return (words::LACKING.into(), palette.faint()),
    };
    match papers.record(place).map(|r: &RunState| &r.status) {
        None => (words::expected(item), palette.faint()),
        Some(Status::Running(part)) => (words::running(*part), colour(palette.accent)),
        Some(Status::Cancelled) => (words::CANCELLED.into(), palette.faint()),
        Some(Status::Failed(_)) => (words::FAILED.into(), colour(palette.failure)),
        Some(Status::Judged(verdict)) => (words::standing(item, verdict), shade(ui, item, verdict)),
    }
}

/// A card: picture, number and title beside it, claim, and how it stands.
fn card_ui(ui: &mut Ui, papers: &Papers, figure: &Figure, width: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, look::HEIGHT), Sense::click());
    let runs = matches!(figure, Figure::Run(..));
    let (said, shade) = standing(ui, papers, figure);
    let cited = words::cited(figure.paper(), figure.figure());
    let spoken = format!("{cited}: {}, {said}", figure.title());
    let lit_by = matches!(figure, Figure::Run(k, _) if papers.is_running(*k));
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, runs, lit_by, &spoken));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let palette = Palette::worn(ui);
    let [rest, hovered, _] = palette.button.map(colour);
    let lit = runs && (response.hovered() || response.has_focus());
    let corner = CornerRadius::same(size::CORNER);
    ui.painter()
        .rect_filled(rect, corner, if lit { hovered } else { rest });
    let inner = rect.shrink(look::INSET);
    let frame = Rect::from_min_size(
        inner.min,
        vec2(look::PICTURE, look::PICTURE / gallery::ASPECT),
    );
    let drawn = match figure {
        Figure::Run(place, _) => papers.record(*place).map(|r| &r.drawn),
        Figure::Unrun(_) => None,
    };
    // Its scene until there is something of the figure itself.
    if !drawn.is_some_and(|drawn| small_ui(ui, drawn, frame)) {
        textures::paint(ui, &figure.picture().unwrap_or_default(), frame, corner);
    }
    let text = colour(palette.text[0]);
    let faint = palette.faint();
    let beside = frame.right() + look::INSET;
    let room = inner.right() - beside;
    let number = words::number(figure.figure());
    let number = line(ui, &number, size::TEXT.1, room, 1, text);
    let below = inner.top() + number.size().y + 2.0;
    ui.painter().galley(pos2(beside, inner.top()), number, text);
    let title = line(ui, figure.title(), size::TEXT.0, room, 3, faint);
    ui.painter().galley(pos2(beside, below), title, faint);
    let claim = words::sentence(figure.claim());
    let claim = line(ui, &claim, size::TEXT.0, inner.width(), 4, text);
    ui.painter()
        .galley(pos2(inner.left(), frame.bottom() + 6.0), claim, text);
    let verdict = line(ui, &said, size::TEXT.0, inner.width(), 1, shade);
    let foot = inner.bottom() - verdict.size().y;
    ui.painter()
        .galley(pos2(inner.left(), foot), verdict, shade);
    if lit || lit_by {
        let stroke = Stroke::new(if lit { 2.0 } else { 1.0 }, colour(palette.accent));
        ui.painter()
            .rect_stroke(rect, corner, stroke, StrokeKind::Inside);
    }
    response.on_hover_text(words::hover(
        figure.claim(),
        match figure {
            Figure::Run(_, item) => item.place,
            Figure::Unrun(unrun) => unrun.lacks,
        },
    ))
}

/// A text of at most so many lines.
fn line(
    ui: &Ui,
    text: &str,
    height: f32,
    width: f32,
    rows: usize,
    shade: Color32,
) -> std::sync::Arc<egui::Galley> {
    let mut job =
        egui::text::LayoutJob::simple(text.into(), FontId::proportional(height), shade, width);
    job.wrap.max_rows = rows;
    job.wrap.overflow_character = Some('…');
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}
