//! Bodies whose joints are known: shared files, the mannequin, and bodies made by code.

use super::bare::{Bare, Limb, wide};
use super::clothes::{jacket, skirt};
use super::names::{self, Known, SIDES};
use super::pose::{Look, Pose};
use glam::{DAffine3, Vec3};
use sinew::Character;
use std::collections::BTreeMap;
use std::path::Path;

/// A body with known joints.
pub struct Truth {
    pub name: String,
    pub known: &'static Known,
    pub character: Character,
    /// Joint by template name.
    pub joints: BTreeMap<String, usize>,
    pub parents: Vec<Option<usize>>,
    /// Limb of each joint.
    pub limbs: Vec<Limb>,
    pub rest: Vec<DAffine3>,
    /// Joint that moves each vertex, if the file has no weights.
    pub heaviest: Option<Vec<usize>>,
    /// Height of the figure, without its hat.
    pub height: f32,
}

/// A body in a pose.
pub struct Case {
    /// The body without clothes.
    pub bare: Bare,
    /// Clothes made by code.
    pub clothes: Vec<Bare>,
    /// Positions by template name.
    pub joints: BTreeMap<String, Vec3>,
    /// Bones from between the legs through the spine to the head.
    pub spine: Vec<Vec3>,
    /// Bones from the spine to the upper arms, if there are arms.
    pub collars: Vec<Vec<Vec3>>,
}

impl Truth {
    pub fn new(name: &str, character: Character) -> Self {
        Self::with_known(name, character, names::known(name))
    }

    pub fn with_known(name: &str, character: Character, known: &'static Known) -> Self {
        let skeleton = &character.skeleton;
        let joints = names::joints(skeleton, known);
        let parents = names::parents(skeleton, known);
        let limbs = (0..skeleton.len()).map(|joint| limb_of(joint, &parents, &joints));
        let rest = skeleton.rest_model();
        let rest: Vec<DAffine3> = rest.iter().map(wide).collect();
        let [low, high] = Bare::new(&character, &rest, known.held).bounds();
        Self {
            name: name.to_owned(),
            known,
            limbs: limbs.collect(),
            height: known.height.unwrap_or(high.y - low.y),
            joints,
            parents,
            rest,
            character,
            heaviest: None,
        }
    }

    /// True if poses of people fit the body.
    pub fn is_posed(&self) -> bool {
        !self.known.has_four_legs && self.name != "m2m-t-rex"
    }

    /// The body in a pose, without its skin.
    pub fn posed(&self, pose: Pose) -> Case {
        let frames = pose.frames(self);
        let at = |joint: usize| frames[joint].translation.as_vec3();
        let joints: BTreeMap<String, Vec3> = self
            .joints
            .iter()
            .map(|(name, &j)| (name.clone(), at(j)))
            .collect();
        let mut spine = Vec::new();
        if let (Some(&head), Some(&hips)) = (self.joints.get("head"), self.joints.get("hips")) {
            let up = |&joint: &usize| self.parents[joint].filter(|_| joint != hips);
            let line: Vec<usize> = std::iter::successors(Some(head), up).collect();
            let legs = ["left_upper_leg", "right_upper_leg"].map(|name| joints.get(name));
            if let [Some(left), Some(right)] = legs {
                spine.push(0.5 * (*left + *right));
            }
            spine.extend(line.into_iter().rev().map(at));
        }
        let collar = |side: &&str| {
            let upper = self.joints.get(&format!("{side}_upper_arm"))?;
            let mut line: Vec<Vec3> = vec![at(*upper)];
            let up = |&joint: &usize| self.parents[joint];
            for joint in std::iter::successors(Some(*upper), up).skip(1) {
                line.push(at(joint));
                if spine.contains(&at(joint)) {
                    break;
                }
            }
            Some(line)
        };
        let collars = SIDES.iter().filter_map(collar).collect();
        let mut bare = Bare::new(&self.character, &frames, self.known.held);
        if let Some(heaviest) = &self.heaviest {
            bare.heaviest.clone_from(heaviest);
        }
        Case {
            bare,
            clothes: Vec::new(),
            joints,
            spine,
            collars,
        }
    }

    /// The body in a pose, with a jacket and a skirt if it is to wear them.
    pub fn case(&self, look: Look) -> Case {
        let mut case = self.posed(look.pose);
        if look.is_dressed {
            let clothes = vec![jacket(self, &case), skirt(self, &case)];
            case.clothes = clothes;
        }
        case
    }
}

impl Case {
    /// The body with its clothes.
    pub fn mesh(&self) -> Bare {
        let mut mesh = self.bare.clone();
        for piece in &self.clothes {
            mesh.add(piece);
        }
        mesh
    }
}

fn limb_of(joint: usize, parents: &[Option<usize>], joints: &BTreeMap<String, usize>) -> Limb {
    let up = |&joint: &usize| parents[joint];
    for above in std::iter::successors(Some(joint), up) {
        let named = joints.iter().find(|(_, j)| **j == above);
        let Some((name, _)) = named else { continue };
        let side = usize::from(name.starts_with("right"));
        let has = |parts: &[&str]| parts.iter().any(|part| name.ends_with(part));
        if name.contains("_front_") {
            return Limb::FrontLeg(side);
        } else if has(&["upper_arm", "lower_arm", "hand"]) {
            return Limb::Arm(side);
        } else if has(&["upper_leg", "lower_leg", "foot", "toes"]) {
            return Limb::Leg(side);
        } else if name == "head" {
            return Limb::Head;
        } else if !has(&["_1", "_2", "_3"]) {
            return Limb::Trunk;
        }
    }
    Limb::Trunk
}

/// Shared files with an artist's joints, below the folder of conformance files, sorted by name.
pub fn shared(conformance: &Path) -> Vec<Truth> {
    let mut truths = Vec::new();
    for folder in ["weights/artist", "bodies/artist"] {
        let folder = conformance.join(folder);
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            // A bird may be found later.
            if path.extension().is_some_and(|e| e == "glb") && name != "m2m-eagle" {
                let character = sinew_io::import(&path).expect("the file is read").character;
                truths.push(Truth::new(&name, character));
            }
        }
    }
    truths
}

/// Our own mannequin, without its sword.
pub fn mannequin() -> Truth {
    let mannequin = sinew_samples::mannequin::Mannequin {
        sword: false,
        ..Default::default()
    };
    Truth::new("mannequin", mannequin.build())
}
