//! Adds the breathing of an idle clip, relative to its first frame, to a walk.

use sinew::blend::{Addition, AdditivePose, BlendJob, Layer};
use sinew::simd::Level;
use sinew::{LocalPose, sample};
use sinew_samples::mannequin::Mannequin;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let person = Mannequin::default().build();
    let skeleton = &person.skeleton;
    let clip = |name: &str| person.find_clip(name).map(|clip| &person.clips[clip]);
    let (walk, idle) = (
        clip("walk").ok_or("no walk")?,
        clip("idle").ok_or("no idle")?,
    );
    let [mut first, mut idling, mut walking, mut out] =
        [(); 4].map(|_| LocalPose::identity(skeleton.len()));
    sample(idle, skeleton, 0.0, &mut first)?;

    let chest = skeleton.find("chest").ok_or("no chest")?;
    let mut max_deg = 0.0_f32;
    for frame in 0..120 {
        let time_secs = f64::from(frame) / 60.0;
        sample(walk, skeleton, time_secs, &mut walking)?;
        sample(idle, skeleton, time_secs, &mut idling)?;
        let breath = AdditivePose::between(&first, &idling)?;
        let job = BlendJob {
            rest: skeleton.rest(),
            layers: &mut [Layer::new(&walking, 1.0)],
            additions: &mut [Addition::new(&breath, 1.5)],
            level: Level::best(),
        };
        job.run(&mut out)?;
        let turned = out
            .get(chest)
            .rotation
            .angle_between(walking.get(chest).rotation);
        max_deg = max_deg.max(turned.to_degrees());
    }
    println!("breath rotates the chest by up to {max_deg:.2} degrees");
    Ok(())
}
