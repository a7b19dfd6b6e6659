//! Writes pictures to files, frame by frame.

use super::ffmpeg::Ffmpeg;
use super::kind::Kind;
use super::output::{Output, Template};
use crate::{files, outputs};
use anyhow::{Context, Result, anyhow};
use sinew_gpu::{ApngWriter, GifWriter, Picture, write_jpeg, write_png};
use sinew_io::Replacement;
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// JPEG quality: looks like the original, at a quarter of the size of a PNG.
const JPEG_QUALITY: u8 = 92;

impl Output {
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
        let what = format!("an animation of {frames} frames, {}", pixels(size));
        match self.kind {
            Kind::Raw => return Ok(PictureWriter::Raw),
            Kind::Mp4 | Kind::Webm => {
                let ffmpeg = Ffmpeg::new(&self.path, self.kind, size, fps, opaque)?;
                return Ok(PictureWriter::Video(Box::new(ffmpeg), what));
            }
            _ if frames == 1 => return Ok(PictureWriter::One(self.path.clone())),
            Kind::Png | Kind::Gif | Kind::Jpeg => {}
        }
        let out = if self.is_standard() {
            Sink::Standard
        } else {
            Sink::File(Rc::new(RefCell::new(outputs::create(&self.path)?)))
        };
        let encoder = match self.kind {
            Kind::Gif => GifWriter::new(out.clone(), size, fps).map(Encoder::Gif),
            _ => {
                let writer = ApngWriter::new(out.clone(), size, frames as u32, fps, opaque);
                writer.map(Encoder::Apng)
            }
        };
        Ok(PictureWriter::Moving {
            encoder: Box::new(encoder.map_err(|error| out.failed(error, &self.path))?),
            out,
            path: self.path.clone(),
            what,
        })
    }
}

/// Target of an animation, shared because the encoder does not return it.
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

    /// Moves the temporary file to its path, after the encoder has released it.
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

pub enum Encoder {
    Apng(ApngWriter<Sink>),
    Gif(GifWriter<Sink>),
}

impl Encoder {
    fn add(&mut self, picture: Picture) -> io::Result<()> {
        match self {
            Self::Apng(writer) => writer.add(picture),
            Self::Gif(writer) => writer.add(&picture),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Apng(writer) => writer.finish(),
            Self::Gif(writer) => writer.finish(),
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
        encoder: Box<Encoder>,
        out: Sink,
        path: PathBuf,
        what: String,
    },
    Video(Box<Ffmpeg>, String),
    Raw,
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
                let mut out = outputs::create(&path)?;
                let done = encode(&mut out, &path, &picture).and_then(|()| out.finish());
                done.with_context(|| format!("cannot write {}", path.display()))?;
                *bytes += std::fs::metadata(&path).map_or(0, |file| file.len());
                Ok(())
            }
            Self::Moving {
                encoder, out, path, ..
            } => encoder
                .add(picture)
                .map_err(|error| out.failed(error, path)),
            Self::Video(ffmpeg, _) => ffmpeg.add(&picture),
            Self::Raw => {
                let written = io::stdout().write_all(picture.rgba());
                written.map_err(outputs::standard_output)
            }
        }
    }

    /// Finishes the file and reports it.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Moving {
                encoder,
                out,
                path,
                what,
            } => {
                let written = encoder.finish();
                let standard = matches!(out, Sink::Standard);
                written.and_then(|()| out.finish()).map_err(|error| {
                    if standard {
                        outputs::standard_output(error)
                    } else {
                        anyhow!(error).context(format!("cannot write {}", path.display()))
                    }
                })?;
                if !standard {
                    outputs::report_written(&path, &what);
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
                files::print_message(&format!(
                    "wrote {} to {}: {} of {}, {}",
                    first.display(),
                    last.display(),
                    files::counted(next, "picture"),
                    pixels(size),
                    outputs::size(bytes)
                ));
                Ok(())
            }
            Self::Video(ffmpeg, what) => {
                let path = ffmpeg.finish()?;
                outputs::report_written(&path, &what);
                Ok(())
            }
            Self::Raw => io::stdout().flush().map_err(outputs::standard_output),
            Self::One(_) => Ok(()),
        }
    }
}

/// Writes one picture in the format of its extension.
pub fn write(path: &Path, picture: &Picture) -> Result<()> {
    let what = format!(
        "a picture of {}",
        pixels([picture.width(), picture.height()])
    );
    outputs::write(path, &what, |out| encode(out, path, picture))
}

fn encode(out: &mut dyn Write, path: &Path, picture: &Picture) -> io::Result<()> {
    match Kind::of(path) {
        Kind::Jpeg => write_jpeg(out, picture, JPEG_QUALITY),
        Kind::Gif => {
            let mut writer = GifWriter::new(out, [picture.width(), picture.height()], 1.0)?;
            writer.add(picture)?;
            writer.finish()
        }
        _ => write_png(out, picture),
    }
}

fn pixels([width, height]: [u32; 2]) -> String {
    format!("{width} × {height} pixels")
}
