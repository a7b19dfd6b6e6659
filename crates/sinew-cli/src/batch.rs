//! `sinew batch`: runs a recipe over many files.

use crate::progress::Bar;
use crate::{files, outputs};
use anyhow::{Result, bail};
use serde::Serialize;
use serde_json::json;
use sinew_batch::{Batch, Event, Record, Totals};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[derive(clap::Args)]
pub struct Arguments {
    /// The recipe: a TOML file with inputs, steps and outputs, described in docs/batch.md
    recipe: PathBuf,
    /// The number of threads. Default: one for each core
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Check the recipe, say what would be done, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print a line of JSON for each input when it is done, and a last line with the numbers of inputs
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let batch = Batch::open(&arguments.recipe)?;
    let bar = Bar::files(batch.inputs().len() as u64);
    let seen = AtomicUsize::new(0);
    let watch = |event: &Event<'_>| {
        bar.set((1 + seen.fetch_add(1, Relaxed)) as f64);
        // If nobody reads the report, the work goes on.
        let _ = bar.hidden(|| tell(event, arguments.json));
    };
    let totals = if arguments.dry_run {
        batch.look(&watch)?
    } else {
        let jobs = arguments.jobs.or(std::thread::available_parallelism().ok());
        batch.run(jobs.map_or(1, NonZeroUsize::get), &watch)?
    };
    bar.clear();
    if arguments.json {
        print_line(&totals)?;
    } else {
        outputs::print(&describe(&totals, arguments.dry_run))?;
    }
    if totals.failed > 0 {
        bail!(
            "{} of {} failed; {} has the reasons",
            totals.failed,
            files::counted(totals.inputs, "input"),
            batch.manifest().display()
        );
    }
    Ok(())
}

fn tell(event: &Event<'_>, json: bool) -> Result<()> {
    match event {
        Event::Ran(record) if json => print_line(record)?,
        Event::Due(input) if json => print_line(&json!({ "input": input.path, "due": true }))?,
        Event::Ran(Record {
            input,
            error: Some(error),
            ..
        }) => files::print_message(&format!("{input}: {error}")),
        Event::Due(input) => outputs::print(&format!("{}\n", files::one_line(&input.path)))?,
        Event::Ran(_) | Event::Skipped { .. } => {}
    }
    Ok(())
}

fn print_line(value: &impl Serialize) -> Result<()> {
    outputs::print(&format!("{}\n", serde_json::to_string(value)?))
}

fn describe(totals: &Totals, is_dry: bool) -> String {
    let done = if is_dry { "to do" } else { "done" };
    format!(
        "{}: {} {done}, {} done before and unchanged, {} failed\n",
        files::counted(totals.inputs, "input"),
        totals.done,
        totals.skipped,
        totals.failed
    )
}
