//! Window on a desktop.

use super::steps::Steps;
use crate::document::journal_folder;
use crate::script::Step;
use crate::session::Session;
use crate::state::FileCommand;
use crate::viewer::Viewer;
use eframe::{NativeOptions, Renderer};
use egui_wgpu::{WgpuSetup, WgpuSetupCreateNew};
use sinew_gpu::wgpu;
use sinew_gpu::{Gpu, GpuError, RenderError};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use thiserror::Error;

/// Error of the window.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WindowError {
    /// There is no window system, or it rejected the window.
    #[error(
        "cannot open a window: {0}; without a display, `sinew info` and `sinew render` still work"
    )]
    Window(String),
    /// The graphics device lacks a feature.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The device failed to draw.
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// Opens a window and runs it until the user closes it.
///
/// # Errors
/// If there is no window system, or no device that can draw.
pub fn open_window(session: Session, steps: &[Step]) -> Result<(), WindowError> {
    let options = NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Sinew")
            .with_app_id("sinew")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([320.0, 240.0])
            .with_drag_and_drop(true),
        renderer: Renderer::Wgpu,
        wgpu_options: egui_wgpu::WgpuConfiguration {
            wgpu_setup: WgpuSetup::CreateNew(setup()),
            ..Default::default()
        },
        persist_window: false,
        ..NativeOptions::default()
    };
    let mut waiting = Steps::default();
    waiting.add(steps.to_vec());
    let made = eframe::run_native(
        "Sinew",
        options,
        Box::new(move |context| Ok(Box::new(Window::new(context, session, waiting)?))),
    );
    made.map_err(|error| WindowError::Window(reason(&error)))
}

/// Text of an error without the source location that winit adds.
fn reason(error: &eframe::Error) -> String {
    let text = error.to_string();
    match error {
        eframe::Error::WinitEventLoop(_) => text.rsplit(": ").next().unwrap_or(&text).to_owned(),
        _ => text,
    }
}

/// Requests a device with the limits of the renderer, in hardware if possible.
fn setup() -> WgpuSetupCreateNew {
    let mut setup = WgpuSetupCreateNew::without_display_handle();
    setup.instance_descriptor.backends =
        wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
    let take_any = wgpu::InstanceFlags::ALLOW_UNDERLYING_NONCOMPLIANT_ADAPTER;
    setup.instance_descriptor.flags.insert(take_any);
    setup
        .instance_descriptor
        .flags
        .remove(wgpu::InstanceFlags::VALIDATION);
    setup.device_descriptor = Arc::new(|adapter| {
        let limits = adapter.limits();
        wgpu::DeviceDescriptor {
            label: Some("sinew"),
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            required_limits: wgpu::Limits {
                max_texture_dimension_2d: limits.max_texture_dimension_2d,
                max_buffer_size: limits.max_buffer_size,
                max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
                ..Gpu::needed_limits()
            },
            ..Default::default()
        }
    });
    setup
}

struct Window {
    viewer: Viewer,
    steps: Steps,
    chosen: Option<Receiver<Vec<PathBuf>>>,
}

impl Window {
    fn new(
        context: &eframe::CreationContext<'_>,
        mut session: Session,
        steps: Steps,
    ) -> Result<Self, WindowError> {
        session.keep_journals(journal_folder());
        let Some(state) = &context.wgpu_render_state else {
            let why = "it has no graphics device".to_owned();
            return Err(WindowError::Window(why));
        };
        let (adapter, device) = (state.adapter.clone(), state.device.clone());
        let gpu = Gpu::from_parts(adapter, device, state.queue.clone())?;
        gpu.take_errors();
        end_when_lost(&gpu.device);
        Ok(Self {
            viewer: Viewer::new(session, Arc::new(gpu))?,
            steps,
            chosen: None,
        })
    }

    fn take_files(&mut self, ui: &egui::Ui) {
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        let dropped = dropped.into_iter().map(|file| file.path().to_path_buf());
        let mut paths: Vec<PathBuf> = dropped.collect();
        if let Some(chosen) = &self.chosen
            && let Ok(answer) = chosen.try_recv()
        {
            paths.extend(answer);
            self.chosen = None;
        }
        for path in paths {
            self.viewer.run(FileCommand::Open { path });
        }
    }

    fn ask_for_files(&mut self, context: egui::Context) {
        let (answer, chosen) = channel();
        self.chosen = Some(chosen);
        std::thread::spawn(move || {
            let _ = answer.send(pick_files());
            context.request_repaint();
        });
    }
}

#[cfg(feature = "desktop")]
fn pick_files() -> Vec<PathBuf> {
    let dialog = rfd::FileDialog::new().set_title("Open").add_filter(
        "Characters and motions",
        &[
            "glb", "gltf", "vrm", "fbx", "bvh", "c3d", "obj", "ply", "sinew",
        ],
    );
    dialog.pick_files().unwrap_or_default()
}

#[cfg(not(feature = "desktop"))]
fn pick_files() -> Vec<PathBuf> {
    eprintln!("sinew: this window was built without file dialogs; drop files on it instead");
    Vec::new()
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        for missing in self.steps.take(&mut self.viewer, ui) {
            eprintln!("sinew: {missing}");
        }
        self.take_files(ui);
        if let Some(state) = frame.wgpu_render_state() {
            self.viewer.show(ui, &mut state.renderer.write());
        }
        let quit = |input: &mut egui::InputState| {
            input.consume_key(egui::Modifiers::COMMAND, egui::Key::Q)
        };
        if ui.input_mut(quit) || self.viewer.is_quitting() {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
        }
        if ui.input(|input| input.viewport().close_requested()) {
            if self.viewer.may_quit() {
                self.viewer.discard_edits();
            } else {
                ui.ctx()
                    .send_viewport_cmd(egui::ViewportCommand::CancelClose);
            }
        }
        if self.viewer.take_requests().open_dialog && self.chosen.is_none() {
            self.ask_for_files(ui.ctx().clone());
        }
    }
}

/// Exits with an error if the device is lost, because the window cannot show anything.
fn end_when_lost(device: &wgpu::Device) {
    device.set_device_lost_callback(|reason, why| {
        if let Some(message) = lost_message(reason, &why) {
            eprintln!("{message}");
            std::process::exit(1);
        }
    });
}

fn lost_message(reason: wgpu::DeviceLostReason, why: &str) -> Option<String> {
    match reason {
        wgpu::DeviceLostReason::Destroyed => None,
        wgpu::DeviceLostReason::Unknown => {
            Some(format!("sinew: the graphics device was lost: {why}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu::DeviceLostReason::{Destroyed, Unknown};

    #[test]
    fn a_lost_device_has_the_last_word_and_a_closed_window_none() {
        let message = lost_message(Unknown, "it fell off the bus");
        let message = message.expect("nothing can be drawn any more");
        assert!(message.starts_with("sinew: ") && message.ends_with("it fell off the bus"));
        assert_eq!(lost_message(Destroyed, "closed"), None);
    }
}
