use glam::Vec3;
use sinew::rig::ActorError;
use sinew::skin::{Layout, Order, SkinError, SkinJob, SkinPlan, Streams, VertexSink, WeightFormat};
use sinew::{Actor, Influences, Method, Rig};
use sinew_samples::mannequin::Mannequin;
use sinew_samples::tube_character;

const LAYOUT: Layout = Layout {
    stride: 10,
    position: 1,
    normal: Some(4),
    tangent: None,
    order: Order::Mesh,
};
const PREVIOUS: usize = 7;

/// Write-only memory. `None` marks floats that must not be written.
struct Mapped {
    floats: Vec<Option<f32>>,
}

impl VertexSink for Mapped {
    fn floats(&self) -> usize {
        self.floats.len()
    }

    fn write(&mut self, at: usize, values: [f32; 3]) {
        for (own, value) in self.floats[at..at + 3].iter_mut().zip(values) {
            *own = Some(value);
        }
    }
}

fn walking(rig: &Rig, time_secs: f64) -> Actor {
    let mut player = rig.player("walk").unwrap();
    player.seek(time_secs);
    let mut hero = rig.actor();
    hero.sample(&player).unwrap();
    hero
}

fn positions(buffer: &[f32], offset: usize) -> Vec<Vec3> {
    let vertices = buffer.chunks(LAYOUT.stride);
    vertices.map(|v| Vec3::from_slice(&v[offset..])).collect()
}

#[test]
fn every_kind_of_memory_gets_the_same_bits_and_keeps_its_own() {
    let rig = Rig::new(&Mannequin::default().build(), Method::DualQuat).unwrap();
    let mut hero = walking(&rig, 0.3);
    let mut floats = vec![7.0_f32; rig.vertices() * LAYOUT.stride];
    let bounds = hero.skin_into(&mut floats, &LAYOUT).unwrap().unwrap();
    let mut bytes = bytemuck::cast_slice::<f32, u8>(&vec![7.0_f32; floats.len()]).to_vec();
    hero.skin_into(&mut bytes, &LAYOUT).unwrap();
    assert_eq!(bytes, bytemuck::cast_slice::<f32, u8>(&floats));
    let mut mapped = Mapped {
        floats: vec![None; floats.len()],
    };
    hero.skin_into(&mut mapped, &LAYOUT).unwrap();
    for (at, (written, wanted)) in mapped.floats.iter().zip(&floats).enumerate() {
        let is_ours = (1..7).contains(&(at % LAYOUT.stride));
        assert_eq!(*written, is_ours.then_some(*wanted), "float {at}");
        assert!(is_ours || *wanted == 7.0);
    }

    let found = positions(&floats, 1);
    let low = found.iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
    let high = found
        .iter()
        .fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
    assert_eq!((bounds.min, bounds.max), (low, high));

    let short = hero.skin_into(&mut bytes[4..], &LAYOUT).unwrap_err();
    assert!(matches!(short, ActorError::Skin(SkinError::Layout { .. })));
}

#[test]
fn the_positions_of_the_frame_before_are_written_beside_the_new_ones() {
    let rig = Rig::new(&Mannequin::default().build(), Method::Linear).unwrap();
    let mut player = rig.player("run").unwrap();
    let mut hero = rig.actor();
    let mut buffer = vec![0.0_f32; rig.vertices() * LAYOUT.stride];
    let mut before: Option<Vec<Vec3>> = None;
    for _ in 0..4 {
        player.advance(0.1, |_| ());
        hero.sample(&player).unwrap();
        hero.skin_into_with_previous(&mut buffer, &LAYOUT, PREVIOUS)
            .unwrap();
        let now = positions(&buffer, 1);
        let wanted = before.as_ref().unwrap_or(&now);
        assert_eq!(&positions(&buffer, PREVIOUS), wanted);
        before = Some(now);
    }
    let past_the_end = hero.skin_into_with_previous(&mut buffer, &LAYOUT, LAYOUT.stride - 2);
    assert!(past_the_end.is_err());
}

#[test]
fn nothing_is_written_if_a_later_part_lacks_normals() {
    let mut tube = tube_character();
    let mut bare = tube.meshes[0].primitives[0].clone();
    bare.normals = None;
    tube.meshes[0].primitives.push(bare);
    let rig = Rig::new(&tube, Method::Linear).unwrap();
    let mut actor = rig.actor();
    let missing = Err(ActorError::Skin(SkinError::Missing { what: "normals" }));
    let mut buffer = vec![5.0_f32; rig.vertices() * LAYOUT.stride];
    assert_eq!(actor.skin_into(&mut buffer, &LAYOUT), missing);
    let refused = actor.skin_into_with_previous(&mut buffer, &LAYOUT, PREVIOUS);
    assert_eq!(refused, missing);
    assert!(buffer.iter().all(|&float| float == 5.0));

    // An error is no frame: the next call writes the new positions as previous ones.
    let plain = Layout {
        normal: None,
        ..LAYOUT
    };
    let written = actor.skin_into_with_previous(&mut buffer, &plain, PREVIOUS);
    assert!(written.unwrap().is_some());
    assert_eq!(positions(&buffer, 1), positions(&buffer, PREVIOUS));
}

#[test]
fn palettes_of_parts_serve_those_who_skin_by_themselves() {
    let character = Mannequin::default().build();
    for method in [Method::Linear, Method::DualQuat] {
        let rig = Rig::new(&character, method).unwrap();
        let mut hero = walking(&rig, 0.7);
        let mut wanted = vec![0.0_f32; rig.vertices() * LAYOUT.stride];
        hero.skin_into(&mut wanted, &LAYOUT).unwrap();
        let mut found = vec![0.0_f32; wanted.len()];
        for (index, part) in rig.parts().iter().enumerate() {
            let surface = part.surface();
            // A part without a skin follows the only joint of its palette.
            let alone = Influences::from_lists(&vec![vec![(0, 1.0)]; surface.len()], 1);
            let alone = alone.unwrap().0;
            let influences = surface.influences.as_deref().unwrap_or(&alone);
            let plan = SkinPlan::new(influences, WeightFormat::F32);
            let bind = Streams::gather(&plan, &surface.vertices()).unwrap();
            let first = part.vertices().start;
            let job = SkinJob::new(&plan, hero.palette(index).unwrap(), &bind);
            job.run_interleaved_at(&mut found, &LAYOUT, first, None)
                .unwrap();
        }
        assert_eq!(found, wanted);
        let parts = rig.parts().len();
        let refused = hero.palette(parts).unwrap_err();
        assert_eq!(refused, ActorError::NoSuchPart { part: parts, parts });
        assert!(hero.morph_weights(parts).is_empty());
    }
}
