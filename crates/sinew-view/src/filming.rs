//! Writes pictures to files, one frame at a time, while the window continues to run.

use crate::document::Export;
use crate::painter::{Canvas, Painter, Quality};
use crate::session::Session;
use crate::state::PlaybackCommand;
use sinew_gpu::{ApngWriter, GifWriter, PendingPicture, Picture, write_png};
use sinew_io::Replacement;
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Still or animated picture that is being written.
#[derive(Debug)]
pub struct Filming {
    path: PathBuf,
    times_secs: Vec<f64>,
    next: usize,
    fps: f64,
    canvases: Vec<Canvas>,
    /// Picture of each pane that is being read, and the picture when it has arrived.
    coming: Vec<(PendingPicture, Option<Picture>)>,
    file: Option<Film>,
    /// Duration that was cut off at the end, in seconds.
    cut_secs: f64,
    before_secs: f64,
    was_playing: bool,
}

const MOVIE_LAYERS: u32 = 4;
const PICTURE_LAYERS: u32 = 16;

const MOVIE_FPS: f64 = 25.0;
const MAX_SECS: f64 = 600.0;

const MOVIE_PIXELS: f32 = 640.0 * 480.0;

impl Filming {
    /// Starts a picture. `panes` has the size of each pane in points, and its pixels per point.
    pub fn new(
        session: &mut Session,
        painter: &Painter,
        (what, path): (Export, PathBuf),
        panes: &[([f32; 2], f32)],
    ) -> Self {
        let state = session.state();
        let playback = &state.playback;
        let file = session.document().file(state.shown);
        let duration = file.map_or(0.0, |file| file.duration_secs(playback.clip));
        let [first, last] = playback.played_secs(duration);
        let length = last - first;
        let times_secs = match what {
            Export::Animation => {
                let count = (length.min(MAX_SECS) * MOVIE_FPS).round().max(1.0);
                let time = |frame: usize| first + frame as f64 / MOVIE_FPS;
                (0..count as usize).map(time).collect()
            }
            _ => vec![playback.time_secs],
        };
        let pixels: f32 = panes.iter().map(|(p, per)| p[0] * p[1] * per * per).sum();
        let scale = match what {
            Export::Animation => (MOVIE_PIXELS / pixels.max(1.0)).sqrt().min(1.0),
            _ => 1.0,
        };
        let gpu = painter.gpu();
        let filming = Self {
            path,
            times_secs,
            next: 0,
            fps: MOVIE_FPS,
            canvases: panes
                .iter()
                .map(|&(points, per_point)| Canvas::new(gpu, points, per_point * scale))
                .collect(),
            coming: Vec::new(),
            file: None,
            cut_secs: match what {
                Export::Animation => (length - MAX_SECS).max(0.0),
                _ => 0.0,
            },
            before_secs: playback.time_secs,
            was_playing: playback.is_playing,
        };
        session.run(PlaybackCommand::Pause);
        filming
    }

    /// Path of the picture file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of frames that were drawn.
    pub fn drawn(&self) -> usize {
        self.next
    }

    /// Completed fraction, in [0, 1].
    pub fn fraction(&self) -> f32 {
        self.next as f32 / self.times_secs.len().max(1) as f32
    }

    /// Restores the time and playback that the session had before the picture was started.
    pub fn restore(&self, session: &mut Session) {
        session.run(PlaybackCommand::Seek {
            time_secs: self.before_secs,
        });
        if self.was_playing {
            session.run(PlaybackCommand::Play);
        }
    }

    /// Takes the frame that was drawn last, once it has arrived from the GPU, and draws the next one. Returns a message
    /// after the last frame, or after a failure.
    pub fn step(
        &mut self,
        session: &mut Session,
        painter: &mut Painter,
    ) -> Option<Result<String, String>> {
        let outcome = match self.go_on(session, painter) {
            Ok(false) => return None,
            Ok(true) => Ok(()),
            Err(why) => Err(why),
        };
        self.restore(session);
        let file = self.file.take();
        let finished = outcome.and_then(|()| file.map_or(Ok(()), Film::finish));
        Some(finished.map(|()| match self.cut_secs {
            cut if cut > 0.0 => {
                format!("written without the last {cut:.0} s: the max is {MAX_SECS} s")
            }
            _ => "written".to_owned(),
        }))
    }

    /// True if all frames are written.
    fn go_on(&mut self, session: &mut Session, painter: &mut Painter) -> Result<bool, String> {
        for (coming, arrived) in &mut self.coming {
            if arrived.is_none() {
                *arrived = coming.take(painter.gpu()).map_err(|e| e.to_string())?;
            }
        }
        if self.coming.iter().any(|(_, arrived)| arrived.is_none()) {
            return Ok(false);
        }
        let panes: Vec<Picture> = self.coming.drain(..).filter_map(|(_, p)| p).collect();
        if self.next > 0 {
            self.add(&panes)?;
        }
        let Some(&time_secs) = self.times_secs.get(self.next) else {
            return Ok(true);
        };
        self.next += 1;
        session.run(PlaybackCommand::Seek { time_secs });
        self.draw(session, painter)?;
        Ok(false)
    }

    fn add(&mut self, panes: &[Picture]) -> Result<(), String> {
        let whole = Picture::beside(panes, 2, [0, 0, 0, 255]);
        let picture = whole.ok_or_else(|| "there is no picture".to_owned())?;
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let frames = self.times_secs.len() as u32;
                none.insert(Film::new(&self.path, &picture, frames, self.fps)?)
            }
        };
        file.add(picture)
    }

    fn draw(&mut self, session: &mut Session, painter: &mut Painter) -> Result<(), String> {
        let layers = match self.times_secs.len() {
            1 => PICTURE_LAYERS,
            _ => MOVIE_LAYERS,
        };
        let quality = Quality {
            layers,
            now: 0..layers,
        };
        for (pane, canvas) in self.canvases.iter().enumerate() {
            let drawn = painter.draw(session, pane, canvas, &quality);
            drawn.map_err(|e| e.to_string())?;
            let coming = canvas.read_later(painter.gpu());
            self.coming.push((coming.map_err(|e| e.to_string())?, None));
        }
        Ok(())
    }
}

/// Picture file that receives frames one by one. Its extension selects the format.
struct Film {
    encoder: Encoder,
    sink: Sink,
}

impl std::fmt::Debug for Film {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Film").finish_non_exhaustive()
    }
}

enum Encoder {
    Gif(GifWriter<Sink>),
    Apng(ApngWriter<Sink>),
    Png(Sink),
}

/// Writer that is shared with the encoder, which does not return it.
#[derive(Clone, Debug)]
struct Sink(Rc<RefCell<Replacement>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl Film {
    fn new(path: &Path, first: &Picture, frames: u32, fps: f64) -> Result<Self, String> {
        let file = Replacement::new(path).map_err(|e| e.to_string())?;
        let sink = Sink(Rc::new(RefCell::new(file)));
        let size = [first.width(), first.height()];
        let is_gif = path.extension().is_some_and(|e| e == "gif");
        let encoder = match (is_gif, frames) {
            (true, _) => GifWriter::new(sink.clone(), size, fps).map(Encoder::Gif),
            (false, 1) => Ok(Encoder::Png(sink.clone())),
            (false, _) => ApngWriter::new(sink.clone(), size, frames, fps, true).map(Encoder::Apng),
        };
        let encoder = encoder.map_err(|e| e.to_string())?;
        Ok(Self { encoder, sink })
    }

    fn add(&mut self, picture: Picture) -> Result<(), String> {
        let added = match &mut self.encoder {
            Encoder::Gif(writer) => writer.add(&picture),
            Encoder::Apng(writer) => writer.add(picture),
            Encoder::Png(sink) => write_png(sink, &picture),
        };
        added.map_err(|e| e.to_string())
    }

    fn finish(self) -> Result<(), String> {
        let ended = match self.encoder {
            Encoder::Gif(writer) => writer.finish(),
            Encoder::Apng(writer) => writer.finish(),
            Encoder::Png(sink) => {
                drop(sink);
                Ok(())
            }
        };
        ended.map_err(|e| e.to_string())?;
        let file = Rc::into_inner(self.sink.0).ok_or("it is still being written")?;
        file.into_inner().finish().map_err(|e| e.to_string())
    }
}
