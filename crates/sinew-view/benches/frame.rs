//! CPU time of a frame without drawing: clock, pose and palettes.
//!
//! `cargo bench -p sinew-view --bench frame`

use divan::Bencher;
use sinew::mesh::shapes;
use sinew::{Character, Influences, Mesh};
use sinew_view::{FileCommand, PaneCommand, Session};
use std::sync::Arc;

fn main() {
    divan::main();
}

/// Figure with the joints and clips of the mannequin, and a skin of at least `vertices` vertices.
fn figure(vertices: usize) -> Character {
    let mut person = sinew_samples::mannequin::Mannequin::default().build();
    let sectors = (vertices as f64 / 2.0).sqrt().ceil() as usize;
    let mut ball = shapes::sphere(1.0, 2 * sectors, sectors);
    let joints = person.skins[0].joints.len();
    let lists: Vec<Vec<(u16, f32)>> = (0..ball.len())
        .map(|v| {
            (0..4)
                .map(|k| (((v / 64 + k) % joints) as u16, 0.25))
                .collect()
        })
        .collect();
    let influences = Influences::from_lists(&lists, joints);
    ball.influences = Some(Arc::new(influences.expect("joints of the skin").0));
    let node = person.nodes.iter_mut().find(|node| node.skin.is_some());
    node.expect("a skin").mesh = Some(person.meshes.len());
    person.meshes.push(Mesh {
        primitives: vec![ball],
        ..Mesh::default()
    });
    person
}

fn opened(character: &Character) -> Session {
    let bytes = sinew_io::gltf::export(character, &sinew_io::gltf::ExportOptions::default());
    let bytes = bytes.and_then(|export| export.to_glb()).expect("a file");
    let mut session = Session::opening([]);
    session.run(FileCommand::OpenBytes {
        name: "figure.glb".into(),
        bytes,
    });
    while session.is_busy() {
        session.advance(0.0);
        std::thread::yield_now();
    }
    session
}

#[divan::bench(args = [1, 4])]
fn frame_of_100_000_vertices(bencher: Bencher<'_, '_>, panes: usize) {
    let mut session = opened(&figure(100_000));
    let methods = ["dqs", "lbs", "rigid", "quat"].map(str::to_owned);
    session.run(PaneCommand::CompareMethods {
        methods: methods[..panes].to_vec(),
    });
    while session.is_busy() || (0..panes).any(|pane| session.figure(pane).is_none()) {
        session.advance(0.0);
        std::thread::yield_now();
    }
    bencher.bench_local(|| {
        session.advance(1.0 / 60.0);
        for pane in 0..panes {
            let figure = session.figure(pane).expect("it is there");
            for part in 0..figure.actor.rig().parts().len() {
                divan::black_box(figure.actor.palette(part).expect("a part"));
            }
        }
    });
}
