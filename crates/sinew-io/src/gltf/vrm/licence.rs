use std::fmt;

use super::extension::{VrmVersion, text};
use crate::gltf::document::json::{elements, member, string, strings};

const MAX_AUTHORS: usize = 100;

/// Licence of an avatar, as stated in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Licence {
    /// Name, such as `CC_BY`, or URL. Empty if the file states no licence.
    pub name: String,
    /// Conditions: the name and value of each member in the file.
    pub terms: Vec<(&'static str, String)>,
    /// Forbidden uses that affect edits of the avatar.
    pub forbids: Vec<Forbidden>,
    /// True if the file states the allowed uses. If false, only the licence text states them.
    pub is_stated: bool,
}

/// A use that a licence forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// Changes to the avatar.
    Modification,
    /// Distribution of the avatar.
    Redistribution,
    /// Distribution of a changed avatar.
    ModifiedRedistribution,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Modification => "modification",
            Self::Redistribution => "redistribution",
            Self::ModifiedRedistribution => "redistribution of modified copies",
        })
    }
}

const TERMS: [&str; 11] = [
    "avatarPermission",
    "allowExcessivelyViolentUsage",
    "allowExcessivelySexualUsage",
    "commercialUsage",
    "allowPoliticalOrReligiousUsage",
    "allowAntisocialOrHateUsage",
    "creditNotation",
    "allowRedistribution",
    "modification",
    "copyrightInformation",
    "otherLicenseUrl",
];

/// Conditions in 0.x files. The format misspells "usage".
const OLD_TERMS: [&str; 6] = [
    "allowedUserName",
    "violentUssageName",
    "sexualUssageName",
    "commercialUssageName",
    "otherPermissionUrl",
    "otherLicenseUrl",
];

impl Licence {
    pub(super) fn read(version: VrmVersion, meta: &str) -> Self {
        let (name, terms): (_, &[&'static str]) = match version {
            VrmVersion::V0 => ("licenseName", &OLD_TERMS),
            VrmVersion::V1 => ("licenseUrl", &TERMS),
        };
        let name = text(meta, name);
        let (forbids, is_stated) = match version {
            VrmVersion::V0 => forbidden_by_name(&name),
            VrmVersion::V1 => forbidden_by_terms(meta),
        };
        let terms = terms.iter().map(|term| (*term, value(meta, term)));
        Self {
            name,
            terms: terms.filter(|(_, value)| !value.is_empty()).collect(),
            forbids,
            is_stated,
        }
    }
}

fn value(meta: &str, name: &str) -> String {
    match member(meta, name) {
        Some(boolean @ ("true" | "false")) => boolean.to_owned(),
        Some(text) => string(text).unwrap_or_default().into_owned(),
        None => String::new(),
    }
}

/// Uses that a licence of 0.x forbids, by name. Other names are not interpreted.
fn forbidden_by_name(name: &str) -> (Vec<Forbidden>, bool) {
    // Some programs write spaces.
    match name.replace(' ', "_").as_str() {
        "Redistribution_Prohibited" => (vec![Forbidden::Redistribution], true),
        "CC_BY_ND" | "CC_BY_NC_ND" => (vec![Forbidden::ModifiedRedistribution], true),
        "CC0" | "CC_BY" | "CC_BY_NC" | "CC_BY_SA" | "CC_BY_NC_SA" => (Vec::new(), true),
        _ => (Vec::new(), false),
    }
}

/// Uses that a 1.0 file does not explicitly allow. They are forbidden.
fn forbidden_by_terms(meta: &str) -> (Vec<Forbidden>, bool) {
    let mut forbids = Vec::new();
    let modification = value(meta, "modification");
    if !modification.starts_with("allowModification") {
        forbids.push(Forbidden::Modification);
    }
    if member(meta, "allowRedistribution") != Some("true") {
        forbids.push(Forbidden::Redistribution);
    } else if modification == "allowModification" {
        forbids.push(Forbidden::ModifiedRedistribution);
    }
    (forbids, true)
}

pub(super) fn title_and_authors(version: VrmVersion, meta: &str) -> (String, Vec<String>) {
    match version {
        VrmVersion::V0 => {
            let author = Some(text(meta, "author")).filter(|author| !author.is_empty());
            (text(meta, "title"), author.into_iter().collect())
        }
        VrmVersion::V1 => {
            let authors = member(meta, "authors").filter(|list| elements(list).is_some());
            let authors = authors.into_iter().flat_map(strings).take(MAX_AUTHORS);
            let authors = authors.filter(|author| !author.is_empty());
            let authors = authors.map(|author| author.into_owned()).collect();
            (text(meta, "name"), authors)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Forbidden::{Modification, ModifiedRedistribution, Redistribution};

    #[test]
    fn what_a_file_of_1_0_does_not_allow_is_forbidden() {
        let forbids = |meta: &str| Licence::read(VrmVersion::V1, meta).forbids;
        let allowed = r#""allowRedistribution":true"#;
        assert_eq!(forbids("{}"), [Modification, Redistribution]);
        assert_eq!(forbids("[1]"), [Modification, Redistribution]);
        let prohibited = format!(r#"{{"modification":"prohibited",{allowed}}}"#);
        assert_eq!(forbids(&prohibited), [Modification]);
        let own = r#""modification":"allowModification""#;
        assert_eq!(forbids(&format!("{{{own}}}")), [Redistribution]);
        assert_eq!(
            forbids(&format!("{{{own},{allowed}}}")),
            [ModifiedRedistribution]
        );
        let all = format!(r#"{{"modification":"allowModificationRedistribution",{allowed}}}"#);
        assert_eq!(forbids(&all), []);
    }

    #[test]
    fn files_of_0_x_name_a_licence() {
        let read = |name: &str| {
            let licence = Licence::read(VrmVersion::V0, &format!(r#"{{"licenseName":"{name}"}}"#));
            (licence.forbids, licence.is_stated)
        };
        assert_eq!(
            read("Redistribution_Prohibited"),
            (vec![Redistribution], true)
        );
        assert_eq!(read("CC_BY_NC_ND"), (vec![ModifiedRedistribution], true));
        assert_eq!(read("CC_BY"), (vec![], true));
        for unknown in ["Other", "", "MIT"] {
            assert_eq!(read(unknown), (vec![], false), "{unknown}");
        }
    }
}
