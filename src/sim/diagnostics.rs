//! Diagnostics of frames: figures, and notices for the artist.
//!
//! A model declares its diagnostics in `diagnostics!`, as one table of names, merge rules and notices.

use std::collections::BTreeMap;

/// Name of the diagnostics among the numbers of a file.
pub const DIAGNOSTICS: &str = "diagnostics";

/// A diagnostic value, or a table of them.
pub trait Diagnostic: Copy + Default + PartialEq {
    /// Adds the values' bits to the numbers of a file, under this name.
    fn write(self, name: &str, numbers: &mut BTreeMap<String, u64>);

    /// The values of a file; the default where one is missing or has no meaning.
    fn read(name: &str, numbers: &BTreeMap<String, u64>) -> Self;
}

macro_rules! values {
    ($($of:ty: $bits:expr, $value:expr;)+) => {$(
        impl Diagnostic for $of {
            fn write(self, name: &str, numbers: &mut BTreeMap<String, u64>) {
                numbers.insert(name.to_owned(), $bits(self));
            }

            fn read(name: &str, numbers: &BTreeMap<String, u64>) -> Self {
                numbers.get(name).and_then(|bits| $value(*bits)).unwrap_or_default()
            }
        }
    )+};
}

values! {
    bool: u64::from, |bits| Some(bits != 0);
    u32: u64::from, |bits| u32::try_from(bits).ok();
    u64: u64::from, Some;
    i64: i64::cast_unsigned, |bits: u64| Some(bits.cast_signed());
    f64: f64::to_bits, |bits| Some(f64::from_bits(bits)).filter(|value| value.is_finite());
}

/// The notice of a value that differs from its default.
pub fn notice<T: Diagnostic>(value: T, text: impl FnOnce(T) -> String) -> Option<String> {
    (value != T::default()).then(|| text(value))
}

/// The notice of a number of pixels of a picture that were discarded.
pub fn discarded(picture: &str, count: u64) -> String {
    format!("{count} pixels of {picture} are not numbers and count as 0")
}

/// Declares tables of diagnostics. A field has the form `name: Type = rule, notice;` where `notice`, if there is one,
/// makes the text of a value that differs from its default.
///
/// | rule | value after one more frame of a chain |
/// |---|---|
/// | `last` | that of the frame |
/// | `max` | the largest so far; of a `bool`, whether any was true |
/// | `each` | a table, merged field by field |
macro_rules! diagnostics {
    ($(
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$field_about:meta])* pub $field:ident: $of:ty = $rule:ident $(, $notice:expr)?;)+
        }
    )+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$field_about])* pub $field: $of,)+
        }

        impl $name {
            /// The diagnostics of a chain after one more frame, given those of the frame (`self`) and of the chain
            /// before.
            pub fn after(self, before: Self) -> Self {
                // Without a rule that merges, the values are those of the frame.
                let _ = before;
                Self { $($field: $crate::sim::diagnostics::diagnostics!(@merge $rule, before.$field, self.$field),)+ }
            }

            /// The texts for the artist, in the order of the table.
            pub fn notices(&self) -> Vec<String> {
                let mut notices = Vec::new();
                $($crate::sim::diagnostics::diagnostics!(@notice $rule, notices, self.$field $(, $notice)?);)+
                notices
            }
        }

        impl $crate::sim::diagnostics::Diagnostic for $name {
            fn write(self, name: &str, numbers: &mut std::collections::BTreeMap<String, u64>) {
                $(self.$field.write(&format!("{name}.{}", stringify!($field)), numbers);)+
            }

            fn read(name: &str, numbers: &std::collections::BTreeMap<String, u64>) -> Self {
                Self { $($field: <$of>::read(&format!("{name}.{}", stringify!($field)), numbers),)+ }
            }
        }
    )+};
    (@merge last, $before:expr, $now:expr) => { $now };
    (@merge max, $before:expr, $now:expr) => { $before.max($now) };
    (@merge each, $before:expr, $now:expr) => { $now.after($before) };
    (@notice each, $notices:ident, $value:expr) => { $notices.extend($value.notices()) };
    (@notice $rule:ident, $notices:ident, $value:expr) => {};
    (@notice $rule:ident, $notices:ident, $value:expr, $notice:expr) => {
        $notices.extend($crate::sim::diagnostics::notice($value, $notice))
    };
}

pub(crate) use diagnostics;

#[cfg(test)]
mod tests {
    use super::*;

    diagnostics! {
        pub struct Inner {
            pub count: u64 = max, |count| discarded("Source", count);
        }

        pub struct Outer {
            pub steps: u32 = last;
            pub hot: bool = max, |_| "Hot".to_owned();
            pub inner: Inner = each;
            pub units: i64 = max;
            pub size: f64 = last, |size| format!("{size} cells");
        }
    }

    #[test]
    fn a_chain_merges_by_rule_and_tells_in_order() {
        let first = Outer { steps: 9, hot: true, inner: Inner { count: 3 }, units: 5, size: 2.0 };
        let second = Outer { steps: 2, hot: false, inner: Inner { count: 1 }, units: 7, size: 0.5 };
        let both = second.after(first);
        assert_eq!(both, Outer { steps: 2, hot: true, inner: Inner { count: 3 }, units: 7, size: 0.5 });
        let source = "3 pixels of Source are not numbers and count as 0";
        assert_eq!(both.notices(), ["Hot", source, "0.5 cells"]);
        assert!(Outer::default().notices().is_empty());
    }

    #[test]
    fn numbers_of_a_file_come_back() {
        let outer = Outer { steps: 3, hot: true, inner: Inner { count: 1 << 40 }, units: -7, size: 1e-300 };
        let mut numbers = BTreeMap::new();
        outer.write(DIAGNOSTICS, &mut numbers);
        assert_eq!(Outer::read(DIAGNOSTICS, &numbers), outer);
        assert_eq!(Outer::read("other", &numbers), Outer::default());
        numbers.insert("diagnostics.size".to_owned(), f64::NAN.to_bits());
        numbers.insert("diagnostics.steps".to_owned(), u64::MAX);
        assert_eq!(Outer::read(DIAGNOSTICS, &numbers), Outer { steps: 0, size: 0.0, ..outer });
        assert!(numbers.contains_key("diagnostics.inner.count"));
    }
}
