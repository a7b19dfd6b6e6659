use super::part::Part;
use glam::{Vec3, Vec4};
use sinew_skin::{SkinError, Streams, Vertices};

#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// Weights from clips and callers.
    pub given: Vec<f32>,
    /// Weights including correctives.
    pub weights: Vec<f32>,
    shown: Vec<f32>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    vectors: Vec<Vec3>,
    bind: Streams,
}

impl Shape {
    pub fn new(part: &Part) -> Self {
        if part.source.morphs.is_empty() {
            return Self::default();
        }
        Self {
            given: part.rest_weights.clone(),
            weights: part.rest_weights.clone(),
            // NaN differs from every weight, so the first frame fills `bind`.
            shown: vec![f32::NAN; part.rest_weights.len()],
            positions: part.source.positions.to_vec(),
            normals: part
                .source
                .normals
                .iter()
                .flat_map(|n| n.to_vec())
                .collect(),
            tangents: part
                .source
                .tangents
                .iter()
                .flat_map(|t| t.to_vec())
                .collect(),
            vectors: vec![Vec3::ZERO; part.source.tangents.as_ref().map_or(0, |t| t.len())],
            bind: part.bind.clone(),
        }
    }

    /// Vertices to skin, as of the last [`Shape::update`].
    pub fn bind<'a>(&'a self, part: &'a Part) -> &'a Streams {
        match self.weights.is_empty() {
            true => &part.bind,
            false => &self.bind,
        }
    }

    /// Moves the vertices with the weights of the morph targets, if the part has any.
    pub fn update(&mut self, part: &Part) -> Result<(), SkinError> {
        if self.shown != self.weights {
            self.add_morphs(part);
            let vertices = Vertices {
                positions: &self.positions,
                normals: part.source.normals.is_some().then_some(&*self.normals),
                tangents: part.source.tangents.is_some().then_some(&*self.tangents),
            };
            self.bind.update(&part.plan, &vertices)?;
            self.shown.copy_from_slice(&self.weights);
        }
        Ok(())
    }

    fn add_morphs(&mut self, part: &Part) {
        let source = &part.source;
        self.positions.copy_from_slice(&source.positions);
        if let Some(normals) = &source.normals {
            self.normals.copy_from_slice(normals);
        }
        for (vector, tangent) in self
            .vectors
            .iter_mut()
            .zip(source.tangents.iter().flat_map(|t| t.iter()))
        {
            *vector = tangent.truncate();
        }
        for (morph, &weight) in source.morphs.iter().zip(&self.weights) {
            if weight == 0.0 {
                continue;
            }
            let targets = [
                (&morph.positions, &mut self.positions),
                (&morph.normals, &mut self.normals),
                (&morph.tangents, &mut self.vectors),
            ];
            for (deltas, out) in targets {
                if let Some(deltas) = deltas {
                    deltas.add_to(weight, out);
                }
            }
        }
        for (tangent, vector) in self.tangents.iter_mut().zip(&self.vectors) {
            *tangent = vector.extend(tangent.w);
        }
    }
}
