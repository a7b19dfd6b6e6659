//! Editable joints in model space, and the skeleton made from them.

use super::error::TemplateError;
use glam::{DMat3, DVec3, Vec3};
use sinew::names::did_you_mean;
use sinew::skeleton::limits::Freedom;
use sinew::transform::quat;
use sinew::{Joint, Skeleton, Transform};
use std::collections::BTreeMap;

/// A joint of a template.
#[derive(Clone, Debug, PartialEq)]
pub struct TemplateJoint {
    /// Name of the joint, unique in the template.
    pub name: String,
    /// Index of the parent, less than the index of the joint. `None` for the root.
    pub parent: Option<usize>,
    /// Position in model space.
    pub position: Vec3,
    /// Index of the joint at the end of the bone.
    pub points_at: Option<usize>,
    /// End of the bone, in model space, if `points_at` is `None`.
    pub tip: Vec3,
    /// Direction of the z axis, made perpendicular to the bone.
    pub front: Vec3,
    /// Degrees of freedom and limits, in the frame of the joint.
    pub freedom: Freedom,
}

/// A template skeleton: joints in model space, parents first.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "metarig")]
#[doc(alias = "armature")]
pub struct Template {
    pub(super) joints: Vec<TemplateJoint>,
}

impl Template {
    /// Template of joints, parents first.
    pub(crate) fn new(joints: Vec<TemplateJoint>) -> Self {
        Self { joints }
    }

    /// Joints, parents first.
    pub fn joints(&self) -> &[TemplateJoint] {
        &self.joints
    }

    /// Finds the index of a joint by name.
    pub fn find(&self, name: &str) -> Result<usize, TemplateError> {
        let place = self.joints.iter().position(|j| j.name == name);
        place.ok_or_else(|| TemplateError::NoSuchJoint {
            name: name.to_owned(),
            known: self.known(),
            near: did_you_mean(name, self.joints.iter().map(|j| j.name.as_str())),
        })
    }

    fn known(&self) -> String {
        const SAID: usize = 12;
        let names: Vec<&str> = self.joints.iter().map(|j| j.name.as_str()).collect();
        match names.len() {
            0..=SAID => names.join(", "),
            all => format!("{} and {} more", names[..SAID].join(", "), all - SAID),
        }
    }

    /// Position of every joint, by name. Input of [`Template::with_positions`].
    pub fn positions(&self) -> BTreeMap<String, Vec3> {
        let joints = self.joints.iter();
        joints.map(|j| (j.name.clone(), j.position)).collect()
    }

    /// Moves some joints to positions in model space. Other joints stay. Bones without an end joint
    /// keep their length and direction.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew_rig::template::Biped;
    /// let low = [("left_lower_leg".to_owned(), Vec3::new(0.1, 0.45, 0.02))];
    /// let template = Biped::default().template().with_positions(&low.into())?;
    /// assert_eq!(template.positions()["left_lower_leg"].y, 0.45);
    /// # Ok::<(), sinew_rig::template::TemplateError>(())
    /// ```
    pub fn with_positions(
        &self,
        positions: &BTreeMap<String, Vec3>,
    ) -> Result<Self, TemplateError> {
        let mut template = self.clone();
        for (name, position) in positions {
            let joint = self.find(name)?;
            if !position.is_finite() {
                return Err(TemplateError::NotFinite { name: name.clone() });
            }
            let joint = &mut template.joints[joint];
            joint.tip += *position - joint.position;
            joint.position = *position;
        }
        Ok(template)
    }

    /// Renames a joint.
    pub fn renamed(&self, name: &str, new_name: &str) -> Result<Self, TemplateError> {
        let joint = self.find(name)?;
        self.check_new(new_name)?;
        let mut template = self.clone();
        template.joints[joint].name = new_name.to_owned();
        Ok(template)
    }

    fn check_new(&self, name: &str) -> Result<(), TemplateError> {
        if self.joints.iter().any(|j| j.name == name) {
            Err(TemplateError::NameTaken {
                name: name.to_owned(),
            })
        } else {
            Ok(())
        }
    }

    /// Removes joints. Their children keep their positions and become children of the nearest
    /// remaining ancestor. The bone of that ancestor replaces the removed bones.
    ///
    /// ```
    /// use sinew_rig::template::Biped;
    /// let four = Biped { spine: 4, ..Biped::default() }.template();
    /// let one = four.merged(&["spine_2", "spine_3", "spine_4"])?;
    /// assert_eq!(one.joints().len(), four.joints().len() - 3);
    /// assert_eq!(one.positions()["chest"], four.positions()["chest"]);
    /// # Ok::<(), sinew_rig::template::TemplateError>(())
    /// ```
    pub fn merged(&self, names: &[&str]) -> Result<Self, TemplateError> {
        let mut goes = vec![false; self.joints.len()];
        for name in names {
            let joint = self.find(name)?;
            if self.joints[joint].parent.is_none() {
                return Err(TemplateError::Root {
                    name: (*name).to_owned(),
                });
            }
            goes[joint] = true;
        }
        let mut joints: Vec<TemplateJoint> = Vec::new();
        let mut carrier = Vec::with_capacity(self.joints.len());
        for (old, joint) in self.joints.iter().enumerate() {
            let parent = joint.parent.map(|p| carrier[p]);
            if goes[old] {
                // The root stays, so there is a parent.
                carrier.push(parent.unwrap_or(0));
                continue;
            }
            carrier.push(joints.len());
            joints.push(TemplateJoint {
                parent,
                ..joint.clone()
            });
        }
        for (old, joint) in self.joints.iter().enumerate().filter(|(j, _)| !goes[*j]) {
            let mut end = joint.points_at;
            let mut tip = joint.tip;
            while let Some(next) = end.filter(|&e| goes[e]) {
                (end, tip) = (self.joints[next].points_at, self.joints[next].tip);
            }
            let kept = &mut joints[carrier[old]];
            (kept.points_at, kept.tip) = (end.map(|e| carrier[e]), tip);
        }
        Ok(Self { joints })
    }

    /// Cuts the bone of a joint into pieces of equal length. New joints get its name with `_part_2`
    /// and so on. The joint at the end of the bone becomes a child of the last piece.
    pub fn split(&self, name: &str, pieces: usize) -> Result<Self, TemplateError> {
        let joint = self.find(name)?;
        if !(2..=64).contains(&pieces) {
            return Err(TemplateError::Pieces { pieces });
        }
        let whole = self.joints[joint].clone();
        let (from, to) = (whole.position, self.end(joint));
        let mut joints = self.joints.clone();
        // New joints come right after the joint that they are cut from, so parents stay first.
        let moved = |index: usize| {
            if index > joint {
                index + pieces - 1
            } else {
                index
            }
        };
        for other in &mut joints {
            other.parent = other.parent.map(moved);
            other.points_at = other.points_at.map(moved);
        }
        let end = whole.points_at.map(moved);
        if let Some(end) = whole.points_at {
            joints[end].parent = Some(joint + pieces - 1);
        }
        joints[joint].points_at = Some(joint + 1);
        for piece in 1..pieces {
            let part_name = format!("{name}_part_{}", piece + 1);
            self.check_new(&part_name)?;
            let part = TemplateJoint {
                name: part_name,
                parent: Some(joint + piece - 1),
                position: from + (to - from) * (piece as f32 / pieces as f32),
                points_at: if piece + 1 < pieces {
                    Some(joint + piece + 1)
                } else {
                    end
                },
                tip: to,
                ..whole.clone()
            };
            joints.insert(joint + piece, part);
        }
        Ok(Self { joints })
    }

    /// End of the bone of a joint, in model space.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn end(&self, joint: usize) -> Vec3 {
        let joint = &self.joints[joint];
        joint
            .points_at
            .map_or(joint.tip, |j| self.joints[j].position)
    }

    /// Axes of a joint as columns: y along its bone (up if its length is zero), z to its front.
    fn axes(&self, joint: usize) -> DMat3 {
        let from = self.joints[joint].position.as_dvec3();
        let along = (self.end(joint).as_dvec3() - from).try_normalize();
        let along = along.unwrap_or(DVec3::Y);
        let front = self.joints[joint].front.as_dvec3();
        let front = (front - along * front.dot(along)).try_normalize();
        let front = front.unwrap_or_else(|| along.any_orthonormal_vector());
        DMat3::from_cols(along.cross(front), along, front)
    }

    /// Creates a skeleton whose rest pose has these joint positions.
    ///
    /// ```
    /// use sinew_rig::template::Biped;
    /// let skeleton = Biped::default().template().skeleton()?;
    /// let hand = skeleton.find("left_hand").unwrap();
    /// assert_eq!(skeleton.name(skeleton.parent(hand).unwrap()), "left_lower_arm");
    /// assert!(skeleton.degrees_of_freedom() > 20);
    /// # Ok::<(), sinew_rig::template::TemplateError>(())
    /// ```
    pub fn skeleton(&self) -> Result<Skeleton, TemplateError> {
        let axes: Vec<DMat3> = (0..self.joints.len()).map(|j| self.axes(j)).collect();
        let joints = self.joints.iter().enumerate().map(|(index, joint)| {
            let position = joint.position.as_dvec3();
            let (rotation, place) = match joint.parent {
                Some(parent) => {
                    let parent_from_model = axes[parent].transpose();
                    let from = self.joints[parent].position.as_dvec3();
                    let rotation = parent_from_model * axes[index];
                    (rotation, parent_from_model * (position - from))
                }
                None => (axes[index], position),
            };
            let rows = rotation.transpose().to_cols_array_2d();
            let rest =
                Transform::from_rotation_translation(quat::from_rows(&rows), place.as_vec3());
            Joint::new(joint.name.clone(), joint.parent, rest).with_freedom(joint.freedom.clone())
        });
        let (skeleton, _) = Skeleton::new(joints.collect())?;
        Ok(skeleton)
    }
}
