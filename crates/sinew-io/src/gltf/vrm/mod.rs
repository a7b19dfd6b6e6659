//! VRM, the avatar format: glTF with extensions for a humanoid map, expressions and a licence.
//! Reads versions 0.x (`VRM`) and 1.0 (`VRMC_vrm`).
//!
//! The humanoid map becomes the roles of joints. An [`Avatar`] holds expressions, licence, title
//! and authors. Springs, constraints and other data stay in the document, and export writes them
//! back ([`super::source`]). Faults become findings and never stop the import.

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

/// Data of a VRM file. The roles of joints are in the skeleton instead.
#[doc(alias = "VRM")]
#[derive(Clone, Debug, PartialEq)]
pub struct Avatar {
    /// The version of VRM.
    pub version: VrmVersion,
    /// Title of the avatar. Empty if the file has none.
    pub title: String,
    /// Names of the authors.
    pub authors: Vec<String>,
    /// Licence and its conditions.
    pub licence: Licence,
    /// Expressions in the order of the file. Expressions that move no vertices are omitted.
    pub expressions: Vec<Expression>,
}

impl Avatar {
    /// Finds an expression by name.
    pub fn expression(&self, name: &str) -> Option<&Expression> {
        self.expressions.iter().find(|e| e.name == name)
    }
}

pub(super) fn is_avatar(document: &Document) -> bool {
    Extension::of(document).is_some()
}

/// Roles of nodes from the humanoid map. Empty without a map or without hips.
pub(super) fn roles(document: &Document, report: &mut FileReport) -> BTreeMap<usize, Role> {
    match Extension::of(document) {
        Some(extension) => bones::roles(&extension, document, report),
        None => BTreeMap::new(),
    }
}

/// The avatar of a document, if it has one. Reports unused data.
pub(super) fn avatar(document: &Document, report: &mut FileReport) -> Option<Avatar> {
    let extension = Extension::of(document)?;
    lost::report_lost(&extension, report);
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
