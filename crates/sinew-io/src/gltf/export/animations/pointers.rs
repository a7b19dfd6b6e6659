//! Updates the pointers of `KHR_animation_pointer` channels to objects that moved or were omitted.

use crate::gltf::document::json::string;
use crate::gltf::document::nested;
use crate::gltf::document::schema::ChannelTarget;
use crate::gltf::export::meshes::WrittenMesh;
use crate::gltf::pointer::POINTER;
use serde_json::value::to_raw_value;

pub(in crate::gltf) struct Moved<'m> {
    pub(in crate::gltf) cameras: &'m [Option<u32>],
    pub(in crate::gltf) meshes: &'m [Option<WrittenMesh>],
}

impl Moved<'_> {
    /// New index of an object. `None` if it was omitted. Other lists keep their indices, and so do objects that never
    /// were.
    fn now(&self, list: &str, index: usize) -> Option<usize> {
        match list {
            "cameras" if index < self.cameras.len() => {
                self.cameras[index].map(|camera| camera as usize)
            }
            "meshes" if index < self.meshes.len() => {
                (self.meshes[index].as_ref()).map(|mesh| mesh.index as usize)
            }
            _ => Some(index),
        }
    }

    /// Updated pointer. `None` if its object was omitted. Other pointers stay unchanged.
    fn pointer(&self, before: &str) -> Option<String> {
        let mut parts = before.splitn(4, '/');
        let ("", Some(list), Some(number)) = (parts.next()?, parts.next(), parts.next()) else {
            return Some(before.to_owned());
        };
        let index = number.parse().ok();
        let Some(index) = index.filter(|index: &usize| index.to_string() == number) else {
            return Some(before.to_owned());
        };
        let now = self.now(list, index)?;
        let below = parts
            .next()
            .map_or(String::new(), |below| format!("/{below}"));
        Some(format!("/{list}/{now}{below}"))
    }

    /// Updates the pointer of a target. Returns false if its object was omitted.
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
