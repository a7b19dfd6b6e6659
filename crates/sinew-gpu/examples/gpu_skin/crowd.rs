//! Copies of a mesh on 67 joints, each in a pose of its own.

use glam::Vec3;
use sinew::skin::{self, DualQuatPalette, Order, Palette, PaletteRef, Vertices, VerticesMut};
use sinew::transform::quat;
use sinew::{Affine, Method, ModelPose, Primitive};
use sinew_gpu::{
    Gpu, GpuError, PaletteSlot, SkinBatch, SkinInstance, SkinMesh, SkinOptions, SkinnedVertex,
    Skinner,
};
use sinew_samples::SkinLoad;
use std::sync::Arc;

pub struct Crowd {
    pub load: SkinLoad,
    pub mesh: SkinMesh,
    pub instances: usize,
    linear: Vec<Affine>,
    dual: Vec<[f32; 8]>,
}

impl Crowd {
    pub fn new(vertices: usize, influences: usize, instances: usize) -> Result<Self, GpuError> {
        let load = SkinLoad::new(vertices, influences, false);
        let primitive = Primitive {
            positions: Arc::new(load.positions.clone()),
            normals: Some(Arc::new(load.normals.clone())),
            influences: Some(Arc::new(load.influences.clone())),
            ..Primitive::default()
        };
        let mesh = SkinMesh::new(&primitive, Method::Linear, Order::Plan)?;
        let mut crowd = Self {
            load,
            mesh,
            instances,
            linear: Vec::new(),
            dual: Vec::new(),
        };
        let mut linear = Palette::default();
        let mut dual = DualQuatPalette::new(
            crowd.load.skeleton.hierarchy(),
            &crowd.load.skeleton.rest_model(),
            &crowd.load.skin,
        )
        .expect("of this skeleton");
        for instance in 0..instances {
            let pose = crowd.pose(instance);
            linear
                .update(&crowd.load.skin, &pose)
                .expect("of this skeleton");
            dual.update(&pose).expect("of this skeleton");
            crowd.linear.extend_from_slice(linear.as_slice());
            crowd.dual.extend(dual.as_slice().iter().map(|joint| {
                let motion = joint.motion(joint.scale);
                let (r, d) = (motion.real, motion.dual);
                [r.x, r.y, r.z, r.w, d.x, d.y, d.z, d.w]
            }));
        }
        Ok(crowd)
    }

    /// The chain curled a little differently.
    fn pose(&self, instance: usize) -> ModelPose {
        let mut local = self.load.skeleton.rest().clone();
        for joint in 0..self.joints() {
            let axis = Vec3::new(1.0, joint as f32, 2.0 + (instance % 17) as f32);
            let angle = 0.05 + 0.1 * (instance % 101) as f32 / 101.0;
            local.set_rotation(joint, quat::from_axis_angle(axis, angle));
        }
        let mut pose = ModelPose::identity(self.joints());
        let stand = Affine::from_translation(Vec3::new((instance % 7) as f32, 0.0, 0.0));
        pose.update(self.load.skeleton.hierarchy(), &local, &stand)
            .expect("of this skeleton");
        pose
    }

    pub fn joints(&self) -> usize {
        self.load.skeleton.len()
    }

    /// Places that a copy takes in the output.
    pub fn slots(&self) -> usize {
        self.mesh.len()
    }

    /// Bytes of vertices that a frame needs, without padding.
    pub fn bytes(&self) -> f64 {
        (self.instances * self.load.positions.len() * size_of::<SkinnedVertex>()) as f64
    }

    /// The palettes of all copies as kernels read them.
    pub fn palette_bytes(&self, method: Method) -> &[u8] {
        match method {
            Method::DualQuat => bytemuck::cast_slice(&self.dual),
            _ => bytemuck::cast_slice(&self.linear),
        }
    }

    /// The crowd in the library's own terms.
    pub fn batch(
        &self,
        gpu: &Gpu,
        method: Method,
        staged: bool,
    ) -> Result<(SkinBatch, Skinner), GpuError> {
        let mut skinner = Skinner::new(gpu, std::slice::from_ref(&self.mesh))?;
        if !staged {
            skinner = skinner.without_staging();
        }
        let slot = PaletteSlot {
            method,
            joints: self.joints(),
        };
        let instance = |palette| SkinInstance { mesh: 0, palette };
        let instances: Vec<_> = (0..self.instances).map(instance).collect();
        let palettes = vec![slot; self.instances];
        let options = SkinOptions::default();
        let mut batch = SkinBatch::new(gpu, &skinner, &palettes, &instances, options)?;
        let mut dual = DualQuatPalette::new(
            self.load.skeleton.hierarchy(),
            &self.load.skeleton.rest_model(),
            &self.load.skin,
        )
        .expect("of this skeleton");
        for instance in 0..self.instances {
            match method {
                Method::DualQuat => {
                    dual.update(&self.pose(instance)).expect("of this skeleton");
                    batch.set_palette(instance, PaletteRef::DualQuat(&dual))?;
                }
                _ => {
                    let first = instance * self.joints();
                    let joints = &self.linear[first..first + self.joints()];
                    batch.set_palette(instance, PaletteRef::Linear(joints))?;
                }
            }
        }
        Ok((batch, skinner))
    }

    /// How far the first, the middle and the last copy are from what the CPU makes of them, over the
    /// extent; `read` gives the bytes of a copy.
    pub fn worst_error(
        &self,
        gpu: &Gpu,
        method: Method,
        read: impl Fn(usize) -> Result<Vec<u8>, GpuError>,
    ) -> Result<f32, GpuError> {
        let order = self.mesh.slot_from_mesh();
        let mut worst = 0.0_f32;
        for instance in [0, self.instances / 2, self.instances - 1] {
            let skinned: Vec<SkinnedVertex> = bytemuck::pod_collect_to_vec(&read(instance)?);
            let (positions, normals) = self.on_cpu(method, instance)?;
            for (vertex, &slot) in order.iter().enumerate() {
                let found = skinned[slot as usize];
                let off = (Vec3::from(found.position) - positions[vertex]).length();
                let turned = (Vec3::from(found.normal) - normals[vertex]).length();
                // The chain is 6.7 long; normals are of another kind and less exact.
                worst = worst.max(off / 6.7).max(turned * 0.1);
            }
        }
        gpu.check()?;
        Ok(worst)
    }

    fn on_cpu(&self, method: Method, instance: usize) -> Result<(Vec<Vec3>, Vec<Vec3>), GpuError> {
        let count = self.load.positions.len();
        let (mut positions, mut normals) = (vec![Vec3::ZERO; count], vec![Vec3::ZERO; count]);
        let bind = Vertices {
            tangents: None,
            ..self.load.vertices()
        };
        let mut out = VerticesMut {
            positions: &mut positions,
            normals: Some(&mut normals),
            tangents: None,
        };
        let pose = self.pose(instance);
        match method {
            Method::DualQuat => {
                let mut palette = DualQuatPalette::new(
                    self.load.skeleton.hierarchy(),
                    &self.load.skeleton.rest_model(),
                    &self.load.skin,
                )
                .expect("of this skeleton");
                palette.update(&pose).expect("of this skeleton");
                skin::dual_quat(&palette, &self.load.influences, &bind, &mut out)?;
            }
            _ => {
                let mut palette = Palette::default();
                palette
                    .update(&self.load.skin, &pose)
                    .expect("of this skeleton");
                skin::linear(palette.as_slice(), &self.load.influences, &bind, &mut out)?;
            }
        }
        Ok((positions, normals))
    }
}
