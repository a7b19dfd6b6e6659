//! One member of an object, and the ways to read it.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde::de::{Error, MapAccess};
use serde_json::value::RawValue;

use super::objects::{ObjectSeed, ObjectsSeed};
use super::text::{self, Integer};
use super::{Context, Object, Rest};
use crate::report::Severity;

/// What one kept member costs beside its name and text: the entry and two allocations.
const KEPT_MEMBER_OVERHEAD: usize = 96;

/// A value that the document names by one of a list of numbers or words.
pub(crate) trait Listed: Copy + 'static {
    /// How the document spells a value.
    type Spelling: Copy + PartialEq + std::fmt::Display;
    /// Every value with its spelling.
    const LIST: &'static [(Self::Spelling, Self)];
}

/// One member of an object, about to be read. Reading a member that is wrong records a finding and gives what an
/// absent member gives.
pub(crate) struct Member<'m, 'r, 'de, A> {
    /// The name of the member.
    pub(crate) name: Cow<'de, str>,
    map: &'m mut A,
    context: &'m mut Context<'r>,
}

impl<'m, 'r, 'de, A: MapAccess<'de>> Member<'m, 'r, 'de, A> {
    pub(super) fn new(name: Cow<'de, str>, map: &'m mut A, context: &'m mut Context<'r>) -> Self {
        Member { name, map, context }
    }

    fn text(&mut self) -> Result<&'de str, A::Error> {
        Ok(self.map.next_value::<&'de RawValue>()?.get())
    }

    fn mismatch(&mut self, severity: Severity, expected: &str, text: &str) {
        // Some writers spell an absent member `null`.
        let severity = if text == "null" {
            Severity::Ignored
        } else {
            severity
        };
        let found = text::kind_of(text);
        let message = format_args!("{expected} is expected here, not {found}");
        self.context.add(severity, "TYPE_MISMATCH", message);
    }

    /// Keeps the member as text.
    pub(crate) fn keep(self, rest: &mut Rest) -> Result<(), A::Error> {
        let value = self.map.next_value::<&'de RawValue>()?;
        self.context
            .charge(KEPT_MEMBER_OVERHEAD + self.name.len() + value.get().len())?;
        rest.push(&self.name, value.to_owned());
        Ok(())
    }

    /// An object.
    pub(crate) fn object<T: Object>(self) -> Result<Option<T>, A::Error> {
        self.map.next_value_seed(ObjectSeed::whole(self.context))
    }

    /// An object in a box, for objects that most of their owners do not have.
    pub(crate) fn boxed<T: Object>(self) -> Result<Option<Box<T>>, A::Error> {
        let object = self
            .map
            .next_value_seed(ObjectSeed::whole(&mut *self.context))?;
        self.context.charge(size_of::<T>())?;
        Ok(object.map(Box::new))
    }

    /// One of the document's own arrays of objects.
    pub(crate) fn root_objects<T: Object>(self) -> Result<Vec<T>, A::Error> {
        self.map.next_value_seed(ObjectsSeed {
            context: self.context,
            nested: false,
            object: PhantomData,
        })
    }

    /// An array of objects within an object.
    pub(crate) fn objects<T: Object>(self) -> Result<Vec<T>, A::Error> {
        self.map.next_value_seed(ObjectsSeed {
            context: self.context,
            nested: true,
            object: PhantomData,
        })
    }

    /// A string.
    pub(crate) fn string(mut self) -> Result<Option<Box<str>>, A::Error> {
        let text = self.text()?;
        self.context.charge(text.len())?;
        let string = text::string(text);
        if string.is_none() {
            self.mismatch(Severity::Ignored, "a string", text);
        }
        Ok(string.map(Cow::into_owned).map(String::into_boxed_str))
    }

    /// True or false; absent means false.
    pub(crate) fn boolean(mut self) -> Result<bool, A::Error> {
        let text = self.text()?;
        if !matches!(text, "true" | "false") {
            self.mismatch(Severity::Ignored, "a boolean", text);
        }
        Ok(text == "true")
    }

    /// A number.
    pub(crate) fn number(mut self) -> Result<Option<f64>, A::Error> {
        let text = self.text()?;
        let number = text::number(text);
        match number {
            None => self.mismatch(Severity::Ignored, "a number", text),
            Some(value) if !value.is_finite() => {
                self.context.add(
                    Severity::Ignored,
                    "VALUE_NOT_IN_RANGE",
                    format_args!("{text} is out of range"),
                );
            }
            Some(_) => {}
        }
        Ok(number.filter(|value| value.is_finite()))
    }

    /// A whole number that should lie in `range`; one that is not negative is kept even when it does not.
    pub(crate) fn whole(mut self, range: RangeInclusive<u64>) -> Result<Option<u64>, A::Error> {
        let text = self.text()?;
        match text::integer(text) {
            Some(Integer::Natural(value)) => {
                if !range.contains(&value) {
                    let (least, most) = range.into_inner();
                    let message = format_args!(
                        "{value} is not between {least} and {most}; it was used as it stands"
                    );
                    self.context
                        .add(Severity::Repaired, "VALUE_NOT_IN_RANGE", message);
                }
                Ok(Some(value))
            }
            Some(Integer::Negative) => {
                self.context.add(
                    Severity::Error,
                    "VALUE_NOT_IN_RANGE",
                    format_args!("{text} is negative"),
                );
                Ok(None)
            }
            None => {
                self.mismatch(Severity::Error, "a whole number", text);
                Ok(None)
            }
        }
    }

    /// A whole number that must be there; zero stands for one that could not be read.
    pub(crate) fn count(self) -> Result<u64, A::Error> {
        Ok(self.whole(1..=u64::MAX)?.unwrap_or(0))
    }

    /// The index of another object.
    pub(crate) fn index(mut self) -> Result<Option<u32>, A::Error> {
        let text = self.text()?;
        match text::integer(text) {
            Some(Integer::Natural(value)) => {
                return Ok(Some(u32::try_from(value).unwrap_or(u32::MAX)));
            }
            Some(Integer::Negative) => {
                self.context.add(
                    Severity::Error,
                    "INVALID_INDEX",
                    format_args!("{text} is not an index"),
                );
            }
            None => self.mismatch(Severity::Error, "an index", text),
        }
        Ok(None)
    }

    /// One of a list of words.
    pub(crate) fn word<T: Listed<Spelling = &'static str>>(
        mut self,
    ) -> Result<Option<T>, A::Error> {
        let text = self.text()?;
        let Some(word) = text::string(text) else {
            self.mismatch(Severity::Error, "a string", text);
            return Ok(None);
        };
        Ok(self.listed(|spelling| *spelling == word, &word))
    }

    /// One of a list of numbers.
    pub(crate) fn code<T: Listed<Spelling = u64>>(mut self) -> Result<Option<T>, A::Error> {
        let text = self.text()?;
        match text::integer(text) {
            Some(Integer::Natural(value)) => Ok(self.listed(|spelling| *spelling == value, text)),
            Some(Integer::Negative) => Ok(self.listed(|_| false, text)),
            None => {
                self.mismatch(Severity::Error, "a whole number", text);
                Ok(None)
            }
        }
    }

    fn listed<T: Listed>(
        &mut self,
        is_it: impl Fn(&T::Spelling) -> bool,
        found: &str,
    ) -> Option<T> {
        let value = T::LIST
            .iter()
            .find(|(spelling, _)| is_it(spelling))
            .map(|(_, value)| *value);
        if value.is_none() {
            let valid: Vec<String> = T::LIST
                .iter()
                .map(|(spelling, _)| spelling.to_string())
                .collect();
            let message = format_args!("`{found}` is not one of {}", valid.join(", "));
            self.context
                .add(Severity::Ignored, "VALUE_NOT_IN_LIST", message);
        }
        value
    }

    /// Exactly `N` finite numbers of something that has a sensible default.
    pub(crate) fn floats<const N: usize>(self) -> Result<Option<[f32; N]>, A::Error> {
        self.exactly(Severity::Ignored)
    }

    /// Exactly `N` finite numbers without which the object means something else.
    pub(crate) fn boxed_floats<const N: usize>(self) -> Result<Option<Box<[f32; N]>>, A::Error> {
        self.context.charge::<A::Error>(size_of::<[f32; N]>())?;
        Ok(self.exactly::<N>(Severity::Error)?.map(Box::new))
    }

    fn exactly<const N: usize>(self, severity: Severity) -> Result<Option<[f32; N]>, A::Error> {
        let mut values = [0.0; N];
        let read = self.for_each_number(severity, Some(N), |_, index, value| {
            if let Some(slot) = values.get_mut(index) {
                *slot = value as f32;
            }
            Ok(())
        })?;
        Ok(read.then_some(values))
    }

    /// Any number of finite numbers.
    pub(crate) fn numbers(self) -> Result<Option<Box<[f64]>>, A::Error> {
        let mut values = Vec::new();
        let read = self.for_each_number(Severity::Ignored, None, |context, _, value| {
            context.reserve_one(&mut values)?;
            values.push(value);
            Ok(())
        })?;
        Ok(read.then(|| values.into_boxed_slice()))
    }

    /// Gives every element to `take`; false when the array or one of its elements is wrong.
    fn for_each_number(
        mut self,
        severity: Severity,
        length: Option<usize>,
        mut take: impl FnMut(&mut Context<'r>, usize, f64) -> Result<(), A::Error>,
    ) -> Result<bool, A::Error> {
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
                // What single precision cannot hold is as good as infinite.
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
                        "element {count} is not a number but {}",
                        text::kind_of(element)
                    );
                    context.add(severity, "ARRAY_TYPE_MISMATCH", message);
                    all_read = false;
                }
            }
            count += 1;
        }
        if count == 0 {
            context.add(
                Severity::Ignored,
                "EMPTY_ENTITY",
                "an array that is present must not be empty",
            );
            all_read = false;
        } else if let Some(length) = length.filter(|length| *length != count) {
            let message = format_args!("the array has {count} elements and must have {length}");
            context.add(severity, "ARRAY_LENGTH_NOT_IN_LIST", message);
            all_read = false;
        }
        Ok(all_read)
    }

    /// Indices of other objects. An element that is none becomes `u32::MAX`, which no object has.
    pub(crate) fn indices(mut self) -> Result<Box<[u32]>, A::Error> {
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
        if indices.is_empty() {
            context.add(
                Severity::Ignored,
                "EMPTY_ENTITY",
                "an array that is present must not be empty",
            );
        }
        Ok(indices.into_boxed_slice())
    }

    /// Indices of other objects by name.
    pub(crate) fn named_indices(mut self) -> Result<NamedIndices, A::Error> {
        let text = self.text()?;
        let Some(entries) = text::entries(text) else {
            self.mismatch(Severity::Error, "an object", text);
            return Ok(NamedIndices::default());
        };
        read_named_indices(self.context, entries)
    }

    /// An array of [`Member::named_indices`].
    pub(crate) fn named_indices_list(mut self) -> Result<Vec<NamedIndices>, A::Error> {
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
                    "element {} is not an object but {}",
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
        if list.is_empty() {
            context.add(
                Severity::Ignored,
                "EMPTY_ENTITY",
                "an array that is present must not be empty",
            );
        }
        Ok(list)
    }

    /// An array of distinct strings.
    pub(crate) fn strings(mut self) -> Result<Vec<Box<str>>, A::Error> {
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
            context.charge::<A::Error>(KEPT_MEMBER_OVERHEAD + element.len())?;
            let outside = context.enter_index(index);
            match text::string(element) {
                Some(string) => {
                    if !seen.insert(element) {
                        context.add(
                            Severity::Ignored,
                            "DUPLICATE_ELEMENTS",
                            "this element stands in the array already",
                        );
                    }
                    strings.push(string.into());
                }
                None => {
                    let message =
                        format_args!("a string is expected here, not {}", text::kind_of(element));
                    context.add(Severity::Ignored, "ARRAY_TYPE_MISMATCH", message);
                }
            }
            context.leave(outside);
        }
        if strings.is_empty() {
            context.add(
                Severity::Ignored,
                "EMPTY_ENTITY",
                "an array that is present must not be empty",
            );
        }
        Ok(strings)
    }
}

/// Indices of objects by name, in the order of the file: the attributes of a primitive or of a morph target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedIndices(pub Vec<(Box<str>, u32)>);

impl NamedIndices {
    /// The index that `name` stands for.
    pub fn get(&self, name: &str) -> Option<u32> {
        self.0
            .iter()
            .find(|(known, _)| **known == *name)
            .map(|(_, index)| *index)
    }
}

fn read_named_indices<'a, E: Error>(
    context: &mut Context<'_>,
    entries: impl Iterator<Item = (Cow<'a, str>, &'a str)>,
) -> Result<NamedIndices, E> {
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
    if indices.is_empty() {
        context.add(
            Severity::Ignored,
            "EMPTY_ENTITY",
            "an object that is present must not be empty",
        );
    }
    Ok(NamedIndices(indices))
}

fn index_of(text: &str) -> Option<u32> {
    match text::integer(text)? {
        Integer::Natural(value) => Some(u32::try_from(value).unwrap_or(u32::MAX)),
        Integer::Negative => None,
    }
}
