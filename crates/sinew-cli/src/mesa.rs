//! Disables Mesa's layer that sorts GPUs: we sort them, and without a window system it prints errors.
//!
//! The Vulkan loader reads an environment variable for that. A program cannot safely change its own environment, so it
//! executes itself again with it, before it has read or written anything.

/// Variable in the layer's manifest that disables it.
#[cfg(all(unix, not(target_vendor = "apple")))]
const VARIABLE: &str = "NODEVICE_SELECT";

/// Disables the layer; verbs that draw call it first. If the restart fails, the layer stays, which does no harm.
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
    // Returns on failure only.
    let _ = again.args(arguments).env(VARIABLE, "1").exec();
}

/// Does nothing: other systems lack the layer.
#[cfg(any(not(unix), target_vendor = "apple"))]
pub fn leave_out_device_select() {}
