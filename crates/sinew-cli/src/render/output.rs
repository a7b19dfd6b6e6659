//! Outputs of pictures: one picture, an animation, or a file per frame.

use super::ffmpeg;
use super::kind::Kind;
use crate::{files, several, usage};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// An output file, or a name with a field for the frame number.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub path: PathBuf,
    pub template: Option<Template>,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    before: String,
    digits: usize,
    after: String,
}

impl Output {
    pub fn parse(text: &str) -> Result<Self, String> {
        let endings = ["png", "apng", "gif", "jpg", "jpeg", "webm", "mp4"];
        let path = files::output(text, &endings)?;
        // {name} is replaced later.
        let (hidden, name) = ("\u{1}name\u{1}", "{name}");
        let template = match text.replace(name, hidden).split_once('{') {
            None => None,
            Some((before, rest)) => {
                let wrong = "the frame number is written {frame} or {frame:04}";
                let (inside, after) = rest.split_once('}').ok_or(wrong)?;
                let digits = match inside.strip_prefix("frame") {
                    Some("") => Some(0),
                    Some(width) => width.strip_prefix(':').and_then(|w| w.parse().ok()),
                    None => None,
                };
                Some(Template {
                    before: before.replace(hidden, name),
                    digits: digits.filter(|&d: &usize| d <= 12).ok_or(wrong)?,
                    after: after.replace(hidden, name),
                })
            }
        };
        let kind = Kind::of(&path);
        if template.is_some() && !matches!(kind, Kind::Png | Kind::Jpeg) {
            return Err("numbered frames must be .png or .jpg".to_owned());
        }
        Ok(Self {
            path,
            template,
            kind,
        })
    }

    /// The output for one of several inputs.
    pub fn of(&self, input: &Path) -> Self {
        let template = self.template.as_ref().map(|template| Template {
            before: several::named(&template.before, input),
            after: several::named(&template.after, input),
            ..template.clone()
        });
        Self {
            path: several::output(&self.path, input),
            template,
            kind: self.kind,
        }
    }

    /// An animated PNG.
    pub fn file(path: PathBuf) -> Self {
        Self {
            path,
            template: None,
            kind: Kind::Png,
        }
    }

    pub fn is_standard(&self) -> bool {
        files::is_standard(&self.path)
    }

    pub fn is_template(&self) -> bool {
        self.template.is_some()
    }

    /// The output as raw pixels, only for standard output.
    pub fn raw(&self) -> Result<Self> {
        if !self.is_standard() {
            return Err(usage::wrong("--raw writes to standard output: add -o -"));
        }
        Ok(Self {
            kind: Kind::Raw,
            ..self.clone()
        })
    }

    /// Checks that these pictures can be written, before any is drawn.
    pub fn check(&self, size: [u32; 2], frames: usize, fps: f64, clear: bool) -> Result<()> {
        let ending = files::extension(&self.path);
        if frames > 1 && self.kind == Kind::Jpeg && !self.is_template() {
            return Err(usage::wrong(&format!(
                "a .{ending} file holds one picture: use .png, .gif, .webm or .mp4 for an animation, or number the \
                 frames with {{frame}}"
            )));
        }
        if clear && matches!(self.kind, Kind::Jpeg | Kind::Mp4) {
            return Err(usage::wrong(&format!(
                "a .{ending} file cannot be transparent: choose another --background, or use .png, .gif or .webm"
            )));
        }
        if self.kind.is_film() {
            ffmpeg::check(&self.path, size, fps)?;
        }
        Ok(())
    }
}

impl Template {
    pub fn path(&self, frame: usize) -> PathBuf {
        let (before, digits, after) = (&self.before, self.digits, &self.after);
        format!("{before}{frame:0digits$}{after}").into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_number_their_frames() {
        let name = |text: &str, frame| {
            let output = Output::parse(text).unwrap();
            output.template.unwrap().path(frame).display().to_string()
        };
        assert_eq!(name("a-{frame:04}.png", 7), "a-0007.png");
        assert_eq!(name("{frame}.jpg", 12), "12.jpg");
    }

    #[test]
    fn the_ending_says_the_kind() {
        let kind = |text: &str| Output::parse(text).unwrap().kind;
        assert_eq!([kind("a.png"), kind("a.APNG"), kind("-")], [Kind::Png; 3]);
        assert_eq!([kind("a.jpg"), kind("a.JPEG")], [Kind::Jpeg; 2]);
        assert_eq!(
            [kind("a.gif"), kind("a.webm"), kind("a.mp4")],
            [Kind::Gif, Kind::Webm, Kind::Mp4]
        );
    }

    #[test]
    fn other_names_are_refused() {
        for text in [
            "a.bmp",
            "a",
            "{frame.png",
            "{f}.png",
            "{frame:x}.png",
            "{frame:99}.png",
            "{frame}.gif",
            "{frame}.mp4",
        ] {
            assert!(Output::parse(text).is_err(), "{text}");
        }
        assert_eq!(Output::parse("a.png").unwrap().template, None);
        assert!(Output::parse("-").unwrap().is_standard());
        assert!(Output::parse("a.png").unwrap().raw().is_err());
    }
}
