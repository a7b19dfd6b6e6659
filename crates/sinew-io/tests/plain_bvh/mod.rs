#![allow(
    dead_code,
    reason = "every test file uses some of these and none uses all"
)]

use glam::Vec3;
use sinew::{Method, deform};
use sinew_io::bvh::{BvhImport, import_bytes};

pub const HIERARCHY: &str = "\
HIERARCHY
ROOT Hips
{
  OFFSET 0 10 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Arm
  {
    OFFSET 5 -0.5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 3 0 0
    }
  }
}
";

pub const MOTION: &str = "\
MOTION
Frames: 2
Frame Time: 0.5
-1 2.5 -3 0 0 0 0 0 0
-1 2.5 -3 90 -0 0 90 0 0
";

pub fn plain() -> String {
    format!("{HIERARCHY}{MOTION}")
}

/// The plain file with one replacement.
#[track_caller]
pub fn plain_with(from: &str, to: &str) -> String {
    let plain = plain();
    assert!(plain.contains(from), "{from}");
    plain.replace(from, to)
}

#[track_caller]
pub fn read(text: impl AsRef<[u8]>) -> BvhImport {
    match import_bytes(text.as_ref()) {
        Ok(import) => import,
        Err(refusal) => panic!("{refusal}\n{}", String::from_utf8_lossy(text.as_ref())),
    }
}

/// The findings, as `severity line code`.
pub fn findings(import: &BvhImport) -> Vec<String> {
    let findings = import.report.findings.iter();
    findings
        .map(|f| {
            let line = f.pointer.strip_prefix("line ").expect("a line");
            format!("{} {line} {}", f.severity, f.code)
        })
        .collect()
}

/// Position of a node at a frame of the plain file.
pub fn position(import: &BvhImport, node: usize, frame: usize) -> Vec3 {
    let time = 0.5 * frame as f64;
    let moved = deform(&import.character, Some(0), time, Method::Linear).expect("it moves");
    moved.node_worlds[node].transform_point(Vec3::ZERO)
}

#[track_caller]
pub fn assert_near(found: Vec3, wanted: [f32; 3]) {
    let wanted = Vec3::from_array(wanted);
    assert!((found - wanted).length() < 1e-5, "{found} is not {wanted}");
}
