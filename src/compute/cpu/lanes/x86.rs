//! Macros for the vectors of x86-64: methods that are one intrinsic each.

/// Calls intrinsics.
macro_rules! intrinsics {
    ($($call:tt)*) => {{
        // SAFETY: the methods are inlined into kernels that `Isa` runs only where the processor has the instructions;
        // values in, values out.
        unsafe { $($call)* }
    }};
}

/// Methods of two vectors.
macro_rules! binary {
    ($($name:ident = $intrinsic:ident,)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self(intrinsics!($intrinsic(self.0, other.0)))
        }
    )*};
}

/// Methods of one vector.
macro_rules! unary {
    ($($name:ident = $intrinsic:ident $(::<$constant:literal>)?,)*) => {$(
        #[inline(always)]
        fn $name(self) -> Self {
            Self(intrinsics!($intrinsic$(::<$constant>)?(self.0)))
        }
    )*};
}

/// Methods of two vectors that are one instruction each, by its name: compilers expand the intrinsics of these
/// instructions where an operand is the same in several iterations of a loop.
macro_rules! instructions {
    ($vector:ty, $register:ident, $features:literal, $($name:ident = $instruction:literal,)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            #[inline]
            #[target_feature(enable = $features)]
            fn instruction(a: $vector, b: $vector) -> $vector {
                let result;
                // SAFETY: the instruction reads and sets these registers and nothing else.
                unsafe {
                    core::arch::asm!(
                        concat!($instruction, " {}, {}, {}"),
                        lateout($register) result,
                        in($register) a,
                        in($register) b,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                result
            }
            Self(intrinsics!(instruction(self.0, other.0)))
        }
    )*};
}

/// Functions of two vectors of f32.
macro_rules! float {
    ($($name:ident = $intrinsic:ident,)*) => {$(
        #[inline(always)]
        fn $name(a: Self::Float, b: Self::Float) -> Self::Float {
            intrinsics!($intrinsic(a, b))
        }
    )*};
}

/// Loads, stores, and conversions.
macro_rules! memory {
    (
        $vector:ty, load $load:ident, store $store:ident, stream $stream:ident, splat $splat:ident,
        float $float:ident, nearest $nearest:ident, float_splat $float_splat:ident,
    ) => {
        #[inline(always)]
        fn splat(value: i32) -> Self {
            Self(intrinsics!($splat(value)))
        }

        #[inline(always)]
        fn load(block: &Block, index: usize) -> Self {
            assert!(index < BLOCK / Self::N);
            // SAFETY: the vector lies in the block, and the load asks for no alignment.
            Self(unsafe { $load(block.as_ptr().add(index * Self::N).cast()) })
        }

        #[inline(always)]
        fn store(self, block: &mut Block, index: usize) {
            assert!(index < BLOCK / Self::N);
            // SAFETY: the vector lies in the block, and the store asks for no alignment.
            unsafe { $store(block.as_mut_ptr().add(index * Self::N).cast(), self.0) };
        }

        #[inline(always)]
        fn stream(from: &[i32], to: &mut [i32]) {
            assert!(from.len() == to.len());
            // Whole cache lines: a partial one that is cached costs an access to memory.
            let head = to.as_ptr().align_offset(CACHE_LINE).min(to.len());
            let lines = (to.len() - head) * size_of::<i32>() / CACHE_LINE;
            let vectors = lines * (CACHE_LINE / size_of::<$vector>());
            to[..head].copy_from_slice(&from[..head]);
            for at in (head..).step_by(Self::N).take(vectors) {
                // SAFETY: both slices have a vector's values there, and `head` makes the target's address a multiple of
                // the vector's size, which divides a cache line's.
                unsafe {
                    let values = $load(from.as_ptr().add(at).cast());
                    $stream(to.as_mut_ptr().add(at).cast::<$vector>(), values);
                }
            }
            let tail = head + vectors * Self::N;
            to[tail..].copy_from_slice(&from[tail..]);
        }

        #[inline(always)]
        fn settle() {
            intrinsics!(_mm_sfence());
        }

        #[inline(always)]
        fn float(self) -> Self::Float {
            intrinsics!($float(self.0))
        }

        #[inline(always)]
        fn nearest(value: Self::Float) -> Self {
            Self(intrinsics!($nearest(value)))
        }

        #[inline(always)]
        fn float_splat(value: f32) -> Self::Float {
            intrinsics!($float_splat(value))
        }
    };
}

pub(super) use {binary, float, instructions, intrinsics, memory, unary};
