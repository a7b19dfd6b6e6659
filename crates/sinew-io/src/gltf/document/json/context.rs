use std::fmt::{self, Write as _};

use super::pointer::push_escaped;
use crate::gltf::document::budget::Budget;
use crate::gltf::document::error::GltfError;
use crate::report::{FileReport, Severity};

/// Reading ended. The reader or [`Context::over_budget`] has the reason.
#[derive(Debug)]
pub(crate) struct Stopped;

pub(crate) struct Context<'a> {
    pub(super) pointer: String,
    pub(super) report: &'a mut FileReport,
    pub(super) budget: &'a mut Budget,
    pub(super) over_budget: Option<GltfError>,
}

impl Context<'_> {
    pub(super) fn enter_name(&mut self, name: &str) -> usize {
        let outside = self.pointer.len();
        self.pointer.push('/');
        push_escaped(&mut self.pointer, name);
        outside
    }

    pub(super) fn enter_index(&mut self, index: usize) -> usize {
        let outside = self.pointer.len();
        let _ = write!(self.pointer, "/{index}");
        outside
    }

    pub(super) fn leave(&mut self, outside: usize) {
        self.pointer.truncate(outside);
    }

    pub(super) fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        message: impl fmt::Display,
    ) {
        self.report.add(severity, code, &self.pointer, message);
    }

    pub(super) fn refuse_empty(&mut self, length: usize, what: &str) {
        if length == 0 {
            let message = format_args!("{what} must not be empty");
            self.add(Severity::Ignored, "EMPTY_ENTITY", message);
        }
    }

    pub(super) fn charge(&mut self, bytes: usize) -> Result<(), Stopped> {
        let pointer = &self.pointer;
        match self
            .budget
            .charge(bytes as u64, "the parsed document", pointer.as_str())
        {
            Ok(()) => Ok(()),
            Err(refusal) => {
                self.over_budget = Some(refusal);
                Err(Stopped)
            }
        }
    }

    pub(super) fn reserve_one<T>(&mut self, items: &mut Vec<T>) -> Result<(), Stopped> {
        if items.len() < items.capacity() {
            return Ok(());
        }
        let before = items.capacity();
        let after = before.saturating_mul(2).max(4);
        self.charge(after.saturating_mul(size_of::<T>()))?;
        items.reserve_exact(after - items.len());
        self.budget.release((before * size_of::<T>()) as u64);
        Ok(())
    }
}
