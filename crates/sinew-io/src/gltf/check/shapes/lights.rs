use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use super::faults::Faults;
use super::shape::{Kind, List, Range, Shape, shape};
use crate::gltf::document::json::{member, number, string};

use Kind::{Index, Number, Numbers, Object, Objects, Text, Word};
use Range::{Above, Below, From, Unit, Within};

pub(super) static LIGHTS: Shape = Shape {
    required: &["lights"],
    ..shape(&[("lights", Objects(&LIGHT))])
};

static LIGHT: Shape = Shape {
    required: &["type"],
    also: Some(spot_of_a_spot_light),
    ..shape(&[
        ("name", Text),
        ("type", Word(&["directional", "point", "spot"])),
        ("color", Numbers(3, Unit)),
        ("intensity", Number(From(0.0))),
        ("range", Number(Above(0.0))),
        ("spot", Object(&SPOT)),
    ])
};

static SPOT: Shape = Shape {
    also: Some(outer_is_wider),
    ..shape(&[
        ("innerConeAngle", Number(Below(0.0, FRAC_PI_2))),
        ("outerConeAngle", Number(Within(0.0, FRAC_PI_2))),
    ])
};

fn spot_of_a_spot_light(faults: &mut Faults<'_>, text: &str, pointer: &str) {
    let is_spot = member(text, "type")
        .and_then(string)
        .is_some_and(|kind| kind == "spot");
    if is_spot && member(text, "spot").is_none() {
        faults.add(
            "UNDEFINED_PROPERTY",
            pointer,
            "the member `spot` is missing",
        );
    }
}

fn outer_is_wider(faults: &mut Faults<'_>, text: &str, pointer: &str) {
    let of = |name: &str| member(text, name).and_then(number);
    let (inner, outer) = (
        of("innerConeAngle").unwrap_or(0.0),
        of("outerConeAngle").unwrap_or(FRAC_PI_4),
    );
    if outer <= inner {
        let at = format!("{pointer}/outerConeAngle");
        let message =
            format_args!("the outer angle {outer} must be greater than the inner angle {inner}");
        faults.add("KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES", &at, message);
    }
}

pub(super) static LIGHT_OF_NODE: Shape = Shape {
    required: &["light"],
    ..shape(&[("light", Index(List::Lights))])
};
