//! Objects and arrays of objects, read as they stream by.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{Context, Member, Object};
use crate::report::Severity;

/// What every visitor here does with a value that is neither an object nor an array.
macro_rules! scalars_are_mismatches {
    () => {
        fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
            self.mismatch("a boolean")
        }
        fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
            self.mismatch("a number")
        }
        fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
            self.mismatch("a number")
        }
        fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
            self.mismatch("a number")
        }
        fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
            self.mismatch("a string")
        }
        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            self.mismatch("null")
        }
    };
}

/// Where an object stands, which decides the place and the code of a mismatch: the validator reports a wrong element
/// of the document's own arrays at the element, and one of an array within an object at the array.
#[derive(Clone, Copy)]
enum Place {
    Member,
    Element(usize),
    NestedElement(usize),
}

/// Reads an object, or records that something else stands in its place.
pub(super) struct ObjectSeed<'c, 'r, T> {
    context: &'c mut Context<'r>,
    place: Place,
    object: PhantomData<T>,
}

impl<'c, 'r, T> ObjectSeed<'c, 'r, T> {
    /// For the document, or the value of a member.
    pub(super) fn whole(context: &'c mut Context<'r>) -> Self {
        ObjectSeed {
            context,
            place: Place::Member,
            object: PhantomData,
        }
    }

    fn mismatch<E>(self, found: &str) -> Result<Option<T>, E> {
        let message = format_args!("an object is expected here, not {found}");
        let outside = self.context.pointer.len();
        let code = match self.place {
            Place::Member => "TYPE_MISMATCH",
            Place::Element(index) => {
                self.context.enter_index(index);
                "TYPE_MISMATCH"
            }
            Place::NestedElement(_) => "ARRAY_TYPE_MISMATCH",
        };
        self.context.add(Severity::Error, code, message);
        self.context.leave(outside);
        Ok(None)
    }
}

impl<'de, T: Object> DeserializeSeed<'de> for ObjectSeed<'_, '_, T> {
    type Value = Option<T>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Object> Visitor<'de> for ObjectSeed<'_, '_, T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let context = self.context;
        let outside = match self.place {
            Place::Member => context.pointer.len(),
            Place::Element(index) | Place::NestedElement(index) => context.enter_index(index),
        };
        let mut object = T::default();
        let mut required_seen = 0_u32;
        while let Some(name) = map.next_key_seed(NameSeed)? {
            if let Some(position) = T::REQUIRED.iter().position(|required| *required == name) {
                required_seen |= 1 << position;
            }
            let here = context.enter_name(&name);
            object.read_member(Member::new(name, &mut map, context))?;
            context.leave(here);
        }
        for (position, name) in T::REQUIRED.iter().enumerate() {
            if required_seen & (1 << position) == 0 {
                let pointer = if context.pointer.is_empty() {
                    "/"
                } else {
                    &context.pointer
                };
                let message = format_args!("the member `{name}` is missing");
                context
                    .report
                    .add(Severity::Error, "UNDEFINED_PROPERTY", pointer, message);
            }
        }
        context.leave(outside);
        Ok(Some(object))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        self.mismatch("an array")
    }

    scalars_are_mismatches!();
}

/// Reads an array of objects. What is not an object becomes a default one, so that indices keep their meaning.
pub(super) struct ObjectsSeed<'c, 'r, T> {
    pub(super) context: &'c mut Context<'r>,
    pub(super) nested: bool,
    pub(super) object: PhantomData<T>,
}

impl<T> ObjectsSeed<'_, '_, T> {
    fn mismatch<E>(self, found: &str) -> Result<Vec<T>, E> {
        let message = format_args!("an array is expected here, not {found}");
        self.context.add(Severity::Error, "TYPE_MISMATCH", message);
        Ok(Vec::new())
    }
}

impl<'de, T: Object> DeserializeSeed<'de> for ObjectsSeed<'_, '_, T> {
    type Value = Vec<T>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Object> Visitor<'de> for ObjectsSeed<'_, '_, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let context = self.context;
        let mut objects = Vec::new();
        loop {
            let index = objects.len();
            let place = if self.nested {
                Place::NestedElement(index)
            } else {
                Place::Element(index)
            };
            let seed = ObjectSeed {
                context: &mut *context,
                place,
                object: PhantomData::<T>,
            };
            let Some(object) = seq.next_element_seed(seed)? else {
                break;
            };
            context.reserve_one(&mut objects)?;
            objects.push(object.unwrap_or_default());
        }
        if objects.is_empty() {
            context.add(
                Severity::Ignored,
                "EMPTY_ENTITY",
                "an array that is present must not be empty",
            );
        }
        Ok(objects)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        self.mismatch("an object")
    }

    scalars_are_mismatches!();
}

/// Reads the name of a member, borrowed where it has no escapes.
struct NameSeed;

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = Cow<'de, str>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for NameSeed {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }
    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(name))
    }
    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}
