// Raw layer: flow per frame to the left, up, right, down.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> shown: Shown;
@group(0) @binding(2) var<storage, read> flows: array<i32>;
@group(0) @binding(3) var<storage, read_write> picture: array<vec4<u32>>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = vec2(i32(id.x), i32(id.y + params.own_first));
    if !is_own(place) || !in_grid(place) {
        return;
    }
    let pixel = vec4(
        flow_back(place + vec2(-1, 0), 0u),
        flow_ahead(place, 1u),
        flow_ahead(place, 0u),
        flow_back(place + vec2(0, -1), 1u),
    );
    put(place, pixel);
}
