//! Calls public functions with wrong lengths, indices and numbers: they return a typed error or the documented
//! harmless result. Other refusals are tested in `picture::refused` (sizes, lost device, missing adapters),
//! `skin_batch` (palettes) and `actors` (rigs).

mod drawing;
mod pictures;
mod skinning;
