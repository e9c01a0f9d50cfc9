// Inflow of a cell in a step. Planes of the inflow: the amounts per step of height (and pigment); then, if amounts are
// distributed over several steps, their remainders, ten bits for each inflow.

fn inflow_at(cell: vec2<i32>, kind: u32) -> u32 {
    let at = vec2<u32>(cell) - params.inflow.xy;
    if at.x >= params.inflow.z || at.y >= params.inflow.w {
        return 0u;
    }
    let kinds = select(1u, 4u, has(COLOURED));
    if kind >= kinds {
        return 0u;
    }
    let row = at.y * params.inflow_planes;
    let stride = params.inflow.z + 2u;
    var amount = inflow[(row + kind) * stride + at.x + 1u];
    if has(SHARED) {
        let rests = inflow[(row + kinds + kind) * stride + at.x + 1u];
        for (var layer = 0u; layer < 3u; layer++) {
            amount += select(0u, 1u, step.index < ((rests >> (10u * layer)) & 1023u));
        }
    }
    return amount;
}
