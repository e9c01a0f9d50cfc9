//! Shapes of one to four axes, and their layout in the two dimensions of an EXR.

/// Axes of a shape, at most.
pub(crate) const MOST_AXES: usize = 4;

/// Columns and rows of a blob in the file, border included: a row holds the cells along the first axis, and the rows of the
/// other axes follow one another, the second axis first. `None` for a shape that cannot be written.
pub(crate) fn stored(shape: &[usize]) -> Option<[usize; 2]> {
    let (&columns, outer) = shape.split_first()?;
    if outer.len() >= MOST_AXES || shape.contains(&0) {
        return None;
    }
    let bordered = |side: usize| side.checked_add(2);
    let rows = outer.iter().try_fold(1_usize, |rows, &side| rows.checked_mul(bordered(side)?))?;
    bordered(columns).map(|columns| [columns, rows])
}

/// Columns and rows of the picture for people: the cells along the first two axes.
pub(crate) fn pictured(shape: &[usize]) -> [usize; 2] {
    [0, 1].map(|axis| shape.get(axis).copied().unwrap_or(1))
}

/// A shape for people, such as `1920×1080`.
pub fn sides(shape: &[usize]) -> String {
    shape.iter().map(usize::to_string).collect::<Vec<_>>().join("×")
}
