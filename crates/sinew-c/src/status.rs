//! Status of a call, and the text of the last error.

use sinew::clip::packed::PackedError;
use sinew::graph::{GraphError, JsonError, PlayError};
use sinew::ik::IkError;
use sinew::measure::MeasureError;
use sinew::pose::PoseMismatch;
use sinew::transform::TransformError;
use sinew::{ActorError, RigError};
use sinew_io::gltf::ExportError;
use sinew_pack::PackError;
use sinew_rig::retarget::RetargetError;
use sinew_rig::weights::BindCharacterError;
use std::any::{Any, type_name};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Result of a call. After an error, `sinew_error_text` explains it, and the call has changed
/// nothing (except after `SINEW_ERROR_INTERNAL`).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sinew_status {
    /// Done.
    SINEW_OK = 0,
    /// An argument is NULL, too short, not finite or out of range.
    SINEW_ERROR_ARGUMENT = 1,
    /// The handle was freed, is of another type, or never came from this library.
    SINEW_ERROR_HANDLE = 2,
    /// Another thread, or the call whose callback is running, is using the object.
    SINEW_ERROR_BUSY = 3,
    /// There is no clip, joint, state or parameter with this name.
    SINEW_ERROR_NAME = 4,
    /// The file cannot be read or written, or its bytes are not valid.
    SINEW_ERROR_FILE = 5,
    /// The content does not allow this: a clip that cannot be packed, a graph with a wrong name.
    SINEW_ERROR_CONTENT = 6,
    /// The objects belong to different rigs.
    SINEW_ERROR_RIG = 7,
    /// A defect of this library. An object that the call was changing can only be freed; others
    /// stay usable. Please report it with the text.
    SINEW_ERROR_INTERNAL = 8,
}

use sinew_status::*;

thread_local! {
    static TEXT: RefCell<CString> = RefCell::default();
}

/// Text of the last error of this thread: the call, the problem, its location and a remedy, in
/// UTF-8. Empty before the first error. Valid until the next error of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_error_text() -> *const c_char {
    let text = TEXT.try_with(|text| text.borrow().as_ptr());
    // Only while a thread ends.
    text.unwrap_or(c"".as_ptr())
}

/// Version of the library, for example "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn sinew_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    let version = CStr::from_bytes_with_nul(VERSION.as_bytes());
    version.map_or(c"".as_ptr(), CStr::as_ptr)
}

/// Reason why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub status: sinew_status,
    pub text: String,
}

pub(crate) type Done<T = ()> = Result<T, Failure>;

impl Failure {
    pub fn new(status: sinew_status, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { status, text }
    }

    pub fn argument(text: impl Into<String>) -> Self {
        Self::new(SINEW_ERROR_ARGUMENT, text)
    }
}

/// Runs the body of an exported function. Catches panics and keeps the text of an error.
pub(crate) fn call<F: FnOnce() -> Done>(body: F) -> sinew_status {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return SINEW_OK,
        Ok(Err(failure)) => failure,
        Err(panic) => panicked(&*panic),
    };
    let text = format!("{}: {}", function_of::<F>(), failure.text);
    // Only while a thread ends, nobody can ask for the text any more.
    let _ = TEXT.try_with(|kept| kept.replace(c_string(&text)));
    failure.status
}

/// Name of the exported function around a closure.
fn function_of<F>() -> &'static str {
    let path = type_name::<F>();
    let mut names = path.rsplit("::");
    names.find(|name| !name.contains('{')).unwrap_or(path)
}

fn panicked(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("no message");
    Failure::new(
        SINEW_ERROR_INTERNAL,
        format!("internal error: {text}; free the object that was in use, and report this defect"),
    )
}

/// Copy of a text for C. Ends at the first NUL.
pub(crate) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

impl From<RigError> for Failure {
    fn from(error: RigError) -> Self {
        let status = match error {
            RigError::NoSuchClip { .. } => SINEW_ERROR_NAME,
            _ => SINEW_ERROR_CONTENT,
        };
        Self::new(status, error.to_string())
    }
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Self {
        let status = match error {
            PlayError::Unknown { .. } => SINEW_ERROR_NAME,
            PlayError::Joints { .. } | PlayError::OtherWorkspace => SINEW_ERROR_RIG,
            _ => SINEW_ERROR_ARGUMENT,
        };
        Self::new(status, error.to_string())
    }
}

impl From<ActorError> for Failure {
    fn from(error: ActorError) -> Self {
        let status = match error {
            ActorError::Play(error) => return error.into(),
            ActorError::NoSuchJoint { .. } => SINEW_ERROR_NAME,
            ActorError::OtherRig { .. } | ActorError::Clip(_) | ActorError::Pose(_) => {
                SINEW_ERROR_RIG
            }
            _ => SINEW_ERROR_ARGUMENT,
        };
        Self::new(status, error.to_string())
    }
}

/// Errors whose every cause has the same status.
macro_rules! statuses {
    ($($error:ty: $status:expr,)*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::new($status, error.to_string())
            }
        }
    )*};
}

statuses! {
    BindCharacterError: SINEW_ERROR_CONTENT,
    ExportError: SINEW_ERROR_FILE,
    GraphError: SINEW_ERROR_CONTENT,
    IkError: SINEW_ERROR_ARGUMENT,
    JsonError: SINEW_ERROR_CONTENT,
    MeasureError: SINEW_ERROR_CONTENT,
    PackError: SINEW_ERROR_CONTENT,
    PackedError: SINEW_ERROR_FILE,
    PoseMismatch: SINEW_ERROR_RIG,
    RetargetError: SINEW_ERROR_CONTENT,
    TransformError: SINEW_ERROR_ARGUMENT,
}
