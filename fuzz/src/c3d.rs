use crate::finite::assert_finite;
use crate::memory::within;
use sinew_io::c3d::import_bytes;

/// Checks that a file is refused with a byte or parameter, or gives finite marker positions.
pub fn c3d(bytes: &[u8]) {
    match within(bytes, 16, || import_bytes(bytes)) {
        Err(refusal) => {
            let text = refusal.to_string();
            let places = ["byte ", "POINT:", "not a C3D file"];
            assert!(places.iter().any(|place| text.contains(place)), "{text}");
        }
        Ok(import) => {
            let trial = &import.trial;
            assert!(trial.rate_hz.is_finite() && trial.rate_hz > 0.0);
            assert!(trial.duration_secs().is_finite());
            assert!(trial.frames() >= 1, "no frames");
            for frame in 0..trial.frames() {
                for sighting in trial.frame(frame).iter().flatten() {
                    assert_finite("marker", sighting.position.to_array());
                    assert_finite("residual", [sighting.residual]);
                    assert!(sighting.residual >= 0.0);
                }
            }
            for (marker, label) in trial.labels().iter().enumerate() {
                assert!(trial.find(label).is_some());
                let gaps: usize = trial.gaps(marker).map(|gap| gap.frames).sum();
                assert!(gaps <= trial.frames());
            }
        }
    }
}
