//! Local transforms of joints over many frames, in one array.

use super::model_pose::Local;

#[derive(Clone, Debug)]
pub(crate) struct Frames {
    /// Number of joints of a frame, at least 1.
    joints: usize,
    locals: Vec<Local>,
}

impl Frames {
    /// Creates an empty array with memory for `frames`.
    pub fn new(joints: usize, frames: usize) -> Self {
        let joints = joints.max(1);
        Self {
            joints,
            locals: Vec::with_capacity(joints * frames),
        }
    }

    pub fn len(&self) -> usize {
        self.locals.len() / self.joints
    }

    /// Adds a frame. Ignores joints that are too many.
    pub fn push(&mut self, locals: impl IntoIterator<Item = Local>) {
        self.locals.extend(locals.into_iter().take(self.joints));
    }

    pub fn row(&self, frame: usize) -> &[Local] {
        &self.locals[frame * self.joints..][..self.joints]
    }

    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Local]> {
        self.locals.chunks_exact(self.joints)
    }

    pub fn rows_mut(&mut self) -> impl ExactSizeIterator<Item = &mut [Local]> {
        self.locals.chunks_exact_mut(self.joints)
    }

    /// Some joints of every frame.
    pub fn some(&self, joints: &[usize]) -> Self {
        let mut some = Self::new(joints.len(), self.len());
        for row in self.rows() {
            some.push(joints.iter().map(|&joint| row[joint]));
        }
        some
    }

    /// Sets some joints of every frame, from as many frames of these joints.
    pub fn set_some(&mut self, joints: &[usize], some: &Self) {
        for (row, from) in self.rows_mut().zip(some.rows()) {
            for (&joint, local) in joints.iter().zip(from) {
                row[joint] = *local;
            }
        }
    }
}
