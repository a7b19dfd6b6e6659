//! Memory of the caller: texts, arrays, structs with a size, and outputs. Every function takes the
//! name of the argument for its error.
//!
//! All functions rely on one condition, which the header states: a pointer is NULL, or valid for
//! the stated length until the call returns.

use crate::status::{Done, Failure};
use crate::table::Handle;
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

fn null(name: &str) -> Failure {
    Failure::argument(format!("{name} is NULL"))
}

fn check<T>(name: &str, pointer: *const T) -> Done {
    if pointer.is_null() {
        return Err(null(name));
    }
    if !pointer.is_aligned() {
        let text = format!("{name} is not aligned to {} bytes", align_of::<T>());
        return Err(Failure::argument(text));
    }
    Ok(())
}

fn check_slice<T>(name: &str, pointer: *const T, len: usize) -> Done {
    check(name, pointer)?;
    let bytes = len.checked_mul(size_of::<T>());
    if bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
        let text = format!("{name} cannot have a length of {len}");
        return Err(Failure::argument(text));
    }
    Ok(())
}

/// Text in UTF-8 that ends with a NUL.
pub(crate) unsafe fn text<'a>(name: &str, text: *const c_char) -> Done<&'a str> {
    if text.is_null() {
        return Err(null(name));
    }
    // SAFETY: not NULL, so by the condition of this module it is a text with a NUL.
    let text = unsafe { CStr::from_ptr(text) };
    let not_utf8 = |_| Failure::argument(format!("{name} is not UTF-8"));
    text.to_str().map_err(not_utf8)
}

/// Array to read. NULL is allowed if the length is 0.
pub(crate) unsafe fn slice<'a, T: Copy>(
    name: &str,
    pointer: *const T,
    len: usize,
) -> Done<&'a [T]> {
    if len == 0 {
        return Ok(&[]);
    }
    check_slice(name, pointer, len)?;
    // SAFETY: aligned, not NULL and not too long, so by the condition of this module it is valid.
    // Arrays of the interface hold numbers and pointers, for which all bits are valid.
    Ok(unsafe { std::slice::from_raw_parts(pointer, len) })
}

/// Array to write. NULL is allowed if the length is 0.
pub(crate) unsafe fn slice_mut<'a, T: Copy>(
    name: &str,
    pointer: *mut T,
    len: usize,
) -> Done<&'a mut [T]> {
    if len == 0 {
        return Ok(&mut []);
    }
    check_slice(name, pointer, len)?;
    // SAFETY: as in `slice`. The caller has not lent the array to anyone else.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, len) })
}

pub(crate) fn finite(name: &str, value: f64) -> Done<f64> {
    if value.is_finite() {
        return Ok(value);
    }
    let text = format!("{name} is {value}; pass a finite number");
    Err(Failure::argument(text))
}

/// Index below `len`.
pub(crate) fn index(name: &str, index: u32, len: usize) -> Done<usize> {
    let found = index as usize;
    if found < len {
        return Ok(found);
    }
    let text = match len {
        0 => format!("{name} is {index}, but there is none"),
        _ => format!("{name} is {index}, but the last index is {}", len - 1),
    };
    Err(Failure::argument(text))
}

/// Value that the call writes.
pub(crate) unsafe fn out<'a, T>(name: &str, pointer: *mut T) -> Done<&'a mut MaybeUninit<T>> {
    check(name, pointer)?;
    // SAFETY: aligned and not NULL, so by the condition of this module it can be written.
    Ok(unsafe { &mut *pointer.cast() })
}

/// Value that the call writes unless the pointer is NULL.
pub(crate) unsafe fn out_or_null<'a, T>(
    name: &str,
    pointer: *mut T,
) -> Done<Option<&'a mut MaybeUninit<T>>> {
    if pointer.is_null() {
        return Ok(None);
    }
    out(name, pointer).map(Some)
}

/// New handle that the call writes. It is NULL if the call fails.
pub(crate) unsafe fn out_handle<'a, H: Handle>(pointer: *mut *mut H) -> Done<&'a mut *mut H> {
    let name = format_args!("the output for the {}", H::KIND).to_string();
    let written = out(&name, pointer)?;
    Ok(written.write(std::ptr::null_mut()))
}

/// Struct of the interface that may get more members. Its first member is its size in bytes.
///
/// # Safety
/// The first member of a `repr(C)` struct must be `size: usize`, and the struct must be valid for
/// all bit patterns of the other members.
pub(crate) unsafe trait Versioned: Copy {
    const NAME: &'static str;
    /// Size of the first published version of the struct.
    const FIRST_SIZE: usize = size_of::<Self>();
    fn defaults() -> Self;
}

/// Makes a struct [`Versioned`]. Members that are not listed are 0 or NULL by default. The first
/// member must be `size: usize`; the others must be numbers, or pointers that defaults leave NULL.
macro_rules! defaults {
    ($name:ident { $($member:ident: $default:expr),* $(,)? }) => {
        // SAFETY: by the condition of this macro. Nothing here dereferences a pointer.
        unsafe impl $crate::arguments::Versioned for $name {
            const NAME: &'static str = stringify!($name);

            fn defaults() -> Self {
                Self {
                    size: size_of::<Self>(),
                    $($member: $default,)*
                    // SAFETY: 0 is valid for numbers and pointers.
                    ..unsafe { std::mem::zeroed() }
                }
            }
        }
    };
}
pub(crate) use defaults;

/// Writes the defaults, for a caller that knows the first `size` bytes of the struct.
pub(crate) unsafe fn init<T: Versioned>(pointer: *mut T, size: usize) -> Done {
    check(T::NAME, pointer)?;
    check_size::<T>(size)?;
    let defaults = T::defaults();
    let known = size.min(size_of::<T>());
    // SAFETY: by the condition of this module, `size` bytes can be written. The first `known` of
    // them are in `defaults`, too. The size is the first member.
    unsafe {
        pointer.cast::<u8>().write_bytes(0, size);
        let from = (&raw const defaults).cast::<u8>();
        pointer.cast::<u8>().copy_from_nonoverlapping(from, known);
        pointer.cast::<usize>().write(size);
    }
    Ok(())
}

/// Reads the members that the caller knows. Others have their defaults.
pub(crate) unsafe fn versioned<T: Versioned>(pointer: *const T) -> Done<T> {
    check(T::NAME, pointer)?;
    // SAFETY: by the condition of this module, there are at least as many bytes as the first
    // member says, and the first member itself. All bit patterns are valid.
    unsafe {
        let size = pointer.cast::<usize>().read();
        check_size::<T>(size)?;
        let mut found = T::defaults();
        let to = (&raw mut found).cast::<u8>();
        to.copy_from_nonoverlapping(pointer.cast(), size.min(size_of::<T>()));
        Ok(found)
    }
}

/// As [`versioned`], or the defaults for NULL.
pub(crate) unsafe fn versioned_or_null<T: Versioned>(pointer: *const T) -> Done<T> {
    if pointer.is_null() {
        return Ok(T::defaults());
    }
    versioned(pointer)
}

/// Struct that the call writes with [`Report::write`], unless the pointer is NULL. Checked before
/// the call changes anything.
pub(crate) struct Report<T>(*mut T, usize);

pub(crate) unsafe fn report<T: Versioned>(pointer: *mut T) -> Done<Report<T>> {
    if pointer.is_null() {
        return Ok(Report(pointer, 0));
    }
    check(T::NAME, pointer)?;
    // SAFETY: aligned and not NULL, so by the condition of this module its first member is valid.
    let size = unsafe { pointer.cast::<usize>().read() };
    check_size::<T>(size)?;
    Ok(Report(pointer, size))
}

impl<T: Versioned> Report<T> {
    /// Writes the members that the caller knows.
    pub unsafe fn write(self, value: T) {
        let Self(pointer, size) = self;
        if pointer.is_null() {
            return;
        }
        // SAFETY: `report` checked the pointer and the size. The size is the first member.
        unsafe {
            let (from, to) = ((&raw const value).cast::<u8>(), pointer.cast::<u8>());
            to.copy_from_nonoverlapping(from, size.min(size_of::<T>()));
            pointer.cast::<usize>().write(size);
        }
    }
}

fn check_size<T: Versioned>(size: usize) -> Done {
    // No version will have so many bytes, so a larger size is garbage.
    if (T::FIRST_SIZE..=4096).contains(&size) {
        return Ok(());
    }
    let text = format!(
        "{0}.size is {size}; it must be sizeof({0}): call {0}_init, or set it first",
        T::NAME
    );
    Err(Failure::argument(text))
}
