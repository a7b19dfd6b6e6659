// Grid lines on the floor. They fade where they are thinner than a pixel.

fn line_at(at: vec2f, spacing: f32, width: f32) -> f32 {
    let cell = at / spacing;
    let pixel = fwidth(cell);
    let from_line = abs(fract(cell - 0.5) - 0.5);
    let half = max(vec2f(width / spacing * 0.5), pixel * 0.5);
    let covered = clamp((half - from_line) / pixel + 0.5, vec2f(0.0), vec2f(1.0));
    // A line thinner than a pixel gets the share of the pixel that it covers.
    let share = min(vec2f(width / spacing) / half * 0.5, vec2f(1.0)) * step(pixel, vec2f(1.0));
    return max(covered.x * share.x, covered.y * share.y);
}

@fragment
fn grid_lines(in: VertexOut) -> @location(0) vec4f {
    let at = in.position.xz;
    let fine = line_at(at, ground.grid, ground.grid * 0.024);
    let coarse = line_at(at, ground.grid * 5.0, ground.grid * 0.05);
    let away = distance(at, ground.middle) / ground.half_size;
    let near = 1.0 - smoothstep(0.05, 0.6, away);
    return vec4f(ground.grid_color, max(fine * 0.7, coarse * 0.95) * near);
}
