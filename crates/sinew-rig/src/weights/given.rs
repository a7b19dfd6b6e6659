//! Vertices as parts of meshes, with their previous weights.

use sinew::Influences;
use std::sync::Arc;

pub(crate) struct Given<'a> {
    pub ranges: &'a [std::ops::Range<usize>],
    pub influences: &'a [Option<Arc<Influences>>],
    pub meshes: &'a [usize],
}

impl Given<'_> {
    pub const NONE: Given<'static> = Given {
        ranges: &[],
        influences: &[],
        meshes: &[],
    };

    /// Index of the mesh of a vertex.
    pub fn mesh(&self, vertex: usize) -> usize {
        let at = self.ranges.partition_point(|range| range.end <= vertex);
        self.meshes.get(at).copied().unwrap_or(0)
    }

    /// Index of the mesh of a vertex, and that of the primitive in the mesh.
    pub fn primitive(&self, vertex: usize) -> (usize, usize) {
        let at = self.ranges.partition_point(|range| range.end <= vertex);
        let mesh = self.mesh(vertex);
        let before = self.meshes.iter().take(at).rev();
        (mesh, before.take_while(|&&other| other == mesh).count())
    }

    /// Previous weights of a vertex, by joint. Empty if it had none.
    pub fn get(&self, vertex: usize) -> Vec<(usize, f32)> {
        let at = self.ranges.partition_point(|range| range.end <= vertex);
        let Some(Some(influences)) = self.influences.get(at) else {
            return Vec::new();
        };
        influences.get(vertex - self.ranges[at].start).collect()
    }
}
