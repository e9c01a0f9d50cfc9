// Burns the fuel of all cells, and lets them radiate.
//
// numbers: fuel burnt at full rate, ignition, heat, ageing. more: factor of soot, soot per fuel, one over the time, rate
// of radiation. count: number of cells.

@group(0) @binding(1) var<storage, read_write> scalars: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> gases: array<vec4<f32>>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if at >= params.count {
        return;
    }
    var pack = scalars[at];
    var gas = gases[at];
    if all(vec4(pack.z, gas.x, gas.y, pack.w) == vec4(0.0)) {
        gas.z = 0.0;
    } else {
        let share = smoothstep(params.numbers.y, params.numbers.y + 0.1, pack.y);
        let burnt = min(pack.z, params.numbers.x * share);
        if burnt > 0.0 {
            pack.y = 1.0 - (1.0 - pack.y) * exp(-params.numbers.z * burnt);
        }
        gas.y += gas.x * (0.15 + 0.85 * share) * params.numbers.w;
        var old = 0.0;
        if gas.x > 0.0 {
            old = smoothstep(0.2, 0.7, gas.y / gas.x);
        }
        pack.w = pack.w * params.more.x + params.more.y * burnt * old;
        pack.z -= burnt;
        gas.z = burnt * params.more.z;
    }
    if has(RADIATES) && pack.y > 1e-4 {
        pack.y *= pow(1.0 + params.more.w * (pack.y * pack.y * pack.y), -1.0 / 3.0);
    }
    scalars[at] = pack;
    gases[at] = gas;
}
