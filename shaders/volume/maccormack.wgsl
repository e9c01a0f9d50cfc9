// MacCormack's correction (Selle et al. 2008), clamped to the eight values around the backtraced position; without it
// where a displacement ends outside the box.

@group(0) @binding(1) var<storage, read> field: array<f32>;
// The field advected once, and that one advected forth.
@group(0) @binding(2) var<storage, read> advected: array<f32>;
@group(0) @binding(3) var<storage, read> again: array<f32>;
@group(0) @binding(4) var<storage, read> back: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> ahead: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> to: array<f32>;

// Whether a displacement ends outside the box; wrapped axes do not count.
fn leaves_box(at: vec3<i32>, displacement: vec3<f32>) -> bool {
    let low = select(vec3(-0.5), vec3(0.0), unit(AXIS) == vec3(1));
    let high = low + vec3<f32>(params.size);
    let end = vec3<f32>(at) + displacement;
    let free = vec3(!wraps(0u), !wraps(1u), !wraps(2u));
    return any(free & ((end < low) | (end > high)));
}

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let target_face = vec3<i32>(id);
    if !inside(target_face, faces(AXIS)) {
        return;
    }
    let at = origin(AXIS, target_face);
    let here = face_index(AXIS, at);
    let cells = cells_of_face(AXIS, at);
    let backwards = 0.5 * (back[cells.x].xyz + back[cells.y].xyz);
    let forwards = 0.5 * (ahead[cells.x].xyz + ahead[cells.y].xyz);
    var value = advected[here];
    if !leaves_box(at, backwards) && !leaves_box(at, forwards) {
        let around = corners(AXIS, sample_position(AXIS, at, backwards).at);
        let least = min(around.low, around.high);
        let most = max(around.low, around.high);
        let low = min(min(least.x, least.y), min(least.z, least.w));
        let high = max(max(most.x, most.y), max(most.z, most.w));
        value = min(max(value + 0.5 * (field[here] - again[here]), low), high);
    }
    to[face_index(AXIS, target_face)] = select(value, 0.0, is_shut(AXIS, at));
}
