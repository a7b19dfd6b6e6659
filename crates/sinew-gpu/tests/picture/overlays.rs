//! Overlays: grid, edges, bones, axes, weights, and methods side by side.

use crate::common::stored::assert_as_stored;
use crate::common::studio::*;
use glam::Vec3;
use sinew::Method;
use sinew_gpu::{
    Backdrop, Line, Picture, Shot, ShotOptions, Stage, WeightColors, draw_text, read_png, write_png,
};

fn bent() -> ShotOptions {
    ShotOptions::default()
        .size([72, 72])
        .clip(sinew_samples::tube_character().find_clip("bend"))
        .bloom(false)
}

const BENT_SECS: f64 = 1.2;

fn take(studio: &mut Studio, options: ShotOptions) -> Picture {
    let tube = sinew_samples::tube_character();
    let mut shot = Shot::new(&studio.gpu, &tube, options).unwrap();
    let taken = shot.take(&studio.gpu, &mut studio.renderer, &tube, BENT_SECS);
    taken.unwrap()
}

#[test]
fn a_grid_lies_on_the_floor() {
    with_studio(|studio| {
        let plain = take(studio, bent());
        let lined = take(studio, bent().grid(true));
        assert_as_stored("grid", &lined);
        let (lighter, darker) = lighter_and_darker(&plain, &lined);
        assert!(darker > 60, "{darker}");
        assert!(lighter <= 2, "{lighter}");
    });
}

#[test]
fn edges_are_drawn_over_the_figure_alone() {
    with_studio(|studio| {
        let plain = take(studio, bent());
        let wired = take(studio, bent().wireframe(true));
        assert_as_stored("wireframe", &wired);
        let (lighter, darker) = lighter_and_darker(&plain, &wired);
        assert!(darker > 150 && lighter < 10, "{darker} {lighter}");
        assert_eq!(plain.pixel(2, 69), wired.pixel(2, 69));
    });
}

#[test]
fn bones_and_axes_are_drawn_over_everything() {
    with_studio(|studio| {
        let shown = take(studio, bent().size([128, 96]).skeleton(true).axes(true));
        assert_as_stored("skeleton", &shown);
        // The axes of an unrotated joint are red, green and blue, even inside the figure.
        let of = |wanted: fn([i32; 3]) -> bool| {
            let pixels = shown.rgba().chunks_exact(4);
            let pixels = pixels.map(|p| [p[0], p[1], p[2]].map(i32::from));
            pixels.filter(|&p| wanted(p)).count()
        };
        assert!(of(|[r, g, b]| b > r + 40 && b > g + 40) >= 5, "blue");
        assert!(of(|[r, g, b]| g > r + 30 && g > b + 30) >= 5, "green");
        assert!(of(|[r, g, b]| r > g + 60 && r > b + 60) >= 5, "red");
    });
}

#[test]
fn a_line_is_as_thick_as_it_says_and_hides_what_lies_behind() {
    with_studio(|studio| {
        let wall = studio.scene(&[(&square(), &unlit([0.1; 3]), Vec3::Z)]);
        let line = Line {
            a: [-1.0, 0.0, 0.0],
            b: [1.0, 0.0, 0.0],
            color: [0.0, 1.0, 0.0, 1.0],
            radii: [4.0; 2],
        };
        let view = plain_view([48, 48], Vec3::Z * 6.0, Vec3::ZERO);
        let stage = Stage {
            scenes: vec![&wall],
            lines: &[line],
            ..Stage::default()
        };
        let picture = studio.draw(&stage, &view);
        let is_green = |y: u32| picture.pixel(24, y)[1] > 100;
        let thick = (0..48).filter(|&y| is_green(y)).count();
        assert!((6..=8).contains(&thick), "{thick} pixels");
        assert!(is_green(24), "though the wall stands before it");
    });
}

fn mean_where_other(a: &Picture, b: &Picture) -> [f64; 3] {
    let pixels = a.rgba().chunks_exact(4).zip(b.rgba().chunks_exact(4));
    let other = pixels.filter(|(a, b)| a != b).map(|(a, _)| a);
    let (mut sum, mut count) = ([0.0; 3], 0.0_f64);
    for pixel in other {
        (0..3).for_each(|c| sum[c] += f64::from(pixel[c]));
        count += 1.0;
    }
    sum.map(|s| s / count.max(1.0))
}

#[test]
fn weights_are_shown_as_colours() {
    with_studio(|studio| {
        let mut of = |weight_colors| take(studio, bent().weight_colors(Some(weight_colors)));
        let (lower, upper) = (of(WeightColors::Joint(0)), of(WeightColors::Joint(1)));
        let (mixed, dominant) = (of(WeightColors::Every), of(WeightColors::Dominant));
        assert_as_stored("weights_of_one", &upper);
        assert_as_stored("weights_mixed", &mixed);
        assert_as_stored("weights_dominant", &dominant);
        let warm = |p: &Picture| {
            p.rgba()
                .chunks_exact(4)
                .filter(|p| p[0] > p[2].saturating_add(90))
                .count()
        };
        assert!(warm(&lower) > 100 && warm(&upper) > 100);
        assert_ne!(lower, upper);
        assert_ne!(mixed, dominant);
        assert_ne!(mean_where_other(&mixed, &dominant), [0.0; 3]);
    });
}

#[test]
fn methods_stand_side_by_side_with_their_names() {
    with_studio(|studio| {
        let tube = sinew_samples::tube_character();
        let options = ShotOptions::default()
            .size([192, 96])
            .clip(tube.find_clip("twist"))
            .methods(vec![Method::Linear, Method::DualQuat])
            .labels(true)
            .bloom(false);
        let mut shot = Shot::new(&studio.gpu, &tube, options).unwrap();
        let at = 2.0 * 170.0 / 180.0;
        let both = shot
            .take(&studio.gpu, &mut studio.renderer, &tube, at)
            .unwrap();
        assert_eq!((both.width(), both.height()), (192, 96));
        assert_as_stored("side_by_side", &both);
        // In the middle, linear blending leaves a thread, dual quaternions the full width.
        let orange = |p: [u8; 4]| p[0] > p[2].saturating_add(25);
        let wide = |from: u32| {
            let row = |y| {
                (from..from + 96)
                    .filter(|&x| orange(both.pixel(x, y)))
                    .count()
            };
            (40..52).map(row).min().unwrap_or(0)
        };
        assert!(2 * wide(0) < wide(96), "{} {}", wide(0), wide(96));
    });
}

#[test]
fn backdrops_are_dark_clear_or_of_a_colour() {
    with_studio(|studio| {
        let mut of = |backdrop| take(studio, bent().backdrop(backdrop));
        let dark = of(Backdrop::Dark);
        assert_as_stored("dark", &dark);
        assert!(
            brightness(&dark, (3, 3)) < 150,
            "{}",
            brightness(&dark, (3, 3))
        );
        let clear = of(Backdrop::Clear);
        assert_eq!(clear.pixel(3, 3)[3], 0);
        let opaque = clear.rgba().chunks_exact(4).filter(|p| p[3] == 255).count();
        let partly = clear
            .rgba()
            .chunks_exact(4)
            .filter(|p| (20..200).contains(&p[3]))
            .count();
        assert!(opaque > 400, "the figure: {opaque}");
        assert!(partly > 60, "its shadow: {partly}");
        let colored = of(Backdrop::Color([10, 200, 90]));
        assert_as_stored("color_behind", &colored);
        assert_eq!(colored.pixel(3, 3), [10, 200, 90, 255]);
    });
}

#[test]
fn a_turntable_comes_back_to_where_it_began() {
    with_studio(|studio| {
        let tube = sinew_samples::tube_character();
        let mut shot = Shot::new(&studio.gpu, &tube, bent()).unwrap();
        let mut at = |cycles: f32| {
            shot.orbit(std::f32::consts::TAU * cycles);
            shot.take(&studio.gpu, &mut studio.renderer, &tube, BENT_SECS)
                .unwrap()
        };
        let (start, half, whole) = (at(0.0), at(0.5), at(1.0));
        let (_, mean) = start.difference(&whole).unwrap();
        assert!(mean < 0.1, "{mean}");
        let (_, mean) = start.difference(&half).unwrap();
        assert!(mean > 1.0, "{mean}");
    });
}

#[test]
fn letters_are_drawn_and_pictures_come_back_from_their_files() {
    let mut page = Picture::new(200, 44, [250, 250, 250, 255]);
    draw_text(
        &mut page,
        [4.0, 4.0],
        10.0,
        [20, 20, 30, 255],
        "dual quaternion 170°",
    );
    draw_text(
        &mut page,
        [4.0, 24.0],
        10.0,
        [20, 20, 30, 255],
        "ABC xyz 0.5 (linear)",
    );
    assert_as_stored("letters", &page);
    let mut bytes = Vec::new();
    write_png(&mut bytes, &page).unwrap();
    assert_eq!(read_png(&bytes).unwrap(), page);
    assert!(read_png(&bytes[..40]).is_err());
    assert!(read_png(b"not a picture").is_err());
}
