//! Class `Editor`: edits as data, with undo.

use crate::character::Character;
use crate::error::{free, raise};
use pyo3::prelude::*;
use sinew_edit::read_script;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Edits of a character, with undo. Edits have the same names as in ``sinew edit``.
///
/// >>> import sinew
/// >>> body = sinew.load(b'''HIERARCHY
/// ... ROOT hips { OFFSET 0 0 0 CHANNELS 1 Yrotation End Site { OFFSET 0 1 0 } }
/// ... MOTION Frames: 2 Frame Time: 0.5
/// ... 0
/// ... 90''')
/// >>> editor = sinew.Editor(body)
/// >>> editor.run('[{"do": "new_clip", "name": "nod"}]')
/// ['made clip "nod"']
/// >>> [clip.name for clip in editor.character().clips]
/// ['motion', 'nod']
/// >>> editor.undo()
/// True
#[pyclass(frozen, module = "sinew")]
pub struct Editor {
    editor: Mutex<sinew_edit::Editor>,
}

impl Editor {
    fn lock(&self) -> MutexGuard<'_, sinew_edit::Editor> {
        self.editor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Editor {
    #[new]
    fn new(character: &Character) -> Self {
        let editor = sinew_edit::Editor::new(character.now().character.clone());
        Self {
            editor: Mutex::new(editor),
        }
    }

    /// Runs a JSON list of edits, or one edit per line. Returns what each did. If one fails, those
    /// before it remain done.
    fn run(&self, py: Python<'_>, json: &str) -> PyResult<Vec<String>> {
        let edits = free(py, || read_script(json))?;
        py.detach(|| {
            let mut editor = self.lock();
            let runs = edits
                .into_iter()
                .map(|edit| Ok(editor.run(edit)?.text.clone()));
            runs.collect::<Result<Vec<_>, sinew_edit::EditError>>()
        })
        .map_err(raise)
    }

    /// Takes the last edit back. Returns false if there is none.
    fn undo(&self, py: Python<'_>) -> bool {
        py.detach(|| self.lock().undo().is_some())
    }

    /// Repeats the edit that was taken back last. Returns false if there is none.
    fn redo(&self, py: Python<'_>) -> bool {
        py.detach(|| self.lock().redo().is_some())
    }

    /// Number of edits that can be taken back.
    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.lock().done().len())
    }

    /// Character with the edits.
    fn character(&self, py: Python<'_>) -> Character {
        Character::made(py.detach(|| self.lock().document().character()))
    }
}
