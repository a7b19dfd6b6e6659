//! Tools that change or measure a character. They take from milliseconds to seconds.

use crate::arguments::{defaults, finite, init, out_handle, text, versioned_or_null};
use crate::bytes::{Bytes, sinew_bytes};
use crate::character::sinew_character;
use crate::status::sinew_status::SINEW_ERROR_NAME;
use crate::status::{Done, Failure, call, sinew_status};
use crate::table::{keep, read, write};
use crate::values::{method, sinew_method};
use serde_json::json;
use sinew::Character;
use sinew::measure::{frame_times, measure};
use sinew::names::hint;
use sinew_pack::{PackOptions, pack_file};
use sinew_rig::retarget::{RetargetOptions, pair_joints, retarget};
use sinew_rig::weights::{BindMethod, BindOptions, bind_character, bind_to_skeleton};
use std::ffi::c_char;

/// Options of `sinew_character_retarget`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_retarget {
    /// Size of this struct, set by its init function.
    pub size: usize,
    /// Nonzero to hold the feet of the target while the feet of the source stand. Default 1.
    pub feet: i32,
    /// Nonzero to move the hands to the positions of the source, in arm spans. Default 0.
    pub hands: i32,
    /// Factor from source lengths to target lengths, above 0. Default 0: the ratio of hip heights.
    pub scale: f32,
}

defaults!(sinew_retarget { feet: 1 });

/// Method of `sinew_character_bind`.
pub type sinew_bind_method = i32;
/// Visible curves, smoothed by diffusion. Cloth and loose parts are separate. Usually best.
pub const SINEW_BIND_AUTO: sinew_bind_method = 0;
/// The nearest curve, with a blend within half a bone of each joint.
pub const SINEW_BIND_BEZIER: sinew_bind_method = 1;
/// A blend between the middles of neighbouring bones.
pub const SINEW_BIND_BEZIER_WIDE: sinew_bind_method = 2;
/// Diffusion from the bones through the solid of the mesh.
pub const SINEW_BIND_HEAT: sinew_bind_method = 3;
/// Only the nearest bone.
pub const SINEW_BIND_RIGID: sinew_bind_method = 4;

/// Options of `sinew_character_bind`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_bind {
    /// Size of this struct, set by its init function.
    pub size: usize,
    /// Method that finds weights. Default `SINEW_BIND_AUTO`.
    pub method: sinew_bind_method,
    /// Max number of influences per vertex, at least 1. Default 4.
    pub influences: u32,
    /// Nonzero to keep existing weights except near joints. Default 0.
    pub correct: i32,
}

defaults!(sinew_bind {
    method: SINEW_BIND_AUTO,
    influences: 4,
});

fn clip_of(character: &Character, name: &str) -> Done<usize> {
    let no_clip = || {
        let names = character.clips.iter().map(|clip| clip.name.as_str());
        let text = format!("there is no clip \"{name}\"{}", hint(name, names));
        Failure::new(SINEW_ERROR_NAME, text)
    };
    character.find_clip(name).ok_or_else(no_clip)
}

/// Packs clips within a measured error and gives the bytes of a .sinew file. `clip` is a name or
/// an index as text, or NULL for all clips. `max_error` is the max displacement in units of the
/// model: if that is the metre, 1e-4 is a tenth of a millimetre.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_character_pack(
    character: *const sinew_character,
    clip: *const c_char,
    max_error: f32,
    bytes: *mut *mut sinew_bytes,
) -> sinew_status {
    call(|| {
        let bytes = out_handle(bytes)?;
        let character = &read(character)?.character;
        let clips = if clip.is_null() {
            &character.clips[..]
        } else {
            let clip = clip_of(character, text("clip", clip)?)?;
            &character.clips[clip..=clip]
        };
        let options = PackOptions::new().max_error(max_error);
        let packed = pack_file(&character.skeleton, clips, &options)?;
        *bytes = keep(Bytes::new(packed))?;
        Ok(())
    })
}

/// Sets the defaults. `size` is `sizeof(sinew_retarget)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_retarget_init(
    options: *mut sinew_retarget,
    size: usize,
) -> sinew_status {
    call(|| init(options, size))
}

/// Transfers a clip of `source` to the body of `target`, as a new last clip of `target`. Joints
/// are paired by role, or by equal names. `options` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_character_retarget(
    target: *mut sinew_character,
    source: *const sinew_character,
    clip: *const c_char,
    options: *const sinew_retarget,
) -> sinew_status {
    call(|| {
        let options = versioned_or_null(options)?;
        let scale = finite("scale", f64::from(options.scale))? as f32;
        let options = RetargetOptions::default()
            .feet(options.feet != 0)
            .hands(options.hands != 0)
            .scale((scale != 0.0).then_some(scale));
        let (mut target, source) = (write(target)?, read(source)?);
        let source = &source.character;
        let clip = &source.clips[clip_of(source, text("clip", clip)?)?];
        let skeleton = &target.character.skeleton;
        let pairs = pair_joints(&source.skeleton, skeleton)?;
        let done = retarget(&source.skeleton, clip, skeleton, &pairs, &options)?;
        target.character.clips.push(done.clip);
        target.name_clips();
        Ok(())
    })
}

/// Sets the defaults. `size` is `sizeof(sinew_bind)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_bind_init(options: *mut sinew_bind, size: usize) -> sinew_status {
    call(|| init(options, size))
}

/// Computes weights for every mesh of a character that has none. With `skeleton`, the character
/// first gets the skeleton of that character, and must not have clips. `skeleton` and `options`
/// may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_character_bind(
    character: *mut sinew_character,
    skeleton: *const sinew_character,
    options: *const sinew_bind,
) -> sinew_status {
    call(|| {
        let options = versioned_or_null(options)?;
        let method = match options.method {
            SINEW_BIND_AUTO => BindMethod::Auto,
            SINEW_BIND_BEZIER => BindMethod::Bezier,
            SINEW_BIND_BEZIER_WIDE => BindMethod::BezierWide,
            SINEW_BIND_HEAT => BindMethod::Heat,
            SINEW_BIND_RIGID => BindMethod::Rigid,
            other => {
                let text =
                    format!("{other} is no sinew_bind_method; pass a constant SINEW_BIND_...");
                return Err(Failure::argument(text));
            }
        };
        let options = BindOptions::default()
            .method(method)
            .influences(options.influences as usize)
            .correct(options.correct != 0);
        let mut bound = write(character)?;
        if skeleton.is_null() {
            bind_character(&mut bound.character, &options)?;
        } else {
            let skeleton = read(skeleton)?;
            bind_to_skeleton(&mut bound.character, &skeleton.character, &options)?;
            bound.name_clips();
        }
        Ok(())
    })
}

/// Measures the deformation over a clip, as JSON: one entry per frame with the members of
/// `sinew measure --json`. `clip` may be NULL for the rest pose. `frames_per_sec` is above 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_character_measure(
    character: *const sinew_character,
    clip: *const c_char,
    skinning: sinew_method,
    frames_per_sec: f64,
    json: *mut *mut sinew_bytes,
) -> sinew_status {
    call(|| {
        let json = out_handle(json)?;
        let skinning = method(skinning)?;
        let character = &read(character)?.character;
        let clip = match clip.is_null() {
            true => None,
            false => Some(clip_of(character, text("clip", clip)?)?),
        };
        let duration_secs = clip.map_or(0.0, |clip| character.clips[clip].duration_secs);
        let times = frame_times(f64::from(duration_secs), frames_per_sec)?;
        let found = measure(character, clip, &times, &[skinning])?;
        let frames = times.iter().zip(&found.methods[0].frames);
        let frames = frames.map(|(time_secs, frame)| {
            let mut values = json!(frame);
            values["time_secs"] = json!(time_secs);
            values
        });
        let frames: Vec<_> = frames.collect();
        let text = json!({ "frames": frames }).to_string();
        *json = keep(Bytes::new(text.into_bytes()))?;
        Ok(())
    })
}
