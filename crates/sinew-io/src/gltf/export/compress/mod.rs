//! Compression with `EXT_meshopt_compression`, after reordering and quantization, like gltfpack.
//! Positions are multiples of a power of two in mesh space, so nodes and skins stay unchanged.

mod elements;
mod numbers;
mod order;
mod roles;
mod tracks;
mod views;
mod weights;

use super::error::ExportError;
use super::exported::Export;
use crate::gltf::document::schema::Document;
use crate::report::Severity;
use elements::{Elements, Scales};
use numbers::Numbers;

impl Export {
    /// Compresses the export. Precision: positions 2⁻¹⁴ of the size of the mesh, texture
    /// coordinates 2⁻¹², normals and weights 8 bits, rotations 12 bits, other keys 15 bits.
    /// Reorders vertices and triangles, merges equal vertices, and removes tracks that equal the
    /// rest pose.
    ///
    /// If an unknown member may refer to the buffer, the document stays unchanged, with a finding.
    ///
    /// # Errors
    /// [`ExportError::Json`] if the document cannot be serialised.
    pub fn compressed(mut self) -> Result<Self, ExportError> {
        if !roles::are_all_known(&self.document) {
            let message = "the buffer was not compressed, because unknown data may refer to it";
            self.report
                .add(Severity::Ignored, "NOT_COMPRESSED", "/buffers/0", message);
            return Ok(self);
        }
        tracks::leave_out_resting(&mut self);
        let read = roles::roles(&self.document).into_iter().enumerate();
        let mut numbers: Vec<Option<Numbers>> = read
            .map(|(index, role)| role.and(Numbers::read(&self.document, &self.bytes, index)))
            .collect();
        let before = rounded(&self.document, numbers.clone());
        order::reorder(&mut self.document, &mut numbers, &before);
        let elements = rounded(&self.document, numbers);
        views::write(&mut self, &elements)?;
        Ok(self)
    }
}

fn rounded(document: &Document, mut numbers: Vec<Option<Numbers>>) -> Vec<Option<Elements>> {
    let roles = roles::roles(document);
    let scales = Scales::new(document, &numbers);
    weights::to_bytes(document, &roles, &mut numbers);
    let all = roles.iter().zip(&numbers).enumerate();
    all.map(|(index, (role, numbers))| {
        Some(Elements::new((*role)?, numbers.as_ref()?, &scales, index))
    })
    .collect()
}
