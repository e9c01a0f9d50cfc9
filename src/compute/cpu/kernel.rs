//! Kernels compiled for each instruction set.

use super::Isa;
use super::lanes::floats::Floats;
use super::wide::{Simd, WithSimd};

/// A kernel on pieces of work. Mark `run`, and all functions called in its loops, `#[inline(always)]`.
pub(super) trait Kernel<Piece>: Sync {
    type Output: Send;

    fn run<F: Floats>(&self, piece: Piece) -> Self::Output;
}

/// A kernel with its piece, as work for an instruction set.
struct Work<'a, K, Piece>(&'a K, Piece);

impl<K: Kernel<Piece>, Piece> WithSimd for Work<'_, K, Piece> {
    type Output = K::Output;

    #[inline(always)]
    fn run<S: Simd>(self) -> K::Output {
        self.0.run::<S::Floats>(self.1)
    }
}

/// Runs a kernel with the vectors of an instruction set.
pub(super) fn run_kernel<Piece, K: Kernel<Piece>>(isa: Isa, kernel: &K, piece: Piece) -> K::Output {
    isa.dispatch(Work(kernel, piece))
}
