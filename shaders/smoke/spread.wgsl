// A step of diffusion of a field of cells with one or four components. numbers: diffusion number of each component.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> solid: array<f32>;
@group(0) @binding(2) var<storage, read> field: array<f32>;
@group(0) @binding(3) var<storage, read_write> diffused: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let position = vec2<i32>(id.xy);
    if !is_inside(position) {
        return;
    }
    let here = index(CELL, position);
    let left = near(position, vec2(-1, 0));
    let right = near(position, vec2(1, 0));
    let below = near(position, vec2(0, -1));
    let above = near(position, vec2(0, 1));
    let count = select(1, 4, has(FOUR));
    for (var part = 0; part < count; part++) {
        let value = field[count * here + part];
        let across = (field[count * left + part] - value) + (field[count * right + part] - value);
        let along = (field[count * below + part] - value) + (field[count * above + part] - value);
        var number = params.numbers[part];
        if has(SOLID) && solid[here] > 0.0 {
            number = 0.0;
        }
        diffused[count * here + part] = value + number * (across + along);
    }
}
