//! Pictures written to files while the window goes on, a frame at a time.

use crate::document::Export;
use crate::painter::{Canvas, Painter, Quality};
use crate::session::Session;
use crate::state::Command;
use sinew_gpu::{ApngWriter, GifWriter, Picture, write_png};
use sinew_io::Replacement;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A picture, or a moving one, on its way to a file.
#[derive(Debug)]
pub struct Filming {
    path: PathBuf,
    times_secs: Vec<f64>,
    next: usize,
    fps: f64,
    canvases: Vec<Canvas>,
    pictures: Vec<Picture>,
    /// What the session goes back to.
    before_secs: f64,
    was_playing: bool,
}

/// Layers of a picture that moves, and of one that does not.
const MOVIE_LAYERS: u32 = 4;
const PICTURE_LAYERS: u32 = 16;

/// The most frames of a moving picture, and how many a second has.
const MAX_FRAMES: usize = 600;
const MOVIE_FPS: f64 = 25.0;

/// How many pixels a moving picture has at most.
const MOVIE_PIXELS: f32 = 640.0 * 480.0;

impl Filming {
    /// Begins. `panes` are their sizes in points and how many pixels a point has.
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
        let [first, last] = playback.range_secs.unwrap_or([0.0, duration]);
        let times_secs = match what {
            Export::Animation => {
                let count = ((last - first) * MOVIE_FPS)
                    .round()
                    .clamp(1.0, MAX_FRAMES as f64);
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
            pictures: Vec::new(),
            before_secs: playback.time_secs,
            was_playing: playback.is_playing,
        };
        session.run(&Command::Pause);
        filming
    }

    /// Where it goes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How much of it is done, 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.next as f32 / self.times_secs.len().max(1) as f32
    }

    /// Leaves the session as it was before.
    pub fn restore(&self, session: &mut Session) {
        session.run(&Command::Seek {
            time_secs: self.before_secs,
        });
        if self.was_playing {
            session.run(&Command::Play);
        }
    }

    /// Goes on by one frame. When it is done, how it ended.
    pub fn step(
        &mut self,
        session: &mut Session,
        painter: &mut Painter,
    ) -> Option<Result<(), String>> {
        if let Some(&time_secs) = self.times_secs.get(self.next) {
            session.run(&Command::Seek { time_secs });
            match self.take(session, painter) {
                Ok(picture) => self.pictures.push(picture),
                Err(why) => {
                    self.restore(session);
                    return Some(Err(why));
                }
            }
            self.next += 1;
        }
        if self.next < self.times_secs.len() {
            return None;
        }
        self.restore(session);
        let pictures = std::mem::take(&mut self.pictures);
        Some(written(&self.path, pictures, self.fps))
    }

    /// All panes, side by side.
    fn take(&self, session: &mut Session, painter: &mut Painter) -> Result<Picture, String> {
        let layers = match self.times_secs.len() {
            1 => PICTURE_LAYERS,
            _ => MOVIE_LAYERS,
        };
        let quality = Quality {
            layers,
            now: 0..layers,
        };
        let mut pictures = Vec::new();
        for (pane, canvas) in self.canvases.iter().enumerate() {
            let drawn = painter.draw(session, pane, canvas, &quality);
            drawn.map_err(|e| e.to_string())?;
            let picture = canvas.read(painter.gpu()).map_err(|e| e.to_string())?;
            pictures.push(picture);
        }
        let whole = Picture::beside(&pictures, 2, [0, 0, 0, 255]);
        whole.ok_or_else(|| "there is no picture".to_owned())
    }
}

/// All pictures into one file, by its ending.
fn written(path: &Path, pictures: Vec<Picture>, fps: f64) -> Result<(), String> {
    let Some(first) = pictures.first() else {
        return Err("there is no picture".to_owned());
    };
    let size = [first.width(), first.height()];
    let count = pictures.len() as u32;
    let mut bytes = Vec::new();
    let is_gif = path.extension().is_some_and(|e| e == "gif");
    let encoded = match (is_gif, count) {
        (true, _) => GifWriter::new(&mut bytes, size, fps).and_then(|mut writer| {
            pictures.iter().try_for_each(|p| writer.add(p))?;
            writer.finish()
        }),
        (false, 1) => write_png(&mut bytes, first),
        (false, _) => ApngWriter::new(&mut bytes, size, count, fps, true).and_then(|mut writer| {
            pictures.into_iter().try_for_each(|p| writer.add(p))?;
            writer.finish()
        }),
    };
    encoded.map_err(|e| e.to_string())?;
    let written = Replacement::new(path).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.finish()
    });
    written.map_err(|e| e.to_string())
}
