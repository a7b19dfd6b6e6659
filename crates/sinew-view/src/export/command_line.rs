//! The command that draws what the panes show.

use crate::session::Session;
use crate::state::{Overlay, Pass, Selection, Surface};
use sinew::Method;
use std::path::Path;

/// A `sinew render` of the first pane's moment, by the methods of all panes.
pub fn command_line(session: &Session) -> String {
    let state = session.state();
    let Some(file) = session.document().file(state.shown) else {
        return String::new();
    };
    let mut words = vec!["sinew".to_owned(), "render".to_owned()];
    match &file.path {
        Some(path) => words.push(quoted(&path.display().to_string())),
        None => words.push(format!("--figure {}", quoted(&file.name))),
    }
    let playback = &state.playback;
    match playback.clip.and_then(|c| file.character.clips.get(c)) {
        Some(clip) => {
            words.push(format!("--clip {}", quoted(&clip.name)));
            words.push(format!("--time {:.4}", playback.time_secs));
        }
        None => words.push("--rest".to_owned()),
    }
    let shown = state.panes.iter().filter(|p| p.file == state.shown);
    let methods: Vec<&str> = shown.map(|p| method_word(p.method)).collect();
    if methods != ["dqs"] && !methods.is_empty() {
        words.push(format!("--method {}", methods.join(",")));
    }
    let camera = &state.camera;
    words.push(format!(
        "--camera {:.1},{:.1}",
        world_azimuth_rad(session).to_degrees(),
        camera.elevation_rad.to_degrees()
    ));
    let has = |overlay| state.look.overlays.contains(&overlay);
    for (overlay, word) in [
        (Overlay::Bones, "--skeleton"),
        (Overlay::Names, "--names"),
        (Overlay::Axes, "--axes"),
        (Overlay::Wireframe, "--wireframe"),
        (Overlay::Grid, "--grid"),
    ] {
        if has(overlay) {
            words.push(word.to_owned());
        }
    }
    match (state.look.surface, state.selection) {
        (Surface::AllWeights, _) => words.push("--weights all".to_owned()),
        (Surface::DominantJoint, _) => words.push("--weights dominant".to_owned()),
        (Surface::JointWeight, Selection::Joint(joint))
            if joint < file.character.skeleton.len() =>
        {
            let name = file.character.skeleton.name(joint);
            words.push(format!("--weights {}", quoted(name)));
        }
        _ => {}
    }
    let passes: Vec<&str> = state.look.passes.iter().map(|&p| pass_word(p)).collect();
    match passes.as_slice() {
        [] => words.push("--passes none".to_owned()),
        ["shadow", "occlusion"] => {}
        some => words.push(format!("--passes {}", some.join(","))),
    }
    let stem = Path::new(&file.name).file_stem();
    let stem = stem.map_or("picture".into(), |s| s.to_string_lossy());
    words.push(format!("-o {}", quoted(&format!("{stem}.png"))));
    words.join(" ")
}

fn world_azimuth_rad(session: &Session) -> f32 {
    let camera = &session.state().camera;
    camera.front_rad + camera.azimuth_rad
}

fn method_word(method: Method) -> &'static str {
    match method {
        Method::Rigid => "rigid",
        Method::Linear => "lbs",
        Method::DualQuat => "dqs",
        Method::Quaternion => "quat",
    }
}

fn pass_word(pass: Pass) -> &'static str {
    match pass {
        Pass::Shadow => "shadow",
        Pass::Occlusion => "occlusion",
        Pass::Reflection => "reflection",
        Pass::Bloom => "bloom",
    }
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/:+,".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_split_them() {
        assert_eq!(quoted("walk"), "walk");
        assert_eq!(quoted("sword form"), "'sword form'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn the_mannequin_is_drawn_by_its_own_name() {
        let line = command_line(&Session::default());
        assert!(
            line.starts_with("sinew render --figure mannequin --clip "),
            "{line}"
        );
        assert!(line.contains("--grid"), "{line}");
        assert!(line.ends_with("-o mannequin.png"), "{line}");
    }
}
