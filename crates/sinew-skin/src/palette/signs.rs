//! The sign of each joint's quaternion, fixed by the pose, parents first.
//!
//! A rotation has two quaternions, q and −q. The choice decides in which direction a blend rotates.
//! Each joint takes the quaternion nearer to the quaternion of its parent. Joints outside the skin
//! count too, so signs stay consistent along a limb that rotates by more than 180°.

use super::block::JointBlock;
use super::joint::DualQuatJoint;
use super::matrices::Skin;
use super::split::{MIN_SIDE, Maps, Motions, Signs, by_numbers};
use glam::{Quat, Vec3};
use sinew_math::simd::{LANES, Row};
use sinew_math::transform::{Affine, quat};
use sinew_math::{DualQuat, Hierarchy};

/// Joints of a skin, other joints of the skeleton, and the order in which their signs are fixed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SignChain {
    /// Skeleton joint of each entry, in blocks of sixteen. Copies of the last entry fill its block.
    pub joints: Vec<usize>,
    inverse_binds: Vec<Affine>,
    /// Inverse binds of the entries, number by number in blocks of sixteen, filled as `joints` is.
    pub inverse_bind_blocks: Vec<Maps>,
    /// Entry that decides the sign of each entry, filled as `joints` is. The first root and copies
    /// refer to themselves.
    pub beside: Vec<usize>,
    links: Vec<Link>,
    /// Entries of joints that an earlier entry of the skin already has.
    repeated: Vec<Link>,
    skeleton_len: usize,
}

/// Entry, and the entry that decides its sign. The first root refers to itself.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    entry: usize,
    beside: usize,
}

impl SignChain {
    /// Creates the chain of a skin that fits the rest pose. Also returns all bind positions.
    pub fn new(hierarchy: &Hierarchy, rest: &[Affine], skin: &Skin) -> (Self, Vec<Vec3>) {
        let len = hierarchy.len();
        let mut joints = skin.joints.clone();
        let mut inverse_binds = skin.joint_from_model.clone();
        let mut entries: Vec<Option<usize>> = vec![None; len];
        let mut repeated = Vec::new();
        for (entry, &joint) in skin.joints.iter().enumerate() {
            match entries[joint] {
                Some(beside) => repeated.push(Link { entry, beside }),
                None => entries[joint] = Some(entry),
            }
        }
        let near = nearest_in_skin(hierarchy, &entries);
        let at_rest = Skin::bound_at(rest).joint_from_model;
        for joint in 0..len {
            if entries[joint].is_none() {
                entries[joint] = Some(joints.len());
                joints.push(joint);
                inverse_binds.push(match near[joint] {
                    Some((other, entry)) => at_rest[joint] * rest[other] * inverse_binds[entry],
                    None => at_rest[joint],
                });
            }
        }
        let entry = |joint: usize| entries[joint].expect("each joint has one by now");
        let link = |joint: usize| Link {
            entry: entry(joint),
            beside: entry(hierarchy.parent(joint).unwrap_or(0)),
        };
        let mut positions: Vec<Vec3> = (0..skin.joints.len())
            .map(|entry| skin.bind_position(entry))
            .collect();
        positions.resize(joints.len(), Vec3::ZERO);
        let links: Vec<Link> = (0..len).map(link).collect();
        let filled = joints.len().next_multiple_of(LANES);
        let mut beside: Vec<usize> = (0..filled).collect();
        for link in links.iter().chain(&repeated) {
            beside[link.entry] = link.beside;
        }
        let last = joints.last().copied().unwrap_or(0);
        joints.resize(filled, last);
        let mut inverse_bind_blocks = Vec::new();
        for inverse_binds in inverse_binds.chunks(LANES) {
            let mut block = [Row([0.0; LANES]); 12];
            let last = inverse_binds[inverse_binds.len() - 1];
            by_numbers(&[last; LANES], &mut block);
            by_numbers(inverse_binds, &mut block);
            inverse_bind_blocks.push(block);
        }
        let chain = Self {
            links,
            joints,
            inverse_binds,
            inverse_bind_blocks,
            beside,
            repeated,
            skeleton_len: len,
        };
        (chain, positions)
    }

    /// The number of joints in the skeleton.
    pub fn skeleton_len(&self) -> usize {
        self.skeleton_len
    }

    /// The number of entries, without those past the end.
    pub fn len(&self) -> usize {
        self.inverse_binds.len()
    }

    /// Multiplies the signs that the lanes found, each relative to the joint beside it, along the
    /// parents. Returns false if the first root is too near to a half rotation for its sign.
    #[inline(always)]
    pub fn multiply(&self, motions: &[Motions], signs: &mut [Signs]) -> bool {
        const SIGN: u32 = 1 << 31;
        let Some((root, links)) = self.links.split_first() else {
            return true;
        };
        let w = motions.as_flattened()[root.entry][3];
        if w.abs() < MIN_SIDE {
            return false;
        }
        let signs: &mut [u32] = bytemuck::cast_slice_mut(signs);
        let mut sign = signs[root.entry] | (w.to_bits() & SIGN);
        let mut last = root.entry;
        signs[last] = sign;
        for &Link { entry, beside } in links.iter().chain(&self.repeated) {
            // Most joints follow their parent. Reading back its sign would take as long as all else here.
            if beside != last {
                sign = signs[beside];
            }
            sign = signs[entry] ^ (sign & SIGN);
            signs[entry] = sign;
            last = entry;
        }
        true
    }

    /// Fixes the signs of a pose that the lanes have split. Splits the joints that the lanes could not.
    pub fn fix(
        &self,
        pose: &[Affine],
        blocks: &mut [JointBlock],
        motions: &mut [Motions],
        signs: &mut [Signs],
    ) {
        let mut out = Fixed {
            pose,
            blocks,
            motions: motions.as_flattened_mut(),
            signs: bytemuck::cast_slice_mut(signs),
        };
        for link in &self.links {
            self.fix_one(&mut out, *link, tilted);
        }
        for link in &self.repeated {
            self.fix_one(&mut out, *link, |q| q);
        }
    }

    /// Multiplies relative signs along the parents, so that joints do not wait for each other.
    #[inline(always)]
    fn fix_one(
        &self,
        out: &mut Fixed<'_>,
        Link { entry, beside }: Link,
        tilted: impl Fn(Quat) -> Quat,
    ) {
        let (mut reference, mut sign) = (Quat::IDENTITY, 1.0);
        if entry != beside {
            (reference, sign) = (real(&out.motions[beside]), out.signs[beside]);
        }
        if out.signs[entry] == 0.0 {
            let map = out.pose[self.joints[entry]] * self.inverse_binds[entry];
            let reference = quat::scaled(reference, sign);
            let (block, lane) = (&mut out.blocks[entry / LANES], entry % LANES);
            out.motions[entry] = split_alone(block, lane, &map, reference);
        }
        let rotation = real(&out.motions[entry]);
        let mut side = quat::dot(rotation, reference);
        if side.abs() < MIN_SIDE {
            side = quat::dot(rotation, tilted(reference));
        }
        out.signs[entry] = if side < 0.0 { -sign } else { sign };
    }
}

struct Fixed<'a> {
    pose: &'a [Affine],
    blocks: &'a mut [JointBlock],
    motions: &'a mut [[f32; 8]],
    signs: &'a mut [f32],
}

/// Splits a joint whose map is flat, nearly flat or not finite, and returns its motion.
#[cold]
#[inline(never)]
pub(super) fn split_alone(
    block: &mut JointBlock,
    lane: usize,
    map: &Affine,
    reference: Quat,
) -> [f32; 8] {
    let joint = DualQuatJoint::new(map, block.centre(lane), reference);
    block.set_split(lane, &joint);
    let DualQuat { real: r, dual: d } = joint.motion(joint.scale);
    [r.x, r.y, r.z, r.w, d.x, d.y, d.z, d.w]
}

#[inline(always)]
fn real(motion: &[f32; 8]) -> Quat {
    let [x, y, z, w, ..] = *motion;
    Quat::from_xyzw(x, y, z, w)
}

/// `reference` with a tiny fixed rotation in its own frame. A joint that is mirrored along an axis
/// is exactly 180° from its parent, and rounding must not choose its sign.
fn tilted(reference: Quat) -> Quat {
    quat::mul(reference, Quat::from_xyzw(0.7e-5, 0.55e-5, 0.45e-5, 1.0))
}

/// Nearest skin joint of each joint outside the skin, with its entry: the nearest ancestor in the
/// skin, or else the first descendant. Between these two joints, the rest pose replaces the bind
/// pose. The two poses often differ as a whole, for example by the up axis. Relative to its own
/// rest pose, a joint outside the skin could be 180° from its neighbours and separate their signs.
fn nearest_in_skin(
    hierarchy: &Hierarchy,
    entries: &[Option<usize>],
) -> Vec<Option<(usize, usize)>> {
    let own = |joint: usize| entries[joint].map(|entry| (joint, entry));
    let mut near: Vec<_> = (0..entries.len()).map(own).collect();
    // In reverse order, the first child of a joint writes last.
    for joint in (0..near.len()).rev() {
        if let Some(parent) = hierarchy.parent(joint)
            && entries[parent].is_none()
            && near[joint].is_some()
        {
            near[parent] = near[joint];
        }
    }
    for joint in 0..near.len() {
        let above = hierarchy.parent(joint).and_then(|parent| near[parent]);
        if entries[joint].is_none() && above.is_some() {
            near[joint] = above;
        }
    }
    near
}
