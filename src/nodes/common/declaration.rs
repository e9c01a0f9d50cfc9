//! The macro that declares the parameters of a node as an enumeration with a table.

/// Declares a node's parameters: the enumeration `Id` with its table, which is read from a text (see
/// [`table`](crate::nodes::common::table)).
///
/// `own` names the parameters `Id::Name`; the script name is that with a small first letter, or the text behind it. A
/// family has parameters that occur several times, by number and field: `family Jet(JetField) times JETS ["jet1",
/// "jet2"] { On "", Radius }` declares `Id::Jet(0, JetField::Radius)` with the script name `jet1Radius`, and so on; a
/// list of another length than `JETS` does not compile. `Id::Shared` has the parameters that all nodes have. `presets`
/// is the node's choice with its presets, or `None`. `conditions` is a function that gives the functions of conditions
/// by name.
#[macro_export]
macro_rules! parameters {
    (
        table $text:expr;
        presets $presets:expr;
        conditions $conditions:expr;
        own { $($Name:ident $($script:literal)?),+ $(,)? }
        $($(#[$doc:meta])* family $Family:ident($Field:ident) times $times:ident [$($owner:literal),+] {
            $($Part:ident $($suffix:literal)?),+ $(,)?
        })*
    ) => {
        /// A parameter of the node.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each is documented by its hint")]
        pub enum Id {
            $($Name,)+
            $($Family(usize, $Field),)*
            Shared($crate::nodes::common::shared::Shared),
        }

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[allow(missing_docs, reason = "each is documented by its hint")]
            pub enum $Field { $($Part),+ }
        )*

        impl Id {
            /// Every parameter with its script name, in the order of the ordinals.
            pub fn named() -> Vec<(String, Self)> {
                let small = |name: &str| format!("{}{}", name[..1].to_ascii_lowercase(), &name[1..]);
                let mut named = vec![$((small($crate::parameters!(@script $Name $($script)?)), Self::$Name)),+];
                $(let owners: [&str; $times] = [$($owner),+];
                for (n, owner) in owners.into_iter().enumerate() {
                    named.extend([$(
                        (format!("{owner}{}", $crate::parameters!(@script $Part $($suffix)?)), Self::$Family(n, $Field::$Part))
                    ),+]);
                })*
                named.extend($crate::nodes::common::shared::Shared::ALL.iter().map(|(name, which)| (small(name), Self::Shared(*which))));
                named
            }
        }

        impl $crate::nodes::common::controls::Controls for Id {
            const PRESETS: Option<$crate::nodes::common::controls::PresetTable<Self>> = $presets;

            fn table() -> &'static $crate::nodes::common::table::Table<Self> {
                use $crate::nodes::common::table::Table;
                static TABLE: std::sync::LazyLock<Table<Id>> = std::sync::LazyLock::new(|| {
                    Table::read($text, &Id::named(), $conditions).unwrap_or_else(|why| panic!("the parameters: {why}"))
                });
                &TABLE
            }

            fn shared(which: $crate::nodes::common::shared::Shared) -> Self {
                Self::Shared(which)
            }

            fn ordinal(self) -> usize {
                #[derive(Clone, Copy)]
                enum Own { $($Name),+ }
                let before = [$(Own::$Name as usize),+].len();
                $(let (first, fields) = (before, [$(stringify!($Part)),+].len());
                if let Self::$Family(number, field) = self {
                    return first + number * fields + field as usize;
                }
                let before = first + $times * fields;)*
                match self {
                    $(Self::$Name => Own::$Name as usize,)+
                    Self::Shared(which) => before + which as usize,
                    $(Self::$Family(..) => before,)*
                }
            }
        }
    };
    (@script $Name:ident) => { stringify!($Name) };
    (@script $Name:ident $script:literal) => { $script };
}
