// Applies a map of three rows to a point. Written out as nine multiply-adds.
fn affine_point(x: vec4<f32>, y: vec4<f32>, z: vec4<f32>, p: vec3<f32>) -> vec3<f32> {
    return vec3(
        x.x * p.x + (x.y * p.y + (x.z * p.z + x.w)),
        y.x * p.x + (y.y * p.y + (y.z * p.z + y.w)),
        z.x * p.x + (z.y * p.y + (z.z * p.z + z.w)),
    );
}

// Cofactor matrix of a map of three rows, times `n`: the effect of the map on areas.
fn area(x: vec3<f32>, y: vec3<f32>, z: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    let a = cross(z, n);
    return vec3(dot(y, a), -dot(x, a), dot(x, cross(y, n)));
}

// `v` at unit length, or `fallback` if the length of `v` is 0.
fn unit_or(v: vec3<f32>, fallback: vec3<f32>) -> vec3<f32> {
    let square = dot(v, v);
    return select(v * inverseSqrt(square), fallback, square < 1e-30);
}
