//! Rigs: characters ready to play, with their joints and clips.

use crate::arguments::{index, out, out_handle, slice, slice_mut, text};
use crate::character::sinew_character;
use crate::status::sinew_status::SINEW_ERROR_NAME;
use crate::status::{Failure, c_string, call, sinew_status};
use crate::table::{free, handle, keep, read};
use crate::values::{SINEW_NONE, method, sinew_method};
use sinew::Rig;
use sinew::clip::packed::PackedFile;
use sinew::names::hint;
use std::ffi::{CString, c_char};

/// Character ready to play: skeleton, clips and surface, shared by all its actors.
#[derive(Debug)]
pub struct sinew_rig {
    _opaque: (),
}
handle!(sinew_rig, Named, "sinew_rig");

/// Rig with its names for C.
pub(crate) struct Named {
    pub rig: Rig,
    joints: Vec<CString>,
    clips: Vec<CString>,
}

impl Named {
    fn new(rig: Rig) -> Self {
        let skeleton = rig.skeleton();
        let joints = (0..skeleton.len()).map(|joint| c_string(skeleton.name(joint)));
        let clips = rig.clips().iter().map(|clip| c_string(clip.name()));
        Self {
            joints: joints.collect(),
            clips: clips.collect(),
            rig,
        }
    }
}

/// Prepares the meshes and clips of a character. Does not keep the character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_new(
    character: *const sinew_character,
    skinning: sinew_method,
    rig: *mut *mut sinew_rig,
) -> sinew_status {
    call(|| {
        let rig = out_handle(rig)?;
        let skinning = method(skinning)?;
        let made = Rig::new(&read(character)?.character, skinning)?;
        *rig = keep(Named::new(made))?;
        Ok(())
    })
}

/// As `sinew_rig_new`, but plays the packed clips of a .sinew file, which must be of the same
/// skeleton. Does not keep `bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_new_packed(
    character: *const sinew_character,
    skinning: sinew_method,
    bytes: *const u8,
    len: usize,
    rig: *mut *mut sinew_rig,
) -> sinew_status {
    call(|| {
        let rig = out_handle(rig)?;
        let skinning = method(skinning)?;
        let character = &read(character)?.character;
        let file = PackedFile::from_bytes(slice("bytes", bytes, len)?)?;
        let made = Rig::with_packed(character, skinning, file)?;
        *rig = keep(Named::new(made))?;
        Ok(())
    })
}

/// Number of joints. Joints are numbered from 0, parents first; 0 is the root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_joint_count(
    rig: *const sinew_rig,
    count: *mut u32,
) -> sinew_status {
    call(|| {
        let count = out("count", count)?;
        count.write(read(rig)?.joints.len() as u32);
        Ok(())
    })
}

/// Name of a joint. Valid until the rig is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_joint_name(
    rig: *const sinew_rig,
    joint: u32,
    name: *mut *const c_char,
) -> sinew_status {
    call(|| {
        let (name, rig) = (out("name", name)?, read(rig)?);
        let joint = index("joint", joint, rig.joints.len())?;
        name.write(rig.joints[joint].as_ptr());
        Ok(())
    })
}

/// Parent of a joint, or `SINEW_NONE` for the root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_joint_parent(
    rig: *const sinew_rig,
    joint: u32,
    parent: *mut u32,
) -> sinew_status {
    call(|| {
        let (parent, rig) = (out("parent", parent)?, read(rig)?);
        let joint = index("joint", joint, rig.joints.len())?;
        let found = rig.rig.skeleton().parent(joint);
        parent.write(found.map_or(SINEW_NONE, |found| found as u32));
        Ok(())
    })
}

/// Index of the joint with this name. An error names similar joints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_find_joint(
    rig: *const sinew_rig,
    name: *const c_char,
    joint: *mut u32,
) -> sinew_status {
    call(|| {
        let (joint, rig) = (out("joint", joint)?, read(rig)?);
        let (name, skeleton) = (text("name", name)?, rig.rig.skeleton());
        let found = skeleton.find(name).ok_or_else(|| {
            let names = (0..skeleton.len()).map(|joint| skeleton.name(joint));
            let text = format!("there is no joint \"{name}\"{}", hint(name, names));
            Failure::new(SINEW_ERROR_NAME, text)
        })?;
        joint.write(found as u32);
        Ok(())
    })
}

/// Number of clips.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_clip_count(
    rig: *const sinew_rig,
    count: *mut u32,
) -> sinew_status {
    call(|| {
        let count = out("count", count)?;
        count.write(read(rig)?.clips.len() as u32);
        Ok(())
    })
}

/// Name of a clip. Valid until the rig is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_clip_name(
    rig: *const sinew_rig,
    clip: u32,
    name: *mut *const c_char,
) -> sinew_status {
    call(|| {
        let (name, rig) = (out("name", name)?, read(rig)?);
        let clip = index("clip", clip, rig.clips.len())?;
        name.write(rig.clips[clip].as_ptr());
        Ok(())
    })
}

/// Duration of a clip in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_clip_duration_secs(
    rig: *const sinew_rig,
    clip: u32,
    duration_secs: *mut f32,
) -> sinew_status {
    call(|| {
        let (duration_secs, rig) = (out("duration_secs", duration_secs)?, read(rig)?);
        let clip = index("clip", clip, rig.clips.len())?;
        duration_secs.write(rig.rig.clips()[clip].duration_secs());
        Ok(())
    })
}

/// Number of parts. A part is a primitive of a mesh at a node, with one material.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_part_count(
    rig: *const sinew_rig,
    count: *mut u32,
) -> sinew_status {
    call(|| {
        let count = out("count", count)?;
        count.write(read(rig)?.rig.parts().len() as u32);
        Ok(())
    })
}

/// Range of the vertices of a part among the vertices of the rig.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_part_vertices(
    rig: *const sinew_rig,
    part: u32,
    first: *mut usize,
    count: *mut usize,
) -> sinew_status {
    call(|| {
        let (first, count) = (out("first", first)?, out("count", count)?);
        let rig = read(rig)?;
        let parts = rig.rig.parts();
        let vertices = parts[index("part", part, parts.len())?].vertices();
        first.write(vertices.start);
        count.write(vertices.len());
        Ok(())
    })
}

/// Number of vertices that `sinew_actor_skin` writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_vertex_count(
    rig: *const sinew_rig,
    count: *mut usize,
) -> sinew_status {
    call(|| {
        let count = out("count", count)?;
        count.write(read(rig)?.rig.vertices());
        Ok(())
    })
}

/// Writes the index buffer of all triangles, three vertices each. `count` gets the number of
/// indices. With `indices` NULL, only the count is written; otherwise `capacity` must suffice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_indices(
    rig: *const sinew_rig,
    indices: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> sinew_status {
    call(|| {
        let count = out("count", count)?;
        let found = read(rig)?.rig.indices();
        if !indices.is_null() {
            let out = slice_mut("indices", indices, capacity)?;
            let short = || {
                let text = format!(
                    "indices has room for {capacity}, but there are {}",
                    found.len()
                );
                Failure::argument(text)
            };
            let out = out.get_mut(..found.len()).ok_or_else(short)?;
            out.copy_from_slice(&found);
        }
        count.write(found.len());
        Ok(())
    })
}

/// Frees a rig. Players, actors, poses and graphs that were made from it stay valid. NULL is
/// allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_rig_free(rig: *mut sinew_rig) -> sinew_status {
    call(|| free(rig))
}
