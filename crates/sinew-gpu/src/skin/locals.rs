//! Joints that a workgroup copies to its memory: the first four joints of each pair of vertices.
//! Further joints are rare, and are read from storage.

use super::layout::LOCAL;
use super::pairs::NARROW;

#[derive(Debug, PartialEq)]
pub(crate) struct Locals {
    /// Joints of the workgroup without duplicates, in the order of first use.
    pub joints: Vec<u16>,
    /// For each pair, the indices in `joints` of its first four joints, padded with the first.
    pub indices: Vec<[u8; NARROW]>,
}

/// Lists the joints of a workgroup with these pairs, or `None` for more than [`LOCAL`] joints.
pub(crate) fn of_group(pairs: &[Vec<u16>]) -> Option<Locals> {
    let mut locals = Locals {
        joints: Vec::new(),
        indices: Vec::with_capacity(pairs.len()),
    };
    for joints in pairs {
        let indices = [0, 1, 2, 3].map(|k| {
            let joint = joints.get(k).or(joints.first()).copied().unwrap_or(0);
            let known = locals.joints.iter().position(|&j| j == joint);
            known.unwrap_or_else(|| {
                locals.joints.push(joint);
                locals.joints.len() - 1
            }) as u8
        });
        if locals.joints.len() > LOCAL {
            return None;
        }
        locals.indices.push(indices);
    }
    Some(locals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_finds_its_joints_among_those_of_its_group() {
        let pairs = [vec![7, 9], vec![9], vec![2, 7, 9, 11, 40]];
        let expected = Locals {
            joints: vec![7, 9, 2, 11],
            indices: vec![[0, 1, 0, 0], [1, 1, 1, 1], [2, 0, 1, 3]],
        };
        assert_eq!(of_group(&pairs), Some(expected));
    }

    #[test]
    fn more_joints_than_there_is_room_for_are_not_listed() {
        let pairs = |joints: usize| (0..joints as u16).map(|j| vec![j]).collect::<Vec<_>>();
        let full = of_group(&pairs(LOCAL)).map(|l| l.joints.len());
        assert_eq!(full, Some(LOCAL));
        assert_eq!(of_group(&pairs(LOCAL + 1)), None);
    }
}
