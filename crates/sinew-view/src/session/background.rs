use crate::document::{Deformation, Export, FileId, PackedMotion, Results, SavedState, Saves};
use sinew::Method;
use std::path::PathBuf;

#[derive(Debug, Default)]
pub(super) struct BackgroundJobs {
    pub(super) deformations: Results<DeformationKey, Deformation>,
    pub(super) packed: Results<MotionKey, PackedMotion>,
    pub(super) saves: Saves,
    /// Packed clips to write, with the state of the file unless it is a copy.
    pub(super) to_write: Vec<(PathBuf, MotionKey, Option<SavedState>)>,
    /// Pictures that the painter must write.
    pub(super) pictures: Vec<(Export, PathBuf)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MotionKey {
    pub(super) file: FileId,
    pub(super) version: u32,
    pub(super) edits: u64,
    pub(super) clip: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DeformationKey {
    pub(super) file: FileId,
    pub(super) version: u32,
    pub(super) edits: u64,
    pub(super) clip: Option<usize>,
    pub(super) method: Method,
    pub(super) fps: f64,
}

impl BackgroundJobs {
    pub fn is_busy(&self) -> bool {
        let is_written = self.to_write.is_empty();
        self.deformations.is_busy() || self.packed.is_busy() || self.saves.is_busy() || !is_written
    }
}
