//! Rust structs with the layout of the structs in the shaders. A test compares them.

use bytemuck::{Pod, Zeroable};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// Number of threads, which is the number of pairs of vertices.
    pub pairs: u32,
    /// Max number of instances per workgroup.
    pub max_instances: u32,
}

impl Group {
    /// Workgroup of kernels that copy joints to workgroup memory, shared by many threads.
    pub const STAGED: Self = Self {
        pairs: 128,
        max_instances: 32,
    };
    /// Workgroup of kernels that read joints from storage.
    pub const UNSTAGED: Self = Self {
        pairs: 64,
        max_instances: 16,
    };
}

/// Max number of joints in workgroup memory. Their indices are bytes.
pub(crate) const LOCAL: usize = 64;
/// Number of pairs per block. All pairs of a block are padded to the max number of joints.
pub(crate) const BLOCK: u32 = 32;
pub(crate) const NONE: u32 = u32::MAX;
/// Each instance has a multiple of this number of pairs, so it starts a cache line of 128 bytes.
pub(crate) const PAIR_ALIGNMENT: usize = 8;

/// Offsets of a mesh in the data, in vectors of 16 bytes. The shader explains the fields.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct MeshRecord {
    pub records: u32,
    pub pairs: u32,
    pub blocks: u32,
    pub morphs: u32,
    pub tangents: u32,
    pub morph_stride: u32,
    pub start: u32,
    pub locals: u32,
}

impl MeshRecord {
    /// Record of the same mesh with its data at `start`.
    pub fn at(self, start: u32) -> Self {
        let moved = |offset: u32| match offset {
            NONE => NONE,
            offset => start + offset,
        };
        Self {
            records: moved(self.records),
            blocks: moved(self.blocks),
            morphs: moved(self.morphs),
            tangents: moved(self.tangents),
            locals: moved(self.locals),
            start,
            ..self
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct WorkRecord {
    pub mesh: u32,
    pub first_pair: u32,
    pub first_instance: u32,
    pub instances: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct InstanceRecord {
    pub first_pair: u32,
    pub palette: u32,
    pub stretch: u32,
    pub morph_weights: u32,
    pub scale: f32,
}

pub(crate) type LinearJoint = [[f32; 4]; 3];
/// Joint for dual quaternion skinning: real and dual part.
pub(crate) type DualJoint = [[f32; 4]; 2];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Task {
    /// True for dual quaternions, false for matrices.
    pub is_dual: bool,
    pub tangents: bool,
    /// True if joints stretch before the dual quaternions are applied.
    pub stretches: bool,
    /// True if there are morph targets, or pairs with more than four joints.
    pub is_rare: bool,
    /// True if joints are copied to workgroup memory.
    pub is_staged: bool,
}

impl Task {
    /// Number of different tasks.
    pub const COUNT: usize = 32;

    pub fn index(self) -> usize {
        let bits = [
            self.is_dual,
            self.tangents,
            self.stretches,
            self.is_rare,
            self.is_staged,
        ];
        let bit = |(index, bit): (usize, &bool)| usize::from(*bit) << index;
        bits.iter().enumerate().map(bit).sum()
    }

    /// WGSL source of the shader.
    pub fn source(self) -> String {
        let Self {
            is_dual,
            tangents,
            stretches,
            is_rare,
            is_staged,
        } = self;
        let (pairs, local) = match is_staged {
            true => (Group::STAGED.pairs, LOCAL),
            false => (Group::UNSTAGED.pairs, 1),
        };
        let method = if is_dual {
            include_str!("../../shaders/dual_quat.wgsl")
        } else {
            include_str!("../../shaders/linear.wgsl")
        };
        let vectors = include_str!("../../shaders/vectors.wgsl");
        let kernel = include_str!("../../shaders/skin.wgsl");
        format!(
            "const PAIRS: u32 = {pairs}u;\nconst LOCAL: u32 = {local}u;\n\
             const STAGED: bool = {is_staged};\nconst BLOCK: u32 = {BLOCK}u;\nconst NONE: u32 = {NONE}u;\n\
             const WITH_TANGENTS: bool = {tangents};\nconst WITH_STRETCHES: bool = {stretches};\n\
             const WITH_MORPHS: bool = {is_rare};\nconst WITH_MORE: bool = {is_rare};\n\
             {vectors}\n{method}\n{kernel}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use naga::{Module, TypeInner};
    use std::mem::offset_of;

    fn tasks() -> impl Iterator<Item = Task> {
        (0..Task::COUNT).map(|bits| Task {
            is_dual: bits & 1 != 0,
            tangents: bits & 2 != 0,
            stretches: bits & 4 != 0,
            is_rare: bits & 8 != 0,
            is_staged: bits & 16 != 0,
        })
    }

    fn module(task: Task) -> Module {
        let source = task.source();
        let module = naga::front::wgsl::parse_str(&source);
        module.unwrap_or_else(|e| panic!("{}", e.emit_to_string(&source)))
    }

    fn simplest(is_dual: bool) -> Module {
        tasks()
            .map(module)
            .nth(usize::from(is_dual))
            .expect("many tasks")
    }

    #[test]
    fn every_task_has_an_index_of_its_own() {
        assert!(
            tasks()
                .enumerate()
                .all(|(index, task)| task.index() == index)
        );
    }

    fn layout(module: &Module, name: &str) -> (Vec<(String, u32)>, u32) {
        let named = |(_, t): &(_, &naga::Type)| t.name.as_deref() == Some(name);
        let (_, found) = module
            .types
            .iter()
            .find(named)
            .expect("a struct of that name");
        let TypeInner::Struct { members, span } = &found.inner else {
            panic!("{name} is no struct");
        };
        let offset = |m: &naga::StructMember| (m.name.clone().unwrap_or_default(), m.offset);
        (members.iter().map(offset).collect(), *span)
    }

    macro_rules! offsets {
        ($type:ty: $($member:ident),*) => {
            vec![$((stringify!($member).to_owned(), offset_of!($type, $member) as u32)),*]
        };
    }

    #[test]
    fn shader_structs_are_laid_out_as_the_rust_ones() {
        let module = simplest(false);
        let (mesh, size) = layout(&module, "Mesh");
        assert_eq!(size as usize, size_of::<MeshRecord>());
        let expected = offsets!(MeshRecord: records, pairs, blocks, morphs, tangents, morph_stride, start, locals);
        assert_eq!(mesh, expected);

        let (work, size) = layout(&module, "Work");
        assert_eq!(size as usize, size_of::<WorkRecord>());
        assert_eq!(
            work,
            offsets!(WorkRecord: mesh, first_pair, first_instance, instances)
        );

        let (instance, size) = layout(&module, "Instance");
        assert_eq!(size as usize, size_of::<InstanceRecord>());
        let expected = offsets!(InstanceRecord: first_pair, palette, stretch, morph_weights, scale);
        assert_eq!(instance, expected);
    }

    #[test]
    fn a_joint_is_as_long_in_the_shader_as_in_rust() {
        assert_eq!(
            layout(&simplest(false), "Map").1 as usize,
            size_of::<LinearJoint>()
        );
        assert_eq!(
            layout(&simplest(true), "Map").1 as usize,
            size_of::<DualJoint>()
        );
    }

    #[test]
    fn two_skinned_vertices_are_three_vectors() {
        assert_eq!(2 * size_of::<crate::skin::vertex::SkinnedVertex>(), 3 * 16);
    }

    #[test]
    fn every_shader_stays_within_what_webgpu_promises() {
        for module in tasks().map(module) {
            let is_storage =
                |v: &naga::GlobalVariable| matches!(v.space, naga::AddressSpace::Storage { .. });
            let buffers = module
                .global_variables
                .iter()
                .filter(|(_, v)| is_storage(v));
            assert!(buffers.count() <= 8);
            let mut layouter = naga::proc::Layouter::default();
            layouter.update(module.to_ctx()).unwrap();
            let is_shared = |v: &naga::GlobalVariable| v.space == naga::AddressSpace::WorkGroup;
            let shared = module.global_variables.iter().filter(|(_, v)| is_shared(v));
            let bytes: u32 = shared.map(|(_, v)| layouter[v.ty].size).sum();
            assert!(bytes <= 16384, "{bytes} bytes of workgroup memory");
        }
    }
}
