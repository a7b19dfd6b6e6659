//! Where pictures go: one file, a moving one, or a file for every frame.

use crate::files;
use anyhow::{Context, Result, anyhow};
use sinew_gpu::{ApngWriter, Picture, write_png};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

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

    pub fn is_standard(&self) -> bool {
        files::is_standard(&self.path)
    }

    pub fn is_template(&self) -> bool {
        self.template.is_some()
    }

    /// Whether its folder is there, before any work is done.
    pub fn check(&self) -> Result<()> {
        let folder = self.path.parent().filter(|f| !f.as_os_str().is_empty());
        match folder {
            Some(folder) if !self.is_standard() && !folder.is_dir() => {
                let failed = format!("cannot write {}", self.path.display());
                let folder = folder.display();
                Err(anyhow!("there is no folder {folder}; make it first").context(failed))
            }
            _ => Ok(()),
        }
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
            });
        }
        if frames == 1 {
            return Ok(PictureWriter::One(self.path.clone()));
        }
        let out: Box<dyn Write> = match self.is_standard() {
            true => Box::new(io::stdout().lock()),
            false => Box::new(File::create(&self.path).with_context(|| self.failed())?),
        };
        let frames = frames as u32;
        let writer = ApngWriter::new(BufWriter::new(out), size, frames, fps, opaque);
        Ok(PictureWriter::Moving {
            writer: Box::new(writer.with_context(|| self.failed())?),
            path: self.path.clone(),
        })
    }

    fn failed(&self) -> String {
        format!("cannot write {}", self.path.display())
    }
}

pub enum PictureWriter {
    One(PathBuf),
    Many {
        template: Template,
        next: usize,
    },
    Moving {
        writer: Box<ApngWriter<BufWriter<Box<dyn Write>>>>,
        path: PathBuf,
    },
}

impl PictureWriter {
    pub fn add(&mut self, picture: Picture) -> Result<()> {
        match self {
            Self::One(path) => write(path, &picture),
            Self::Many { template, next } => {
                let path = template.path(*next);
                *next += 1;
                write(&path, &picture)
            }
            Self::Moving { writer, path } => writer
                .add(picture)
                .with_context(|| format!("cannot write {}", path.display())),
        }
    }

    pub fn finish(self) -> Result<()> {
        match self {
            Self::Moving { writer, path } => writer
                .finish()
                .with_context(|| format!("cannot write {}", path.display())),
            _ => Ok(()),
        }
    }
}

impl Template {
    fn path(&self, frame: usize) -> PathBuf {
        let (before, digits, after) = (&self.before, self.digits, &self.after);
        format!("{before}{frame:0digits$}{after}").into()
    }
}

fn write(path: &Path, picture: &Picture) -> Result<()> {
    files::write(path, |out| write_png(out, picture))
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
