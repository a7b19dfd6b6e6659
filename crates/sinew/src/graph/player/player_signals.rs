use super::graph_player::GraphPlayer;
use super::signals;
use super::workspace::Workspace;
use crate::graph::error::PlayError;

impl GraphPlayer {
    /// Writes the value of a curve ([`Graph::curves`](crate::graph::Graph::curves)). The value is
    /// the weighted mean over all playing clips. A clip without the curve counts as 0 in the base
    /// layer and has no effect in other layers. A cross-fade blends curves; inertia does not.
    ///
    /// # Errors
    /// If the curve is unknown or `out` has another width.
    pub fn curve(&mut self, name: &str, out: &mut [f32]) -> Result<(), PlayError> {
        self.with_own_scratch(|player, scratch| player.curve_in(scratch, name, out))
    }

    /// [`GraphPlayer::curve`] in a borrowed workspace.
    ///
    /// # Errors
    /// As [`GraphPlayer::curve`], or if the workspace is for another graph.
    pub fn curve_in(
        &self,
        scratch: &mut Workspace,
        name: &str,
        out: &mut [f32],
    ) -> Result<(), PlayError> {
        self.check_scratch(scratch)?;
        let graph = &*self.graph.shared;
        let info = graph.curves.iter().find(|curve| curve.name == name);
        let names = graph.curves.iter().map(|curve| curve.name.as_str());
        let info = info.ok_or_else(|| PlayError::unknown("curve", name, names))?;
        if out.len() != info.width {
            return Err(PlayError::CurveWidth {
                name: name.to_owned(),
                found: out.len(),
                expected: info.width,
            });
        }
        let (layers, values) = (&self.layers, &mut scratch.values);
        signals::blend_curve(graph, layers, self.parameters.shown(), name, values, out);
        Ok(())
    }

    /// Value of a curve of width 1. `None` if the curve is unknown or wider.
    pub fn number(&mut self, curve: &str) -> Option<f32> {
        let mut value = [0.0];
        self.curve(curve, &mut value).ok().map(|()| value[0])
    }

    /// Writes the morph weights of the mesh at a node: the mean over all playing clips, as in
    /// [`GraphPlayer::curve`]. Clips without a track use `rest`. Missing weights are 0.
    pub fn morph_weights(&mut self, node: usize, rest: &[f32], out: &mut [f32]) {
        self.with_own_scratch(|player, scratch| {
            let written = player.morph_weights_in(scratch, node, rest, out);
            written.expect("its own workspace");
        });
    }

    /// [`GraphPlayer::morph_weights`] in a borrowed workspace.
    ///
    /// # Errors
    /// If the workspace is for another graph.
    pub fn morph_weights_in(
        &self,
        scratch: &mut Workspace,
        node: usize,
        rest: &[f32],
        out: &mut [f32],
    ) -> Result<(), PlayError> {
        self.check_scratch(scratch)?;
        let graph = &*self.graph.shared;
        let (layers, values) = (&self.layers, &mut scratch.values);
        let targets = out.len();
        signals::blend(
            graph,
            layers,
            self.parameters.shown(),
            rest,
            values,
            out,
            |clip| {
                let morph = clip.morphs().iter().find(|morph| morph.node == node)?;
                // A track with more weights belongs to another mesh.
                (morph.weights.width() <= targets).then_some(&morph.weights)
            },
        );
        Ok(())
    }
}
