//! Characters: files in and out.

use crate::arguments::{index, out, out_handle, slice, text};
use crate::status::sinew_status::SINEW_ERROR_FILE;
use crate::status::{Failure, c_string, call, sinew_status};
use crate::table::{free, handle, keep, read};
use sinew::Character;
use sinew_io::{Import, ImportError, import, import_bytes};
use std::ffi::{CString, c_char};

/// Contents of a file: skeleton, meshes, skins and clips.
#[derive(Debug)]
pub struct sinew_character {
    _opaque: (),
}
handle!(sinew_character, Loaded, "sinew_character");

pub(crate) struct Loaded {
    pub character: Character,
    /// Names of the clips for C.
    clips: Vec<CString>,
    report: CString,
}

impl Loaded {
    fn new(import: Import) -> Self {
        let mut loaded = Self {
            character: import.character,
            clips: Vec::new(),
            report: c_string(&import.report.to_string()),
        };
        loaded.name_clips();
        loaded
    }

    /// Adds names for new clips. Earlier names stay valid.
    pub fn name_clips(&mut self) {
        let new = &self.character.clips[self.clips.len()..];
        self.clips
            .extend(new.iter().map(|clip| c_string(&clip.name)));
    }
}

fn failed(file: &str, error: &ImportError) -> Failure {
    let text = match error {
        ImportError::Io { .. } => error.to_string(),
        _ => format!("{file}: {error}"),
    };
    Failure::new(SINEW_ERROR_FILE, text)
}

/// Reads a file: glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew. `path` is UTF-8. Files that it
/// refers to are read, too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_character_load(
    path: *const c_char,
    character: *mut *mut sinew_character,
) -> sinew_status {
    call(|| {
        let character = out_handle(character)?;
        let path = text("path", path)?;
        let import = import(path).map_err(|error| failed(path, &error))?;
        *character = keep(Loaded::new(import))?;
        Ok(())
    })
}

/// Reads a file from memory. Files that it refers to are not read. Does not keep `bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_character_load_bytes(
    bytes: *const u8,
    len: usize,
    character: *mut *mut sinew_character,
) -> sinew_status {
    call(|| {
        let character = out_handle(character)?;
        let bytes = slice("bytes", bytes, len)?;
        let import = import_bytes(bytes).map_err(|error| failed("the bytes", &error))?;
        *character = keep(Loaded::new(import))?;
        Ok(())
    })
}

/// Writes a .glb, or a .gltf with a .bin beside it. An existing file is replaced once the new file
/// is complete.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_character_save(
    character: *const sinew_character,
    path: *const c_char,
) -> sinew_status {
    call(|| {
        let path = text("path", path)?;
        sinew_io::save(path, &read(character)?.character)?;
        Ok(())
    })
}

/// Repairs and omissions of the import, one per line. Empty if there were none. Valid until the
/// character is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_character_report(
    character: *const sinew_character,
    report: *mut *const c_char,
) -> sinew_status {
    call(|| {
        let report = out("report", report)?;
        report.write(read(character)?.report.as_ptr());
        Ok(())
    })
}

/// Number of clips.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_character_clip_count(
    character: *const sinew_character,
    count: *mut u32,
) -> sinew_status {
    call(|| {
        let count = out("count", count)?;
        count.write(read(character)?.character.clips.len() as u32);
        Ok(())
    })
}

/// Name of a clip. Valid until the character is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_character_clip_name(
    character: *const sinew_character,
    clip: u32,
    name: *mut *const c_char,
) -> sinew_status {
    call(|| {
        let (name, character) = (out("name", name)?, read(character)?);
        let clip = index("clip", clip, character.clips.len())?;
        name.write(character.clips[clip].as_ptr());
        Ok(())
    })
}

/// Frees a character. Rigs that were made from it stay valid. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_character_free(character: *mut sinew_character) -> sinew_status {
    call(|| free(character))
}
