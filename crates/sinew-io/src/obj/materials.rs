//! Materials of an OBJ file, from its `.mtl` files.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use sinew::Material;
use sinew::character::{Alpha, Image, Texture, TextureUse};

use super::statements::{MAX_LIBRARIES, Statements};
use crate::folder::Folder;
use crate::gltf::bytes::images;
use crate::lines::{Lines, keyword, number, words};
use crate::report::{FileReport, Severity};

#[derive(Default)]
pub(super) struct Looks {
    pub(super) materials: Vec<Material>,
    pub(super) textures: Vec<Texture>,
    pub(super) images: Vec<Image>,
    /// Index of the material, for each name in the file.
    named: Vec<usize>,
    plain: Option<usize>,
}

impl Looks {
    /// Material of faces after a `usemtl`. `named` is `None` for faces before the first `usemtl`.
    pub(super) fn material(&mut self, named: Option<usize>) -> usize {
        match named {
            Some(named) => self.named[named],
            None => *self.plain.get_or_insert_with(|| {
                self.materials.push(plain(""));
                self.materials.len() - 1
            }),
        }
    }
}

fn plain(name: &str) -> Material {
    Material {
        name: name.to_owned(),
        metallic: 0.0,
        // OBJ does not state whether surfaces are one-sided.
        double_sided: true,
        ..Material::default()
    }
}

pub(super) fn read(statements: &Statements, path: Option<&Path>, report: &mut FileReport) -> Looks {
    let mut reader = Reader {
        folder: Folder::of(path),
        looks: Looks::default(),
        texture_of: HashMap::new(),
        report,
    };
    let mut known: HashMap<String, Material> = HashMap::new();
    let requested: HashSet<&str> = statements.materials.iter().map(String::as_str).collect();
    for (line, name) in &statements.libraries {
        reader.library(*line, name, &requested, &mut known);
    }
    for name in &statements.materials {
        let material = known.remove(name).unwrap_or_else(|| {
            if !statements.libraries.is_empty() {
                let message = format_args!(
                    "the material {name:?} is in no library; a default material is used"
                );
                reader
                    .report
                    .add(Severity::Repaired, "MATERIAL", "", message);
            }
            plain(name)
        });
        reader.looks.named.push(reader.looks.materials.len());
        reader.looks.materials.push(material);
    }
    reader.looks
}

struct Reader<'a> {
    folder: Folder<'a>,
    looks: Looks,
    texture_of: HashMap<String, Option<usize>>,
    report: &'a mut FileReport,
}

impl Reader<'_> {
    /// Reads a library. The argument may be one name with blanks or a list of names.
    fn library(
        &mut self,
        line: usize,
        name: &str,
        requested: &HashSet<&str>,
        known: &mut HashMap<String, Material>,
    ) {
        let names = match self.folder.locate(&[name]) {
            Ok(_) => vec![name],
            Err(_) => name.split_whitespace().take(MAX_LIBRARIES).collect(),
        };
        for name in names {
            match self.folder.find(&[name]) {
                Ok(bytes) => self.materials(&bytes, requested, known),
                Err(reason) => {
                    let location = format_args!("line {line}");
                    let message = format_args!("the library {name:?} was not read: {reason}");
                    self.report
                        .add(Severity::Ignored, "IO_ERROR", location, message);
                }
            }
        }
    }

    /// Reads the materials that the file uses. If a name occurs twice, the first material counts.
    fn materials(
        &mut self,
        bytes: &[u8],
        requested: &HashSet<&str>,
        known: &mut HashMap<String, Material>,
    ) {
        let mut open: Option<Material> = None;
        let mut keep = |material: Option<Material>| {
            if let Some(material) = material {
                known.entry(material.name.clone()).or_insert(material);
            }
        };
        for (line, text) in Lines::of(bytes) {
            let (word, rest) = keyword(&text);
            if word == b"newmtl" {
                keep(open.take());
                let name = String::from_utf8_lossy(rest);
                open = requested.contains(&*name).then(|| plain(&name));
            } else if let Some(material) = &mut open {
                self.property(line, word, rest, material);
            }
        }
        keep(open);
    }

    fn property(&mut self, line: usize, word: &[u8], rest: &[u8], material: &mut Material) {
        let mut numbers = words(rest).map_while(number);
        let first = numbers.next();
        let color = || {
            let second = words(rest).nth(1).and_then(number);
            let third = words(rest).nth(2).and_then(number);
            // A single number is a grey.
            let red = first.unwrap_or(0.0);
            [red, second.unwrap_or(red), third.unwrap_or(red)]
        };
        let [.., opacity] = &mut material.base_color;
        let share = first.map(|number| number.clamp(0.0, 1.0));
        match (word, share) {
            (b"Kd", Some(_)) if material.base_color_texture.is_none() => {
                material.base_color[..3].copy_from_slice(&color());
            }
            (b"Ke", Some(_)) => material.emissive = color(),
            (b"d", Some(share)) => *opacity = share,
            (b"Tr", Some(share)) => *opacity = 1.0 - share,
            (b"Pr", Some(share)) => material.roughness = share,
            (b"Pm", Some(share)) => material.metallic = share,
            // The scale of Blender, which writes 1000 for a mirror.
            (b"Ns", _) => {
                let exponent = first.unwrap_or(0.0).clamp(0.0, 1000.0);
                material.roughness = 1.0 - (exponent / 1000.0).sqrt();
            }
            (b"map_Kd", _) => {
                material.base_color_texture = self.texture(line, rest);
                if material.base_color_texture.is_some() {
                    material.base_color[..3].fill(1.0);
                }
            }
            (
                b"map_Ke" | b"map_Pr" | b"map_Pm" | b"map_d" | b"map_Bump" | b"map_bump" | b"bump"
                | b"norm",
                _,
            ) => {
                let word = String::from_utf8_lossy(word);
                let message =
                    format_args!("`{word}` was left out; only images of the colour are imported");
                let location = format_args!("line {line} of a library");
                self.report
                    .add(Severity::Ignored, "PICTURE", location, message);
            }
            _ => {}
        }
        if material.base_color[3] < 1.0 {
            material.alpha = Alpha::Blend;
        }
    }

    fn texture(&mut self, line: usize, rest: &[u8]) -> Option<TextureUse> {
        let name = String::from_utf8_lossy(file_name(rest)).into_owned();
        if let Some(known) = self.texture_of.get(&name) {
            return known.map(|texture| TextureUse::new(texture, 0));
        }
        let texture = match self.image(&name) {
            Ok(image) => {
                self.looks.images.push(image);
                self.looks.textures.push(Texture {
                    image: Some(self.looks.images.len() - 1),
                    ..Texture::default()
                });
                Some(self.looks.textures.len() - 1)
            }
            Err(reason) => {
                let location = format_args!("line {line} of a library");
                let message = format_args!("the image {name:?} was left out: {reason}");
                self.report
                    .add(Severity::Ignored, "IO_ERROR", location, message);
                None
            }
        };
        self.texture_of.insert(name, texture);
        texture.map(|texture| TextureUse::new(texture, 0))
    }

    fn image(&self, name: &str) -> Result<Image, String> {
        if !cfg!(feature = "pictures") {
            return Err(images::LEFT_OUT.to_owned());
        }
        let bytes = self
            .folder
            .find(&[name])
            .map_err(|reason| reason.into_owned())?;
        let mime_type = images::mime_type_of(&bytes).unwrap_or_default();
        if !images::is_core(mime_type) {
            return Err(
                "it is neither PNG nor JPEG; convert it and change its name in the library"
                    .to_owned(),
            );
        }
        if images::examine(&bytes).is_err() {
            return Err("it is broken".to_owned());
        }
        let stem = Path::new(name).file_stem().unwrap_or_default();
        Ok(Image {
            name: stem.to_string_lossy().into_owned(),
            mime_type: mime_type.to_owned(),
            bytes,
        })
    }
}

/// The text after the options of an image: `-s 1 1 1 -clamp on name.png`.
fn file_name(mut rest: &[u8]) -> &[u8] {
    while let (option @ [b'-', ..], after) = keyword(rest) {
        let max_values = match option {
            b"-s" | b"-o" | b"-t" => 3,
            b"-mm" => 2,
            b"-blendu" | b"-blendv" | b"-bm" | b"-boost" | b"-cc" | b"-clamp" | b"-imfchan"
            | b"-texres" | b"-type" => 1,
            _ => return rest,
        };
        rest = after;
        for index in 0..max_values {
            let (value, after) = keyword(rest);
            if index > 0 && number(value).is_none() {
                break;
            }
            rest = after;
        }
    }
    rest
}
