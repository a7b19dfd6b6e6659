//! Drives every panel by the names of its widgets, and compares pictures with stored ones.

mod angles;
mod choosing;
mod chosen_joints;
mod comparing;
mod keeping;
mod keying;
mod layout;
mod looking;
mod materials;
mod names;
mod over;
mod pictures;
mod playing;
mod posing;
mod pulling;
mod sizes;
#[path = "../../../sinew-gpu/tests/common/stored.rs"]
mod stored;
mod writing;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_wgpu::{Renderer, RendererOptions};
use sinew_gpu::{Gpu, GpuError, wgpu};
use sinew_view::state::State;
use sinew_view::{Command, PlaybackCommand, Session, Viewer};
use std::sync::{Arc, OnceLock};

/// Device for all tests, or `None` if tests may run without a device.
fn gpu() -> Option<Arc<Gpu>> {
    static GPU: OnceLock<Option<Arc<Gpu>>> = OnceLock::new();
    let made = GPU.get_or_init(|| match Gpu::new() {
        Ok(gpu) => Some(Arc::new(gpu)),
        Err(GpuError::NoAdapter) if std::env::var_os("SINEW_REQUIRE_GPU").is_none() => None,
        Err(error) => panic!("{error}"),
    });
    if made.is_none() {
        eprintln!("SKIPPED: {}", GpuError::NoAdapter);
    }
    made.clone()
}

/// True for widgets that people use, not for labels and areas.
fn is_used(role: egui::Role) -> bool {
    use egui::Role;
    matches!(
        role,
        Role::Button
            | Role::CheckBox
            | Role::Slider
            | Role::SpinButton
            | Role::TextInput
            | Role::Tab
            | Role::TreeItem
            | Role::ListItem
            | Role::DisclosureTriangle
            | Role::Image
    )
}

struct Window {
    viewer: Viewer,
    textures: Renderer,
}

struct Driver(Harness<'static, Window>);

impl Driver {
    fn new(session: Session) -> Option<Self> {
        Self::sized(session, egui::vec2(1000.0, 900.0), 0.4)
    }

    /// Window of a size in points.
    fn sized(session: Session, size: egui::Vec2, pixels_per_point: f32) -> Option<Self> {
        let gpu = gpu()?;
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let textures = Renderer::new(&gpu.device, format, RendererOptions::PREDICTABLE);
        let viewer = Viewer::new(session, gpu).expect("a viewer");
        let mut window = Window { viewer, textures };
        window.viewer.run(PlaybackCommand::Pause);
        window.viewer.wait();
        let harness = Harness::builder()
            .with_size(size)
            .with_pixels_per_point(pixels_per_point)
            .build_ui_state(
                |ui, window: &mut Window| window.viewer.show(ui, &mut window.textures),
                window,
            );
        let mut driver = Self(harness);
        driver.frames(3);
        Some(driver)
    }

    fn frames(&mut self, frames: usize) {
        self.0.run_steps(frames);
    }

    fn session(&self) -> &Session {
        self.0.state().viewer.session()
    }

    fn state(&self) -> &State {
        self.session().state()
    }

    #[track_caller]
    fn click(&mut self, name: &str) {
        self.0.get_by_label(name).click();
        self.frames(2);
    }

    fn has(&self, name: &str) -> bool {
        self.0.query_by_label(name).is_some()
    }

    fn run(&mut self, command: impl Into<Command>) {
        self.0.state_mut().viewer.run(command);
        self.frames(2);
    }

    /// Drags between two points of a widget, as fractions of its size.
    fn drag(&mut self, name: &str, from: [f32; 2], to: [f32; 2]) {
        let rect = self.0.get_by_label(name).rect();
        let at =
            |part: [f32; 2]| rect.min + egui::vec2(part[0] * rect.width(), part[1] * rect.height());
        self.0.hover_at(at(from));
        self.frames(1);
        self.0.drag_at(at(from));
        self.frames(1);
        self.0.hover_at(at(to));
        self.frames(2);
        self.0.drop_at(at(to));
        self.frames(2);
    }

    fn key(&mut self, key: egui::Key) {
        self.0.key_press(key);
        self.frames(2);
    }

    fn wait(&mut self) {
        self.0.state_mut().viewer.wait();
        self.frames(2);
    }
}
