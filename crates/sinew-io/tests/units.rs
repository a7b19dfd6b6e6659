//! Characters in other units, and the unit of a file.

use crate::foreign::foreign;
use crate::made;

use glam::Vec3;
use sinew::{Character, Interpolation, Method, deform};
use sinew_rig::units::{Unit, longest_side, scaled, unit_of, unit_of_person};
use sinew_samples::mannequin::Mannequin;

fn vertices(character: &Character) -> Vec<Vec3> {
    let clips = character.clips.iter().enumerate();
    let moments = clips.flat_map(|(index, clip)| {
        let end = f64::from(clip.duration_secs);
        [0.0, 0.37, 1.0].map(|part| (Some(index), part * end))
    });
    let moments = std::iter::once((None, 0.0)).chain(moments);
    let shapes = moments.map(|(clip, time)| deform(character, clip, time, Method::Linear));
    let parts = shapes.flat_map(|shape| shape.expect("it can be posed").primitives);
    parts.flat_map(|part| part.positions).collect()
}

#[test]
fn a_scaled_character_moves_as_before_at_another_size() {
    let kinds = [
        Interpolation::Linear,
        Interpolation::Step,
        Interpolation::CubicHermite,
    ];
    for character in [
        Mannequin::default().build(),
        made::morphed(),
        made::animated(&kinds),
        made::skinned(5, 60, 3),
    ] {
        let before = vertices(&character);
        let after = vertices(&scaled(&character, 100.0).expect("it is finite"));
        assert_eq!(before.len(), after.len());
        let size = before
            .iter()
            .fold(0.0_f32, |m, p| m.max(p.abs().max_element()));
        for (&before, &after) in before.iter().zip(&after) {
            let off = (100.0 * before - after).abs().max_element();
            assert!(off <= 1e-4 * 100.0 * size.max(1.0), "{before} {after}");
        }
    }
}

#[test]
fn lengths_without_end_are_refused() {
    let person = Mannequin::default().build();
    assert!(scaled(&person, f32::INFINITY).is_err());
    assert!(scaled(&person, f32::NAN).is_err());
}

#[test]
fn the_unit_is_stated_fits_or_is_not_known() {
    let person = Mannequin::default().build();
    let Unit::Fitting { metres, height } = unit_of_person(&person.skeleton) else {
        panic!("a person is of a person's size");
    };
    assert_eq!(
        (metres, Some(height)),
        (1.0, longest_side(&person.skeleton))
    );
    let small = scaled(&person, 1.0 / 0.0254).expect("it is finite");
    assert_eq!(unit_of_person(&small.skeleton).metres(), 0.0254);
    let none = scaled(&person, 1.9).expect("it is finite");
    let unit = unit_of_person(&none.skeleton);
    assert!(
        matches!(unit, Unit::Unknown { longest: Some(_) }),
        "{unit:?}"
    );
    let tube = sinew_samples::tube_character();
    let unit = unit_of_person(&tube.skeleton);
    assert_eq!(unit, Unit::Unknown { longest: None });
    assert_eq!(unit.metres(), 1.0);
}

#[test]
fn captured_files_are_in_the_units_that_their_makers_use() {
    let Some(folder) = foreign("bvh") else { return };
    for (file, wanted) in [
        ("cmu_02_03.bvh", 0.0564),
        ("cmu_09_01.bvh", 0.0564),
        ("pymo_AV_8Walk_Meredith.bvh", 0.0254),
        ("threejs_pirouette.bvh", 0.01),
    ] {
        let import = sinew_io::import(folder.join(file)).expect("it can be read");
        let unit = unit_of(import.metres_per_unit(), &import.character.skeleton);
        assert_eq!(unit.metres(), wanted, "{file}: {unit:?}");
    }
}
