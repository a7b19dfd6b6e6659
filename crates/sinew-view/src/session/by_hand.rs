use super::Session;
use crate::state::PoseCommand;
use glam::Quat;

impl Session {
    pub(super) fn run_pose(&mut self, command: PoseCommand) {
        match command {
            PoseCommand::Turn { joint, rotation } => self.turn_joint(joint, rotation),
            PoseCommand::ResetTurns => self.state.turns.clear(),
        }
    }

    fn turn_joint(&mut self, joint: usize, rotation: Quat) {
        let joints = self.shown_file().character.skeleton.len();
        let length = rotation.length();
        if joint >= joints || !(rotation.is_finite() && length > 1e-6 && length.is_finite()) {
            return;
        }
        let turn = rotation.normalize();
        if turn == Quat::IDENTITY {
            self.state.turns.remove(&joint);
        } else {
            self.state.turns.insert(joint, turn);
        }
    }
}
