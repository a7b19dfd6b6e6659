//! Live objects and their handles. A handle is the number of a slot and of its generation, in the
//! form of a pointer. It is never dereferenced.

use crate::status::sinew_status::{SINEW_ERROR_BUSY, SINEW_ERROR_HANDLE, SINEW_ERROR_INTERNAL};
use crate::status::{Done, Failure};
use std::any::Any;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{
    Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError,
};

#[cfg(not(target_pointer_width = "64"))]
compile_error!("a handle is 64 bits: sinew-c needs a 64-bit target");

/// C type whose pointers are handles of an object.
pub(crate) trait Handle {
    type Object: Any + Send + Sync;
    /// Name in errors, for example "rig".
    const KIND: &'static str;
}

struct Slot {
    generation: u32,
    object: Option<(&'static str, Box<dyn Any + Send + Sync>)>,
}

#[derive(Default)]
struct Free {
    slots: Vec<u32>,
    made: u32,
}

const FIRST_CHUNK: usize = 64;
const CHUNKS: usize = 26;

/// Chunk `n` has `FIRST_CHUNK << n` slots. Chunks never move, so a slot is found without a lock.
static TABLE: [OnceLock<Box<[RwLock<Slot>]>>; CHUNKS] = [const { OnceLock::new() }; CHUNKS];
static FREE: Mutex<Free> = Mutex::new(Free {
    slots: Vec::new(),
    made: 0,
});

fn chunk_of(slot: u32) -> (usize, usize) {
    let n = slot as usize + FIRST_CHUNK;
    let chunk = (n.ilog2() - FIRST_CHUNK.ilog2()) as usize;
    (chunk, n - (FIRST_CHUNK << chunk))
}

fn slot(index: u32) -> Option<&'static RwLock<Slot>> {
    let (chunk, at) = chunk_of(index);
    TABLE.get(chunk)?.get()?.get(at)
}

fn slot_or_new(index: u32) -> Option<&'static RwLock<Slot>> {
    let (chunk, at) = chunk_of(index);
    let chunk_slots = TABLE.get(chunk)?.get_or_init(|| {
        let empty = |_| {
            RwLock::new(Slot {
                generation: 1,
                object: None,
            })
        };
        (0..FIRST_CHUNK << chunk).map(empty).collect()
    });
    chunk_slots.get(at)
}

/// Keeps an object and gives its handle.
pub(crate) fn keep<H: Handle>(object: H::Object) -> Done<*mut H> {
    let index = {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        let new = free.made;
        free.slots.pop().unwrap_or_else(|| {
            free.made = new.saturating_add(1);
            new
        })
    };
    let full = || Failure::new(SINEW_ERROR_HANDLE, "there are too many objects; free some");
    let slot = slot_or_new(index).ok_or_else(full)?;
    let mut slot = slot.write().unwrap_or_else(PoisonError::into_inner);
    slot.object = Some((H::KIND, Box::new(object)));
    let handle = (slot.generation as usize) << 32 | (index as usize + 1);
    Ok(std::ptr::without_provenance_mut(handle))
}

/// Number of the slot and generation in a handle.
fn parts<H: Handle>(handle: *const H) -> Done<(u32, u32)> {
    let number = handle.addr();
    if number == 0 {
        let text = format!("the {} is NULL", H::KIND);
        return Err(Failure::argument(text));
    }
    let index = (number as u32).checked_sub(1).ok_or_else(dead::<H>)?;
    Ok((index, (number >> 32) as u32))
}

fn dead<H: Handle>() -> Failure {
    let text = format!(
        "this is no live {}: it was freed before, or the value never came from this library",
        H::KIND
    );
    Failure::new(SINEW_ERROR_HANDLE, text)
}

fn refused<H: Handle, G>(error: TryLockError<G>) -> Failure {
    let kind = H::KIND;
    match error {
        TryLockError::WouldBlock => Failure::new(
            SINEW_ERROR_BUSY,
            format!(
                "the {kind} is in use by another thread or by the call that runs this callback, or this call got it twice; wait for it, or use another {kind}"
            ),
        ),
        TryLockError::Poisoned(_) => Failure::new(
            SINEW_ERROR_INTERNAL,
            format!("an earlier internal error broke the {kind}; free it"),
        ),
    }
}

impl Slot {
    fn check<H: Handle>(&self, generation: u32) -> Done {
        match &self.object {
            Some((kind, _)) if self.generation == generation && *kind == H::KIND => Ok(()),
            Some((kind, _)) if self.generation == generation => {
                let text = format!("the handle is for a {kind}, but a {} is needed", H::KIND);
                Err(Failure::new(SINEW_ERROR_HANDLE, text))
            }
            _ => Err(dead::<H>()),
        }
    }
}

/// Shared access to an object, until it is dropped.
pub(crate) struct Read<H>(RwLockReadGuard<'static, Slot>, PhantomData<H>);
/// Sole access to an object, until it is dropped.
pub(crate) struct Write<H>(RwLockWriteGuard<'static, Slot>, PhantomData<H>);

/// Shared access. Any number of threads may have it.
pub(crate) fn read<H: Handle>(handle: *const H) -> Done<Read<H>> {
    let (index, generation) = parts(handle)?;
    let slot = slot(index).ok_or_else(dead::<H>)?;
    let slot = slot.try_read().map_err(refused::<H, _>)?;
    slot.check::<H>(generation)?;
    Ok(Read(slot, PhantomData))
}

/// Sole access. Fails if any thread has access.
pub(crate) fn write<H: Handle>(handle: *mut H) -> Done<Write<H>> {
    let (index, generation) = parts(handle)?;
    let slot = slot(index).ok_or_else(dead::<H>)?;
    let slot = slot.try_write().map_err(refused::<H, _>)?;
    slot.check::<H>(generation)?;
    Ok(Write(slot, PhantomData))
}

/// Frees an object. NULL is allowed and does nothing.
pub(crate) fn free<H: Handle>(handle: *mut H) -> Done {
    if handle.is_null() {
        return Ok(());
    }
    let (index, generation) = parts(handle)?;
    let slot = slot(index).ok_or_else(dead::<H>)?;
    let mut slot = match slot.try_write() {
        Err(TryLockError::Poisoned(broken)) => broken.into_inner(),
        other => other.map_err(refused::<H, _>)?,
    };
    slot.check::<H>(generation)?;
    let object = slot.object.take();
    // A slot whose generations are used up is never used again.
    let next = slot.generation.checked_add(1);
    slot.generation = next.unwrap_or(0);
    drop(slot);
    drop(object);
    self::slot(index).inspect(|slot| slot.clear_poison());
    if next.is_some() {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        free.slots.push(index);
    }
    Ok(())
}

fn object<H: Handle>(slot: &Slot) -> &H::Object {
    let object = slot.object.as_ref();
    object
        .and_then(|(_, object)| object.downcast_ref())
        .expect("`check` found an object of this kind")
}

impl<H: Handle> Deref for Read<H> {
    type Target = H::Object;

    fn deref(&self) -> &H::Object {
        object::<H>(&self.0)
    }
}

impl<H: Handle> Deref for Write<H> {
    type Target = H::Object;

    fn deref(&self) -> &H::Object {
        object::<H>(&self.0)
    }
}

impl<H: Handle> DerefMut for Write<H> {
    fn deref_mut(&mut self) -> &mut H::Object {
        let object = self.0.object.as_mut();
        object
            .and_then(|(_, object)| object.downcast_mut())
            .expect("`check` found an object of this kind")
    }
}

/// Declares a C type and the object behind its handles.
macro_rules! handle {
    ($handle:ident, $object:ty, $kind:literal) => {
        impl $crate::table::Handle for $handle {
            type Object = $object;
            const KIND: &'static str = $kind;
        }
    };
}
pub(crate) use handle;
