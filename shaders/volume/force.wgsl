// The velocity, or its reflection across its projection, after the forces over `time`. numbers: viscosity times the
// time, and the factor of the difference to the wind.

@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read> base: array<f32>;
@group(0) @binding(3) var<storage, read> projected: array<f32>;
@group(0) @binding(4) var<storage, read> acceleration: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> to: array<f32>;

// The two cells next to a face; at a border, twice the inner cell.
fn mean_acceleration(at: vec3<i32>) -> f32 {
    let n = params.size;
    let low = max(at - unit(AXIS), vec3(0));
    let high = min(at, n - vec3(1));
    return 0.5 * (acceleration[index(low, n)][AXIS] + acceleration[index(high, n)][AXIS]);
}

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let target_face = vec3<i32>(id);
    if !inside(target_face, faces(AXIS)) {
        return;
    }
    let at = origin(AXIS, target_face);
    let here = face_index(AXIS, at);
    var value = base[here];
    if has(REFLECTED) {
        value = 2.0 * projected[here] - value;
    }
    if has(VISCOUS) {
        let sum = (face(AXIS, at - vec3(1, 0, 0)) + face(AXIS, at + vec3(1, 0, 0)))
            + (face(AXIS, at - vec3(0, 1, 0)) + face(AXIS, at + vec3(0, 1, 0)))
            + (face(AXIS, at - vec3(0, 0, 1)) + face(AXIS, at + vec3(0, 0, 1)));
        value += params.numbers.x * (sum - 6.0 * field[here]);
    }
    if has(ACCELERATED) {
        value += params.time * mean_acceleration(at);
    }
    let wind = params.wind[AXIS];
    value = wind + (value - wind) * params.numbers.y;
    to[face_index(AXIS, target_face)] = select(value, 0.0, is_shut(AXIS, at));
}
