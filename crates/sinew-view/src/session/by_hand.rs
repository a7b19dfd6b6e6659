use super::Session;
use crate::state::PoseCommand;
use glam::Quat;

impl Session {
    pub(super) fn run_pose(&mut self, command: PoseCommand) {
        match command {
            PoseCommand::Turn { joint, rotation } => self.rotate_joint(joint, rotation),
            PoseCommand::ResetTurns => self.state.hand_rotations.clear(),
        }
    }

    fn rotate_joint(&mut self, joint: usize, rotation: Quat) {
        let joints = self.shown_file().character.skeleton.len();
        let length = rotation.length();
        if joint >= joints || !(rotation.is_finite() && length > 1e-6 && length.is_finite()) {
            return;
        }
        let rotation = rotation.normalize();
        if rotation == Quat::IDENTITY {
            self.state.hand_rotations.remove(&joint);
        } else {
            self.state.hand_rotations.insert(joint, rotation);
        }
    }
}
