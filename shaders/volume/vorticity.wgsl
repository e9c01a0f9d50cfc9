// Vorticity of the cells, per frame, and its magnitude.

@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read_write> to: array<vec4<f32>>;

// The velocity of a cell along an axis, twice.
fn twice(axis: u32, at: vec3<i32>) -> f32 {
    return face(axis, at) + face(axis, at + unit(axis));
}

// Four times the derivative along `along` of the velocity along `axis`.
fn slope(axis: u32, along: u32, at: vec3<i32>) -> f32 {
    return twice(axis, at + unit(along)) - twice(axis, at - unit(along));
}

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    if !inside(at, params.size) {
        return;
    }
    let curl = 0.25 * vec3(
        slope(2u, 1u, at) - slope(1u, 2u, at),
        slope(0u, 2u, at) - slope(2u, 0u, at),
        slope(1u, 0u, at) - slope(0u, 1u, at),
    );
    to[index(at, params.size)] = vec4(curl, sqrt(dot(curl, curl)));
}
