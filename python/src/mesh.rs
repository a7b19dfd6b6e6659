//! Classes `Mesh` and `Primitive`: arrays of vertices over the memory of the library.

use crate::convert::arrays::{array, zeros};
use crate::convert::lent::lend;
use pyo3::prelude::*;

/// Named set of primitives.
#[pyclass(frozen, module = "sinew")]
pub struct Mesh {
    mesh: sinew::Mesh,
}

impl Mesh {
    pub fn new(mesh: sinew::Mesh) -> Self {
        Self { mesh }
    }
}

#[pymethods]
impl Mesh {
    /// Name in the file.
    #[getter]
    fn name(&self) -> &str {
        &self.mesh.name
    }

    /// Parts with one material each.
    #[getter]
    fn primitives(&self) -> Vec<Primitive> {
        let primitives = self.mesh.primitives.iter().cloned();
        primitives
            .map(|primitive| Primitive { primitive })
            .collect()
    }

    /// Names of the morph targets.
    #[getter]
    fn morph_names(&self) -> Vec<String> {
        self.mesh.morph_names.clone()
    }

    fn __repr__(&self) -> String {
        format!(
            "<sinew.Mesh '{}' with {} primitives>",
            self.mesh.name,
            self.mesh.primitives.len()
        )
    }
}

/// Vertices and triangles with one material. Arrays are read-only and are not copied.
#[pyclass(frozen, module = "sinew")]
pub struct Primitive {
    primitive: sinew::Primitive,
}

#[pymethods]
impl Primitive {
    /// Positions, V×3: in model space at the bind pose with a skin, otherwise in the space of the
    /// node.
    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        lend(py, &self.primitive.positions, 3, "<f4")
    }

    /// Unit normals, V×3, or ``None``.
    #[getter]
    fn normals(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let normals = self.primitive.normals.as_ref();
        normals
            .map(|normals| lend(py, normals, 3, "<f4"))
            .transpose()
    }

    /// Sets of texture coordinates, V×2 each.
    #[getter]
    fn texcoords(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let sets = self.primitive.texcoords.iter();
        sets.map(|set| lend(py, set, 2, "<f4")).collect()
    }

    /// Vertex indices, three per triangle, uint32. ``None`` if the vertices are in order.
    #[getter]
    fn indices(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let indices = self.primitive.indices.as_ref();
        indices
            .map(|indices| lend(py, indices, 0, "<u4"))
            .transpose()
    }

    /// Joints (int32) and weights of each vertex, V×N each, as copies. Joints are indices in the skin,
    /// padded with 0 and weight 0. ``None`` without weights.
    #[getter]
    fn influences(&self, py: Python<'_>) -> PyResult<Option<(Py<PyAny>, Py<PyAny>)>> {
        let Some(influences) = &self.primitive.influences else {
            return Ok(None);
        };
        let shape = [influences.len(), influences.max_per_vertex()];
        let count = shape[0].checked_mul(shape[1]);
        let (mut joints, mut weights): (Vec<i32>, Vec<f32>) = (zeros(count)?, zeros(count)?);
        for vertex in 0..influences.len() {
            for (slot, (joint, weight)) in influences.get(vertex).enumerate() {
                joints[vertex * shape[1] + slot] = joint as i32;
                weights[vertex * shape[1] + slot] = weight;
            }
        }
        Ok(Some((
            array(py, &shape, joints)?,
            array(py, &shape, weights)?,
        )))
    }

    /// Number of vertices.
    fn __len__(&self) -> usize {
        self.primitive.len()
    }
}
