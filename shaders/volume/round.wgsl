// Rounds packs stochastically to halves, and finds the cells with more than a trace. number: eight times the step, plus
// the number of the pack.

@group(0) @binding(1) var<storage, read> packs: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> to: array<vec2<u32>>;
// After the speed: the first cells along each axis from the last on, and the last ones from the first on, each plus one;
// 0 without any.
@group(0) @binding(3) var<storage, read_write> statistics: array<atomic<u32>>;

// Bits of the half 0.001.
const TRACE: u32 = 0x1419u;
const LARGEST: f32 = 65504.0;
// Least normal half.
const NORMAL: f32 = 6.1035156e-5;

var<workgroup> ends: array<atomic<u32>, 6>;

// The hash pcg4d (Jarzynski and Olano 2020).
fn pcg4d(words: vec4<u32>) -> vec4<u32> {
    var v = words * 1664525u + 1013904223u;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    v = v ^ (v >> vec4(16u));
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    return v;
}

// The bits of the half below or above, at random in proportion. NaN and numbers below 0 become 0.
fn rounded(number: f32, random: u32) -> u32 {
    let bits = bitcast<u32>(number);
    // Numbers above 0, infinity included.
    let value = select(0.0, min(number, LARGEST), bits > 0u && bits <= 0x7f800000u);
    let normal = ((bitcast<u32>(value) + random) >> 13u) - (112u << 10u);
    let fixed = u32(i32(min(value, NORMAL) * 16777216.0 + f32(random) * (1.0 / 8192.0)));
    return min(select(normal, fixed, value < NORMAL), 0x7bffu);
}

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = vec3<i32>(id);
    let size = params.size * params.detail;
    if inside(at, size) {
        let here = index(at, size);
        let pack = packs[here];
        let random = pcg4d(vec4(bitcast<vec3<u32>>(params.low + at), params.number)) >> vec4(19u);
        let halves = vec4(
            rounded(pack.x, random.x), rounded(pack.y, random.y), rounded(pack.z, random.z), rounded(pack.w, random.w),
        );
        to[here] = vec2(halves.x | halves.y << 16u, halves.z | halves.w << 16u);
        if !has(OTHERS) && any(halves > vec4(TRACE)) {
            let from_last = vec3<u32>(size - at);
            let from_first = vec3<u32>(at) + vec3(1u);
            for (var axis = 0u; axis < 3u; axis++) {
                atomicMax(&ends[axis], from_last[axis]);
                atomicMax(&ends[3u + axis], from_first[axis]);
            }
        }
    }
    workgroupBarrier();
    if lane < 6u {
        let end = atomicLoad(&ends[lane]);
        if end > 0u {
            atomicMax(&statistics[1u + lane], end);
        }
    }
}
