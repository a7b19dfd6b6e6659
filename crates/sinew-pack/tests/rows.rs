//! Packed clips with tracks at finer frames: selection, size, and corrupt bytes.

use glam::{Quat, Vec3};
use sinew::clip::Channel;
use sinew::clip::packed::{PackedClip, PackedError, PackedFile};
use sinew::pose::JointSet;
use sinew::simd::Level;
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Joint, LocalPose, Skeleton, Track, Transform};
use sinew_pack::{Kept, PackOptions, Packed, file_bytes, object_space_error, pack};
use std::sync::Arc;

const JOINTS: usize = 20;
const HEAD: usize = 44;

fn arms() -> Skeleton {
    let joint = |j: usize| {
        let rest = Transform::from_translation(Vec3::new(0.0, 0.2, 0.0));
        let parent = j.checked_sub(if j.is_multiple_of(4) { 4 } else { 1 });
        Joint::new(format!("joint {j}"), parent, rest)
    };
    Skeleton::new((0..JOINTS).map(joint).collect()).unwrap().0
}

fn rotation(joint: usize, secs: f32) -> Quat {
    let axis = Vec3::new(1.0, 0.3 * joint as f32, 0.5 - 0.2 * joint as f32);
    quat::from_axis_angle(axis, 0.6 * libm::sinf(3.0 * secs + joint as f32))
}

fn regular() -> Clip {
    let mut clip = Clip::new("arms");
    let times: Arc<Vec<f32>> = Arc::new((0..121).map(|f| f as f32 / 30.0).collect());
    for joint in 0..JOINTS {
        let keys: Vec<Quat> = times.iter().map(|&t| rotation(joint, t)).collect();
        let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp);
        clip.joint_mut(joint).rotation = Some(track.unwrap());
    }
    let keys: Vec<Vec3> = times
        .iter()
        .map(|&t| Vec3::new(0.1 * t, 0.2, 0.0))
        .collect();
    let track = Track::vectors(times, &keys, Interpolation::Linear);
    clip.joint_mut(0).translation = Some(track.unwrap());
    clip.fit_duration();
    clip
}

fn curved() -> Clip {
    let mut clip = regular();
    let times: Vec<f32> = (0..161).map(|k| k as f32 / 40.0).collect();
    let keys: Vec<Quat> = (times.iter().enumerate())
        .map(|(k, &t)| {
            let shake = if k % 2 == 0 { 0.002 } else { -0.002 };
            quat::mul(rotation(18, t), quat::from_axis_angle(Vec3::X, shake))
        })
        .collect();
    let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp).unwrap();
    clip.joint_mut(18).rotation = Some(track.with_interpolation(Interpolation::CatmullRom));
    let keys: Vec<Vec3> = (times.iter())
        .map(|&t| Vec3::new(0.0, 0.2 + 0.05 * libm::sinf(12.0 * t), 0.0))
        .collect();
    let track = Track::vectors(times, &keys, Interpolation::CatmullRom);
    clip.joint_mut(7).translation = Some(track.unwrap());
    clip.fit_duration();
    clip
}

fn packed(clip: &Clip) -> Packed {
    pack(&arms(), clip, &PackOptions::default()).unwrap()
}

fn sampled(clip: &PackedClip<'_>, time: f64) -> LocalPose {
    let mut pose = LocalPose::identity(clip.joints());
    clip.sample(time, &mut pose);
    pose
}

fn version(bytes: &[u8]) -> u16 {
    u16::from_le_bytes([bytes[4], bytes[5]])
}

fn chunk(bytes: &[u8], tag: &[u8; 4]) -> Option<(usize, usize)> {
    let mut at = 12;
    while at < bytes.len() {
        let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap());
        let end = at + 8 + length as usize;
        if &bytes[at..at + 4] == tag {
            return Some((at, end));
        }
        at = end;
    }
    None
}

fn with_length(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}

#[test]
fn tracks_that_need_finer_frames_have_them_alone() {
    let (plain, curved) = (packed(&regular()), packed(&curved()));
    println!("{:?}\n{:?}", plain.report, curved.report);
    assert_eq!((plain.report.finer, curved.report.finer), (0, 2));
    assert_eq!(curved.report.kept, []);
    assert_eq!(curved.report.channels[2], plain.report.channels[2] + 1);
    // Only two of 22 tracks have up to sixteen times as many frames.
    assert!(
        curved.report.motion_bytes < 2 * plain.report.motion_bytes,
        "{} and {}",
        curved.report.motion_bytes,
        plain.report.motion_bytes
    );
    assert_eq!(curved.clip.frames(), plain.clip.frames());
    let error = object_space_error(&arms(), &self::curved(), &curved.clip, 0.03);
    assert!(error <= f64::from(curved.report.measured_error), "{error}");
    assert!(curved.report.measured_error <= 1e-4);
}

#[test]
fn a_clip_of_one_row_is_written_as_it_always_was() {
    let skeleton = arms();
    let (plain, curved) = (packed(&regular()), packed(&curved()));
    let bytes = file_bytes(&skeleton, &[&plain.clip]).unwrap();
    assert_eq!(version(&bytes), 2);
    assert_eq!(chunk(&bytes, b"FINE"), None);
    let mut later = bytes.clone();
    later[4] = 3;
    let file = PackedFile::from_bytes(&later).unwrap();
    assert_eq!(sampled(&file.clips[0], 1.234), sampled(&plain.clip, 1.234));

    let bytes = file_bytes(&skeleton, &[&plain.clip, &curved.clip]).unwrap();
    assert_eq!(version(&bytes), 3);
    let file = PackedFile::from_bytes(&bytes).unwrap();
    for (clip, wanted) in file.clips.iter().zip([&plain.clip, &curved.clip]) {
        assert_eq!(sampled(clip, 1.234), sampled(wanted, 1.234));
        assert_eq!(clip.motion_bytes(), wanted.motion_bytes());
    }
    let again: Vec<&PackedClip<'_>> = file.clips.iter().collect();
    assert_eq!(file_bytes(&skeleton, &again).unwrap(), bytes);
    // Most keys are on the coarser row, so packing the unpacked clip gives a similar size.
    let unpacked = curved.clip.unpack().unwrap();
    let again = pack(&skeleton, &unpacked, &PackOptions::default()).unwrap();
    assert_eq!(again.report.kept, []);
    assert!(
        again.report.motion_bytes < curved.report.motion_bytes * 5 / 4,
        "{} and {}",
        again.report.motion_bytes,
        curved.report.motion_bytes
    );
}

#[test]
fn every_way_to_sample_gives_the_same_bits() {
    let clip = packed(&curved()).clip;
    let owned = clip.clone().into_owned();
    let mask: JointSet = (0..JOINTS).map(|j| j % 3 == 0).collect();
    for step in 0..300 {
        let time = f64::from(step * 7919 % 300) * 0.015 - 0.1;
        let whole = sampled(&clip, time);
        assert_eq!(sampled(&owned, time), whole);
        for level in Level::all() {
            let clip = clip.clone().at_level(level);
            assert_eq!(sampled(&clip, time), whole, "{level} at {time}");
        }
        let mut part = LocalPose::identity(JOINTS);
        clip.sample_masked(time, &mask, &mut part)
            .expect("of this skeleton");
        for joint in 0..JOINTS {
            assert_eq!(clip.sample_joint(joint, time), whole.get(joint), "{joint}");
            let wanted = match mask.contains(joint) {
                true => whole.get(joint),
                false => Transform::IDENTITY,
            };
            assert_eq!(part.get(joint), wanted, "{joint}");
        }
    }
}

#[test]
fn a_few_keys_ask_for_no_finer_row() {
    let mut clip = regular();
    let times = vec![0.0, 0.013, 1.7, 1.702, 4.0];
    let keys: Vec<Quat> = (0..5).map(|k| rotation(k, 0.7 * k as f32)).collect();
    let track = Track::rotations(times, &keys, Interpolation::Slerp).unwrap();
    clip.joint_mut(19).rotation = Some(track);
    let report = packed(&clip).report;
    assert_eq!(report.finer, 0);
    assert_eq!(report.kept.len(), 1);
    let (joint, channel, why) = report.kept[0];
    assert_eq!((joint, channel), (19, Channel::Rotation));
    assert!(matches!(why, Kept::Size | Kept::Bound));
}

#[test]
fn finer_chunks_that_lie_are_refused_with_the_location() {
    let (skeleton, packed) = (arms(), packed(&curved()));
    let bytes = file_bytes(&skeleton, &[&packed.clip]).unwrap();
    let (begin, end) = chunk(&bytes, b"FINE").unwrap();
    let (main, _) = chunk(&bytes, b"MOTN").unwrap();
    let (_, last) = chunk(&bytes, b"XTRA").unwrap();
    let fine = bytes[begin..end].to_vec();
    let put = |at: usize, chunk: &[u8]| {
        let mut bytes = bytes.clone();
        bytes.splice(at..at, chunk.iter().copied());
        PackedFile::from_bytes(&with_length(bytes)).map(|f| f.clips.len())
    };
    let refused = |found: Result<usize, PackedError>, what: &str| {
        let error = found.unwrap_err().to_string();
        assert!(error.contains(what) && error.contains("byte "), "{error}");
    };
    refused(put(main, &fine), "must follow a motion chunk");
    refused(put(last, &fine), "must follow a motion chunk");
    refused(put(12, &fine), "before the skeleton");
    refused(put(end, &fine), "a channel has two tracks");
    let kinds = begin + 8 + HEAD;
    let changed = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        PackedFile::from_bytes(&bytes).map(|f| f.clips.len())
    };
    // Gives the joint, which had no track in the chunk, a constant track or a raw track.
    assert_eq!(bytes[kinds + 1], 0);
    refused(changed(kinds + 1, 1), "packed tracks alone");
    refused(changed(kinds + 1, 0x40), "two highest bits");
    assert!(changed(kinds + 1, 3).is_err());
    let mut none = fine.clone();
    none.truncate(8 + HEAD + JOINTS);
    none[8 + HEAD..].fill(0);
    none.extend([0; 4 + 64]);
    let length = none.len() as u32 - 8;
    none[4..8].copy_from_slice(&length.to_le_bytes());
    refused(put(end, &none), "without a track");
    // Version 2 skips the chunk as unknown.
    let mut earlier = bytes.clone();
    earlier[4] = 2;
    let file = PackedFile::from_bytes(&earlier).unwrap();
    let rest = skeleton.rest().get(18).rotation;
    assert_eq!(sampled(&file.clips[0], 1.0).get(18).rotation, rest);
    assert_eq!(
        sampled(&file.clips[0], 1.0).get(17),
        sampled(&packed.clip, 1.0).get(17)
    );
}

#[test]
fn more_finer_chunks_than_there_may_be_are_refused() {
    let (skeleton, packed) = (arms(), packed(&curved()));
    let bytes = file_bytes(&skeleton, &[&packed.clip]).unwrap();
    let (begin, end) = chunk(&bytes, b"FINE").unwrap();
    let finer = |joint: usize| {
        let mut payload = bytes[begin + 8..begin + 8 + HEAD].to_vec();
        payload[4..8].copy_from_slice(&2_u32.to_le_bytes());
        let mut kinds = [0; JOINTS];
        kinds[joint] = 2 << 4;
        payload.extend(kinds);
        payload.extend([0; 28 + 2 * 6 + 2 + 4 + 64]);
        let mut chunk = b"FINE".to_vec();
        chunk.extend((payload.len() as u32).to_le_bytes());
        chunk.extend(payload);
        chunk
    };
    let with = |count: usize| {
        let mut bytes = bytes.clone();
        let chunks: Vec<u8> = (0..count).flat_map(finer).collect();
        bytes.splice(begin..end, chunks);
        with_length(bytes)
    };
    let eight = with(8);
    let file = PackedFile::from_bytes(&eight).unwrap();
    assert_eq!(sampled(&file.clips[0], 0.5).get(7).scale, Vec3::ZERO);
    let error = PackedFile::from_bytes(&with(9)).unwrap_err().to_string();
    assert!(error.contains("more than 8 rows"), "{error}");
}

#[test]
fn any_bytes_of_finer_chunks_are_read_or_refused() {
    let (skeleton, packed) = (arms(), packed(&curved()));
    let bytes = file_bytes(&skeleton, &[&packed.clip]).unwrap();
    let (begin, end) = chunk(&bytes, b"FINE").unwrap();
    let (mut read, mut refused) = (0, 0);
    for at in (begin..end).take(700).chain((begin..end).rev().take(200)) {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] = value;
            match PackedFile::from_bytes(&changed) {
                Ok(file) => {
                    read += 1;
                    for clip in &file.clips {
                        for time in [-1.0, 0.0, 1.31, 3.99, 1e30, f64::NAN] {
                            let whole = sampled(clip, time);
                            let finite = whole.iter().all(|t| t.is_finite());
                            assert!(finite, "{value} at byte {at}");
                            for joint in [7, 18] {
                                let alone = clip.sample_joint(joint, time);
                                assert_eq!(alone, whole.get(joint));
                            }
                        }
                    }
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} and {refused}");
    for cut in begin..end {
        let short = with_length(bytes[..cut].to_vec());
        // A file cut between two chunks is still valid.
        assert!(PackedFile::from_bytes(&short).is_err() || cut == begin);
    }
}
