//! Copies of a limb on 67 joints, each in a pose of its own.

use glam::{Mat4, Vec3};
use sinew::mesh::shapes::Cylinder;
use sinew::skeleton::{Joint, Skeleton};
use sinew::skin::{DualQuatPalette, Order, Palette, PaletteRef, Skin};
use sinew::transform::quat;
use sinew::{Affine, Influences, Method, ModelPose, Primitive, Transform};
use sinew_gpu::{
    Camera, Gpu, GpuError, PaletteSlot, SkinBatch, SkinInstance, SkinMesh, SkinOptions, Skinner,
    direction,
};
use std::sync::Arc;

pub const JOINTS: usize = 67;
const BONE: f32 = 0.03;
const SECTORS: usize = 24;

pub struct Crowd {
    pub copies: usize,
    pub mesh: SkinMesh,
    pub primitive: Primitive,
    skeleton: Skeleton,
    skin: Skin,
}

/// A vertex as it is bound, for the vertex shader: 40 bytes.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub struct BindVertex {
    position: [f32; 3],
    normal: [f32; 3],
    joints: [u16; 4],
    weights: [u16; 4],
}

impl Crowd {
    /// So many copies of about so many vertices.
    pub fn new(vertices: usize, copies: usize) -> Result<Self, Box<dyn std::error::Error>> {
        let step = |j: usize| Transform::from_translation(Vec3::Y * BONE * (j.min(1) as f32));
        let joints = (0..JOINTS)
            .map(|j| Joint::new(j.to_string(), j.checked_sub(1), step(j)))
            .collect();
        let (skeleton, _) = Skeleton::new(joints)?;
        let primitive = limb(vertices)?;
        Ok(Self {
            copies,
            mesh: SkinMesh::new(&primitive, Method::Linear, Order::Plan)?,
            primitive,
            skin: Skin::bound_at(&skeleton.rest_model()),
            skeleton,
        })
    }

    pub fn vertices(&self) -> usize {
        self.copies * self.primitive.len()
    }

    /// In the order of the skinned buffer, so that both ways draw the same triangles in the same order.
    pub fn bind_vertices(&self) -> Vec<BindVertex> {
        let normals = self
            .primitive
            .normals
            .as_ref()
            .expect("shapes have normals");
        let influences = self.primitive.influences.as_ref().expect("a limb has some");
        let slots = self.mesh.mesh_from_slot().iter();
        slots
            .map(|&slot| {
                let v = slot as usize;
                let mut vertex = BindVertex {
                    position: self.primitive.positions[v].to_array(),
                    normal: normals[v].to_array(),
                    joints: [0; 4],
                    weights: [0; 4],
                };
                for (k, (joint, weight)) in influences.get(v).enumerate() {
                    vertex.joints[k] = joint as u16;
                    vertex.weights[k] = (weight * 65535.0).round() as u16;
                }
                vertex
            })
            .collect()
    }

    pub fn indices(&self) -> Vec<u32> {
        let corners = self.primitive.triangles().flatten().map(|v| v as u32);
        self.mesh.remap_indices(&corners.collect::<Vec<_>>())
    }

    fn pose(&self, copy: usize) -> ModelPose {
        let mut local = self.skeleton.rest().clone();
        for joint in 0..JOINTS {
            let axis = Vec3::new(1.0, 0.0, (copy % 5) as f32 - 2.0);
            let angle = 0.015 + 0.03 * (copy % 7) as f32 / 7.0;
            local.set_rotation(joint, quat::from_axis_angle(axis, angle));
        }
        let mut pose = ModelPose::identity(JOINTS);
        let side = self.side();
        let (x, z) = ((copy % side) as f32, (copy / side) as f32);
        let stand = Affine::from_translation(Vec3::new(x, 0.0, z) * 1.2);
        pose.update(self.skeleton.hierarchy(), &local, &stand)
            .expect("of this skeleton");
        pose
    }

    fn side(&self) -> usize {
        (self.copies as f32).sqrt().ceil() as usize
    }

    /// What each pass sees: the camera first, then the sun, then the camera from below, then the sun
    /// from nearer and nearer, as cascades of shadow maps do.
    pub fn views(&self, passes: usize) -> Vec<Mat4> {
        let far = (self.side() - 1) as f32 * 1.2;
        let box_of = [
            Vec3::new(-0.9, -0.2, -0.9),
            Vec3::new(far + 0.9, 2.1, far + 0.9),
        ];
        let corners = sinew_gpu::corners(box_of);
        let camera = Camera::framing(corners, direction(0.5, 0.4), 1.0);
        let seen = camera.clip_from_world(1.0);
        let mirrored = seen * Mat4::from_scale(Vec3::new(1.0, -1.0, 1.0));
        let middle = (box_of[0] + box_of[1]) / 2.0;
        let radius = (box_of[1] - box_of[0]).length() / 2.0;
        let from_sun = |part: f32| {
            use glam::camera::rh::{proj::directx, view};
            let at = view::look_at_mat4(middle + to_sun() * radius * 2.0, middle, Vec3::Y);
            let r = radius * part;
            directx::orthographic(-r, r, -r, r, radius * 0.5, radius * 3.5) * at
        };
        let all = [
            seen,
            from_sun(1.0),
            mirrored,
            from_sun(0.8),
            from_sun(0.6),
            from_sun(0.4),
        ];
        all[..passes].to_vec()
    }

    /// The palettes of all copies one after the other, as shaders read them.
    pub fn palette_bytes(&self, method: Method) -> Vec<u8> {
        let mut bytes: Vec<f32> = Vec::new();
        let mut linear = Palette::default();
        let mut dual = DualQuatPalette::new(
            self.skeleton.hierarchy(),
            &self.skeleton.rest_model(),
            &self.skin,
        )
        .expect("of this skeleton");
        for copy in 0..self.copies {
            let pose = self.pose(copy);
            match method {
                Method::DualQuat => {
                    dual.update(&pose).expect("of this skeleton");
                    let joints = dual.as_slice().iter();
                    bytes.extend(joints.flat_map(|joint| {
                        let motion = joint.motion(joint.scale);
                        let (r, d) = (motion.real, motion.dual);
                        [r.x, r.y, r.z, r.w, d.x, d.y, d.z, d.w]
                    }));
                }
                _ => {
                    linear.update(&self.skin, &pose).expect("of this skeleton");
                    let rows = linear.as_slice().iter().flat_map(|j| j.rows);
                    bytes.extend(rows.flatten());
                }
            }
        }
        bytemuck::cast_slice(&bytes).to_vec()
    }

    /// The same for the skin-once kernel.
    pub fn batch(&self, gpu: &Gpu, method: Method) -> Result<SkinBatch, GpuError> {
        let skinner = Skinner::new(gpu, std::slice::from_ref(&self.mesh))?;
        let slot = PaletteSlot {
            method,
            joints: JOINTS,
        };
        let instance = |palette| SkinInstance { mesh: 0, palette };
        let instances: Vec<_> = (0..self.copies).map(instance).collect();
        let slots = vec![slot; self.copies];
        let options = SkinOptions::default();
        let mut batch = SkinBatch::new(gpu, &skinner, &slots, &instances, options)?;
        let mut linear = Palette::default();
        let mut dual = DualQuatPalette::new(
            self.skeleton.hierarchy(),
            &self.skeleton.rest_model(),
            &self.skin,
        )
        .expect("of this skeleton");
        for copy in 0..self.copies {
            let pose = self.pose(copy);
            match method {
                Method::DualQuat => {
                    dual.update(&pose).expect("of this skeleton");
                    batch.set_palette(copy, PaletteRef::DualQuat(&dual))?;
                }
                _ => {
                    linear.update(&self.skin, &pose).expect("of this skeleton");
                    batch.set_palette(copy, PaletteRef::Linear(linear.as_slice()))?;
                }
            }
        }
        Ok(batch)
    }
}

pub fn to_sun() -> Vec3 {
    Vec3::new(-0.5, 1.0, 0.6).normalize()
}

/// A tapering tube along the chain, four joints on every vertex.
fn limb(vertices: usize) -> Result<Primitive, Box<dyn std::error::Error>> {
    let length = BONE * (JOINTS - 1) as f32;
    let tube = Cylinder {
        length,
        radii: [0.3, 0.12],
        rings: (vertices / SECTORS).max(2),
        sectors: SECTORS,
        ..Cylinder::default()
    }
    .build();
    let weights = |p: &Vec3| {
        let along = p.y / BONE;
        let first = (along.floor() as usize).saturating_sub(1).min(JOINTS - 4);
        let near = |k: usize| (2.0 - (along - (first + k) as f32).abs()).max(0.0);
        (0..4).map(|k| ((first + k) as u16, near(k))).collect()
    };
    let lists: Vec<Vec<(u16, f32)>> = tube.positions.iter().map(weights).collect();
    let (influences, _) = Influences::from_lists(&lists, JOINTS)?;
    Ok(Primitive {
        influences: Some(Arc::new(influences)),
        ..tube
    })
}
