//! Parameters as data: one table per node, from which the descriptor, the reading of values, the digest and the
//! documentation are all made.

use std::ffi::CStr;

/// What a control holds.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One of a list. Lists only ever grow at their end: projects store the index.
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
    /// A position in the frame, canonical; the default is in parts of the frame.
    Position {
        /// Default, 0 to 1 over the frame.
        default: [f64; 2],
    },
    /// Two real numbers that are no position.
    Vector {
        /// Default of both.
        default: f64,
        /// Least and greatest value of both.
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
    /// Text that the node writes and nobody edits.
    Notice,
    /// Text that the node keeps for itself in the project.
    Hidden,
}

/// What a change of a control touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The simulation, from the frame of the change on.
    Simulation,
    /// The picture of one frame alone.
    Picture,
    /// Neither: how the work is done.
    Work,
}

/// One parameter.
#[derive(Clone, Copy, Debug)]
pub struct Control<Id: 'static> {
    /// Which control it is; its place in the table.
    pub id: Id,
    /// Script name, final.
    pub name: &'static CStr,
    /// Label in the panel.
    pub label: &'static CStr,
    /// What a change looks like, with the unit.
    pub hint: &'static CStr,
    /// Name of the group it stands in.
    pub group: &'static CStr,
    /// What it holds.
    pub kind: Kind,
    /// Whether it can be keyframed.
    pub animates: bool,
    /// What a change of it touches.
    pub reach: Reach,
}

/// A group of controls in the panel.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Script name.
    pub name: &'static CStr,
    /// Label.
    pub label: &'static CStr,
    /// Whether the panel shows it unfolded at first.
    pub open: bool,
}
