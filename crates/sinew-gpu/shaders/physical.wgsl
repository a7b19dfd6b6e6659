// Metallic-roughness model of glTF: microfacets of Trowbridge and Reitz with multiple scattering (Fdez-Agüera, "A
// Multiple-Scattering Microfacet Model for Real-Time Image Based Lighting", JCGT 2019).

const PI: f32 = 3.14159265;

fn physical(surface: Surface, position: vec3f, to_eye: vec3f, screen_occlusion: f32) -> vec3f {
    let facing = clamp(dot(surface.normal, to_eye), 0.0, 1.0);
    let split = reflected_parts(surface.roughness, facing);
    let whole = split.x + split.y;
    let metal_color = mix(surface.specular_color, surface.base, surface.metallic);
    var dull = surface.base * (1.0 - surface.metallic);
    let tint = dull;
    if is_glass {
        dull *= 1.0 - material.transmission;
    }

    let from_above = scattered(surface.specular_color, surface.specular, split);
    let from_metal = scattered(surface.base, surface.specular, split);
    let once = mix(from_above.once, from_metal.once, surface.metallic);
    let again = mix(from_above.again, from_metal.again, surface.metallic);
    let everywhere = light_on(surface.normal);
    let occlusion = min(surface.occlusion, screen_occlusion);
    var mirror = surface.normal;
    if is_brushed {
        // Grooves reflect as if the normal were rotated toward the eye (Revie, "Implementing Fur Using Deferred
        // Shading", 2011; McAuley 2015).
        let across = cross(surface.groove, to_eye);
        let towards = normalize(cross(across, surface.groove));
        let bend = 1.0 - length(material.brushed) * (1.0 - surface.roughness);
        let square = bend * bend;
        mirror = normalize(mix(towards, surface.normal, square * square));
    }
    let mirrored = light_along(reflect(-to_eye, mirror), mirror, surface.roughness);
    let mirror_occlusion = specular_occlusion(facing, occlusion, surface.roughness);
    var indirect = (mirrored * once + everywhere * again) * mirror_occlusion;
    let inside = 1.0 - from_above.once - from_above.again;
    indirect += everywhere * dull * inside * occlusion;

    var cloth = vec3f(0.0);
    if is_cloth {
        let albedo = sheen_albedo(surface.sheen_roughness, facing);
        indirect *= 1.0 - highest(surface.sheen_color) * albedo;
        cloth = everywhere * surface.sheen_color * (albedo * occlusion);
    }
    var coat = vec3f(0.0);
    var coat_facing = 0.0;
    if coated {
        coat_facing = clamp(dot(surface.coat_normal, to_eye), 0.0, 1.0);
        let parts = reflected_parts(surface.coat_roughness, coat_facing);
        let along = reflect(-to_eye, surface.coat_normal);
        let seen = light_along(along, surface.coat_normal, surface.coat_roughness);
        coat = seen * ((0.04 * parts.x + parts.y) * occlusion);
    }
    var out = LightSum(indirect, cloth, coat);
    let given_back = 1.0 + metal_color * (1.0 / max(whole, 1e-3) - 1.0);
    let lit = LitSurface(surface, metal_color, dull, given_back, to_eye, facing);
    let sun = frame.lamps[0];
    if any(sun.diffuse.rgb > vec3f(0.0)) {
        add_lamp(&out, lit, sun.position.xyz, sun.diffuse.rgb * sun_at(position, surface.normal));
    }
    // Unrolled: a loop over an array takes software renderers twice as long.
    if lamp_count > 1u { from_point(&out, lit, frame.lamps[1], position); }
    if lamp_count > 2u { from_point(&out, lit, frame.lamps[2], position); }
    if lamp_count > 3u { from_point(&out, lit, frame.lamps[3], position); }
    if lamp_count > 4u { from_point(&out, lit, frame.lamps[4], position); }
    if lamp_count > 5u { from_point(&out, lit, frame.lamps[5], position); }
    if lamp_count > 6u { from_point(&out, lit, frame.lamps[6], position); }
    if lamp_count > 7u { from_point(&out, lit, frame.lamps[7], position); }

    var light = out.light + surface.emissive;
    if is_glass {
        let seen = seen_through(surface, position, to_eye);
        light += seen.rgb * tint * inside * material.transmission;
    }
    if is_cloth {
        light += out.cloth;
    }
    if coated {
        let mirrored_off = surface.coat * schlick(0.04, 1.0, coat_facing);
        light = light * (1.0 - mirrored_off) + out.coat * surface.coat;
    }
    return light;
}

struct LightSum {
    light: vec3f,
    cloth: vec3f,
    coat: vec3f,
}

struct LitSurface {
    at: Surface,
    mirror: vec3f,
    dull: vec3f,
    given_back: vec3f,
    to_eye: vec3f,
    facing: f32,
}

// Reflected part of white light after one bounce, and after further bounces.
struct Scattered {
    once: vec3f,
    again: vec3f,
}

fn scattered(color: vec3f, grazing: f32, split: vec2f) -> Scattered {
    let once = color * split.x + grazing * split.y;
    let lost = 1.0 - (split.x + split.y);
    let mean = color + (1.0 - color) / 21.0;
    return Scattered(once, once * mean / (1.0 - lost * mean) * lost);
}

// Reflected part of light from everywhere, for a roughness and a cosine: the part that takes the colour of the surface,
// and the part that stays white. A fit of the integral with a mean error of 0.01.
fn reflected_parts(roughness: f32, facing: f32) -> vec2f {
    let r = roughness;
    let m = facing;
    let whole = (1.08604 + m * (19.95808 + m * (-3.69943 - 2.26413 * m))
        + r * (-6.64959 + m * (-9.6482 + 8.82801 * m) + r * (20.50445 - 18.32601 * m - 5.30285 * r)))
        / (1.0 + m * (20.1976 - 5.3375 * m) + r * (-4.73481 - 9.30875 * m + 14.18997 * r));
    let uncolored = (0.97953 + m * (-3.18117 + m * (3.49998 - 1.33522 * m))
        + r * (-0.56279 + m * (1.46022 - 0.75318 * m) + r * (-0.12053 - 0.12574 * m + 0.1247 * r)))
        / (1.0 + m * (0.88869 + 8.28649 * m) + r * (-0.21332 - 13.73712 * m + 11.55467 * r));
    let bias = clamp(uncolored, 0.0, 1.0);
    return vec2f(max(min(whole, 1.0) - bias, 0.0), bias);
}

// Specular occlusion, derived from ambient occlusion (Lagarde and de Rousiers 2014).
fn specular_occlusion(facing: f32, occlusion: f32, roughness: f32) -> f32 {
    let power = exp2(-16.0 * roughness - 1.0);
    return clamp(pow(facing + occlusion, power) - 1.0 + occlusion, 0.0, 1.0);
}

fn from_point(out: ptr<function, LightSum>, lit: LitSurface, lamp: Lamp, position: vec3f) {
    var to_lamp = lamp.position.xyz;
    var arrives = 1.0;
    if lamp.position.w != 0.0 {
        to_lamp -= position;
        let square = max(dot(to_lamp, to_lamp), 1e-8);
        to_lamp *= inverseSqrt(square);
        if lamp.position.w > 0.0 {
            arrives = max(1.0 / (1.0 + square * lamp.position.w) - 0.06, 0.0);
        } else {
            // Inverse-square falloff, faded to 0 at the range.
            let part = square * lamp.specular.w;
            let window = clamp(1.0 - part * part, 0.0, 1.0);
            arrives = window * window / max(square, 1e-4);
            arrives *= smoothstep(lamp.aim.w, lamp.diffuse.w, dot(-to_lamp, lamp.aim.xyz));
        }
    }
    add_lamp(out, lit, to_lamp, lamp.diffuse.rgb * arrives);
}

// Adds a lamp. `color` is the light that a white surface facing the lamp reflects.
fn add_lamp(out: ptr<function, LightSum>, lit: LitSurface, to_lamp: vec3f, color: vec3f) {
    let at = lit.at;
    let half_way = normalize(to_lamp + lit.to_eye);
    let along = clamp(dot(lit.to_eye, half_way), 0.0, 1.0);
    let reached = clamp(dot(at.normal, to_lamp), 0.0, 1.0);
    var arrives = color * reached;
    if coated {
        let coat_reached = clamp(dot(at.coat_normal, to_lamp), 0.0, 1.0);
        let coat_facing = clamp(dot(at.coat_normal, lit.to_eye), 0.0, 1.0);
        let cos_half = clamp(dot(at.coat_normal, half_way), 0.0, 1.0);
        let facets = microfacets(at.coat_roughness, coat_reached, coat_facing, cos_half);
        (*out).coat += color * (coat_reached * PI * facets * schlick(0.04, 1.0, along));
    }
    if is_cloth {
        let cos_half = clamp(dot(at.normal, half_way), 0.0, 1.0);
        (*out).cloth += arrives * PI * at.sheen_color
            * (fibres(at.sheen_roughness, cos_half) * fibres_open(lit.facing, reached));
        let albedo = max(
            sheen_albedo(at.sheen_roughness, lit.facing),
            sheen_albedo(at.sheen_roughness, reached),
        );
        arrives *= 1.0 - highest(at.sheen_color) * albedo;
    }
    let cos_half = clamp(dot(at.normal, half_way), 0.0, 1.0);
    let facets = microfacets(at.roughness, reached, lit.facing, cos_half);
    let mirrored = lit.mirror + (at.specular - lit.mirror) * fifth(1.0 - along);
    let kept = at.specular_color + (at.specular - at.specular_color) * fifth(1.0 - along);
    (*out).light += arrives * (PI * facets * mirrored * lit.given_back + lit.dull * (1.0 - kept));
}

// Distribution (Trowbridge and Reitz 1975) times height-correlated visibility (Heitz 2014).
fn microfacets(roughness: f32, reached: f32, facing: f32, cos_half: f32) -> f32 {
    let alpha = roughness * roughness;
    let square = alpha * alpha;
    let spread = cos_half * cos_half * (square - 1.0) + 1.0;
    let seen = reached * sqrt(square + (1.0 - square) * facing * facing);
    let lit = facing * sqrt(square + (1.0 - square) * reached * reached);
    return square / (PI * spread * spread) * 0.5 / max(seen + lit, 1e-6);
}

fn fifth(x: f32) -> f32 {
    let square = x * x;
    return square * square * x;
}

fn schlick(from_above: f32, grazing: f32, along: f32) -> f32 {
    return from_above + (grazing - from_above) * fifth(1.0 - along);
}

fn highest(color: vec3f) -> f32 {
    return max(color.r, max(color.g, color.b));
}

// Distribution of fibres (Estevez and Kulla, "Production Friendly Microfacet Sheen BRDF", 2017) times their visibility
// (Neubelt and Pettineo 2013).
fn fibres(roughness: f32, cos_half: f32) -> f32 {
    let inverse = 1.0 / (roughness * roughness);
    let square = max(1.0 - cos_half * cos_half, 0.0078125);
    return (2.0 + inverse) * pow(square, inverse * 0.5) / (2.0 * PI);
}

fn fibres_open(facing: f32, reached: f32) -> f32 {
    return clamp(1.0 / (4.0 * max(facing + reached - facing * reached, 1e-4)), 0.0, 1.0);
}

// Part of light from everywhere that sheen reflects: a fit of the integral.
fn sheen_albedo(roughness: f32, facing: f32) -> f32 {
    let r = roughness;
    let inverse = 1.0 / (r + 0.1);
    let a = -1.9362 + 1.0678 * r + 0.4573 * r * r - 0.8469 * inverse;
    let b = -0.6014 + 0.5538 * r - 0.4670 * r * r - 0.1255 * inverse;
    return clamp(exp(a * facing + b), 0.0, 1.0);
}
