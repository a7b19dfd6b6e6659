//! Blends from a walk to a run by speed, with both clips in phase.

use sinew::blend::{BlendJob, Layer};
use sinew::{LocalPose, sample};
use sinew_samples::mannequin::Mannequin;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let person = Mannequin::default().build();
    let skeleton = &person.skeleton;
    let clip = |name: &str| person.find_clip(name).map(|clip| &person.clips[clip]);
    let (walk, run) = (clip("walk").ok_or("no walk")?, clip("run").ok_or("no run")?);
    let [mut walking, mut running, mut mixed] =
        [(); 3].map(|_| LocalPose::identity(skeleton.len()));

    let (dt_secs, mut phase) = (1.0 / 60.0, 0.0);
    for frame in 0..=120 {
        let weight = frame as f32 / 120.0;
        // Equal phases, so that the feet meet the ground together.
        let secs = [walk, run].map(|clip| f64::from(clip.duration_secs));
        let cycle_secs = secs[0] + (secs[1] - secs[0]) * f64::from(weight);
        phase = (phase + dt_secs / cycle_secs) % 1.0;
        sample(walk, skeleton, phase * secs[0], &mut walking)?;
        sample(run, skeleton, phase * secs[1], &mut running)?;
        let mut layers = [
            Layer::new(&walking, 1.0 - weight),
            Layer::new(&running, weight),
        ];
        BlendJob::new(skeleton.rest(), &mut layers).run(&mut mixed)?;
        if frame % 40 == 0 {
            let hips = skeleton.find("hips").ok_or("no hips")?;
            let height = mixed.get(hips).translation.y;
            println!(
                "{:3.0} % run: the hips are {height:.3} m high",
                100.0 * weight
            );
        }
    }
    let foot = skeleton.find("left_foot").ok_or("no foot")?;
    let off_rad = mixed
        .get(foot)
        .rotation
        .angle_between(running.get(foot).rotation);
    assert!(off_rad < 1e-3, "at full weight nothing is left of the walk");
    Ok(())
}
