use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::context::{Context, Stopped};
use super::member::{List, Member, Members, Object};
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

/// Members of a reader, and the error that stopped it.
struct Reader<'de, A: MapAccess<'de>> {
    map: A,
    error: Option<A::Error>,
}

impl<'de, A: MapAccess<'de>> Reader<'de, A> {
    fn read<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Stopped> {
        let read = self.map.next_value_seed(seed);
        read.map_err(|error| {
            self.error = Some(error);
            Stopped
        })
    }
}

impl<'de, A: MapAccess<'de>> Members<'de> for Reader<'de, A> {
    fn value(&mut self) -> Result<&'de RawValue, Stopped> {
        self.read(PhantomData::<&'de RawValue>)
    }

    fn object(
        &mut self,
        context: &mut Context<'_>,
        object: &mut dyn Object,
    ) -> Result<bool, Stopped> {
        self.read(ObjectSeed::whole(context, object))
    }

    fn objects(
        &mut self,
        context: &mut Context<'_>,
        nested: bool,
        list: &mut dyn List,
    ) -> Result<(), Stopped> {
        self.read(ObjectsSeed {
            context,
            nested,
            list,
        })
    }
}

/// The error of a reader that the budget stopped. [`read_document`] reports the budget instead.
fn over_budget<E: Error>() -> E {
    E::custom("over the memory limit")
}

/// Reads an object, or reports a value that is not an object.
struct ObjectSeed<'c, 'r> {
    context: &'c mut Context<'r>,
    location: Location,
    object: &'c mut dyn Object,
}

impl<'c, 'r> ObjectSeed<'c, 'r> {
    fn whole(context: &'c mut Context<'r>, object: &'c mut dyn Object) -> Self {
        ObjectSeed {
            context,
            location: Location::Member,
            object,
        }
    }

    fn mismatch<E>(self, found: &str) -> Result<bool, E> {
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
        Ok(false)
    }
}

impl<'de> DeserializeSeed<'de> for ObjectSeed<'_, '_> {
    type Value = bool;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ObjectSeed<'_, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let (context, object) = (self.context, self.object);
        let outside = match self.location {
            Location::Member => context.pointer.len(),
            Location::Element(index) | Location::NestedElement(index) => context.enter_index(index),
        };
        let required = object.required();
        let mut required_seen = 0_u32;
        let mut reader = Reader { map, error: None };
        while let Some(name) = reader.map.next_key_seed(NameSeed)? {
            if let Some(position) = required.iter().position(|required| *required == name) {
                required_seen |= 1 << position;
            }
            let here = context.enter_name(&name);
            let member = Member {
                name,
                map: &mut reader,
                context: &mut *context,
            };
            if object.read_member(member).is_err() {
                return Err(reader.error.unwrap_or_else(over_budget));
            }
            context.leave(here);
        }
        for (position, name) in required.iter().enumerate() {
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
        Ok(true)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        self.mismatch("an array")
    }

    scalars_are_mismatches!();
}

/// Reads an array of objects. Other values become default objects, so that indices stay valid.
struct ObjectsSeed<'c, 'r> {
    context: &'c mut Context<'r>,
    nested: bool,
    list: &'c mut dyn List,
}

impl ObjectsSeed<'_, '_> {
    fn mismatch<E>(self, found: &str) -> Result<(), E> {
        let message = format_args!("expected an array, found {found}");
        self.context.add(Severity::Error, "TYPE_MISMATCH", message);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for ObjectsSeed<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ObjectsSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        loop {
            let element = ElementSeed(ObjectsSeed {
                context: &mut *self.context,
                nested: self.nested,
                list: &mut *self.list,
            });
            if seq.next_element_seed(element)?.is_none() {
                break;
            }
        }
        self.context.refuse_empty(self.list.len(), "an array");
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        self.mismatch("an object")
    }

    scalars_are_mismatches!();
}

/// Reads the next object of a list.
struct ElementSeed<'c, 'r>(ObjectsSeed<'c, 'r>);

impl<'de> DeserializeSeed<'de> for ElementSeed<'_, '_> {
    type Value = bool;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let ObjectsSeed {
            context,
            nested,
            list,
        } = self.0;
        let location = match (nested, list.len()) {
            (true, index) => Location::NestedElement(index),
            (false, index) => Location::Element(index),
        };
        let object = list.add(context).map_err(|Stopped| over_budget())?;
        deserializer.deserialize_any(ObjectSeed {
            context,
            location,
            object,
        })
    }
}

impl Member<'_, '_, '_> {
    pub(crate) fn object<T: Object + Default>(self) -> Result<Option<T>, Stopped> {
        let mut object = T::default();
        let is_object = self.map.object(self.context, &mut object)?;
        Ok(is_object.then_some(object))
    }

    /// Reads a rare object into a box.
    pub(crate) fn boxed<T: Object + Default>(self) -> Result<Option<Box<T>>, Stopped> {
        let mut object = Box::<T>::default();
        let is_object = self.map.object(self.context, &mut *object)?;
        self.context.charge(size_of::<T>())?;
        Ok(is_object.then_some(object))
    }

    pub(crate) fn root_objects<T: Object + Default>(self) -> Result<Vec<T>, Stopped> {
        self.list(false)
    }

    pub(crate) fn objects<T: Object + Default>(self) -> Result<Vec<T>, Stopped> {
        self.list(true)
    }

    fn list<T: Object + Default>(self, nested: bool) -> Result<Vec<T>, Stopped> {
        let mut list: Vec<T> = Vec::new();
        self.map.objects(self.context, nested, &mut list)?;
        Ok(list)
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
pub(crate) fn read_document<T: Object + Default>(
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
    let mut object = T::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = ObjectSeed::whole(&mut context, &mut object).deserialize(&mut deserializer);
    match read.and_then(|is_object| deserializer.end().map(|()| is_object)) {
        Ok(is_object) => Ok(is_object.then_some(object)),
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
