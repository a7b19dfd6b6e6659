use super::faults::Faults;
use super::shape::{Kind, Range, Shape, shape};
use crate::gltf::document::json::{member, number, string};

use Kind::{Number, Object, Text, Word};
use Range::{Above, Any, From};

pub(in crate::gltf) static CAMERA: Shape = Shape {
    required: &["type"],
    also: Some(camera_of_its_type),
    ..shape(&[
        ("name", Text),
        ("type", Word(&["perspective", "orthographic"])),
        ("perspective", Object(&PERSPECTIVE)),
        ("orthographic", Object(&ORTHOGRAPHIC)),
    ])
};

static PERSPECTIVE: Shape = Shape {
    required: &["yfov", "znear"],
    also: Some(far_is_farther),
    ..shape(&[
        ("aspectRatio", Number(Above(0.0))),
        ("yfov", Number(Above(0.0))),
        ("zfar", Number(Above(0.0))),
        ("znear", Number(Above(0.0))),
    ])
};

static ORTHOGRAPHIC: Shape = Shape {
    required: &["xmag", "ymag", "zfar", "znear"],
    also: Some(has_a_size),
    ..shape(&[
        ("xmag", Number(Any)),
        ("ymag", Number(Any)),
        ("zfar", Number(Above(0.0))),
        ("znear", Number(From(0.0))),
    ])
};

fn camera_of_its_type(faults: &mut Faults<'_>, text: &str, pointer: &str) {
    let has = |name: &str| member(text, name).is_some();
    let kind = member(text, "type").and_then(string);
    if has("perspective") && has("orthographic") {
        let message = "a camera must not be both perspective and orthographic";
        faults.add("ONE_OF_MISMATCH", pointer, message);
    }
    if let Some(kind) =
        kind.filter(|kind| matches!(&**kind, "perspective" | "orthographic") && !has(kind))
    {
        faults.add(
            "UNDEFINED_PROPERTY",
            pointer,
            format_args!("the member `{kind}` is missing"),
        );
    }
}

fn far_is_farther(faults: &mut Faults<'_>, text: &str, pointer: &str) {
    let of = |name: &str| member(text, name).and_then(number);
    if let (Some(near), Some(far)) = (of("znear"), of("zfar"))
        && far <= near
    {
        let message = format_args!("`zfar` {far} must be greater than `znear` {near}");
        faults.add("CAMERA_ZFAR_LEQUAL_ZNEAR", pointer, message);
    }
}

fn has_a_size(faults: &mut Faults<'_>, text: &str, pointer: &str) {
    for name in ["xmag", "ymag"] {
        if member(text, name).and_then(number) == Some(0.0) {
            let at = format!("{pointer}/{name}");
            faults.add(
                "CAMERA_XMAG_YMAG_ZERO",
                &at,
                "the width and height of a camera must not be 0",
            );
        }
    }
    far_is_farther(faults, text, pointer);
}
