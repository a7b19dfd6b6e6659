//! VRM, the format of avatars: glTF with extensions that say which node is which part of a person, which morph targets
//! make a face smile, and what the licence allows. Versions 0.x (`VRM`) and 1.0 (`VRMC_vrm`).
//!
//! The humanoid map becomes the roles of joints, so that nobody has to guess them from names; the rest of what is
//! understood is an [`Avatar`]. Springs, constraints and everything else stay in the document and are written back with
//! it ([`super::source`]). A mistake in any of it is a finding, never a refusal.

mod bones;
mod expressions;
mod extension;
mod licence;
mod lost;

pub use expressions::{Expression, MorphBind};
pub use extension::VrmVersion;
pub use licence::{Forbidden, Licence};
pub(super) use lost::{MTOON, SPRINGS};

use std::collections::BTreeMap;

use super::document::schema::Document;
use crate::report::FileReport;
use extension::Extension;
use sinew::skeleton::Role;

/// An avatar: what a VRM file says of its character beside the roles of joints, which the skeleton has.
#[derive(Clone, Debug, PartialEq)]
pub struct Avatar {
    /// The version of VRM.
    pub version: VrmVersion,
    /// Its title; empty where the file does not say.
    pub title: String,
    /// Its authors.
    pub authors: Vec<String>,
    /// Its licence.
    pub licence: Licence,
    /// Faces that it can make, in the order of the file. Those that move no vertices are not among them.
    pub expressions: Vec<Expression>,
}

impl Avatar {
    /// The expression of that name.
    pub fn expression(&self, name: &str) -> Option<&Expression> {
        self.expressions.iter().find(|e| e.name == name)
    }
}

/// True where a document is that of an avatar.
pub(super) fn is_avatar(document: &Document) -> bool {
    Extension::of(document).is_some()
}

/// The roles of nodes by the humanoid map; none when there is no map or it has no hips.
pub(super) fn roles(document: &Document, report: &mut FileReport) -> BTreeMap<usize, Role> {
    match Extension::of(document) {
        Some(extension) => bones::roles(&extension, document, report),
        None => BTreeMap::new(),
    }
}

/// The avatar, where the document is that of one; what is kept and not used is said.
pub(super) fn avatar(document: &Document, report: &mut FileReport) -> Option<Avatar> {
    let extension = Extension::of(document)?;
    lost::say(&extension, report);
    let meta = extension.at(&["meta"]).unwrap_or("{}");
    let (title, authors) = licence::title_and_authors(extension.version, meta);
    Some(Avatar {
        version: extension.version,
        title,
        authors,
        licence: Licence::read(extension.version, meta),
        expressions: expressions::read(&extension, document, report),
    })
}
