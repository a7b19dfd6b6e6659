use super::local::{BLOCK, PoseBlock};

/// Set of joints, one bit each, in blocks of sixteen as in [`LocalPose`](super::LocalPose).
///
/// ```
/// use sinew::pose::JointSet;
/// let skeleton = sinew_samples::humanoid_character().skeleton;
/// let is_wanted = |joint| !skeleton.name(joint).contains("hand");
/// let wanted: JointSet = (0..skeleton.len()).map(is_wanted).collect();
/// assert_eq!(wanted.joints(), skeleton.len());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointSet {
    words: Vec<u16>,
    joints: usize,
}

impl JointSet {
    /// Number of joints of the skeleton, in the set or not.
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// True if the joint is in the set.
    pub fn contains(&self, joint: usize) -> bool {
        let word = self.words.get(joint / BLOCK);
        word.is_some_and(|word| word & (1 << (joint % BLOCK)) != 0)
    }

    pub(crate) fn words(&self) -> &[u16] {
        &self.words
    }

    pub(crate) fn copy(&self, from: &[PoseBlock], to: &mut [PoseBlock]) {
        for ((&word, from), to) in self.words.iter().zip(from).zip(to) {
            if word == 0 {
                continue;
            }
            let is_in: [bool; BLOCK] = std::array::from_fn(|lane| word & (1 << lane) != 0);
            let rows = to.translation.iter_mut().zip(&from.translation);
            let rows = rows.chain(to.rotation.iter_mut().zip(&from.rotation));
            for (to, from) in rows.chain(to.scale.iter_mut().zip(&from.scale)) {
                for lane in 0..BLOCK {
                    to[lane] = if is_in[lane] { from[lane] } else { to[lane] };
                }
            }
        }
    }
}

impl FromIterator<bool> for JointSet {
    fn from_iter<I: IntoIterator<Item = bool>>(is_in: I) -> Self {
        let (mut words, mut joints) = (Vec::new(), 0);
        for is_in in is_in {
            if joints % BLOCK == 0 {
                words.push(0);
            }
            words[joints / BLOCK] |= u16::from(is_in) << (joints % BLOCK);
            joints += 1;
        }
        Self { words, joints }
    }
}
