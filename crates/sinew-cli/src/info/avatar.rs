//! Lines of `sinew info` about an avatar: authors, licence, expressions.

use super::names::quoted;
use crate::files::{counted, names, one_line};
use serde::Serialize;
use sinew::Skeleton;
use sinew_io::gltf::vrm::{Avatar, Licence};
use std::collections::BTreeMap;
use std::fmt::Write as _;

#[derive(Serialize)]
pub struct AvatarInfo {
    version: String,
    title: String,
    authors: Vec<String>,
    /// Name or URL of the licence. Empty if the file does not state it.
    licence: String,
    terms: BTreeMap<&'static str, String>,
    /// Forbidden uses. `None` if the file does not list them and the text of the licence must be read.
    forbids: Option<Vec<String>>,
    warning: Option<String>,
    roles: Vec<RoleInfo>,
    expressions: Vec<ExpressionInfo>,
}

#[derive(Serialize)]
struct RoleInfo {
    role: String,
    joint: usize,
    name: String,
}

#[derive(Serialize)]
struct ExpressionInfo {
    name: String,
    morph_targets: usize,
}

pub fn avatar_info(avatar: &Avatar, skeleton: &Skeleton) -> AvatarInfo {
    let licence = &avatar.licence;
    let roles = (0..skeleton.len()).filter_map(|joint| {
        Some(RoleInfo {
            role: skeleton.role(joint)?.to_string(),
            joint,
            name: skeleton.name(joint).to_owned(),
        })
    });
    let expressions = avatar.expressions.iter().map(|expression| ExpressionInfo {
        name: expression.name.clone(),
        morph_targets: expression.binds.len(),
    });
    AvatarInfo {
        version: avatar.version.to_string(),
        title: avatar.title.clone(),
        authors: avatar.authors.clone(),
        licence: licence.name.clone(),
        terms: licence.terms.iter().cloned().collect(),
        forbids: licence.is_stated.then(|| forbidden(licence)),
        warning: warning(licence),
        roles: roles.collect(),
        expressions: expressions.collect(),
    }
}

fn forbidden(licence: &Licence) -> Vec<String> {
    licence
        .forbids
        .iter()
        .map(|what| what.to_string())
        .collect()
}

fn warning(licence: &Licence) -> Option<String> {
    if !licence.is_stated {
        return Some(
            "the file does not state whether changes and copies are allowed; read its licence or ask its author"
                .to_owned(),
        );
    }
    let forbidden = forbidden(licence);
    (!forbidden.is_empty()).then(|| {
        format!(
            "its licence forbids {}; ask its author first",
            forbidden.join(" and ")
        )
    })
}

pub fn describe(info: &AvatarInfo, out: &mut String) -> std::fmt::Result {
    write!(
        out,
        "avatar     {} {}",
        one_line(&info.version),
        quoted(&info.title)
    )?;
    if !info.authors.is_empty() {
        write!(out, " by {}", names(&info.authors))?;
    }
    let roles = counted(info.roles.len(), "joint");
    writeln!(out, "; the file states the roles of {roles}")?;
    let named = match info.licence.as_str() {
        "" => "not stated",
        licence => licence,
    };
    write!(out, "licence    {}", one_line(named))?;
    for (number, (term, value)) in info.terms.iter().enumerate() {
        let mark = if number == 0 { ";" } else { "," };
        write!(out, "{mark} {term} {}", one_line(value))?;
    }
    writeln!(out)?;
    if let Some(warning) = &info.warning {
        writeln!(out, "warning    {warning}")?;
    }
    if !info.expressions.is_empty() {
        let faces = info.expressions.iter().map(|e| quoted(&e.name));
        let faces: Vec<String> = faces.collect();
        writeln!(out, "faces      {}", faces.join(", "))?;
    }
    Ok(())
}
