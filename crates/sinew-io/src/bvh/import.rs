use std::path::Path;

use glam::Vec3;
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::Axis;
use sinew::{Character, Clip, Joint, Node, Skeleton, Transform};

use super::channel::Channel;
use super::error::BvhError;
use super::hierarchy::{self, Hierarchy, repaired};
use super::memory::Memory;
use super::motion;
use super::text::Text;
use crate::report::{FileReport, Severity};

/// The contents of a BVH file.
#[derive(Clone, Debug)]
pub struct BvhImport {
    /// A skeleton, a node for every joint of the file, and a clip if the file has frames.
    pub character: Character,
    /// Repairs and omissions.
    pub report: FileReport,
}

const UNNAMED_CLIP: &str = "motion";

/// Reads a `.bvh` file. The clip is named after the file.
///
/// # Errors
/// [`BvhError`] states the fault, its location and a remedy.
pub fn import(path: impl AsRef<Path>) -> Result<BvhImport, BvhError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|source| BvhError::Io {
        path: path.to_owned(),
        source,
    })?;
    import_named(&bytes, Some(path))
}

/// Reads the bytes of a `.bvh` file.
///
/// ```
/// use glam::Vec3;
/// let file = b"HIERARCHY ROOT Hip { OFFSET 0 9 0 CHANNELS 1 Xposition }
///     MOTION Frames: 2 Frame Time: 0.5
///     1
///     2";
/// let import = sinew_io::bvh::import_bytes(file)?;
/// let moved = sinew::deform(&import.character, Some(0), 0.25, sinew::Method::Linear)?;
/// assert_eq!(moved.node_worlds[0].transform_point(Vec3::ZERO), Vec3::new(1.5, 9.0, 0.0));
/// assert!(import.report.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BvhError`] states the fault, its location and a remedy.
pub fn import_bytes(bytes: &[u8]) -> Result<BvhImport, BvhError> {
    import_named(bytes, None)
}

pub(crate) fn looks_like_bvh(bytes: &[u8]) -> bool {
    let mut text = Text::new(bytes);
    text.skip_space();
    text.word().eq_ignore_ascii_case(b"HIERARCHY")
}

pub(crate) fn import_named(bytes: &[u8], path: Option<&Path>) -> Result<BvhImport, BvhError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(BvhError::Utf16);
    }
    let mut report = FileReport::default();
    let mut memory = Memory::for_file(bytes.len());
    let mut text = Text::new(bytes);
    let hierarchy = hierarchy::read(&mut text, &mut memory, &mut report)?;
    let clip = if hierarchy.has_motion {
        motion::read(&mut text, &hierarchy, &mut memory, &mut report)?
    } else {
        None
    };
    report_tallies(&text, &mut report);
    let stem = path.and_then(Path::file_stem);
    let name = stem.map_or_else(|| UNNAMED_CLIP.into(), |stem| stem.to_string_lossy());
    let character = character(hierarchy, clip, &name)?;
    Ok(BvhImport { character, report })
}

fn report_tallies(text: &Text<'_>, report: &mut FileReport) {
    let commas = text.decimal_commas;
    if commas.count > 0 {
        let count = commas.count;
        let message = format_args!("{count} numbers have a decimal comma; the first is here");
        repaired(report, "DECIMAL_COMMA", commas.first_line, message);
    }
    let comments = text.comments;
    if comments.count > 0 {
        let count = comments.count;
        let location = format_args!("line {}", comments.first_line);
        let message = format_args!(
            "{count} comments were skipped, which are not part of BVH; the first is here"
        );
        report.add(Severity::Note, "COMMENTS", location, message);
    }
}

fn character(
    hierarchy: Hierarchy,
    clip: Option<Clip>,
    clip_name: &str,
) -> Result<Character, BvhError> {
    let freedoms = freedoms(&hierarchy);
    let roots = hierarchy.joints.iter().filter(|j| j.parent.is_none());
    // A file with several roots gets a new root above them. The new root has no node.
    let above = usize::from(roots.count() > 1);
    let mut joints = Vec::with_capacity(hierarchy.joints.len() + above);
    if above > 0 {
        joints.push(Joint::new("root", None, Transform::IDENTITY));
    }
    let mut nodes = Vec::with_capacity(hierarchy.joints.len());
    for (index, (joint, freedom)) in hierarchy.joints.into_iter().zip(freedoms).enumerate() {
        let rest = Transform::from_translation(Vec3::from_array(joint.offset.map(|c| c as f32)));
        nodes.push(Node {
            name: joint.name.clone(),
            parent: joint.parent,
            parent_from_node: rest.to_affine(),
            joint: Some(index + above),
            mesh: None,
            skin: None,
            morph_weights: Vec::new(),
            light: None,
        });
        let parent = match joint.parent {
            Some(parent) => Some(parent + above),
            None => (above > 0).then_some(0),
        };
        joints.push(Joint::new(joint.name, parent, rest).with_freedom(freedom));
    }
    let (skeleton, _) = Skeleton::new(joints)?;
    let mut character = Character::from_skeleton(skeleton);
    character.nodes = nodes;
    character.clips.extend(clip.map(|clip| Clip {
        name: clip_name.to_owned(),
        ..clip
    }));
    for tracks in character.clips.iter_mut().flat_map(|clip| &mut clip.joints) {
        tracks.joint += above;
    }
    Ok(character)
}

fn freedoms(hierarchy: &Hierarchy) -> Vec<Freedom> {
    let fixed = Freedom {
        rotation: RotationLimit::Fixed,
        ..Freedom::default()
    };
    let mut freedoms = vec![fixed; hierarchy.joints.len()];
    for &(joint, channel) in &hierarchy.channels {
        let Freedom {
            rotation: limit,
            slides,
            ..
        } = &mut freedoms[joint];
        match channel {
            Channel::Position(axis) => slides[axis.index()] = true,
            Channel::Rotation(axis) => *limit = with_rotation(limit, axis),
            Channel::Scale(_) | Channel::Unknown => {}
        }
    }
    freedoms
}

fn with_rotation(limit: &RotationLimit, axis: Axis) -> RotationLimit {
    let range = AngleRange::FULL;
    match limit {
        RotationLimit::Fixed => RotationLimit::Hinge {
            axis: axis.vector(),
            range,
        },
        RotationLimit::Hinge { axis: same, .. } if *same == axis.vector() => limit.clone(),
        RotationLimit::Hinge { axis: outer, .. } => {
            let outer = [Axis::X, Axis::Y]
                .into_iter()
                .find(|a| a.vector() == *outer);
            RotationLimit::Saddle {
                axes: [outer.unwrap_or(Axis::Z), axis],
                ranges: [range; 2],
            }
        }
        _ => RotationLimit::Free,
    }
}
