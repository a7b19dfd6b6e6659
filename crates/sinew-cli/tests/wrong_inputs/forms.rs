//! Unreadable inputs, and outputs that cannot be written.

use super::{fault, inputs, verb};
use crate::program::folder;

/// A valid command; tests replace IN and OUT.
pub(super) struct Form {
    pub(super) words: &'static str,
    /// A valid IN.
    right: &'static str,
    /// A file of another kind.
    other: &'static str,
}

const fn form(words: &'static str, right: &'static str, other: &'static str) -> Form {
    Form {
        words,
        right,
        other,
    }
}

/// All inputs and outputs of every verb.
pub(super) const FORMS: [Form; 31] = [
    form("info IN", "tube.glb", "markers.c3d"),
    form("skin IN -o OUT.obj", "tube.glb", "markers.c3d"),
    form("skin IN -o OUT.glb", "tube.glb", "markers.c3d"),
    form("render IN --size 8x8 -o OUT.png", "tube.glb", "markers.c3d"),
    form("sample IN -o OUT.csv", "tube.glb", "markers.c3d"),
    form("plot IN -o OUT.svg", "tube.glb", "markers.c3d"),
    form("weights IN", "tube.glb", "markers.c3d"),
    form(
        "weights tube.glb --vertex 0 --set upper=0.5 -o OUT.glb",
        "",
        "",
    ),
    form(
        "ik IN --chain lower..upper --goal 0,1,0 -o OUT.glb",
        "tube.glb",
        "markers.c3d",
    ),
    form("limits IN --clear -o OUT.glb", "tube.glb", "markers.c3d"),
    form("bind IN -o OUT.glb", "still.glb", "markers.c3d"),
    form("bind still.glb IN -o OUT.glb", "tube.glb", "markers.c3d"),
    form(
        "bind still.glb --template biped --joints IN -o OUT.glb",
        "joints.json",
        "tube.glb",
    ),
    form(
        "bind still.glb --template chain --save-joints OUT.json -o x.glb",
        "",
        "",
    ),
    form("measure IN", "tube.glb", "markers.c3d"),
    form("mocap IN -o OUT.glb", "markers.c3d", "tube.glb"),
    form(
        "mocap markers.c3d --onto IN -o OUT.glb",
        "tube.glb",
        "markers.c3d",
    ),
    form(
        "mocap markers.c3d --markers IN -o OUT.glb",
        "set.json",
        "tube.glb",
    ),
    form(
        "mocap markers.c3d --static IN -o OUT.glb",
        "markers.c3d",
        "tube.glb",
    ),
    form(
        r#"edit IN --edit {"do":"reverse_clip","clip":0} -o OUT.glb"#,
        "tube.glb",
        "markers.c3d",
    ),
    form("clip IN -o OUT.glb", "tube.glb", "markers.c3d"),
    form(
        "clip tube.glb --take IN -o OUT.glb",
        "tube.glb",
        "markers.c3d",
    ),
    form("convert IN -o OUT.gltf", "tube.glb", "markers.c3d"),
    form("compress IN -o OUT.sinew", "tube.glb", "markers.c3d"),
    form(
        "retarget IN --onto mannequin.glb -o OUT.glb",
        "tube.glb",
        "markers.c3d",
    ),
    form(
        "retarget mannequin.glb --onto IN -o OUT.glb",
        "tube.glb",
        "markers.c3d",
    ),
    form(
        "retarget tube.glb --onto tube.glb --map IN -o OUT.glb",
        "map.json",
        "tube.glb",
    ),
    form("clean IN -o OUT.glb", "tube.glb", "markers.c3d"),
    form("batch IN", "set.json", "tube.glb"),
    form("demo --no-pictures -o OUT.folder", "", ""),
    form(
        "view --script IN --size 64x64 --screenshot OUT.png",
        "steps.json",
        "tube.glb",
    ),
];

#[test]
fn what_cannot_be_read_is_refused_in_a_line_that_names_it() {
    let folder = folder("wrong_in");
    inputs(&folder);
    let mut faults = Vec::new();
    for form in FORMS.iter().filter(|form| form.words.contains("IN")) {
        for wrong in [
            "missing.glb",
            "no/such/folder/missing.bvh",
            "a-folder",
            "empty",
            "empty.glb",
            "empty.bvh",
            "picture",
            "picture.glb",
            form.other,
        ] {
            let command = form.words.replace("IN", wrong).replace("OUT", "x");
            faults.extend(fault(&folder, &command, &[wrong]));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Paths that refuse even root: below a file, read-only, missing, and taken by a folder.
#[test]
fn where_nothing_can_be_written_is_refused_in_a_line_that_names_it() {
    let folder = folder("wrong_out");
    inputs(&folder);
    let mut faults = Vec::new();
    for form in FORMS.iter().filter(|form| form.words.contains("OUT")) {
        for wrong in ["tube.glb/x", "/proc/x", "no/such/folder/x", "taken"] {
            // The demo creates this folder.
            if verb(form.words) == "demo" && wrong.starts_with("no/") {
                continue;
            }
            let command = form.words.replace("OUT", wrong).replace("IN", form.right);
            faults.extend(fault(&folder, &command, &[wrong]));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
