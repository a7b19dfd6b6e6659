//! Images that are not PNG or JPEG are kept. Images that are not drawn are reported.

use crate::plain_gltf;

use plain_gltf::{AVIF, ONE_PIXEL, WEBP, codes_at, data_uri, exported, ktx2, reads, triangle_with};
use serde_json::{Value, json};
use sinew_io::report::Severity;

/// Formats that need an extension: extension, MIME type, bytes and finding codes.
fn formats() -> [(&'static str, &'static str, Vec<u8>, &'static [&'static str]); 3] {
    [
        ("EXT_texture_webp", "image/webp", WEBP.to_vec(), &[]),
        ("KHR_texture_basisu", "image/ktx2", ktx2(), &[]),
        (
            "EXT_texture_avif",
            "image/avif",
            AVIF.to_vec(),
            &["NOT_DRAWN"],
        ),
    ]
}

fn with_picture(texture: Value, images: Value, extension: &str) -> Value {
    triangle_with(json!({
        "extensionsUsed": [extension],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [texture],
        "images": images,
    }))
}

#[test]
fn pictures_behind_an_extension_keep_their_type_and_their_texture() {
    for (extension, mime_type, bytes, wanted_codes) in formats() {
        let texture = json!({"source": 0, "extensions": {extension: {"source": 1}}});
        let images = json!([
            {"uri": data_uri("image/png", ONE_PIXEL)},
            {"uri": data_uri(mime_type, &bytes)},
        ]);
        let document = with_picture(texture.clone(), images, extension);
        let import = reads(&document);
        assert_eq!(import.character.images[1].mime_type, mime_type);
        let drawn = usize::from(wanted_codes.is_empty());
        assert_eq!(import.character.textures[0].image, Some(drawn));
        let codes = codes_at(&import.report, "/images/1");
        assert_eq!(codes, wanted_codes, "{extension}");
        let (after, reported) = exported(&import);
        assert!(reported.is_empty(), "{reported}");
        assert_eq!(after["textures"], json!([texture]));
        assert_eq!(after["images"][1]["mimeType"], mime_type);
        assert_eq!(after["extensionsUsed"], json!([extension]));
        let again = reads(&after);
        assert_eq!(again.character.images, import.character.images);
        assert_eq!(again.character.textures, import.character.textures);
        let mut other = import.clone();
        other
            .character
            .images
            .push(import.character.images[0].clone());
        other.character.textures[0].image = Some(2);
        let (after, _) = exported(&other);
        let again = reads(&after);
        assert_eq!(again.character.textures[0].image, Some(2), "{extension}");
    }
}

#[test]
fn pictures_of_ktx2_that_are_not_decoded_are_reported_and_kept() {
    let reported = |at: usize, value: u8| {
        let mut bytes = ktx2();
        bytes[at] = value;
        let texture = json!({"extensions": {"KHR_texture_basisu": {"source": 0}}});
        let images = json!([{"uri": data_uri("image/ktx2", &bytes)}]);
        let import = reads(&with_picture(texture, images, "KHR_texture_basisu"));
        let (after, _) = exported(&import);
        let is_kept = after["images"].as_array().is_some_and(|all| all.len() == 1);
        if is_kept {
            assert_eq!(*reads(&after).character.images[0].bytes, *bytes);
        }
        (import.report.to_string(), is_kept)
    };
    for (at, value, why) in [
        (12, 37, "only ETC1S and UASTC are decoded"),
        (116, 167, "only ETC1S and UASTC are decoded"),
        (36, 6, "several layers or faces"),
        (44, 4, "compression scheme 4"),
    ] {
        let (report, is_kept) = reported(at, value);
        assert!(report.contains(why), "{report}");
        assert!(report.contains("NOT_DRAWN") && is_kept, "{report}");
    }
    for (at, value, why) in [(20, 0, "no pixels"), (52, 3, "pixel format")] {
        let (report, is_kept) = reported(at, value);
        assert!(report.contains(why) && !is_kept, "{report}");
    }
}

#[test]
fn documents_that_require_a_format_of_pictures_are_read() {
    for (extension, mime_type, bytes, wanted_codes) in formats() {
        let texture = json!({"extensions": {extension: {"source": 0}}});
        let images = json!([{"uri": data_uri(mime_type, &bytes)}]);
        let mut document = with_picture(texture, images, extension);
        document["extensionsRequired"] = json!([extension]);
        let import = reads(&document);
        assert_eq!(codes_at(&import.report, "/images/0"), wanted_codes);
        let drawn = wanted_codes.is_empty().then_some(0);
        assert_eq!(import.character.textures[0].image, drawn);
        let (after, reported) = exported(&import);
        assert!(reported.is_empty(), "{reported}");
        for member in ["textures", "extensionsRequired", "extensionsUsed"] {
            assert_eq!(after[member], document[member], "{extension}");
        }
    }
}

#[test]
fn a_picture_that_lacks_its_extension_gets_it() {
    for (extension, mime_type, bytes, _) in formats() {
        let mut document = with_picture(
            json!({"source": 0}),
            json!([{"uri": data_uri(mime_type, &bytes)}]),
            extension,
        );
        document.as_object_mut().unwrap().remove("extensionsUsed");
        let import = reads(&document);
        let at = "/textures/0/source";
        assert_eq!(
            codes_at(&import.report, at),
            ["TEXTURE_INVALID_IMAGE_MIME_TYPE"]
        );
        let (after, reported) = exported(&import);
        assert_eq!(
            codes_at(&reported, at),
            ["TEXTURE_INVALID_IMAGE_MIME_TYPE"],
            "{extension}"
        );
        assert_eq!(
            after["textures"],
            json!([{"extensions": {extension: {"source": 0}}}])
        );
        assert_eq!(after["images"][0]["mimeType"], mime_type);
        assert_eq!(after["extensionsUsed"], json!([extension]));
    }
}

#[test]
fn a_picture_that_is_left_out_takes_no_other_ones_index() {
    let texture = json!({"source": 1, "extensions": {"EXT_texture_webp": {"source": 2}}});
    let images = json!([
        {"uri": data_uri("image/png", &ONE_PIXEL[..20])},
        {"uri": data_uri("image/png", ONE_PIXEL)},
        {"uri": data_uri("image/webp", WEBP)},
    ]);
    let mut document = with_picture(texture, images, "EXT_texture_webp");
    document["textures"]
        .as_array_mut()
        .unwrap()
        .push(json!({"source": 0}));
    let (after, reported) = exported(&reads(&document));
    assert_eq!(codes_at(&reported, "/images/0"), ["NOT_WRITTEN"]);
    let moved = json!([{"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}, {}]);
    assert_eq!(after["textures"], moved);
    assert_eq!(after["images"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_wrong_name_for_the_bytes_is_put_right() {
    let images = json!([{"uri": data_uri("image/jpeg", ONE_PIXEL), "mimeType": "image/jpeg"}]);
    let document = with_picture(json!({"source": 0}), images, "KHR_materials_unlit");
    let import = reads(&document);
    assert_eq!(import.character.images[0].mime_type, "image/png");
    let found = codes_at(&import.report, "/images/0/uri");
    assert_eq!(found, ["INVALID_URI", "IMAGE_MIME_TYPE_INVALID"]);
    let (after, _) = exported(&import);
    assert_eq!(after["images"][0]["mimeType"], "image/png");
}

const JPEG: &[u8] =
    b"\xff\xd8\xff\xe0\x00\x04JF\xff\xc0\x00\x0b\x08\x00\x01\x00\x01\x01\x01\x11\x00\
    \xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\xd2\xff\x00\xff\xd0\x53\xff\xd9";

#[test]
fn pictures_that_break_off_are_reported_and_kept_as_they_are() {
    for (mime_type, whole) in [
        ("image/png", ONE_PIXEL),
        ("image/jpeg", JPEG),
        ("image/webp", WEBP),
    ] {
        let codes = |bytes: &[u8]| {
            let images = json!([{"uri": data_uri(mime_type, bytes)}]);
            let import = reads(&with_picture(
                json!({"source": 0}),
                images,
                "EXT_texture_webp",
            ));
            let codes = codes_at(&import.report, "/images/0").into_iter();
            let codes: Vec<_> = codes.map(str::to_owned).collect();
            assert_eq!(**import.character.images[0].bytes, *bytes);
            let (_, reported) = exported(&import);
            // The image is reported as omitted if and only if the output lacks it.
            let left_out = import.report.of(Severity::Ignored);
            let left_out = left_out
                .filter(|finding| finding.pointer == "/images/0")
                .count();
            let is_written = codes_at(&reported, "/images/0").is_empty();
            assert_eq!(is_written, left_out == 0, "{mime_type}: {reported}");
            codes
        };
        assert!(codes(whole).is_empty(), "{mime_type}");
        for cut in 1..=whole.len() - 12 {
            assert_eq!(
                codes(&whole[..whole.len() - cut]).len(),
                1,
                "{mime_type} {cut}"
            );
        }
    }
    let mut damaged = ONE_PIXEL.to_vec();
    let end = damaged.len() - 8;
    damaged[end] = b'?';
    let images = json!([{"uri": data_uri("image/png", &damaged)}]);
    let import = reads(&with_picture(
        json!({"source": 0}),
        images,
        "KHR_materials_unlit",
    ));
    assert_eq!(
        codes_at(&import.report, "/images/0"),
        ["IMAGE_DATA_INVALID"]
    );
}
