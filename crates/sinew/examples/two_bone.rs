//! Reaches for a door handle with growing weight while the body walks.

use sinew::glam::Vec3;
use sinew::ik::{Tip, TwoBone};
use sinew::{Method, Rig};
use sinew_samples::mannequin::Mannequin;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rig = Rig::new(&Mannequin::default().build(), Method::DualQuat)?;
    let joint = |name: &str| rig.skeleton().find(name).ok_or(format!("no joint {name}"));
    let upper = joint("right_upper_arm")?;
    let lower = joint("right_lower_arm")?;
    let hand = joint("right_hand")?;
    let handle = Vec3::new(-0.25, 1.1, 0.4);

    let mut hero = rig.actor();
    let mut player = rig.player("walk")?;
    let mut away = f32::INFINITY;
    for frame in 0..=60 {
        player.advance(1.0 / 60.0, |_| {});
        hero.sample(&player)?;
        let weight = frame as f32 / 60.0;
        let reach = TwoBone::new(upper, lower, Tip::of(hand), handle).weight(weight);
        let report = hero.solve(&reach)?;
        away = hero.model_pose()?.get(hand).translation().distance(handle);
        if frame % 20 == 0 {
            let held = if report.upper_at_limit || report.lower_at_limit {
                ", held by limits"
            } else {
                ""
            };
            println!(
                "{:3.0} %: {:.1} cm away{held}",
                100.0 * weight,
                100.0 * away
            );
        }
    }
    assert!(away < 0.05, "{away} m away from the handle");
    Ok(())
}
