//! The work on one input, for whoever reads and writes the files: threads, or another scheduler.

use crate::hash::ContentHash;
use crate::manifest::{Known, Record, Written};
use crate::plan::{Output, Plan};
use crate::recipe::Input;
use std::path::Path;

impl Plan {
    /// Runs all steps on an input, as [`Plan::run`]. Returns its record, and the files that must be written before the
    /// record goes into a manifest. [`Record::secs`] is 0.
    pub fn record(
        &self,
        input: &Input,
        bytes: &[u8],
        path: Option<&Path>,
    ) -> (Record, Vec<Output>) {
        let mut record = Record::new(&input.path, ContentHash::of(bytes), self.hash());
        match self.run(input, bytes, path) {
            Ok(ran) => {
                let written = |output: &Output| Written {
                    hash: ContentHash::of(&output.bytes),
                    bytes: output.bytes.len() as u64,
                    path: output.path.clone(),
                };
                record.outputs = ran.outputs.iter().map(written).collect();
                (record.measured, record.notes) = (ran.measured, ran.notes);
                (record, ran.outputs)
            }
            Err(error) => {
                record.error = Some(error.to_string());
                (record, Vec::new())
            }
        }
    }

    /// True if an input was done with this recipe, has not changed, and its outputs are there with their sizes. `size` is
    /// the size in bytes of the file at a path, or `None` if there is none.
    pub fn is_current(
        &self,
        known: &Known,
        input: &Input,
        hash: ContentHash,
        size: impl Fn(&str) -> Option<u64>,
    ) -> bool {
        if known.hash != hash || known.recipe != self.hash() || known.again {
            return false;
        }
        let outputs = self.recipe().outputs(input);
        let is_there = |(path, bytes): (&String, &u64)| size(path) == Some(*bytes);
        known.is_failed
            || (outputs.len() == known.sizes.len()
                && outputs.iter().zip(&known.sizes).all(is_there))
    }
}
