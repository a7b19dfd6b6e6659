//! The bones of a skeleton at the bind pose: what a joint carries, as line segments.
//!
//! Skeletons of files say where joints are and no more. Which of them move skin, and where the last
//! bone of a chain ends, has to be concluded:
//! - A joint with more children than a hand has fingers, that hangs from another and whose children are
//!   mostly farther from it than what hangs from them is long, is the root of a face. Joints below it
//!   are details on the solid that it moves: only the ends of their chains take weights, near by, and
//!   the bones between belong to the face's root. A jaw is an exception: its bones, and those below, are
//!   its own. The legs of a spider are long, and fingers are known by their names: neither is a face.
//! - A root whose several children all begin at one place only holds them together.
//! - The last bone of a chain is as long as the one before it, in its direction, or as far as the flesh
//!   reaches ([`super::ends`]); where a sibling with children begins at the same place, that direction is
//!   the sibling's, and there is no last bone.
//! - A joint without children that lies on the bone to a sibling is a twist joint and divides that bone.
//!
//! What a skin tells besides is taken in [`super::hints`].

use super::unweighted::Unweighted;
use glam::{DVec3, Vec3};
use sinew::skin::SkinError;
use sinew::{Skeleton, Skin};

/// More than the fingers of a hand.
const FACE_CHILDREN: usize = 6;
/// How far a detail of a face reaches, as a part of the mean distance of the face's joints from its
/// root. An artist's eyelids, lips and nostrils are about that size.
const DETAIL_REACH: f64 = 0.125;
/// Where a twist joint is along the bone that it divides, and how far beside it at most, in lengths of
/// that bone.
const TWIST_ALONG: std::ops::Range<f64> = 0.05..0.95;
const TWIST_ASIDE: f64 = 0.1;
/// How far a bulge reaches, as a part of its distance from the joint that moves it.
const BULGE_REACH: f64 = 1.0 / 3.0;

/// The joints of a skin at the bind pose, and which hangs from which. Joints are in the
/// skin's order, which need not be parents first.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Bones {
    /// The nearest joint above, of those in the skin.
    pub parents: Vec<Option<usize>>,
    /// Where each joint is.
    pub heads: Vec<Vec3>,
    /// Where the bone of a joint without children ends, for those where that is known.
    pub tails: Vec<Option<Vec3>>,
    /// Whether a joint may move vertices; targets, helpers and end sites may not.
    pub deforms: Vec<bool>,
    /// What each joint moves.
    pub flesh: Vec<Flesh>,
    /// How far from each joint curves over it blend, in place of half of the shorter bone. Beyond the middle of a bone
    /// they never do.
    pub radii: Vec<Option<f32>>,
}

/// The part of the mesh that a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Flesh {
    /// What is around its bones, or a detail where it is part of a face.
    #[default]
    Around,
    /// What is around its bones, though it is part of a face.
    Jaw,
    /// What bulges out of the body in a direction, beside the bone above: breasts.
    Bulge(Vec3),
    /// What is around its bones, of which none is a detail of a face: fingers and toes.
    Digit,
    /// What is around its bones, or nothing where little of the mesh is beyond it: tips.
    Tip,
    /// Nothing, where it does not deform: it marks the end of the bone above it.
    End,
}

/// A piece of bone that moves with one joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    /// The joint that moves it.
    pub joint: usize,
    /// The joint that it begins at.
    pub start: usize,
    /// The joint at its end; none at the end of a chain.
    pub child: Option<usize>,
    pub from: DVec3,
    pub to: DVec3,
    /// How far the curve over the joint that it begins at blends, where that is asked for.
    pub radius: Option<f64>,
    /// Whether its length is a guess, that of the bone before it.
    pub guessed: bool,
}

impl Segment {
    pub fn middle(&self) -> DVec3 {
        0.5 * (self.from + self.to)
    }
}

/// A joint that moves what sticks out beside the bone above it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bulge {
    joint: usize,
    /// The joint above it.
    pub parent: usize,
    /// The bone above it.
    above: [DVec3; 2],
    direction: DVec3,
}

impl Bulge {
    /// Where it is: the point that sticks out most beside the bone above, of these.
    pub fn detail(&self, points: impl Iterator<Item = DVec3>) -> Option<Detail> {
        let [from, joint] = self.above;
        let bone = joint - from;
        let is_beside = |point: &DVec3| {
            let along = (*point - from).dot(bone);
            0.0 < along && along < bone.length_squared()
        };
        let out = |point: &DVec3| (*point - joint).dot(self.direction);
        let beside = points.filter(is_beside);
        let at = beside.max_by(|a, b| out(a).total_cmp(&out(b)))?;
        let reach = BULGE_REACH * at.distance(joint);
        (reach > 0.0).then_some(Detail {
            joint: self.joint,
            at,
            reach,
        })
    }
}

/// A joint that moves what is near a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Detail {
    pub joint: usize,
    pub at: DVec3,
    pub reach: f64,
}

impl Bones {
    /// Joints that all may move vertices, ends unknown.
    pub fn new(parents: Vec<Option<usize>>, heads: Vec<Vec3>) -> Self {
        let count = heads.len();
        Self {
            parents,
            heads,
            tails: vec![None; count],
            deforms: vec![true; count],
            flesh: vec![Flesh::Around; count],
            radii: vec![None; count],
        }
    }

    /// The joints of a skin where its inverse bind matrices have them, and what their axes and names
    /// tell.
    ///
    /// # Errors
    /// [`SkinError`] when the skin is of another skeleton, or has not an inverse bind for each joint.
    pub fn of_skin(skeleton: &Skeleton, skin: &Skin) -> Result<Self, SkinError> {
        Ok(Self::of_skin_told(skeleton, skin)?.0)
    }

    /// The same, and why joints do not deform.
    pub(crate) fn of_skin_told(
        skeleton: &Skeleton,
        skin: &Skin,
    ) -> Result<(Self, Vec<Option<Unweighted>>), SkinError> {
        let (found, wanted) = (skin.joint_from_model.len(), skin.joints.len());
        if found != wanted {
            return Err(SkinError::InverseBinds { found, wanted });
        }
        let joints = skeleton.len();
        if let Some(&joint) = skin.joints.iter().find(|&&joint| joint >= joints) {
            return Err(SkinError::SkinJoint { joint, joints });
        }
        let mut place = vec![None; skeleton.len()];
        for (index, &joint) in skin.joints.iter().enumerate() {
            if place[joint].is_none() {
                place[joint] = Some(index);
            }
        }
        let parent_of = |&joint: &usize| {
            let mut above = skeleton.parent(joint);
            while let Some(joint) = above {
                if place[joint].is_some() {
                    return place[joint];
                }
                above = skeleton.parent(joint);
            }
            None
        };
        let parents = skin.joints.iter().map(parent_of).collect();
        let heads = (0..skin.joints.len()).map(|index| skin.bind_position(index));
        let mut bones = Self::new(parents, heads.collect());
        let frames: Vec<_> = skin.joint_from_model.iter().map(|m| m.inverse()).collect();
        let names: Vec<_> = skin.joints.iter().map(|&j| skeleton.name(j)).collect();
        let why = bones.take_hints(&frames, &names);
        Ok((bones, why))
    }

    /// How many joints there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    fn head(&self, joint: usize) -> DVec3 {
        self.heads[joint].as_dvec3()
    }

    fn radius(&self, joint: usize) -> Option<f64> {
        self.radii[joint].map(f64::from)
    }

    /// The joints above, nearest first. A loop, which a skeleton cannot have, ends after as many steps
    /// as there are joints.
    pub(crate) fn above(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.parents[joint];
        let all = std::iter::successors(first, |&joint| self.parents[joint]);
        all.take(self.len())
    }

    /// The nearest joint above that moves vertices.
    pub(crate) fn deforming_above(&self, joint: usize) -> Option<usize> {
        self.above(joint).find(|&above| self.deforms[above])
    }

    /// The joints that move vertices below each joint, with none that does between.
    pub(crate) fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.len()];
        for joint in (0..self.len()).filter(|&joint| self.deforms[joint]) {
            if let Some(parent) = self.deforming_above(joint) {
                children[parent].push(joint);
            }
        }
        children
    }

    /// Whether a sibling with children begins where a joint does.
    pub(crate) fn lies_on_sibling(&self, joint: usize, children: &[Vec<usize>]) -> bool {
        let above = self.deforming_above(joint);
        let siblings = above.map_or(&[][..], |parent| &children[parent]);
        siblings.iter().any(|&other| {
            other != joint && !children[other].is_empty() && self.heads[other] == self.heads[joint]
        })
    }

    /// The root of the face that each joint is a detail of.
    fn faces(&self, children: &[Vec<usize>]) -> Vec<Option<usize>> {
        // How long the longest chain below each joint is.
        let mut long = vec![0.0_f64; self.len()];
        for joint in (0..self.len()).filter(|&joint| self.deforms[joint]) {
            let (mut from, mut way) = (joint, 0.0);
            for above in self.above(joint) {
                way += self.head(from).distance(self.head(above));
                long[above] = long[above].max(way);
                from = above;
            }
        }
        let is_face: Vec<bool> = (0..self.len())
            .map(|joint| {
                let below = &children[joint];
                let away = below
                    .iter()
                    .map(|&c| self.head(c).distance(self.head(joint)));
                below.len() >= FACE_CHILDREN
                    && self.deforming_above(joint).is_some()
                    && below.iter().all(|&child| self.flesh[child] != Flesh::Digit)
                    && middle(below.iter().map(|&c| long[c])) < middle(away)
            })
            .collect();
        let is_face = |&joint: &usize| is_face[joint];
        (0..self.len())
            .map(|joint| self.above(joint).filter(is_face).last())
            .collect()
    }

    /// The joint that moves a joint's bones: itself, or in a face the jaw that it belongs to, or the
    /// face's root.
    fn mover(&self, joint: usize, faces: &[Option<usize>]) -> usize {
        let Some(face) = faces[joint] else {
            return joint;
        };
        let is_jaw = |&joint: &usize| self.flesh[joint] == Flesh::Jaw;
        let below = self.above(joint).take_while(|&above| above != face);
        let jaw = std::iter::once(joint).chain(below).find(is_jaw);
        let mover = jaw.unwrap_or(face);
        if self.deforms[mover] { mover } else { joint }
    }

    /// The joints that move what bulges out.
    pub(crate) fn bulges(&self) -> Vec<Bulge> {
        let of_joint = |joint: usize| match (self.flesh[joint], self.deforming_above(joint)) {
            (Flesh::Bulge(direction), Some(parent)) if self.deforms[joint] => Some(Bulge {
                joint,
                parent,
                above: [self.head(parent), self.head(joint)],
                direction: direction.as_dvec3(),
            }),
            _ => None,
        };
        (0..self.len()).filter_map(of_joint).collect()
    }

    /// The ends of the chains of faces, which move what is near them.
    pub(crate) fn details(&self) -> Vec<Detail> {
        let children = self.children();
        let faces = self.faces(&children);
        let mut details = Vec::new();
        let is_detail = |&joint: &usize| {
            self.deforms[joint] && children[joint].is_empty() && self.flesh[joint] != Flesh::Jaw
        };
        for joint in (0..self.len()).filter(is_detail) {
            let (Some(face), Some(parent)) = (faces[joint], self.deforming_above(joint)) else {
                continue;
            };
            let away = |&child: &usize| self.head(child).distance(self.head(face));
            let size: f64 = children[face].iter().map(away).sum();
            let size = size / children[face].len() as f64;
            let reach = self.head(parent).distance(self.head(joint));
            let reach = reach.min(DETAIL_REACH * size);
            if reach > 0.0 {
                let at = self.head(joint);
                details.push(Detail { joint, at, reach });
            }
        }
        details
    }

    /// The joint that the bone to each joint begins at: the one above, or a twist joint that lies on the
    /// way from there.
    fn before(&self, children: &[Vec<usize>], faces: &[Option<usize>]) -> Vec<Option<usize>> {
        let above = (0..self.len()).map(|joint| self.deforming_above(joint));
        let mut before: Vec<Option<usize>> = above.collect();
        for (joint, below) in children.iter().enumerate() {
            let is_leaf = |&&other: &&usize| children[other].is_empty() && faces[other].is_none();
            for &child in below {
                let way = self.head(child) - self.head(joint);
                let mut on_way: Vec<(f64, usize)> = Vec::new();
                for &twist in below
                    .iter()
                    .filter(is_leaf)
                    .filter(|&&twist| twist != child)
                {
                    let to = self.head(twist) - self.head(joint);
                    let along = to.dot(way) / way.length_squared();
                    let aside = to.distance(along * way);
                    if TWIST_ALONG.contains(&along) && aside < TWIST_ASIDE * way.length() {
                        on_way.push((along, twist));
                    }
                }
                on_way.sort_by(|a, b| a.0.total_cmp(&b.0));
                let mut last = joint;
                for (_, twist) in on_way {
                    before[twist] = Some(last);
                    last = twist;
                }
                before[child] = Some(last);
            }
        }
        before
    }

    /// The segments of every joint that moves vertices: one to each child, and the last bones of
    /// chains. Never none, when there is a joint that may move vertices.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        let children = self.children();
        let faces = self.faces(&children);
        let before = self.before(&children, &faces);
        let begins_at = |joint: usize, other: usize| self.heads[joint] == self.heads[other];
        let holds_together = |joint: usize| match &children[joint][..] {
            [first, rest @ ..] if self.deforming_above(joint).is_none() && !rest.is_empty() => {
                rest.iter().all(|&other| begins_at(other, *first))
            }
            _ => false,
        };
        let mut has_bone = vec![false; self.len()];
        let mut segments = Vec::with_capacity(self.len());
        let is_end = |joint: usize| self.flesh[joint] == Flesh::End;
        for joint in (0..self.len()).filter(|&j| self.deforms[j] || is_end(j)) {
            let Some(parent) = before[joint] else {
                continue;
            };
            let deforms = self.deforms[joint];
            if !deforms && begins_at(joint, parent) {
                continue;
            }
            has_bone[parent] = true;
            if !holds_together(parent) {
                segments.push(Segment {
                    joint: self.mover(parent, &faces),
                    start: parent,
                    child: deforms.then_some(joint),
                    from: self.head(parent),
                    to: self.head(joint),
                    radius: self.radius(parent),
                    guessed: false,
                });
            }
        }
        let may_end = |&joint: &usize| {
            let is_detail = faces[joint].is_some() && self.flesh[joint] != Flesh::Jaw;
            self.deforms[joint] && !has_bone[joint] && !is_detail
        };
        for joint in (0..self.len()).filter(may_end) {
            let from = self.head(joint);
            let to = match (self.tails[joint], self.deforming_above(joint)) {
                (Some(tail), _) => tail.as_dvec3(),
                (None, Some(_)) if self.lies_on_sibling(joint, &children) => continue,
                (None, Some(parent)) => 2.0 * from - self.head(parent),
                (None, None) => from,
            };
            segments.push(Segment {
                joint,
                start: joint,
                child: None,
                from,
                to,
                radius: self.radius(joint),
                guessed: true,
            });
        }
        if segments.is_empty() {
            // Odd skeletons: every joint is a point.
            let joints = (0..self.len()).filter(|&j| self.deforms[j]);
            segments.extend(joints.map(|joint| Segment {
                joint,
                start: joint,
                child: None,
                from: self.head(joint),
                to: self.head(joint),
                radius: None,
                guessed: false,
            }));
        }
        segments
    }
}

/// The middle one of some numbers.
fn middle(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    let place = values.len() / 2;
    *values.select_nth_unstable_by(place, f64::total_cmp).1
}
