//! Markers, rigid bodies and positions.

use super::{NAN, NO_NUMBERS, chain};
use glam::{DVec3, Vec3};
use sinew::{Interpolation, Skeleton, Track};
use sinew_rig::mocap::{
    Capture, FitError, Marker, MarkerSet, PositionsError, RigidFitError, Sighting, Trial,
    from_positions, rigid_fit,
};
use sinew_rig::template::Biped;

fn biped() -> Skeleton {
    let template = Biped::default().template();
    template.skeleton().expect("the biped is a skeleton")
}

fn trial(rate_hz: f64, set: &MarkerSet, frames: usize) -> Trial {
    let (skeleton, mut trial) = (biped(), trial_of(rate_hz, set));
    let model = skeleton.rest_model();
    let seen = |marker: &Marker| {
        let joint = model.get(skeleton.find(&marker.joint)?);
        let position = joint.transform_point(marker.offset);
        Some(Sighting {
            position,
            residual: 0.0,
        })
    };
    let row: Vec<_> = set.markers.iter().map(seen).collect();
    (0..frames).for_each(|_| trial.push(&row).expect("a sighting each"));
    trial
}

fn trial_of(rate_hz: f64, set: &MarkerSet) -> Trial {
    let labels = set.markers.iter().map(|m| m.label.clone());
    Trial::new(rate_hz, labels.collect())
}

#[test]
fn points_that_place_no_body() {
    let fit = |points: &[DVec3]| {
        let pairs: Vec<_> = points.iter().map(|&p| (p, p)).collect();
        rigid_fit(&pairs)
    };
    let few = |points| Err(RigidFitError::TooFew { points });
    let (line, far) = ([DVec3::ZERO, DVec3::X, DVec3::X * 2.0], 1e200);
    assert_eq!(fit(&[]), few(0));
    assert_eq!(fit(&line[..2]), few(2));
    assert_eq!(fit(&line), Err(RigidFitError::OnOneLine));
    let corners = |size: f64| DVec3::AXES.map(|axis| axis * size);
    for size in [f64::NAN, f64::INFINITY, far, f64::MAX] {
        assert_eq!(fit(&corners(size)), Err(RigidFitError::NotFinite), "{size}");
    }
    assert!(fit(&corners(1e100)).is_ok_and(|fit| fit.rotation.is_finite()));
}

#[test]
fn positions_that_make_no_motion() {
    let skeleton = chain(3);
    let good = vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
    let made = |frames: &[Vec<Vec3>], rate_hz| from_positions(&skeleton, frames, rate_hz);
    let two = [good.clone(), good.clone()];
    assert!(made(&two, 30.0).is_ok());
    assert!(matches!(made(&[], 30.0), Err(PositionsError::Track(_))));
    for rate_hz in [0.0, f64::NAN, -30.0, f64::INFINITY, 1e-300] {
        let refused = made(&two, rate_hz);
        assert!(
            matches!(refused, Err(PositionsError::Track(_))),
            "{rate_hz}: {refused:?}"
        );
    }
    for found in [0, 2, 4] {
        let frames = [good.clone(), vec![Vec3::ZERO; found]];
        let (frame, joints) = (1, 3);
        let refused = Err(PositionsError::Count {
            frame,
            found,
            joints,
        });
        assert_eq!(made(&frames, 30.0), refused);
    }
    for bad in NO_NUMBERS {
        let frames = [vec![Vec3::ZERO, Vec3::splat(bad), Vec3::X]];
        let (frame, joint) = (0, "joint 1".to_owned());
        let refused = Err(PositionsError::NotFinite { frame, joint });
        assert_eq!(made(&frames, 30.0), refused);
    }
    // So far apart that differences overflow `f32`.
    let apart = [vec![Vec3::MIN, Vec3::MAX, Vec3::ZERO]];
    let clip = made(&apart, 30.0).expect("where they are is finite");
    let tracks = clip
        .joints
        .iter()
        .flat_map(|t| [&t.rotation, &t.translation]);
    let mut values = tracks.flatten().flat_map(|t| t.values().iter());
    assert!(values.all(|value| value.is_finite()));
}

#[test]
fn trials_that_cannot_be_fitted() {
    let (skeleton, set) = (biped(), MarkerSet::plates());
    let fit = |set: &MarkerSet, trial: &Trial| {
        let fit = Capture::new(&skeleton, set, trial).fit(|_| ());
        fit.map(|_| ())
    };
    for rate_hz in [0.0, -100.0, f64::NAN, f64::INFINITY] {
        let refused = fit(&set, &trial(rate_hz, &set, 1));
        assert!(
            matches!(refused, Err(FitError::Rate { .. })),
            "{rate_hz}: {refused:?}"
        );
    }
    let slow = fit(&set, &trial(1e-300, &set, 2));
    assert!(matches!(slow, Err(FitError::Track(_))), "{slow:?}");
    assert_eq!(fit(&set, &trial_of(100.0, &set)), Err(FitError::NoFrames));
    let strange = fit(&MarkerSet::default(), &trial(100.0, &set, 1));
    assert!(matches!(strange, Err(FitError::NoKnownLabels { .. })));

    let mut elsewhere = set.clone();
    elsewhere.markers.iter_mut().for_each(|m| m.joint.push('?'));
    let refused = fit(&elsewhere, &trial(100.0, &set, 1));
    assert!(matches!(refused, Err(FitError::NoKnownJoints { .. })));

    for bad in NO_NUMBERS {
        let mut wrong = set.clone();
        wrong.markers[5].offset.y = bad;
        let label = wrong.markers[5].label.clone();
        let refused = fit(&wrong, &trial(100.0, &set, 1));
        assert_eq!(refused, Err(FitError::BadOffset { label }));
    }

    let mut unseen = trial_of(100.0, &set);
    let nowhere = Some(Sighting {
        position: Vec3::splat(NAN),
        residual: NAN,
    });
    unseen
        .push(&vec![nowhere; set.markers.len()])
        .expect("a sighting each");
    unseen
        .push(&vec![None; set.markers.len()])
        .expect("a gap each");
    let refused = fit(&set, &unseen);
    assert!(
        matches!(refused, Err(FitError::NeverPlaced { .. })),
        "{refused:?}"
    );
}

#[test]
fn a_fit_put_onto_what_it_was_not_made_for() {
    let (skeleton, set) = (biped(), MarkerSet::plates());
    let trial = trial(100.0, &set, 1);
    let mut fit = Capture::new(&skeleton, &set, &trial)
        .fit(|_| ())
        .expect("a body at rest");
    let clip = fit.onto(&chain(3)).expect("no joint in common");
    assert!(clip.joints.is_empty());
    // Fields are public. A track of a missing joint is skipped, a track of another width refused.
    let before = fit.onto(&skeleton).expect("its own skeleton");
    let key = |width| Track::new(vec![0.0], vec![1.0; width], width, Interpolation::Linear);
    fit.clip.joint_mut(skeleton.len()).rotation = Some(key(4).expect("a key"));
    assert_eq!(fit.onto(&skeleton).as_ref(), Ok(&before));
    fit.clip.joint_mut(0).translation = Some(key(5).expect("a key"));
    assert!(matches!(fit.onto(&skeleton), Err(FitError::Track(_))));
}
