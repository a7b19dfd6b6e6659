//! Class `Pose`: transforms of all joints relative to their parents.

use crate::convert::arrays::{Numbers, array};
use crate::error::{raise, wrong};
use crate::play::player::Player;
use glam::{Quat, Vec3};
use pyo3::prelude::*;
use sinew::{LocalPose, Transform};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Transforms of all joints relative to their parents. Arrays are copies; assign an array of finite
/// numbers to a channel to change it.
#[pyclass(frozen, module = "sinew")]
pub struct Pose {
    rig: sinew::Rig,
    pose: Mutex<LocalPose>,
}

impl Pose {
    pub fn new(rig: sinew::Rig, pose: LocalPose) -> Self {
        Self {
            rig,
            pose: Mutex::new(pose),
        }
    }

    fn pose(&self) -> MutexGuard<'_, LocalPose> {
        self.pose.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copy of the pose as it is now.
    pub fn rig(&self) -> &sinew::Rig {
        &self.rig
    }

    pub fn now(&self) -> LocalPose {
        self.pose().clone()
    }

    fn set<const N: usize>(
        &self,
        values: &Bound<'_, PyAny>,
        what: &'static str,
        set: impl Fn(&mut Transform, [f32; N]),
    ) -> PyResult<()>
    where
        [f32; N]: bytemuck::AnyBitPattern,
    {
        let joints = self.rig.skeleton().len();
        let values = Numbers::<f32>::of(values, what)?;
        if values.shape() != [joints, N] {
            let found = values.shape();
            return Err(wrong(format!(
                "{what} has the shape {found:?} instead of [{joints}, {N}]"
            )));
        }
        let rows = values.rows::<[f32; N]>(&[N])?.1;
        for (joint, row) in rows.iter().enumerate() {
            let mut alone = Transform::IDENTITY;
            set(&mut alone, *row);
            let checked = alone.checked();
            checked.map_err(|error| wrong(format!("{what}, joint {joint}: {error}")))?;
        }
        let mut pose = self.pose();
        for (joint, row) in rows.iter().enumerate() {
            let mut transform = pose.get(joint);
            set(&mut transform, *row);
            pose.set(joint, transform);
        }
        Ok(())
    }
}

#[pymethods]
impl Pose {
    /// Samples the clip of a player at its time.
    fn sample(&self, player: &Player) -> PyResult<()> {
        let player = player.now();
        let skeleton = self.rig.skeleton();
        let time_secs = player.clip_time_secs();
        let sampled = player
            .clip()
            .sample_into(skeleton, time_secs, &mut self.pose());
        sampled.map_err(raise)
    }

    /// Unit quaternions, J×4.
    #[getter]
    fn rotations(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let values: Vec<f32> = self
            .pose()
            .iter()
            .flat_map(|t| t.rotation.to_array())
            .collect();
        array(py, &[values.len() / 4, 4], values)
    }

    #[setter]
    fn set_rotations(&self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(values, "rotations", |transform, q| {
            transform.rotation = Quat::from_array(q);
        })
    }

    /// Translations, J×3.
    #[getter]
    fn translations(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let values: Vec<f32> = self
            .pose()
            .iter()
            .flat_map(|t| t.translation.to_array())
            .collect();
        array(py, &[values.len() / 3, 3], values)
    }

    #[setter]
    fn set_translations(&self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(values, "translations", |transform, v| {
            transform.translation = Vec3::from_array(v);
        })
    }

    /// Scales, J×3.
    #[getter]
    fn scales(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let values: Vec<f32> = self
            .pose()
            .iter()
            .flat_map(|t| t.scale.to_array())
            .collect();
        array(py, &[values.len() / 3, 3], values)
    }

    #[setter]
    fn set_scales(&self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(values, "scales", |transform, v| {
            transform.scale = Vec3::from_array(v);
        })
    }
}
