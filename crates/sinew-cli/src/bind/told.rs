//! What `sinew bind` tells of joints that were given nothing and of weights that look wrong.

use crate::files::{self, counted};
use serde::Serialize;
use sinew::Character;
use sinew_rig::weights::{Bound, Doubt, Still};

/// The most names in a line.
const NAMED: usize = 6;
/// The most lines about pieces.
const PIECES: usize = 4;

/// A joint that moves nothing.
#[derive(Serialize)]
pub struct StillJoint {
    name: String,
    why: &'static str,
    #[serde(skip)]
    asked: bool,
}

/// Something that is most likely not as it was wanted.
#[derive(Serialize)]
pub struct Said {
    kind: &'static str,
    joint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mesh: Option<String>,
    text: String,
}

/// The joints that move nothing, in the order of the skin.
pub fn still(character: &Character, bound: &Bound) -> Vec<StillJoint> {
    let told = |&(joint, why): &(usize, Still)| StillJoint {
        name: name(character, bound, joint),
        why: match why {
            Still::Asked => "asked",
            Still::Root => "root",
            Still::Control => "control",
            Still::End => "end",
            Still::Away => "away",
        },
        asked: why == Still::Asked,
    };
    bound.still.iter().map(told).collect()
}

/// What is odd about the weights.
pub fn doubts(character: &Character, bound: &Bound) -> Vec<Said> {
    let told = |doubt: &Doubt| match *doubt {
        Doubt::OneJoint { joint, share } => {
            let joint = name(character, bound, joint);
            let percent = 100.0 * share;
            Said {
                kind: "one-joint",
                text: format!(
                    "the joint \"{joint}\" moves {percent:.0} % of the surface; if it should not, bind \
                     with --no-deform {joint}"
                ),
                joint,
                mesh: None,
            }
        }
        Doubt::Far {
            joint,
            mesh,
            lengths,
            vertices,
        } => {
            let joint = name(character, bound, joint);
            let mesh = &character.meshes[mesh].name;
            let vertices = counted(vertices, "vertex");
            Said {
                kind: "far",
                text: format!(
                    "a piece of {vertices} in \"{mesh}\" follows the joint \"{joint}\", which is \
                     {lengths:.1} times as far from it as it is large; put a joint near it"
                ),
                joint,
                mesh: Some(mesh.clone()),
            }
        }
    };
    bound.doubts.iter().map(told).collect()
}

/// Both on standard error. What was asked for need not be said.
pub fn say(still: &[StillJoint], doubts: &[Said], file: &str) {
    let names: Vec<&str> = still
        .iter()
        .filter(|joint| !joint.asked)
        .map(|joint| joint.name.as_str())
        .collect();
    if !names.is_empty() {
        let mut list = names[..names.len().min(NAMED)].join(", ");
        if names.len() > NAMED {
            list.push_str(&format!(" and {} more", names.len() - NAMED));
        }
        let count = counted(names.len(), "joint");
        let (are, move_nothing, they) = match names.len() {
            1 => ("a root, control or end", "moves nothing", "it"),
            _ => ("roots, controls or ends", "move nothing", "them"),
        };
        files::say(&format!(
            "{count} of {file} {move_nothing}, as {are}: {list}; --deform lets {they}"
        ));
    }
    for (index, doubt) in doubts.iter().enumerate() {
        if index == PIECES {
            files::say(&format!(
                "and {} more like it; --json lists them",
                doubts.len() - PIECES
            ));
            break;
        }
        files::say(&format!("{file}: {}", doubt.text));
    }
}

fn name(character: &Character, bound: &Bound, joint: usize) -> String {
    let joint = character.skins[bound.skin].joints[joint];
    character.skeleton.name(joint).to_owned()
}
