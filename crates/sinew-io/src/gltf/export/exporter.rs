use super::buffer::BufferBuilder;
use super::shared::Shared;
use crate::gltf::check::shapes::{Shape, Walk};
use crate::gltf::document::json::Rest;
use crate::gltf::document::schema::Document;
use crate::gltf::pointer::{Objects, Targets};
use crate::gltf::source::SourceDocument;
use crate::report::{FileReport, Severity};
use sinew::binding::Binding;
use sinew::property::Property;
use sinew::{Character, Clip};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Display;

pub(super) struct Exporter<'a> {
    pub(super) character: &'a Character,
    pub(super) source: Option<&'a SourceDocument>,
    /// The document. It starts as a copy of the source, and each step replaces a part of it.
    pub(super) document: Document,
    pub(super) buffer: BufferBuilder,
    pub(super) shared: Shared,
    pub(super) cameras: Vec<Option<u32>>,
    /// Targets of the source, whose channels became tracks and curves.
    pub(super) source_targets: Option<Targets<'a>>,
    /// Objects of the exported document that curves can drive.
    pub(super) objects: Objects,
    /// Properties with a channel.
    pub(super) driven: BTreeSet<(usize, Property)>,
    /// Names of curves that channels hold in every clip so far, and of those that extras hold in some clip.
    pub(super) curves: [HashSet<String>; 2],
    pub(super) report: FileReport,
}

impl Exporter<'_> {
    pub(super) fn keeps_buffers(&self) -> bool {
        self.source.is_some_and(|source| !source.buffers.is_empty())
    }

    /// Notes which curves of a clip its channels hold.
    pub(super) fn note_curves(&mut self, clip: &Clip, pointed: &HashSet<String>) {
        for curve in &clip.curves {
            let list = usize::from(!pointed.contains(&curve.name));
            self.curves[list].insert(curve.name.clone());
        }
    }

    /// Bindings that an import does not make from the channels.
    pub(super) fn other_bindings(&self) -> Vec<Binding> {
        let [pointed, kept] = &self.curves;
        let is_pointed = |own: &&Binding| {
            let is_whole = pointed.contains(&own.signal) && !kept.contains(&own.signal);
            is_whole && own.signal == own.target.to_string()
        };
        let others = self.character.bindings.iter();
        others.filter(|own| !is_pointed(own)).cloned().collect()
    }

    /// Drops invalid members that `shape` knows.
    pub(super) fn clean(&mut self, rest: &mut Rest, shape: &Shape, location: &str) {
        let mut kept = Rest::default();
        let mut is_whole = true;
        for (name, value) in rest.iter() {
            let mut found = FileReport::default();
            let mut one = Rest::default();
            one.push(name, value.to_owned());
            Walk::alone(&mut found).kept(&one, shape, "");
            if found.is_empty() {
                kept.push(name, value.to_owned());
            } else {
                is_whole = false;
                leave_out(
                    &mut self.report,
                    format_args!("{location}/{name}"),
                    "a value that does not fit its member",
                );
            }
        }
        if !is_whole {
            *rest = kept;
        }
    }

    pub(super) fn leave_out(&mut self, location: impl Display, what: &str) {
        leave_out(&mut self.report, location, what);
    }
}

pub(super) fn leave_out(report: &mut FileReport, location: impl Display, what: &str) {
    let message = format_args!("{what} was left out");
    report.add(Severity::Ignored, "NOT_WRITTEN", location, message);
}

pub(super) fn name(name: &str) -> Option<Box<str>> {
    (!name.is_empty()).then(|| name.into())
}
