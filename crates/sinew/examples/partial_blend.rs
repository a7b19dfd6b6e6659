//! Waves while walking: one clip for the left arm, another clip for all other joints.

use sinew::blend::{BlendJob, Layer, Mask};
use sinew::{LocalPose, sample};
use sinew_samples::mannequin::Mannequin;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let person = Mannequin::default().build();
    let skeleton = &person.skeleton;
    let clip = |name: &str| person.find_clip(name).map(|clip| &person.clips[clip]);
    let (walk, wave) = (
        clip("walk").ok_or("no walk")?,
        clip("wave").ok_or("no wave")?,
    );
    let shoulder = skeleton.find("left_shoulder").ok_or("no shoulder")?;
    let arm = Mask::below(skeleton, shoulder);
    let others = arm.inverted();

    let [mut walking, mut waving, mut both] = [(); 3].map(|_| LocalPose::identity(skeleton.len()));
    for frame in 0..60 {
        let time_secs = f64::from(frame) / 60.0;
        sample(walk, skeleton, time_secs, &mut walking)?;
        sample(wave, skeleton, time_secs, &mut waving)?;
        let mut layers = [
            Layer::new(&walking, 1.0).masked(&others),
            Layer::new(&waving, 1.0).masked(&arm),
        ];
        BlendJob::new(skeleton.rest(), &mut layers).run(&mut both)?;
    }
    let elbow = skeleton.find("left_lower_arm").ok_or("no elbow")?;
    let knee = skeleton.find("left_lower_leg").ok_or("no knee")?;
    let apart = |joint: usize, other: &LocalPose| {
        both.get(joint)
            .rotation
            .angle_between(other.get(joint).rotation)
    };
    assert!(apart(elbow, &waving) < 1e-3 && apart(knee, &walking) < 1e-3);
    // Both clips differ at these joints, so neither clip alone would pass.
    assert!(apart(elbow, &walking) > 0.5 && apart(knee, &waving) > 0.1);
    println!("{} joints wave, the others walk", arm.iter().sum::<f32>());
    Ok(())
}
