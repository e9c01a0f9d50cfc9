//! From a host's image to the grid.

use super::placement::Placement;
use super::resample::resample;
use super::straight::{premultiply, unpremultiply};

/// How a picture's RGB and alpha belong together while it is averaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Averaging {
    /// Every channel on its own: premultiplied colour, heights, forces.
    Plain,
    /// RGB counts by its alpha: straight colour. A plain copy stays a plain copy.
    ByAlpha,
}

/// Samples an image onto the grid, row 0 lowest; cells outside the image are 0. `row` delivers the image's rows.
pub fn gather<E>(
    image: &Placement,
    grid: &Placement,
    averaging: Averaging,
    mut row: impl FnMut(usize, &mut [[f32; 4]]) -> Result<(), E>,
) -> Result<Vec<[f32; 4]>, E> {
    let by_alpha = averaging == Averaging::ByAlpha && !image.coincides(grid);
    let mut cells = vec![[0.0_f32; 4]; grid.x.count * grid.y.count];
    let width = grid.x.count;
    resample(
        image,
        grid,
        |y, out| {
            row(y, out)?;
            if by_alpha {
                out.iter_mut().for_each(|pixel| *pixel = premultiply(*pixel));
            }
            Ok(())
        },
        |y, pixels| {
            let line = &mut cells[y * width..(y + 1) * width];
            line.copy_from_slice(pixels);
            if by_alpha {
                line.iter_mut().for_each(|pixel| *pixel = unpremultiply(*pixel));
            }
            Ok(())
        },
    )?;
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn straight_colour_does_not_darken_where_alpha_ends() {
        let image = Placement::of_pixels([0, 0, 2, 1], [1.0; 2], 1.0);
        let grid = Placement::of_pixels([0, 0, 1, 1], [0.5, 1.0], 1.0);
        let pixels = [[0.8, 0.4, 0.2, 1.0], [0.0, 0.0, 0.0, 0.0]];
        let read = |_: usize, out: &mut [[f32; 4]]| {
            out.copy_from_slice(&pixels);
            Ok::<(), Infallible>(())
        };
        let straight = gather(&image, &grid, Averaging::ByAlpha, read).expect("infallible");
        assert_eq!(straight, [[0.8, 0.4, 0.2, 0.5]]);
        let plain = gather(&image, &grid, Averaging::Plain, read).expect("infallible");
        assert_eq!(plain, [[0.4, 0.2, 0.1, 0.5]]);
    }
}
