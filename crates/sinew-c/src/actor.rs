//! Actors: playing instances of a rig, from a pose to vertices.

use crate::arguments::{
    Versioned, defaults, init, out, out_handle, out_or_null, report, slice, slice_mut, text,
    versioned_or_null,
};
use crate::player::sinew_player;
use crate::pose::{check_rig, sinew_mask, sinew_pose};
use crate::rig::sinew_rig;
use crate::status::{Done, Failure, call, sinew_status};
use crate::table::{Read, free, handle, keep, read, write};
use crate::values::{SINEW_METHOD_DUAL_QUAT, SINEW_METHOD_LINEAR, SINEW_NONE, sinew_method};
use bytemuck::cast_slice;
use sinew::Actor;
use sinew::blend::{BlendJob, Layer};
use sinew::skin::{Directions, Layout, Order, PaletteRef, VertexLayout};
use std::ffi::c_char;

/// Playing instance of a rig: a pose, palettes and working memory.
#[derive(Debug)]
pub struct sinew_actor {
    _opaque: (),
}
handle!(sinew_actor, Actor, "sinew_actor");

/// Pose with a weight, for `sinew_actor_blend`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_layer {
    /// Pose of the rig of the actor.
    pub pose: *const sinew_pose,
    /// Weights per joint, or NULL for all joints.
    pub mask: *const sinew_mask,
    /// Weight in [0, 1e6]. If the weights of a joint sum to less than 1, the rest pose gets the
    /// remainder; sums above 1 are divided by the sum.
    pub weight: f32,
}

/// Max number of layers of `sinew_actor_blend`.
pub const SINEW_MAX_LAYERS: usize = 32;

/// Order of the vertices that `sinew_actor_skin` writes.
pub type sinew_order = i32;
/// Order of the meshes, so that `sinew_rig_indices` fit.
pub const SINEW_ORDER_MESH: sinew_order = 0;
/// Order in which they are computed, which is faster. Indices do not fit.
pub const SINEW_ORDER_PLAN: sinew_order = 1;

/// Layout of a vertex in a buffer of the caller. Offsets and stride are in floats.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_layout {
    /// Size of this struct, set by its init function.
    pub size: usize,
    /// Distance from one vertex to the next. Default 6.
    pub stride: u32,
    /// Offset of the position, three floats. Default 0.
    pub position: u32,
    /// Offset of the normal, or `SINEW_NONE`. Default 3.
    pub normal: u32,
    /// Offset of the tangent, or `SINEW_NONE`. The caller writes the handedness. Default none.
    pub tangent: u32,
    /// Order of the vertices. Default `SINEW_ORDER_MESH`.
    pub order: sinew_order,
    /// Nonzero to write normals and tangents as four signed normalised 16-bit numbers, in the
    /// space of two floats. Default 0: three floats.
    pub snorm16: i32,
}

defaults!(sinew_layout {
    stride: 6,
    normal: 3,
    tangent: SINEW_NONE,
});

impl sinew_layout {
    fn checked(&self) -> Done<VertexLayout> {
        let order = match self.order {
            SINEW_ORDER_MESH => Order::Mesh,
            SINEW_ORDER_PLAN => Order::Plan,
            other => {
                let text = format!("{other} is no sinew_order; pass a constant SINEW_ORDER_...");
                return Err(Failure::argument(text));
            }
        };
        let offset = |offset: u32| (offset != SINEW_NONE).then_some(offset as usize);
        let layout = Layout {
            stride: self.stride as usize,
            position: self.position as usize,
            normal: offset(self.normal),
            tangent: offset(self.tangent),
            order,
        };
        Ok(layout.with_directions(match self.snorm16 {
            0 => Directions::Floats,
            _ => Directions::Snorm16,
        }))
    }
}

/// Box around vertices, in model space.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_bounds {
    /// Corner with the lowest coordinates.
    pub min: [f32; 3],
    /// Corner with the highest coordinates.
    pub max: [f32; 3],
}

/// Palette of a part, for skinning on the GPU. The caller sets `size` to `sizeof(sinew_palette)`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_palette {
    /// Size of this struct, set by the caller.
    pub size: usize,
    /// `SINEW_METHOD_LINEAR`: a row-major 3x4 matrix `model_from_bind` per joint of the skin.
    /// `SINEW_METHOD_DUAL_QUAT`: dual quaternions.
    pub method: sinew_method,
    /// Number of joints of the skin.
    pub joints: u32,
    /// Numbers of all joints. Valid until the next call with this actor.
    pub floats: *const f32,
    /// Floats per joint. 12 for matrices. For dual quaternions, 8 if all joints share one uniform
    /// scale: real part and dual part. Otherwise 25, for a joint that maps x to R S (x - c) + d:
    /// the quaternion q of R; d q / 2; xx, xy, xz, yy, yz and zz of S; -S c; c; the scale, which is
    /// the signed cube root of the determinant of S; q c / 2.
    pub floats_per_joint: u32,
    /// Scale that all joints share, if `floats_per_joint` is 8. Otherwise 1.
    pub scale: f32,
}

defaults!(sinew_palette {
    method: SINEW_METHOD_LINEAR,
    floats_per_joint: 12,
    scale: 1.0,
});

/// Makes an actor at rest. It keeps what it needs of the rig.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_new(
    rig: *const sinew_rig,
    actor: *mut *mut sinew_actor,
) -> sinew_status {
    call(|| {
        let actor = out_handle(actor)?;
        *actor = keep(read(rig)?.rig.actor())?;
        Ok(())
    })
}

/// Samples the clip of a player of the same rig. Sets the pose and the morph weights.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_sample(
    actor: *mut sinew_actor,
    player: *const sinew_player,
) -> sinew_status {
    call(|| {
        write(actor)?.sample(&read(player)?.player)?;
        Ok(())
    })
}

/// Sets the pose to the weighted mean of layers. Their order does not matter. `count` is at most
/// `SINEW_MAX_LAYERS`; with 0 layers, the actor goes to rest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_blend(
    actor: *mut sinew_actor,
    layers: *const sinew_layer,
    count: usize,
) -> sinew_status {
    call(|| {
        if count > SINEW_MAX_LAYERS {
            let text = format!("{count} layers are more than SINEW_MAX_LAYERS; blend in steps");
            return Err(Failure::argument(text));
        }
        let actor = &mut *write(actor)?;
        let layers = slice("layers", layers, count)?;
        let mut poses: [Option<Read<sinew_pose>>; SINEW_MAX_LAYERS] =
            [const { None }; SINEW_MAX_LAYERS];
        let mut masks: [Option<Read<sinew_mask>>; SINEW_MAX_LAYERS] =
            [const { None }; SINEW_MAX_LAYERS];
        for (at, layer) in layers.iter().enumerate() {
            let pose = read(layer.pose)?;
            check_rig(&pose.rig, actor.rig(), ["pose", "actor"])?;
            poses[at] = Some(pose);
            if !layer.mask.is_null() {
                masks[at] = Some(read(layer.mask)?);
            }
        }
        let rig = actor.rig().clone();
        let rest = rig.skeleton().rest();
        let mut blended: [Layer<'_>; SINEW_MAX_LAYERS] = std::array::from_fn(|at| {
            let weight = layers.get(at).map_or(0.0, |layer| layer.weight);
            let pose = poses[at].as_ref().map_or(rest, |posed| &posed.pose);
            Layer {
                pose,
                weight,
                mask: masks[at].as_deref(),
            }
        });
        let job = BlendJob::new(rest, &mut blended[..count]);
        let blend = job.run(actor.pose_mut());
        blend.map_err(|error| Failure::argument(error.to_string()))
    })
}

/// Copies the pose of the actor, for example to give it to a physics engine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_get_pose(
    actor: *const sinew_actor,
    pose: *mut sinew_pose,
) -> sinew_status {
    call(|| {
        let (actor, posed) = (read(actor)?, &mut *write(pose)?);
        check_rig(&posed.rig, actor.rig(), ["pose", "actor"])?;
        posed.pose.copy_from(actor.pose());
        Ok(())
    })
}

/// Sets the pose of the actor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_set_pose(
    actor: *mut sinew_actor,
    pose: *const sinew_pose,
) -> sinew_status {
    call(|| {
        let (mut actor, posed) = (write(actor)?, read(pose)?);
        check_rig(&posed.rig, actor.rig(), ["pose", "actor"])?;
        actor.pose_mut().copy_from(&posed.pose);
        Ok(())
    })
}

/// Maps from the frame of each joint to model space: row-major 3x4 matrices, 12 floats per joint,
/// in the order of joints. `floats` is valid until the next call with this actor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_model(
    actor: *mut sinew_actor,
    floats: *mut *const f32,
    count: *mut usize,
) -> sinew_status {
    call(|| {
        let (floats, count) = (out("floats", floats)?, out("count", count)?);
        let mut actor = write(actor)?;
        let model: &[f32] = cast_slice(actor.model_pose()?.as_slice());
        floats.write(model.as_ptr());
        count.write(model.len());
        Ok(())
    })
}

/// Writes the map of one joint, found by name: 12 floats, as in `sinew_actor_model`. For a sword
/// in a hand.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_socket(
    actor: *mut sinew_actor,
    joint: *const c_char,
    floats: *mut f32,
) -> sinew_status {
    call(|| {
        let floats = slice_mut("floats", floats, 12)?;
        let map = write(actor)?.socket(text("joint", joint)?)?;
        floats.copy_from_slice(map.rows.as_flattened());
        Ok(())
    })
}

/// Palette of a part in this pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_palette(
    actor: *mut sinew_actor,
    part: u32,
    palette: *mut sinew_palette,
) -> sinew_status {
    call(|| {
        let palette = report(palette)?;
        let mut actor = write(actor)?;
        let mut found = sinew_palette::defaults();
        let floats: &[f32] = match actor.palette(part as usize)? {
            PaletteRef::Linear(maps) => {
                found.joints = maps.len() as u32;
                cast_slice(maps)
            }
            PaletteRef::DualQuat(quats) => {
                found.method = SINEW_METHOD_DUAL_QUAT;
                found.joints = quats.len() as u32;
                match quats.common_scale() {
                    Some(scale) => {
                        found.scale = scale;
                        quats.motions().as_flattened()
                    }
                    None => quats.rows().as_flattened(),
                }
            }
        };
        found.floats = floats.as_ptr();
        found.floats_per_joint = (floats.len() as u32).checked_div(found.joints).unwrap_or(0);
        palette.write(found);
        Ok(())
    })
}

/// Sets the defaults: position and normal, six floats per vertex. `size` is
/// `sizeof(sinew_layout)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_layout_init(layout: *mut sinew_layout, size: usize) -> sinew_status {
    call(|| init(layout, size))
}

/// Skins all parts into an interleaved buffer of `count` floats, which needs the vertex count of
/// the rig times the stride. Floats outside the layout stay unchanged. `layout` may be NULL for
/// the defaults, `bounds` may be NULL. Without vertices, `bounds` is all zeros.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_skin(
    actor: *mut sinew_actor,
    buffer: *mut f32,
    count: usize,
    layout: *const sinew_layout,
    bounds: *mut sinew_bounds,
) -> sinew_status {
    call(|| {
        let layout = versioned_or_null(layout)?.checked()?;
        let bounds = out_or_null("bounds", bounds)?;
        let buffer = slice_mut("buffer", buffer, count)?;
        let found = write(actor)?.skin_into(buffer, layout)?;
        if let Some(bounds) = bounds {
            bounds.write(sinew_bounds {
                min: found.map_or([0.0; 3], |found| found.min.to_array()),
                max: found.map_or([0.0; 3], |found| found.max.to_array()),
            });
        }
        Ok(())
    })
}

/// Frees an actor. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_free(actor: *mut sinew_actor) -> sinew_status {
    call(|| free(actor))
}
