//! Writes a `.sinew` file: a skeleton and its clips, in chunks. `docs/format.md` has each byte.

use crate::bytes::extras::extras_bytes;
use crate::bytes::limits::{limit_bytes, slide_bytes};
use crate::bytes::write::Write;
use crate::error::PackError;
use sinew::clip::packed::PackedClip;
use sinew::clip::packed::format::{
    self, MAGIC, NO_PARENT, VERSION, VERSION_WITH_FINER, VERSION_WITH_TIMES,
};
use sinew::skeleton::Skeleton;

/// Bytes of a `.sinew` file, which `PackedFile::from_bytes` in [`sinew::clip::packed`] reads. The
/// clips must have been packed for this skeleton.
///
/// # Errors
/// [`PackError::Joints`] for a clip of another skeleton; [`PackError::TooLarge`] above 4 GB.
pub fn file_bytes(skeleton: &Skeleton, clips: &[&PackedClip<'_>]) -> Result<Vec<u8>, PackError> {
    let mut out = Vec::new();
    out.put(&MAGIC);
    let is_finer = clips.iter().any(|clip| format::chunks(clip).count() > 1);
    let mut chunks = clips.iter().flat_map(|clip| format::chunks(clip));
    out.u16(if chunks.any(format::Chunk::is_uneven) {
        VERSION_WITH_TIMES
    } else if is_finer {
        VERSION_WITH_FINER
    } else {
        VERSION
    });
    out.u16(0);
    out.u32(0);
    put_chunk(&mut out, b"SKEL", &skeleton_bytes(skeleton))?;
    let limits = limit_bytes(skeleton);
    if !limits.is_empty() {
        put_chunk(&mut out, b"LIMT", &limits)?;
    }
    let slides = slide_bytes(skeleton);
    if !slides.is_empty() {
        put_chunk(&mut out, b"SLID", &slides)?;
    }
    for clip in clips {
        let found = clip.joints();
        if found != skeleton.len() {
            let expected = skeleton.len();
            return Err(PackError::Joints { expected, found });
        }
        for (index, chunk) in format::chunks(clip).enumerate() {
            let tag = if index == 0 { b"MOTN" } else { b"FINE" };
            put_chunk(&mut out, tag, chunk.bytes())?;
        }
        put_chunk(&mut out, b"XTRA", &extras_bytes(clip))?;
    }
    let length = u32::try_from(out.len()).map_err(|_| PackError::TooLarge)?;
    out[8..12].copy_from_slice(&length.to_le_bytes());
    Ok(out)
}

fn put_chunk(out: &mut Vec<u8>, tag: &[u8; 4], chunk: &[u8]) -> Result<(), PackError> {
    if u32::try_from(chunk.len()).is_err() {
        return Err(PackError::TooLarge);
    }
    out.put(tag);
    out.u32(chunk.len());
    out.put(chunk);
    Ok(())
}

pub(crate) fn skeleton_bytes(skeleton: &Skeleton) -> Vec<u8> {
    let mut out = Vec::new();
    out.u32(skeleton.len());
    for joint in 0..skeleton.len() {
        out.u32(skeleton.parent(joint).unwrap_or(NO_PARENT as usize));
        let rest = skeleton.rest().get(joint);
        out.f32s(&rest.translation.to_array());
        out.f32s(&rest.rotation.to_array());
        out.f32s(&rest.scale.to_array());
        out.text(skeleton.name(joint));
    }
    out
}
