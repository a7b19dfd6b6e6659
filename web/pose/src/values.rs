//! Conversion of values of JavaScript: bytes, numbers, joints, events and views of memory.

use sinew::graph::EventPayload;
use sinew::{ActorError, Event, Skeleton, names};
use wasm_bindgen::prelude::*;

/// Max size of a file, in bytes. Memory of WebAssembly ends at 4 GiB.
const MAX_FILE_BYTES: f64 = (512 << 20) as f64;

#[wasm_bindgen(raw_module = "./values.js")]
extern "C" {
    /// Number of bytes, or -1 for a value that holds no bytes.
    #[wasm_bindgen(js_name = byteLength)]
    fn byte_length(bytes: &JsValue) -> f64;
    #[wasm_bindgen(js_name = copyBytes)]
    fn copy_bytes(bytes: &JsValue, out: &mut [u8]);
    /// Length of an array, or -1 for another value.
    #[wasm_bindgen(js_name = listLength)]
    fn list_length(list: &JsValue) -> f64;
    /// Copies numbers, with NaN for other values.
    #[wasm_bindgen(js_name = copyNumbers)]
    fn copy_numbers(list: &JsValue, out: &mut [f32]);
    /// Writes numbers if they fit. Returns the length of `out`, or -1 if it is not a `Float32Array`.
    #[wasm_bindgen(js_name = writeFloats)]
    fn write_floats(out: &JsValue, first: u32, floats: &[f32]) -> f64;
    #[wasm_bindgen(js_name = viewOfFloats)]
    fn view_of_floats(memory: JsValue, address: u32, len: u32) -> JsValue;
    /// Frozen list without events.
    #[wasm_bindgen(js_name = noEvents)]
    fn no_events() -> JsValue;
    #[wasm_bindgen(js_name = newList)]
    fn new_list() -> JsValue;
    #[wasm_bindgen(js_name = pushEvent)]
    fn push_event(
        list: &JsValue,
        name: &str,
        time_secs: f32,
        weight: f32,
        text: Option<String>,
        number: Option<f32>,
        member: Option<u32>,
    );
    /// Object of a step of root motion.
    pub type StepObject;
    #[wasm_bindgen(js_name = rootStep)]
    pub fn root_step(x: f64, y: f64, z: f64, heading_rad: f64) -> StepObject;
}

/// List of events for JavaScript. A step without events makes no object.
#[derive(Default)]
pub struct Events {
    list: Option<JsValue>,
}

impl Events {
    /// Adds an event of a clip.
    pub fn push(&mut self, event: &Event) {
        let list = self.list.get_or_insert_with(new_list);
        push_event(list, &event.name, event.time_secs, 1.0, None, None, None);
    }

    /// Adds an event of a graph, and the member of a crowd that it belongs to.
    pub fn push_fired(
        &mut self,
        name: &str,
        time_secs: f32,
        weight: f32,
        payload: Option<&EventPayload>,
        member: Option<u32>,
    ) {
        let list = self.list.get_or_insert_with(new_list);
        let text = payload.and_then(|payload| payload.text.clone());
        let number = payload.and_then(|payload| payload.number);
        push_event(list, name, time_secs, weight, text, number, member);
    }

    pub fn into_list(self) -> JsValue {
        self.list.unwrap_or_else(no_events)
    }
}

/// Copy of the bytes of a file.
pub fn bytes_of(value: &JsValue) -> Result<Vec<u8>, JsError> {
    let len = byte_length(value);
    if len < 0.0 {
        return Err(JsError::new(
            "a file must be a Uint8Array or an ArrayBuffer; read it first, for example with fetch",
        ));
    }
    if len > MAX_FILE_BYTES {
        return Err(JsError::new(&format!(
            "the file has {len} bytes, more than the {MAX_FILE_BYTES} that this build loads; leave out its pictures"
        )));
    }
    let mut bytes = vec![0; len as usize];
    copy_bytes(value, &mut bytes);
    Ok(bytes)
}

/// Finite numbers of a list with this length.
pub fn numbers<const N: usize>(what: &str, list: &JsValue) -> Result<[f32; N], JsError> {
    let mut out = [0.0; N];
    fill(what, list, &mut out)?;
    Ok(out)
}

/// Fills `out` from a list of finite numbers with the same length.
pub fn fill(what: &str, list: &JsValue, out: &mut [f32]) -> Result<(), JsError> {
    let (found, expected) = (list_length(list), out.len());
    if found < 0.0 {
        return Err(JsError::new(&format!(
            "{what} must be a list of {expected} numbers"
        )));
    }
    if found != expected as f64 {
        return Err(JsError::new(&format!(
            "{what} has {found} numbers instead of {expected}"
        )));
    }
    copy_numbers(list, out);
    match out.iter().position(|x| !x.is_finite()) {
        Some(at) => Err(JsError::new(&format!(
            "number {at} of {what} is not finite"
        ))),
        None => Ok(()),
    }
}

/// The number, if it is finite.
pub fn finite(what: &str, value: f64) -> Result<f64, JsError> {
    match value.is_finite() {
        true => Ok(value),
        false => Err(JsError::new(&format!(
            "the {what} is {value}; it must be a finite number"
        ))),
    }
}

/// Writes floats to a `Float32Array` of the caller, from index `first`.
pub fn write(out: &JsValue, first: Option<u32>, floats: &[f32]) -> Result<(), JsError> {
    let first = first.unwrap_or(0);
    let needed = f64::from(first) + floats.len() as f64;
    check_length(write_floats(out, first, floats), needed)
}

/// Checks that an output of the caller is a `Float32Array` with room for `needed` numbers.
pub fn check_room(out: &JsValue, needed: f64) -> Result<(), JsError> {
    check_length(write_floats(out, 0, &[]), needed)
}

fn check_length(found: f64, needed: f64) -> Result<(), JsError> {
    if found < 0.0 {
        return Err(JsError::new("the output must be a Float32Array"));
    }
    if found < needed {
        return Err(JsError::new(&format!(
            "the output has {found} numbers; it needs {needed}"
        )));
    }
    Ok(())
}

/// `Float32Array` over floats in the memory of the program.
pub fn view(floats: &[f32]) -> JsValue {
    view_of_floats(
        wasm_bindgen::memory(),
        floats.as_ptr() as usize as u32,
        floats.len() as u32,
    )
}

/// Joint by name or index.
pub fn joint(skeleton: &Skeleton, value: &JsValue) -> Result<usize, JsError> {
    if let Some(name) = value.as_string() {
        let found = skeleton.find(&name);
        return found.ok_or_else(|| {
            let hint = names::hint(&name, (0..skeleton.len()).map(|j| skeleton.name(j)));
            ActorError::NoSuchJoint { name, hint }.into()
        });
    }
    let len = skeleton.len();
    match value.as_f64() {
        Some(index) if index >= 0.0 && index < len as f64 && index.fract() == 0.0 => {
            Ok(index as usize)
        }
        Some(index) => Err(JsError::new(&format!(
            "there is no joint {index}: the skeleton has {len}"
        ))),
        None => Err(JsError::new("a joint must be a name or an index")),
    }
}
