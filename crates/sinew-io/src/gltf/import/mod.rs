mod cameras;
mod clips;
mod influences;
mod layers;
mod lights;
pub mod load;
mod materials;
mod meshes;
mod nodes;
mod not_drawn;
mod shared;
mod survey;
mod texture_uses;
mod textures;
mod topology;

use std::path::{Path, PathBuf};

use sinew::Character;
use sinew::character::Image;
use sinew::steps::finish;

use super::bytes::accessor::Decoder;
use super::check::check_required;
use super::document::error::GltfError;
use super::extras::bindings::{read_bindings, report_unknown};
use super::extras::correctives::read_correctives;
use super::extras::freedom::read_joints;
use super::extras::layers::read_layers;
use super::extras::method::read_method;
use super::pointer::Targets;
use super::source::SourceDocument;
use super::vrm::{self, Avatar};
use crate::report::{FileReport, Severity};
use load::{Container, Loaded, load, load_in_steps};

pub(super) use materials::material_of;
pub(super) use nodes::{local_of, rest_of};
pub(super) use textures::{filter_of, image_of};

/// The contents of a glTF file.
#[derive(Clone, Debug)]
pub struct GltfImport {
    /// The character. Its parts are consistent.
    pub character: Character,
    /// Repairs and omissions.
    pub report: FileReport,
    /// The document of the file, without the data URIs of buffers. On export, it restores data that
    /// the character cannot hold. Its indices match the character; see [`SourceDocument`].
    pub source: SourceDocument,
    /// The avatar, if the file has one.
    pub avatar: Option<Avatar>,
}

/// Reads a `.gltf`, `.glb` or `.vrm` file, and the files beside it that it refers to.
///
/// # Errors
/// [`GltfError`] states the fault, its location and a remedy.
pub fn import(path: impl AsRef<Path>) -> Result<GltfImport, GltfError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|source| GltfError::Io {
        path: PathBuf::from(path),
        source,
    })?;
    finish(import_file(&bytes, Some(path)))
}

pub(crate) async fn import_file(
    bytes: &[u8],
    path: Option<&Path>,
) -> Result<GltfImport, GltfError> {
    let folder = path.map(|path| match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    });
    let named = path.and_then(Container::of_path);
    import_loaded(load_in_steps(bytes, named, folder).await?, folder).await
}

/// Reads the bytes of a `.gltf`, `.glb` or `.vrm` file. Finds other files that it needs in
/// `folder`.
///
/// # Errors
/// [`GltfError`] states the fault, its location and a remedy.
pub fn import_bytes(bytes: &[u8], folder: Option<&Path>) -> Result<GltfImport, GltfError> {
    finish(import_loaded(load(bytes, None, folder)?, folder))
}

async fn import_loaded(loaded: Loaded<'_>, folder: Option<&Path>) -> Result<GltfImport, GltfError> {
    let Loaded {
        mut document,
        buffers,
        mut report,
        mut budget,
    } = loaded;
    if report.count(Severity::Error) == 0 {
        check_required(&document)?;
    }
    let images = textures::images(&document, &buffers, folder, &mut report, &mut budget).await?;
    let mut decoder = Decoder::new(&document, &buffers, &mut budget, &mut report);
    match character(&mut decoder, images).await {
        Ok((character, is_part)) => {
            let mut is_part = is_part.into_iter();
            document
                .animations
                .retain(|_| !is_part.next().unwrap_or(false));
            Ok(GltfImport {
                character,
                avatar: vrm::avatar(&document, &mut report),
                source: SourceDocument::new(document, &buffers, &mut budget)?,
                report,
            })
        }
        Err(GltfError::Invalid(cause)) => {
            // The error lists all faults, including faults of numbers in the buffers.
            survey::check_everything(&mut decoder).await;
            report.append(cause);
            Err(GltfError::Invalid(report))
        }
        Err(other) => Err(other),
    }
}

/// The character, and true for each animation that is a part of layers and not a clip.
async fn character(
    decoder: &mut Decoder<'_>,
    images: Vec<Image>,
) -> Result<(Character, Vec<bool>), GltfError> {
    if decoder.report().count(Severity::Error) > 0 {
        return Err(GltfError::Invalid(FileReport::default()));
    }
    let document = decoder.document();
    let joint_extras = read_joints(decoder)?;
    let roles = vrm::roles(document, decoder.report());
    let file_layers = read_layers(decoder)?;
    let targets = Targets::new(document);
    let tree = nodes::Tree::new(
        document,
        &joint_extras.freedoms,
        &roles,
        &file_layers,
        &targets,
    );
    let meshes = meshes::meshes(decoder).await?;
    let skeleton = nodes::skeleton(decoder, &tree, joint_extras, &roles)?;
    let skins = nodes::skins(decoder, &skeleton)?;
    let (mut clips, pointed) = clips::clips(decoder, &skeleton, &targets).await?;
    let (layers, is_part) = clips::layers::take(decoder, file_layers, &mut clips, &skeleton)?;
    let lights = lights::lights(document);
    let correctives = read_correctives(decoder, &meshes, |node| skeleton.joint(node))?;
    let (numbers, mut bindings): (Vec<_>, Vec<_>) = read_bindings(decoder)?.into_iter().unzip();
    for binding in pointed {
        if !bindings.contains(&binding) {
            bindings.push(binding);
        }
    }
    let stated_method = read_method(&document.rest, decoder.report());
    let nodes = nodes::nodes(document, &tree, &skeleton, lights.len());
    survey::check_unused(decoder).await;
    not_drawn::report_lost(document, decoder.report());
    let character = Character {
        skeleton: skeleton.skeleton,
        nodes,
        meshes,
        skins,
        clips,
        materials: materials::materials(document),
        textures: textures::textures(document, &images),
        images,
        lights,
        cameras: cameras::cameras(document),
        hidden: cameras::hidden(document),
        correctives,
        layers,
        bindings,
        stated_method,
    };
    report_unknown(&character, &numbers, decoder.report());
    Ok((character, is_part))
}
