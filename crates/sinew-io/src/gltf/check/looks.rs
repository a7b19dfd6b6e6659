use super::checker::Checker;
use super::shapes::{CAMERA, NORMAL_TEXTURE, OCCLUSION_TEXTURE, SAMPLER, Shape, TEXTURE, Walk};
use crate::gltf::document::schema::{Image, Material};
use crate::gltf::document::visit::textures;
use crate::report::Severity;

pub(super) fn check(checker: &mut Checker<'_>) {
    let document = checker.document;
    for (index, material) in document.materials.iter().enumerate() {
        for (name, info) in textures(material) {
            let at = format_args!("/materials/{index}/{name}/index");
            checker.resolve(info.index, &document.textures, Severity::Ignored, at);
        }
        check_factors(checker, material, index);
    }
    for (index, texture) in document.textures.iter().enumerate() {
        let at = |member: &str| format!("/textures/{index}/{member}");
        let (sampler, source) = (texture.sampler, texture.source);
        checker.resolve(
            sampler,
            &document.samplers,
            Severity::Ignored,
            at("sampler"),
        );
        checker.resolve(source, &document.images, Severity::Ignored, at("source"));
    }
    for (index, image) in document.images.iter().enumerate() {
        check_image(checker, image, &format!("/images/{index}"));
    }
    let mut walk = Walk::new(document, checker.report);
    for (index, material) in document.materials.iter().enumerate() {
        for (name, info) in textures(material) {
            let at = format!("/materials/{index}/{name}");
            walk.kept(&info.rest, shape_of(name), &at);
        }
    }
    for (index, sampler) in document.samplers.iter().enumerate() {
        walk.kept(&sampler.rest, &SAMPLER, &format!("/samplers/{index}"));
    }
    for (index, camera) in document.cameras.iter().enumerate() {
        let text = serde_json::to_string(camera).unwrap_or_default();
        walk.object(&text, &CAMERA, &format!("/cameras/{index}"));
    }
}

fn shape_of(texture: &str) -> &'static Shape {
    match texture {
        "normalTexture" => &NORMAL_TEXTURE,
        "occlusionTexture" => &OCCLUSION_TEXTURE,
        _ => &TEXTURE,
    }
}

fn check_factors(checker: &mut Checker<'_>, material: &Material, index: usize) {
    let mut check = |value: f64, max: f64, member: &dyn Fn() -> String| {
        if !(0.0..=max).contains(&value) {
            let message = format_args!("{value} is out of range; the nearest valid value was used");
            let at = format!("/materials/{index}/{}", member());
            checker.repaired("VALUE_NOT_IN_RANGE", at, message);
        }
    };
    if let Some(pbr) = &material.pbr {
        let inside = |name: &str| format!("pbrMetallicRoughness/{name}");
        for (component, value) in pbr.base_color_factor.iter().flatten().enumerate() {
            check(f64::from(*value), 1.0, &|| {
                inside(&format!("baseColorFactor/{component}"))
            });
        }
        check(pbr.metallic_factor.unwrap_or(1.0), 1.0, &|| {
            inside("metallicFactor")
        });
        check(pbr.roughness_factor.unwrap_or(1.0), 1.0, &|| {
            inside("roughnessFactor")
        });
    }
    for (component, value) in material.emissive_factor.iter().flatten().enumerate() {
        check(f64::from(*value), 1.0, &|| {
            format!("emissiveFactor/{component}")
        });
    }
    let cutoff = material.alpha_cutoff.unwrap_or(0.5);
    check(cutoff, f64::INFINITY, &|| "alphaCutoff".to_owned());
}

/// Checks the location of the bytes of an image. The import checks the bytes when it reads them.
fn check_image(checker: &mut Checker<'_>, image: &Image, pointer: &str) {
    let Some(view) = image.buffer_view else {
        return;
    };
    if image.uri.is_some() {
        let message =
            "an image must not have both `uri` and `bufferView`; the buffer view was used";
        checker.ignored("ONE_OF_MISMATCH", pointer, message);
    }
    let at = format!("{pointer}/bufferView");
    if image.mime_type.is_none() {
        let message = "an image in a buffer view must have a `mimeType`";
        checker.ignored("UNSATISFIED_DEPENDENCY", &at, message);
    }
    let view = checker.document.buffer_views.get(view as usize);
    if view.is_some_and(|view| view.byte_stride.is_some()) {
        let message = "the buffer view of an image must not have a stride";
        checker.ignored("IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE", &at, message);
    }
}
