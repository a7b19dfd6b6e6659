//! A frame through the C interface allocates nothing.

#![allow(
    unsafe_code,
    unsafe_op_in_unsafe_fn,
    reason = "calls the interface as C does"
)]

use sinew_c::sinew_status::SINEW_OK;
use sinew_c::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

struct Counting;

thread_local! {
    static MADE: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Fails only while a thread ends, which is after all measurements.
        let _ = MADE.try_with(|made| made.set(made.get() + 1));
        // SAFETY: the caller meets the conditions of the system allocator.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller meets the conditions of the system allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn ok(status: sinew_status) {
    if status != SINEW_OK {
        // SAFETY: the text ends with a NUL and is valid until the next error of this thread.
        panic!("{:?}", unsafe { CStr::from_ptr(sinew_error_text()) });
    }
}

extern "C-unwind" fn count(events: *mut c_void, event: *const sinew_event) {
    // SAFETY: the test passes a number, and the event is valid during the call.
    unsafe {
        assert!(!CStr::from_ptr((*event).name).is_empty());
        *events.cast::<u32>() += 1;
    }
}

struct Scene {
    rig: *mut sinew_rig,
    actor: *mut sinew_actor,
    walk: *mut sinew_player,
    poses: [*mut sinew_pose; 2],
    mask: *mut sinew_mask,
    chain: *mut sinew_chain,
    graph_player: *mut sinew_graph_player,
    arm: [u32; 3],
    buffer: Vec<f32>,
}

const MACHINE: &str = r#"{ "parameters": [{ "name": "speed" }],
  "states": [{ "name": "stand", "motion": { "clip": "idle" } }, { "name": "move", "motion": { "clip": "walk" } }],
  "transitions": [
    { "from": "stand", "to": "move", "when": [{ "above": { "parameter": "speed", "value": 0.5 } }], "duration_secs": 0.2 },
    { "from": "move", "to": "stand", "when": [{ "below": { "parameter": "speed", "value": 0.5 } }], "duration_secs": 0.2 }] }"#;

/// The mannequin from the bytes of a GLB, and everything that plays it.
unsafe fn scene() -> Scene {
    let hero = sinew_samples::mannequin::Mannequin::default().build();
    let bytes = sinew_io::gltf::to_glb(&hero, &Default::default()).expect("a valid figure");
    let mut character = null_mut();
    ok(sinew_character_load_bytes(
        bytes.as_ptr(),
        bytes.len(),
        &raw mut character,
    ));
    let (mut rig, mut graph) = (null_mut(), null_mut());
    ok(sinew_rig_new(
        character,
        SINEW_METHOD_DUAL_QUAT,
        &raw mut rig,
    ));
    ok(sinew_graph_new(
        rig,
        MACHINE.as_ptr().cast(),
        MACHINE.len(),
        &raw mut graph,
    ));
    ok(sinew_graph_set_root(graph, c"hips".as_ptr()));
    let mut arm = [0; 3];
    for (name, joint) in [c"left_upper_arm", c"left_lower_arm", c"left_hand"]
        .iter()
        .zip(&mut arm)
    {
        ok(sinew_rig_find_joint(rig, name.as_ptr(), joint));
    }
    let mut vertices = 0;
    ok(sinew_rig_vertex_count(rig, &raw mut vertices));
    let mut scene = Scene {
        rig,
        actor: null_mut(),
        walk: null_mut(),
        poses: [null_mut(); 2],
        mask: null_mut(),
        chain: null_mut(),
        graph_player: null_mut(),
        arm,
        buffer: vec![0.0; 6 * vertices],
    };
    ok(sinew_actor_new(rig, &raw mut scene.actor));
    ok(sinew_player_new(rig, c"walk".as_ptr(), &raw mut scene.walk));
    for pose in &mut scene.poses {
        ok(sinew_pose_new(rig, pose));
    }
    ok(sinew_mask_below(rig, arm[0], &raw mut scene.mask));
    ok(sinew_chain_new(
        rig,
        arm[0],
        arm[2],
        null(),
        &raw mut scene.chain,
    ));
    ok(sinew_graph_player_new(graph, &raw mut scene.graph_player));
    ok(sinew_graph_free(graph));
    ok(sinew_character_free(character));
    scene
}

/// Everything that a frame may call.
unsafe fn frame(scene: &mut Scene, number: usize) -> u32 {
    let mut events = 0_u32;
    let user = (&raw mut events).cast::<c_void>();
    ok(sinew_player_advance(scene.walk, 0.2, Some(count), user));
    ok(sinew_player_set_wrap(scene.walk, SINEW_WRAP_LOOP));
    ok(sinew_actor_sample(scene.actor, scene.walk));
    ok(sinew_pose_sample(scene.poses[0], scene.walk));
    let layers = [
        sinew_layer {
            pose: scene.poses[0],
            mask: null(),
            weight: 0.5,
        },
        sinew_layer {
            pose: scene.poses[1],
            mask: scene.mask,
            weight: 0.5,
        },
    ];
    ok(sinew_actor_blend(
        scene.actor,
        layers.as_ptr(),
        layers.len(),
    ));
    let speed = if number % 20 < 10 { 1.0 } else { 0.0 };
    ok(sinew_graph_player_set(
        scene.graph_player,
        c"speed".as_ptr(),
        speed,
    ));
    ok(sinew_graph_player_update(
        scene.graph_player,
        1.0 / 30.0,
        Some(count),
        user,
    ));
    ok(sinew_graph_player_pose(scene.graph_player, scene.actor));
    let mut state = null();
    ok(sinew_graph_player_state(scene.graph_player, &raw mut state));
    let mut two: sinew_two_bone = std::mem::zeroed();
    ok(sinew_two_bone_init(
        &raw mut two,
        size_of::<sinew_two_bone>(),
    ));
    [two.upper, two.lower, two.tip] = scene.arm;
    two.goal = [0.35, 1.3, 0.3];
    ok(sinew_actor_two_bone(
        scene.actor,
        &raw const two,
        null_mut(),
    ));
    let mut reach: sinew_reach = std::mem::zeroed();
    ok(sinew_reach_init(&raw mut reach, size_of::<sinew_reach>()));
    reach.goal = two.goal;
    ok(sinew_actor_ccd(
        scene.actor,
        scene.chain,
        &raw const reach,
        null_mut(),
    ));
    let shares = [sinew_share {
        joint: scene.arm[1],
        part: 1.0,
    }];
    let mut aim: sinew_aim = std::mem::zeroed();
    ok(sinew_aim_init(&raw mut aim, size_of::<sinew_aim>()));
    (aim.shares, aim.share_count, aim.eye) = (shares.as_ptr(), 1, scene.arm[2]);
    aim.target = [1.0, 1.0, 5.0];
    ok(sinew_actor_aim(scene.actor, &raw const aim, null_mut()));
    let (mut floats, mut len) = (null(), 0);
    ok(sinew_actor_model(
        scene.actor,
        &raw mut floats,
        &raw mut len,
    ));
    let mut palette: sinew_palette = std::mem::zeroed();
    palette.size = size_of::<sinew_palette>();
    ok(sinew_actor_palette(scene.actor, 0, &raw mut palette));
    let (buffer, len) = (scene.buffer.as_mut_ptr(), scene.buffer.len());
    ok(sinew_actor_skin(
        scene.actor,
        buffer,
        len,
        null(),
        null_mut(),
    ));
    events
}

#[test]
fn a_frame_allocates_nothing() {
    // SAFETY: all pointers are valid.
    unsafe {
        let mut scene = scene();
        frame(&mut scene, 0);
        let before = MADE.get();
        let events: u32 = (1..60).map(|number| frame(&mut scene, number)).sum();
        assert_eq!(MADE.get() - before, 0);
        assert!(events > 20, "{events} events");
        drop(Vec::<u8>::with_capacity(1));
        assert_eq!(MADE.get() - before, 1);
        ok(sinew_rig_free(scene.rig));
    }
}
