//! Cases made by code, one file per family.

mod alpha;
mod clearcoat;
mod emission;
mod film;
mod lights;
mod metal_rough;
mod sampler;
mod sheen;
mod specular;
mod texture;
mod transmission;
mod uv;

use crate::case::Case;
use anyhow::Result;

/// All cases, in the order of the table.
pub fn all() -> Result<Vec<Case>> {
    let families = [
        metal_rough::cases,
        texture::cases,
        uv::cases,
        sampler::cases,
        alpha::cases,
        emission::cases,
        specular::cases,
        clearcoat::cases,
        sheen::cases,
        transmission::cases,
        film::cases,
        lights::cases,
    ];
    let mut all = Vec::new();
    for family in families {
        all.extend(family()?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_io::{Severity, import_bytes};
    use std::collections::BTreeSet;

    #[test]
    fn every_case_is_a_file_without_mistakes_and_has_a_name_of_its_own() {
        let cases = all().expect("cases");
        let names: BTreeSet<&str> = cases.iter().map(|c| &*c.name).collect();
        assert_eq!(names.len(), cases.len());
        for case in &cases {
            let import = import_bytes(&case.glb).expect("a file");
            let wrong = import.report.of(Severity::Repaired).next();
            assert!(wrong.is_none(), "{}: {wrong:?}", case.name);
        }
    }
}
