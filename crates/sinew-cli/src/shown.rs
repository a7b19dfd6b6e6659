//! `--hide` and `--only`: the meshes of a character that a command uses.

use anyhow::Result;
use sinew::Character;
use sinew::character::Shown;

#[derive(clap::Args, Clone)]
pub struct ShownOption {
    /// Hide the meshes of this name, and those at and below nodes of this name; can be repeated. * stands for any text,
    /// and ? for one character. `sinew info` lists the meshes
    #[arg(long, value_name = "NAME")]
    hide: Vec<String>,
    /// Show only the meshes of this name, and those at and below nodes of this name; can be repeated, with * and ? as in
    /// --hide
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
}

impl ShownOption {
    pub fn names(&self) -> Shown {
        Shown {
            hide: self.hide.clone(),
            only: self.only.clone(),
        }
    }

    /// Removes the meshes that are not shown.
    pub fn apply(&self, character: &mut Character) -> Result<()> {
        let hidden = character.hidden_nodes(&self.names())?;
        if hidden.contains(&true) {
            character.hide_meshes(&hidden);
        }
        Ok(())
    }
}
