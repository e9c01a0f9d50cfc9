// Jacobi's value of a cell: (b + Σ a·neighbour) / Σ a.
fn jacobi(cell: vec2<i32>) -> f32 {
    let coefficients = face_coefficients(cell);
    let at = index(cell);
    let products = coefficients * neighbours(cell);
    let sum = (products.x + products.y) + (products.z + products.w);
    var inverse_diagonal = 0.0;
    if has(COEFFICIENTS) {
        inverse_diagonal = inverse[at];
    } else {
        let all = (coefficients.x + coefficients.y) + (coefficients.z + coefficients.w);
        inverse_diagonal = select(0.0, 1.0 / all, all > 0.0);
    }
    return inverse_diagonal * (b[at] + sum);
}
