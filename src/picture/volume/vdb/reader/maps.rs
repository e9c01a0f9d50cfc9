//! Transforms from voxels to the world.

use super::VdbError;
use super::bytes::Bytes;

/// Largest element off the diagonal, relative to the largest on it, that is a rounding error.
const ROUNDING: f64 = 1e-6;

/// Largest translation and size of a voxel.
const FAR: f64 = 1e12;

/// A transform along the axes: the centre of voxel i is at scale · i + translate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Distance of the centres of voxels along each axis, not 0.
    pub scale: [f64; 3],
    /// Centre of voxel 0.
    pub translate: [f64; 3],
}

/// Reads the transform of a grid.
pub fn read(bytes: &mut Bytes<'_>, name: impl Fn() -> String) -> Result<Transform, VdbError> {
    let kind = bytes.text()?;
    let mut triples = |count: usize| -> Result<Vec<[f64; 3]>, VdbError> { (0..count).map(|_| bytes.f64s()).collect() };
    let (scale, translate) = match &kind[..] {
        // Beside the scale, these maps store the size of a voxel, the inverse and other numbers that follow from it.
        "ScaleMap" | "UniformScaleMap" => (triples(5)?[0], [0.0; 3]),
        "ScaleTranslateMap" | "UniformScaleTranslateMap" => {
            let triples = triples(6)?;
            (triples[1], triples[0])
        }
        "TranslationMap" => ([1.0; 3], triples(1)?[0]),
        "AffineMap" | "UnitaryMap" => {
            let matrix: [f64; 16] = bytes.f64s()?;
            let scale = [0, 5, 10].map(|at| matrix[at]);
            let most = scale.into_iter().fold(0.0, |most: f64, scale| most.max(scale.abs()));
            let off = [1, 2, 4, 6, 8, 9].into_iter().map(|at| matrix[at].abs());
            let projective = [3, 7, 11].into_iter().any(|at| matrix[at] != 0.0) || matrix[15] != 1.0;
            if projective || !off.fold(0.0, |sum: f64, element| sum + element).le(&(ROUNDING * most)) {
                return Err(VdbError::Rotated(name()));
            }
            (scale, [12, 13, 14].map(|at| matrix[at]))
        }
        _ => return Err(VdbError::Map(name(), kind.chars().take(80).collect())),
    };
    let usable = |value: f64| value.is_finite() && value.abs() < FAR;
    if !scale.into_iter().all(|scale| usable(scale) && scale.abs() > 1.0 / FAR) || !translate.into_iter().all(usable) {
        return Err(VdbError::Damaged("a transform"));
    }
    Ok(Transform { scale, translate })
}
