//! Videos, written by the program ffmpeg.

use super::kind::Kind;
use crate::outputs;
use anyhow::{Context, Result, anyhow, bail};
use sinew_gpu::Picture;
use sinew_io::Replacement;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;

/// Checks that ffmpeg runs and that its output can be written.
pub fn check(path: &Path, size: [u32; 2], fps: f64) -> Result<()> {
    let mut version = Command::new("ffmpeg");
    version.arg("-version").stdin(Stdio::null());
    version.stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = version.status() {
        return Err(not_started(&error, path, size, fps));
    }
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        bail!("cannot write {}: a video must go to a file", path.display());
    }
    Ok(())
}

fn not_started(
    error: &std::io::Error,
    path: &Path,
    [width, height]: [u32; 2],
    fps: f64,
) -> anyhow::Error {
    let why = match error.kind() {
        ErrorKind::NotFound => "which is not on the path".to_owned(),
        _ => format!("which does not start ({error})"),
    };
    anyhow!(
        "{} needs the program ffmpeg, {why}; install it, choose .gif or .png, or write raw frames with \
         `sinew render … --fps {fps} --raw -o - > frames.rgba` and encode them on another machine with `ffmpeg -f rawvideo \
         -pix_fmt rgba -s {width}x{height} -r {fps} -i frames.rgba film.mp4`",
        path.display()
    )
}

/// A running ffmpeg that writes a temporary file next to the target.
pub struct Ffmpeg {
    child: Child,
    input: Option<ChildStdin>,
    stderr_text: Option<JoinHandle<String>>,
    file: Option<Replacement>,
    target: PathBuf,
}

impl Ffmpeg {
    pub fn new(path: &Path, kind: Kind, size: [u32; 2], fps: f64, opaque: bool) -> Result<Self> {
        let file = outputs::create(path)?;
        let Some(beside) = file.temporary().map(Path::to_owned) else {
            bail!("cannot write {}: a video must go to a file", path.display());
        };
        let [width, height] = size;
        let mut command = Command::new("ffmpeg");
        command
            .args(["-hide_banner", "-loglevel", "error", "-y"])
            .args(["-f", "rawvideo", "-pix_fmt", "rgba"])
            .args(["-s", &format!("{width}x{height}"), "-r", &fps.to_string()])
            .args(["-i", "pipe:0", "-an"])
            .args(codec(kind, opaque))
            // The temporary name does not have the extension of a video.
            .args(["-f", if kind == Kind::Webm { "webm" } else { "mp4" }])
            .arg(&beside)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let started = command.spawn();
        let mut child = started.map_err(|error| not_started(&error, path, size, fps))?;
        let stderr_text = child.stderr.take().map(|mut stderr| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                let _ = stderr.read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            })
        });
        Ok(Self {
            input: child.stdin.take(),
            child,
            stderr_text,
            file: Some(file),
            target: path.to_owned(),
        })
    }

    pub fn add(&mut self, picture: &Picture) -> Result<()> {
        let written = match &mut self.input {
            Some(input) => input.write_all(picture.rgba()),
            None => Ok(()),
        };
        // ffmpeg stopped reading. Its message has the reason.
        written.map_err(|_| self.failure())
    }

    /// Waits for ffmpeg and renames the file to the target.
    pub fn finish(mut self) -> Result<PathBuf> {
        drop(self.input.take());
        let status = self.child.wait().context("cannot wait for ffmpeg")?;
        if !status.success() {
            return Err(self.failure());
        }
        let renamed = self.file.take().map_or(Ok(()), Replacement::finish);
        renamed.with_context(|| format!("cannot write {}", self.target.display()))?;
        Ok(self.target.clone())
    }

    fn failure(&mut self) -> anyhow::Error {
        drop(self.input.take());
        let ended = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let stderr_text = self
            .stderr_text
            .take()
            .and_then(|stderr_text| stderr_text.join().ok());
        let stderr_text = stderr_text.unwrap_or_default();
        let words: Vec<&str> = stderr_text
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .collect();
        let words = match words.last() {
            Some(last) => format!("{last} ({ended})"),
            None => ended,
        };
        anyhow!("ffmpeg could not write {}: {words}", self.target.display())
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn codec(kind: Kind, opaque: bool) -> Vec<&'static str> {
    let colors = ["-colorspace", "bt709", "-color_primaries", "bt709"];
    // H.264 needs an even number of pixels per side, so a row or column is cropped.
    let cut = "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709";
    let filter = match kind {
        Kind::Webm => "scale=out_color_matrix=bt709",
        _ => cut,
    };
    let codec: &[&str] = match (kind, opaque) {
        (Kind::Webm, false) => &[
            "-c:v",
            "libvpx-vp9",
            "-pix_fmt",
            "yuva420p",
            "-auto-alt-ref",
            "0",
        ],
        (Kind::Webm, true) => &["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p"],
        _ => &[
            "-c:v",
            "libx264",
            "-pix_fmt",
            "yuv420p",
            "-movflags",
            "+faststart",
        ],
    };
    let quality: &[&str] = match kind {
        Kind::Webm => &["-crf", "24", "-b:v", "0"],
        _ => &["-crf", "17"],
    };
    [&["-vf", filter][..], codec, quality, &colors].concat()
}
