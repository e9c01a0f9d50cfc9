//! Parameters as data: one table per node, for the description, the values, the digest and the documentation.

use std::ffi::CStr;
use std::fmt::Debug;

pub(in crate::nodes) use super::declaration::{fields, parameters, place_by_ordinal};
use super::hints::Hints;
use super::presets::Preset;
use super::shared::{CACHE_GROUP, SHARED, SIMULATION_GROUP, SYSTEM_GROUP, Shared};
use super::values::Values;
use crate::ofx::Result;

/// The type of a control's value.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A choice from a list. New options go to the end of the list: projects store the index.
    Choice {
        /// Labels, in order.
        options: &'static [&'static CStr],
        /// Index of the default.
        default: i32,
    },
    /// A whole number.
    Int {
        /// Default.
        default: i32,
        /// Least and greatest value.
        range: [i32; 2],
        /// Ends of the slider.
        display: [i32; 2],
    },
    /// A real number.
    Double {
        /// Default.
        default: f64,
        /// Least and greatest value.
        range: [f64; 2],
        /// Ends of the slider.
        display: [f64; 2],
    },
    /// On or off.
    Bool {
        /// Default.
        default: bool,
    },
    /// A position in the frame, in canonical coordinates.
    Position {
        /// Default, 0 to 1 across the frame.
        default: [f64; 2],
    },
    /// A pair of real numbers that is not a position.
    Vector {
        /// Default of both.
        default: f64,
        /// Least and greatest value of both.
        range: [f64; 2],
        /// Ends of the slider.
        display: [f64; 2],
    },
    /// Three real numbers, such as a translation.
    Triple {
        /// Default of all.
        default: f64,
        /// Least and greatest value of all.
        range: [f64; 2],
        /// Ends of the slider.
        display: [f64; 2],
    },
    /// A linear colour.
    Colour {
        /// Default.
        default: [f64; 3],
    },
    /// The path of a file that is read.
    File,
    /// The path of a folder.
    Folder,
    /// A line of text.
    Text,
    /// A push button.
    Button,
    /// Text that the node writes, and the user reads.
    Notice,
    /// Hidden text in the project on which pictures depend.
    Hidden,
    /// Hidden text in the project on which no picture depends.
    Memo,
}

/// A choice of a list.
pub const fn choice(options: &'static [&'static CStr], default: i32) -> Kind {
    Kind::Choice { options, default }
}

/// A whole number.
pub const fn int(default: i32, range: [i32; 2], display: [i32; 2]) -> Kind {
    Kind::Int { default, range, display }
}

/// A real number.
pub const fn double(default: f64, range: [f64; 2], display: [f64; 2]) -> Kind {
    Kind::Double { default, range, display }
}

/// A switch.
pub const fn switch(default: bool) -> Kind {
    Kind::Bool { default }
}

/// A position, whose default is in parts of the frame.
pub const fn position(default: [f64; 2]) -> Kind {
    Kind::Position { default }
}

/// A pair of real numbers with one default and range.
pub const fn vector(default: f64, range: [f64; 2], display: [f64; 2]) -> Kind {
    Kind::Vector { default, range, display }
}

/// Three real numbers with one default and range.
pub const fn triple(default: f64, range: [f64; 2], display: [f64; 2]) -> Kind {
    Kind::Triple { default, range, display }
}

/// A linear colour.
pub const fn colour(default: [f64; 3]) -> Kind {
    Kind::Colour { default }
}

/// An unnamed, animated control of a group that invalidates the simulation: the rows of a table start from it.
pub const fn blank<Id: Copy>(id: Id, group: &'static CStr) -> Control<Id> {
    Control {
        id,
        name: c"",
        label: c"",
        group,
        kind: Kind::Button,
        animates: true,
        invalidates: Invalidates::Simulation,
        shown: Condition::Always,
        conditions: [Condition::Always; CONDITIONS],
        shared: None,
    }
}

/// Concatenation of tables. A wrong total length does not compile.
pub const fn join<Id: Copy, const N: usize>(parts: &[&[Control<Id>]]) -> [Control<Id>; N] {
    let mut all = [parts[0][0]; N];
    let mut place = 0;
    let mut part = 0;
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            all[place] = parts[part][at];
            at += 1;
            place += 1;
        }
        part += 1;
    }
    assert!(place == N, "there are more names than controls");
    all
}

/// A C string of bytes that end with 0.
pub const fn text(bytes: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(bytes.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a name without its 0, or with two"),
    }
}

/// The results that a change of a control invalidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalidates {
    /// The states from the frame of the change on.
    Simulation,
    /// The picture of one frame.
    Picture,
    /// No results: the control affects the work only.
    Nothing,
}

/// One parameter.
#[derive(Clone, Copy, Debug)]
pub struct Control<Id: 'static> {
    /// Name in the code.
    pub id: Id,
    /// Script name, which never changes.
    pub name: &'static CStr,
    /// Label in the panel.
    pub label: &'static CStr,
    /// Name of its group.
    pub group: &'static CStr,
    /// The type of its value.
    pub kind: Kind,
    /// Whether it can be keyframed.
    pub animates: bool,
    /// The results that a change invalidates.
    pub invalidates: Invalidates,
    /// Condition under which the panel shows the control. Where it is false, the control has no effect.
    pub shown: Condition<Id>,
    /// Conditions; the control has an effect where all of them are true.
    pub conditions: [Condition<Id>; CONDITIONS],
    /// Name among the controls that all nodes have, for one of these.
    pub shared: Option<Shared>,
}

impl<Id: Copy> Control<Id> {
    /// The control in another group.
    #[must_use]
    pub const fn in_group(self, group: &'static CStr) -> Self {
        Self { group, ..self }
    }

    /// The control with another id.
    #[must_use]
    pub const fn id(self, id: Id) -> Self {
        Self { id, ..self }
    }

    /// The control with a script name, a label and a kind.
    #[must_use]
    pub const fn of(self, name: &'static CStr, label: &'static CStr, kind: Kind) -> Self {
        Self { name, label, kind, ..self }
    }

    /// The control of a family with a label and a kind; `fields!` gives it its name.
    #[must_use]
    pub const fn field(self, label: &'static CStr, kind: Kind) -> Self {
        Self { label, kind, ..self }
    }

    /// The control without keys.
    #[must_use]
    pub const fn constant(self) -> Self {
        Self { animates: false, ..self }
    }

    /// The control with other results that a change invalidates.
    #[must_use]
    pub const fn invalidates(self, invalidates: Invalidates) -> Self {
        Self { invalidates, ..self }
    }

    /// The control, hidden where a condition is false.
    #[must_use]
    pub const fn shown_when(self, shown: Condition<Id>) -> Self {
        Self { shown, ..self }
    }

    /// The control with one more condition. More than [`CONDITIONS`] do not compile.
    #[must_use]
    pub const fn when(mut self, condition: Condition<Id>) -> Self {
        let mut place = 0;
        while !matches!(self.conditions[place], Condition::Always) {
            place += 1;
        }
        self.conditions[place] = condition;
        self
    }
}

/// Largest number of conditions of a control.
pub const CONDITIONS: usize = 2;

/// A condition on other parameters.
#[derive(Clone, Copy, Debug)]
pub enum Condition<Id: 'static> {
    /// Always true.
    Always,
    /// A switch is on.
    On(Id),
    /// A choice has one of these options.
    OneOf(Id, &'static [i32]),
    /// A choice has none of these options.
    NoneOf(Id, &'static [i32]),
    /// A whole number is at least this.
    AtLeast(Id, i32),
    /// A real number is above 0.
    Positive(Id),
    /// A real number is not 0.
    NonZero(Id),
    /// A function of several parameters.
    Holds(fn(&dyn Values<Id>, f64) -> Result<bool>),
}

impl<Id: Copy> Condition<Id> {
    /// Whether the condition is true at a time.
    ///
    /// # Errors
    /// A call to the host fails.
    fn holds(self, values: &dyn Values<Id>, time: f64) -> Result<bool> {
        Ok(match self {
            Self::Always => true,
            Self::On(id) => values.switch(id, time)?,
            Self::OneOf(id, options) => options.contains(&values.choice(id, time)?),
            Self::NoneOf(id, options) => !options.contains(&values.choice(id, time)?),
            Self::AtLeast(id, least) => values.int(id, time)? >= least,
            Self::Positive(id) => values.double(id, time)? > 0.0,
            Self::NonZero(id) => values.double(id, time)? != 0.0,
            Self::Holds(holds) => holds(values, time)?,
        })
    }
}

/// A group of controls in the panel.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Script name.
    pub name: &'static CStr,
    /// Label.
    pub label: &'static CStr,
    /// Whether the panel shows it unfolded by default.
    pub open: bool,
    /// The group that contains it.
    pub parent: Option<&'static CStr>,
}

/// The choice of presets, and the function that gives them.
pub type PresetTable<Id> = (Id, fn() -> &'static [Preset<Id>]);

/// The parameters of a node, as an enumeration with a table.
pub trait Controls: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// Every parameter once, in the order of the enumeration and of the panel.
    const TABLE: &'static [Control<Self>];
    /// The groups of the panel, in order.
    const GROUPS: &'static [Group] = &[SIMULATION_GROUP, CACHE_GROUP, SYSTEM_GROUP];

    /// The choice of presets, and the presets of its options after the first ("none").
    const PRESETS: Option<PresetTable<Self>> = None;

    /// The index in the table of each control that all nodes have. A table without one of them does not compile.
    const PLACES: [usize; SHARED.len()] = places(Self::TABLE);

    /// The hints of the parameters.
    fn hints() -> &'static Hints;

    /// The index of the parameter in the table.
    fn place(self) -> usize {
        Self::TABLE.iter().position(|control| control.id == self).expect("a parameter has a place in the table")
    }

    /// Whether a change of the parameter has an effect, given the values of the others at a time. A parameter without
    /// effect is greyed out.
    ///
    /// # Errors
    /// A call to the host fails.
    fn matters(self, values: &impl Values<Self>, time: f64) -> Result<bool> {
        let Control { shown, conditions, .. } = self.control();
        for condition in [shown].into_iter().chain(conditions) {
            if !condition.holds(values, time)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the panel shows the parameter, given the values of the others at a time.
    ///
    /// # Errors
    /// A call to the host fails.
    fn is_shown(self, values: &impl Values<Self>, time: f64) -> Result<bool> {
        self.control().shown.holds(values, time)
    }

    /// The parameter's entry in the table.
    fn control(self) -> &'static Control<Self> {
        &Self::TABLE[self.place()]
    }

    /// The node's name for a control that all nodes have.
    fn shared(which: Shared) -> Self {
        Self::TABLE[Self::PLACES[which as usize]].id
    }
}

const fn places<Id>(table: &[Control<Id>]) -> [usize; SHARED.len()] {
    let mut places = [usize::MAX; SHARED.len()];
    let mut place = 0;
    while place < table.len() {
        if let Some(which) = table[place].shared {
            places[which as usize] = place;
        }
        place += 1;
    }
    let mut which = 0;
    while which < places.len() {
        assert!(places[which] != usize::MAX, "a control that all nodes have is not in the table");
        which += 1;
    }
    places
}

/// Checks a node's table: its order, names, groups, defaults and ranges, and its hints.
#[cfg(test)]
pub fn check<Id: Controls>() {
    super::hints::check::<Id>();
    for (place, control) in Id::TABLE.iter().enumerate() {
        let name = control.name;
        assert_eq!(control.id.place(), place, "{name:?}");
        assert!(Id::TABLE[..place].iter().all(|other| other.name != name), "{name:?}");
        assert!(Id::GROUPS.iter().any(|group| group.name == control.group), "{name:?}");
        // Names of groups and parameters are in one list of the host.
        assert!(Id::GROUPS.iter().all(|group| group.name != name), "{name:?} is a group's name");
        let inside = match control.kind {
            Kind::Choice { options, default } => (0..options.len() as i32).contains(&default),
            Kind::Int { default, range: [low, high], display: [from, to] } => {
                low <= default && default <= high && low <= from && from < to && to <= high
            }
            Kind::Double { default, range: [low, high], display: [from, to] }
            | Kind::Vector { default, range: [low, high], display: [from, to] }
            | Kind::Triple { default, range: [low, high], display: [from, to] } => {
                low <= default && default <= high && low <= from && from < to && to <= high
            }
            _ => true,
        };
        assert!(inside, "{name:?}");
    }
    for (place, control) in SHARED.iter().enumerate() {
        assert_eq!(control.id as usize, place, "{:?}", control.name);
        assert_eq!(Id::shared(control.id).control().name, control.name);
    }
}
