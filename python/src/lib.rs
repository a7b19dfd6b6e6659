//! Extension module of the Python package `sinew`: arguments and errors of the libraries, no logic.

mod batch;
mod capture;
mod character;
mod clip;
mod convert;
mod editor;
mod error;
mod mesh;
mod packed;
mod play;
mod recipes;
mod save;
mod tools;

use pyo3::prelude::*;

/// Panics, for the test that a panic becomes an exception.
#[pyfunction]
fn _panic(py: Python<'_>) {
    py.detach(|| panic!("this panic is a test"));
}

#[pymodule]
fn _sinew(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Error", module.py().get_type::<error::Error>())?;
    module.add_class::<play::actor::Actor>()?;
    module.add_class::<character::Character>()?;
    module.add_class::<clip::Clip>()?;
    module.add_class::<editor::Editor>()?;
    module.add_class::<play::graph::Graph>()?;
    module.add_class::<play::graph::GraphPlayer>()?;
    module.add_class::<mesh::Mesh>()?;
    module.add_class::<mesh::Primitive>()?;
    module.add_class::<packed::PackedClip>()?;
    module.add_class::<play::player::Player>()?;
    module.add_class::<play::pose::Pose>()?;
    module.add_class::<play::rig::Rig>()?;
    module.add_class::<recipes::PyManifest>()?;
    module.add_class::<recipes::PyPlan>()?;
    module.add_class::<recipes::Recipe>()?;
    module.add_function(wrap_pyfunction!(capture::mocap, module)?)?;
    module.add_function(wrap_pyfunction!(capture::mocap_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(character::load, module)?)?;
    module.add_function(wrap_pyfunction!(convert::forms::convert_rotations, module)?)?;
    module.add_function(wrap_pyfunction!(packed::load_packed, module)?)?;
    module.add_function(wrap_pyfunction!(recipes::run_recipe, module)?)?;
    module.add_function(wrap_pyfunction!(recipes::_write_file, module)?)?;
    module.add_function(wrap_pyfunction!(_panic, module)?)?;
    Ok(())
}
