pub(super) mod materials;
pub(super) mod morphs;

use super::style::widgets::{chip, heading, named_slider, section};
use crate::session::Session;
use crate::state::{
    Background, Command, LookCommand, MAX_STOPS, Overlay, PanelKind, Pass, Surface, Surroundings,
};
use egui::{Slider, Ui};
use sinew::Normals;

const EXACT_NORMALS: (&str, &str) = (
    "Exact normals",
    "Normals of the bent surface. The processor skins every frame for them, which is slower",
);

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
        let exact = look.normals == Normals::Exact;
        let (name, hint) = EXACT_NORMALS;
        if chip(ui, name, hint, exact).clicked() {
            commands.push(LookCommand::ExactNormals { on: !exact }.into());
        }
        heading(ui, "Overlays");
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
        heading(ui, "Environment");
        ui.horizontal_wrapped(|ui| {
            for environment in Surroundings::ALL {
                let (name, hint) = about_environment(environment);
                if chip(ui, name, hint, look.environment == environment).clicked() {
                    commands.push(LookCommand::Environment { environment }.into());
                }
            }
        });
        let mut stops = look.exposure_stops;
        let slider = Slider::new(&mut stops, -MAX_STOPS..=MAX_STOPS).max_decimals(1);
        named_slider(ui, "Exposure", "Exposure in stops", slider);
        if stops != look.exposure_stops {
            commands.push(LookCommand::Exposure { stops }.into());
        }
        heading(ui, "Background");
        ui.horizontal_wrapped(|ui| {
            for (background, name) in [
                (Background::Theme, "Theme"),
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
            "Joint weight",
            "Weight of the selected joint on each vertex: blue is 0, red is 1",
        ),
        Surface::AllWeights => ("All weights", "A colour for each joint, mixed by weight"),
        Surface::DominantJoint => (
            "Heaviest joint",
            "The colour of the joint with the largest weight",
        ),
        Surface::Normals => (
            "Normals",
            "Directions of the surface: x red, y green, z blue",
        ),
        Surface::UvChecker => (
            "UV checker",
            "A checker pattern on the first texture coordinates",
        ),
        Surface::Hidden => ("Hidden", "Only bones"),
    }
}

fn about_overlay(overlay: Overlay) -> (&'static str, &'static str) {
    match overlay {
        Overlay::Bones => ("Bones", ""),
        Overlay::Names => ("Names", "The names of joints next to them"),
        Overlay::Axes => ("Axes", "The axes of joints: x red, y green, z blue"),
        Overlay::Limits => (
            "Limits",
            "Limits of the selected joint, or of all: arcs for hinges, cones for ball joints",
        ),
        Overlay::Wireframe => ("Wireframe", "The edges of triangles"),
        Overlay::NormalLines => ("Normal lines", "A line along the normal of each vertex"),
        Overlay::Grid => ("Grid", "Lines on the floor"),
        Overlay::Trajectories => (
            "Motion paths",
            "The path of the selected joint before and after the current time, or the paths of the ends of all limbs",
        ),
        Overlay::Ghosts => (
            "Ghosts",
            "Bones at earlier times in blue, at later times in orange",
        ),
        Overlay::Markers => ("Markers", "Markers of a capture, with lines to the body"),
    }
}

fn about_environment(environment: Surroundings) -> (&'static str, &'static str) {
    match environment {
        Surroundings::Studio => ("Soft lamps", "The light of a studio"),
        Surroundings::Dark => ("Few lamps", "The light of a dark room"),
        Surroundings::Overcast => ("Overcast", "An even grey sky"),
        Surroundings::Sunset => ("Sunset", "A low, warm sun"),
    }
}

fn about_pass(pass: Pass) -> (&'static str, &'static str) {
    match pass {
        Pass::Shadow => ("Shadow", "Shadows of the sun"),
        Pass::Occlusion => (
            "Occlusion",
            "Nearby surfaces block ambient light. Drawn when nothing moves",
        ),
        Pass::Reflection => ("Reflection", "Reflections in the floor"),
        Pass::Bloom => ("Bloom", "Glow around bright light"),
    }
}
