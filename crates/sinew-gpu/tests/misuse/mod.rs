//! Calls with wrong lengths, indices and numbers. They return a typed error or a documented
//! harmless result. Other errors are tested in `picture::refused` (sizes, lost device, missing
//! adapters), `skin_batch` (palettes) and `actors` (rigs).

mod drawing;
mod pictures;
mod skinning;
