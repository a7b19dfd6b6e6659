//! Meaning of a joint name, in any naming convention.
//! Names are split into words at separators, capitals and digits. Words for sides, prefixes without
//! meaning and words that exclude a joint are recognised first. The remaining words are looked up.

use sinew::skeleton::{Finger, Side};

/// Part of the body by name alone. The tree decides between parts that share names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Hips,
    Neck,
    Head,
    Spine,
    Collar,
    Shoulder,
    UpperArm,
    LowerArm,
    Elbow,
    Wrist,
    Hand,
    Finger(Finger),
    UpperLeg,
    /// A whole leg, or the lower leg if an upper leg exists too.
    Leg,
    LowerLeg,
    Knee,
    Ankle,
    Foot,
    Toes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub part: Part,
    pub side: Option<Side>,
    pub number: Option<u32>,
}

const SAY_NOTHING: &[&str] = &[
    "mixamorig",
    "bip",
    "biped",
    "valve",
    "j",
    "def",
    "org",
    "cc",
    "base",
    "joint",
    "jnt",
    "bone",
    "bn",
    "b",
    "c",
    "f",
    "armature",
    "rig",
    "skeleton",
    "skel",
    "character",
    "actor",
    "avatar",
    "human",
];

/// Words for joints that help other joints, carry things or end a chain.
const RULE_OUT: &[&str] = &[
    "twist",
    "roll",
    "ik",
    "fk",
    "pole",
    "target",
    "end",
    "nub",
    "tip",
    "site",
    "effector",
    "helper",
    "aux",
    "corrective",
    "share",
    "mch",
    "ctrl",
    "control",
    "tweak",
    "eye",
    "jaw",
    "hair",
    "bust",
    "breast",
    "skirt",
    "weapon",
    "prop",
    "sec",
    "adj",
    "heel",
    "palm",
    "pectoral",
    "buttock",
    "ear",
    "tongue",
    "teeth",
    "cloth",
    "sleeve",
    "volume",
    "muscle",
    "socket",
    "leaf",
    "slot",
];

pub(crate) fn is_helper(name: &str) -> bool {
    let helps = |word: &String| RULE_OUT.contains(&word.as_str());
    split_words(without_prefix(name)).iter().any(helps)
}

pub(crate) fn sided(name: &str) -> Option<(Side, Vec<String>)> {
    let mut words = split_words(without_prefix(name));
    let at = words.iter().position(|word| side(word).is_some())?;
    let side = side(&words.remove(at))?;
    Some((side, words))
}

/// Name without namespace, case and separators, for comparison. Numbers stay separate words.
pub(crate) fn plain_name(name: &str) -> String {
    let mut plain = String::new();
    let mut is_apart = false;
    for letter in without_prefix(name).chars() {
        if !letter.is_alphanumeric() {
            is_apart = true;
            continue;
        }
        let after_digit = plain.ends_with(|c: char| c.is_ascii_digit());
        if is_apart && after_digit && letter.is_ascii_digit() {
            plain.push('.');
        }
        plain.extend(letter.to_lowercase());
        is_apart = false;
    }
    plain
}

/// Leg of a person or animal that a joint name refers to: true for a front leg, and its side.
pub(crate) fn leg(name: &str) -> Option<(bool, Option<Side>)> {
    use Part::*;
    const LEG: &[&str] = &[
        "leg", "thigh", "shin", "calf", "knee", "hock", "ankle", "foot", "paw", "hoof", "femur",
        "tibia",
    ];
    if let Some(Meaning { part, side, .. }) = meaning(name) {
        let is_leg = matches!(part, UpperLeg | Leg | LowerLeg | Knee | Ankle | Foot);
        return is_leg.then_some((false, side));
    }
    let words = split_words(without_prefix(name));
    let has = |parts: &[&str]| words.iter().any(|w| parts.iter().any(|p| w.contains(p)));
    let is_leg = has(LEG) && !is_helper(name);
    is_leg.then(|| (has(&["front", "fore"]), words.iter().find_map(|w| side(w))))
}

fn side(word: &str) -> Option<Side> {
    match word {
        "l" | "left" | "lft" => Some(Side::Left),
        "r" | "right" | "rgt" => Some(Side::Right),
        _ => None,
    }
}

fn without_prefix(name: &str) -> &str {
    name.rsplit([':', '|', '/']).next().unwrap_or(name)
}

/// Meaning of a joint name. `None` if the joint is not a part of the body.
pub(crate) fn meaning(name: &str) -> Option<Meaning> {
    let all = split_words(without_prefix(name));
    // Vertebrae have only a letter and a number.
    if let [letter, number] = all.as_slice()
        && matches!(letter.as_str(), "l" | "t" | "c")
        && number.parse::<u32>().is_ok_and(|n| (1..=12).contains(&n))
    {
        let part = if letter == "c" {
            Part::Neck
        } else {
            Part::Spine
        };
        return Some(plain(part));
    }
    let side = all.iter().find_map(|word| side(word));
    let mut number = None;
    let mut kept: Vec<&str> = Vec::new();
    for word in &all {
        match word.as_str() {
            word if self::side(word).is_some() => {}
            // The last number counts, because the first may belong to a prefix such as Bip01.
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => number = word.parse().ok(),
            word if SAY_NOTHING.contains(&word) => {}
            _ => kept.push(word),
        }
    }
    // Some rigs build the neck from twist joints.
    if kept == ["neck", "twist"] {
        kept.pop();
    }
    if kept.iter().any(|word| RULE_OUT.contains(word)) {
        return None;
    }
    let finger = kept.iter().find_map(|word| finger(word));
    if let Some(finger) = finger {
        let metacarpal = kept.contains(&"metacarpal") && finger != Finger::Thumb;
        let part = Part::Finger(finger);
        return (!metacarpal).then_some(Meaning { part, side, number });
    }
    // Biped numbers its fingers: Finger0 is the thumb, Finger11 the second joint of the index.
    if kept == ["finger"] {
        let digits = all
            .last()
            .filter(|w| w.starts_with(|c: char| c.is_ascii_digit()))?;
        let which = digits.chars().next()?.to_digit(10)? as usize;
        let part = Part::Finger(*Finger::ALL.get(which)?);
        let number = Some(digits[1..].parse().unwrap_or(0) + 1);
        return Some(Meaning { part, side, number });
    }
    let key = kept.concat();
    if let Some(part) = part(&key) {
        return Some(Meaning { part, side, number });
    }
    // Acclaim writes the side as a first letter: lfemur.
    let glued = match key.chars().next()? {
        'l' => Side::Left,
        'r' => Side::Right,
        _ => return None,
    };
    let rest = &key[1..];
    let part = part(rest).or_else(|| finger_part(rest))?;
    side.is_none().then_some(Meaning {
        part,
        side: Some(glued),
        number,
    })
}

fn plain(part: Part) -> Meaning {
    Meaning {
        part,
        side: None,
        number: None,
    }
}

fn finger_part(word: &str) -> Option<Part> {
    finger(word).map(Part::Finger)
}

fn finger(word: &str) -> Option<Finger> {
    Some(match word {
        "thumb" => Finger::Thumb,
        "index" => Finger::Index,
        "middle" | "mid" => Finger::Middle,
        "ring" => Finger::Ring,
        "little" | "pinky" | "pinkie" => Finger::Little,
        _ => return None,
    })
}

fn part(key: &str) -> Option<Part> {
    Some(match key {
        "hips" | "hip" | "pelvis" => Part::Hips,
        "spine" | "chest" | "upperchest" | "abdomen" | "torso" | "waist" | "lowerback"
        | "upperback" | "thorax" | "back" | "belly" | "spinelower" | "spineupper" | "spinemid" => {
            Part::Spine
        }
        "neck" | "lowerneck" | "upperneck" | "neckupper" | "necklower" => Part::Neck,
        "head" => Part::Head,
        "collar" | "clavicle" | "collarbone" => Part::Collar,
        "shoulder" => Part::Shoulder,
        "arm" | "upperarm" | "uparm" | "armupper" | "humerus" | "shldr" => Part::UpperArm,
        "forearm" | "lowerarm" | "lowarm" | "armlower" | "radius" => Part::LowerArm,
        "elbow" => Part::Elbow,
        "wrist" => Part::Wrist,
        "hand" => Part::Hand,
        "upleg" | "upperleg" | "legupper" | "thigh" | "femur" => Part::UpperLeg,
        "leg" => Part::Leg,
        "lowerleg" | "lowleg" | "leglower" | "shin" | "calf" | "tibia" => Part::LowerLeg,
        "knee" => Part::Knee,
        "ankle" => Part::Ankle,
        "foot" => Part::Foot,
        "toe" | "toes" | "ball" | "forefoot" => Part::Toes,
        _ => return None,
    })
}

/// Lower-case words of a name, split at separators, capitals that start a word, and digits.
pub(crate) fn split_words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (i, &c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| letters[i]);
        let after = letters.get(i + 1);
        let begins = before.is_some_and(|b| {
            let capital = c.is_uppercase()
                && (b.is_lowercase()
                    || (b.is_uppercase() && after.is_some_and(|a| a.is_lowercase())));
            capital || b.is_ascii_digit() != c.is_ascii_digit()
        });
        if begins || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            let last = words.last_mut().expect("it begins with one");
            last.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
