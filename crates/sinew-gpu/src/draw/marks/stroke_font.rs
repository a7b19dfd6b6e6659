//! Stroke font for labels. It has only capital letters.

use crate::image::picture::Picture;

/// Width per letter including a gap of a sixth, relative to the height.
const ADVANCE: f32 = 5.4 / 6.0;

/// Strokes of a letter on a grid of 4 × 6: two digits (x, y) per point, spaces between strokes.
fn strokes(character: char) -> Option<&'static str> {
    Some(match character.to_ascii_uppercase() {
        ' ' => "",
        'A' => "002640 1232",
        'B' => "00063645443303 3342413000",
        'C' => "4536160501103041",
        'D' => "00062644422000",
        'E' => "46060040 0333",
        'F' => "000646 0333",
        'G' => "45361605011030414323",
        'H' => "0006 4046 0343",
        'I' => "1030 1636 2026",
        'J' => "464130100102",
        'K' => "0006 460340",
        'L' => "060040",
        'M' => "0006234640",
        'N' => "00064046",
        'O' => "103041453616050110",
        'P' => "00063645443303",
        'Q' => "103041453616050110 2240",
        'R' => "00063645443303 2340",
        'S' => "011030414233130405163645",
        'T' => "2026 0646",
        'U' => "060110304146",
        'V' => "062046",
        'W' => "0610243046",
        'X' => "0046 0640",
        'Y' => "062346 2320",
        'Z' => "06460040",
        '0' => "103041453616050110 1135",
        '1' => "152620 1030",
        '2' => "05163645440040",
        '3' => "05163645443313 334241301001",
        '4' => "30360242",
        '5' => "460604344341301001",
        '6' => "453616050110304142331302",
        '7' => "064610",
        '8' => "13040516364544331302011030414233",
        '9' => "011030414536160504133344",
        '.' => "2020",
        ',' => "2110",
        ':' => "2121 2424",
        '-' => "1333",
        '+' => "1333 2224",
        '=' => "1232 1434",
        '/' => "0046",
        '%' => "0046 0606 4040",
        '(' => "36242230",
        ')' => "16242210",
        '\'' => "2624",
        '"' => "1614 3634",
        '_' => "0040",
        '°' => "1526352415",
        '×' => "1234 1432",
        '·' => "2323",
        _ => return None,
    })
}

fn points(strokes: &str) -> impl Iterator<Item = Vec<[f32; 2]>> + '_ {
    strokes.split(' ').map(|stroke| {
        let digits: Vec<f32> = stroke
            .bytes()
            .map(|b| f32::from(b.saturating_sub(b'0')))
            .collect();
        digits.chunks_exact(2).map(|p| [p[0], p[1]]).collect()
    })
}

/// Width of a text in pixels for letters `height` pixels high.
pub fn text_width(height: f32, text: &str) -> f32 {
    (text.chars().count() as f32 * ADVANCE - (ADVANCE - 4.0 / 6.0)).max(0.0) * height
}

/// Draws a text from its upper left corner. `height` is in pixels. Unknown characters are boxes.
pub fn draw_text(
    picture: &mut Picture,
    [left, top]: [f32; 2],
    height: f32,
    color: [u8; 4],
    text: &str,
) {
    draw_strokes(
        picture,
        [left, top],
        height,
        (0.07 * height).max(0.5),
        color,
        text,
    );
}

/// Like [`draw_text`], with a broad outline in another colour.
pub fn draw_outlined_text(
    picture: &mut Picture,
    position: [f32; 2],
    height: f32,
    [ink, outline]: [[u8; 4]; 2],
    text: &str,
) {
    let radius = (0.07 * height).max(0.5);
    draw_strokes(picture, position, height, radius + 1.2, outline, text);
    draw_strokes(picture, position, height, radius, ink, text);
}

fn draw_strokes(
    picture: &mut Picture,
    [left, top]: [f32; 2],
    height: f32,
    radius: f32,
    color: [u8; 4],
    text: &str,
) {
    let unit = height / 6.0;
    for (index, character) in text.chars().enumerate() {
        let x = left + index as f32 * ADVANCE * height;
        let drawn = strokes(character).unwrap_or("0040460600");
        let strokes: Vec<Vec<[f32; 2]>> = points(drawn)
            .map(|stroke| {
                let on_picture = |[px, py]: [f32; 2]| [x + px * unit, top + (6.0 - py) * unit];
                stroke.into_iter().map(on_picture).collect()
            })
            .collect();
        let reach = radius + 1.0;
        let columns = span(x - reach, x + 4.0 * unit + reach, picture.width());
        let rows = span(top - reach, top + height + reach, picture.height());
        for py in rows {
            for px in columns.clone() {
                let center = [px as f32 + 0.5, py as f32 + 0.5];
                let away = strokes.iter().flat_map(|s| s.windows(2));
                let away = away
                    .map(|pair| distance(center, pair[0], pair[1]))
                    .fold(f32::INFINITY, f32::min);
                let covered = (radius - away + 0.5).clamp(0.0, 1.0);
                if covered > 0.0 {
                    let below = picture.pixel(px, py);
                    picture.set_pixel(px, py, over(below, color, covered));
                }
            }
        }
    }
}

fn span(low: f32, high: f32, end: u32) -> std::ops::Range<u32> {
    let clamp = |x: f32| x.clamp(0.0, end as f32) as u32;
    clamp(low.floor())..clamp(high.ceil())
}

fn distance(p: [f32; 2], a: [f32; 2], b: [f32; 2]) -> f32 {
    let (along, from) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let length = along[0] * along[0] + along[1] * along[1];
    let part = (from[0] * along[0] + from[1] * along[1]) / length.max(1e-9);
    let part = part.clamp(0.0, 1.0);
    (from[0] - along[0] * part).hypot(from[1] - along[1] * part)
}

fn over(below: [u8; 4], color: [u8; 4], covered: f32) -> [u8; 4] {
    let part = covered * f32::from(color[3]) / 255.0;
    std::array::from_fn(|c| {
        let (from, to) = (f32::from(below[c]), f32::from(color[c]));
        let to = if c == 3 { 255.0 } else { to };
        (from + (to - from) * part).round() as u8
    })
}
