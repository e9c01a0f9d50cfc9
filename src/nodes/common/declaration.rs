//! Macros that declare the parameters of a node as enumerations with tables.

/// Declares a node's parameters: the enumeration `Id`, and constant tables of its rows.
///
/// A row `Name = control;` declares the parameter `Id::Name`; the control of a row `= control;` already has an id. `Id`
/// has more variants: `Shared` for the controls that all nodes have, and one for each family, controls that occur
/// several times, by number and field. `Id::ordinal` numbers the ids from 0 to `Id::COUNT`. `order` lists all rows, the
/// families' too, in the order of the panel.
macro_rules! parameters {
    (
        family $( $Family:ident($Field:ident) times $times:expr ),+;
        order [ $( $rows:expr ),+ $(,)? ];
        $( $(#[$doc:meta])* $TABLE:ident { $( $($Name:ident)? = $control:expr; )* } )*
    ) => {
        /// A parameter of the node.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each is documented by its hint")]
        pub enum Id {
            $( $( $($Name,)? )* )*
            $( $Family(usize, $Field), )+
            Shared($crate::nodes::common::shared::Shared),
        }

        $( $(#[$doc])* const $TABLE: &[$crate::nodes::common::controls::Control<Id>] =
            &[ $( $control $( .id(Id::$Name) )? ),* ]; )*

        impl Id {
            const OWN: usize = [ $( $( $( stringify!($Name), )? )* )* ].len();
            /// Parameters of each family.
            const FAMILIES: &[usize] = &[ $( $times * $Field::COUNT ),+ ];
            const COUNT: usize = Self::before(Self::FAMILIES.len()) + $crate::nodes::common::shared::SHARED.len();

            /// Parameters before those of a family.
            const fn before(family: usize) -> usize {
                let mut count = Self::OWN;
                let mut earlier = 0;
                while earlier < family {
                    count += Self::FAMILIES[earlier];
                    earlier += 1;
                }
                count
            }

            const fn ordinal(self) -> usize {
                enum Own { $( $( $($Name,)? )* )* }
                enum Family { $( $Family ),+ }
                match self {
                    $( $( $( Self::$Name => Own::$Name as usize, )? )* )*
                    $( Self::$Family(number, field) => {
                        Self::before(Family::$Family as usize) + number * $Field::COUNT + field as usize
                    } )+
                    Self::Shared(which) => Self::before(Self::FAMILIES.len()) + which as usize,
                }
            }

            /// Rows of controls that all nodes have.
            const fn common<const N: usize>(
                which: [$crate::nodes::common::shared::Shared; N],
            ) -> [$crate::nodes::common::controls::Control<Self>; N] {
                let mut rows = [common(which[0]); N];
                let mut place = 0;
                while place < N {
                    rows[place] = common(which[place]);
                    place += 1;
                }
                rows
            }
        }

        /// A control that all nodes have.
        const fn common(which: $crate::nodes::common::shared::Shared) -> $crate::nodes::common::controls::Control<Id> {
            $crate::nodes::common::shared::shared(which, Id::Shared(which))
        }

        /// The table, in the order of the panel.
        static TABLE: [$crate::nodes::common::controls::Control<Id>; Id::COUNT] =
            $crate::nodes::common::controls::join(&[$($rows),+]);

        const PLACES: [usize; Id::COUNT] = $crate::nodes::common::controls::place_by_ordinal!(TABLE);
    };
}
pub(in crate::nodes) use parameters;

/// Declares the fields of a family: an enumeration in the order of the panel, with the script names of its parameters.
///
/// `Field of Variant ["emitter1", "emitter2"] { On "", Radius }` is the field of `Id::Variant`; the script names are
/// `emitter1`, `emitter1Radius` and so on: a field's own, or the text behind it.
macro_rules! fields {
    (@enumeration $(#[$doc:meta])* $Field:ident { $($Name:ident $($suffix:literal)?),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each is documented by its hint")]
        pub enum $Field { $($Name),* }

        impl $Field {
            /// Number of fields.
            pub const COUNT: usize = Self::ALL.len();

            const ALL: &'static [Self] = &[$(Self::$Name),*];
        }
    };
    (@names $owner:literal { $($Name:ident $($suffix:literal)?),* $(,)? }) => {
        [$(fields!(@name $owner $Name $($suffix)?)),*]
    };
    (@name $owner:literal $Name:ident) => {
        $crate::nodes::common::controls::text(concat!($owner, stringify!($Name), "\0"))
    };
    (@name $owner:literal $Name:ident $suffix:literal) => {
        $crate::nodes::common::controls::text(concat!($owner, $suffix, "\0"))
    };
    ($(#[$doc:meta])* $Field:ident of $Family:ident [$($owner:literal),+] $fields:tt) => {
        fields!(@enumeration $(#[$doc])* $Field $fields);

        impl $Field {
            const NAMES: &'static [[&'static CStr; Self::COUNT]] = &[$(fields!(@names $owner $fields)),+];

            /// The rows of the `n`-th with their ids and script names.
            const fn named(n: usize, mut rows: [Control<Id>; Self::COUNT]) -> [Control<Id>; Self::COUNT] {
                let mut place = 0;
                while place < rows.len() {
                    let Control { label, kind, .. } = rows[place];
                    let row = rows[place].id(Id::$Family(n, Self::ALL[place]));
                    rows[place] = row.of(Self::NAMES[n][place], label, kind);
                    place += 1;
                }
                rows
            }
        }
    };
}
pub(in crate::nodes) use fields;

/// The index in a table of each id, by `Id::ordinal`. A table that lacks an id does not compile.
macro_rules! place_by_ordinal {
    ($table:expr) => {{
        let mut places = [usize::MAX; Id::COUNT];
        let mut place = 0;
        while place < places.len() {
            let ordinal = $table[place].id.ordinal();
            assert!(places[ordinal] == usize::MAX, "an id is in the table twice");
            places[ordinal] = place;
            place += 1;
        }
        places
    }};
}
pub(in crate::nodes) use place_by_ordinal;
