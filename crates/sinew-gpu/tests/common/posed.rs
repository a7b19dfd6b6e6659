//! Skins a character on the GPU, for comparison with the CPU.

use sinew::skin::{DualQuatPalette, Order, Palette, PaletteRef};
use sinew::{Affine, Character, LocalPose, Method, ModelPose, sample, sample_morphs};
use sinew_gpu::{
    Gpu, PaletteSlot, SkinBatch, SkinInstance, SkinMesh, SkinOptions, SkinnedTangent,
    SkinnedVertex, Skinner,
};

/// Vertices of a primitive in mesh order.
pub struct PosedPart {
    pub vertices: Vec<SkinnedVertex>,
    pub tangents: Vec<SkinnedTangent>,
}

/// Skins every primitive of every node with a mesh, in the order of [`sinew::deform`].
pub fn posed_on_gpu(
    gpu: &Gpu,
    skinner: &mut Skinner,
    character: &Character,
    clip: Option<usize>,
    time_secs: f64,
    method: Method,
    order: Order,
) -> Vec<PosedPart> {
    let mut local = LocalPose::identity(0);
    match clip {
        Some(clip) => sample(
            &character.clips[clip],
            &character.skeleton,
            time_secs,
            &mut local,
        )
        .unwrap(),
        None => local.copy_from(character.skeleton.rest()),
    }
    let mut pose = ModelPose::identity(0);
    pose.update(character.skeleton.hierarchy(), &local, &Affine::IDENTITY)
        .expect("of this skeleton");
    let worlds = character.node_worlds(&pose);

    let skins = &character.skins;
    let mut palettes: Vec<_> = skins
        .iter()
        .map(|skin| PaletteSlot {
            method,
            joints: skin.joints.len(),
        })
        .collect();
    let mut meshes = Vec::new();
    let mut instances = Vec::new();
    let mut weights = Vec::new();
    let mut still = Vec::new();
    for (index, node) in character.nodes.iter().enumerate() {
        let Some(mesh_index) = node.mesh else {
            continue;
        };
        let mesh = &character.meshes[mesh_index];
        let mut own = vec![0.0; mesh.morph_targets()];
        let rest = character.rest_morph_weights(index);
        let clip = clip.map(|clip| &character.clips[clip]);
        sample_morphs(clip, index, time_secs, rest, &mut own);
        for primitive in &mesh.primitives {
            let palette = match (node.skin, &primitive.influences) {
                (Some(skin), Some(_)) => skin,
                _ => {
                    still.push((palettes.len(), worlds[index]));
                    palettes.push(PaletteSlot {
                        method: Method::Linear,
                        joints: 1,
                    });
                    palettes.len() - 1
                }
            };
            let mut primitive = primitive.clone();
            if palette >= skins.len() {
                primitive.influences = None;
            }
            meshes.push(SkinMesh::new(&primitive, method, order).unwrap());
            instances.push(SkinInstance {
                mesh: meshes.len() - 1,
                palette,
            });
            weights.push(own.clone());
        }
    }
    skinner.set_meshes(gpu, &meshes).unwrap();
    let options = SkinOptions::new().tangents(true).previous(false);
    let mut batch = SkinBatch::new(gpu, skinner, &palettes, &instances, options).unwrap();
    for (index, skin) in skins.iter().enumerate() {
        let set = match method {
            Method::DualQuat => {
                let mut palette = DualQuatPalette::new(
                    character.skeleton.hierarchy(),
                    character.skeleton.rest_model().as_slice(),
                    skin,
                )
                .expect("of this skeleton");
                palette.update(pose.as_slice()).expect("of this skeleton");
                batch.set_palette(index, PaletteRef::DualQuat(&palette))
            }
            _ => {
                let mut palette = Palette::default();
                palette
                    .update(skin, pose.as_slice())
                    .expect("of this skeleton");
                batch.set_palette(index, PaletteRef::Linear(palette.as_slice()))
            }
        };
        set.unwrap();
    }
    for (index, world) in still {
        batch
            .set_palette(index, PaletteRef::Linear(&[world]))
            .unwrap();
    }
    for (instance, weights) in weights.iter().enumerate() {
        batch.set_morph_weights(instance, weights).unwrap();
    }
    let mut encoder = gpu.encoder();
    batch.encode(gpu, &mut encoder, None).unwrap();
    gpu.submit(encoder);
    let part = |instance: usize| PosedPart {
        vertices: in_mesh_order(&meshes[instance], &read_vertices(gpu, &batch, instance)),
        tangents: in_mesh_order(&meshes[instance], &read_tangents(gpu, &batch, instance)),
    };
    (0..instances.len()).map(part).collect()
}

/// Vertices of an instance in buffer order.
pub fn read_vertices(gpu: &Gpu, batch: &SkinBatch, instance: usize) -> Vec<SkinnedVertex> {
    let bytes = batch.vertex_bytes(instance);
    let read = gpu.read(batch.vertices(), bytes.start, bytes.end - bytes.start);
    bytemuck::pod_collect_to_vec(&read.unwrap())
}

fn read_tangents(gpu: &Gpu, batch: &SkinBatch, instance: usize) -> Vec<SkinnedTangent> {
    let bytes = batch.tangent_bytes(instance);
    let buffer = batch.tangents().unwrap();
    let read = gpu.read(buffer, bytes.start, bytes.end - bytes.start);
    bytemuck::pod_collect_to_vec(&read.unwrap())
}

/// Converts buffer order to mesh order.
pub fn in_mesh_order<T: Copy>(mesh: &SkinMesh, skinned: &[T]) -> Vec<T> {
    let slots = mesh.slot_from_mesh().iter();
    slots.map(|&slot| skinned[slot as usize]).collect()
}
