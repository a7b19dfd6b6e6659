//! Pixels on the CPU: rendered pictures, loaded images, and their files.

mod basis;
pub(crate) mod decode;
pub(crate) mod environment_map;
mod environments;
mod gif_file;
mod hdr_file;
mod jpeg_file;
mod palette;
mod part;
pub(crate) mod picture;
pub(crate) mod pixels;
mod png_file;
pub(crate) mod read_texture;

pub use environment_map::EnvironmentMap;
pub use gif_file::GifWriter;
pub use hdr_file::HdrError;
pub use jpeg_file::write_jpeg;
pub use picture::{MAX_PIXELS, Picture};
pub use pixels::{Encoding, Pixels, linear_to_srgb, srgb_to_linear};
pub use png_file::{ApngWriter, read_png, write_png};
pub use read_texture::{PendingPicture, read_texture, read_texture_later};
