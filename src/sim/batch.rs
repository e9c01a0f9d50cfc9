//! Numbers in batches: loops over a batch become vectors of any instruction set where their bodies have no branch and
//! no call.

/// Numbers of a batch, a multiple of every vector.
pub const BATCH: usize = 16;

/// A number per position.
pub type Batch = [f64; BATCH];

/// The components of a vector per position.
pub type Batch3 = [Batch; 3];

/// The vector at `n`.
#[inline(always)]
pub fn at(vectors: &Batch3, n: usize) -> [f64; 3] {
    [vectors[0][n], vectors[1][n], vectors[2][n]]
}

/// A batch of `of(n)`.
#[inline(always)]
pub fn each(of: impl Fn(usize) -> f64) -> Batch {
    let mut values = [0.0; BATCH];
    for (n, value) in values.iter_mut().enumerate() {
        *value = of(n);
    }
    values
}

/// A batch of the vectors `of(n)`.
#[inline(always)]
pub fn each3(of: impl Fn(usize) -> [f64; 3]) -> Batch3 {
    let [mut xs, mut ys, mut zs] = [[0.0; BATCH]; 3];
    for (n, ((x, y), z)) in xs.iter_mut().zip(&mut ys).zip(&mut zs).enumerate() {
        [*x, *y, *z] = of(n);
    }
    [xs, ys, zs]
}

/// The same vector at all positions.
#[inline(always)]
pub fn splat([x, y, z]: [f64; 3]) -> Batch3 {
    [[x; BATCH], [y; BATCH], [z; BATCH]]
}

/// `a + (b − a)·shares`.
#[inline(always)]
pub fn mix(a: &Batch, b: &Batch, shares: &Batch) -> Batch {
    each(
        #[inline(always)]
        |n| a[n] + (b[n] - a[n]) * shares[n],
    )
}

/// `a + b`.
#[inline(always)]
pub fn sum(a: &Batch, b: &Batch) -> Batch {
    each(
        #[inline(always)]
        |n| a[n] + b[n],
    )
}
