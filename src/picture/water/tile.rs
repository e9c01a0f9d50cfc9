//! Periodic textures with mip levels.

use std::sync::Mutex;

/// Levels, each of half the side of the one before.
const LEVELS: usize = 7;

/// Largest number of threads that compute a tile.
const MOST_THREADS: usize = 16;

/// A square texture of `N` values a texel that repeats in both directions.
pub struct Tile<const N: usize> {
    /// Texels on a side, a power of two.
    size: usize,
    levels: Vec<Vec<[f32; N]>>,
}

impl<const N: usize> Tile<N> {
    /// A tile of `size` texels a side, a power of two from 64, of the values of `texel`, which is periodic over it.
    ///
    /// Texels are computed on new threads, not on those of a thread pool. A tile is made on first use, often by a
    /// worker of a pool; a worker that waits for tasks of its pool may run another task meanwhile, and a task that
    /// needs the same tile would never end.
    pub fn new(size: usize, texel: impl Fn(f32, f32) -> [f32; N] + Sync) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let mut base = vec![[0.0; N]; size * size];
        let rows = Mutex::new(base.chunks_mut(size).enumerate());
        let next = || rows.lock().ok().and_then(|mut rows| rows.next());
        let fill = || {
            while let Some((y, row)) = next() {
                for (x, value) in row.iter_mut().enumerate() {
                    *value = texel(x as f32 + 0.5, y as f32 + 0.5);
                }
            }
        };
        std::thread::scope(|scope| {
            // Without another thread this one does it all.
            for _ in 1..threads {
                if std::thread::Builder::new().spawn_scoped(scope, fill).is_err() {
                    break;
                }
            }
            fill();
        });
        let mut levels = vec![base];
        for level in 1..LEVELS {
            let (size, finer) = (size >> level, &levels[level - 1]);
            let value = |x: usize, y: usize| finer[y * size * 2 + x];
            let mean = |at: usize| {
                let (x, y) = (at % size * 2, at / size * 2);
                let [a, b, c, d] = [value(x, y), value(x + 1, y), value(x, y + 1), value(x + 1, y + 1)];
                std::array::from_fn(|i| ((a[i] + b[i]) + (c[i] + d[i])) * 0.25)
            };
            levels.push((0..size * size).map(mean).collect());
        }
        Self { size, levels }
    }

    /// The level for samples so many texels apart, and its scale.
    pub fn level(&self, texels: f32) -> Level<'_, N> {
        self.nth((0..LEVELS - 1).take_while(|&level| texels >= 1.5 * (1 << level) as f32).count())
    }

    /// The levels for samples so many texels apart, where that distance changes from sample to sample: they fade into
    /// each other.
    pub fn levels(&self, texels: f32) -> Levels<'_, N> {
        let steps = texels * (1.0 / 0.75);
        let fine = (1..LEVELS - 1).take_while(|&level| steps >= (1 << level) as f32).count();
        let share = (steps / (1 << fine) as f32 - 1.0).clamp(0.0, 1.0);
        Levels { fine: self.nth(fine), coarse: self.nth(fine + 1), share }
    }

    fn nth(&self, level: usize) -> Level<'_, N> {
        let size = self.size >> level;
        Level { texels: &self.levels[level], mask: size - 1, scale: 1.0 / (1 << level) as f32 }
    }
}

/// Two adjacent mip levels of a tile, and the share of the coarser one.
#[derive(Clone, Copy)]
pub struct Levels<'a, const N: usize> {
    fine: Level<'a, N>,
    coarse: Level<'a, N>,
    share: f32,
}

impl<const N: usize> Levels<'_, N> {
    /// Side of the coarser level's texels, in texels of the finest level.
    #[inline(always)]
    pub fn texel(&self) -> f32 {
        1.0 / self.coarse.scale
    }

    /// The trilinear value at a place ([`Level::at`]).
    #[inline(always)]
    pub fn at(&self, x: f32, y: f32) -> [f32; N] {
        let (fine, coarse) = (self.fine.at(x, y), self.coarse.at(x, y));
        std::array::from_fn(|i| fine[i] + (coarse[i] - fine[i]) * self.share)
    }
}

/// A mip level of a tile.
#[derive(Clone, Copy)]
pub struct Level<'a, const N: usize> {
    texels: &'a [[f32; N]],
    /// Texels on a side, less one.
    mask: usize,
    scale: f32,
}

impl<const N: usize> Level<'_, N> {
    /// The bilinear value at a place in texels of the finest level, at most 10^6 from 0.
    #[inline(always)]
    pub fn at(&self, x: f32, y: f32) -> [f32; N] {
        let (x, y) = (x * self.scale - 0.5, y * self.scale - 0.5);
        let (left, low) = (x.floor(), y.floor());
        let (across, up) = (x - left, y - low);
        let (left, low) = (left as i32 as usize, low as i32 as usize);
        let size = self.mask + 1;
        let value = |dx: usize, dy: usize| {
            self.texels[(low.wrapping_add(dy) & self.mask) * size + (left.wrapping_add(dx) & self.mask)]
        };
        let [a, b, c, d] = [value(0, 0), value(1, 0), value(0, 1), value(1, 1)];
        std::array::from_fn(|i| {
            let (below, above) = (a[i] + (b[i] - a[i]) * across, c[i] + (d[i] - c[i]) * across);
            below + (above - below) * up
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_repeats_and_its_levels_keep_the_mean() {
        let tile = Tile::new(512, |x, y| [(x * std::f32::consts::TAU / 64.0).sin() + 2.0, y.rem_euclid(2.0)]);
        for texels in [0.5, 2.0, 5.0, 64.0] {
            let level = tile.level(texels);
            for (x, y) in [(3.2, 700.1), (-511.5, 12.0), (1e5, -1e5)] {
                let (here, there) = (level.at(x, y), level.at(x + 512.0, y - 1024.0));
                assert!(here.iter().zip(there).all(|(a, b)| (a - b).abs() < 0.05), "{here:?} {there:?}");
            }
            let mean = (0..64).map(|i| level.at(i as f32 * 8.0 + 4.0, 100.0)[0]).sum::<f32>() / 64.0;
            assert!((mean - 2.0).abs() < 1e-3, "{mean}");
        }
        assert_eq!(tile.level(1.0).at(10.5, 0.0)[1], 1.0, "half way between 0.5 and 1.5");
        let mut before = tile.levels(0.1).at(17.3, 40.2)[0];
        for step in 2..1200 {
            let here = tile.levels(step as f32 * 0.1).at(17.3, 40.2)[0];
            assert!((here - before).abs() < 0.02, "levels fade into each other: {before}, {here} at {step}");
            before = here;
        }
    }
}
