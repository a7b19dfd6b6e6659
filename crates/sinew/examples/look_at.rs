//! Makes a head follow a fly: neck and head share the rotation, within their limits.

use sinew::glam::Vec3;
use sinew::ik::{Aim, Share, Tip};
use sinew::{Method, Rig};
use sinew_samples::mannequin::Mannequin;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rig = Rig::new(&Mannequin::default().build(), Method::DualQuat)?;
    let joint = |name: &str| rig.skeleton().find(name).ok_or(format!("no joint {name}"));
    let (neck, head) = (joint("neck")?, joint("head")?);
    let shares = [
        Share {
            joint: neck,
            part: 0.4,
        },
        Share {
            joint: head,
            part: 0.6,
        },
    ];
    let mut hero = rig.actor();
    let mut player = rig.player("idle")?;
    let mut seen = 0;
    for frame in 0..240 {
        let angle = f64::from(frame) / 240.0 * std::f64::consts::TAU;
        let fly = Vec3::new(
            angle.sin() as f32,
            1.7 + 0.2 * (3.0 * angle).sin() as f32,
            2.0,
        );
        player.advance(1.0 / 60.0, |_| {});
        hero.sample(&player)?;
        let eye = Tip {
            joint: head,
            offset: Vec3::new(0.0, 0.08, 0.08),
        };
        let report = hero.solve(&Aim::new(&shares, eye, Vec3::Z, fly))?;
        seen += usize::from(report.reached);
    }
    println!("the fly is looked at in {seen} of 240 frames");
    assert!(seen > 200);
    Ok(())
}
