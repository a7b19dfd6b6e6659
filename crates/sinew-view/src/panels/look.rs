use super::style::widgets::{chip, heading, section};
use crate::session::Session;
use crate::state::{Background, Command, LookCommand, Overlay, PanelKind, Pass, Surface};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    section(ui, session, PanelKind::Look, commands, |ui, commands| {
        let look = &session.state().look;
        heading(ui, "Surface");
        ui.horizontal_wrapped(|ui| {
            for surface in Surface::ALL {
                let (name, hint) = about_surface(surface);
                if chip(ui, name, hint, look.surface == surface).clicked() {
                    commands.push(LookCommand::Surface { surface }.into());
                }
            }
        });
        heading(ui, "Over it");
        ui.horizontal_wrapped(|ui| {
            for overlay in Overlay::ALL {
                let (name, hint) = about_overlay(overlay);
                let is_on = look.overlays.contains(&overlay);
                if chip(ui, name, hint, is_on).clicked() {
                    commands.push(
                        LookCommand::Overlay {
                            overlay,
                            on: !is_on,
                        }
                        .into(),
                    );
                }
            }
        });
        heading(ui, "Light");
        ui.horizontal_wrapped(|ui| {
            for pass in Pass::ALL {
                let (name, hint) = about_pass(pass);
                let is_on = look.passes.contains(&pass);
                if chip(ui, name, hint, is_on).clicked() {
                    commands.push(LookCommand::Pass { pass, on: !is_on }.into());
                }
            }
        });
        heading(ui, "Behind it");
        ui.horizontal_wrapped(|ui| {
            for (background, name) in [
                (Background::Theme, "As the theme"),
                (Background::Studio, "Studio"),
                (Background::Dark, "Dark"),
                (Background::Color([255; 3]), "White"),
                (Background::Color([0; 3]), "Black"),
            ] {
                if chip(ui, name, "", look.background == background).clicked() {
                    commands.push(LookCommand::Background { background }.into());
                }
            }
        });
    });
}

fn about_surface(surface: Surface) -> (&'static str, &'static str) {
    match surface {
        Surface::Materials => ("Materials", "The file's own materials"),
        Surface::JointWeight => (
            "Joint's weight",
            "How much the selected joint moves each vertex: from blue, not at all, to red, alone",
        ),
        Surface::AllWeights => (
            "All weights",
            "A colour for each joint, mixed as the weights are",
        ),
        Surface::DominantJoint => (
            "Heaviest joint",
            "The colour of the joint that moves a vertex most",
        ),
        Surface::Normals => (
            "Normals",
            "Where the surface faces: x as red, y as green, z as blue",
        ),
        Surface::UvChecker => ("UV checker", "Squares on the first texture coordinates"),
        Surface::Hidden => ("Hidden", "Bones alone"),
    }
}

fn about_overlay(overlay: Overlay) -> (&'static str, &'static str) {
    match overlay {
        Overlay::Bones => ("Bones", ""),
        Overlay::Names => ("Names", "The names of joints beside them"),
        Overlay::Axes => ("Axes", "The axes of joints: x red, y green, z blue"),
        Overlay::Limits => (
            "Limits",
            "How far joints may turn: arcs of hinges, cones of balls; of the selected joint, or of all",
        ),
        Overlay::Wireframe => ("Wireframe", "The edges of triangles"),
        Overlay::NormalLines => ("Normal lines", "A line along the normal of each vertex"),
        Overlay::Grid => ("Grid", "Lines on the floor"),
        Overlay::Trajectories => (
            "Ways",
            "Where the selected joint was and will be; the ends of limbs without one",
        ),
        Overlay::Ghosts => (
            "Ghosts",
            "Bones of past moments in blue, of coming ones in orange",
        ),
        Overlay::Markers => (
            "Markers",
            "Markers of a capture, and how far the body is from them",
        ),
    }
}

fn about_pass(pass: Pass) -> (&'static str, &'static str) {
    match pass {
        Pass::Shadow => ("Shadow", "The sun throws shadows"),
        Pass::Occlusion => (
            "Occlusion",
            "What is near keeps light away; once the picture stands still",
        ),
        Pass::Reflection => ("Reflection", "The floor mirrors"),
        Pass::Bloom => ("Bloom", "Bright light spreads"),
    }
}
