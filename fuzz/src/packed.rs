use crate::documents::hold;
use crate::finite::{assert_finite, assert_skeleton, pose_numbers};
use crate::memory::within;
use sinew::LocalPose;
use sinew::clip::packed::{PackedClip, PackedError, PackedFile};
use sinew::transform::{Transform, quat};
use sinew_io::packed::import_bytes;
use sinew_pack::file_bytes;

/// Checks that a file is refused with a byte offset, or read. A file that is read samples to finite
/// numbers at any time. A joint sampled alone equals the joint of the whole pose. Writing does not
/// change the file.
pub fn sinew(bytes: &[u8]) {
    let file = match within(bytes, 8, || PackedFile::from_bytes(bytes)) {
        Ok(file) => file,
        Err(PackedError::NotSinew | PackedError::NotFinite { .. }) => return,
        Err(refusal) => return assert!(refusal.to_string().contains("byte "), "{refusal}"),
    };
    assert_skeleton(&file.skeleton);
    let clips: Vec<&PackedClip<'_>> = file.clips.iter().collect();
    let written = file_bytes(&file.skeleton, &clips).expect("what was read is written");
    let again = PackedFile::from_bytes(&written).expect("and read again");
    assert_eq!(file.skeleton, again.skeleton, "another skeleton");
    assert_eq!(file.clips.len(), again.clips.len());
    for (clip, other) in file.clips.iter().zip(&again.clips) {
        let [a, b] = [clip, other].map(sampled);
        assert_eq!(a, b, "another motion");
        assert_eq!(clip.events(), other.events());
        assert_eq!(clip.curves(), other.curves());
        assert_eq!(clip.morphs(), other.morphs());
    }
    // A packed frame takes at least one bit per track, and a key sixteen bytes.
    match within(bytes, 512, || import_bytes(bytes)) {
        Ok((character, _)) => hold(&character),
        Err(refusal) => assert!(!refusal.to_string().is_empty()),
    }
}

fn sampled(clip: &PackedClip<'_>) -> Vec<u32> {
    let end = f64::from(clip.duration_secs());
    let mut pose = LocalPose::identity(0);
    let mut bits = Vec::new();
    for secs in [-1.0, 0.0, 0.31 * end, 0.5 * end, end, 1e30, f64::NAN] {
        clip.sample(secs, &mut pose);
        assert_eq!(pose.len(), clip.joints());
        assert_finite("sampled", pose_numbers(&pose));
        for Transform { rotation, .. } in pose.iter() {
            let square = quat::dot(rotation, rotation);
            assert!(
                (square - 1.0).abs() < 0.25,
                "a rotation of {square} at {secs}"
            );
        }
        for joint in 0..pose.len() {
            let alone = clip.sample_joint(joint, secs);
            assert_eq!(alone, pose.get(joint), "joint {joint} alone at {secs}");
        }
        bits.extend(pose_numbers(&pose).map(f32::to_bits));
    }
    bits
}
