//! Cost of the C interface: a frame of one character through it, and the same calls in Rust.
//! `cargo bench -p sinew-c --bench frame`.
//!
//! Both run alternately, and the fastest frame of each counts. The functions of C are called through
//! pointers that the compiler cannot see through, as from another language.

#![allow(
    unsafe_code,
    unsafe_op_in_unsafe_fn,
    reason = "calls the interface as C does"
)]

use sinew::glam::Vec3;
use sinew::ik::{Tip, TwoBone};
use sinew::skin::{Layout, Order};
use sinew::{Method, Rig};
use sinew_c::sinew_status::SINEW_OK;
use sinew_c::*;
use std::ffi::c_void;
use std::hint::black_box;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

const DT_SECS: f64 = 1.0 / 60.0;
const ROUNDS: usize = 400;
const FRAMES: usize = 50;
const ARM: [&str; 3] = ["left_upper_arm", "left_lower_arm", "left_hand"];
const GOAL: [f32; 3] = [0.35, 1.3, 0.3];

fn main() {
    let hero = sinew_samples::mannequin::Mannequin::default().build();
    let bytes = sinew_io::gltf::to_glb(&hero, &Default::default()).expect("a valid figure");
    let mut in_rust = in_rust(&bytes);
    // SAFETY: all pointers are valid.
    let mut in_c = unsafe { in_c(&bytes) };
    let mut fastest = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for (fastest, frame) in fastest.iter_mut().zip([
            &mut in_rust as &mut dyn FnMut(),
            &mut in_c as &mut dyn FnMut(),
        ]) {
            for _ in 0..FRAMES {
                let start = Instant::now();
                frame();
                *fastest = (*fastest).min(start.elapsed());
            }
        }
    }
    let [rust, c] = fastest.map(|time| time.as_secs_f64() * 1e6);
    println!(
        "a frame of one character: Rust {rust:.2} us, C {c:.2} us, ratio {:.3}",
        c / rust
    );
}

fn in_rust(bytes: &[u8]) -> impl FnMut() {
    let character = sinew_io::import_bytes(bytes)
        .expect("a valid file")
        .character;
    let rig = Rig::new(&character, Method::DualQuat).expect("a valid figure");
    let (mut actor, mut player) = (rig.actor(), rig.player("walk").expect("a clip"));
    let [upper, lower, hand] = ARM.map(|name| rig.skeleton().find(name).expect("a joint"));
    let goal = Vec3::from_array(GOAL);
    let layout = Layout {
        stride: 6,
        position: 0,
        normal: Some(3),
        tangent: None,
        order: Order::Mesh,
    };
    let mut buffer = vec![0.0; 6 * rig.vertices()];
    let mut events = 0;
    move || {
        player.advance(DT_SECS, |_| events += 1);
        actor.sample(&player).expect("of this rig");
        let job = TwoBone::new(upper, lower, Tip::of(hand), goal);
        actor.solve(black_box(&job)).expect("of this rig");
        actor
            .skin_into(black_box(&mut buffer[..]), &layout)
            .expect("long enough");
    }
}

fn ok(status: sinew_status) {
    assert_eq!(status, SINEW_OK);
}

extern "C-unwind" fn count(events: *mut c_void, _: *const sinew_event) {
    // SAFETY: `in_c` passes a number.
    unsafe { *events.cast::<u32>() += 1 }
}

type Advance =
    unsafe extern "C" fn(*mut sinew_player, f64, sinew_event_callback, *mut c_void) -> sinew_status;
type Sample = unsafe extern "C" fn(*mut sinew_actor, *const sinew_player) -> sinew_status;
type Solve = unsafe extern "C" fn(
    *mut sinew_actor,
    *const sinew_two_bone,
    *mut sinew_ik_report,
) -> sinew_status;
type Skin = unsafe extern "C" fn(
    *mut sinew_actor,
    *mut f32,
    usize,
    *const sinew_layout,
    *mut sinew_bounds,
) -> sinew_status;

unsafe fn in_c(bytes: &[u8]) -> impl FnMut() {
    let (mut character, mut rig) = (null_mut(), null_mut());
    let (mut actor, mut player) = (null_mut(), null_mut());
    let mut job: sinew_two_bone = std::mem::zeroed();
    let (mut arm, mut vertices) = ([0; 3], 0);
    ok(sinew_character_load_bytes(
        bytes.as_ptr(),
        bytes.len(),
        &raw mut character,
    ));
    ok(sinew_rig_new(
        character,
        SINEW_METHOD_DUAL_QUAT,
        &raw mut rig,
    ));
    ok(sinew_actor_new(rig, &raw mut actor));
    ok(sinew_player_new(rig, c"walk".as_ptr(), &raw mut player));
    ok(sinew_two_bone_init(
        &raw mut job,
        size_of::<sinew_two_bone>(),
    ));
    for (name, joint) in ARM.iter().zip(&mut arm) {
        let name = format!("{name}\0");
        ok(sinew_rig_find_joint(rig, name.as_ptr().cast(), joint));
    }
    [job.upper, job.lower, job.tip] = arm;
    job.goal = GOAL;
    ok(sinew_rig_vertex_count(rig, &raw mut vertices));
    let mut buffer = vec![0.0_f32; 6 * vertices];
    let mut events = 0_u32;
    let advance = black_box(sinew_player_advance as Advance);
    let sample = black_box(sinew_actor_sample as Sample);
    let solve = black_box(sinew_actor_two_bone as Solve);
    let skin = black_box(sinew_actor_skin as Skin);
    move || {
        let user = (&raw mut events).cast::<c_void>();
        // SAFETY: all pointers are valid.
        unsafe {
            ok(advance(player, DT_SECS, Some(count), user));
            ok(sample(actor, player));
            ok(solve(actor, &raw const job, null_mut()));
            ok(skin(
                actor,
                buffer.as_mut_ptr(),
                buffer.len(),
                null(),
                null_mut(),
            ));
        }
    }
}
