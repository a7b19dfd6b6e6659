//! Kernels that do the same in different ways, and what they need.

use crate::crowd::Crowd;
use sinew::Method;
use sinew_gpu::wgpu::{self, BufferUsages};
use sinew_gpu::{Gpu, GpuError, Timer};

/// Joints that a workgroup may use, and their number before them.
const LOCAL: usize = 68;

/// How vertices are stored for a kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Records {
    Single,
    Pairs,
}

/// A way to write the kernel.
pub struct Kernel {
    pub entry: &'static str,
    pub order: Records,
    /// Threads a workgroup.
    pub sizes: &'static [u32],
    /// Instances a thread does.
    pub shares: &'static [u32],
    /// Records a thread takes.
    records_a_thread: u32,
}

const fn kernel(
    entry: &'static str,
    order: Records,
    sizes: &'static [u32],
    shares: &'static [u32],
) -> Kernel {
    Kernel {
        entry,
        order,
        sizes,
        shares,
        records_a_thread: 1,
    }
}

const MANY: &[u32] = &[4, 8, 16, 32, 64];

pub const KERNELS: &[Kernel] = &[
    kernel("plain", Records::Single, &[64, 256], &[1]),
    kernel("held", Records::Single, &[64, 256], &[8, 32]),
    Kernel {
        records_a_thread: 4,
        ..kernel("quad", Records::Single, &[64], &[1, 8])
    },
    kernel("turned", Records::Single, &[64, 128, 256], MANY),
    kernel("pair_direct", Records::Pairs, &[64, 128], MANY),
    kernel("pair_turned", Records::Pairs, &[32, 64, 128, 256], MANY),
    kernel("pair_twice", Records::Pairs, &[32, 64, 128], MANY),
    kernel("pair_double", Records::Pairs, &[32, 64, 128], MANY),
    kernel("pair_staged", Records::Pairs, &[64, 128, 256], MANY),
];

impl Kernel {
    pub fn label(&self, size: u32, share: u32) -> String {
        format!("{}, {size} threads, {share} instances", self.entry)
    }
}

/// Everything that all kernels share.
pub struct Bench<'a> {
    gpu: &'a Gpu,
    pub crowd: &'a Crowd,
    reps: u32,
    timer: Timer,
    layout: wgpu::BindGroupLayout,
    single: wgpu::Buffer,
    linear: wgpu::Buffer,
    dual: wgpu::Buffer,
    out: wgpu::Buffer,
}

/// A kernel with its buffers.
pub struct Prepared {
    pipeline: wgpu::ComputePipeline,
    records: wgpu::Buffer,
    palettes: wgpu::Buffer,
    locals: wgpu::Buffer,
}

impl<'a> Bench<'a> {
    pub fn new(gpu: &'a Gpu, crowd: &'a Crowd, reps: u32) -> Result<Self, GpuError> {
        let storage = BufferUsages::STORAGE;
        let palettes = |method| gpu.buffer_with("palettes", storage, crowd.palette_bytes(method));
        let bytes = (crowd.instances * crowd.slots() * 24) as u64;
        let usage = storage | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        Ok(Self {
            gpu,
            crowd,
            reps,
            timer: Timer::new(gpu, reps)?.ok_or(GpuError::NoAdapter)?,
            layout: layout(gpu),
            single: gpu.buffer_with("records", storage, &single_records(crowd))?,
            linear: palettes(Method::Linear)?,
            dual: palettes(Method::DualQuat)?,
            out: gpu.buffer("output", usage, bytes)?,
        })
    }

    pub fn prepare(&self, kernel: &Kernel, method: Method, size: u32) -> Prepared {
        let text = match kernel.order {
            Records::Single => include_str!("single.wgsl"),
            Records::Pairs => include_str!("pair.wgsl"),
        };
        let (records, locals) = match kernel.order {
            Records::Single => (Ok(self.single.clone()), vec![0; LOCAL]),
            Records::Pairs => {
                let (records, locals) = pair_records(self.crowd, size as usize);
                let storage = BufferUsages::STORAGE;
                (self.gpu.buffer_with("pairs", storage, &records), locals)
            }
        };
        let storage = BufferUsages::STORAGE;
        let locals = bytemuck::cast_slice(&locals);
        Prepared {
            pipeline: self.pipeline(&source(method, size, text), kernel.entry),
            records: records.expect("a few kilobytes"),
            palettes: match method {
                Method::DualQuat => self.dual.clone(),
                _ => self.linear.clone(),
            },
            locals: self
                .gpu
                .buffer_with("locals", storage, locals)
                .expect("a few kilobytes"),
        }
    }

    /// Milliseconds of every repetition.
    pub fn time(
        &self,
        prepared: &Prepared,
        kernel: &Kernel,
        size: u32,
        share: u32,
    ) -> Result<Vec<f64>, GpuError> {
        let slots = self.crowd.slots() as u32;
        let count = match kernel.order {
            Records::Single => slots,
            Records::Pairs => slots / 2,
        };
        let instances = self.crowd.instances as u32;
        let stride = slots * 24 / 16;
        let params = [count, instances, share, stride, self.crowd.joints() as u32];
        let threads = count.div_ceil(kernel.records_a_thread);
        let groups = (threads.div_ceil(size), instances.div_ceil(share));
        self.run(prepared, params, groups)
    }

    /// Forgets what the last kernel did, so that the next cannot pass for it.
    pub fn clear(&self) {
        let mut encoder = self.gpu.encoder();
        encoder.clear_buffer(&self.out, 0, None);
        self.gpu.submit(encoder);
    }

    /// Milliseconds of writing or copying as many bytes as the crowd has.
    pub fn memory(&self, entry: &str, size: u32, share: u32) -> Result<Vec<f64>, GpuError> {
        let text = include_str!("memory.wgsl");
        let prepared = Prepared {
            pipeline: self.pipeline(&source(Method::Linear, size, text), entry),
            records: self.single.clone(),
            palettes: self.linear.clone(),
            locals: self.single.clone(),
        };
        let vectors = (self.out.size() / 16) as u32;
        // A copy reads half of it and writes the other.
        let count = if entry == "copy" {
            vectors / 2
        } else {
            vectors
        };
        let groups = count.div_ceil(size * share);
        let width = groups.min(32768);
        let params = [count, 1, share, 0, 0];
        self.run(&prepared, params, (width, groups.div_ceil(width)))
    }

    fn run(
        &self,
        prepared: &Prepared,
        params: [u32; 5],
        groups: (u32, u32),
    ) -> Result<Vec<f64>, GpuError> {
        let usage = BufferUsages::UNIFORM;
        let params = self
            .gpu
            .buffer_with("params", usage, bytemuck::cast_slice(&params))?;
        let buffers = [
            &params,
            &prepared.records,
            &prepared.palettes,
            &self.out,
            &prepared.locals,
        ];
        let entry = |binding: usize| wgpu::BindGroupEntry {
            binding: binding as u32,
            resource: buffers[binding].as_entire_binding(),
        };
        let entries: [_; 5] = std::array::from_fn(entry);
        let bind_group = self
            .gpu
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &self.layout,
                entries: &entries,
            });
        let mut encoder = self.gpu.encoder();
        // Once for the caches and clocks, then by the clock.
        for rep in 0..=self.reps {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: None,
                timestamp_writes: rep.checked_sub(1).map(|rep| self.timer.compute(rep)),
            });
            pass.set_pipeline(&prepared.pipeline);
            pass.set_bind_group(0, &bind_group, &[]);
            pass.dispatch_workgroups(groups.0, groups.1, 1);
        }
        self.timer.resolve(&mut encoder);
        self.gpu.submit(encoder);
        self.timer.read_ms(self.gpu)
    }

    /// Of what the last kernel left in the output.
    pub fn worst_error(&self, method: Method) -> Result<f32, GpuError> {
        let bytes = (self.crowd.slots() * 24) as u64;
        let read = |instance: usize| self.gpu.read(&self.out, instance as u64 * bytes, bytes);
        self.crowd.worst_error(self.gpu, method, read)
    }

    fn pipeline(&self, source: &str, entry: &str) -> wgpu::ComputePipeline {
        let device = &self.gpu.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&self.layout)],
            ..Default::default()
        });
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(&layout),
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        })
    }
}

fn source(method: Method, size: u32, text: &str) -> String {
    let vectors = include_str!("../../shaders/vectors.wgsl");
    let maps = match method {
        Method::DualQuat => include_str!("../../shaders/dual_quat.wgsl"),
        _ => include_str!("../../shaders/linear.wgsl"),
    };
    format!("const SIZE: u32 = {size}u;\nconst LOCAL: u32 = {LOCAL}u;\n{vectors}\n{maps}\n{text}")
}

/// Parameters, then records, palettes, output and local joints.
fn layout(gpu: &Gpu) -> wgpu::BindGroupLayout {
    let entry = |binding: u32| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: match binding {
                0 => wgpu::BufferBindingType::Uniform,
                _ => wgpu::BufferBindingType::Storage {
                    read_only: binding != 3,
                },
            },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let entries: [_; 5] = std::array::from_fn(|binding| entry(binding as u32));
    let descriptor = wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: &entries,
    };
    gpu.device.create_bind_group_layout(&descriptor)
}

/// Joints and weights of a vertex, four of each.
fn influences(crowd: &Crowd, vertex: u32) -> ([u16; 4], [f32; 4]) {
    let (joints, weights) = crowd.load.influences.slices(vertex as usize);
    let joint = |k: usize| joints.get(k).copied().unwrap_or(joints[0]);
    let weight = |k: usize| weights.get(k).copied().unwrap_or(0.0);
    ([0, 1, 2, 3].map(joint), [0, 1, 2, 3].map(weight))
}

fn packed(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}

fn single_records(crowd: &Crowd) -> Vec<u8> {
    let mut planes: [Vec<[u32; 4]>; 3] = Default::default();
    for &vertex in crowd.mesh.mesh_from_slot() {
        let p = crowd.load.positions[vertex as usize]
            .to_array()
            .map(f32::to_bits);
        let n = crowd.load.normals[vertex as usize]
            .to_array()
            .map(f32::to_bits);
        let (j, weights) = influences(crowd, vertex);
        planes[0].push([p[0], p[1], p[2], n[0]]);
        planes[1].push([n[1], n[2], packed(j[0], j[1]), packed(j[2], j[3])]);
        planes[2].push(weights.map(f32::to_bits));
    }
    bytemuck::cast_slice(&planes.concat()).to_vec()
}

/// Records of pairs, and the joints of every `size` of them.
fn pair_records(crowd: &Crowd, size: usize) -> (Vec<u8>, Vec<u32>) {
    let mut planes: [Vec<[u32; 4]>; 6] = Default::default();
    let mut locals = Vec::new();
    for chunk in crowd.mesh.mesh_from_slot().chunks(2 * size) {
        let mut known: Vec<u16> = Vec::new();
        for pair in chunk.chunks_exact(2) {
            let lists = [pair[0], pair[1]].map(|v| crowd.load.influences.slices(v as usize));
            let mut joints = [lists[0].0, lists[1].0].concat();
            joints.sort_unstable();
            joints.dedup();
            assert!(joints.len() <= 4, "the library pairs only such vertices");
            let joint = |k: usize| joints.get(k).copied().unwrap_or(joints[0]);
            let weights = lists.map(|(own, weights)| {
                let weight = |k: usize| {
                    let place = joints.get(k).and_then(|j| own.binary_search(j).ok());
                    place.map_or(0, |at| weights[at].to_bits())
                };
                [1, 2, 3].map(weight)
            });
            let local = [0, 1, 2, 3].map(|k| {
                let joint = joint(k);
                let place = known.iter().position(|&j| j == joint);
                place.unwrap_or_else(|| {
                    known.push(joint);
                    known.len() - 1
                }) as u16
            });
            let [a, b] = [pair[0], pair[1]].map(|v| {
                let p = crowd.load.positions[v as usize].to_array();
                let n = crowd.load.normals[v as usize].to_array();
                [p[0], p[1], p[2], n[0], n[1], n[2]].map(f32::to_bits)
            });
            planes[0].push([a[0], a[1], a[2], a[3]]);
            planes[1].push([a[4], a[5], b[0], b[1]]);
            planes[2].push([b[2], b[3], b[4], b[5]]);
            for half in 0..2 {
                let [x, y, z] = weights[half];
                let two = packed(joint(2 * half), joint(2 * half + 1));
                planes[3 + half].push([x, y, z, two]);
            }
            let [x, y] = [packed(local[0], local[1]), packed(local[2], local[3])];
            planes[5].push([x, y, 0, 0]);
        }
        let mut list = vec![known.len() as u32];
        list.extend(known.iter().map(|&j| u32::from(j)));
        list.resize(LOCAL, 0);
        locals.extend(list);
    }
    (bytemuck::cast_slice(&planes.concat()).to_vec(), locals)
}
