//! Shapes of one to four axes, and their layout in the two dimensions of an EXR.

/// Limit of axes.
pub(crate) const MOST_AXES: usize = 4;

/// Columns and rows of a blob in the file, border included. A row holds the cells along the first axis; the rows are
/// stored in the order of the second axis, then of the third and the fourth. `None` for an invalid shape.
pub(crate) fn stored(shape: &[usize]) -> Option<[usize; 2]> {
    let (&columns, outer) = shape.split_first()?;
    if outer.len() >= MOST_AXES || shape.contains(&0) {
        return None;
    }
    let bordered = |side: usize| side.checked_add(2);
    let rows = outer.iter().try_fold(1_usize, |rows, &side| rows.checked_mul(bordered(side)?))?;
    bordered(columns).map(|columns| [columns, rows])
}

/// Columns and rows of the picture: the cells along the first two axes.
pub(crate) fn pictured(shape: &[usize]) -> [usize; 2] {
    [0, 1].map(|axis| shape.get(axis).copied().unwrap_or(1))
}

/// A shape as readable text, such as `1920×1080`.
pub fn sides(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join("×")
}
