//! Order of steps: each after the one that it takes from.

use super::document::Written;
use super::error::{RecipeError, RecipeFault};
use super::step::{RecipeStep, Source};
use sinew::names::did_you_mean;

/// Name of the inputs in `from`.
const INPUT: &str = "input";

/// Puts steps in an order in which each comes after the one that it takes from.
pub(super) fn ordered(written: Vec<Written>) -> Result<Vec<RecipeStep>, RecipeError> {
    check_names(&written)?;
    let sources = written.iter().enumerate();
    let sources: Vec<Option<usize>> = sources
        .map(|(at, step)| source(at, step, &written))
        .collect::<Result<_, _>>()?;
    check_ends(&written, &sources)?;
    let mut places: Vec<Option<usize>> = vec![None; written.len()];
    let mut order = Vec::new();
    while order.len() < written.len() {
        let before = order.len();
        for at in 0..written.len() {
            let is_ready = sources[at].is_none_or(|from| places[from].is_some());
            if places[at].is_none() && is_ready {
                places[at] = Some(order.len());
                order.push(at);
            }
        }
        if order.len() == before {
            return Err(cycle(&written, &sources, &places));
        }
    }
    let mut written: Vec<Option<Written>> = written.into_iter().map(Some).collect();
    let steps = order.into_iter().filter_map(|at| {
        let step = written[at].take()?;
        let from = match sources[at].and_then(|from| places[from]) {
            Some(from) => Source::Step(from),
            None => Source::Input,
        };
        Some(RecipeStep {
            line: step.line,
            from,
            output: step.output,
            step: step.step,
        })
    });
    Ok(steps.collect())
}

fn error(step: &Written, fault: RecipeFault) -> RecipeError {
    RecipeError {
        line: Some(step.line),
        fault,
    }
}

fn check_names(written: &[Written]) -> Result<(), RecipeError> {
    for (at, step) in written.iter().enumerate() {
        let Some(name) = &step.name else { continue };
        let is_taken = written[..at].iter().any(|s| s.name.as_ref() == Some(name));
        if is_taken || name == INPUT {
            return Err(error(step, RecipeFault::SameName(name.clone())));
        }
    }
    Ok(())
}

/// Index of the step that a step takes from. `None` for the input.
fn source(at: usize, step: &Written, written: &[Written]) -> Result<Option<usize>, RecipeError> {
    let Some(wanted) = &step.from else {
        return Ok(at.checked_sub(1));
    };
    if wanted == INPUT {
        return Ok(None);
    }
    let named = |step: &Written| step.name.as_ref() == Some(wanted);
    written.iter().position(named).map(Some).ok_or_else(|| {
        let names = written.iter().filter_map(|step| step.name.as_deref());
        let fault = RecipeFault::NoSource {
            wanted: wanted.clone(),
            near: did_you_mean(wanted, names),
        };
        error(step, fault)
    })
}

fn check_ends(written: &[Written], sources: &[Option<usize>]) -> Result<(), RecipeError> {
    for (step, source) in written.iter().zip(sources) {
        let Some(end) = source.map(|from| &written[from].step) else {
            continue;
        };
        if step.step.reads_markers() {
            let verb = step.step.verb();
            let text = "it reads the markers of the input; let it take from = \"input\"".to_owned();
            return Err(error(step, RecipeFault::Options { verb, text }));
        }
        if end.is_end() {
            let (verb, end) = (step.step.verb(), end.verb());
            return Err(error(step, RecipeFault::AfterEnd { verb, end }));
        }
    }
    for (at, step) in written.iter().enumerate() {
        let is_seen = step.output.is_some() || step.step.measures() || sources.contains(&Some(at));
        if !is_seen {
            return Err(error(step, RecipeFault::NoOutput(step.step.verb())));
        }
    }
    Ok(())
}

/// The steps of a circle, from the first step that could not be placed.
fn cycle(written: &[Written], sources: &[Option<usize>], places: &[Option<usize>]) -> RecipeError {
    let mut at = places.iter().position(Option::is_none).unwrap_or_default();
    // After as many steps as there are, the walk is on the circle.
    for _ in 0..written.len() {
        at = sources[at].unwrap_or(at);
    }
    let first = at;
    let mut names = Vec::new();
    loop {
        let step = &written[at];
        names.push(step.name.clone().unwrap_or(step.step.verb().to_owned()));
        at = sources[at].unwrap_or(first);
        if at == first {
            break;
        }
    }
    error(&written[first], RecipeFault::Cycle(names.join(" from ")))
}
