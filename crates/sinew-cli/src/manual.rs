//! Shell completions and `man` pages, made from the help texts.

use crate::outputs;
use anyhow::{Result, anyhow};
use clap::{Args, Command};
use clap_complete::Shell;
use sinew::names::hint;

#[derive(Args)]
pub struct Completions {
    /// The shell: bash, elvish, fish, powershell or zsh
    shell: Shell,
}

#[derive(Args)]
pub struct Man {
    /// The command. Default: the page of the program
    verb: Option<String>,
}

pub fn completions(arguments: &Completions, mut program: Command) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "sinew", &mut text);
    outputs::print(&String::from_utf8_lossy(&text))
}

pub fn man(arguments: &Man, mut program: Command) -> Result<()> {
    program.build();
    let page = match &arguments.verb {
        None => program,
        Some(verb) => {
            let found = program.find_subcommand(verb).cloned();
            found.ok_or_else(|| {
                let verbs = program.get_subcommands().map(Command::get_name);
                anyhow!("there is no command \"{verb}\"{}", hint(verb, verbs))
            })?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    outputs::print(&String::from_utf8_lossy(&text))
}
