//! Keeps Mesa's layer that sorts GPUs out of the program: we sort them ourselves, and on a machine without a window
//! system it looks for one and complains on standard error.
//!
//! The layer is left out by a variable of the environment, which the Vulkan loader reads. A program cannot safely
//! change its own, so it starts itself again with it: the same process, before anything was read or written.

/// What the layer's manifest calls the variable that leaves it out.
#[cfg(all(unix, not(target_vendor = "apple")))]
const VARIABLE: &str = "NODEVICE_SELECT";

/// To be called before any work by verbs that draw. Where starting again fails, the layer stays and nothing is lost.
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
    // Comes back only when it fails.
    let _ = again.args(arguments).env(VARIABLE, "1").exec();
}

/// Mesa's layer is not on other systems.
#[cfg(any(not(unix), target_vendor = "apple"))]
pub fn leave_out_device_select() {}
