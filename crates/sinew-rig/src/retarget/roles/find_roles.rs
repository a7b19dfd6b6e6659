//! Finds the roles of the joints of a person: from the file, or by names and then by the tree.

use super::finder::Finder;
use super::joint_names::{Meaning, Part};
use super::role_map::Roles;
use sinew::Skeleton;
use sinew::skeleton::{Finger, Role, Side};

/// Finds the roles of the joints. If the skeleton states roles that include the hips, as an avatar
/// does, returns these roles.
///
/// Otherwise recognises the joints of a person by the naming conventions of Mixamo, Unreal, Rigify,
/// VRM and `VRoid`, CMU and `MotionBuilder`, Acclaim, Xsens, Vicon, Biped, Character Creator,
/// Poser, SMPL and this project.
///
/// ```
/// use sinew_samples::humanoid_character;
/// use sinew_rig::retarget::{Role, Side, find_roles};
/// let person = humanoid_character();
/// let roles = find_roles(&person.skeleton);
/// assert_eq!(roles.joint(Role::LowerArm(Side::Left)), person.skeleton.find("left_lower_arm"));
/// assert_eq!(roles.joint(Role::Hips), person.skeleton.find("torso"));
/// ```
pub fn find_roles(skeleton: &Skeleton) -> Roles {
    let stated = Roles::stated(skeleton);
    if stated.joint(Role::Hips).is_some() {
        return stated;
    }
    let finder = Finder::new(skeleton);
    let mut roles = Roles::default();
    for side in Side::ALL {
        finder.leg(side, &mut roles);
        finder.arm(side, &mut roles);
    }
    finder.torso(&mut roles);
    roles
}

impl Finder<'_> {
    fn leg(&self, side: Side, roles: &mut Roles) {
        use Part::*;
        let find = |parts: &[Part], above| self.topmost(parts, Some(side), above);
        // Without a named thigh, the thigh is "LeftHip" above a knee or leg, or else "LeftLeg".
        let upper = find(&[UpperLeg], None)
            .or_else(|| {
                find(&[Hips], None).filter(|h| find(&[Knee, LowerLeg, Leg], Some(*h)).is_some())
            })
            .or_else(|| find(&[Leg], None));
        let lower = upper.and_then(|u| find(&[LowerLeg, Leg, Knee], Some(u)));
        let above_foot = lower.or(upper);
        let ankle = above_foot.and_then(|l| find(&[Ankle], Some(l)));
        let foot = above_foot.and_then(|l| find(&[Foot], Some(l)));
        let toes = above_foot.and_then(|l| find(&[Toes], Some(l)));
        // If foot and ankle are named, the foot is the child of the ankle.
        let (foot, toes) = match (ankle, foot) {
            (Some(ankle), Some(foot)) => (Some(ankle), toes.or(Some(foot))),
            (ankle, foot) => (ankle.or(foot), toes),
        };
        let [lower, foot] = upper.map_or([lower, foot], |u| self.two_below(u, [lower, foot], side));
        let toes = toes.or_else(|| foot.and_then(|f| self.next(f, side)));
        let found = [
            (Role::UpperLeg(side), upper),
            (Role::LowerLeg(side), lower),
            (Role::Foot(side), foot),
            (
                Role::Toes(side),
                toes.filter(|t| foot.is_some_and(|f| self.is_under(*t, f))),
            ),
        ];
        set_all(roles, found);
    }

    fn arm(&self, side: Side, roles: &mut Roles) {
        use Part::{Collar, Elbow, Hand, LowerArm, Shoulder, UpperArm, Wrist};
        let find = |parts: &[Part], above| self.topmost(parts, Some(side), above);
        let collar = find(&[Collar], None);
        let shoulder = find(&[Shoulder], None);
        let named = find(&[UpperArm], None);
        let collar =
            collar.or_else(|| shoulder.filter(|s| named.is_some() || self.is_collar(*s, side)));
        let below_collar = || collar.and_then(|c| self.next(c, side));
        let upper = named
            .or(shoulder.filter(|s| Some(*s) != collar))
            .or_else(below_collar);
        let collar = collar.filter(|c| upper.is_some_and(|u| self.is_under(u, *c)));
        let lower = upper.and_then(|u| find(&[LowerArm, Elbow], Some(u)));
        let above_hand = lower.or(upper);
        let hand =
            above_hand.and_then(|l| find(&[Hand], Some(l)).or_else(|| find(&[Wrist], Some(l))));
        let [lower, hand] = upper.map_or([lower, hand], |u| self.two_below(u, [lower, hand], side));
        let found = [
            (Role::Shoulder(side), collar),
            (Role::UpperArm(side), upper),
            (Role::LowerArm(side), lower),
            (Role::Hand(side), hand),
        ];
        set_all(roles, found);
        for finger in Finger::ALL {
            let joints = hand.map(|hand| self.finger(side, finger, hand));
            for (k, joint) in joints.unwrap_or_default().into_iter().enumerate() {
                roles.set(Role::Finger(side, finger, k), joint);
            }
        }
    }

    /// Joints of a finger, max three. Longer chains omit an unnumbered metacarpal and the tip.
    fn finger(&self, side: Side, finger: Finger, hand: usize) -> Vec<usize> {
        let is = |m: Meaning| m.side == Some(side) && m.part == Part::Finger(finger);
        let named = (0..self.names.len()).filter(|&j| self.names[j].is_some_and(is));
        let mut chain: Vec<usize> = Vec::new();
        for joint in named {
            if self.is_under(joint, *chain.last().unwrap_or(&hand)) {
                chain.push(joint);
            }
        }
        let number = |joint: usize| self.names[joint].and_then(|m| m.number);
        if chain.len() > 3 && number(chain[0]).is_none() {
            chain.remove(0);
        }
        chain.truncate(3);
        chain
    }

    fn torso(&self, roles: &mut Roles) {
        let limbs = |of: fn(Side) -> Role, roles: &Roles| -> Vec<usize> {
            Side::ALL
                .iter()
                .filter_map(|s| roles.joint(of(*s)))
                .collect()
        };
        let legs = limbs(Role::UpperLeg, roles);
        let mut arms = limbs(Role::Shoulder, roles);
        if arms.len() < 2 {
            arms = limbs(Role::UpperArm, roles);
        }
        let shoulders = self.meeting(&arms);
        let neck = self.topmost(&[Part::Neck], None, None);
        let head = self
            .topmost(&[Part::Head], None, neck)
            .or_else(|| self.topmost(&[Part::Head], None, None))
            .or_else(|| neck.and_then(|neck| self.head_above(neck)));
        let top = head.or(neck).or(shoulders);
        let middle = self.meeting(&legs.iter().copied().chain(top).collect::<Vec<_>>());
        let named = |joint: usize| {
            self.names[joint].is_some_and(|m| m.part == Part::Hips && m.side.is_none())
        };
        // Legs and spine meet at the hips, unless a joint above them is named hips.
        let hips = match middle.filter(|_| !legs.is_empty()) {
            Some(middle) => {
                let mut above = self.skeleton.hierarchy().ancestors(middle);
                above.find(|j| named(*j)).or(Some(middle))
            }
            None => (0..self.names.len()).find(|j| named(*j)),
        };
        let Some(hips) = hips else {
            return;
        };
        roles.set(Role::Hips, hips);
        let mut top = top.filter(|top| *top != hips && self.is_under(*top, hips));
        let mut head = head.filter(|head| self.is_under(*head, hips));
        if head.is_none() && neck.is_none() {
            // All joints up to the crown may be called spine.
            let mut last = shoulders;
            let spine = |m: Meaning| m.part == Part::Spine && m.side.is_none();
            while let Some(at) = last {
                let next = self
                    .skeleton
                    .children(at)
                    .find(|c| self.names[*c].is_some_and(spine));
                if next.is_none() && Some(at) != shoulders {
                    (head, top) = (Some(at), Some(at));
                }
                last = next;
            }
            if head.is_none() {
                head = shoulders.and_then(|s| self.head_between(s, &arms));
                top = head.or(top);
            }
        }
        if let Some(head) = head {
            roles.set(Role::Head, head);
        }
        let Some(top) = top else {
            return;
        };
        let hierarchy = self.skeleton.hierarchy();
        let mut way: Vec<usize> = hierarchy
            .ancestors(top)
            .take_while(|j| *j != hips)
            .collect();
        way.reverse();
        let (mut spine, mut necks) = (0, 0);
        for joint in way.into_iter().filter(|j| Some(*j) != head) {
            let is_neck = self.names[joint].is_some_and(|m| m.part == Part::Neck);
            let past = shoulders.is_some_and(|s| joint != s && self.is_under(joint, s));
            if is_neck || past || necks > 0 {
                roles.set(Role::Neck(necks), joint);
                necks += 1;
            } else {
                roles.set(Role::Spine(spine), joint);
                spine += 1;
            }
        }
    }
}

fn set_all<const N: usize>(roles: &mut Roles, found: [(Role, Option<usize>); N]) {
    for (role, joint) in found {
        if let Some(joint) = joint {
            roles.set(role, joint);
        }
    }
}
