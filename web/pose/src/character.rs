//! Characters from files: import, packing and retargeting.

use crate::rig::Rig;
use crate::values::bytes_of;
use sinew::clip::packed::PackedFile;
use sinew::{Method, RigError, names};
use sinew_io::Import;
use sinew_pack::{PackOptions, pack_file};
use sinew_rig::retarget::{RetargetOptions, pair_joints, retarget};
use wasm_bindgen::prelude::*;

/// Character from a file.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Character {
    import: Import,
}

#[wasm_bindgen]
impl Character {
    /// Reads a GLB, a glTF with its data inside, a VRM or a `.sinew` file. Pictures are left out.
    pub fn load(
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | ArrayBuffer")] bytes: &JsValue,
    ) -> Result<Self, JsError> {
        let import = sinew_io::import_bytes(&bytes_of(bytes)?)?;
        Ok(Self { import })
    }

    /// Findings of the import: repairs and omissions, each with its location in the file.
    #[wasm_bindgen(getter)]
    pub fn findings(&self) -> Vec<String> {
        let findings = self.import.report.findings.iter();
        findings.map(ToString::to_string).collect()
    }

    /// Names of the clips.
    #[wasm_bindgen(getter)]
    pub fn clips(&self) -> Vec<String> {
        let clips = self.import.character.clips.iter();
        clips.map(|clip| clip.name.clone()).collect()
    }

    /// Names of the joints.
    #[wasm_bindgen(getter)]
    pub fn joints(&self) -> Vec<String> {
        let skeleton = &self.import.character.skeleton;
        (0..skeleton.len())
            .map(|joint| skeleton.name(joint).to_owned())
            .collect()
    }

    /// Rig with a skinning method: `"dqs"`, `"lbs"` or `"rigid"`. Default: the method that the file
    /// states, otherwise `"lbs"`. Bone matrices do not depend on the method; `"lbs"` is cheapest for
    /// them. `packed`: bytes of a `.sinew` file of the same skeleton, whose clips the rig then plays.
    pub fn rig(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "\"dqs\" | \"lbs\" | \"rigid\"")]
        method: Option<String>,
        #[wasm_bindgen(unchecked_optional_param_type = "Uint8Array | ArrayBuffer")]
        packed: &JsValue,
    ) -> Result<Rig, JsError> {
        let character = &self.import.character;
        let method = match method.as_deref() {
            None => character.method(),
            Some("dqs") => Method::DualQuat,
            Some("lbs") => Method::Linear,
            Some("rigid") => Method::Rigid,
            Some(other) => {
                let hint = names::hint(other, ["dqs", "lbs", "rigid"]);
                return Err(JsError::new(&format!(
                    "there is no skinning method \"{other}\"{hint}"
                )));
            }
        };
        if packed.is_undefined() {
            return Ok(Rig::new(sinew::Rig::new(character, method)?));
        }
        let bytes = bytes_of(packed)?;
        let file = PackedFile::from_bytes(&bytes)?;
        Ok(Rig::new(sinew::Rig::with_packed(character, method, file)?))
    }

    /// Bytes of a `.sinew` file with a clip, or with all clips. `max_error`: max displacement in units of
    /// the skeleton; default 1e-4.
    pub fn pack(&self, clip: Option<String>, max_error: Option<f32>) -> Result<Vec<u8>, JsError> {
        let character = &self.import.character;
        let clips = match clip {
            Some(name) => std::slice::from_ref(&character.clips[self.clip(&name)?]),
            None => &*character.clips,
        };
        let options = max_error.map_or_else(PackOptions::new, |e| PackOptions::new().max_error(e));
        Ok(pack_file(&character.skeleton, clips, &options)?)
    }

    /// Adds a clip of another body, transferred to this body. Returns the index of the new clip. `feet`:
    /// keeps feet in place while they stand (default true). `hands`: moves hands to the places of the
    /// source (default false).
    pub fn retarget(
        &mut self,
        source: &Self,
        clip: &str,
        feet: Option<bool>,
        hands: Option<bool>,
    ) -> Result<usize, JsError> {
        let clip = &source.import.character.clips[source.clip(clip)?];
        let (from, onto) = (
            &source.import.character.skeleton,
            &self.import.character.skeleton,
        );
        let options = RetargetOptions::new()
            .feet(feet.unwrap_or(true))
            .hands(hands.unwrap_or(false));
        let pairs = pair_joints(from, onto)?;
        let done = retarget(from, clip, onto, &pairs, &options)?;
        self.import.character.clips.push(done.clip);
        Ok(self.import.character.clips.len() - 1)
    }
}

impl Character {
    fn clip(&self, name: &str) -> Result<usize, RigError> {
        let character = &self.import.character;
        character
            .find_clip(name)
            .ok_or_else(|| RigError::NoSuchClip {
                name: name.to_owned(),
                hint: names::hint(name, character.clips.iter().map(|clip| clip.name.as_str())),
            })
    }
}
