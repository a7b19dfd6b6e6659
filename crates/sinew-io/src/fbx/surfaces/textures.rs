//! Textures with images from the file or from files beside it.

use crate::fbx::load::Memory;
use crate::folder::Folder;
use crate::gltf::bytes::images;
use crate::report::{FileReport, Severity};
use sinew::character::{Image, Texture, TextureUse, TextureWrap, UV_IDENTITY};
use std::sync::Arc;
use ufbx::{Scene, WrapMode};

#[derive(Default)]
pub(in crate::fbx) struct Textures {
    pub(in crate::fbx) textures: Vec<Texture>,
    pub(in crate::fbx) images: Vec<Image>,
    /// Image of each file of the scene. The outer `None` marks a file that has not been read.
    images_of: Vec<Option<Option<usize>>>,
}

impl Textures {
    /// Texture to use, with the first of its images.
    pub(in crate::fbx) fn used(
        &mut self,
        scene: &Scene,
        texture: &ufbx::Texture,
        sets: &[String],
        source: &mut Source<'_>,
    ) -> Option<TextureUse> {
        let file = texture.file_textures.first()?;
        let file: &ufbx::Texture = file;
        if texture.file_textures.count > 1 {
            let message = "the texture has several layers; only the first image was imported";
            source.add_finding(Severity::Ignored, "FBX_LAYERED_TEXTURE", texture, message);
        }
        if !file.has_file {
            return None;
        }
        let image = self.image(scene, file, source)?;
        let wrap = |mode: WrapMode| match mode {
            WrapMode::Repeat => TextureWrap::Repeat,
            WrapMode::Clamp => TextureWrap::Clamp,
        };
        let made = Texture {
            image: Some(image),
            wrap: [wrap(file.wrap_u), wrap(file.wrap_v)],
            ..Texture::default()
        };
        let known = self.textures.iter().position(|texture| *texture == made);
        let index = known.unwrap_or_else(|| {
            self.textures.push(made);
            self.textures.len() - 1
        });
        let set = sets.iter().position(|set| **set == *file.uv_set);
        let mut used = TextureUse::new(index, set.unwrap_or(0));
        if file.has_uv_transform {
            used.transform = flipped(&file.uv_to_texture);
        }
        Some(used)
    }

    fn image(
        &mut self,
        scene: &Scene,
        texture: &ufbx::Texture,
        source: &mut Source<'_>,
    ) -> Option<usize> {
        let index = texture.file_index as usize;
        self.images_of
            .resize(scene.texture_files.count.max(index + 1), None);
        if let Some(known) = self.images_of[index] {
            return known;
        }
        let image = read(scene, texture, source).map(|image| {
            self.images.push(image);
            self.images.len() - 1
        });
        self.images_of[index] = Some(image);
        image
    }
}

pub(in crate::fbx) struct Source<'a> {
    pub(in crate::fbx) folder: Folder<'a>,
    pub(in crate::fbx) memory: &'a mut Memory,
    pub(in crate::fbx) report: &'a mut FileReport,
}

impl Source<'_> {
    fn add_finding(
        &mut self,
        severity: Severity,
        code: &'static str,
        texture: &ufbx::Texture,
        message: &str,
    ) {
        let pointer = format_args!("texture `{}`", &*texture.element.name);
        self.report.add(severity, code, pointer, message);
    }
}

fn read(scene: &Scene, texture: &ufbx::Texture, source: &mut Source<'_>) -> Option<Image> {
    let file = scene.texture_files.get(texture.file_index as usize)?;
    if !cfg!(feature = "pictures") {
        let message = format!("the image was left out: {}", images::LEFT_OUT);
        source.add_finding(Severity::Ignored, "NOT_DRAWN", texture, &message);
        return None;
    }
    let content = [&texture.content, &file.content]
        .into_iter()
        .find(|content| !content.is_empty());
    let beside = match content {
        Some(_) => None,
        None => match source
            .folder
            .find(&[&file.relative_filename, &file.filename])
        {
            Ok(bytes) => Some(bytes),
            Err(reason) => {
                let message = format!("the image was left out: {reason}");
                source.add_finding(Severity::Ignored, "IO_ERROR", texture, &message);
                return None;
            }
        },
    };
    let inside: &[u8] = match content {
        Some(content) => content,
        None => &[],
    };
    let bytes = beside.as_ref().map_or(inside, |bytes| bytes.as_slice());
    let mime_type = images::mime_type_of(bytes).unwrap_or_default();
    if !images::is_core(mime_type) {
        let message = "the image is neither PNG nor JPEG and was left out; convert it and change its name in the file";
        source.add_finding(Severity::Ignored, "NOT_DRAWN", texture, message);
        return None;
    }
    if images::examine(bytes).is_err() {
        let message = "the image is damaged and was left out";
        source.add_finding(Severity::Ignored, "IMAGE_DATA_INVALID", texture, message);
        return None;
    }
    if beside.is_none()
        && let Err(error) = source.memory.take(bytes.len())
    {
        let message = format!("the image was left out: {error}");
        source.add_finding(Severity::Ignored, "MEMORY_LIMIT", texture, &message);
        return None;
    }
    let bytes = beside.unwrap_or_else(|| Arc::new(inside.to_vec()));
    Some(Image {
        name: stem(&file.filename).to_owned(),
        mime_type: mime_type.to_owned(),
        bytes,
    })
}

fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Converts a map of texture coordinates with v upward to a map with v downward.
fn flipped(m: &ufbx::Matrix) -> sinew::character::UvTransform {
    let row = |a: f64, b: f64, c: f64| [a, b, c].map(crate::fbx::plain::number);
    let map = [
        row(m.m00, -m.m01, m.m01 + m.m03),
        row(-m.m10, m.m11, 1.0 - m.m11 - m.m13),
    ];
    if map.iter().flatten().all(|part| part.is_finite()) {
        map
    } else {
        UV_IDENTITY
    }
}
