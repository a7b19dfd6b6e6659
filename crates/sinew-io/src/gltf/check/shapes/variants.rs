use std::collections::HashSet;

use super::faults::Faults;
use super::shape::{Kind, List, Shape, shape};
use crate::gltf::document::json::{elements, member};

use Kind::{Index, Indices, Objects, Text};

pub(super) static VARIANTS: Shape = Shape {
    required: &["variants"],
    ..shape(&[("variants", Objects(&VARIANT))])
};

static VARIANT: Shape = Shape {
    required: &["name"],
    ..shape(&[("name", Text)])
};

pub(super) static MAPPINGS: Shape = Shape {
    required: &["mappings"],
    also: Some(each_variant_once),
    ..shape(&[("mappings", Objects(&MAPPING))])
};

static MAPPING: Shape = Shape {
    required: &["variants", "material"],
    ..shape(&[
        ("name", Text),
        ("variants", Indices(List::Variants)),
        ("material", Index(List::Materials)),
    ])
};

fn each_variant_once(faults: &mut Faults<'_>, text: &str, pointer: &str) {
    let mut seen = HashSet::new();
    let mappings = member(text, "mappings").and_then(elements);
    for (mapping, object) in mappings.into_iter().flatten().enumerate() {
        let variants = member(object, "variants").and_then(elements);
        for (number, variant) in variants.into_iter().flatten().enumerate() {
            if !seen.insert(variant) {
                let at = format!("{pointer}/mappings/{mapping}/variants/{number}");
                let message = "the primitive already has a material for this variant";
                faults.add("KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT", &at, message);
            }
        }
    }
}
