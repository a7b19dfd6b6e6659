//! Known quirks of programs that write files, and how the import handles them.

use crate::import::{Format, Import};
use sinew::{Clip, Skeleton, Track};

/// Quirk of files that a program wrote, or of files with the joint names of that program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quirk {
    /// The program that the quirk belongs to.
    pub of: &'static str,
    /// The quirk, and how the import handles it.
    pub what: &'static str,
}

struct Known {
    quirk: Quirk,
    shows: fn(&Signs<'_>) -> bool,
}

struct Signs<'a> {
    format: Option<Format>,
    exporter: &'a str,
    skeleton: &'a Skeleton,
    import: &'a Import,
}

impl Signs<'_> {
    fn is(&self, format: Format) -> bool {
        self.format == Some(format)
    }

    fn by(&self, program: &str) -> bool {
        self.exporter.contains(program)
    }

    fn has_joints(&self, names: &[&str]) -> bool {
        let has = |name: &&str| self.skeleton.find(name).is_some();
        names.iter().all(has)
    }

    fn any_joint(&self, is: impl Fn(&str) -> bool) -> bool {
        (0..self.skeleton.len()).any(|joint| is(self.skeleton.name(joint)))
    }

    fn has_finding(&self, code: &str) -> bool {
        let mut findings = self.import.report.findings.iter();
        findings.any(|finding| finding.code == code)
    }
}

fn is_from_cmu(signs: &Signs<'_>) -> bool {
    signs.is(Format::Bvh) && signs.has_joints(&["LHipJoint", "RHipJoint", "LThumb"])
}

const KNOWN: &[Known] = &[
    Known {
        quirk: Quirk {
            of: "Mixamo",
            what: "joint names begin with mixamorig; retargeting ignores this prefix",
        },
        shows: |signs| signs.any_joint(|name| name.starts_with("mixamorig")),
    },
    Known {
        quirk: Quirk {
            of: "FBX",
            what: "lengths are not in metres; all were converted, and no node has a scale for the unit",
        },
        shows: |signs| signs.has_finding("FBX_UNIT"),
    },
    Known {
        quirk: Quirk {
            of: "FBX",
            what: "the up axis is not y; the whole scene was rotated",
        },
        shows: |signs| signs.has_finding("FBX_AXES"),
    },
    Known {
        quirk: Quirk {
            of: "Blender",
            what: "the armature object is the parent of the bones; it is imported as a joint",
        },
        shows: |signs| signs.by("Blender") && signs.any_joint(|name| name.starts_with("Armature")),
    },
    Known {
        quirk: Quirk {
            of: "Blender",
            what: "joints whose names end in _end mark the ends of bones; binding gives them no weights",
        },
        shows: |signs| signs.by("Blender") && signs.any_joint(|name| name.ends_with("_end")),
    },
    Known {
        quirk: Quirk {
            of: "COLLADA2GLTF",
            what: "a root node Z_UP rotates the model upright; it is imported as a joint",
        },
        shows: |signs| signs.is(Format::Gltf) && signs.has_joints(&["Z_UP"]),
    },
    Known {
        quirk: Quirk {
            of: "Sketchfab",
            what: "parent nodes rotate and scale the model; parents of joints are imported as joints",
        },
        shows: |signs| {
            let mut nodes = signs.import.character.nodes.iter();
            signs.by("Sketchfab") || nodes.any(|node| node.name == "Sketchfab_model")
        },
    },
    Known {
        quirk: Quirk {
            of: "obj2gltf",
            what: "OBJ files have no skeleton; `sinew bind` fits one",
        },
        shows: |signs| signs.by("obj2gltf"),
    },
    Known {
        quirk: Quirk {
            of: "gltfpack",
            what: "nodes have no names, unless gltfpack was run with -kn; retargeting matches them by the hierarchy",
        },
        shows: |signs| signs.by("gltfpack"),
    },
    Known {
        quirk: Quirk {
            of: "CMU's library, as converted for MotionBuilder",
            what: "one unit is 0.0564 m, which --scale auto detects; the first frame is a T pose",
        },
        shows: is_from_cmu,
    },
    Known {
        quirk: Quirk {
            of: "Poser and DAZ Studio",
            what: "joints have the program's own names (hip, abdomen, lCollar); retargeting recognises them",
        },
        shows: |signs| signs.is(Format::Bvh) && signs.has_joints(&["hip", "abdomen", "lCollar"]),
    },
    Known {
        quirk: Quirk {
            of: "Biovision",
            what: "joints have the program's own names (LeftCollar, LeftHip, LeftKnee); retargeting recognises them",
        },
        shows: |signs| {
            signs.is(Format::Bvh) && signs.has_joints(&["LeftCollar", "LeftHip", "LeftKnee"])
        },
    },
];

/// Finds known quirks of an imported file.
///
/// ```
/// let import = sinew_io::import_bytes(b"HIERARCHY ROOT mixamorig:Hips { OFFSET 0 0 0 }")?;
/// assert_eq!(sinew_io::quirks(&import)[0].of, "Mixamo");
/// # Ok::<(), sinew_io::ImportError>(())
/// ```
pub fn quirks(import: &Import) -> Vec<Quirk> {
    let signs = signs(import);
    let known = KNOWN.iter().filter(|known| (known.shows)(&signs));
    known.map(|known| known.quirk).collect()
}

/// Time of the second frame of a clip, in seconds, if the first frame is a T pose for calibration,
/// as in the converted CMU library. A T pose has the hips and over half of the joints at rest, and
/// more joints at rest than the second frame. `None` for other clips.
pub fn motion_start_secs(import: &Import, clip: &Clip) -> Option<f32> {
    let skeleton = &import.character.skeleton;
    let rotations = clip
        .joints
        .iter()
        .filter(|tracks| tracks.joint < skeleton.len());
    let rotations = rotations.filter_map(|tracks| Some((tracks.joint, tracks.rotation.as_ref()?)));
    let rotations: Vec<(usize, &Track)> = rotations.filter(|(_, track)| track.keys() > 1).collect();
    let rests = |(joint, track): &(usize, &Track), key: usize| {
        let rest = skeleton.rest().get(*joint).rotation.to_array();
        track.width() == 4
            && rest
                .iter()
                .zip(track.key(key))
                .all(|(a, b)| (a - b).abs() < 1e-4)
    };
    let resting = |key| rotations.iter().filter(|r| rests(r, key)).count();
    let (root, first) = rotations.first()?;
    let is_calibration = is_from_cmu(&signs(import))
        && rests(&(*root, first), 0)
        && 2 * resting(0) > rotations.len()
        && 2 * resting(1) <= rotations.len();
    is_calibration.then(|| first.times()[1])
}

fn signs(import: &Import) -> Signs<'_> {
    Signs {
        format: import.format,
        exporter: import.exporter.as_deref().unwrap_or_default(),
        skeleton: &import.character.skeleton,
        import,
    }
}
