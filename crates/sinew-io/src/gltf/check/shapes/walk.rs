use std::collections::HashSet;

use super::extensions::{Allowed, allowed_in, refers_to_document};
use super::faults::Faults;
use super::shape::{Kind, List, Range, Shape};
use crate::gltf::document::json::{
    self, Integer, Rest, elements, entries, escaped, integer, kind_of, number, string,
};
use crate::gltf::document::schema::Document;
use crate::report::{FileReport, Severity};

/// Max number of texture coordinate sets of a material. Real materials use far fewer.
pub(in crate::gltf) const MAX_TEXCOORDS: u64 = 16;

pub(in crate::gltf) struct Walk<'r> {
    counts: [usize; 5],
    of_document: Vec<String>,
    declared: HashSet<Box<str>>,
    faults: Faults<'r>,
    /// Every extension found. `None` if the document already declares its extensions.
    pub met: Option<Vec<String>>,
}

impl<'r> Walk<'r> {
    pub(in crate::gltf) fn new(document: &Document, report: &'r mut FileReport) -> Self {
        let listed = |extension: &str, list: &str| {
            let object = document.rest.extension(extension);
            let list = object.and_then(|object| json::member(object, list));
            list.and_then(elements).map_or(0, Iterator::count)
        };
        let of_document = document
            .rest
            .extensions()
            .map(|(name, _)| name.into_owned());
        Walk {
            counts: [
                document.textures.len(),
                document.images.len(),
                document.materials.len(),
                listed("KHR_lights_punctual", "lights"),
                listed("KHR_materials_variants", "variants"),
            ],
            of_document: of_document.collect(),
            declared: document.extensions_used.iter().cloned().collect(),
            faults: Faults { report, count: 0 },
            met: None,
        }
    }

    /// Walk of an object that refers to no other object.
    pub(in crate::gltf) fn alone(report: &'r mut FileReport) -> Self {
        Walk {
            counts: [0; 5],
            of_document: Vec::new(),
            declared: HashSet::new(),
            faults: Faults { report, count: 0 },
            met: Some(Vec::new()),
        }
    }

    /// Walk of a document whose extensions are declared when it is complete.
    pub(in crate::gltf) fn for_export(document: &Document, report: &'r mut FileReport) -> Self {
        Walk {
            met: Some(Vec::new()),
            ..Self::new(document, report)
        }
    }

    pub(in crate::gltf) fn faults(&self) -> usize {
        self.faults.count
    }

    fn mismatch(&mut self, expected: &str, text: &str, pointer: &str) {
        let found = kind_of(text);
        self.faults.add(
            "TYPE_MISMATCH",
            pointer,
            format_args!("expected {expected}, found {found}"),
        );
    }

    fn count(&self, list: List) -> usize {
        self.counts[list as usize]
    }

    pub(in crate::gltf) fn object(&mut self, text: &str, shape: &Shape, pointer: &str) {
        let Some(members) = entries(text) else {
            return self.mismatch("an object", text, pointer);
        };
        let before = self.faults.count;
        let mut seen = HashSet::new();
        for (name, value) in members {
            if let Some((known, kind)) = shape.members.iter().find(|(known, _)| *known == name) {
                seen.insert(*known);
                self.member(value, kind, &format!("{pointer}/{known}"));
            } else if name == "extensions" {
                self.extensions(value, shape.owner, pointer);
            }
        }
        for name in shape.required.iter().filter(|name| !seen.contains(*name)) {
            self.faults.add(
                "UNDEFINED_PROPERTY",
                pointer,
                format_args!("the member `{name}` is missing"),
            );
        }
        if let (Some(also), true) = (shape.also, self.faults.count == before) {
            also(&mut self.faults, text, pointer);
        }
    }

    /// Checks the members of an object that are kept as text.
    pub(in crate::gltf) fn kept(&mut self, rest: &Rest, shape: &Shape, pointer: &str) {
        for (name, value) in rest.iter() {
            if let Some((known, kind)) = shape.members.iter().find(|(known, _)| *known == name) {
                self.member(value.get(), kind, &format!("{pointer}/{known}"));
            }
        }
    }

    /// Checks that the extensions of an object are declared, allowed there and well-formed.
    pub(in crate::gltf) fn extensions(&mut self, text: &str, owner: &str, pointer: &str) {
        let pointer = format!("{pointer}/extensions");
        let Some(members) = entries(text) else {
            return self.mismatch("an object", text, &pointer);
        };
        for (name, value) in members {
            let at = format!("{pointer}/{}", escaped(&name));
            self.extension(&name, value, owner, &at);
        }
    }

    pub(in crate::gltf) fn extension(&mut self, name: &str, text: &str, owner: &str, at: &str) {
        let is_declared = self.met.is_some() || self.declared.contains(name);
        if let Some(met) = &mut self.met {
            met.push(name.to_owned());
        } else if !is_declared {
            self.faults.add(
                "UNDECLARED_EXTENSION",
                at,
                "the extension is not in extensionsUsed",
            );
        }
        match allowed_in(name, owner) {
            Allowed::Shaped(_)
                if refers_to_document(name, owner)
                    && !self.of_document.iter().any(|known| known == name) =>
            {
                let message =
                    format_args!("the document has no `{name}` that this extension can refer to");
                self.faults.add("UNSATISFIED_DEPENDENCY", at, message);
            }
            Allowed::Shaped(shape) => self.object(text, shape, at),
            Allowed::Wrong if is_declared => {
                let message = "this object must not have the extension";
                self.faults.add("UNEXPECTED_EXTENSION_OBJECT", at, message);
            }
            Allowed::Wrong | Allowed::Unknown => {
                if !text.starts_with('{') {
                    self.mismatch("an object", text, at);
                }
            }
        }
    }

    fn member(&mut self, text: &str, kind: &Kind, pointer: &str) {
        match kind {
            Kind::Text if string(text).is_none() => self.mismatch("a string", text, pointer),
            Kind::Text => {}
            Kind::Word(words) => match string(text) {
                Some(word) if words.contains(&&*word) => {}
                Some(word) => self.not_in_list(&word, &words.join(", "), pointer),
                None => self.mismatch("a string", text, pointer),
            },
            Kind::Code(codes) => match integer(text) {
                Some(Integer::Natural(code)) if codes.contains(&code) => {}
                Some(_) => {
                    let codes: Vec<String> = codes.iter().map(u64::to_string).collect();
                    self.not_in_list(text, &codes.join(", "), pointer);
                }
                None => self.mismatch("a whole number", text, pointer),
            },
            Kind::Whole => match integer(text) {
                Some(Integer::Natural(set)) if self.met.is_some() && set >= MAX_TEXCOORDS => {
                    self.out_of_range(text, pointer);
                }
                Some(Integer::Natural(_)) => {}
                Some(Integer::Negative) => self.out_of_range(text, pointer),
                None => self.mismatch("a whole number", text, pointer),
            },
            Kind::Number(range) => match number(text) {
                Some(value) if range.holds(value) => {}
                Some(_) => self.out_of_range(text, pointer),
                None => self.mismatch("a number", text, pointer),
            },
            Kind::Numbers(length, range) => self.numbers(text, *length, *range, pointer),
            Kind::Index(list) => self.index(text, *list, pointer),
            Kind::Indices(list) => self.indices(text, *list, pointer),
            Kind::Object(shape) => self.object(text, shape, pointer),
            Kind::Objects(shape) => self.objects(text, shape, pointer),
        }
    }

    fn not_in_list(&mut self, found: &str, list: &str, pointer: &str) {
        let message = format_args!("`{found}` is not one of {list}");
        self.faults
            .report
            .add(Severity::Ignored, "VALUE_NOT_IN_LIST", pointer, message);
    }

    fn out_of_range(&mut self, text: &str, pointer: &str) {
        self.faults.add(
            "VALUE_NOT_IN_RANGE",
            pointer,
            format_args!("{text} is out of range"),
        );
    }

    fn numbers(&mut self, text: &str, length: usize, range: Range, pointer: &str) {
        let Some(array) = elements(text) else {
            return self.mismatch("an array of numbers", text, pointer);
        };
        let mut count = 0;
        for element in array {
            match number(element) {
                Some(value) if range.holds(value) => {}
                Some(_) => self.out_of_range(element, &format!("{pointer}/{count}")),
                None => {
                    let found = kind_of(element);
                    let message = format_args!("element {count} should be a number, not {found}");
                    self.faults.add("ARRAY_TYPE_MISMATCH", pointer, message);
                }
            }
            count += 1;
        }
        if count != length {
            let message = format_args!("the array has {count} elements instead of {length}");
            self.faults
                .add("ARRAY_LENGTH_NOT_IN_LIST", pointer, message);
        }
    }

    fn index(&mut self, text: &str, list: List, pointer: &str) {
        match integer(text) {
            Some(Integer::Natural(index)) if index < self.count(list) as u64 => {}
            Some(Integer::Natural(index)) => {
                let message = format_args!("there is no object {index}");
                self.faults.add("UNRESOLVED_REFERENCE", pointer, message);
            }
            Some(Integer::Negative) => {
                self.faults.add(
                    "INVALID_INDEX",
                    pointer,
                    format_args!("{text} is not an index"),
                );
            }
            None => self.mismatch("an index", text, pointer),
        }
    }

    fn indices(&mut self, text: &str, list: List, pointer: &str) {
        let Some(array) = elements(text) else {
            return self.mismatch("an array of indices", text, pointer);
        };
        let mut seen = HashSet::new();
        for (number, element) in array.enumerate() {
            let at = format!("{pointer}/{number}");
            self.index(element, list, &at);
            if !seen.insert(element) {
                let message = "this element is already in the array";
                self.faults.add("DUPLICATE_ELEMENTS", &at, message);
            }
        }
        self.not_empty(seen.len(), pointer);
    }

    fn objects(&mut self, text: &str, shape: &Shape, pointer: &str) {
        let Some(array) = elements(text) else {
            return self.mismatch("an array", text, pointer);
        };
        let mut count = 0;
        for element in array {
            if element.starts_with('{') {
                self.object(element, shape, &format!("{pointer}/{count}"));
            } else {
                let found = kind_of(element);
                let message = format_args!("element {count} should be an object, not {found}");
                self.faults.add("ARRAY_TYPE_MISMATCH", pointer, message);
            }
            count += 1;
        }
        self.not_empty(count, pointer);
    }

    fn not_empty(&mut self, count: usize, pointer: &str) {
        if count == 0 {
            let message = "an array must not be empty";
            self.faults.add("EMPTY_ENTITY", pointer, message);
        }
    }
}
