use crate::apply::apply;
use crate::document::Document;
use crate::edit::Edit;
use crate::error::EditError;
use crate::patch::{self, Patch};
use crate::report::Report;
use sinew::Character;
use std::collections::VecDeque;
use std::sync::Arc;

/// Default limit of the memory for undo, in bytes: 256 MB.
const MAX_BYTES: usize = 256 << 20;

/// A document and what was done to it.
///
/// Undo puts back what an edit replaced, so the document equals the earlier one to the bit. A drag is one step: each
/// of its edits starts from the document before the drag.
#[derive(Debug)]
pub struct Editor {
    document: Document,
    done: VecDeque<Step>,
    undone: Vec<Step>,
    /// The document before the drag, while one is under way.
    drag: Option<Document>,
    /// Steps that were done, less those undone, since the editor was made.
    position: i64,
    saved: Option<i64>,
    serial: u64,
    bytes: usize,
    max_bytes: usize,
}

/// A step of the history.
#[derive(Clone, Debug)]
pub struct Step {
    /// Number of the step, unique in its editor and ascending.
    pub serial: u64,
    /// Edit that was run, with its options.
    pub edit: Edit,
    /// Changed clips, text and messages of the edit.
    pub report: Report,
    /// True if it was run with the step before it: they are undone and redone together.
    pub is_joined: bool,
    patches: Vec<Patch>,
    /// Memory while the step is done, and while it is undone.
    bytes: [usize; 2],
}

impl Editor {
    /// Editor of a character, without a history.
    pub fn new(character: impl Into<Arc<Character>>) -> Self {
        Self::of(Document::new(character))
    }

    /// Editor of a document, without a history.
    pub fn of(document: Document) -> Self {
        Self {
            document,
            done: VecDeque::new(),
            undone: Vec::new(),
            drag: None,
            position: 0,
            saved: Some(0),
            serial: 0,
            bytes: 0,
            max_bytes: MAX_BYTES,
        }
    }

    /// Sets the limit of the memory for undo, in bytes. The oldest steps are dropped first. Default 256 MB.
    pub fn set_max_bytes(&mut self, max_bytes: usize) {
        self.max_bytes = max_bytes;
        self.drop_oldest();
    }

    /// The document as it is now.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Runs an edit as a step of its own. Ends a drag.
    ///
    /// # Errors
    /// If the edit is refused. The document is then unchanged.
    pub fn run(&mut self, edit: impl Into<Edit>) -> Result<&Report, EditError> {
        self.release();
        self.step(edit.into())
    }

    /// Runs an edit that belongs to the step before it: undo takes both back. Ends a drag.
    ///
    /// # Errors
    /// If the edit is refused. The document is then unchanged.
    pub fn run_joined(&mut self, edit: impl Into<Edit>) -> Result<&Report, EditError> {
        let has_step = !self.done.is_empty();
        self.run(edit)?;
        let step = self.done.back_mut().expect("the step of this edit");
        step.is_joined = has_step;
        Ok(&step.report)
    }

    /// True between the first edit of a drag and its release.
    pub fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Runs an edit of a drag: it replaces the edit of this drag before it. The first call begins the drag.
    ///
    /// # Errors
    /// If the edit is refused. The document is then as the last edit of the drag left it.
    pub fn drag(&mut self, edit: impl Into<Edit>) -> Result<&Report, EditError> {
        let edit = edit.into();
        let Some(start) = self.drag.clone() else {
            let start = self.document.clone();
            let report = self.step(edit)?.clone();
            self.drag = Some(start);
            let step = self.done.back_mut().expect("the step of this edit");
            step.report = report;
            return Ok(&step.report);
        };
        let (after, report) = apply(&start, &edit)?;
        self.take_back();
        self.push(edit, report, start, after);
        Ok(self.last_report())
    }

    /// Ends a drag: its last edit is a step.
    pub fn release(&mut self) {
        self.drag = None;
    }

    /// Ends a drag and takes its edit back. Without a drag, nothing changes.
    pub fn cancel(&mut self) {
        if let Some(start) = self.drag.take() {
            self.take_back();
            self.document = start;
        }
    }

    /// Takes the last step back, with the steps that it is joined to. Returns the edit of the first of them, or `None`
    /// if there is none.
    pub fn undo(&mut self) -> Option<&Edit> {
        while self.done.back().is_some_and(|step| step.is_joined) {
            self.undo_one();
        }
        self.undo_one()
    }

    fn undo_one(&mut self) -> Option<&Edit> {
        self.release();
        let step = self.done.pop_back()?;
        self.bytes -= step.bytes[0];
        self.bytes += step.bytes[1];
        patch::apply(&mut self.document, &step.patches, false);
        self.position -= 1;
        self.undone.push(step);
        self.drop_oldest();
        self.undone.last().map(|step| &step.edit)
    }

    /// Does the step again that was undone last, with those joined to it. Returns the edit of the last of them, or
    /// `None` if there is none.
    pub fn redo(&mut self) -> Option<&Edit> {
        self.redo_one()?;
        while self.undone.last().is_some_and(|step| step.is_joined) {
            self.redo_one();
        }
        self.done.back().map(|step| &step.edit)
    }

    fn redo_one(&mut self) -> Option<&Edit> {
        self.release();
        let step = self.undone.pop()?;
        patch::apply(&mut self.document, &step.patches, true);
        self.position += 1;
        self.bytes -= step.bytes[1];
        self.bytes += step.bytes[0];
        self.done.push_back(step);
        self.drop_oldest();
        self.done.back().map(|step| &step.edit)
    }

    /// Steps that can be undone, oldest first.
    pub fn done(&self) -> impl DoubleEndedIterator<Item = &Step> + ExactSizeIterator {
        self.done.iter()
    }

    /// Steps that can be done again, the next one first.
    pub fn undone(&self) -> impl Iterator<Item = &Step> {
        self.undone.iter().rev()
    }

    /// Steps that were done, less those undone. Changes with every step.
    pub fn position(&self) -> i64 {
        self.position
    }

    /// Notes that the document was saved as it was at a position, usually that of now.
    pub fn mark_saved(&mut self, position: i64) {
        self.saved = Some(position);
    }

    /// Position at which the document was opened or saved last. `None` if no undo or redo goes there.
    pub fn saved(&self) -> Option<i64> {
        self.saved
    }

    /// True if the document differs from the one that was opened or saved last.
    pub fn is_changed(&self) -> bool {
        self.saved != Some(self.position)
    }

    /// Memory of the steps that can be undone or done again, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn step(&mut self, edit: Edit) -> Result<&Report, EditError> {
        let (after, report) = apply(&self.document, &edit)?;
        let before = self.document.clone();
        self.push(edit, report, before, after);
        Ok(self.last_report())
    }

    fn push(&mut self, edit: Edit, report: Report, before: Document, after: Document) {
        let patches = patch::between(&before, &after);
        let own = size_of::<Step>() + report.text.len() + written_bytes(&edit);
        let bytes = patch::bytes(&patches).map(|kept| kept + own);
        // A saved state among the undone steps cannot come back.
        if self.saved.is_some_and(|saved| saved > self.position) {
            self.saved = None;
        }
        let undone = std::mem::take(&mut self.undone);
        self.bytes -= undone.iter().map(|step| step.bytes[1]).sum::<usize>();
        self.document = after;
        self.position += 1;
        self.bytes += bytes[0];
        self.serial += 1;
        self.done.push_back(Step {
            serial: self.serial,
            edit,
            report,
            is_joined: false,
            patches,
            bytes,
        });
        self.drop_oldest();
    }

    /// Removes the last step, whose result is replaced.
    fn take_back(&mut self) {
        if let Some(step) = self.done.pop_back() {
            self.bytes -= step.bytes[0];
            self.position -= 1;
        }
    }

    fn last_report(&self) -> &Report {
        &self.done.back().expect("the step of this edit").report
    }

    /// Drops the oldest steps over the limit, then those undone first. The last one stays.
    fn drop_oldest(&mut self) {
        while self.bytes > self.max_bytes && self.done.len() > 1 {
            if let Some(step) = self.done.pop_front() {
                self.bytes -= step.bytes[0];
            }
        }
        while self.bytes > self.max_bytes && self.undone.len() > 1 {
            self.bytes -= self.undone.remove(0).bytes[1];
        }
    }
}

/// Length of an edit as it is written. Its lists need about as much memory.
fn written_bytes(edit: &Edit) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Writing to a count cannot fail.
    let _ = serde_json::to_writer(&mut count, edit);
    count.0
}
