//! The macro that declares an enum of OpenFX strings.

/// Declares an enum with one variant per OpenFX string, and the conversions in both directions.
macro_rules! strings {
    ($(#[$outer:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident = $string:expr,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$inner])* $variant,)*
        }

        impl $name {
            /// All values.
            pub const ALL: [Self; [$(Self::$variant,)*].len()] = [$(Self::$variant,)*];

            /// The OpenFX string, for C functions.
            #[must_use]
            pub const fn as_cstr(self) -> &'static std::ffi::CStr {
                match self {
                    $(Self::$variant => const { $crate::name($string) },)*
                }
            }

            /// The OpenFX string.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                $crate::text(self.as_cstr().to_bytes_with_nul())
            }

            /// The value of an OpenFX string; `None` for any other string.
            #[must_use]
            pub fn parse(string: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == string)
            }
        }
    };
}
