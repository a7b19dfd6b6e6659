//! Messages of `sinew bind` about joints without weights and about suspicious weights.

use crate::files::{self, counted};
use serde::Serialize;
use sinew::Character;
use sinew_rig::find::Finding;
use sinew_rig::weights::{
    BindReport, BindWarning, ClothPiece, SurfacePiece, TrialMotion, Unweighted,
};
use std::collections::BTreeMap;

const NAMED: usize = 6;
const PIECES: usize = 4;

/// A joint that moves no vertices.
#[derive(Serialize)]
pub struct UnweightedJoint {
    name: String,
    why: &'static str,
    #[serde(skip)]
    quiet: bool,
}

/// A kind of warning, for --fail-if.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Kind {
    /// A joint moves most of the surface
    OneJoint,
    /// A piece of the mesh follows a joint that is far away
    Far,
    /// The rotation of a joint tears edges of the mesh
    Torn,
    /// The rotation of a joint loses much of the volume around it
    Volume,
    /// A bone is partly outside the mesh
    Outside,
    /// Left and right limbs cross
    Crossed,
    /// Left and right bones differ in length
    Sides,
    /// The shoulders or the neck are in the head
    Head,
    /// The skeleton is much smaller or larger than the mesh
    Size,
    /// The mesh stands on more legs than the skeleton
    Legs,
    /// Much of the body is far from every bone
    Boneless,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::OneJoint => "one-joint",
            Self::Far => "far",
            Self::Torn => "torn",
            Self::Volume => "volume",
            Self::Outside => "outside",
            Self::Crossed => "crossed",
            Self::Sides => "sides",
            Self::Head => "head",
            Self::Size => "size",
            Self::Legs => "legs",
            Self::Boneless => "boneless",
        }
    }

    /// Kind of a finding about the skeleton in the mesh.
    fn of(finding: &Finding) -> Self {
        match finding {
            Finding::LimbsCross { .. } => Self::Crossed,
            Finding::SidesDiffer { .. } => Self::Sides,
            Finding::HeadLarge { .. } => Self::Head,
            Finding::OtherSize { .. } => Self::Size,
            Finding::MoreLegs { .. } => Self::Legs,
            Finding::Boneless { .. } => Self::Boneless,
            _ => Self::Outside,
        }
    }
}

/// Texts of the warnings that have one of `kinds`.
pub fn failures<'a>(warnings: &'a [Message], kinds: &[Kind]) -> Vec<&'a str> {
    let is_one = |warning: &&Message| kinds.iter().any(|kind| kind.name() == warning.kind);
    let failed = warnings.iter().filter(is_one);
    failed.map(|warning| warning.text.as_str()).collect()
}

/// A warning about a result that is probably wrong.
#[derive(Serialize)]
pub struct Message {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    joint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mesh: Option<String>,
    text: String,
}

/// Joints that move no vertices, in the order of the skin.
pub fn unweighted(character: &Character, bound: &BindReport) -> Vec<UnweightedJoint> {
    let described = |&(joint, why): &(usize, Unweighted)| UnweightedJoint {
        name: name(character, bound, joint),
        why: match why {
            Unweighted::Requested => "asked",
            Unweighted::Root => "root",
            Unweighted::Control => "control",
            Unweighted::End => "end",
            Unweighted::Away => "away",
            Unweighted::Idle => "idle",
        },
        quiet: matches!(why, Unweighted::Requested | Unweighted::Idle),
    };
    bound.unweighted.iter().map(described).collect()
}

/// A piece that moves like cloth with the surface below it.
#[derive(Serialize)]
pub struct Cloth {
    mesh: String,
    vertices: usize,
}

/// Pieces that move like cloth with the surface below them.
pub fn cloth(character: &Character, bound: &BindReport) -> Vec<Cloth> {
    let described = |piece: &ClothPiece| Cloth {
        mesh: character.meshes[piece.mesh].name.clone(),
        vertices: piece.vertices,
    };
    bound.cloth.iter().map(described).collect()
}

/// The joint whose rotation loses the most volume around it.
#[derive(Serialize)]
pub struct MinVolume {
    joint: String,
    kept: f32,
}

/// Smallest fraction of volume that remains around a joint after a rotation.
pub fn volume(character: &Character, bound: &BindReport) -> Option<MinVolume> {
    bound.volume.map(|volume| MinVolume {
        joint: name(character, bound, volume.joint),
        kept: volume.kept,
    })
}

/// Warnings about weights that are probably wrong.
pub fn warnings(character: &Character, bound: &BindReport) -> Vec<Message> {
    let described = |warning: &BindWarning| match *warning {
        BindWarning::OneJoint { joint, share } => {
            let joint = name(character, bound, joint);
            let percent = 100.0 * share;
            Message {
                kind: Kind::OneJoint.name(),
                text: format!(
                    "the joint \"{joint}\" moves {percent:.0} % of the surface; if it should not, bind \
                     with --no-deform {joint}"
                ),
                joint: Some(joint),
                mesh: None,
            }
        }
        BindWarning::Far {
            joint,
            mesh,
            distance,
            lengths,
            vertices,
        } => {
            let joint = name(character, bound, joint);
            let mesh = &character.meshes[mesh].name;
            let vertices = counted(vertices, "vertex");
            Message {
                kind: Kind::Far.name(),
                text: format!(
                    "a piece of {vertices} in \"{mesh}\" follows the joint \"{joint}\", which is \
                     {distance:.3} away, {lengths:.1} times the size of the piece; add a joint near the piece"
                ),
                joint: Some(joint),
                mesh: Some(mesh.clone()),
            }
        }
        BindWarning::Torn {
            joint,
            piece,
            share,
            times,
        } => {
            let mesh = character.meshes[piece.mesh].name.clone();
            torn(name(character, bound, joint), mesh, share, times)
        }
        BindWarning::Placed(ref finding) => Message {
            kind: Kind::of(finding).name(),
            joint: finding.joint().map(str::to_owned),
            mesh: None,
            text: finding.to_string(),
        },
        BindWarning::Volume(volume) => lost(name(character, bound, volume.joint), volume.kept),
        BindWarning::Welded {
            motion,
            joint,
            joins: [moved, still],
            piece,
            growth,
        } => {
            let names = [joint, moved, still].map(|joint| name(character, bound, joint));
            welded(motion, names, described_piece(character, piece), growth)
        }
        BindWarning::Stretched {
            motion,
            joint,
            piece,
            times,
            share,
        } => {
            let joint = name(character, bound, joint);
            stretched(
                motion,
                joint,
                described_piece(character, piece),
                share,
                times,
            )
        }
        BindWarning::Beyond {
            joint,
            piece,
            distance,
            share,
        } => {
            let joint = name(character, bound, joint);
            beyond(joint, described_piece(character, piece), distance, share)
        }
    };
    bound.warnings.iter().map(described).collect()
}

fn lost(joint: String, kept: f32) -> Message {
    let percent = 100.0 * kept;
    Message {
        kind: Kind::Volume.name(),
        text: format!(
            "rotating the joint \"{joint}\" by 30 degrees leaves {percent:.0} % of the volume around it; --picture \
             shows the location"
        ),
        joint: Some(joint),
        mesh: None,
    }
}

fn torn(joint: String, mesh: String, share: f32, times: f32) -> Message {
    let percent = 100.0 * share;
    Message {
        kind: Kind::Torn.name(),
        text: format!(
            "rotating the joint \"{joint}\" by 30 degrees tears {percent:.1} % of the edges; an edge in \"{mesh}\" \
             becomes {times:.1} times as long; --smooth 2 may help"
        ),
        joint: Some(joint),
        mesh: Some(mesh),
    }
}

fn stretched(
    motion: TrialMotion,
    joint: String,
    [mesh, words]: [String; 2],
    share: f32,
    times: f32,
) -> Message {
    let percent = 100.0 * share;
    let motion = described_motion(motion, &joint);
    Message {
        kind: Kind::Torn.name(),
        text: format!(
            "{motion} makes {percent:.0} % of {words} more than 3 times as long, up to {times:.1} times; separate it \
             from the limb"
        ),
        joint: Some(joint),
        mesh: Some(mesh),
    }
}

/// Name of the mesh of a piece, and words for the piece. They name the primitive if the mesh has several.
fn described_piece(character: &Character, piece: SurfacePiece) -> [String; 2] {
    let mesh = &character.meshes[piece.mesh];
    let vertices = counted(piece.vertices, "vertex");
    let words = match mesh.primitives.len() {
        1 => format!("a piece of {vertices} in \"{}\"", mesh.name),
        _ => format!(
            "a piece of {vertices} in primitive {} of \"{}\"",
            piece.primitive, mesh.name
        ),
    };
    [mesh.name.clone(), words]
}

fn described_motion(motion: TrialMotion, joint: &str) -> String {
    match motion {
        TrialMotion::ArmsLifted => "lifting the arms to horizontal".to_owned(),
        TrialMotion::LegsAhead => "swinging the legs ahead by 60 degrees".to_owned(),
        TrialMotion::LegsBack => "swinging the legs back by 60 degrees".to_owned(),
        TrialMotion::OneJoint => format!("rotating the joint \"{joint}\" by 60 degrees"),
    }
}

/// Warning about limbs that form one surface.
fn welded(
    motion: TrialMotion,
    [joint, moved, still]: [String; 3],
    [mesh, piece]: [String; 2],
    growth: f32,
) -> Message {
    let percent = 100.0 * growth;
    let motion = described_motion(motion, &joint);
    Message {
        kind: Kind::Torn.name(),
        text: format!(
            "{motion} stretches the surface by {percent:.1} %, because \"{moved}\" and \"{still}\" move {piece}; \
             separate the mesh there"
        ),
        joint: Some(joint),
        mesh: Some(mesh),
    }
}

/// Warning about surface without bones.
fn beyond(joint: String, [mesh, piece]: [String; 2], distance: f32, share: f32) -> Message {
    let percent = 100.0 * share;
    Message {
        kind: Kind::Far.name(),
        text: format!(
            "{percent:.0} % of the surface has no bone inside it; the joint \"{joint}\" moves most of it, in {piece} \
             from up to {distance:.3} away; use a skeleton that fits this body"
        ),
        joint: Some(joint),
        mesh: Some(mesh),
    }
}

/// Prints a line about cloth on standard error.
pub fn print_cloth(cloth: &[Cloth], file: &str) {
    if cloth.is_empty() {
        return;
    }
    let named = cloth.iter().take(NAMED);
    let named =
        named.map(|piece| format!("\"{}\" ({})", piece.mesh, counted(piece.vertices, "vertex")));
    let mut list = named.collect::<Vec<_>>().join(", ");
    if cloth.len() > NAMED {
        list.push_str(&format!(" and {} more", cloth.len() - NAMED));
    }
    let what = match cloth.len() {
        1 => "lies on other pieces and follows the surface below like cloth",
        _ => "lie on other pieces and follow the surface below like cloth",
    };
    let count = counted(cloth.len(), "open piece");
    files::print_message(&format!("{count} of {file} {what}: {list}"));
}

/// Prints joints without weights on standard error, except joints excluded by the user or farther than other joints.
pub fn print_unweighted(unweighted: &[UnweightedJoint], file: &str) {
    let names: Vec<&str> = unweighted
        .iter()
        .filter(|joint| !joint.quiet)
        .map(|joint| joint.name.as_str())
        .collect();
    if !names.is_empty() {
        let mut list = names[..names.len().min(NAMED)].join(", ");
        if names.len() > NAMED {
            list.push_str(&format!(" and {} more", names.len() - NAMED));
        }
        let count = counted(names.len(), "joint");
        let (look, them) = match names.len() {
            1 => ("looks like a root, control or end and moves nothing", "it"),
            _ => ("look like roots, controls or ends and move nothing", "them"),
        };
        files::print_message(&format!(
            "{count} of {file} {look}: {list}; --deform includes {them}"
        ));
    }
}

/// Prints warnings on standard error.
pub fn print_warnings(warnings: &[Message], file: &str) {
    for (index, warning) in warnings.iter().enumerate() {
        if index == PIECES {
            files::print_message(&format!(
                "and {} more warnings; --json lists them",
                warnings.len() - PIECES
            ));
            break;
        }
        files::print_message(&format!("{file}: {}", warning.text));
    }
}

/// Note about joints that share a name.
pub fn shared_names(character: &Character, skin: usize, file: &str) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for &joint in &character.skins[skin].joints {
        *counts.entry(character.skeleton.name(joint)).or_default() += 1;
    }
    let mut shared = counts.into_iter().filter(|(_, count)| *count > 1);
    let (name, count) = shared.next()?;
    let more = match shared.count() {
        0 => String::new(),
        more => format!(", and {} are shared too", counted(more, "other name")),
    };
    Some(format!(
        "{file}: {count} joints are called \"{name}\"{more}; options with this name apply to all of them; rename the joints to choose one"
    ))
}

fn name(character: &Character, bound: &BindReport, joint: usize) -> String {
    let joint = character.skins[bound.skin].joints[joint];
    character.skeleton.name(joint).to_owned()
}
