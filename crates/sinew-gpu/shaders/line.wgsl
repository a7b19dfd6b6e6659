// Thick lines with round ends, drawn over everything else. In Rust: lines::Line.

struct LineIn {
    @location(0) a: vec3f,
    @location(1) b: vec3f,
    @location(2) color: vec4f,
    @location(3) radii: vec2f,
}

struct LineOut {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) ends: vec4f,
    @location(1) @interpolate(flat) color: vec4f,
    @location(2) @interpolate(flat) radii: vec2f,
}

fn pixel(clip: vec4f) -> vec2f {
    let on_screen = clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5;
    return on_screen * frame.viewport;
}

@vertex
fn line_vertex(@builtin(vertex_index) index: u32, in: LineIn) -> LineOut {
    var a = frame.clip_from_world * vec4f(in.a, 1.0);
    var b = frame.clip_from_world * vec4f(in.b, 1.0);
    // Moves an end that is behind the eye to a point in front of it.
    let min_w = 1e-3;
    if a.w < min_w && b.w > min_w {
        a = mix(a, b, (min_w - a.w) / (b.w - a.w));
    } else if b.w < min_w && a.w > min_w {
        b = mix(b, a, (min_w - b.w) / (a.w - b.w));
    }
    var out: LineOut;
    out.color = in.color;
    out.radii = in.radii;
    if a.w < min_w {
        out.clip = vec4f(0.0, 0.0, 2.0, 1.0);
        return out;
    }
    let start = pixel(a);
    let end = pixel(b);
    out.ends = vec4f(start, end);
    let along = end - start;
    let length = max(length(along), 1e-4);
    let ahead = select(vec2f(1.0, 0.0), along / length, length > 1e-3);
    let across = vec2f(-ahead.y, ahead.x);
    let reach = max(in.radii.x, in.radii.y) + 1.0;
    let side = f32(index & 1u) * 2.0 - 1.0;
    let is_end = index >> 1u == 1u;
    let corner = select(start - ahead * reach, end + ahead * reach, is_end) + across * (side * reach);
    let on_screen = corner / frame.viewport * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
    out.clip = vec4f(on_screen, 0.0, 1.0);
    return out;
}

@fragment
fn line_color(in: LineOut) -> @location(0) vec4f {
    let along = in.ends.zw - in.ends.xy;
    let from_start = in.clip.xy - in.ends.xy;
    let part = clamp(dot(from_start, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
    let inside = mix(in.radii.x, in.radii.y, part) - length(from_start - along * part);
    let covered = clamp(inside + 0.5, 0.0, 1.0);
    let rim = 1.0 - clamp(inside - 0.8, 0.0, 1.0);
    return vec4f(in.color.rgb * mix(1.0, 0.25, rim), in.color.a * covered);
}
