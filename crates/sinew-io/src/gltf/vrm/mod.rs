//! VRM, the format of avatars: glTF with extensions that say which node is which part of a person, which morph targets
//! make a face smile, and what the licence allows. Versions 0.x (`VRM`) and 1.0 (`VRMC_vrm`).
//!
//! The humanoid map becomes the roles of joints, so that nobody has to guess them from names; the rest of what is
//! understood is an [`Avatar`]. Springs, constraints and everything else stay in the document and are written back with
//! it ([`super::source`]). A mistake in any of it is a finding, never a refusal.

mod bones;
mod expressions;
mod licence;
mod lost;

pub use expressions::{Expression, MorphBind};
pub use licence::{Forbidden, Licence};
pub(super) use lost::{MTOON, SPRINGS};

use std::collections::BTreeMap;
use std::fmt;

use super::json::{Integer, integer, member, push_escaped, string};
use super::schema::Document;
use crate::report::{FileReport, Severity};
use sinew::skeleton::Role;

/// The code of findings about these extensions.
const UNREADABLE: &str = "VRM_UNREADABLE";

/// The version of VRM that a file is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VrmVersion {
    /// 0.x: looks along -Z at rest.
    V0,
    /// 1.0: looks along +Z at rest.
    V1,
}

impl VrmVersion {
    /// The extension of the document that holds it.
    pub fn extension(self) -> &'static str {
        match self {
            Self::V0 => "VRM",
            Self::V1 => "VRMC_vrm",
        }
    }
}

impl fmt::Display for VrmVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V0 => "VRM 0.x",
            Self::V1 => "VRM 1.0",
        })
    }
}

/// An avatar: what a VRM file says of its character beside the roles of joints, which the skeleton has.
#[derive(Clone, Debug, PartialEq)]
pub struct Avatar {
    /// The version of VRM.
    pub version: VrmVersion,
    /// What it is called; empty where the file does not say.
    pub title: String,
    /// Who made it.
    pub authors: Vec<String>,
    /// What may be done with it.
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

/// The extension of the document that makes an avatar of it.
struct Extension<'a> {
    version: VrmVersion,
    text: &'a str,
}

impl<'a> Extension<'a> {
    /// The newer one, where a file has both.
    fn of(document: &'a Document) -> Option<Self> {
        let versions = [VrmVersion::V1, VrmVersion::V0].into_iter();
        let mut found = versions.filter_map(|version| {
            let text = document.rest.extension(version.extension())?;
            text.starts_with('{').then_some(Self { version, text })
        });
        found.next()
    }

    /// What stands at a way of members.
    fn at(&self, way: &[&str]) -> Option<&'a str> {
        way.iter()
            .try_fold(self.text, |text, name| member(text, name))
    }

    /// The pointer to a member of what a pointer leads to.
    fn below(pointer: &str, name: &str) -> String {
        let mut below = format!("{pointer}/");
        push_escaped(&mut below, name);
        below
    }

    /// The pointer to a way of members.
    fn pointer(&self, way: &str) -> String {
        format!("/extensions/{}/{way}", self.version.extension())
    }
}

/// Whether a document is that of an avatar.
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

/// A member that is an index into a list of so many.
fn index(object: &str, name: &str, count: usize) -> Option<usize> {
    match member(object, name).and_then(integer)? {
        Integer::Natural(index) => usize::try_from(index).ok().filter(|index| *index < count),
        Integer::Negative => None,
    }
}

/// A member that is text; empty when it is not there or something else.
fn text(object: &str, name: &str) -> String {
    let text = member(object, name).and_then(string);
    text.unwrap_or_default().into_owned()
}

fn unreadable(report: &mut FileReport, pointer: impl fmt::Display, message: impl fmt::Display) {
    report.add(Severity::Ignored, UNREADABLE, pointer, message);
}
