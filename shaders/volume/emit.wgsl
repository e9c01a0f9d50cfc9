// Emission into the cells of a part. cover: density, temperature and fuel times the coverage, and the coverage.
// emitted_tints: one less the colour.

@group(0) @binding(1) var<storage, read> cover: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> emitted_tints: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> scalars: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> gases: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> tints: array<vec4<f32>>;

@compute @workgroup_size(32, 4, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let inner = vec3<i32>(id);
    if !inside(inner, params.part) {
        return;
    }
    let amounts = cover[index(inner, params.part)];
    if amounts.w <= 0.0 {
        return;
    }
    let here = index(params.first + inner, params.size * params.detail);
    var pack = scalars[here];
    let before = pack.x;
    var density = max(pack.x, amounts.x);
    if has(ADD) {
        density = pack.x + amounts.x;
    }
    if has(REPLACE) {
        density = pack.x + (amounts.x - pack.x * amounts.w);
    }
    pack.x = clamp(density, 0.0, 6e4);
    pack.y = max(pack.y, amounts.y);
    pack.z = max(pack.z, amounts.z);
    scalars[here] = pack;
    if has(TINTED) {
        // The emission has its tint in its share of the density, and the rest that of the density before.
        var share = 0.0;
        if pack.x > 0.0 {
            share = min(amounts.x / pack.x, 1.0);
        }
        var old = vec4(0.0);
        if before > 0.0 {
            old = min(tints[here] / before, vec4(1.0));
        }
        tints[here] = pack.x * mix(old, emitted_tints[index(inner, params.part)], share);
    }
    if has(GASES) && amounts.z > 0.0 {
        // Fuel brings fresh flame gas of age 0: the mean age falls in proportion.
        var gas = gases[here];
        let fresh = min(3.0 * amounts.z, 1.0);
        var age = 0.0;
        if gas.x > 0.0 {
            age = gas.y / gas.x;
        }
        gas.x = max(gas.x, fresh);
        gas.y = gas.x * age * (1.0 - fresh);
        gases[here] = gas;
    }
}
