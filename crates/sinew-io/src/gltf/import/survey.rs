//! Checks of numbers that the character does not use.

use bytemuck::Pod;
use glam::{Vec3, Vec4};
use sinew::steps::pause;

use super::influences;
use crate::gltf::bytes::accessor::{Decoder, Value};
use crate::gltf::check::data::{self, InfluenceSet};
use crate::gltf::document::error::GltfError;
use crate::gltf::document::format::{ComponentType, ElementType, Semantic};
use crate::gltf::document::schema::{Primitive, TargetPath};

/// Limits decoding to this many times the budget, because an array may have many uses.
const ROUNDS: u64 = 16;

/// Decodes unused accessors to check their bounds and values.
pub(super) async fn check_unused(decoder: &mut Decoder<'_>) {
    let mut look = Look::new(decoder);
    for accessor in 0..look.decoder.document().accessors.len() as u32 {
        if !look.decoder.was_checked(accessor) {
            pause().await;
            look.at_bounds(accessor);
        }
    }
}

/// Checks all numbers of a document that will be refused.
pub(super) async fn check_everything(decoder: &mut Decoder<'_>) {
    check_unused(decoder).await;
    let document = decoder.document();
    let joint_counts = influences::joint_counts(document);
    let mut look = Look::new(decoder);
    for (index, mesh) in document.meshes.iter().enumerate() {
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let pointer = format!("/meshes/{index}/primitives/{number}");
            look.at_attributes(primitive, &pointer);
            look.at_indices(primitive, &pointer);
            if let Some(joint_count) = joint_counts.get(index).copied().flatten() {
                look.at_influences(primitive, joint_count, &format!("{pointer}/attributes"));
            }
        }
    }
    for (index, skin) in document.skins.iter().enumerate() {
        let at = format!("/skins/{index}/inverseBindMatrices");
        if let Some(matrices) = skin
            .inverse_bind_matrices
            .and_then(|matrices| look.values::<f32>(matrices, ElementType::Mat4))
        {
            let (matrices, _) = matrices.as_chunks::<16>();
            data::check_inverse_binds(matrices, at, look.decoder.report());
        }
    }
    look.at_animations();
}

struct Look<'d, 'a> {
    decoder: &'d mut Decoder<'a>,
    bytes_left: u64,
}

impl<'d, 'a> Look<'d, 'a> {
    fn new(decoder: &'d mut Decoder<'a>) -> Self {
        let bytes_left = decoder.budget().limit().saturating_mul(ROUNDS);
        Look {
            decoder,
            bytes_left,
        }
    }

    /// Values of an accessor. `None` if its element type is not `shape` or the limit is reached.
    fn values<V: Value>(&mut self, accessor: u32, shape: ElementType) -> Option<Vec<V>> {
        let found = self
            .decoder
            .document()
            .accessors
            .get(accessor as usize)?
            .element_type?;
        if found != shape {
            return None;
        }
        self.any_values(accessor)
    }

    fn any_values<V: Value>(&mut self, accessor: u32) -> Option<Vec<V>> {
        let values = self.held(|decoder| decoder.values::<V>(accessor))?;
        self.release(&values);
        Some(values)
    }

    fn elements<T: Pod, V: Value>(&mut self, accessor: u32) -> Option<Vec<T>> {
        let elements = self.held(|decoder| decoder.elements::<T, V>(accessor))?;
        self.release(&elements);
        Some(elements)
    }

    /// Result of `decode`. `None` after the limit is reached. The caller releases its memory.
    fn held<T>(
        &mut self,
        decode: impl FnOnce(&mut Decoder<'a>) -> Result<Vec<T>, GltfError>,
    ) -> Option<Vec<T>> {
        if self.bytes_left == 0 {
            return None;
        }
        let values = decode(self.decoder).ok()?;
        self.bytes_left = self.bytes_left.saturating_sub(size_of_val(&*values) as u64);
        Some(values)
    }

    fn release<T>(&mut self, held: &[T]) {
        self.decoder.budget().release(size_of_val(held) as u64);
    }

    fn at_bounds(&mut self, accessor: u32) {
        let component = self
            .decoder
            .document()
            .accessors
            .get(accessor as usize)
            .and_then(|accessor| accessor.component_type);
        match component {
            // Floats cannot hold all 32-bit integers.
            Some(ComponentType::UnsignedInt) => drop(self.any_values::<u32>(accessor)),
            _ => drop(self.any_values::<f32>(accessor)),
        }
    }

    fn at_attributes(&mut self, primitive: &Primitive, pointer: &str) {
        for (name, accessor) in &primitive.attributes.0 {
            let at = format!("{pointer}/attributes/{name}");
            match Semantic::parse(name) {
                Some(Semantic::Normal) => {
                    if let Some(normals) = self.elements::<Vec3, f32>(*accessor) {
                        data::check_normals(&normals, at, self.decoder.report());
                    }
                }
                Some(Semantic::Tangent) => {
                    if let Some(tangents) = self.elements::<Vec4, f32>(*accessor) {
                        data::check_tangents(&tangents, at, self.decoder.report());
                    }
                }
                Some(Semantic::Color(_)) => {
                    if let Some(values) = self.any_values::<f32>(*accessor) {
                        data::check_colors(&values, at, self.decoder.report());
                    }
                }
                _ => {}
            }
        }
    }

    fn at_indices(&mut self, primitive: &Primitive, pointer: &str) {
        let accessors = &self.decoder.document().accessors;
        let Some(indices) = primitive.indices else {
            return;
        };
        let Some(component) = accessors
            .get(indices as usize)
            .and_then(|accessor| accessor.component_type)
        else {
            return;
        };
        let first = primitive
            .attributes
            .0
            .first()
            .and_then(|(_, accessor)| accessors.get(*accessor as usize));
        let Some(vertices) = first.and_then(|accessor| usize::try_from(accessor.count).ok()) else {
            return;
        };
        if let Some(values) = self.values::<u32>(indices, ElementType::Scalar) {
            let restart = component.range().1 as u32;
            data::check_indices(
                &values,
                vertices,
                restart,
                format_args!("{pointer}/indices"),
                self.decoder.report(),
            );
        }
    }

    fn at_influences(&mut self, primitive: &Primitive, joint_count: usize, attributes: &str) {
        let mut held = Vec::new();
        for pair in influences::pairs_of(self.decoder.document(), &primitive.attributes) {
            let Some(joints) = self.held(|decoder| decoder.values::<u16>(pair.joints)) else {
                continue;
            };
            match self.held(|decoder| decoder.values::<f32>(pair.weights)) {
                Some(weights) => held.push((pair.number, joints, weights)),
                None => self.release(&joints),
            }
        }
        let sets: Vec<_> = held
            .iter()
            .map(|(number, joints, weights)| InfluenceSet {
                number: *number,
                joints,
                weights,
            })
            .collect();
        data::check_influences(&sets, joint_count, attributes, self.decoder.report());
        for (_, joints, weights) in &held {
            self.release(joints);
            self.release(weights);
        }
    }

    fn at_animations(&mut self) {
        for (index, animation) in self.decoder.document().animations.iter().enumerate() {
            for (number, sampler) in animation.samplers.iter().enumerate() {
                let at = format!("/animations/{index}/samplers/{number}/input");
                if let Some(times) = sampler
                    .input
                    .and_then(|times| self.values::<f32>(times, ElementType::Scalar))
                {
                    data::check_times(&times, at, self.decoder.report());
                }
            }
            for (number, channel) in animation.channels.iter().enumerate() {
                let is_rotation = channel
                    .target
                    .as_ref()
                    .is_some_and(|target| target.path == Some(TargetPath::Rotation));
                let sampler = channel
                    .sampler
                    .and_then(|sampler| animation.samplers.get(sampler as usize));
                let (true, Some(sampler)) = (is_rotation, sampler) else {
                    continue;
                };
                let rotations = sampler
                    .output
                    .and_then(|output| self.values::<f32>(output, ElementType::Vec4));
                if let Some(mut rotations) = rotations {
                    let per_key = sampler.interpolation.unwrap_or_default().elements_per_key();
                    let at = format!("/animations/{index}/channels/{number}/sampler");
                    let accessor = sampler
                        .output
                        .and_then(|output| self.decoder.document().accessors.get(output as usize));
                    let tolerance =
                        data::rotation_tolerance(accessor.and_then(|a| a.component_type));
                    data::normalize_rotations(
                        &mut rotations,
                        per_key,
                        tolerance,
                        at,
                        self.decoder.report(),
                    );
                }
            }
        }
    }
}
