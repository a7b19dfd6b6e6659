//! Rules by which joints of the target follow the source.
//! The rotation of a source joint from rest, in model space, is `D = R(t) · R(rest)⁻¹`. The target
//! joint rotates by `G · D · G⁻¹ · A`. `G` maps the world of the source to the world of the target.
//! `A` maps the rest pose of the target to the rest pose of the source (A pose to T pose). The
//! reverse transfer uses `G⁻¹` and `G⁻¹ · A⁻¹ · G`, so a round trip returns the motion.

use super::source_motion::SourceFrame;
use crate::retarget::body::standing::{Body, shortest};
use crate::retarget::pair::Pair;
use glam::{DMat3, DQuat, DVec3};
use sinew::skeleton::{Finger, Role, Side};

#[derive(Clone, Copy, Debug)]
pub(crate) enum RotationRule {
    /// Keeps the rest rotation relative to its parent.
    Rest,
    /// Rotates like a joint of the source, after the rotation `align` from rest.
    Follow { source: usize, align: DQuat },
    /// Rotates by the interpolation of two joints of the source.
    Between {
        sources: [usize; 2],
        along: f64,
        align: DQuat,
    },
}

pub(crate) struct RotationRules {
    /// Rule of each joint of the target.
    pub of: Vec<RotationRule>,
    /// `target_from_source`.
    pub rotation: DQuat,
}

impl RotationRules {
    pub fn new(
        source: &Body<'_>,
        target: &Body<'_>,
        pairs: &[Pair],
        rotation: DQuat,
        up: DVec3,
        keeps_shape: bool,
    ) -> Self {
        let aligner = Aligner {
            source,
            target,
            rotation,
            up,
        };
        let mut of = vec![RotationRule::Rest; target.skeleton.len()];
        let mut aligns = vec![DQuat::IDENTITY; target.skeleton.len()];
        let source_of = |joint| pairs.iter().find(|p| p.target == joint).map(|p| p.source);
        // Parents first, because an alignment starts from that of the parent.
        for joint in 0..target.skeleton.len() {
            let above = target
                .skeleton
                .parent(joint)
                .map_or(DQuat::IDENTITY, |p| aligns[p]);
            aligns[joint] = above;
            if let Some(source) = source_of(joint) {
                // Animals stand on their own legs at rest. People may stand with arms up or down.
                let align = match keeps_shape {
                    true => DQuat::IDENTITY,
                    false => aligner.align(target.roles.role(joint), above),
                };
                aligns[joint] = align;
                of[joint] = RotationRule::Follow { source, align };
            }
        }
        for joint in 0..target.skeleton.len() {
            let shares = matches!(
                target.roles.role(joint),
                Some(Role::Spine(_) | Role::Neck(_) | Role::Finger(..))
            );
            if shares && matches!(of[joint], RotationRule::Rest) {
                of[joint] = aligner
                    .between(joint, pairs, aligns[joint])
                    .unwrap_or(RotationRule::Rest);
            }
        }
        Self { of, rotation }
    }

    /// Rotation in target model space, for the source pose `now`. `None` for a joint at rest.
    pub fn rotation(
        &self,
        joint: usize,
        source: &Body<'_>,
        now: SourceFrame<'_>,
        target: &Body<'_>,
    ) -> Option<DQuat> {
        let from_rest = |j: usize| now.rotations[j] * source.rest.rotations[j].inverse();
        let (moved, align) = match self.of[joint] {
            RotationRule::Rest => return None,
            RotationRule::Follow { source, align } => (from_rest(source), align),
            RotationRule::Between {
                sources: [a, b],
                along,
                align,
            } => (from_rest(a).slerp(from_rest(b), along), align),
        };
        let rotated = self.rotation * moved * self.rotation.inverse();
        Some((rotated * align * target.rest.rotations[joint]).normalize())
    }
}

struct Aligner<'a, 'b> {
    source: &'a Body<'b>,
    target: &'a Body<'b>,
    rotation: DQuat,
    up: DVec3,
}

impl Aligner<'_, '_> {
    /// Alignment of a joint. Torso and shoulders are only made upright, since their shapes differ.
    /// Limbs point as in the rest pose of the source. Feet rotate only about the vertical.
    fn align(&self, role: Option<Role>, above: DQuat) -> DQuat {
        let Some(role) = role else {
            return above;
        };
        match role {
            Role::Hips | Role::Spine(_) | Role::Neck(_) | Role::Head | Role::Shoulder(_) => {
                DQuat::IDENTITY
            }
            Role::Hand(side) => self.hand(side, above),
            Role::Foot(side) => self.foot(side),
            Role::Toes(_) => above,
            Role::Finger(side, finger, _) => {
                let lens = [self.source, self.target].map(|b| b.roles.finger_len(side, finger));
                if lens[0] == lens[1] {
                    self.limb(role, above)
                } else {
                    above
                }
            }
            Role::UpperArm(_) | Role::UpperLeg(_) => self.limb(role, DQuat::IDENTITY),
            Role::LowerArm(_) | Role::LowerLeg(_) => self.limb(role, above),
        }
    }

    fn ahead(&self) -> DVec3 {
        self.target.frame * DVec3::Z
    }

    fn limb(&self, role: Role, above: DQuat) -> DQuat {
        match (self.source.direction(role), self.target.direction(role)) {
            (Some(from), Some(onto)) => {
                shortest(above * onto, self.rotation * from, self.ahead()) * above
            }
            _ => above,
        }
    }

    /// Aligns hands by three fingers: one gives a direction, two the side of the palm.
    fn hand(&self, side: Side, above: DQuat) -> DQuat {
        use Finger::*;
        let both =
            |f: &Finger| self.source.has_finger(side, *f) && self.target.has_finger(side, *f);
        let Some(along) = [Middle, Index, Ring, Little].into_iter().find(|f| both(f)) else {
            let ends = [self.source, self.target].map(|b| b.has_finger(side, Thumb));
            return if ends == [false, false] {
                self.limb(Role::Hand(side), above)
            } else {
                above
            };
        };
        let last = [Little, Ring, Middle].into_iter().find(|f| both(f));
        let across = last.filter(|_| both(&Index)).map(|last| [Index, last]);
        let hands = [self.source, self.target].map(|b| b.hand(side, along, across));
        let [Some([from, from_across]), Some([onto, onto_across])] = hands else {
            return above;
        };
        let frames = [[from, from_across], [onto, onto_across]].map(|[along, across]| {
            let across = (across - along * across.dot(along)).try_normalize()?;
            Some(DMat3::from_cols(along, across, along.cross(across)))
        });
        match frames {
            [Some(from), Some(onto)] => {
                let rotated = DMat3::from_quat(self.rotation) * from;
                DQuat::from_mat3(&(rotated * onto.transpose())).normalize()
            }
            _ => shortest(above * onto, self.rotation * from, self.ahead()) * above,
        }
    }

    fn foot(&self, side: Side) -> DQuat {
        let role = Role::Foot(side);
        let flat = |v: DVec3| {
            let flat = v - self.up * v.dot(self.up);
            (flat.length() > 0.3).then(|| flat.normalize())
        };
        let headings = [
            self.source
                .direction(role)
                .and_then(|v| flat(self.rotation * v)),
            self.target.direction(role).and_then(flat),
        ];
        match headings {
            [Some(from), Some(onto)] => shortest(onto, from, self.up),
            _ => DQuat::IDENTITY,
        }
    }

    /// Rule for a joint between two pairs: the same fraction between their source joints.
    fn between(&self, joint: usize, pairs: &[Pair], align: DQuat) -> Option<RotationRule> {
        let tree = self.target.skeleton.hierarchy();
        let pair_of = |joint: usize| pairs.iter().find(|p| p.target == joint);
        let above = tree.ancestors(joint).find_map(pair_of)?;
        let below = tree
            .subtree(joint)
            .filter(|j| self.goes_on(joint, *j))
            .find_map(pair_of)?;
        let along = fractions(self.target, above.target, below.target);
        let along = along.iter().find(|(j, _)| *j == joint)?.1;
        let way = fractions(self.source, above.source, below.source);
        let next = way
            .iter()
            .position(|(_, f)| *f > along)
            .unwrap_or(way.len() - 1)
            .max(1);
        let [(a, start), (b, end)] = [*way.get(next - 1)?, *way.get(next)?];
        let along = if end > start {
            (along - start) / (end - start)
        } else {
            1.0
        };
        Some(RotationRule::Between {
            sources: [a, b],
            along: along.clamp(0.0, 1.0),
            align,
        })
    }

    /// True if `joint` and `end` are in one chain: the spine, neck to head, or one finger.
    fn goes_on(&self, joint: usize, end: usize) -> bool {
        match [joint, end].map(|j| self.target.roles.role(j)) {
            [Some(Role::Spine(_)), Some(Role::Spine(_))] => true,
            [Some(Role::Neck(_)), Some(Role::Neck(_) | Role::Head)] => true,
            [Some(Role::Finger(a, f, _)), Some(Role::Finger(b, g, _))] => a == b && f == g,
            _ => false,
        }
    }
}

/// Joints from `above` to `below` with fractions of the length. Only these two if in no chain.
fn fractions(body: &Body<'_>, above: usize, below: usize) -> Vec<(usize, f64)> {
    let tree = body.skeleton.hierarchy();
    let mut way: Vec<usize> = tree.ancestors(below).take_while(|j| *j != above).collect();
    if way
        .last()
        .is_none_or(|top| tree.parent(*top) != Some(above))
    {
        way = vec![below];
    }
    way.push(above);
    way.reverse();
    let mut along = 0.0;
    let mut lengths = vec![(above, 0.0)];
    for step in way.windows(2) {
        along += body
            .rest
            .position(step[0])
            .distance(body.rest.position(step[1]));
        lengths.push((step[1], along));
    }
    for (index, (_, length)) in lengths.iter_mut().enumerate() {
        *length = if along > 0.0 {
            *length / along
        } else {
            index as f64 / (way.len() - 1).max(1) as f64
        };
    }
    lengths
}
