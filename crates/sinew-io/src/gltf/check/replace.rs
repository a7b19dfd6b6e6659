//! Replacements for faulty accessors and buffer views, so that valid ones keep their indices.

use std::collections::HashSet;

use super::checker::Checker;
use super::{accessors, usage};
use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::bytes::buffers::{Buffers, Source};
use crate::gltf::document::budget::Budget;
use crate::gltf::document::format::{ComponentType, ElementType};
use crate::gltf::document::json::{Object, read_document};
use crate::gltf::document::schema::{Accessor, BufferView, Document};
use crate::report::{FileReport, Finding};
use serde::Serialize;

/// Limits decoding to this many times the buffer size, because many accessors may share bytes.
const ROUNDS: u64 = 16;

/// Replaces faulty parts. `bytes` is the only buffer of the document. Returns replaced accessors.
pub(in crate::gltf) fn replace_wrong(document: &mut Document, bytes: &[u8]) -> HashSet<u32> {
    for index in 0..document.buffer_views.len() {
        let check = |checker: &mut Checker<'_>| accessors::check_view(checker, index);
        let is_readable = can_be_read(&document.buffer_views[index]);
        if !is_readable || !findings(document, &check).is_empty() {
            document.buffer_views[index] = BufferView {
                buffer: Some(0),
                byte_length: 1,
                ..BufferView::default()
            };
        }
    }
    let conflicts = findings(document, &usage::check);
    let mut wrong: HashSet<u32> = conflicts.iter().filter_map(accessor_of).collect();
    for (index, accessor) in document.accessors.iter().enumerate() {
        let check = |checker: &mut Checker<'_>| accessors::check_accessor(checker, accessor, "");
        if !is_whole(accessor) || !findings(document, &check).is_empty() {
            wrong.insert(index as u32);
        }
    }
    stand_in(document, &wrong);
    let contradicted = contradicted(document, bytes);
    let broken: HashSet<u32> = contradicted
        .iter()
        .filter(|(_, is_bound)| !is_bound)
        .map(|(index, _)| *index)
        .collect();
    for (index, _) in &contradicted {
        if let Some(accessor) = document.accessors.get_mut(*index as usize) {
            (accessor.min, accessor.max) = (None, None);
        }
    }
    stand_in(document, &broken);
    wrong.extend(broken);
    wrong
}

fn findings(document: &Document, check: &dyn Fn(&mut Checker<'_>)) -> Vec<Finding> {
    let mut report = FileReport::default();
    check(&mut Checker {
        document,
        quantized: true,
        report: &mut report,
    });
    report.findings
}

/// True if an object has all required members, in their ranges. An absent member is read as a default.
fn can_be_read<T: Object + Default + Serialize>(object: &T) -> bool {
    let Ok(text) = serde_json::to_string(object) else {
        return false;
    };
    let (mut report, mut budget) = (FileReport::default(), Budget::for_json(text.len()));
    let read: Result<Option<T>, _> = read_document(&text, &mut report, &mut budget);
    read.is_ok() && report.is_empty()
}

/// True if an accessor can be read and its sparse parts have no unknown members.
fn is_whole(accessor: &Accessor) -> bool {
    let is_plain = accessor.sparse.as_ref().is_none_or(|sparse| {
        let parts = sparse.indices.as_ref().zip(sparse.values.as_ref());
        let is_plain = parts
            .is_some_and(|(indices, values)| indices.rest.is_empty() && values.rest.is_empty());
        sparse.rest.is_empty() && is_plain
    });
    is_plain && can_be_read(accessor)
}

fn accessor_of(finding: &Finding) -> Option<u32> {
    let rest = finding.pointer.strip_prefix("/accessors/")?;
    rest.split('/').next()?.parse().ok()
}

/// Accessors whose bytes contradict their declarations, with true if only the bounds are wrong.
fn contradicted(document: &Document, bytes: &[u8]) -> Vec<(u32, bool)> {
    let mut budget = Budget::for_json(0);
    budget.grow_for(bytes.len());
    let mut report = FileReport::default();
    let source = Source {
        bin: Some(bytes),
        folder: None,
    };
    let mut copy = Document {
        buffers: document.buffers.clone(),
        ..Document::default()
    };
    let Ok(buffers) = Buffers::load(&mut copy, source, &mut report, &mut budget) else {
        return Vec::new();
    };
    let mut contradicted = Vec::new();
    let mut budget = Budget::for_json(bytes.len());
    let mut report = FileReport::default();
    let mut decoder = Decoder::new(document, &buffers, &mut budget, &mut report);
    let mut bytes_left = decoder.budget().limit().saturating_mul(ROUNDS);
    for index in 0..document.accessors.len() as u32 {
        if bytes_left == 0 {
            break;
        }
        let before = decoder.report().findings.len();
        let component = document.accessors[index as usize].component_type;
        // An array that exceeds the budget cannot be imported either.
        let held = match component {
            Some(ComponentType::UnsignedInt) => decoder.values::<u32>(index).map(|all| all.len()),
            _ => decoder.values::<f32>(index).map(|all| all.len()),
        };
        let bytes = 4 * held.unwrap_or(0) as u64;
        decoder.budget().release(bytes);
        bytes_left = bytes_left.saturating_sub(bytes);
        let new = decoder.report().findings.get(before..).unwrap_or_default();
        if !new.is_empty() {
            let is_bound = |finding: &Finding| {
                finding.code.contains("_M") && accessor_of(finding) == Some(index)
            };
            contradicted.push((index, new.iter().all(is_bound)));
        }
    }
    contradicted
}

fn stand_in(document: &mut Document, wrong: &HashSet<u32>) {
    for &index in wrong {
        if let Some(accessor) = document.accessors.get_mut(index as usize) {
            *accessor = Accessor {
                component_type: Some(ComponentType::Float),
                element_type: Some(ElementType::Scalar),
                count: 1,
                ..Accessor::default()
            };
        }
    }
}
