//! State machine of a person that stands, walks or runs, by speed.

use sinew::blend::Ease;
use sinew::graph::{Condition, State, StateMachine, Transition};

/// Starts with inertia and fades back to standing.
pub fn machine() -> StateMachine {
    StateMachine::new()
        .parameter("speed", 0.0)
        .state(State::clip("stand", "idle"))
        .state(State::blend(
            "move",
            "speed",
            &[(1.4, "walk"), (3.5, "run")],
        ))
        .transition(
            Transition::new("stand", "move")
                .when(Condition::above("speed", 0.1))
                .inertia(0.3),
        )
        .transition(
            Transition::new("move", "stand")
                .when(Condition::below("speed", 0.1))
                .cross_fade(0.4, Ease::Smooth),
        )
}
