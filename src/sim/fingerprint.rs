//! Fingerprints: hashes of the values that a state depends on.
//!
//! A type that enters chain keys is declared in `fingerprinted!`, which makes its [`Fingerprint`] of all its fields.
//! The value of a parameter without effect is neutral, so that an edit of it changes no key.

use xxhash_rust::xxh3::Xxh3;

/// A running hash over tagged values of fixed width.
pub struct Digest(Xxh3);

impl Digest {
    /// Starts the digest of a named kind of thing.
    pub fn new(kind: &str) -> Self {
        let mut digest = Self(Xxh3::new());
        digest.text(kind);
        digest
    }

    /// Adds a whole number.
    pub fn int(&mut self, value: i64) {
        self.0.update(&value.to_le_bytes());
    }

    /// Adds a real number by its bits; both zeros count as one, and so do all NaNs.
    pub fn real(&mut self, value: f64) {
        let canonical = if value.is_nan() {
            f64::NAN
        } else if value == 0.0 {
            0.0
        } else {
            value
        };
        self.0.update(&canonical.to_bits().to_le_bytes());
    }

    /// Adds a hash.
    pub fn wide(&mut self, value: u128) {
        self.0.update(&value.to_le_bytes());
    }

    /// Adds a text, with its length.
    pub fn text(&mut self, value: &str) {
        self.int(value.len() as i64);
        self.0.update(value.as_bytes());
    }

    /// The hash of all added values.
    pub fn finish(&self) -> u128 {
        self.0.digest128()
    }
}

/// A value that a state depends on.
pub trait Fingerprint {
    /// Adds all of the value to a digest.
    fn enter(&self, digest: &mut Digest);
}

impl Fingerprint for f64 {
    fn enter(&self, digest: &mut Digest) {
        digest.real(*self);
    }
}

macro_rules! whole_numbers {
    ($($number:ty)+) => {$(
        impl Fingerprint for $number {
            fn enter(&self, digest: &mut Digest) {
                digest.int(*self as i64);
            }
        }
    )+};
}

whole_numbers!(bool i32 i64 u32 usize);

impl<T: Fingerprint, const N: usize> Fingerprint for [T; N] {
    fn enter(&self, digest: &mut Digest) {
        self.iter().for_each(|value| value.enter(digest));
    }
}

impl<T: Fingerprint> Fingerprint for Vec<T> {
    fn enter(&self, digest: &mut Digest) {
        self.len().enter(digest);
        self.iter().for_each(|value| value.enter(digest));
    }
}

impl<T: Fingerprint> Fingerprint for Option<T> {
    fn enter(&self, digest: &mut Digest) {
        self.is_some().enter(digest);
        self.iter().for_each(|value| value.enter(digest));
    }
}

/// Declares structs and enums, each with a [`Fingerprint`] of all its fields in their order, or of the variant's
/// number.
macro_rules! fingerprinted {
    () => {};
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$field_about:meta])* pub $field:ident: $of:ty,)+
        }
        $($more:tt)*
    ) => {
        $(#[$about])*
        pub struct $name {
            $($(#[$field_about])* pub $field: $of,)+
        }

        impl $crate::sim::fingerprint::Fingerprint for $name {
            fn enter(&self, digest: &mut $crate::sim::fingerprint::Digest) {
                $($crate::sim::fingerprint::Fingerprint::enter(&self.$field, digest);)+
            }
        }

        $crate::sim::fingerprint::fingerprinted! { $($more)* }
    };
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$variant_about:meta])* $variant:ident,)+
        }
        $($more:tt)*
    ) => {
        $(#[$about])*
        pub enum $name {
            $($(#[$variant_about])* $variant,)+
        }

        impl $crate::sim::fingerprint::Fingerprint for $name {
            fn enter(&self, digest: &mut $crate::sim::fingerprint::Digest) {
                digest.int(*self as i64);
            }
        }

        $crate::sim::fingerprint::fingerprinted! { $($more)* }
    };
}

pub(crate) use fingerprinted;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &impl Fingerprint) -> u128 {
        let mut digest = Digest::new("test");
        value.enter(&mut digest);
        digest.finish()
    }

    fingerprinted! {
        #[derive(Clone, Copy)]
        pub enum Kind {
            First,
            Second,
        }

        #[derive(Clone, Copy)]
        pub struct Thing {
            pub kind: Kind,
            pub sizes: [f64; 2],
            pub other: Option<i32>,
            pub on: bool,
        }
    }

    #[test]
    fn zeros_and_nans_count_as_one() {
        assert_eq!(of(&0.0), of(&-0.0));
        assert_eq!(of(&f64::NAN), of(&-f64::NAN));
        assert_ne!(of(&1.0), of(&(1.0 + f64::EPSILON)));
    }

    #[test]
    fn every_field_counts() {
        let thing = Thing { kind: Kind::First, sizes: [1.0, 2.0], other: None, on: false };
        let others = [
            Thing { kind: Kind::Second, ..thing },
            Thing { sizes: [2.0, 1.0], ..thing },
            Thing { other: Some(0), ..thing },
            Thing { on: true, ..thing },
        ];
        let mut all: Vec<u128> = others.iter().chain([&thing]).map(of).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), others.len() + 1);
        assert_ne!(of(&vec![vec![1.0], vec![]]), of(&vec![vec![], vec![1.0]]));
    }
}
