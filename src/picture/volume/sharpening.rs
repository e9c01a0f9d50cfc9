//! Sharpening of the fields before they are interpolated: quadratic B-splines smooth, and show a value at a cell as the
//! mean ⅛, ¾, ⅛ along each axis.
//!
//! A filter `f − k·(Σ n − 6·f)` over the six neighbours makes up for it: with k = ⅛ waves of many cells pass unchanged to
//! the fourth order (Unser 1999, the first term of the inverse filter). Values below 0 become 0, so that no cell gets
//! contents that had none.

use bytemuck::Pod;

use super::sample::Volume;
use crate::compute::cpu::Cpu;
use crate::compute::cpu::wide::{Wide, wide};
use crate::sim::memory::Values;

/// Weight of the neighbours that makes up for the smoothing.
const WHOLE: f32 = 0.125;

/// The values of `N` components of a volume with a border of zeros, each sharpened by an amount: 0 leaves it, 1 makes up
/// for the smoothing of interpolation. On the threads of `cpu`.
pub fn sharpened<T: Pod + Send + Sync, const N: usize>(cpu: &Cpu, volume: Volume<T>, amounts: [f32; N]) -> Volume<T> {
    if amounts.iter().all(|amount| *amount <= 0.0) || size_of::<T>() != N * size_of::<f32>() {
        return volume;
    }
    let size = volume.size;
    let mut values: Values<T> = Values::uninitialised(volume.values.len(), cpu.memory());
    let planes = values.chunks_mut(size[0] * size[1]).enumerate().collect();
    cpu.each(planes, |(z, plane): (usize, &mut [T])| {
        let from = bytemuck::cast_slice::<T, f32>(&volume.values).as_chunks().0;
        let plane = bytemuck::cast_slice_mut::<T, f32>(plane).as_chunks_mut().0;
        wide(Plane { from, size, z, weights: amounts.map(|amount| amount.max(0.0) * WHOLE), plane });
    });
    Volume { size, values }
}

/// Plane `z` of a volume.
struct Plane<'a, const N: usize> {
    from: &'a [[f32; N]],
    size: [usize; 3],
    z: usize,
    weights: [f32; N],
    plane: &'a mut [[f32; N]],
}

impl<const N: usize> Wide for Plane<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { from, size: [width, height, depth], z, weights, plane } = self;
        plane.fill([0.0; N]);
        if z == 0 || z + 1 == depth {
            return;
        }
        let (layer, inner) = (width * height, width - 2);
        for y in 1..height - 1 {
            let start = layer * z + width * y + 1;
            let at = |start: usize| &from[start..start + inner];
            let middle = at(start);
            let (left, right) = (at(start - 1), at(start + 1));
            let (below, above) = (at(start - width), at(start + width));
            let (behind, before) = (at(start - layer), at(start + layer));
            for (x, to) in plane[width * y + 1..][..inner].iter_mut().enumerate() {
                for n in 0..N {
                    let around =
                        (left[x][n] + right[x][n]) + (below[x][n] + above[x][n]) + (behind[x][n] + before[x][n]);
                    let value = middle[x][n] + weights[n] * (6.0 * middle[x][n] - around);
                    to[n] = if value > 0.0 { value } else { 0.0 };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use wide::f32x4;

    use super::super::sample::Finder;
    use super::*;

    #[test]
    fn a_sharpened_wave_is_interpolated_to_its_own_values() {
        let size = [34, 20, 18];
        let wave = |at: usize| {
            let [x, y, z] = [at % size[0], at / size[0] % size[1], at / (size[0] * size[1])];
            let is_inside = [x, y, z].iter().zip(size).all(|(at, count)| (1..count - 1).contains(at));
            let angle = std::f32::consts::TAU / 8.0 * x as f32;
            if is_inside { 2.0 + angle.cos() } else { 0.0 }
        };
        let volume = || {
            let mut values: Values<f32> = Values::zeros(size.iter().product());
            values.iter_mut().enumerate().for_each(|(at, value)| *value = wave(at));
            Volume { size, values }
        };
        let cpu = Cpu::new(2);
        let seen = |amount: f32| {
            let volume = sharpened(&cpu, volume(), [amount]);
            let patch = Finder::new(size).patch(f32x4::new([16.0, 9.0, 9.0, 0.0]));
            volume.grid().smooth(&patch)
        };
        let truth = wave(16 + size[0] * (9 + size[1] * 9));
        let (soft, sharp) = ((seen(0.0) - truth).abs(), (seen(1.0) - truth).abs());
        assert!(soft > 0.05 && sharp < 0.2 * soft, "{soft} {sharp}");
        let sharp = sharpened(&cpu, volume(), [2.0]);
        let faint = (0..sharp.values.len()).find(|at| wave(*at) == 0.0 && sharp.values[*at] != 0.0);
        assert_eq!(faint, None, "nothing grows");
        let four = |values: &[f32]| {
            let mut all: Values<[f32; 4]> = Values::zeros(values.len());
            all.iter_mut().zip(values).for_each(|(all, value)| *all = [*value, 0.5 * value, 0.0, 3.0 * value]);
            all
        };
        let packs = sharpened(&cpu, Volume { size, values: four(&volume().values) }, [2.0, 0.0, 2.0, 2.0]);
        assert!(packs.values.iter().zip(&volume().values[..]).all(|(pack, one)| pack[1] == 0.5 * *one), "unchanged");
        assert!(packs.values.iter().zip(&sharp.values[..]).all(|(pack, one)| pack[0] == *one && pack[2] == 0.0));
    }
}
