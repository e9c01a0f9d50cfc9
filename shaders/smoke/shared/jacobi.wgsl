// Jacobi's value of a cell.
fn jacobi(cell: vec2<i32>) -> f32 {
    let couple = couplings(cell);
    let at = index(cell);
    let flow = couple * neighbours(cell);
    let sum = (flow.x + flow.y) + (flow.z + flow.w);
    var one_over = 0.0;
    if has(WEIGHTS) {
        one_over = inverse[at];
    } else {
        let all = (couple.x + couple.y) + (couple.z + couple.w);
        one_over = select(0.0, 1.0 / all, all > 0.0);
    }
    return one_over * (b[at] + sum);
}
