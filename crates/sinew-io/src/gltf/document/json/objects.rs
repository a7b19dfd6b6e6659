use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::context::Context;
use super::member::{Member, Object};
use crate::gltf::document::budget::Budget;
use crate::gltf::document::error::GltfError;
use crate::report::{FileReport, Severity};

/// Visitor methods for values that are neither objects nor arrays.
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

/// Position of an object in its owner. As in the validator, a finding about a wrong element points
/// to the element of a root array, or to the whole nested array.
#[derive(Clone, Copy)]
enum Location {
    Member,
    Element(usize),
    NestedElement(usize),
}

/// Reads an object, or reports a value that is not an object.
struct ObjectSeed<'c, 'r, T> {
    context: &'c mut Context<'r>,
    location: Location,
    object: PhantomData<T>,
}

impl<'c, 'r, T> ObjectSeed<'c, 'r, T> {
    fn whole(context: &'c mut Context<'r>) -> Self {
        ObjectSeed {
            context,
            location: Location::Member,
            object: PhantomData,
        }
    }

    fn mismatch<E>(self, found: &str) -> Result<Option<T>, E> {
        let message = format_args!("expected an object, found {found}");
        let outside = self.context.pointer.len();
        let code = match self.location {
            Location::Member => "TYPE_MISMATCH",
            Location::Element(index) => {
                self.context.enter_index(index);
                "TYPE_MISMATCH"
            }
            Location::NestedElement(_) => "ARRAY_TYPE_MISMATCH",
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
        let outside = match self.location {
            Location::Member => context.pointer.len(),
            Location::Element(index) | Location::NestedElement(index) => context.enter_index(index),
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

/// Reads an array of objects. Other values become default objects, so that indices stay valid.
struct ObjectsSeed<'c, 'r, T> {
    context: &'c mut Context<'r>,
    nested: bool,
    object: PhantomData<T>,
}

impl<T> ObjectsSeed<'_, '_, T> {
    fn mismatch<E>(self, found: &str) -> Result<Vec<T>, E> {
        let message = format_args!("expected an array, found {found}");
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
            let location = if self.nested {
                Location::NestedElement(index)
            } else {
                Location::Element(index)
            };
            let seed = ObjectSeed {
                context: &mut *context,
                location,
                object: PhantomData::<T>,
            };
            let Some(object) = seq.next_element_seed(seed)? else {
                break;
            };
            context.reserve_one(&mut objects)?;
            objects.push(object.unwrap_or_default());
        }
        context.refuse_empty(objects.len(), "an array");
        Ok(objects)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        self.mismatch("an object")
    }

    scalars_are_mismatches!();
}

impl<'de, A: MapAccess<'de>> Member<'_, '_, 'de, A> {
    pub(crate) fn object<T: Object>(self) -> Result<Option<T>, A::Error> {
        self.map.next_value_seed(ObjectSeed::whole(self.context))
    }

    /// Reads a rare object into a box.
    pub(crate) fn boxed<T: Object>(self) -> Result<Option<Box<T>>, A::Error> {
        let object = self
            .map
            .next_value_seed(ObjectSeed::whole(&mut *self.context))?;
        self.context.charge(size_of::<T>())?;
        Ok(object.map(Box::new))
    }

    pub(crate) fn root_objects<T: Object>(self) -> Result<Vec<T>, A::Error> {
        self.map.next_value_seed(ObjectsSeed {
            context: self.context,
            nested: false,
            object: PhantomData,
        })
    }

    pub(crate) fn objects<T: Object>(self) -> Result<Vec<T>, A::Error> {
        self.map.next_value_seed(ObjectsSeed {
            context: self.context,
            nested: true,
            object: PhantomData,
        })
    }
}

/// Reads the name of a member. Borrows a name without escapes.
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

/// Reads a whole document.
///
/// # Errors
/// [`GltfError::Json`] if it is not JSON, [`GltfError::MemoryLimit`] if it exceeds the budget.
pub(crate) fn read_document<T: Object>(
    text: &str,
    report: &mut FileReport,
    budget: &mut Budget,
) -> Result<Option<T>, GltfError> {
    let mut context = Context {
        pointer: String::new(),
        report,
        budget,
        over_budget: None,
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = ObjectSeed::whole(&mut context).deserialize(&mut deserializer);
    match read.and_then(|object| deserializer.end().map(|()| object)) {
        Ok(object) => Ok(object),
        Err(error) => Err(context
            .over_budget
            .take()
            .unwrap_or_else(|| GltfError::Json {
                line: error.line(),
                column: error.column(),
                message: without_location(&error.to_string()),
                report: FileReport::default(),
            })),
    }
}

/// Message of the parser without the location, which [`GltfError::Json`] adds.
fn without_location(message: &str) -> String {
    message
        .split(" at line ")
        .next()
        .unwrap_or(message)
        .to_owned()
}
