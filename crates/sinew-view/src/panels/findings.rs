//! Panel of import findings. A click on a finding selects the item that it refers to.

use super::style::icons::{self, Icon};
use super::style::theme::{Palette, small};
use super::style::widgets::{focus_ring, section};
use crate::document::OpenFile;
use crate::session::Session;
use crate::state::{
    CameraCommand, Command, PanelKind, PlaybackCommand, Selection, SelectionCommand, WindowCommand,
};
use egui::{CornerRadius, Rect, RichText, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo};
use sinew_io::Severity;

pub(super) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    section(
        ui,
        session,
        PanelKind::Findings,
        commands,
        |ui, commands| {
            let Some(file) = session.document().file(session.state().shown) else {
                return;
            };
            if file.report.is_empty() {
                ui.weak("This file has no findings.");
                return;
            }
            let area = ScrollArea::vertical()
                .id_salt("findings")
                .max_height(220.0)
                .auto_shrink([false, true]);
            area.show(ui, |ui| {
                for (index, folded) in file.report.folded().iter().enumerate() {
                    let finding = folded.finding;
                    let named = named(file, &finding.pointer);
                    let mut words = finding.message.clone();
                    if folded.count > 1 {
                        words = format!("{words} ({} times)", folded.count);
                    }
                    let row = Row {
                        index,
                        severity: finding.severity,
                        words,
                        location: if finding.pointer.is_empty() {
                            finding.code.to_owned()
                        } else {
                            finding.pointer.clone()
                        },
                        is_link: !named.is_empty(),
                    };
                    if row.show(ui) {
                        commands.extend(named);
                    }
                }
            });
            let omitted = file.report.omitted();
            if omitted > 0 {
                ui.weak(format!("and {omitted} more"));
            }
        },
    );
}

struct Row {
    index: usize,
    severity: Severity,
    words: String,
    location: String,
    is_link: bool,
}

impl Row {
    fn show(&self, ui: &mut Ui) -> bool {
        let palette = Palette::of(ui);
        let (icon, color) = match self.severity {
            Severity::Error => (Icon::Error, palette.error),
            Severity::Repaired | Severity::Ignored => (Icon::Warning, palette.warning),
            Severity::Note => (Icon::Note, palette.dim),
        };
        let inner = ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::hover());
            icons::paint(ui.painter(), rect.shrink(1.0), icon, color);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                ui.label(RichText::new(&self.words).size(12.5));
                let ink = if self.is_link {
                    palette.accent
                } else {
                    palette.dim
                };
                ui.label(RichText::new(&self.location).font(small()).color(ink));
            });
        });
        let rect: Rect = inner.response.rect;
        let sense = if self.is_link {
            Sense::click()
        } else {
            Sense::hover()
        };
        let response = ui.interact(rect, ui.scope_id().with(self.index), sense);
        if self.is_link && response.hovered() {
            let glow = palette.raised.gamma_multiply(0.5);
            ui.painter()
                .rect_filled(rect.expand(2.0), CornerRadius::same(4), glow);
        }
        focus_ring(ui, &response, rect);
        let name = format!("{}: {}", self.severity, self.words);
        response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, &name));
        response.clicked()
    }
}

/// Commands that select the item at a JSON pointer. Empty for items that cannot be selected.
fn named(file: &OpenFile, pointer: &str) -> Vec<Command> {
    let mut words = pointer.split('/').skip(1);
    let (Some(kind), Some(Ok(index))) = (words.next(), words.next().map(str::parse::<usize>))
    else {
        return Vec::new();
    };
    let character = &file.character;
    let node = |node: usize| match character.nodes.get(node) {
        Some(found) => vec![
            SelectionCommand::Select {
                selection: match found.joint {
                    Some(joint) => Selection::Joint(joint),
                    None => Selection::Node(node),
                },
            }
            .into(),
            WindowCommand::Panel {
                panel: PanelKind::Selected,
                on: true,
            }
            .into(),
            CameraCommand::Frame.into(),
        ],
        None => Vec::new(),
    };
    match kind {
        "nodes" => node(index),
        "meshes" => {
            let location = character.nodes.iter().position(|n| n.mesh == Some(index));
            location.map_or(Vec::new(), node)
        }
        "skins" => {
            let location = character.nodes.iter().position(|n| n.skin == Some(index));
            location.map_or(Vec::new(), node)
        }
        "animations" if index < file.motions.len() => {
            vec![PlaybackCommand::Clip { clip: Some(index) }.into()]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_leads_to_what_it_names_and_others_nowhere() {
        let session = Session::default();
        let file = &session.document().files()[0];
        assert_eq!(
            named(file, "/animations/1/samplers/0"),
            [Command::from(PlaybackCommand::Clip { clip: Some(1) })]
        );
        assert!(matches!(
            named(file, "/nodes/2/rotation")[0],
            Command::Selection(SelectionCommand::Select { .. })
        ));
        assert!(matches!(
            named(file, "/meshes/0")[0],
            Command::Selection(SelectionCommand::Select { .. })
        ));
        for nowhere in [
            "",
            "/",
            "/nodes",
            "/nodes/x",
            "/nodes/99999",
            "/animations/77",
            "line 4",
        ] {
            assert!(named(file, nowhere).is_empty(), "{nowhere}");
        }
    }
}
