//! `--scale`: the unit of a file, given by the user or detected.

pub use sinew_batch::notation::Scale;
pub use sinew_batch::units::{apply, apply_to_person, doubt, metres};

/// The option --scale.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ScaleOption {
    /// Metres per unit of the file, such as 0.01 for centimetres. All lengths in the file are multiplied by this factor
    /// first; lengths in other options are in metres. `auto` uses the unit that the file states. If the file states
    /// none, `auto` uses a unit that makes the skeleton as tall as a person. `sinew compress` uses the factor only to
    /// measure errors and does not change the motion
    #[arg(
        long,
        value_name = "FACTOR",
        default_value = "1",
        allow_negative_numbers = true
    )]
    pub scale: Scale,
}
