//! Layout of a batch: palettes one after the other, instances sorted by kind and mesh.

use super::layout::{InstanceRecord, NONE};
use super::skinner::MeshShape;
use super::work::Run;
use crate::device::error::GpuError;
use sinew::Method;
use sinew::skin::SkinError;

/// Slot of a batch for one palette.
#[doc(alias = "bone matrices")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaletteSlot {
    /// Skinning method of the instances. `Rigid` and `Linear` both use matrices.
    pub method: Method,
    /// Number of joints.
    pub joints: usize,
}

/// Mesh and the palette that moves it. The primitives of a character share one palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinInstance {
    /// Index of the mesh in the [`Skinner`](super::skinner::Skinner).
    pub mesh: usize,
    /// Index of the palette in the batch.
    pub palette: usize,
}

impl PaletteSlot {
    pub(crate) fn is_dual(&self) -> bool {
        self.method == Method::DualQuat
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    pub is_dual: bool,
    pub is_rare: bool,
    pub is_staged: bool,
}

#[derive(Debug)]
pub(crate) struct Arrangement {
    /// Records of the instances, sorted by kind and mesh.
    pub records: Vec<InstanceRecord>,
    record_of: Vec<u32>,
    /// Number of vertex pairs of every instance.
    pub pairs: Vec<u32>,
    /// Runs of instances with the same mesh, for each kind.
    pub runs: Vec<(Kind, Vec<Run>)>,
    /// Index of the first joint of every palette, among the joints of its method.
    pub first_joints: Vec<usize>,
    /// Number of joints as matrices, and as dual quaternions.
    pub joints: [usize; 2],
}

impl Arrangement {
    /// Checks the indices and arranges the instances.
    pub fn new(
        meshes: &[MeshShape],
        palettes: &[PaletteSlot],
        instances: &[SkinInstance],
    ) -> Result<Self, GpuError> {
        check(meshes, palettes, instances)?;
        let mut joints = [0_usize; 2];
        let first_joints: Vec<_> = palettes
            .iter()
            .map(|slot| {
                let first_free = &mut joints[usize::from(slot.is_dual())];
                let first = *first_free;
                *first_free = first.saturating_add(slot.joints);
                first
            })
            .collect();
        let kind = |i: usize| {
            let (mesh, is_dual) = (
                &meshes[instances[i].mesh],
                palettes[instances[i].palette].is_dual(),
            );
            Kind {
                is_dual,
                is_rare: mesh.is_rare,
                // Staging of dual quaternions was slower: 0.48 ms against 0.44 ms for a crowd on an
                // H200. Staging of matrices was faster: 0.41 ms against 0.47 ms.
                is_staged: mesh.is_staged && !is_dual,
            }
        };
        let pairs = |i: usize| meshes[instances[i].mesh].pairs;
        let mut sorted: Vec<usize> = (0..instances.len()).collect();
        sorted.sort_by_key(|&i| (kind(i), instances[i].mesh));
        let mut arranged = Self {
            records: Vec::with_capacity(instances.len()),
            record_of: vec![0; instances.len()],
            pairs: (0..instances.len()).map(pairs).collect(),
            runs: Vec::new(),
            first_joints,
            joints,
        };
        let mut first_pair = 0_u32;
        for (index, &i) in sorted.iter().enumerate() {
            arranged.record_of[i] = index as u32;
            arranged.records.push(InstanceRecord {
                first_pair,
                palette: arranged.first_joints[instances[i].palette] as u32,
                stretch: NONE,
                morph_weights: NONE,
                scale: 1.0,
            });
            // The size check of the buffer detects overflow.
            first_pair = first_pair.saturating_add(pairs(i));
            arranged.add_to_runs(kind(i), instances[i].mesh as u32, pairs(i), index as u32);
        }
        Ok(arranged)
    }

    fn add_to_runs(&mut self, kind: Kind, mesh: u32, pairs: u32, index: u32) {
        let run = Run {
            mesh,
            pairs,
            first_instance: index,
            instances: 1,
        };
        match self.runs.last_mut() {
            Some((last, runs)) if *last == kind => match runs.last_mut() {
                Some(run) if run.mesh == mesh => run.instances += 1,
                _ => runs.push(run),
            },
            _ => self.runs.push((kind, vec![run])),
        }
    }

    pub fn record(&self, instance: usize) -> &InstanceRecord {
        &self.records[self.record_of[instance] as usize]
    }

    pub fn record_mut(&mut self, instance: usize) -> &mut InstanceRecord {
        &mut self.records[self.record_of[instance] as usize]
    }
}

fn check(
    meshes: &[MeshShape],
    palettes: &[PaletteSlot],
    instances: &[SkinInstance],
) -> Result<(), GpuError> {
    if palettes.iter().any(|p| p.method == Method::Quaternion) {
        return Err(GpuError::NoSuchMethod);
    }
    let no_such = |what, index, len| GpuError::NoSuch { what, index, len };
    for instance in instances {
        let (at, len) = (instance.mesh, meshes.len());
        let mesh = meshes.get(at).ok_or(no_such("mesh", at, len))?;
        let (at, len) = (instance.palette, palettes.len());
        let palette = palettes.get(at).ok_or(no_such("palette", at, len))?;
        let (joint, len) = (mesh.max_joint, palette.joints);
        if joint >= len && mesh.pairs > 0 {
            return Err(GpuError::Skin(SkinError::NoSuchJoint { joint, len }));
        }
    }
    Ok(())
}
