use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde_json::value::RawValue;

use super::context::{Context, Stopped};
use super::rest::Rest;
use super::text::{self, Integer};

use crate::report::Severity;

/// Bytes of a member kept as text, without name and text: its entry and two allocations.
pub(super) const KEPT_MEMBER_OVERHEAD: usize = 96;

/// Max nesting of a member kept as text. Parsers allow 128 levels, and the owner uses some.
const DEEPEST: usize = 100;

/// An object to read into. Not generic over the reader, so that its code is compiled once.
pub(crate) trait Object {
    fn required(&self) -> &'static [&'static str];

    /// Reads one member. Unknown members go to the [`Rest`] of the object.
    fn read_member(&mut self, member: Member<'_, '_, '_>) -> Result<(), Stopped>;
}

/// A list of objects of any type.
pub(super) trait List {
    fn len(&self) -> usize;
    /// Adds a default object.
    fn add(&mut self, context: &mut Context<'_>) -> Result<&mut dyn Object, Stopped>;
}

impl<T: Object + Default> List for Vec<T> {
    fn len(&self) -> usize {
        self.len()
    }

    fn add(&mut self, context: &mut Context<'_>) -> Result<&mut dyn Object, Stopped> {
        context.reserve_one(self)?;
        let index = self.len();
        self.push(T::default());
        Ok(&mut self[index])
    }
}

/// Members of an object in the text, whatever the reader is.
pub(super) trait Members<'de> {
    fn value(&mut self) -> Result<&'de RawValue, Stopped>;
    /// Returns false if the value is not an object.
    fn object(
        &mut self,
        context: &mut Context<'_>,
        object: &mut dyn Object,
    ) -> Result<bool, Stopped>;
    fn objects(
        &mut self,
        context: &mut Context<'_>,
        nested: bool,
        list: &mut dyn List,
    ) -> Result<(), Stopped>;
}

/// A value that the document selects from a list of numbers or words.
pub(crate) trait Listed: Copy + 'static {
    type Spelling: Copy + PartialEq + std::fmt::Display;
    const LIST: &'static [(Self::Spelling, Self)];
}

/// A member to read. A faulty member causes a finding and counts as absent.
pub(crate) struct Member<'m, 'r, 'de> {
    pub(crate) name: Cow<'de, str>,
    pub(super) map: &'m mut dyn Members<'de>,
    pub(super) context: &'m mut Context<'r>,
}

impl<'de> Member<'_, '_, 'de> {
    pub(super) fn text(&mut self) -> Result<&'de str, Stopped> {
        Ok(self.map.value()?.get())
    }

    pub(super) fn mismatch(&mut self, severity: Severity, expected: &str, text: &str) {
        // Some programs write `null` for an absent member.
        let severity = if text == "null" {
            Severity::Ignored
        } else {
            severity
        };
        let found = text::kind_of(text);
        let message = format_args!("expected {expected}, found {found}");
        self.context.add(severity, "TYPE_MISMATCH", message);
    }

    /// Keeps the member as text, unless its nesting is too deep.
    pub(crate) fn keep(self, rest: &mut Rest) -> Result<(), Stopped> {
        let value = self.map.value()?;
        let depth = text::depth(value.get());
        if depth > DEEPEST {
            let message = format_args!(
                "`{}` is nested {depth} levels deep, which is more than the {DEEPEST} that many programs can read; it was left out",
                self.name
            );
            let context = self.context;
            context.add(Severity::Ignored, "NESTED_TOO_DEEP", message);
            return Ok(());
        }
        self.context
            .charge(KEPT_MEMBER_OVERHEAD + self.name.len() + value.get().len())?;
        rest.push(&self.name, value.to_owned());
        Ok(())
    }

    pub(crate) fn string(mut self) -> Result<Option<Box<str>>, Stopped> {
        let text = self.text()?;
        self.context.charge(text.len())?;
        let string = text::string(text);
        if string.is_none() {
            self.mismatch(Severity::Ignored, "a string", text);
        }
        Ok(string.map(Cow::into_owned).map(String::into_boxed_str))
    }

    /// Reads a boolean, default false.
    pub(crate) fn boolean(mut self) -> Result<bool, Stopped> {
        let text = self.text()?;
        if !matches!(text, "true" | "false") {
            self.mismatch(Severity::Ignored, "a boolean", text);
        }
        Ok(text == "true")
    }

    pub(crate) fn number(mut self) -> Result<Option<f64>, Stopped> {
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

    /// Reads an integer, which should be in `range`. Keeps every integer that is not negative.
    pub(crate) fn whole(mut self, range: RangeInclusive<u64>) -> Result<Option<u64>, Stopped> {
        let text = self.text()?;
        match text::integer(text) {
            Some(Integer::Natural(value)) => {
                if !range.contains(&value) {
                    let (min, max) = range.into_inner();
                    let message = format_args!(
                        "{value} is not between {min} and {max}; it was used unchanged"
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

    /// Reads a required integer. 0 if it is unreadable.
    pub(crate) fn count(self) -> Result<u64, Stopped> {
        Ok(self.whole(1..=u64::MAX)?.unwrap_or(0))
    }

    pub(crate) fn index(mut self) -> Result<Option<u32>, Stopped> {
        let text = self.text()?;
        match text::integer(text) {
            Some(Integer::Natural(value)) => {
                return Ok(Some(text::as_index(value)));
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

    pub(crate) fn word<T: Listed<Spelling = &'static str>>(mut self) -> Result<Option<T>, Stopped> {
        let text = self.text()?;
        // A missing required word is reported elsewhere.
        let Some(word) = text::string(text) else {
            self.mismatch(Severity::Ignored, "a string", text);
            return Ok(None);
        };
        Ok(self.listed(|spelling| *spelling == word, &word))
    }

    pub(crate) fn code<T: Listed<Spelling = u64>>(mut self) -> Result<Option<T>, Stopped> {
        let text = self.text()?;
        match text::integer(text) {
            Some(Integer::Natural(value)) => Ok(self.listed(|spelling| *spelling == value, text)),
            Some(Integer::Negative) => Ok(self.listed(|_| false, text)),
            None => {
                self.mismatch(Severity::Ignored, "a whole number", text);
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
}
