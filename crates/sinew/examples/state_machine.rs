//! Stands, walks and runs by a parameter: states, a blend over speed, and smooth transitions.

use sinew::blend::Ease;
use sinew::graph::{Condition, State, StateMachine, Transition};
use sinew::{Method, Rig};
use sinew_samples::mannequin::Mannequin;

/// Stands below a speed of 0.1, otherwise walks or runs. Smoothing lets the stick jump.
pub fn machine() -> StateMachine {
    StateMachine::new()
        .smoothed_parameter("speed", 0.0, 0.25)
        .state(State::clip("stand", "idle"))
        .state(State::blend(
            "move",
            "speed",
            &[(1.4, "walk"), (3.5, "run")],
        ))
        .transition(
            Transition::new("stand", "move")
                .when(Condition::above("speed", 0.2))
                .inertia(0.3),
        )
        .transition(
            Transition::new("move", "stand")
                .when(Condition::below("speed", 0.1))
                .cross_fade(0.4, Ease::Smooth),
        )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let person = Mannequin::default().build();
    let rig = Rig::new(&person, Method::DualQuat)?;
    let mut player = machine().build(&rig)?.player();
    let mut hero = rig.actor();
    let mut visited = vec![player.state().to_owned()];
    for frame in 0..480 {
        let stick = [0.0, 1.4, 3.0, 0.0][frame / 120];
        player.set("speed", stick)?;
        player.update(1.0 / 60.0, |event| {
            if event.weight > 0.5 { /* play the sound of event.name */ }
        })?;
        player.pose(&mut hero)?;
        if visited.last().is_none_or(|last| last != player.state()) {
            visited.push(player.state().to_owned());
        }
    }
    println!("{}", visited.join(" → "));
    assert_eq!(visited, ["stand", "move", "stand"]);
    Ok(())
}
