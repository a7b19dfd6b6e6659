//! Tests of document, state and session, without drawing.

mod background;
mod by_hand;
mod capture;
mod clock;
mod editing;
mod files;
mod keeping;
mod kept;
#[cfg(unix)]
mod killed;
#[cfg(target_os = "linux")]
mod large;
mod looking;
#[path = "../../../sinew-io/tests/made_c3d/mod.rs"]
mod made_c3d;
mod random;

use sinew::mesh::shapes;
use sinew::{Character, Mesh};
use sinew_view::{PlaybackCommand, Session};
use std::fs;
use std::path::PathBuf;

/// BVH header of three joints that rotate, at 30 frames per second.
const BVH: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 30 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Head
    {
      OFFSET 0 25 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0 18 0
      }
    }
  }
}
MOTION
Frames: 16
Frame Time: 0.0333333
";

fn bvh() -> String {
    let mut text = BVH.to_owned();
    for frame in 0..16 {
        let angle = 3 * frame;
        text += &format!("0 90 {frame} {angle} 0 0 0 {angle} 0 0 0 {angle}\n");
    }
    text
}

fn paused() -> Session {
    let mut session = Session::default();
    session.run(PlaybackCommand::Pause);
    session.advance(0.0);
    session
}

/// Paused session with a limb, which is built faster than the mannequin.
fn limb(folder: &Folder) -> Session {
    let mut session = Session::opening([folder.glb("limb.glb")]);
    assert!(session.document().files()[0].is_stand_in);
    settle(&mut session);
    session.run(PlaybackCommand::Pause);
    check(&session);
    session
}

#[track_caller]
fn check(session: &Session) {
    if let Err(problem) = session.state().check(session.document()) {
        panic!("{problem}");
    }
}

#[track_caller]
fn settle(session: &mut Session) {
    for _ in 0..6000 {
        session.advance(0.0);
        if !session.is_busy() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("still busy after half a minute");
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("sinew-view-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("a file");
        path
    }

    fn bvh(&self, name: &str) -> PathBuf {
        self.write(name, bvh().as_bytes())
    }

    fn glb(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        sinew_io::save(&path, &sinew_samples::tube_character()).expect("a file");
        path
    }

    fn bare(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        let mesh = Mesh {
            name: "ball".into(),
            primitives: vec![shapes::sphere(0.5, 12, 8)],
            ..Mesh::default()
        };
        sinew_io::save(&path, &Character::from_mesh(mesh)).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
