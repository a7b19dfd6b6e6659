//! Every public function that takes lengths, indices or numbers, called with wrong ones: a typed error, or the harmless
//! answer that its documentation promises. An index past the end panics as one of a slice does. Sizes of pictures and
//! images, a lost device and missing adapters are refused in `picture::refused`, palettes in `skin_batch`, rigs in
//! `actors`.

mod drawing;
mod pictures;
mod skinning;
