//! Short runs of values at many places of a slice, whose bounds are looked at once.
#![expect(unsafe_code, reason = "the places are compared with the slice's end together, not one by one")]

/// Places in a slice from which on so many values can be read.
#[derive(Clone, Copy)]
pub(in crate::compute::cpu) struct Windows<'a, T, const N: usize> {
    values: &'a [T],
    at: &'a [u32; N],
    /// All `at + reach` are at most `values.len()`.
    reach: usize,
}

impl<'a, T: Copy, const N: usize> Windows<'a, T, N> {
    /// `None` where from one of the places on there are less than `reach` values.
    #[inline(always)]
    pub fn new(values: &'a [T], at: &'a [u32; N], reach: usize) -> Option<Self> {
        let mut furthest = 0;
        for &at in at {
            furthest = if at > furthest { at } else { furthest };
        }
        match (furthest as usize).checked_add(reach) {
            Some(end) if end <= values.len() => Some(Windows { values, at, reach }),
            _ => None,
        }
    }

    /// `K` values in a row from `after` values after place `index` on.
    ///
    /// # Panics
    /// There are not so many.
    #[inline(always)]
    pub fn row<const K: usize>(&self, index: usize, after: usize) -> &'a [T; K] {
        let from = self.at[index] as usize + after;
        self.values[from..from + K].first_chunk().expect("as long as it was cut")
    }

    /// `K` values from `after` values after place `index` on.
    ///
    /// # Panics
    /// They are not all within reach.
    #[inline(always)]
    pub fn get<const K: usize>(&self, index: usize, after: usize) -> [T; K] {
        assert!(after <= self.reach && K <= self.reach - after);
        let from = alone(self.at[index] as usize + after);
        // SAFETY: `pointer::read` wants initialised values behind an aligned pointer: `[T; K]` is aligned as T is, and
        // from + K <= at + reach <= values.len(), as `new` found for all places, and neither slice changed since.
        unsafe { self.values.as_ptr().add(from).cast::<[T; K]>().read() }
    }
}

/// The same number, in a way that keeps compilers from reading many places with one instruction, which takes processors longer
/// than as many loads.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn alone(mut at: usize) -> usize {
    // SAFETY: no instruction; what is in the register stays.
    unsafe { std::arch::asm!("/* {} */", inout(reg) at, options(pure, nomem, nostack, preserves_flags)) };
    at
}

/// The same number: no other processor is known to need more.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn alone(at: usize) -> usize {
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_end_with_the_slice() {
        let values: Vec<u32> = (0..100).collect();
        let at = [97, 0, 40];
        let windows = Windows::new(&values, &at, 3).expect("99 is the last");
        assert_eq!(windows.get::<2>(0, 1), [98, 99]);
        assert_eq!(windows.get::<3>(2, 0), [40, 41, 42]);
        assert!(Windows::new(&values, &at, 4).is_none());
        assert!(Windows::new(&values, &at, usize::MAX).is_none());
        assert!(Windows::<u32, 1>::new(&[], &[0], 1).is_none());
    }

    #[test]
    #[should_panic = "reach"]
    fn nothing_is_read_beyond_the_reach() {
        let values = [0; 10];
        let _: [i32; 2] = Windows::new(&values, &[0], 3).expect("ten are more than three").get(0, 2);
    }
}
