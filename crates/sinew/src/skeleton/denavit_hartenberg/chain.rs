use super::row::{CLOSE, distance, fixed, kind, length, stand, swing, uneven};
use super::{Row, RowsError};
use crate::pose::{LocalPose, PoseMismatch};
use crate::skeleton::{Joint, Skeleton, SkeletonError};
use sinew_math::transform::{Axis, Transform};

/// Rows with the names of their joints, on a base.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Chain {
    /// Transform from the frame of the first row to model space.
    pub base: Transform,
    /// Names and rows, from the base outward.
    pub rows: Vec<(String, Row)>,
    /// Name of the tool.
    pub tool: String,
}

impl Chain {
    /// Skeleton of the rows, with the tool at the end. A base other than the identity becomes a
    /// fixed joint "base".
    pub fn skeleton(&self) -> Result<Skeleton, SkeletonError> {
        let mut joints = Vec::with_capacity(self.rows.len() + 2);
        if self.base != Transform::IDENTITY {
            joints.push(Joint::new("base", None, self.base).with_freedom(fixed()));
        }
        let mut before = Row::default();
        let mut add = |name: &str, own: Row, freedom| {
            let parent = joints.len().checked_sub(1);
            let joint = Joint::new(name, parent, stand(&before, &own));
            joints.push(joint.with_freedom(freedom));
            before = own.link();
            own.alpha_rad
        };
        let mut alpha_rad = 0.0;
        for (name, row) in &self.rows {
            alpha_rad = add(name, *row, row.freedom(alpha_rad));
        }
        add(&self.tool, Row::default(), fixed());
        Ok(Skeleton::new(joints)?.0)
    }

    /// Rows of a skeleton in a pose, as [`rows`](super::rows). Fixed joints at the root are part of
    /// the base, and so is all that a row cannot describe before the first joint that moves.
    pub fn of(skeleton: &Skeleton, pose: &LocalPose) -> Result<Self, RowsError> {
        PoseMismatch::check(pose.len(), skeleton.len())?;
        let tool = skeleton.len() - 1;
        if let Some(twig) = (0..=tool).find(|&j| skeleton.parent(j) != j.checked_sub(1)) {
            let name = skeleton.name(twig).to_owned();
            return Err(RowsError::Branches { name });
        }
        let moves = |&joint: &usize| *skeleton.freedom(joint) != fixed();
        if moves(&tool) {
            return Err(not_a_row(skeleton, tool));
        }
        let first = (0..tool).find(moves).unwrap_or(tool);
        let mut chain = Self {
            base: Transform::IDENTITY,
            rows: Vec::with_capacity(tool - first),
            tool: skeleton.name(tool).to_owned(),
        };
        let size = length(pose);
        for joint in 0..=tool {
            let now = pose.get(joint);
            let off = if chain.rows.is_empty() && (joint < first || joint == tool) {
                chain.stand_on(&now)
            } else if joint == tool {
                chain.end(&now, size)
            } else {
                let row = chain.extended(skeleton, joint, &now, size);
                row.ok_or_else(|| not_a_row(skeleton, joint))?
            };
            if off > CLOSE {
                let name = skeleton.name(joint).to_owned();
                return Err(RowsError::OutOfReach { name, off });
            }
        }
        if distance(&chain.base, &Transform::IDENTITY, size) <= CLOSE {
            chain.base = Transform::IDENTITY;
        }
        Ok(chain)
    }

    /// As [`Chain::of`], for a chain whose base is the identity.
    pub(super) fn at_origin(skeleton: &Skeleton, pose: &LocalPose) -> Result<Self, RowsError> {
        let chain = Self::of(skeleton, pose)?;
        if chain.base != Transform::IDENTITY {
            return Err(RowsError::OutOfReach {
                name: skeleton.name(0).to_owned(),
                off: distance(&chain.base, &Transform::IDENTITY, length(pose)),
            });
        }
        Ok(chain)
    }

    /// Adds a fixed frame to the base. Returns the error, which is a scale.
    fn stand_on(&mut self, frame: &Transform) -> f32 {
        self.base = self.base.compose(frame).unwrap_or(self.base);
        uneven(frame)
    }

    /// Sets the link before the tool. Returns the error of the row.
    fn end(&mut self, now: &Transform, size: f32) -> f32 {
        let Some((_, before)) = self.rows.last_mut() else {
            return 0.0;
        };
        let mut tool = Row::default();
        let link = tool.read(before, now);
        tool.theta_rad = 0.0;
        distance(now, &stand(&link, &tool), size)
    }

    /// Adds the row of a joint. Returns its error, or `None` if the joint does not move as a row.
    fn extended(
        &mut self,
        skeleton: &Skeleton,
        joint: usize,
        now: &Transform,
        size: f32,
    ) -> Option<f32> {
        let freedom = skeleton.freedom(joint);
        let mut row = kind(freedom)?;
        let (frame, off) = match self.rows.last_mut() {
            None => {
                let base = row.read_first(now);
                (swing(now).0, self.stand_on(&base))
            }
            Some((_, before)) => {
                let link = row.read(before, now);
                let alpha = Axis::X.rotation_f64(f64::from(before.alpha_rad));
                (alpha, distance(now, &stand(&link, &row), size))
            }
        };
        row.set_range(freedom, frame, &skeleton.rest().get(joint), now)?;
        self.rows.push((skeleton.name(joint).to_owned(), row));
        Some(off)
    }
}

fn not_a_row(skeleton: &Skeleton, joint: usize) -> RowsError {
    RowsError::NotARow {
        name: skeleton.name(joint).to_owned(),
    }
}
