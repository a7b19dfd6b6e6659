use super::Session;
use crate::state::{Background, Overlay, Pass, Selection, Surface, Surroundings, Theme};

impl Session {
    /// `sinew render` command for the same file, clip, time, methods, direction, size and looks.
    /// The command has no options for poses, morph weights, exposure, blends, panning and comparisons of files.
    pub fn command_line(&mut self, output: &str, size: [u32; 2]) -> String {
        let zoom = self.zoom_over_framed();
        let (file, state) = (self.shown_file(), &self.state);
        let mut line = "sinew render".to_owned();
        let mut add = |words: String| {
            line.push(' ');
            line.push_str(&words);
        };
        match (&file.path, file.made) {
            (Some(path), _) => add(quoted(&path.display().to_string())),
            (None, Some(figure)) => add(format!("--figure {}", figure.name())),
            (None, None) => add(quoted(&file.name)),
        }
        add(format!(
            "-o {} --size {}x{}",
            quoted(output),
            size[0],
            size[1]
        ));
        match self.clip() {
            Some(clip) => {
                let names = file.clips().filter(|c| c.name == clip.name);
                let number = state.playback.clip.unwrap_or(0).to_string();
                // Uses the index if the name is ambiguous or looks like an option.
                let is_clear = names.count() == 1 && !clip.name.is_empty();
                let is_clear = is_clear && !clip.name.starts_with('-');
                let name = if is_clear { &clip.name } else { &number };
                add(format!("--clip {}", quoted(name)));
                add(format!("--time {:.4}", state.playback.time_secs));
            }
            None => add("--rest".to_owned()),
        }
        let methods = state.panes.iter().filter(|pane| pane.file == file.id);
        let mut methods: Vec<&str> = methods.map(|pane| pane.method.name()).collect();
        methods.dedup();
        add(format!("--method {}", methods.join(",")));
        for (_, node) in state.hidden.iter().filter(|(of, _)| *of == file.id) {
            let node = file.character.nodes.get(*node);
            add(format!(
                "--hide {}",
                quoted(node.map_or("", |node| &node.name))
            ));
        }
        let camera = &state.camera;
        let azimuth = (camera.front_rad + camera.azimuth_rad).to_degrees();
        let elevation = camera.elevation_rad.to_degrees();
        add(format!("--camera {azimuth:.2},{elevation:.2}"));
        add(format!("--fov {:.2}", camera.fov_y_rad.to_degrees()));
        if (zoom - 1.0).abs() > 0.005 {
            add(format!("--zoom {:.3}", zoom.clamp(0.01, 100.0)));
        }
        self.looks().into_iter().for_each(add);
        line
    }

    fn looks(&self) -> Vec<String> {
        let (look, file) = (&self.state.look, self.shown_file());
        let mut words = Vec::new();
        let named = [
            (Pass::Shadow, "shadow"),
            (Pass::Occlusion, "occlusion"),
            (Pass::Reflection, "reflection"),
            (Pass::Bloom, "bloom"),
        ];
        let on = named.iter().filter(|(pass, _)| look.passes.contains(pass));
        let on: Vec<&str> = on.map(|(_, name)| *name).collect();
        words.push(if on.is_empty() {
            "--passes none".to_owned()
        } else {
            format!("--passes {}", on.join(","))
        });
        let background = match (look.background, self.state.window.theme) {
            (Background::Theme, Theme::Dark) | (Background::Dark, _) => "dark".to_owned(),
            (Background::Theme, Theme::Light) | (Background::Studio, _) => "studio".to_owned(),
            (Background::Color([r, g, b]), _) => format!("'#{r:02x}{g:02x}{b:02x}'"),
        };
        words.push(format!("--background {background}"));
        if look.environment != Surroundings::Studio {
            words.push(format!("--environment {}", look.environment.name()));
        }
        for (overlay, option) in [
            (Overlay::Bones, "--skeleton"),
            (Overlay::Names, "--names"),
            (Overlay::Axes, "--axes"),
            (Overlay::Wireframe, "--wireframe"),
            (Overlay::Grid, "--grid"),
        ] {
            if look.overlays.contains(&overlay) {
                words.push(option.to_owned());
            }
        }
        let weights = match (look.surface, self.state.selection) {
            (Surface::AllWeights, _) => Some("all".to_owned()),
            (Surface::DominantJoint, _) => Some("dominant".to_owned()),
            (Surface::JointWeight, Selection::Joint(joint))
                if joint < file.character.skeleton.len() =>
            {
                Some(quoted(file.character.skeleton.name(joint)))
            }
            _ => None,
        };
        words.extend(weights.map(|weights| format!("--weights {weights}")));
        words
    }
}

fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
