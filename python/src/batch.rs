//! Methods of `Character` for many frames.

use crate::character::Character;
use crate::convert::forms::Form;
use crate::convert::frames::{arguments, forward};
use pyo3::prelude::*;

#[pymethods]
impl Character {
    /// Forward kinematics of many poses: maps from the frame of each joint to model space, with the
    /// shape …×J×3×4 for rotations …×J×4. ``[..., 3]`` are the positions of the joints.
    /// Translations are …×J×3, …×3 (of the root alone) or ``None`` (at rest). ``out`` receives the
    /// result if it is given.
    ///
    /// >>> import numpy, sinew
    /// >>> body = sinew.load(b'''HIERARCHY
    /// ... ROOT hips { OFFSET 0 0 0 CHANNELS 1 Yrotation
    /// ...   JOINT head { OFFSET 0 1 0 CHANNELS 1 Yrotation End Site { OFFSET 0 1 0 } } }
    /// ... MOTION Frames: 1 Frame Time: 0.5
    /// ... 0 0''')
    /// >>> half_circle_about_x = [1.0, 0.0, 0.0, 0.0]
    /// >>> maps = body.fk(numpy.tile(numpy.float32(half_circle_about_x), (5, 3, 1)))
    /// >>> maps.shape, maps[0, 1, :, 3].tolist()
    /// ((5, 3, 3, 4), [0.0, -1.0, 0.0])
    #[pyo3(signature = (rotations, translations = None, *, scales = None, form = "quat", order = "zxy", out = None))]
    #[expect(clippy::too_many_arguments, reason = "options with names in Python")]
    fn fk(
        &self,
        py: Python<'_>,
        rotations: &Bound<'_, PyAny>,
        translations: Option<&Bound<'_, PyAny>>,
        scales: Option<&Bound<'_, PyAny>>,
        form: &str,
        order: &str,
        out: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let import = self.now();
        let skeleton = &import.character.skeleton;
        let form = Form::parse(form, order)?;
        let given = arguments(skeleton, form, rotations, translations, scales)?;
        forward(py, skeleton, &given, out)
    }
}
