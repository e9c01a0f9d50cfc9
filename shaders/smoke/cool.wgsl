// Radiation: temperature after dT/dt = −c·T⁴. numbers: 3·c·dt. area: number of cells.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> temperature: array<f32>;

@compute @workgroup_size(256)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let at = (group.y * groups.x + group.x) * 256u + lane;
    if at < u32(params.area.x) {
        let heat = temperature[at];
        if heat > 1e-4 {
            temperature[at] = heat * pow(1.0 + params.numbers.x * (heat * heat * heat), -1.0 / 3.0);
        }
    }
}
