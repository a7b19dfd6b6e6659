//! Wrong lengths, indices and numbers give a typed error or a harmless result. See also
//! `picture::refused` (sizes, devices), `skin_batch` (palettes) and `actors` (rigs).

mod drawing;
mod pictures;
mod skinning;
