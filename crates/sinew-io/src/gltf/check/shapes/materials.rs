use super::shape::{Kind, Range, Shape, shape};
use super::textures::{NORMAL_TEXTURE, TEXTURE};

use Kind::{Number, Numbers, Object};
use Range::{Above, Any, From, Unit, ZeroOrFromOne};

pub(super) static ANISOTROPY: Shape = shape(&[
    ("anisotropyStrength", Number(Unit)),
    ("anisotropyRotation", Number(Any)),
    ("anisotropyTexture", Object(&TEXTURE)),
]);

pub(super) static CLEARCOAT: Shape = shape(&[
    ("clearcoatFactor", Number(Unit)),
    ("clearcoatTexture", Object(&TEXTURE)),
    ("clearcoatRoughnessFactor", Number(Unit)),
    ("clearcoatRoughnessTexture", Object(&TEXTURE)),
    ("clearcoatNormalTexture", Object(&NORMAL_TEXTURE)),
]);

pub(super) static DISPERSION: Shape = shape(&[("dispersion", Number(From(0.0)))]);

pub(super) static EMISSIVE_STRENGTH: Shape = shape(&[("emissiveStrength", Number(From(0.0)))]);

pub(super) static IOR: Shape = shape(&[("ior", Number(ZeroOrFromOne))]);

pub(super) static IRIDESCENCE: Shape = shape(&[
    ("iridescenceFactor", Number(Unit)),
    ("iridescenceTexture", Object(&TEXTURE)),
    ("iridescenceIor", Number(From(1.0))),
    ("iridescenceThicknessMinimum", Number(From(0.0))),
    ("iridescenceThicknessMaximum", Number(From(0.0))),
    ("iridescenceThicknessTexture", Object(&TEXTURE)),
]);

pub(super) static SPECULAR_GLOSSINESS: Shape = shape(&[
    ("diffuseFactor", Numbers(4, Unit)),
    ("diffuseTexture", Object(&TEXTURE)),
    ("specularFactor", Numbers(3, Unit)),
    ("glossinessFactor", Number(Unit)),
    ("specularGlossinessTexture", Object(&TEXTURE)),
]);

pub(super) static SHEEN: Shape = shape(&[
    ("sheenColorFactor", Numbers(3, Unit)),
    ("sheenColorTexture", Object(&TEXTURE)),
    ("sheenRoughnessFactor", Number(Unit)),
    ("sheenRoughnessTexture", Object(&TEXTURE)),
]);

pub(super) static SPECULAR: Shape = shape(&[
    ("specularFactor", Number(Unit)),
    ("specularTexture", Object(&TEXTURE)),
    ("specularColorFactor", Numbers(3, From(0.0))),
    ("specularColorTexture", Object(&TEXTURE)),
]);

pub(super) static TRANSMISSION: Shape = shape(&[
    ("transmissionFactor", Number(Unit)),
    ("transmissionTexture", Object(&TEXTURE)),
]);

pub(super) static VOLUME: Shape = shape(&[
    ("thicknessFactor", Number(From(0.0))),
    ("thicknessTexture", Object(&TEXTURE)),
    ("attenuationDistance", Number(Above(0.0))),
    ("attenuationColor", Numbers(3, Unit)),
]);

pub(super) static DIFFUSE_TRANSMISSION: Shape = shape(&[
    ("diffuseTransmissionFactor", Number(Unit)),
    ("diffuseTransmissionTexture", Object(&TEXTURE)),
    ("diffuseTransmissionColorFactor", Numbers(3, From(0.0))),
    ("diffuseTransmissionColorTexture", Object(&TEXTURE)),
]);
