//! Viewer on the canvas of a page. The script of the page gives files and commands, and gets files and requests.

use super::mirror::Mirror;
use super::presses::Presses;
use super::steps::Steps;
use crate::document::{Message, MessageKind};
use crate::link::Link;
use crate::script;
use crate::session::Session;
use crate::state::{FileCommand, Selection};
use crate::viewer::Viewer;
use eframe::{Renderer, WebOptions, WebRunner};
use egui_wgpu::{WgpuSetup, WgpuSetupCreateNew};
use serde_json::json;
use sinew_gpu::{Gpu, wgpu};
use sinew_io::memory;
use std::cell::RefCell;
use std::error::Error;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use wasm_bindgen::prelude::*;
use web_sys::js_sys::{Array, ArrayBuffer, Function, Uint8Array};
use web_sys::{HtmlCanvasElement, UrlSearchParams};

/// Viewer on a canvas. A page can have several, each with its own files.
///
/// `tell` is called with `"files"` when the user wants to choose files, with `"missing"` and a text when a command refers
/// to something that does not exist, with `"written"`, a name and bytes for each written file, and with `"widgets"` and
/// their list after [`Page::mirror`].
#[wasm_bindgen]
pub struct Page {
    runner: WebRunner,
    inside: Rc<RefCell<Inside>>,
    /// Reason why the device was lost.
    lost: Arc<Mutex<Option<String>>>,
}

struct Inside {
    /// Folder of the files that were given to this viewer.
    folder: PathBuf,
    viewer: Option<Viewer>,
    context: egui::Context,
    steps: Steps,
    /// Link to follow when its file is open.
    link: Option<Link>,
    frames: u32,
    tell: Function,
}

impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Page").finish_non_exhaustive()
    }
}

/// File that comes from the page in pieces, so that a large file does not stop the page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Coming(Vec<u8>);

#[wasm_bindgen]
impl Coming {
    /// Takes the next bytes.
    pub fn add(&mut self, piece: &Uint8Array) {
        let begin = self.0.len();
        self.0.resize(begin + piece.length() as usize, 0);
        piece.copy_to(&mut self.0[begin..]);
    }
}

#[wasm_bindgen]
impl Page {
    /// Creates a viewer without a canvas.
    #[wasm_bindgen(constructor)]
    pub fn new(tell: Function) -> Self {
        static VIEWERS: AtomicU32 = AtomicU32::new(0);
        let number = VIEWERS.fetch_add(1, Ordering::Relaxed);
        Self {
            runner: WebRunner::new(),
            lost: Arc::default(),
            inside: Rc::new(RefCell::new(Inside {
                folder: format!("viewer-{number}").into(),
                viewer: None,
                context: egui::Context::default(),
                steps: Steps::default(),
                link: None,
                frames: 0,
                tell,
            })),
        }
    }

    /// Shows the viewer on a canvas of the page with this address.
    pub async fn start(&self, canvas: HtmlCanvasElement, address: String) -> Result<(), JsValue> {
        let options = WebOptions {
            renderer: Renderer::Wgpu,
            wgpu_options: egui_wgpu::WgpuConfiguration {
                wgpu_setup: WgpuSetup::CreateNew(setup()),
                ..Default::default()
            },
            ..WebOptions::default()
        };
        let (inside, lost) = (self.inside.clone(), self.lost.clone());
        let make = move |context: &eframe::CreationContext<'_>| {
            let mut viewer = viewer(context, lost)?;
            viewer.set_address(address);
            let mut begun = inside.borrow_mut();
            begun.viewer = Some(viewer);
            begun.context = context.egui_ctx.clone();
            begun.context.add_plugin(Presses::default());
            drop(begun);
            Ok(Box::new(App(inside)) as Box<dyn eframe::App>)
        };
        self.runner.start(canvas, options, Box::new(make)).await
    }

    /// Begins to receive a file of a size in bytes.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn receive(&self, size: usize) -> Result<Coming, JsValue> {
        let mut bytes = Vec::new();
        let got = bytes.try_reserve_exact(size);
        got.map_err(|_| web_sys::js_sys::Error::new("this page has no memory left for it"))?;
        Ok(Coming(bytes))
    }

    /// Gives a file with its path, for [`Page::open`] and for the files that refer to it.
    pub fn give(&self, path: &str, file: Coming) {
        memory::give(&self.path(path), file.0);
    }

    /// Opens a file that was given.
    pub fn open(&self, path: &str) {
        let path = self.path(path);
        self.with(|viewer| viewer.run(FileCommand::Open { path }));
    }

    /// Runs steps of opening a file or the figure of a link, for about 40 ms. True if there is more to do. Frames do the same,
    /// but a slow GPU draws few.
    pub fn work(&self) -> bool {
        let mut inside = self.inside.borrow_mut();
        let Inside { viewer, link, .. } = &mut *inside;
        let is_more = viewer.as_mut().is_some_and(|viewer| {
            follow(viewer, link);
            viewer.work()
        });
        inside.context.request_repaint();
        is_more
    }

    /// Shows a message about a file that was not read, with advice.
    pub fn refuse(&self, name: &str, why: &str, way_out: &str) {
        let message = Message {
            kind: MessageKind::Problem,
            file: name.to_owned(),
            text: why.to_owned(),
            way_out: way_out.to_owned(),
        };
        self.with(|viewer| viewer.session_mut().notify(message));
    }

    /// Runs a script: a list of commands as JSON.
    pub fn run(&self, steps: &str) -> Result<(), JsValue> {
        let steps = script::parse(steps).map_err(|why| JsValue::from_str(&why.to_string()))?;
        self.inside.borrow_mut().steps.add(steps);
        self.with(|_| ());
        Ok(())
    }

    /// Takes the time stamp of a press on the canvas or of its end, in milliseconds. Otherwise a tap during a slow frame would
    /// be a long press.
    pub fn press(&self, is_pressed: bool, time_ms: f64) {
        let note = |presses: &mut Presses| presses.note(is_pressed, time_ms);
        self.inside.borrow().context.with_plugin(note);
    }

    /// Tells the page from now on which widgets there are, for screen readers.
    pub fn mirror(&self) {
        let inside = self.inside.borrow();
        inside.context.add_plugin(Mirror::default());
        inside.context.request_repaint();
    }

    /// Sets the value of a widget of the list, or clicks it if there is none.
    pub fn act(&self, widget: &str, value: Option<f64>) {
        let inside = self.inside.borrow();
        let act = |mirror: &mut Mirror| mirror.act(widget, value);
        inside.context.with_plugin(act);
        inside.context.request_repaint();
    }

    /// Goes to the view of a link, when the files that were opened before are there.
    pub fn follow(&self, link: &str) -> Result<(), JsValue> {
        let parts = UrlSearchParams::new_with_str(link)?;
        let parts: Vec<(String, String)> = parts
            .entries()
            .into_iter()
            .filter_map(|part| {
                let part: Array = part.ok()?.into();
                Some((part.get(0).as_string()?, part.get(1).as_string()?))
            })
            .collect();
        let parts = parts.iter().map(|(name, value)| (&**name, &**value));
        self.inside.borrow_mut().link = Some(Link::read(parts));
        self.with(|_| ());
        Ok(())
    }

    /// Link to the current view.
    pub fn link(&self) -> String {
        let text = self.with(|viewer| Link::to(viewer.session_mut()).text());
        text.unwrap_or_default()
    }

    /// Current state, as JSON. `panes` has the left, top, width and height of each picture in pixels of the page.
    pub fn state(&self) -> String {
        let mut inside = self.inside.borrow_mut();
        let is_waiting = inside.link.is_some() || !inside.steps.is_done();
        let frames = inside.frames;
        let Some(viewer) = &mut inside.viewer else {
            return json!({ "busy": true, "frames": 0 }).to_string();
        };
        let (session, is_done) = (viewer.session(), viewer.is_done());
        let state = session.state();
        let file = session.document().file(state.shown);
        let selected = match state.selection {
            Selection::Joint(joint) => file.map(|file| file.character.skeleton.name(joint)),
            _ => None,
        };
        let methods = state.panes.iter().map(|pane| pane.method.name());
        let messages = session.messages().iter();
        let messages = messages.map(|m| {
            json!({ "file": m.file, "text": m.text, "is_problem": m.kind == MessageKind::Problem })
        });
        let findings = file.map(|file| {
            let findings = file.report.findings.iter();
            findings.map(ToString::to_string).collect::<Vec<_>>()
        });
        let zoom = state.window.zoom;
        let panes = viewer.panes().iter().map(|pane| {
            let [x, y] = (pane.min.to_vec2() * zoom).into();
            let [width, height] = (pane.size() * zoom).into();
            [x, y, width, height]
        });
        json!({
            "busy": is_waiting || session.is_busy() || viewer.is_coming(),
            "opening": viewer.is_coming(),
            "done": is_done && !is_waiting,
            "frames": frames,
            "layers": viewer.drawn_layers(),
            "failure": viewer.failure(),
            "file": file.map(|file| &file.name),
            "files": session.document().files().len(),
            "joints": file.map(|file| file.character.skeleton.len()),
            "vertices": file.map(|file| file.size.vertices),
            "edits": file.map(|file| file.edits),
            "clip": session.clip().map(|clip| &clip.name),
            "clips": file.map(|file| file.clips().map(|clip| clip.name.as_str()).collect::<Vec<_>>()),
            "duration": session.duration_secs(),
            "time": state.playback.time_secs,
            "playing": state.playback.is_playing,
            "panes": panes.collect::<Vec<[f32; 4]>>(),
            "methods": methods.collect::<Vec<_>>(),
            "selected": selected,
            "messages": messages.collect::<Vec<_>>(),
            "notified": session.notified(),
            "findings": findings,
        })
        .to_string()
    }

    /// Translation, rotation and scale of each joint relative to its parent, as the first pane shows them: ten numbers.
    pub fn pose(&self) -> Vec<f32> {
        let pose = self.with(|viewer| {
            let figure = viewer.session_mut().figure(0)?;
            let pose = figure.actor.pose();
            let joints = (0..pose.len()).map(|joint| pose.get(joint));
            let numbers = joints.flat_map(|joint| {
                let (moved, turned, scaled) = (joint.translation, joint.rotation, joint.scale);
                [
                    moved.to_array().to_vec(),
                    turned.to_array().to_vec(),
                    scaled.to_array().to_vec(),
                ]
                .concat()
            });
            Some(numbers.collect())
        });
        pose.flatten().unwrap_or_default()
    }

    /// Position of a joint in the first picture, in pixels of the page from the top left corner of the canvas. Empty if there
    /// is no such joint, or if it is behind the camera.
    pub fn joint(&self, name: &str) -> Vec<f32> {
        let at = self.with(|viewer| {
            let session = viewer.session();
            let file = session.document().file(session.state().shown)?;
            let at = viewer.joint_on_screen(file.character.skeleton.find(name)?)?;
            let zoom = session.state().window.zoom;
            Some(vec![at.x * zoom, at.y * zoom])
        });
        at.flatten().unwrap_or_default()
    }

    /// Reason why the viewer stopped, if it did.
    pub fn failure(&self) -> Option<String> {
        if let Some(panic) = self.runner.panic_summary() {
            return Some(panic.message());
        }
        let lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.clone()
    }

    /// Size of the memory of the program, in bytes.
    pub fn memory(&self) -> f64 {
        let memory: JsValue = wasm_bindgen::memory();
        let memory: web_sys::js_sys::WebAssembly::Memory = memory.unchecked_into();
        let buffer: ArrayBuffer = memory.buffer().unchecked_into();
        f64::from(buffer.byte_length())
    }

    /// True if an open file has edits that are not saved.
    pub fn is_edited(&self) -> bool {
        let edited = self.with(|viewer| {
            let session = viewer.session();
            let mut files = session.document().files().iter();
            files.any(|file| session.is_changed(file.id))
        });
        edited.unwrap_or(false)
    }

    /// Stops drawing and drops all files. `tell` must not call this.
    pub fn end(&self) {
        self.runner.destroy();
        let mut inside = self.inside.borrow_mut();
        inside.viewer = None;
        memory::forget(&inside.folder);
    }
}

impl Page {
    /// Path of a file in the folder of this viewer, which no path leaves.
    fn path(&self, path: &str) -> PathBuf {
        let parts = Path::new(path).components();
        let inside = parts.filter(|part| matches!(part, Component::Normal(_)));
        self.inside
            .borrow()
            .folder
            .join(inside.collect::<PathBuf>())
    }

    fn with<T>(&self, change: impl FnOnce(&mut Viewer) -> T) -> Option<T> {
        let mut inside = self.inside.borrow_mut();
        inside.context.request_repaint();
        inside.viewer.as_mut().map(change)
    }
}

/// Requests a device with the limits and features that every browser has.
fn setup() -> WgpuSetupCreateNew {
    let mut setup = WgpuSetupCreateNew::without_display_handle();
    setup.instance_descriptor.backends = wgpu::Backends::BROWSER_WEBGPU;
    setup.device_descriptor = Arc::new(|adapter| wgpu::DeviceDescriptor {
        label: Some("sinew"),
        required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
        required_limits: Gpu::needed_limits(),
        ..Default::default()
    });
    setup
}

fn viewer(
    context: &eframe::CreationContext<'_>,
    lost: Arc<Mutex<Option<String>>>,
) -> Result<Viewer, Box<dyn Error + Send + Sync>> {
    let state = context.wgpu_render_state.as_ref();
    let state = state.ok_or("this page has no graphics device")?;
    let (adapter, device) = (state.adapter.clone(), state.device.clone());
    let gpu = Gpu::from_parts(adapter, device, state.queue.clone())?;
    gpu.take_errors();
    gpu.device.set_device_lost_callback(move |reason, why| {
        if reason != wgpu::DeviceLostReason::Destroyed {
            let mut lost = lost.lock().unwrap_or_else(PoisonError::into_inner);
            *lost = Some(format!("the graphics device was lost: {why}"));
        }
    });
    Ok(Viewer::new(Session::standing_in(), Arc::new(gpu))?)
}

struct App(Rc<RefCell<Inside>>);

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        let (told, tell) = {
            let mut inside = self.0.borrow_mut();
            let told = inside.show(ui, frame);
            (told, inside.tell.clone())
        };
        // The script of the page may call the viewer back.
        for (kind, what, bytes) in told {
            // An error of the page is its own.
            let _ = tell.call3(&JsValue::NULL, &kind.into(), &what, &bytes);
        }
    }
}

/// Kind of a call to the script of the page, and its arguments.
type Told = (&'static str, JsValue, JsValue);

impl Inside {
    /// Shows one frame. Returns the calls to the script of the page.
    fn show(&mut self, ui: &mut egui::Ui, frame: &eframe::Frame) -> Vec<Told> {
        let mut told = Vec::new();
        let (Some(viewer), Some(state)) = (&mut self.viewer, frame.wgpu_render_state()) else {
            return told;
        };
        follow(viewer, &mut self.link);
        if self.link.is_none() {
            let missing = self.steps.take(viewer, ui).into_iter();
            told.extend(missing.map(|what| ("missing", what.into(), JsValue::UNDEFINED)));
        }
        viewer.show(ui, &mut state.renderer.write());
        self.frames += 1;
        if self.link.is_some() {
            ui.ctx().request_repaint();
        }
        if viewer.take_requests().open_dialog {
            told.push(("files", JsValue::UNDEFINED, JsValue::UNDEFINED));
        }
        for (path, bytes) in memory::take_written() {
            let name = path.file_name().unwrap_or(path.as_os_str());
            let bytes = Uint8Array::from(&bytes[..]);
            told.push(("written", (&*name.to_string_lossy()).into(), bytes.into()));
        }
        if !viewer.session().is_opening() {
            memory::forget(&self.folder);
        }
        let widgets = self.context.with_plugin(Mirror::take).flatten();
        told.extend(widgets.map(|list| ("widgets", list.into(), JsValue::UNDEFINED)));
        told
    }
}

/// Opens the figure of a link, and goes to its view once the figure is there and was drawn.
fn follow(viewer: &mut Viewer, link: &mut Option<Link>) {
    let Some(wanted) = link.as_ref().filter(|_| !viewer.session().is_opening()) else {
        return;
    };
    if let Some(command) = wanted.opening(viewer.session()) {
        return viewer.run(command);
    }
    // The mannequin, if neither a file nor a sample was opened.
    viewer.session_mut().replace_stand_in();
    if viewer.drawn_layers() > 0 {
        let commands = wanted.commands(viewer.session());
        commands.into_iter().for_each(|command| viewer.run(command));
        *link = None;
    }
}
