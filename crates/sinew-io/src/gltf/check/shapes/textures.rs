use super::shape::{Kind, List, Range, Shape, shape, texture};

use Kind::{Code, Index, Number, Numbers, Text, Whole};
use Range::{Any, Unit};

pub(in crate::gltf) static SAMPLER: Shape = shape(&[
    ("name", Text),
    ("magFilter", Code(&[9728, 9729])),
    ("minFilter", Code(&[9728, 9729, 9984, 9985, 9986, 9987])),
    ("wrapS", Code(&[33071, 33648, 10497])),
    ("wrapT", Code(&[33071, 33648, 10497])),
]);

pub(in crate::gltf) static TEXTURE: Shape =
    texture(&[("index", Index(List::Textures)), ("texCoord", Whole)]);

pub(in crate::gltf) static NORMAL_TEXTURE: Shape = texture(&[
    ("index", Index(List::Textures)),
    ("texCoord", Whole),
    ("scale", Number(Any)),
]);

pub(in crate::gltf) static OCCLUSION_TEXTURE: Shape = texture(&[
    ("index", Index(List::Textures)),
    ("texCoord", Whole),
    ("strength", Number(Unit)),
]);

pub(super) static TRANSFORM: Shape = shape(&[
    ("offset", Numbers(2, Any)),
    ("rotation", Number(Any)),
    ("scale", Numbers(2, Any)),
    ("texCoord", Whole),
]);

pub(super) static OTHER_SOURCE: Shape = shape(&[("source", Index(List::Images))]);
