//! Finds joints without weights by name: roots, controls and ends.
//! The skins in files list more joints than move vertices: solver targets, handles for animators,
//! sockets for a sword, and markers of bone ends. Artists give them no weight. The words are those
//! of Mixamo, Blender, Rigify, 3ds Max (Biped and CAT), Maya and Unreal. For other joints,
//! positions and flesh decide: see [`super::roots`].

use super::joints::{Bones, Flesh};
use crate::retarget::roles::joint_names::split_words;

/// Reason why a joint moves no vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unweighted {
    /// The caller excluded the joint.
    Requested,
    /// The joint only connects other joints, and no flesh is around its bones.
    Root,
    /// The joint is a solver target, a handle or a socket by name.
    Control,
    /// The joint marks the end of the bone above it, by its name or by a bone of zero length.
    End,
    /// Neither the joint nor its descendants are near the mesh.
    Away,
    /// The joint may move vertices, but other joints are nearer to all of them.
    Idle,
}

const CONTROLS: [&str; 15] = [
    "ik",
    "ctrl",
    "ctl",
    "cntrl",
    "control",
    "controller",
    "target",
    "polevector",
    "poletarget",
    "pv",
    "effector",
    "locator",
    "footsteps",
    "platform",
    "tweak",
];
/// Prefixes that mark helper joints in Rigify and other rigs.
const MECHANISMS: [&str; 4] = ["mch", "org", "wgt", "vis"];
/// Complete names in skeletons of Unreal, and in files of the glTF exporter of Blender.
const NAMES: [&str; 3] = ["interaction", "center_of_mass", "neutral_bone"];
/// Words for limbs. A pole named after a limb belongs to a solver; other poles may carry a flag.
const LIMBS: [&str; 9] = [
    "arm", "elbow", "hand", "wrist", "leg", "knee", "foot", "ankle", "limb",
];
const FINGERS: [&str; 8] = [
    "thumb", "index", "middle", "ring", "pinky", "little", "finger", "toe",
];
const ENDS: [&str; 3] = ["end", "nub", "endsite"];
const ROOTS: [&str; 8] = [
    "root",
    "armature",
    "reference",
    "master",
    "origin",
    "world",
    "global",
    "trajectory",
];
/// Min number of deform prefixes. If helper prefixes occur too, all other joints are controls.
const FEW: usize = 3;

impl Bones {
    /// Marks joints without weights by name. Returns the reason for each.
    pub(crate) fn unweighted_by_name(&mut self, names: &[&str]) -> Vec<Option<Unweighted>> {
        let words: Vec<Vec<String>> = names.iter().map(|name| own_words(name)).collect();
        let begins = |joint: usize, firsts: &[&str]| {
            let first = words[joint].first();
            words[joint].len() > 1 && first.is_some_and(|first| firsts.contains(&first.as_str()))
        };
        let count = |firsts: &[&str]| (0..self.len()).filter(|&j| begins(j, firsts)).count();
        let only_marked = count(&["def"]) >= FEW && count(&MECHANISMS) > 0;
        let mut why: Vec<Option<Unweighted>> = (0..self.len())
            .map(|joint| {
                let other = only_marked && !begins(joint, &["def"]);
                let control = other || is_control(names[joint], &words[joint]);
                control.then_some(Unweighted::Control)
            })
            .collect();
        // A joint with a bone below is no end. Two passes, as an end may follow an end.
        for is_last in [true, false] {
            let carries = self.parents_of(|joint| why[joint].is_none());
            for joint in (0..self.len()).filter(|&joint| !carries[joint]) {
                let Some(parent) = self.parents[joint] else {
                    continue;
                };
                let has_length = self.heads[joint] != self.heads[parent];
                let ends = is_end(&words[joint]) || is_last && !has_length;
                if ends && why[joint].is_none() {
                    why[joint] = Some(Unweighted::End);
                }
            }
        }
        if why.iter().all(Option::is_some) {
            // If all joints would be excluded, the words mean something else here.
            why.fill(None);
        }
        for (joint, why) in why.iter().enumerate() {
            self.deforms[joint] = why.is_none();
            if *why == Some(Unweighted::End) {
                self.flesh[joint] = Flesh::End;
            }
        }
        why
    }

    fn parents_of(&self, of: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut are = vec![false; self.len()];
        for joint in (0..self.len()).filter(|&joint| of(joint)) {
            self.above(joint).for_each(|above| are[above] = true);
        }
        are
    }
}

pub(crate) fn is_root(name: &str) -> bool {
    own_words(name).iter().any(|w| ROOTS.contains(&w.as_str()))
}

pub(crate) fn is_digit(name: &str) -> bool {
    own_words(name)
        .iter()
        .any(|w| FINGERS.contains(&w.as_str()))
}

fn own_words(name: &str) -> Vec<String> {
    split_words(name.rsplit([':', '|', '/']).next().unwrap_or(name))
}

fn is_control(name: &str, words: &[String]) -> bool {
    let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    // Sockets have a suffix, as in handslot. Eye sockets are flesh.
    let is_socket = |word: &String| word.ends_with("slot") || word.ends_with("socket");
    has(&CONTROLS)
        || has(&["pole"]) && has(&LIMBS)
        || words.iter().any(is_socket) && !has(&["eye", "orbit"])
        || words.len() > 1 && MECHANISMS.contains(&words[0].as_str())
        // Virtual bones of Unreal.
        || name.starts_with("VB ")
        || NAMES.contains(&name.to_lowercase().as_str())
}

pub(crate) fn is_tip(name: &str) -> bool {
    let words = own_words(name);
    let last = words.iter().rev().find(|word| says(word));
    let named = words.iter().filter(|word| says(word)).count() > 1;
    // The leaves of plants move.
    last.is_some_and(|last| last == "tip" || named && last == "leaf")
}

fn says(word: &str) -> bool {
    let is_number = word.bytes().all(|b| b.is_ascii_digit());
    !is_number && !matches!(word, "l" | "r")
}

fn is_end(words: &[String]) -> bool {
    let last = words.iter().rev().find(|word| says(word));
    if last.is_some_and(|last| ENDS.contains(&last.as_str())) {
        return true;
    }
    // Fingers of Mixamo have three bones; their fourth joint is an end.
    match words {
        [.., hand, finger, number] => {
            hand == "hand" && FINGERS.contains(&finger.as_str()) && number == "4"
        }
        _ => false,
    }
}
