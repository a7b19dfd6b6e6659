//! Disables the Mesa layer that sorts GPUs. This program sorts them itself, and without a window system the layer
//! prints errors.
//!
//! The Vulkan loader reads an environment variable for that. A program cannot safely change its own environment, so it
//! executes itself again with the variable, before it reads or writes anything.

/// Variable that disables the layer, as stated in its manifest.
#[cfg(all(unix, not(target_vendor = "apple")))]
const VARIABLE: &str = "NODEVICE_SELECT";

/// Disables the layer. Commands that draw call this first. If the restart fails, the layer stays, which is harmless.
#[cfg(all(unix, not(target_vendor = "apple")))]
pub fn leave_out_device_select() {
    use std::os::unix::process::CommandExt;
    if std::env::var_os(VARIABLE).is_some() {
        return;
    }
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let mut arguments = std::env::args_os();
    let mut again = std::process::Command::new(program);
    if let Some(name) = arguments.next() {
        again.arg0(name);
    }
    // `exec` returns only on failure.
    let _ = again.args(arguments).env(VARIABLE, "1").exec();
}

/// Does nothing, because other systems do not have the layer.
#[cfg(any(not(unix), target_vendor = "apple"))]
pub fn leave_out_device_select() {}
