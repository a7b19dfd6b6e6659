//! Plays a clip in a loop and prints its footstep events.

use sinew::{Method, Rig};
use sinew_samples::mannequin::Mannequin;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let character = Mannequin::default().build();
    let rig = Rig::new(&character, Method::DualQuat)?;
    let mut hero = rig.actor();
    let mut player = rig.player("walk")?;
    player.set_speed(1.5);
    let mut steps = 0;
    for frame in 0..180 {
        player.advance(1.0 / 60.0, |event| {
            if event.name.starts_with("footstep") {
                steps += 1;
            }
        });
        hero.sample(&player)?;
        if frame % 60 == 0 {
            let hand = hero.socket("left_hand")?.translation();
            println!(
                "{:.2} s into the walk the left hand is at {hand:.2}",
                player.clip_time_secs()
            );
        }
    }
    println!("{steps} footsteps in three seconds");
    assert!(steps > 4);
    Ok(())
}
