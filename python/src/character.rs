//! Class `Character`: a file, and what can be made of it.

use crate::clip::Clip;
use crate::convert::arrays::array;
use crate::convert::source::Source;
use crate::error::{free, wrong};
use crate::mesh::Mesh;
use crate::play::rig::{Rig, chosen_method};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew::clip::packed::PackedFile;
use sinew::skeleton::Skeleton;
use sinew::{Playable, names};
use sinew_io::Import;
use std::sync::{Arc, PoisonError, RwLock};

/// Skeleton, meshes and clips of a file.
///
/// Lengths are in the unit of the file, which is the metre for glTF and FBX. Angles are radians,
/// quaternions x, y, z, w. Calls from several threads are safe.
#[pyclass(frozen, module = "sinew")]
pub struct Character {
    import: RwLock<Arc<Import>>,
}

impl Character {
    pub fn new(import: Import) -> Self {
        Self {
            import: RwLock::new(Arc::new(import)),
        }
    }

    /// Character that does not come from a file.
    pub fn made(character: sinew::Character) -> Self {
        Self::new(Import {
            character,
            report: sinew_io::FileReport::default(),
            source: None,
            exporter: None,
            format: None,
            avatar: None,
        })
    }

    /// Content as it is now. Later changes do not affect it.
    pub fn now(&self) -> Arc<Import> {
        let import = self.import.read();
        import.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn change<T>(&self, change: impl FnOnce(&mut sinew::Character) -> T) -> T {
        let import = self.import.write();
        let mut import = import.unwrap_or_else(PoisonError::into_inner);
        change(&mut Arc::make_mut(&mut import).character)
    }

    /// Replaces the content that `before` was, unless another thread has changed it since.
    pub fn replace(&self, before: Arc<Import>, made: sinew::Character) -> PyResult<()> {
        let import = self.import.write();
        let mut import = import.unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&import, &before) {
            return Err(wrong(
                "another thread changed the character in the meantime; call this again",
            ));
        }
        drop(before);
        Arc::make_mut(&mut import).character = made;
        Ok(())
    }

    pub fn skeleton(&self) -> Arc<Skeleton> {
        Arc::new(self.now().character.skeleton.clone())
    }
}

/// Index of a clip by name or number.
pub fn find_clip(character: &sinew::Character, clip: &str) -> PyResult<usize> {
    character.find_clip(clip).ok_or_else(|| {
        let names = character.clips.iter().map(|clip| &*clip.name);
        wrong(format!(
            "there is no clip \"{clip}\"{}",
            names::hint(clip, names)
        ))
    })
}

/// Reads a file: glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew. The argument is a path, or the bytes
/// of a file that refers to no others. ``findings`` of the result lists repairs and omissions.
///
/// >>> import sinew
/// >>> file = b'''HIERARCHY
/// ... ROOT hips { OFFSET 0 0 0 CHANNELS 1 Yrotation End Site { OFFSET 0 1 0 } }
/// ... MOTION Frames: 2 Frame Time: 0.5
/// ... 0
/// ... 90'''
/// >>> sinew.load(file).joint_names
/// ['hips', 'hips_end']
/// >>> sinew.load(b'not a file')
/// Traceback (most recent call last):
///     ...
/// sinew.Error: this is not a glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file; export it as one of them
#[pyfunction]
#[pyo3(signature = (source, /))]
pub fn load(py: Python<'_>, source: Source) -> PyResult<Character> {
    let import = free(py, || match &source {
        Source::Path(path) => sinew_io::import(path),
        Source::Bytes(bytes) => sinew_io::import_bytes(bytes),
    })?;
    Ok(Character::new(import))
}

#[pymethods]
impl Character {
    /// Number of joints.
    #[getter]
    fn joint_count(&self) -> usize {
        self.now().character.skeleton.len()
    }

    /// Names of the joints. The root is first, and parents come before their children.
    #[getter]
    fn joint_names(&self) -> Vec<String> {
        let import = self.now();
        let skeleton = &import.character.skeleton;
        (0..skeleton.len())
            .map(|joint| skeleton.name(joint).to_owned())
            .collect()
    }

    /// Index of the parent of each joint, int32. The root has -1.
    #[getter]
    fn parents(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let import = self.now();
        let parents = import.character.skeleton.hierarchy().parents();
        let parents: Vec<i32> = parents.map(|p| p.map_or(-1, |p| p as i32)).collect();
        array(py, &[parents.len()], parents)
    }

    /// Rotations of the rest pose relative to the parents, J×4.
    #[getter]
    fn rest_rotations(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let import = self.now();
        let rest = import.character.skeleton.rest().iter();
        let values: Vec<f32> = rest.flat_map(|t| t.rotation.to_array()).collect();
        array(py, &[values.len() / 4, 4], values)
    }

    /// Translations of the rest pose relative to the parents, J×3.
    #[getter]
    fn rest_translations(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let import = self.now();
        let rest = import.character.skeleton.rest().iter();
        let values: Vec<f32> = rest.flat_map(|t| t.translation.to_array()).collect();
        array(py, &[values.len() / 3, 3], values)
    }

    /// Scales of the rest pose, J×3.
    #[getter]
    fn rest_scales(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let import = self.now();
        let rest = import.character.skeleton.rest().iter();
        let values: Vec<f32> = rest.flat_map(|t| t.scale.to_array()).collect();
        array(py, &[values.len() / 3, 3], values)
    }

    /// Index of a joint by name.
    fn joint(&self, name: &str) -> PyResult<usize> {
        joint_index(&self.now().character.skeleton, name)
    }

    /// Clips of the character, in the order of the file.
    #[getter]
    fn clips(&self) -> Vec<Clip> {
        let (import, skeleton) = (self.now(), self.skeleton());
        let clips = import.character.clips.iter();
        clips
            .map(|clip| Clip::new(clip.clone(), skeleton.clone()))
            .collect()
    }

    /// Clip by name, or by number as text.
    fn clip(&self, name: &str) -> PyResult<Clip> {
        let import = self.now();
        let clip = import.character.clips[find_clip(&import.character, name)?].clone();
        Ok(Clip::new(clip, self.skeleton()))
    }

    /// Adds a clip, which must be for this skeleton. A clip of the same name is replaced.
    fn add_clip(&self, clip: &Clip) -> PyResult<()> {
        let clip = clip.clip();
        let import = self.now();
        if !clip.fits(&import.character.skeleton) {
            return Err(wrong(format!(
                "clip \"{}\" moves {} joints, but the skeleton has {}",
                clip.name,
                clip.joints(),
                import.character.skeleton.len()
            )));
        }
        self.change(|character| {
            let same = character.clips.iter().position(|c| c.name == clip.name);
            match same {
                Some(index) => {
                    character.clips[index] = clip.clone();
                    character.layers.retain(|layers| layers.clip != index);
                }
                None => character.clips.push(clip.clone()),
            }
        });
        Ok(())
    }

    /// Meshes of the character.
    #[getter]
    fn meshes(&self) -> Vec<Mesh> {
        let import = self.now();
        import
            .character
            .meshes
            .iter()
            .cloned()
            .map(Mesh::new)
            .collect()
    }

    /// Repairs and omissions of the import, one text each.
    #[getter]
    fn findings(&self) -> Vec<String> {
        let import = self.now();
        import
            .report
            .findings
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// Rig for playback. ``method`` is ``"dqs"`` (dual quaternions), ``"lbs"`` or ``"rigid"``. Default:
    /// the method that the file states, otherwise ``"lbs"``.
    /// With ``packed``, the bytes of a .sinew file of the same skeleton, the rig plays its clips
    /// instead of those of the character.
    #[pyo3(signature = (method = None, packed = None))]
    fn rig(
        &self,
        py: Python<'_>,
        method: Option<&str>,
        packed: Option<&Bound<'_, PyBytes>>,
    ) -> PyResult<Rig> {
        let import = self.now();
        let method = chosen_method(method, &import.character)?;
        let packed = packed.map(|bytes| bytes.as_bytes());
        let file = packed.map(|bytes| free(py, || PackedFile::from_bytes(bytes)));
        let file = file.transpose()?;
        let rig = free(py, || match file {
            Some(file) => sinew::Rig::with_packed(&import.character, method, file),
            None => sinew::Rig::new(&import.character, method),
        })?;
        Ok(Rig::new(rig))
    }

    fn __repr__(&self) -> String {
        let import = self.now();
        let character = &import.character;
        format!(
            "<sinew.Character with {} joints, {} meshes and {} clips>",
            character.skeleton.len(),
            character.meshes.len(),
            character.clips.len()
        )
    }
}

/// Index of a joint by name.
pub fn joint_index(skeleton: &Skeleton, name: &str) -> PyResult<usize> {
    skeleton.find(name).ok_or_else(|| {
        let names = (0..skeleton.len()).map(|joint| skeleton.name(joint));
        wrong(format!(
            "there is no joint \"{name}\"{}",
            names::hint(name, names)
        ))
    })
}
