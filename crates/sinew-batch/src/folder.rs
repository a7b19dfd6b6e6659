//! Checks that folders can be written, before any work is done.

use crate::recipe::{Input, Recipe, RecipeError, RecipeFault};
use sinew_io::Replacement;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Checks that files can be written to the folders of all outputs, without creating them. `folder` is the folder of the
/// recipe.
///
/// # Errors
/// [`RecipeFault::Folder`] for the first folder that cannot be written.
pub fn check_folders(recipe: &Recipe, inputs: &[Input], folder: &Path) -> Result<(), RecipeError> {
    let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
    for input in inputs {
        for output in recipe.outputs(input) {
            folders.extend(Path::new(&output).parent().map(Path::to_owned));
        }
    }
    let summary = recipe.summary.as_deref().map(Path::new);
    folders.extend(summary.and_then(Path::parent).map(Path::to_owned));
    // The manifest.
    folders.insert(PathBuf::new());
    let mut checked = BTreeSet::new();
    for inside in folders {
        let wanted = folder.join(&inside);
        let there = wanted.ancestors().find(|path| is_there(path));
        let there = there.unwrap_or(Path::new(".")).to_owned();
        let there = if there.as_os_str().is_empty() {
            ".".into()
        } else {
            there
        };
        if !checked.insert(there.clone()) {
            continue;
        }
        check(&there).map_err(|text| {
            let folder = wanted.display().to_string();
            RecipeFault::Folder { folder, text }.anywhere()
        })?;
    }
    Ok(())
}

fn is_there(path: &Path) -> bool {
    path.as_os_str().is_empty() || fs::symlink_metadata(path).is_ok()
}

fn check(folder: &Path) -> Result<(), String> {
    match fs::metadata(folder) {
        Ok(there) if !there.is_dir() => Err(format!(
            "{} is not a folder; choose another",
            folder.display()
        )),
        Ok(_) => Replacement::new(&folder.join("sinew-batch"))
            .map(drop)
            .map_err(|error| format!("{error}; choose another location")),
        Err(error) => Err(error.to_string()),
    }
}
