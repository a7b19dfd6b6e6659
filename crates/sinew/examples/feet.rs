//! Puts feet on stairs, with the pelvis lowered for the lower foot.

use sinew::glam::Vec3;
use sinew::ik::{Foot, FootPlacement, FootReport};
use sinew::{Method, Rig};
use sinew_samples::mannequin::Mannequin;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rig = Rig::new(&Mannequin::default().build(), Method::DualQuat)?;
    let joint = |name: String| rig.skeleton().find(&name).ok_or(format!("no joint {name}"));
    let mut hero = rig.actor();
    let mut player = rig.player("idle")?;
    player.seek(0.5);
    hero.sample(&player)?;

    let mut feet = Vec::new();
    for (side, height) in [("left", 0.0), ("right", 0.15)] {
        let ankle = hero.socket(&format!("{side}_foot"))?;
        let sole = ankle.translation().with_y(0.0);
        let ankle_from_model = ankle.inverse().ok_or("a flat foot")?;
        feet.push(Foot {
            hip: joint(format!("{side}_upper_leg"))?,
            knee: joint(format!("{side}_lower_leg"))?,
            ankle: joint(format!("{side}_foot"))?,
            sole: ankle_from_model.transform_point(sole),
            ground_in_model: Vec3::Y * height,
            ground_normal: Vec3::Y,
        });
    }
    let placement = FootPlacement::new(joint("hips".to_owned())?)
        .up(Vec3::Y)
        .max_drop(0.3)
        .max_rise(0.1)
        .max_tilt_rad(0.6);
    let mut reports = [FootReport::default(); 2];
    let moved = hero.place_feet(&placement, &feet, &mut reports)?;
    println!(
        "the pelvis goes up by {moved:.3} m, the right foot by {:.3} m",
        reports[1].lifted
    );
    assert!(reports.iter().all(|foot| foot.reached), "{reports:?}");
    Ok(())
}
