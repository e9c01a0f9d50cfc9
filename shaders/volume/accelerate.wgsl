// Accelerations of the cells: buoyancy, force fields and vorticity confinement (Fedkiw, Stam and Jensen 2001).
//
// numbers: upward acceleration per density, temperature, fuel and soot. more: confinement. first, part: first point of
// the coarse grid of the force fields and number of its points; mode: cells between two of them.

@group(0) @binding(1) var<storage, read> packs: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> vorticity: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> fields: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> to: array<vec4<f32>>;

// Amount of smoke or heat from which on force fields have their full strength.
const STIRRED: f32 = 0.25;

fn magnitude(at: vec3<i32>) -> f32 {
    return vorticity[index(clamp(at, vec3(0), params.size - vec3(1)), params.size)].w;
}

fn point(at: vec3<i32>) -> vec3<f32> {
    return fields[index(at, params.part)].xyz;
}

fn stir(at: vec3<i32>) -> vec3<f32> {
    let step = i32(params.mode);
    let cell = params.low + at;
    // Division towards the lower number.
    let before = vec3<i32>(floor((vec3<f32>(cell) + 0.25) / f32(step)));
    let part = (vec3<f32>(cell - before * step) + 0.5) / f32(step);
    let a = before - params.first;
    let low = mix(mix(point(a), point(a + vec3(1, 0, 0)), part.x),
        mix(point(a + vec3(0, 1, 0)), point(a + vec3(1, 1, 0)), part.x), part.y);
    let high = mix(mix(point(a + vec3(0, 0, 1)), point(a + vec3(1, 0, 1)), part.x),
        mix(point(a + vec3(0, 1, 1)), point(a + vec3(1, 1, 1)), part.x), part.y);
    return mix(low, high, part.z);
}

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec3<i32>(id);
    if !inside(at, params.size) {
        return;
    }
    let here = index(at, params.size);
    let pack = packs[here];
    var sum = vec3(0.0, dot(params.numbers, pack), 0.0);
    if has(FIELDS) {
        let share = min(max(pack.x, pack.y) * (1.0 / STIRRED), 1.0);
        if share > 0.0 {
            sum += share * stir(at);
        }
    }
    if has(CONFINED) {
        let n = vec3(
            magnitude(at + vec3(1, 0, 0)) - magnitude(at - vec3(1, 0, 0)),
            magnitude(at + vec3(0, 1, 0)) - magnitude(at - vec3(0, 1, 0)),
            magnitude(at + vec3(0, 0, 1)) - magnitude(at - vec3(0, 0, 1)),
        );
        sum += params.more.x / (sqrt(dot(n, n)) + 1e-6) * cross(n, vorticity[here].xyz);
    }
    to[here] = vec4(sum, 0.0);
}
