//! Pointers into the document that channels of `KHR_animation_pointer` drive: what they point at may have
//! another number in the document that is written, or none.

use crate::gltf::document::json::string;
use crate::gltf::document::nested;
use crate::gltf::document::schema::ChannelTarget;
use crate::gltf::export::meshes::WrittenMesh;
use serde_json::value::to_raw_value;

/// The extension.
pub(in crate::gltf) const POINTER: &str = "KHR_animation_pointer";

/// The new numbers of things that do not all keep theirs.
pub(in crate::gltf) struct Moved<'m> {
    pub(in crate::gltf) cameras: &'m [Option<u32>],
    pub(in crate::gltf) meshes: &'m [Option<WrittenMesh>],
}

impl Moved<'_> {
    /// The number that the `index`th of a list has now; `None` when it was left out. Other lists keep their
    /// numbers.
    fn now(&self, list: &str, index: usize) -> Option<usize> {
        match list {
            "cameras" => self.cameras.get(index)?.map(|camera| camera as usize),
            "meshes" => Some(self.meshes.get(index)?.as_ref()?.index as usize),
            _ => Some(index),
        }
    }

    /// The pointer of a target as it must be now; `None` when it points at what was left out. One that
    /// does not begin with a list and a number stays as it is.
    fn pointer(&self, before: &str) -> Option<String> {
        let mut parts = before.splitn(4, '/');
        let ("", Some(list), Some(number)) = (parts.next()?, parts.next(), parts.next()) else {
            return Some(before.to_owned());
        };
        let Ok(index) = number.parse() else {
            return Some(before.to_owned());
        };
        let now = self.now(list, index)?;
        let below = parts
            .next()
            .map_or(String::new(), |below| format!("/{below}"));
        Some(format!("/{list}/{now}{below}"))
    }

    /// Puts the pointer of a target right; false when it points at what was left out.
    pub(in crate::gltf) fn point(
        &self,
        target: &mut ChannelTarget,
    ) -> Result<bool, serde_json::Error> {
        let object = target.rest.extension(POINTER).and_then(nested::members);
        let Some(mut object) = object else {
            return Ok(true);
        };
        let before = object.get("pointer").and_then(|text| string(text.get()));
        let Some(before) = before.map(|before| before.into_owned()) else {
            return Ok(true);
        };
        let Some(now) = self.pointer(&before) else {
            return Ok(false);
        };
        if now != before {
            object.insert("pointer", to_raw_value(&now)?);
            let object = nested::object(object)?;
            nested::set_nested(&mut target.rest, "extensions", POINTER, Some(object))?;
        }
        Ok(true)
    }
}
