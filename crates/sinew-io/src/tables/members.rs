//! Members of JSON objects, with errors that name them.

use super::TableError;
use serde_json::{Map, Value};
use sinew::transform::Transform;

/// A JSON object and its path in the file.
pub(super) struct Members<'a> {
    pub path: String,
    all: &'a Map<String, Value>,
}

impl<'a> Members<'a> {
    /// Members of an object, all of which must be in `known`.
    pub fn new(path: String, value: &'a Value, known: &[&str]) -> Result<Self, TableError> {
        let Some(all) = value.as_object() else {
            return Err(wrong(path, "this must be an object".to_owned()));
        };
        if let Some(name) = all.keys().find(|name| !known.contains(&name.as_str())) {
            let expected = format!("this member is unknown; known are {}", known.join(", "));
            return Err(wrong(joined(&path, name), expected));
        }
        Ok(Self { path, all })
    }

    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.all.get(name)
    }

    pub fn text(&self, name: &str) -> Result<&'a str, TableError> {
        let text = self.get(name).and_then(Value::as_str);
        text.ok_or_else(|| self.wrong(name, "a text is expected here"))
    }

    /// Number, or `default` if the member is absent.
    pub fn number(&self, name: &str, default: f32) -> Result<f32, TableError> {
        match self.get(name) {
            None => Ok(default),
            Some(value) => {
                finite(value).ok_or_else(|| self.wrong(name, "a number is expected here"))
            }
        }
    }

    pub fn numbers<const N: usize>(&self, name: &str) -> Result<Option<[f32; N]>, TableError> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let list = value.as_array().filter(|list| list.len() == N);
        let list = list.and_then(|list| list.iter().map(finite).collect::<Option<Vec<f32>>>());
        let list = list.and_then(|list| list.try_into().ok());
        list.map(Some)
            .ok_or_else(|| self.wrong(name, &format!("{N} numbers are expected here")))
    }

    pub fn list(&self, name: &str) -> Result<&'a [Value], TableError> {
        let list = self.get(name).and_then(Value::as_array);
        list.map(Vec::as_slice)
            .ok_or_else(|| self.wrong(name, "a list is expected here"))
    }

    /// Members `translation`, `rotation` and `scale`. Absent ones are those of the identity.
    pub fn transform(&self) -> Result<Transform, TableError> {
        let mut transform = Transform::IDENTITY;
        if let Some(translation) = self.numbers("translation")? {
            transform.translation = translation.into();
        }
        if let Some(rotation) = self.numbers("rotation")? {
            transform.rotation = glam::Quat::from_array(rotation);
        }
        if let Some(scale) = self.numbers("scale")? {
            transform.scale = scale.into();
        }
        Ok(transform)
    }

    pub fn wrong(&self, name: &str, expected: &str) -> TableError {
        wrong(joined(&self.path, name), expected.to_owned())
    }
}

/// Reads the object of a file with this value of `format`.
pub(super) fn document(text: &str) -> Result<Value, TableError> {
    serde_json::from_str(text).map_err(|error| TableError::Json {
        message: error.to_string(),
    })
}

/// Text of the parts of a transform that differ from the identity, each after a comma.
pub(super) fn transform_text(transform: &Transform) -> String {
    let (mut text, plain) = (String::new(), Transform::IDENTITY);
    if transform.translation != plain.translation {
        let translation = numbers_text(&transform.translation.to_array());
        text += &format!(", \"translation\": {translation}");
    }
    if transform.rotation != plain.rotation {
        let rotation = numbers_text(&transform.rotation.to_array());
        text += &format!(", \"rotation\": {rotation}");
    }
    if transform.scale != plain.scale {
        text += &format!(", \"scale\": {}", numbers_text(&transform.scale.to_array()));
    }
    text
}

pub(super) fn numbers_text(numbers: &[f32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(f32::to_string).collect();
    format!("[{}]", numbers.join(", "))
}

pub(super) fn name_text(name: &str) -> String {
    Value::from(name).to_string()
}

fn finite(value: &Value) -> Option<f32> {
    let number = value.as_f64()? as f32;
    number.is_finite().then_some(number)
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn wrong(at: String, expected: String) -> TableError {
    let at = if at.is_empty() { "file".to_owned() } else { at };
    TableError::Member { at, expected }
}
