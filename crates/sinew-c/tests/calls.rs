//! Errors, handles and structs, beyond what the programs in `examples` try from C.

use sinew_c::sinew_status::*;
use sinew_c::*;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};

fn text() -> String {
    // SAFETY: the text ends with a NUL and is valid until the next error of this thread.
    let text = unsafe { CStr::from_ptr(sinew_error_text()) };
    text.to_str().expect("UTF-8").to_owned()
}

fn c(text: &str) -> CString {
    CString::new(text).expect("no NUL")
}

/// Copy of the maps of an actor.
fn model(actor: *mut sinew_actor) -> Vec<f32> {
    let (mut floats, mut count) = (null(), 0);
    // SAFETY: all pointers are valid, and nothing uses the actor while the floats are copied.
    unsafe {
        assert_eq!(
            sinew_actor_model(actor, &raw mut floats, &raw mut count),
            SINEW_OK
        );
        std::slice::from_raw_parts(floats, count).to_vec()
    }
}

/// Rig of a chain of three joints with one clip of a second.
fn rig() -> *mut sinew_rig {
    let bvh = "HIERARCHY ROOT hips { OFFSET 0 1 0 CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT thigh { OFFSET 0 -1 0 CHANNELS 3 Zrotation Xrotation Yrotation
        JOINT shin { OFFSET 0 -1 0 CHANNELS 3 Zrotation Xrotation Yrotation
        End Site { OFFSET 0 -1 0 } } } }
        MOTION Frames: 2 Frame Time: 1
        0 0 0 0 0 0 0 0 0
        0 9 0 0 9 0 0 9 0
";
    let (mut character, mut rig) = (null_mut(), null_mut());
    // SAFETY: all pointers are valid.
    unsafe {
        let loaded = sinew_character_load_bytes(bvh.as_ptr(), bvh.len(), &raw mut character);
        assert_eq!(loaded, SINEW_OK, "{}", text());
        let made = sinew_rig_new(character, SINEW_METHOD_LINEAR, &raw mut rig);
        assert_eq!(made, SINEW_OK, "{}", text());
        assert_eq!(sinew_character_free(character), SINEW_OK);
    }
    rig
}

#[test]
fn an_error_names_the_call_the_problem_and_the_remedy() {
    let rig = rig();
    let (mut joint, mut character, mut graph) = (0, null_mut(), null_mut());
    // SAFETY: all pointers are valid.
    unsafe {
        let missing = sinew_rig_find_joint(rig, c("thig").as_ptr(), &raw mut joint);
        assert_eq!(missing, SINEW_ERROR_NAME);
        let expected = "sinew_rig_find_joint: there is no joint \"thig\"; did you mean thigh?";
        assert_eq!(text(), expected);

        let path = c("no/such/file.glb");
        let missing = sinew_character_load(path.as_ptr(), &raw mut character);
        assert_eq!(missing, SINEW_ERROR_FILE);
        let start = "sinew_character_load: cannot read no/such/file.glb: ";
        assert!(text().starts_with(start), "{}", text());

        let json = "{\n \"states\": 7}";
        let broken = sinew_graph_new(rig, json.as_ptr().cast(), json.len(), &raw mut graph);
        assert_eq!(broken, SINEW_ERROR_CONTENT);
        assert!(text().contains("line 2"), "{}", text());

        // A success keeps the text.
        let before = text();
        assert_eq!(sinew_rig_free(rig), SINEW_OK);
        assert_eq!(text(), before);
    }
    // Each thread has its own text.
    let other = std::thread::spawn(text).join();
    assert_eq!(other.ok().as_deref(), Some(""));
}

/// Player of a clip of a second with an event at 0.1 s.
fn player_with_event() -> *mut sinew_player {
    let mut figure = sinew_samples::humanoid_character();
    figure.clips[0].add_event(0.1, "step");
    let bytes = sinew_io::gltf::to_glb(&figure, &Default::default()).expect("a valid figure");
    let (mut character, mut rig, mut player) = (null_mut(), null_mut(), null_mut());
    // SAFETY: all pointers are valid.
    unsafe {
        let loaded = sinew_character_load_bytes(bytes.as_ptr(), bytes.len(), &raw mut character);
        assert_eq!(loaded, SINEW_OK, "{}", text());
        let made = sinew_rig_new(character, SINEW_METHOD_LINEAR, &raw mut rig);
        assert_eq!(made, SINEW_OK, "{}", text());
        let made = sinew_player_new(rig, c("0").as_ptr(), &raw mut player);
        assert_eq!(made, SINEW_OK, "{}", text());
        assert_eq!(sinew_rig_free(rig), SINEW_OK);
        assert_eq!(sinew_character_free(character), SINEW_OK);
    }
    player
}

#[test]
fn an_object_in_use_by_another_thread_is_busy() {
    extern "C-unwind" fn try_from_another_thread(player: *mut c_void, _: *const sinew_event) {
        let player = player.addr();
        let seek = move || {
            let player = std::ptr::without_provenance_mut(player);
            // SAFETY: the handle is checked.
            let status = unsafe { sinew_player_seek(player, 0.5) };
            (status, text())
        };
        let (status, text) = std::thread::spawn(seek).join().expect("no panic");
        assert_eq!(status, SINEW_ERROR_BUSY);
        assert!(text.contains("another thread"), "{text}");
    }
    let player = player_with_event();
    let mut time_secs = 0.0;
    // SAFETY: all pointers are valid.
    unsafe {
        let advanced =
            sinew_player_advance(player, 0.2, Some(try_from_another_thread), player.cast());
        assert_eq!(advanced, SINEW_OK, "{}", text());
        assert_eq!(sinew_player_time_secs(player, &raw mut time_secs), SINEW_OK);
        assert_eq!(sinew_player_free(player), SINEW_OK);
    }
    assert_eq!(time_secs, 0.2);
}

#[test]
fn a_panic_is_an_error_and_the_object_can_only_be_freed() {
    extern "C-unwind" fn panic(_: *mut c_void, _: *const sinew_event) {
        panic!("a defect of a test");
    }
    let player = player_with_event();
    // SAFETY: all pointers are valid.
    unsafe {
        let advanced = sinew_player_advance(player, 0.2, Some(panic), null_mut());
        assert_eq!(advanced, SINEW_ERROR_INTERNAL);
        let start = "sinew_player_advance: internal error: a defect of a test; ";
        assert!(text().starts_with(start), "{}", text());
        assert_eq!(sinew_player_seek(player, 0.0), SINEW_ERROR_INTERNAL);
        assert!(text().contains("free it"), "{}", text());
        assert_eq!(sinew_player_free(player), SINEW_OK);
        assert_eq!(sinew_player_free(player), SINEW_ERROR_HANDLE);
    }
    // The next object uses the same memory.
    let next = player_with_event();
    // SAFETY: all pointers are valid.
    unsafe {
        assert_eq!(sinew_player_seek(next, 0.0), SINEW_OK, "{}", text());
        assert_eq!(sinew_player_free(next), SINEW_OK);
    }
}

#[test]
fn structs_of_other_versions_are_read_by_their_size() {
    #[repr(C)]
    struct Newer {
        reach: sinew_reach,
        later: [u32; 4],
    }
    let rig = rig();
    let (mut actor, mut chain) = (null_mut(), null_mut());
    let mut report = sinew_ik_report {
        size: size_of::<sinew_ik_report>(),
        reached: -1,
        at_limits: 0,
        residual: 0.0,
    };
    // SAFETY: all pointers are valid, and the sizes are those of the structs.
    unsafe {
        assert_eq!(sinew_actor_new(rig, &raw mut actor), SINEW_OK);
        assert_eq!(
            sinew_chain_new(rig, 0, 2, null(), &raw mut chain),
            SINEW_OK,
            "{}",
            text()
        );
        let mut newer: Newer = std::mem::zeroed();
        newer.later = [7; 4];
        let pointer = (&raw mut newer).cast::<sinew_reach>();
        assert_eq!(sinew_reach_init(pointer, size_of::<Newer>()), SINEW_OK);
        assert_eq!(
            (newer.reach.size, newer.later),
            (size_of::<Newer>(), [0; 4])
        );
        assert_eq!(newer.reach.max_iterations, 100);
        newer.reach.goal = [0.5, -0.5, 0.0];
        let pointer = (&raw const newer).cast();
        assert_eq!(
            sinew_actor_ccd(actor, chain, pointer, &raw mut report),
            SINEW_OK,
            "{}",
            text()
        );
        assert_eq!(report.reached, 1);
        assert_eq!(report.size, size_of::<sinew_ik_report>());

        // An error changes nothing, also one about the result.
        let before = model(actor);
        report.size = 4;
        newer.reach.goal = [-0.5, 0.5, 0.0];
        let pointer = (&raw const newer).cast();
        let refused = sinew_actor_ccd(actor, chain, pointer, &raw mut report);
        assert_eq!(refused, SINEW_ERROR_ARGUMENT);
        assert!(text().contains("sizeof(sinew_ik_report)"), "{}", text());
        assert_eq!(model(actor), before);
        for handle in [chain.cast(), actor.cast(), rig.cast::<c_void>()] {
            let freed = [
                sinew_chain_free(handle.cast()),
                sinew_actor_free(handle.cast()),
                sinew_rig_free(handle.cast()),
            ];
            let done = freed.iter().filter(|status| **status == SINEW_OK).count();
            assert_eq!(done, 1, "only its own function frees a handle");
        }
    }
}

#[test]
fn many_threads_make_and_free_objects() {
    let rig = rig().addr();
    let work = move || {
        let rig: *const sinew_rig = std::ptr::without_provenance(rig);
        let mut held = Vec::new();
        for round in 0..200_usize {
            let mut pose = null_mut();
            // SAFETY: all pointers are valid.
            unsafe {
                assert_eq!(sinew_pose_new(rig, &raw mut pose), SINEW_OK, "{}", text());
                held.push(pose);
                if round % 3 == 0 {
                    let first = held.swap_remove(0);
                    assert_eq!(sinew_pose_free(first), SINEW_OK);
                    assert_eq!(sinew_pose_free(first), SINEW_ERROR_HANDLE);
                }
            }
        }
        let mut numbers: Vec<usize> = held.iter().map(|pose| pose.addr()).collect();
        numbers.sort_unstable();
        for pose in held {
            // SAFETY: handles are checked.
            assert_eq!(unsafe { sinew_pose_free(pose) }, SINEW_OK);
        }
        numbers
    };
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(work)).collect();
    let live = threads
        .into_iter()
        .flat_map(|thread| thread.join().expect("no panic"));
    let mut live: Vec<usize> = live.collect();
    let all = live.len();
    live.sort_unstable();
    live.dedup();
    assert_eq!(live.len(), all, "no two live objects share a handle");
}

#[test]
fn texts_must_be_utf8() {
    let rig = rig();
    let mut joint = 0;
    let broken: [c_char; 3] = [-1, 65, 0];
    // SAFETY: all pointers are valid.
    unsafe {
        let refused = sinew_rig_find_joint(rig, broken.as_ptr(), &raw mut joint);
        assert_eq!(refused, SINEW_ERROR_ARGUMENT);
        assert_eq!(sinew_rig_free(rig), SINEW_OK);
    }
}
