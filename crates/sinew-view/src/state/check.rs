use super::{
    Ending, MAX_FPS, MAX_PANES, MAX_SPEED, MAX_ZOOM, MIN_FPS, MIN_SPEED, MIN_ZOOM, Selection, State,
};
use crate::document::{Document, OpenFile};

impl State {
    /// Checks the invariants, which hold after every command.
    ///
    /// # Errors
    /// A description of the first violation.
    pub fn check(&self, document: &Document) -> Result<(), String> {
        let file = document.file(self.shown);
        let file = file.ok_or_else(|| format!("{:?} is shown and not open", self.shown))?;
        self.check_playback(file)?;
        self.check_selection(file)?;
        if !(1..=MAX_PANES).contains(&self.panes.len()) {
            return Err(format!("{} panes", self.panes.len()));
        }
        if self.panes[0].file != self.shown {
            return Err(format!("{:?} shows another file", self.panes[0]));
        }
        if let Some(pane) = self.panes.iter().find(|p| document.file(p.file).is_none()) {
            return Err(format!("{pane:?} shows a file that is not open"));
        }
        if let Some(question) = &self.question
            && document.file(question.file()).is_none()
        {
            return Err(format!("{question:?} is about a file that is not open"));
        }
        if let Some(problem) = self.camera.problem() {
            return Err(problem);
        }
        if (MIN_ZOOM..=MAX_ZOOM).contains(&self.window.zoom) {
            Ok(())
        } else {
            Err(format!("letters of {}", self.window.zoom))
        }
    }

    fn check_playback(&self, file: &OpenFile) -> Result<(), String> {
        let playback = &self.playback;
        let clips = file.motions.len();
        if playback.clip.is_some_and(|clip| clip >= clips) {
            return Err(format!("clip {:?} of {clips}", playback.clip));
        }
        let mut seen = vec![playback.clip];
        for &(clip, weight) in &playback.blended {
            let is_right = clip < clips && weight > 0.0 && weight <= 1.0;
            if !is_right || seen.contains(&Some(clip)) || playback.clip.is_none() {
                return Err(format!("clip {clip} blended by {weight}"));
            }
            seen.push(Some(clip));
        }
        let duration = file.duration_secs(playback.clip);
        let [from, to] = playback.played_secs(duration);
        if let Some(range) = playback.range_secs
            && range != [from, to]
        {
            return Err(format!("range {range:?} of {duration} s"));
        }
        if !(from..=to).contains(&playback.time_secs) {
            return Err(format!("{} s of {from} to {to}", playback.time_secs));
        }
        if !(MIN_SPEED..=MAX_SPEED).contains(&playback.speed)
            || !(MIN_FPS..=MAX_FPS).contains(&playback.fps)
        {
            return Err(format!("speed {}, {} fps", playback.speed, playback.fps));
        }
        if playback.is_backwards && playback.ending != Ending::PingPong {
            return Err(format!("backwards with {:?}", playback.ending));
        }
        let clip = playback.clip.and_then(|clip| file.clip(clip));
        let events = clip.map_or(0, |clip| clip.events.len());
        match playback.fired.iter().find(|fired| fired.event >= events) {
            Some(fired) => Err(format!("{fired:?} of {events}")),
            None => Ok(()),
        }
    }

    fn check_selection(&self, file: &OpenFile) -> Result<(), String> {
        let joints = file.character.skeleton.len();
        if !file.has(self.selection) {
            return Err(format!("{:?} is selected", self.selection));
        }
        let selected = self.selected_joints();
        let is_alone = |(at, joint): (usize, &usize)| !selected[..at].contains(joint);
        let is_sound = selected.iter().enumerate().all(is_alone)
            && (!selected.is_empty() || self.further_joints.is_empty());
        let mut used = selected.iter().copied().chain(self.posing.held());
        if !is_sound || used.any(|joint| joint >= joints) {
            return Err(format!("{selected:?}, {:?}", self.posing));
        }
        if self.posing.poles.values().any(|pole| !pole.is_finite()) {
            return Err(format!("poles {:?}", self.posing.poles));
        }
        if let Some(hit) = self.hit {
            let (primitive, vertex) = (hit.primitive, hit.vertex);
            let is_joint = matches!(self.selection, Selection::Joint(_));
            if !is_joint || !file.has(Selection::Vertex { primitive, vertex }) {
                return Err(format!("{hit:?} with {:?}", self.selection));
            }
        }
        Ok(())
    }
}

impl OpenFile {
    /// True if the selected item exists.
    pub(crate) fn has(&self, selection: Selection) -> bool {
        let character = &self.character;
        match selection {
            Selection::None => true,
            Selection::Joint(joint) => joint < character.skeleton.len(),
            Selection::Node(node) => node < character.nodes.len(),
            Selection::Vertex { primitive, vertex } => {
                let part = self.rig.parts().get(primitive);
                part.is_some_and(|part| vertex < part.surface().len())
            }
        }
    }
}
