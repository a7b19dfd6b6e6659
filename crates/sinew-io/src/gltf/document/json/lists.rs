use std::borrow::Cow;

use super::context::{Context, Stopped};
use super::member::{KEPT_MEMBER_OVERHEAD, Member};
use super::text::{self, Integer};
use crate::report::Severity;

impl<'r> Member<'_, 'r, '_> {
    /// Reads `N` finite numbers. A faulty member is ignored, because it has a default.
    pub(crate) fn floats<const N: usize>(self) -> Result<Option<[f32; N]>, Stopped> {
        self.exactly(Severity::Ignored)
    }

    /// Reads `N` finite numbers. A fault is an error.
    pub(crate) fn boxed_floats<const N: usize>(self) -> Result<Option<Box<[f32; N]>>, Stopped> {
        self.context.charge(size_of::<[f32; N]>())?;
        Ok(self.exactly::<N>(Severity::Error)?.map(Box::new))
    }

    fn exactly<const N: usize>(self, severity: Severity) -> Result<Option<[f32; N]>, Stopped> {
        let mut values = [0.0; N];
        let read = self.for_each_number(severity, Some(N), |_, index, value| {
            if let Some(slot) = values.get_mut(index) {
                *slot = value as f32;
            }
            Ok(())
        })?;
        Ok(read.then_some(values))
    }

    pub(crate) fn numbers(self) -> Result<Option<Box<[f64]>>, Stopped> {
        let mut values = Vec::new();
        let read = self.for_each_number(Severity::Ignored, None, |context, _, value| {
            context.reserve_one(&mut values)?;
            values.push(value);
            Ok(())
        })?;
        Ok(read.then(|| values.into_boxed_slice()))
    }

    /// Passes every element to `take`. Returns false if the array or an element is wrong.
    fn for_each_number(
        mut self,
        severity: Severity,
        length: Option<usize>,
        mut take: impl FnMut(&mut Context<'r>, usize, f64) -> Result<(), Stopped>,
    ) -> Result<bool, Stopped> {
        let text = self.text()?;
        let Some(elements) = text::elements(text) else {
            self.mismatch(severity, "an array of numbers", text);
            return Ok(false);
        };
        let context = self.context;
        let mut all_read = true;
        let mut count = 0;
        for element in elements {
            match text::number(element) {
                // Numbers too large for single precision count as infinite.
                Some(value) if (value as f32).is_finite() => take(context, count, value)?,
                Some(_) => {
                    let outside = context.enter_index(count);
                    context.add(
                        severity,
                        "VALUE_NOT_IN_RANGE",
                        format_args!("{element} is out of range"),
                    );
                    context.leave(outside);
                    all_read = false;
                }
                None => {
                    let message = format_args!(
                        "element {count} should be a number, not {}",
                        text::kind_of(element)
                    );
                    context.add(severity, "ARRAY_TYPE_MISMATCH", message);
                    all_read = false;
                }
            }
            count += 1;
        }
        if count == 0 {
            context.refuse_empty(count, "an array");
            all_read = false;
        } else if let Some(length) = length.filter(|length| *length != count) {
            let message = format_args!("the array has {count} elements instead of {length}");
            context.add(severity, "ARRAY_LENGTH_NOT_IN_LIST", message);
            all_read = false;
        }
        Ok(all_read)
    }

    /// Reads indices. A faulty element becomes `u32::MAX`, which is never a valid index.
    pub(crate) fn indices(mut self) -> Result<Box<[u32]>, Stopped> {
        let text = self.text()?;
        let Some(elements) = text::elements(text) else {
            self.mismatch(Severity::Error, "an array of indices", text);
            return Ok(Box::default());
        };
        let context = self.context;
        let mut indices = Vec::new();
        for element in elements {
            context.reserve_one(&mut indices)?;
            let index = index_of(element).unwrap_or_else(|| {
                let outside = context.enter_index(indices.len());
                context.add(
                    Severity::Error,
                    "INVALID_INDEX",
                    format_args!("{element} is not an index"),
                );
                context.leave(outside);
                u32::MAX
            });
            indices.push(index);
        }
        context.refuse_empty(indices.len(), "an array");
        Ok(indices.into_boxed_slice())
    }

    pub(crate) fn named_indices(mut self) -> Result<NamedIndices, Stopped> {
        let text = self.text()?;
        let Some(entries) = text::entries(text) else {
            self.mismatch(Severity::Error, "an object", text);
            return Ok(NamedIndices::default());
        };
        read_named_indices(self.context, entries)
    }

    pub(crate) fn named_indices_list(mut self) -> Result<Vec<NamedIndices>, Stopped> {
        let text = self.text()?;
        let Some(elements) = text::elements(text) else {
            self.mismatch(Severity::Error, "an array", text);
            return Ok(Vec::new());
        };
        let context = self.context;
        let mut list = Vec::new();
        for element in elements {
            context.reserve_one(&mut list)?;
            let Some(entries) = text::entries(element) else {
                let message = format_args!(
                    "element {} should be an object, not {}",
                    list.len(),
                    text::kind_of(element)
                );
                context.add(Severity::Error, "ARRAY_TYPE_MISMATCH", message);
                list.push(NamedIndices::default());
                continue;
            };
            let outside = context.enter_index(list.len());
            list.push(read_named_indices(context, entries)?);
            context.leave(outside);
        }
        context.refuse_empty(list.len(), "an array");
        Ok(list)
    }

    pub(crate) fn strings(mut self) -> Result<Vec<Box<str>>, Stopped> {
        let text = self.text()?;
        let Some(elements) = text::elements(text) else {
            self.mismatch(Severity::Ignored, "an array of strings", text);
            return Ok(Vec::new());
        };
        let context = self.context;
        let mut strings: Vec<Box<str>> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for (index, element) in elements.enumerate() {
            context.reserve_one(&mut strings)?;
            context.charge(KEPT_MEMBER_OVERHEAD + element.len())?;
            let outside = context.enter_index(index);
            match text::string(element) {
                Some(string) => {
                    if !seen.insert(element) {
                        context.add(
                            Severity::Ignored,
                            "DUPLICATE_ELEMENTS",
                            "this element is already in the array",
                        );
                    }
                    strings.push(string.into());
                }
                None => {
                    let message =
                        format_args!("expected a string, found {}", text::kind_of(element));
                    context.add(Severity::Ignored, "ARRAY_TYPE_MISMATCH", message);
                }
            }
            context.leave(outside);
        }
        context.refuse_empty(strings.len(), "an array");
        Ok(strings)
    }
}

/// Indices by name, in the order of the file: the attributes of a primitive or of a morph target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedIndices(pub Vec<(Box<str>, u32)>);

impl NamedIndices {
    /// The index under `name`.
    pub fn get(&self, name: &str) -> Option<u32> {
        self.0
            .iter()
            .find(|(known, _)| **known == *name)
            .map(|(_, index)| *index)
    }
}

fn read_named_indices<'a>(
    context: &mut Context<'_>,
    entries: impl Iterator<Item = (Cow<'a, str>, &'a str)>,
) -> Result<NamedIndices, Stopped> {
    let mut indices = Vec::new();
    for (name, value) in entries {
        context.reserve_one(&mut indices)?;
        context.charge(KEPT_MEMBER_OVERHEAD + name.len())?;
        let outside = context.enter_name(&name);
        let index = index_of(value).unwrap_or_else(|| {
            context.add(
                Severity::Error,
                "INVALID_INDEX",
                format_args!("{value} is not an index"),
            );
            u32::MAX
        });
        context.leave(outside);
        indices.push((name.into(), index));
    }
    context.refuse_empty(indices.len(), "an object");
    Ok(NamedIndices(indices))
}

fn index_of(text: &str) -> Option<u32> {
    match text::integer(text)? {
        Integer::Natural(value) => Some(text::as_index(value)),
        Integer::Negative => None,
    }
}
