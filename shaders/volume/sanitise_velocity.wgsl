// Makes the velocity of a new state finite and limited, and finds its largest magnitude. numbers: limit. count: number
// of faces.

@group(0) @binding(1) var<storage, read_write> velocity: array<f32>;
// Bits of the largest magnitude, which are in the order of their numbers.
@group(0) @binding(2) var<storage, read_write> statistics: array<atomic<u32>>;

var<workgroup> largest: atomic<u32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if at < params.count {
        let before = velocity[at];
        let is_number = (bitcast<u32>(before) & 0x7fffffffu) <= 0x7f800000u;
        let value = select(0.0, clamp(before, -params.numbers.x, params.numbers.x), is_number);
        velocity[at] = value;
        atomicMax(&largest, bitcast<u32>(abs(value)));
    }
    workgroupBarrier();
    if lane == 0u {
        atomicMax(&statistics[0], atomicLoad(&largest));
    }
}
