//! Names that other programs give to the joints of a template.

use super::error::TemplateError;
use super::joints::Template;

/// Program whose joint names a template takes ([`Template::named_for`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Mixamo: `mixamorig:LeftForeArm`.
    Mixamo,
    /// VRM 1.0 humanoid bones: `leftLowerArm`.
    Vrm,
    /// Unreal Engine's mannequins: `lowerarm_l`.
    Unreal,
    /// Human bones of Unity: `LeftLowerArm`.
    Unity,
    /// The human meta-rig of Blender: `forearm.L`.
    Blender,
}

/// Name of a joint without its side: ours, then Mixamo's, VRM's and Unity's, Unreal's and Blender's.
const NAMES: [(&str, [&str; 4]); 26] = [
    ("hips", ["Hips", "hips", "pelvis", "spine"]),
    ("neck", ["Neck", "neck", "neck_01", "neck"]),
    ("head", ["Head", "head", "head", "head"]),
    ("shoulder", ["Shoulder", "shoulder", "clavicle", "shoulder"]),
    ("upper_arm", ["Arm", "upperArm", "upperarm", "upper_arm"]),
    ("lower_arm", ["ForeArm", "lowerArm", "lowerarm", "forearm"]),
    ("hand", ["Hand", "hand", "hand", "hand"]),
    ("upper_leg", ["UpLeg", "upperLeg", "thigh", "thigh"]),
    ("lower_leg", ["Leg", "lowerLeg", "calf", "shin"]),
    ("foot", ["Foot", "foot", "foot", "foot"]),
    ("toes", ["ToeBase", "toes", "ball", "toe"]),
    (
        "thumb_1",
        ["HandThumb1", "thumbMetacarpal", "thumb_01", "thumb.01"],
    ),
    (
        "thumb_2",
        ["HandThumb2", "thumbProximal", "thumb_02", "thumb.02"],
    ),
    (
        "thumb_3",
        ["HandThumb3", "thumbDistal", "thumb_03", "thumb.03"],
    ),
    (
        "index_1",
        ["HandIndex1", "indexProximal", "index_01", "f_index.01"],
    ),
    (
        "index_2",
        ["HandIndex2", "indexIntermediate", "index_02", "f_index.02"],
    ),
    (
        "index_3",
        ["HandIndex3", "indexDistal", "index_03", "f_index.03"],
    ),
    (
        "middle_1",
        ["HandMiddle1", "middleProximal", "middle_01", "f_middle.01"],
    ),
    (
        "middle_2",
        [
            "HandMiddle2",
            "middleIntermediate",
            "middle_02",
            "f_middle.02",
        ],
    ),
    (
        "middle_3",
        ["HandMiddle3", "middleDistal", "middle_03", "f_middle.03"],
    ),
    (
        "ring_1",
        ["HandRing1", "ringProximal", "ring_01", "f_ring.01"],
    ),
    (
        "ring_2",
        ["HandRing2", "ringIntermediate", "ring_02", "f_ring.02"],
    ),
    (
        "ring_3",
        ["HandRing3", "ringDistal", "ring_03", "f_ring.03"],
    ),
    (
        "little_1",
        ["HandPinky1", "littleProximal", "pinky_01", "f_pinky.01"],
    ),
    (
        "little_2",
        ["HandPinky2", "littleIntermediate", "pinky_02", "f_pinky.02"],
    ),
    (
        "little_3",
        ["HandPinky3", "littleDistal", "pinky_03", "f_pinky.03"],
    ),
];

impl Engine {
    fn column(self) -> usize {
        match self {
            Self::Mixamo => 0,
            Self::Vrm | Self::Unity => 1,
            Self::Unreal => 2,
            Self::Blender => 3,
        }
    }

    /// Name of a joint of the trunk between hips and neck, the `index`-th of `count`, from 0.
    fn trunk(self, index: usize, count: usize) -> String {
        match self {
            Self::Mixamo if index == 0 => "Spine".to_owned(),
            Self::Mixamo => format!("Spine{index}"),
            Self::Unreal => format!("spine_{:02}", index + 1),
            Self::Blender => format!("spine.{:03}", index + 1),
            Self::Vrm | Self::Unity => match (index, count - index) {
                (0, _) => "spine".to_owned(),
                (1, 1) => "chest".to_owned(),
                (_, 1) => "upperChest".to_owned(),
                (_, 2) => "chest".to_owned(),
                _ => format!("spine{}", index + 1),
            },
        }
    }

    /// The name of a part of a side, in the manner of the program.
    fn sided(self, side: Option<&str>, part: &str) -> String {
        let joined = |side: Option<&str>| {
            let mut letters = part.chars();
            let first = letters.next().map(|c| c.to_ascii_uppercase());
            let side = side.unwrap_or("");
            format!(
                "{side}{}{}",
                first.map_or(String::new(), String::from),
                letters.as_str()
            )
        };
        match (self, side) {
            (Self::Mixamo, side) => format!("mixamorig:{}", joined(side.map(capital))),
            (Self::Unity, side) => joined(side.map(capital)),
            (Self::Vrm, Some(side)) => joined(Some(side)),
            (Self::Unreal, Some(side)) => format!("{part}_{}", &side[..1]),
            (Self::Blender, Some(side)) => format!("{part}.{}", &capital(side)[..1]),
            (_, None) => part.to_owned(),
        }
    }

    /// A part that the program has no name for, in its manner: words with capitals, or with lines between them.
    fn other(self, part: &str) -> String {
        if matches!(self, Self::Unreal | Self::Blender) {
            return part.to_owned();
        }
        let mut name = String::new();
        for (index, word) in part.split('_').enumerate() {
            let mut letters = word.chars();
            match letters.next() {
                Some(first) if index > 0 => name.push(first.to_ascii_uppercase()),
                Some(first) => name.push(first),
                None => {}
            }
            name.push_str(letters.as_str());
        }
        name
    }
}

fn capital(side: &str) -> &'static str {
    if side == "left" { "Left" } else { "Right" }
}

impl Template {
    /// Renames the joints as another program names them. Joints that it has no name for, such as tails, get a name in
    /// its manner.
    ///
    /// ```
    /// use sinew_rig::template::{Biped, Engine};
    /// let named = |engine| Biped::default().template().named_for(engine);
    /// assert!(named(Engine::Mixamo)?.find("mixamorig:LeftForeArm").is_ok());
    /// assert!(named(Engine::Blender)?.find("forearm.L").is_ok());
    /// # Ok::<(), sinew_rig::template::TemplateError>(())
    /// ```
    ///
    /// # Errors
    /// [`TemplateError::NameTaken`] if joints that the user named get the name of another.
    pub fn named_for(&self, engine: Engine) -> Result<Self, TemplateError> {
        let is_trunk = |name: &str| name == "chest" || name.starts_with("spine_");
        let names: Vec<&str> = self
            .joints
            .iter()
            .map(|joint| joint.name.as_str())
            .collect();
        let count = names.iter().filter(|name| is_trunk(name)).count();
        let mut index = 0;
        let mut new_names = Vec::with_capacity(names.len());
        for name in names {
            let side = ["left", "right"].into_iter().find(|side| {
                name.strip_prefix(side)
                    .is_some_and(|rest| rest.starts_with('_'))
            });
            let part = side.map_or(name, |side| &name[side.len() + 1..]);
            let known = NAMES.iter().find(|(own, _)| *own == part);
            let known = known.map(|(_, names)| names[engine.column()]);
            let own = match known {
                Some(known) => known.to_owned(),
                None if side.is_none() && is_trunk(part) => {
                    index += 1;
                    engine.trunk(index - 1, count)
                }
                None => engine.other(part),
            };
            new_names.push(engine.sided(side, &own));
        }
        let mut template = self.clone();
        for (index, name) in new_names.into_iter().enumerate() {
            if template.joints[..index]
                .iter()
                .any(|other| other.name == name)
            {
                return Err(TemplateError::NameTaken { name });
            }
            template.joints[index].name = name;
        }
        Ok(template)
    }
}
