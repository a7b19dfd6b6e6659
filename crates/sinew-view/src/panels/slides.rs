//! A slider in metres for a joint that slides within a range.

use egui::{Response, Slider, Ui, WidgetInfo};
use glam::Vec3;
use sinew::skeleton::limits::SlideRange;

/// Decimals of a metre that the slider shows.
const DECIMALS: usize = 3;

/// Slider for the distance of a joint from rest. Returns its translation, too, if the slider moved.
pub(super) fn slider(
    ui: &mut Ui,
    name: &str,
    slide: &SlideRange,
    [rest, now]: [Vec3; 2],
) -> (Response, Option<Vec3>) {
    let steps = 10_f32.powi(DECIMALS as i32);
    let shown = (slide.distance(rest, now) * steps).round() / steps;
    let mut distance = shown;
    let row = ui.horizontal(|ui| {
        ui.label(name);
        ui.spacing_mut().slider_width = (ui.available_width() - 80.0).max(40.0);
        let slider = Slider::new(&mut distance, slide.min..=slide.max)
            .max_decimals(DECIMALS)
            .suffix(" m")
            .update_while_editing(false);
        let response = ui.add(slider);
        let (value, title) = (f64::from(distance), format!("Slide of {name}"));
        response.widget_info(|| WidgetInfo::slider(true, value, &title));
        response
    });
    // A slider reports a value that it rounds as a change.
    let is_moved = row.inner.changed() && (distance - shown).abs() > 0.4 / steps;
    (row.inner, is_moved.then(|| slide.at(rest, distance)))
}
