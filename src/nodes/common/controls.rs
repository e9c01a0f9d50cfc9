//! Parameters as data: one table per node, for the description, the values, the digest and the documentation.

use std::ffi::CStr;
use std::fmt::Debug;

use super::presets::Preset;
use super::shared::Shared;
use super::table::Table;
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
        /// Defaults.
        default: [f64; 3],
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
    /// Explanation for the artist.
    pub hint: &'static CStr,
    /// Name of its group.
    pub group: &'static CStr,
    /// The type of its value.
    pub kind: Kind,
    /// Whether it can be keyframed.
    pub animates: bool,
    /// The results that a change invalidates.
    pub invalidates: Invalidates,
    /// Conditions under which the panel shows the control. Where one is false, the control has no effect.
    pub shown: &'static [Condition<Id>],
    /// Conditions; the control has an effect where all of them are true.
    pub conditions: &'static [Condition<Id>],
}

/// A condition on several parameters.
pub type Holds<Id> = fn(&dyn Values<Id>, f64) -> Result<bool>;

/// A condition on other parameters.
#[derive(Clone, Copy, Debug)]
pub enum Condition<Id: 'static> {
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
    Holds(Holds<Id>),
}

impl<Id: Copy> Condition<Id> {
    /// Whether the condition is true at a time.
    ///
    /// # Errors
    /// A call to the host fails.
    fn holds(self, values: &dyn Values<Id>, time: f64) -> Result<bool> {
        Ok(match self {
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

/// The parameters of a node, as an enumeration with a table: [`parameters!`](crate::parameters) declares them.
pub trait Controls: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The choice of presets, and the presets of its options after the first ("Custom").
    const PRESETS: Option<PresetTable<Self>> = None;

    /// The table.
    fn table() -> &'static Table<Self>;

    /// The node's name for a parameter that all nodes have.
    fn shared(which: Shared) -> Self;

    /// Number of the parameter, from 0, without gaps.
    fn ordinal(self) -> usize;

    /// Every parameter once, in the order of the panel.
    fn controls() -> &'static [Control<Self>] {
        &Self::table().controls
    }

    /// The index of the parameter in the order of the panel.
    fn place(self) -> usize {
        Self::table().places[self.ordinal()]
    }

    /// The parameter's entry in the table.
    fn control(self) -> &'static Control<Self> {
        &Self::controls()[self.place()]
    }

    /// Whether a change of the parameter has an effect, given the values of the others at a time. A parameter without
    /// effect is greyed out.
    ///
    /// # Errors
    /// A call to the host fails.
    fn matters(self, values: &impl Values<Self>, time: f64) -> Result<bool> {
        Ok(self.is_shown(values, time)? && all_hold(self.control().conditions, values, time)?)
    }

    /// Whether the panel shows the parameter, given the values of the others at a time.
    ///
    /// # Errors
    /// A call to the host fails.
    fn is_shown(self, values: &impl Values<Self>, time: f64) -> Result<bool> {
        all_hold(self.control().shown, values, time)
    }
}

fn all_hold<Id: Controls>(conditions: &[Condition<Id>], values: &impl Values<Id>, time: f64) -> Result<bool> {
    for condition in conditions {
        if !condition.holds(values, time)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks a node's table: its names, groups, hints, defaults and ranges.
#[cfg(test)]
pub fn check<Id: Controls>() {
    for (place, control) in Id::controls().iter().enumerate() {
        let name = control.name;
        assert_eq!(control.id.place(), place, "{name:?}");
        assert!(Id::controls()[..place].iter().all(|other| other.name != name), "{name:?}");
        let groups = &Id::table().groups;
        assert!(groups.iter().any(|group| group.name == control.group), "{name:?} is in no group of the node");
        // Names of groups and parameters are in one list of the host.
        assert!(groups.iter().all(|group| group.name != name), "{name:?} is a group's name");
        let hint = control.hint.to_bytes();
        assert!(!hint.is_empty() && hint.is_ascii(), "{name:?} has no hint, or one that is not ASCII");
        let inside = match control.kind {
            Kind::Choice { options, default } => (0..options.len() as i32).contains(&default),
            Kind::Int { default, range: [low, high], display: [from, to] } => {
                low <= default && default <= high && low <= from && from < to && to <= high
            }
            Kind::Double { default, range: [low, high], display: [from, to] }
            | Kind::Vector { default, range: [low, high], display: [from, to] } => {
                low <= default && default <= high && low <= from && from < to && to <= high
            }
            Kind::Triple { default, range: [low, high], display: [from, to] } => {
                let inside = default.iter().all(|default| (low..=high).contains(default));
                inside && low <= from && from < to && to <= high
            }
            _ => true,
        };
        assert!(inside, "{name:?}");
    }
    let groups = &Id::table().groups;
    for (place, group) in groups.iter().enumerate() {
        let known = |name| groups[..place].iter().any(|before| before.name == name);
        assert!(!known(group.name), "{:?} is there twice", group.name);
        assert!(group.parent.is_none_or(known), "{:?} comes before its parent, or has none", group.name);
    }
}
