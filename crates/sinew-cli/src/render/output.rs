//! Where pictures go: one file, a moving one, or a file for every frame.

use crate::{files, outputs};
use anyhow::{Context, Result, anyhow};
use sinew_gpu::{ApngWriter, Picture, write_png};
use sinew_io::Replacement;
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A file, or a name with a place for the number of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    path: PathBuf,
    template: Option<Template>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    before: String,
    digits: usize,
    after: String,
}

impl Output {
    pub fn parse(text: &str) -> Result<Self, String> {
        let path = files::output(text, &["png", "apng"])?;
        let template = match text.split_once('{') {
            None => None,
            Some((before, rest)) => {
                let wrong = "a frame's number is written {frame} or {frame:04}";
                let (inside, after) = rest.split_once('}').ok_or(wrong)?;
                let digits = match inside.strip_prefix("frame") {
                    Some("") => Some(0),
                    Some(width) => width.strip_prefix(':').and_then(|w| w.parse().ok()),
                    None => None,
                };
                Some(Template {
                    before: before.to_owned(),
                    digits: digits.filter(|&d: &usize| d <= 12).ok_or(wrong)?,
                    after: after.to_owned(),
                })
            }
        };
        Ok(Self { path, template })
    }

    /// A file of that name, whatever is in it.
    pub fn file(path: PathBuf) -> Self {
        let template = None;
        Self { path, template }
    }

    pub fn is_standard(&self) -> bool {
        files::is_standard(&self.path)
    }

    pub fn is_template(&self) -> bool {
        self.template.is_some()
    }

    /// Whether its folder is there, before any work is done.
    pub fn check(&self) -> Result<()> {
        outputs::check(&self.path)
    }

    pub fn writer(
        &self,
        size: [u32; 2],
        frames: usize,
        fps: f64,
        opaque: bool,
    ) -> Result<PictureWriter> {
        if let Some(template) = &self.template {
            return Ok(PictureWriter::Many {
                template: template.clone(),
                next: 0,
                size,
                bytes: 0,
            });
        }
        if frames == 1 {
            return Ok(PictureWriter::One(self.path.clone()));
        }
        let out = match self.is_standard() {
            true => Sink::Standard,
            false => Sink::File(Rc::new(RefCell::new(outputs::create(&self.path)?))),
        };
        let frames = frames as u32;
        let writer = ApngWriter::new(out.clone(), size, frames, fps, opaque);
        Ok(PictureWriter::Moving {
            writer: Box::new(writer.map_err(|error| out.failed(error, &self.path))?),
            out,
            path: self.path.clone(),
            what: format!("a moving picture of {frames} frames, {}", pixels(size)),
        })
    }
}

/// Where the bytes of a moving picture go; shared, because its writer does not give it back.
#[derive(Clone)]
pub enum Sink {
    Standard,
    File(Rc<RefCell<Replacement>>),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard => io::stdout().write(bytes),
            Self::File(file) => file.borrow_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard => io::stdout().flush(),
            Self::File(file) => file.borrow_mut().flush(),
        }
    }
}

impl Sink {
    fn failed(&self, error: io::Error, path: &Path) -> anyhow::Error {
        match self {
            Self::Standard => outputs::standard_output(error),
            Self::File(_) => anyhow!(error).context(format!("cannot write {}", path.display())),
        }
    }

    /// Puts a file in its place, when nobody else holds it any more.
    fn finish(self) -> io::Result<()> {
        match self {
            Self::Standard => io::stdout().flush(),
            Self::File(file) => match Rc::try_unwrap(file) {
                Ok(file) => file.into_inner().finish(),
                Err(_) => Err(io::Error::other("the picture is still being written")),
            },
        }
    }
}

pub enum PictureWriter {
    One(PathBuf),
    Many {
        template: Template,
        next: usize,
        size: [u32; 2],
        bytes: u64,
    },
    Moving {
        writer: Box<ApngWriter<Sink>>,
        out: Sink,
        path: PathBuf,
        what: String,
    },
}

impl PictureWriter {
    pub fn add(&mut self, picture: Picture) -> Result<()> {
        match self {
            Self::One(path) => write(path, &picture),
            Self::Many {
                template,
                next,
                bytes,
                ..
            } => {
                let path = template.path(*next);
                *next += 1;
                // One line for all of them, at the end.
                let mut out = outputs::create(&path)?;
                let done = write_png(&mut out, &picture).and_then(|()| out.finish());
                done.with_context(|| format!("cannot write {}", path.display()))?;
                *bytes += std::fs::metadata(&path).map_or(0, |file| file.len());
                Ok(())
            }
            Self::Moving {
                writer, out, path, ..
            } => writer.add(picture).map_err(|error| out.failed(error, path)),
        }
    }

    /// Says what was written.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Moving {
                writer,
                out,
                path,
                what,
            } => {
                let written = writer.finish();
                let standard = matches!(out, Sink::Standard);
                written
                    .and_then(|()| out.finish())
                    .map_err(|error| match standard {
                        true => outputs::standard_output(error),
                        false => anyhow!(error).context(format!("cannot write {}", path.display())),
                    })?;
                if !standard {
                    outputs::say(&path, &what);
                }
                Ok(())
            }
            Self::Many {
                template,
                next,
                size,
                bytes,
            } => {
                let (first, last) = (template.path(0), template.path(next.saturating_sub(1)));
                files::say(&format!(
                    "wrote {} to {}: {} of {}, {}",
                    first.display(),
                    last.display(),
                    files::counted(next, "picture"),
                    pixels(size),
                    outputs::size(bytes)
                ));
                Ok(())
            }
            Self::One(_) => Ok(()),
        }
    }
}

impl Template {
    fn path(&self, frame: usize) -> PathBuf {
        let (before, digits, after) = (&self.before, self.digits, &self.after);
        format!("{before}{frame:0digits$}{after}").into()
    }
}

/// Writes one picture.
pub fn write(path: &Path, picture: &Picture) -> Result<()> {
    let what = format!(
        "a picture of {}",
        pixels([picture.width(), picture.height()])
    );
    outputs::write(path, &what, |out| write_png(out, picture))
}

fn pixels([width, height]: [u32; 2]) -> String {
    format!("{width} × {height} pixels")
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
        assert_eq!(name("{frame}.png", 12), "12.png");
    }

    #[test]
    fn other_names_are_refused() {
        for text in [
            "a.jpg",
            "a",
            "{frame.png",
            "{f}.png",
            "{frame:x}.png",
            "{frame:99}.png",
        ] {
            assert!(Output::parse(text).is_err(), "{text}");
        }
        assert_eq!(Output::parse("a.png").unwrap().template, None);
        assert!(Output::parse("-").unwrap().is_standard());
    }
}
