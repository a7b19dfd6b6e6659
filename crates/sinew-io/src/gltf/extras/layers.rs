//! Layers over a clip, in `extras.sinew` of animations: `layers` of the flattened animation (`base`, `baseJoints`, and
//! `layers` with `name`, `additive`, `weight`, `joints`, `animation`), and `partOf` of each animation that it refers to.

use super::freedom::number;
use super::own::{GROWTH, own_member, set_own_member};
use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::json::{Rest, natural};
use crate::gltf::document::nested::{members, object};
use crate::report::Severity;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::HashSet;

const LAYERS: &str = "layers";
const PART_OF: &str = "partOf";

/// Layers as a file stores them, with indices of animations and nodes.
pub(in crate::gltf) struct FileLayers {
    /// Animation of the flattened clip.
    pub(in crate::gltf) whole: usize,
    /// Animation with the tracks below the layers. `None` if there are no tracks.
    pub(in crate::gltf) base: Option<usize>,
    pub(in crate::gltf) base_nodes: Vec<usize>,
    pub(in crate::gltf) layers: Vec<FileLayer>,
}

pub(in crate::gltf) struct FileLayer {
    pub(in crate::gltf) name: String,
    pub(in crate::gltf) additive: bool,
    pub(in crate::gltf) weight: f32,
    /// Nodes that the layer may change. Empty for all.
    pub(in crate::gltf) nodes: Vec<usize>,
    /// Animation with the tracks. `None` if there are no tracks.
    pub(in crate::gltf) animation: Option<usize>,
}

impl FileLayers {
    /// Animations that are parts of these layers.
    pub(in crate::gltf) fn parts(&self) -> impl Iterator<Item = usize> + '_ {
        let layers = self.layers.iter().filter_map(|layer| layer.animation);
        self.base.into_iter().chain(layers)
    }

    /// Nodes that the layers list. They are joints, even if nothing moves them.
    pub(in crate::gltf) fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        let layers = self.layers.iter().flat_map(|layer| &layer.nodes);
        self.base_nodes.iter().chain(layers).copied()
    }
}

/// Reports that layers were left out. Their animations then are ordinary clips.
pub(in crate::gltf) fn report_broken(
    decoder: &mut Decoder<'_>,
    whole: usize,
    below: &str,
    why: &str,
) {
    let location = format_args!("/animations/{whole}/extras/sinew/{LAYERS}{below}");
    let message = format_args!(
        "{why}; the layers of this clip were left out, and the animations that they are made of are clips"
    );
    let report = decoder.report();
    report.add(Severity::Ignored, "EXTRAS_UNREADABLE", location, message);
}

/// True if an animation has layers or is a part of layers, so that its numbers must stay exact.
pub(in crate::gltf) fn is_layered(rest: &Rest) -> bool {
    own_member(rest, LAYERS).is_some() || own_member(rest, PART_OF).is_some()
}

/// Marks an animation as a part of the layers of another. False if `extras` is not an object.
pub(in crate::gltf) fn write_part(
    whole: usize,
    rest: &mut Rest,
) -> Result<bool, serde_json::Error> {
    set_own_member(rest, PART_OF, Some(to_raw_value(&whole)?))
}

/// Writes the layers of an animation. False if `extras` is not an object.
pub(in crate::gltf) fn write_layers(
    layers: &FileLayers,
    rest: &mut Rest,
) -> Result<bool, serde_json::Error> {
    let line = |layer: &FileLayer| {
        let mut members = Rest::default();
        members.push("name", to_raw_value(&layer.name)?);
        members.push("additive", to_raw_value(&layer.additive)?);
        members.push("weight", to_raw_value(&layer.weight)?);
        members.push("joints", to_raw_value(&layer.nodes)?);
        if let Some(animation) = layer.animation {
            members.push("animation", to_raw_value(&animation)?);
        }
        object(members)
    };
    let lines: Vec<_> = layers.layers.iter().map(line).collect::<Result<_, _>>()?;
    let mut members = Rest::default();
    if let Some(base) = layers.base {
        members.push("base", to_raw_value(&base)?);
    }
    members.push("baseJoints", to_raw_value(&layers.base_nodes)?);
    members.push("layers", to_raw_value(&lines)?);
    set_own_member(rest, LAYERS, Some(object(members)?))
}

/// Reads the layers of all animations. Reports and omits unreadable layers, and reports parts that no layers refer to.
///
/// # Errors
/// [`GltfError::MemoryLimit`] if the layers exceed the budget of the decoder.
pub(in crate::gltf) fn read_layers(
    decoder: &mut Decoder<'_>,
) -> Result<Vec<FileLayers>, GltfError> {
    let document = decoder.document();
    let whole_of = |rest| Some(natural::<usize>(own_member(rest, PART_OF)?));
    let animations = document.animations.iter();
    let reader = Reader {
        wholes: animations.map(|a| whole_of(&a.rest)).collect(),
        nodes: document.nodes.len(),
    };
    let mut found: Vec<FileLayers> = Vec::new();
    let mut is_explained = vec![false; document.animations.len()];
    for (whole, animation) in document.animations.iter().enumerate() {
        let Some(text) = own_member(&animation.rest, LAYERS) else {
            continue;
        };
        let bytes = (text.len() as u64).saturating_mul(GROWTH);
        let location = format!("/animations/{whole}/extras/sinew/{LAYERS}");
        decoder.budget().charge(bytes, "layers", location)?;
        match reader.layers(text, whole) {
            Ok(layers) => found.push(layers),
            Err((below, why)) => {
                is_explained[whole] = true;
                report_broken(decoder, whole, &below, &why);
            }
        }
    }
    let used: HashSet<usize> = found.iter().flat_map(FileLayers::parts).collect();
    for (part, whole) in reader.wholes.iter().enumerate() {
        let is_reported = |whole: usize| is_explained.get(whole).copied().unwrap_or(false);
        let Some(whole) = whole.filter(|_| !used.contains(&part)) else {
            continue;
        };
        if !whole.is_some_and(is_reported) {
            let location = format_args!("/animations/{part}/extras/sinew/{PART_OF}");
            let message = "no layers of that animation refer to this animation; it is a clip";
            let report = decoder.report();
            report.add(Severity::Ignored, "EXTRAS_UNREADABLE", location, message);
        }
    }
    Ok(found)
}

struct Reader {
    /// `partOf` of each animation. The inner `None` is a value that is not an index.
    wholes: Vec<Option<Option<usize>>>,
    nodes: usize,
}

/// Location below the member, and the reason.
type Fault = (String, String);

impl Reader {
    fn layers(&self, text: &str, whole: usize) -> Result<FileLayers, Fault> {
        let here = |why: &str| (String::new(), why.to_owned());
        if self.wholes[whole].is_some() {
            return Err(here("an animation that is a part cannot have layers"));
        }
        let all = members(text).ok_or_else(|| here("the value is not an object"))?;
        let list = all.get("layers").map(|list| list.get());
        let list: Option<Vec<&RawValue>> = list.and_then(|list| serde_json::from_str(list).ok());
        let list = list.ok_or_else(|| here("`layers` is missing or not a list"))?;
        let mut layers = FileLayers {
            whole,
            base: self.part(&all, "base", whole).map_err(|why| here(&why))?,
            base_nodes: self
                .node_list(&all, "baseJoints")
                .map_err(|why| here(&why))?,
            layers: Vec::with_capacity(list.len()),
        };
        let mut names = HashSet::new();
        for (index, text) in list.into_iter().enumerate() {
            let at = |why: String| (format!("/{LAYERS}/{index}"), why);
            let layer = self.layer(text, whole).map_err(at)?;
            if !names.insert(layer.name.clone()) {
                return Err(at("another layer has the same `name`".to_owned()));
            }
            layers.layers.push(layer);
        }
        let mut seen = HashSet::new();
        let twice = layers.parts().find(|part| !seen.insert(*part));
        match twice {
            Some(twice) => Err(here(&format!("animation {twice} is used twice"))),
            None => Ok(layers),
        }
    }

    fn layer(&self, text: &RawValue, whole: usize) -> Result<FileLayer, String> {
        let all = members(text.get()).ok_or("the value is not an object")?;
        let member = |name: &str| all.get(name).map(|value| value.get());
        let name = member("name").and_then(|name| serde_json::from_str(name).ok());
        let additive = member("additive").and_then(|is| serde_json::from_str(is).ok());
        let weight = member("weight").and_then(number);
        Ok(FileLayer {
            name: name.ok_or("`name` is missing or not a text")?,
            additive: additive.ok_or("`additive` is neither true nor false")?,
            weight: weight
                .filter(|weight| (0.0..=1.0).contains(weight))
                .ok_or("`weight` is missing or not a number from 0 to 1")?,
            nodes: self.node_list(&all, "joints")?,
            animation: self.part(&all, "animation", whole)?,
        })
    }

    fn part(&self, all: &Rest, name: &str, whole: usize) -> Result<Option<usize>, String> {
        let Some(text) = all.get(name).filter(|text| text.get() != "null") else {
            return Ok(None);
        };
        let part: Option<usize> = natural(text.get());
        let part = part.filter(|part| *part < self.wholes.len());
        let part = part.ok_or_else(|| format!("`{name}` is not the index of an animation"))?;
        if self.wholes[part] == Some(Some(whole)) {
            Ok(Some(part))
        } else {
            Err(format!(
                "`{name}` is animation {part}, whose `{PART_OF}` is not {whole}"
            ))
        }
    }

    fn node_list(&self, all: &Rest, name: &str) -> Result<Vec<usize>, String> {
        let list = all.get(name).map(|list| list.get());
        let list: Option<Vec<&RawValue>> = list.and_then(|list| serde_json::from_str(list).ok());
        let list = list.ok_or_else(|| format!("`{name}` is missing or not a list"))?;
        let node = |text: &&RawValue| natural(text.get()).filter(|node| *node < self.nodes);
        let nodes: Option<Vec<usize>> = list.iter().map(node).collect();
        let nodes = nodes.ok_or_else(|| format!("`{name}` has a value that is not a node"))?;
        let is_each_once = nodes.iter().collect::<HashSet<_>>().len() == nodes.len();
        let nodes = is_each_once.then_some(nodes);
        nodes.ok_or_else(|| format!("`{name}` has a node twice"))
    }
}
