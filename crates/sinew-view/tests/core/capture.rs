use super::made_c3d::C3d;
use super::{Folder, check, settle};
use glam::Vec3;
use sinew_rig::mocap::MarkerSet;
use sinew_rig::template::Biped;
use sinew_view::{PlaybackCommand, Session};

const FRAMES: usize = 10;

#[test]
fn markers_of_a_capture_lie_on_the_figure_that_follows_them() {
    let skeleton = Biped::default().template().skeleton().expect("a skeleton");
    let (rest, set) = (skeleton.rest_model(), MarkerSet::plates());
    // Subject that is 10 % larger and moves along x.
    let seen = |frame: usize, marker: usize| {
        let marker = &set.markers[marker];
        let joint = skeleton.find(&marker.joint).expect("a joint");
        let at = rest.get(joint).transform_point(marker.offset);
        1.1 * at + Vec3::X * 0.05 * frame as f32
    };
    let labels: Vec<&str> = set.markers.iter().map(|m| m.label.as_str()).collect();
    let frame = |frame: usize| {
        // In millimetres, with z up.
        let point = |marker: usize| {
            let at = seen(frame, marker);
            Some([at.x, -at.z, at.y].map(|metres| 1e3 * metres))
        };
        (0..labels.len()).map(point).collect()
    };
    let folder = Folder::new("capture");
    let file = C3d::new(&labels, (0..FRAMES).map(frame).collect());
    let path = folder.write("carried.c3d", &file.bytes());
    let mut session = Session::opening([path]);
    settle(&mut session);
    check(&session);
    assert_eq!(session.messages(), []);
    let file = session.document().files()[0].clone();
    assert_eq!(file.character.clips[0].name, "carried");
    let capture = file.capture.expect("markers");
    assert_eq!(capture.trial.frames(), FRAMES);
    for frame in [0, FRAMES - 1] {
        let time_secs = frame as f64 / capture.trial.rate_hz;
        session.run(PlaybackCommand::Seek { time_secs });
        let figure = session.figure(0).expect("a figure");
        let pose = figure.actor.model_pose().expect("a pose");
        for (marker, place) in capture.on_body.iter().enumerate() {
            let place = place.expect("a marker of the set");
            let at = pose.get(place.joint).transform_point(place.offset);
            let off = at.distance(seen(frame, marker));
            assert!(off < 0.005, "{}: {off} m", labels[marker]);
        }
    }
}
