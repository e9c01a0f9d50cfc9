// Moves a plane by whole places. Area: by how much, per axis.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> planes: array<f32>;
@group(0) @binding(2) var<storage, read_write> moved: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2<i32>(id.xy);
    if !is_place(place) {
        return;
    }
    let wanted = place + params.area.xy;
    let found = all(wanted >= vec2(0)) && is_place(wanted);
    let values = select(1, 4, has(FOUR));
    let to = index(STAGGERING, place) * values;
    let source = select(0, index(STAGGERING, wanted) * values, found);
    for (var nth = 0; nth < values; nth++) {
        moved[to + nth] = select(0.0, planes[source + nth], found);
    }
}
