// Burns fuel: the formula is at `Operation::Burn` in `sim/fluid/operation.rs`.
//
// numbers: fuel burnt at full rate, ignition, heat, ageing. more: factor of soot, soot per fuel, one over the time. area:
// number of cells.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> temperature: array<f32>;
// Fuel, flame gas, flame gas times its age, soot.
@group(0) @binding(2) var<storage, read_write> gas: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> burning: array<f32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if at >= u32(params.area.x) {
        return;
    }
    let before = gas[at];
    let heat = temperature[at];
    let share = smoothstep(params.numbers.y, params.numbers.y + 0.1, heat);
    let burnt = min(before.x, params.numbers.x * share);
    if burnt > 0.0 {
        temperature[at] = 1.0 - (1.0 - heat) * exp(-params.numbers.z * burnt);
    }
    let aged = before.z + before.y * (0.15 + 0.85 * share) * params.numbers.w;
    var old = 0.0;
    if before.y > 0.0 {
        old = smoothstep(0.2, 0.7, aged / before.y);
    }
    let soot = before.w * params.more.x + params.more.y * burnt * old;
    gas[at] = vec4(before.x - burnt, before.y, aged, soot);
    burning[at] = burnt * params.more.z;
}
