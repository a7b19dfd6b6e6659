use crate::files::listed;
use anyhow::{Result, bail};
use sinew::names::did_you_mean;
use sinew_io::Import;

/// Shows expressions of an avatar with full weight.
pub fn show(import: &mut Import, names: &[String]) -> Result<()> {
    for name in names {
        let Some(avatar) = &import.avatar else {
            bail!("there is no expression \"{name}\": the file is not an avatar (VRM)");
        };
        let Some(expression) = avatar.expression(name) else {
            let all = || avatar.expressions.iter().map(|e| e.name.as_str());
            let known: Vec<String> = all().map(|name| format!("\"{name}\"")).collect();
            let known = match known.as_slice() {
                [] => "the avatar has no expression that moves vertices".to_owned(),
                known => format!("available: {}", listed(known, "and")),
            };
            let near = did_you_mean(name, all());
            bail!("there is no expression \"{name}\"; {known}{near}");
        };
        expression.show(&mut import.character, 1.0);
    }
    Ok(())
}
