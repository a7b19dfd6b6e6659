//! State of the view as a link: what is shown, its clip and time, the methods and the camera, as names and values.

use crate::document::MadeFigure;
use crate::session::Session;
use crate::state::{
    CameraCommand, Command, FileCommand, PaneCommand, PlaybackCommand, Preset, Selection,
    SelectionCommand,
};

/// State of the view, as far as a link holds it. A part that is `None` or empty changes nothing.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Link {
    /// Figure made by code.
    pub sample: Option<MadeFigure>,
    /// Clip, by name or index. Empty for the rest pose.
    pub clip: Option<String>,
    /// Methods of the panes: `rigid`, `lbs`, `dqs` or `quat`.
    pub methods: Vec<String>,
    /// Time in the clip, in seconds, at which playback pauses.
    pub time_secs: Option<f64>,
    /// Angle to the right of the front of the figure and above the horizon in degrees, and the zoom over the view that
    /// frames everything.
    pub camera: Option<[f32; 3]>,
}

impl Link {
    /// Reads a link from the names and values of its parts. Ignores parts that are unknown or not valid.
    pub fn read<'a>(parts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut link = Self::default();
        for (name, value) in parts {
            match name {
                "sample" => {
                    link.sample = MadeFigure::named(value);
                }
                "clip" => link.clip = Some(value.to_owned()),
                "method" => link.methods = value.split(',').map(str::to_owned).collect(),
                "time" => link.time_secs = value.parse().ok(),
                "camera" => {
                    let numbers: Option<Vec<f32>> =
                        value.split(',').map(|part| part.parse().ok()).collect();
                    link.camera = numbers.and_then(|numbers| numbers.try_into().ok());
                }
                _ => {}
            }
        }
        link
    }

    /// Link to the current view of a session, without the file unless code made it.
    pub fn to(session: &mut Session) -> Self {
        let zoom = session.zoom_over_framed();
        let (state, document) = (session.state(), session.document());
        let file = document.file(state.shown);
        let (playback, camera) = (&state.playback, &state.camera);
        let angles = [camera.azimuth_rad, camera.elevation_rad].map(f32::to_degrees);
        let clip = match (session.clip(), playback.clip) {
            (Some(clip), Some(index)) => {
                let clips = file.into_iter().flat_map(|file| file.clips());
                let is_clear = clips.filter(|other| other.name == clip.name).count() == 1;
                if is_clear && !clip.name.is_empty() {
                    clip.name.clone()
                } else {
                    index.to_string()
                }
            }
            _ => String::new(),
        };
        let methods = state.panes.iter().filter(|pane| pane.file == state.shown);
        Self {
            sample: file.and_then(|file| file.made),
            clip: Some(clip),
            methods: methods.map(|pane| pane.method.name().to_owned()).collect(),
            time_secs: Some(playback.time_secs).filter(|_| !playback.is_playing),
            camera: Some([angles[0], angles[1], zoom]),
        }
    }

    /// Names and values of the parts of this link.
    fn parts(&self) -> Vec<(&'static str, String)> {
        let sample = self
            .sample
            .map(|figure| ("sample", figure.name().to_owned()));
        let clip = self.clip.clone().map(|clip| ("clip", clip));
        let methods = (!self.methods.is_empty()).then(|| ("method", self.methods.join(",")));
        let time = self.time_secs.map(|time| ("time", format!("{time:.4}")));
        let camera = self.camera.map(|[right, up, zoom]| {
            let text = format!("{right:.1},{up:.1},{zoom:.3}");
            ("camera", text)
        });
        [sample, clip, methods, time, camera]
            .into_iter()
            .flatten()
            .collect()
    }

    /// The parts as the fragment of an address, such as `clip=walk&time=0.4000`.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.parts() {
            let between = if text.is_empty() { "" } else { "&" };
            text += &format!("{between}{name}=");
            for byte in value.bytes() {
                match byte {
                    b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b',' => {
                        text.push(byte.into());
                    }
                    other => text += &format!("%{other:02X}"),
                }
            }
        }
        text
    }

    /// Command that opens the figure of this link. `None` if it is shown.
    pub fn opening(&self, session: &Session) -> Option<Command> {
        let figure = self.sample?;
        let shown = session.document().file(session.state().shown);
        let is_shown = shown.is_some_and(|file| file.made == Some(figure) && !file.is_stand_in);
        (!is_shown).then(|| FileCommand::OpenMade { figure }.into())
    }

    /// Commands that bring an open file to the state of this link.
    pub fn commands(&self, session: &Session) -> Vec<Command> {
        let mut commands: Vec<Command> = Vec::new();
        let shown = session.document().file(session.state().shown);
        if let (Some(clip), Some(file)) = (&self.clip, shown) {
            let named = file.clips().position(|known| known.name == *clip);
            let numbered = || clip.parse().ok().filter(|&at| at < file.clips().len());
            let found = named.or_else(numbered);
            if clip.is_empty() || found.is_some() {
                commands.push(PlaybackCommand::Clip { clip: found }.into());
            }
        }
        if !self.methods.is_empty() {
            let methods = self.methods.clone();
            commands.push(PaneCommand::CompareMethods { methods }.into());
        }
        if let Some(time_secs) = self.time_secs {
            commands.push(PlaybackCommand::Pause.into());
            commands.push(PlaybackCommand::Seek { time_secs }.into());
        }
        if let Some([right, up, zoom]) = self.camera {
            let selection = Selection::None;
            commands.push(SelectionCommand::Select { selection }.into());
            let preset = Preset::Front;
            commands.push(CameraCommand::Preset { preset }.into());
            let [right_rad, up_rad] = [right, up].map(f32::to_radians);
            commands.push(CameraCommand::Orbit { right_rad, up_rad }.into());
            commands.push(CameraCommand::Frame.into());
            commands.push(CameraCommand::Zoom { factor: zoom }.into());
        }
        commands
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(session: &mut Session, link: &Link) {
        if let Some(command) = link.opening(session) {
            session.run(command);
        }
        while session.is_busy() {
            session.advance(0.0);
        }
        let commands = link.commands(session);
        commands
            .into_iter()
            .for_each(|command| session.run(command));
    }

    #[test]
    fn a_link_leads_to_the_view_it_was_made_of() {
        let parts = [
            ("sample", "mannequin"),
            ("clip", "run"),
            ("method", "lbs,dqs"),
            ("time", "0.2500"),
            ("camera", "-30.0,10.0,1.500"),
        ];
        let link = Link::read(parts);
        assert_eq!(link.sample, Some(MadeFigure::Mannequin));
        let mut session = Session::default();
        follow(&mut session, &link);
        let state = session.state();
        assert_eq!(session.clip().expect("a clip").name, "run");
        assert_eq!(
            (state.playback.time_secs, state.playback.is_playing),
            (0.25, false)
        );
        let methods: Vec<&str> = state.panes.iter().map(|p| p.method.name()).collect();
        assert_eq!(methods, ["lbs", "dqs"]);
        let angles = [state.camera.azimuth_rad, state.camera.elevation_rad];
        for (angle, degrees) in angles.into_iter().zip([-30.0_f32, 10.0]) {
            assert!(
                (angle - degrees.to_radians()).abs() < 1e-5,
                "{angle} {degrees}"
            );
        }
        let made = Link::to(&mut session).parts();
        let made: Vec<(&str, &str)> = made.iter().map(|(name, value)| (*name, &**value)).collect();
        assert_eq!(made, parts);
        let clip = Some("a&b ü=1".to_owned());
        let link = Link { clip, ..link };
        assert_eq!(
            link.text(),
            "sample=mannequin&clip=a%26b%20%C3%BC%3D1&method=lbs,dqs&time=0.2500&camera=-30.0,10.0,1.500"
        );
    }

    #[test]
    fn a_link_to_another_figure_opens_it_and_nonsense_changes_nothing() {
        let mut session = Session::default();
        follow(
            &mut session,
            &Link::read([("sample", "tube"), ("time", "0.1")]),
        );
        let shown = session.state().shown;
        let file = session.document().file(shown).expect("a file");
        assert_eq!(file.made, Some(MadeFigure::Tube));
        let nonsense = [
            ("sample", "dragon"),
            ("time", "now"),
            ("camera", "1,2"),
            ("x", ""),
        ];
        let link = Link::read(nonsense);
        assert_eq!(link, Link::default());
        let before = session.state().clone();
        follow(&mut session, &link);
        follow(
            &mut session,
            &Link::read([("clip", "none of this name"), ("method", "best")]),
        );
        let after = session.state();
        assert_eq!(after.playback, before.playback);
        assert_eq!(after.camera, before.camera);
        assert_eq!(after.panes, before.panes);
    }
}
