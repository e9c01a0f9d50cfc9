//! The table of a node's parameters, which stands in a text file beside its code.
//!
//! `#` begins a comment. A line without indentation is an entry of the panel, in order; the indented lines below it are
//! its hint, in which a blank line starts a new line.
//!
//! | entry | meaning |
//! |---|---|
//! | `[air] Air and wind` | a group by its script name, with its label: the parameters below are in it |
//! | `[air]` | the same group, once more |
//! | `drag: Drag; number 0; range 0 1` | a parameter by its script name, with label, kind, default and more |
//! | `common startFrame preroll` | parameters whose entries stand in this folder's file, for all nodes |
//! | `repeat 1 to 3`, `end` | the entries between, three times: `*` is the number, `{a / b / c}` one of the parts |
//!
//! Separated by `; ` come a parameter's properties, which a group may have, too, for all of its parameters:
//!
//! | property | meaning |
//! |---|---|
//! | `number 0.5`, `integer 1`, `pair 0`, `triple 0` | real numbers and a whole one, with the default of each |
//! | `range 0 1`, `slider 0 0.5` | the least and the greatest value; the ends of the slider, else those of the range |
//! | `choice On of Off \| On`, `switch on`, `position 0.5 0.5`, `colour 1 1 1` | other kinds, with defaults |
//! | `file`, `folder`, `text`, `button`, `notice`, `hidden`, `memo` | kinds without a default |
//! | `no keys` | it cannot be keyframed |
//! | `changes picture`, `changes nothing` | what a change invalidates, else the simulation |
//! | `if output is Depth \| Alpha`, `if output not Depth` | it has an effect if a choice has, or has not, an option |
//! | `if noise`, `if phase not 0`, `if jetCount from 2` | where a switch is on or a number above 0; not 0; at least 2 |
//! | `if uses_seed()` | where a function of the node is true |
//! | `shown if ...` | where this is false, it is hidden, too |
//! | `in cache` | it is in another group; the group is within another |
//! | `open` | the group is unfolded by default |

use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::sync::{Mutex, PoisonError};

use super::controls::{Condition, Control, Group, Holds, Invalidates, Kind};
use super::presets::numbers;

/// Entries of the parameters that several nodes have.
const COMMON: &str = include_str!("parameters.txt");

/// The parameters of a node. The texts stay in memory, since hosts may keep the pointers.
#[derive(Debug)]
pub struct Table<Id: 'static> {
    /// The parameters in the order of the panel.
    pub controls: Vec<Control<Id>>,
    /// The groups in the order of the panel.
    pub groups: Vec<Group>,
    /// The index in `controls` of each parameter, by its ordinal.
    pub places: Vec<usize>,
}

/// The functions of a node's conditions, by name.
pub type Functions<Id> = fn(&str) -> Option<Holds<Id>>;

impl<Id: Copy> Table<Id> {
    /// Reads a table. `named` has the parameters with their script names, in the order of their ordinals, and
    /// `functions` gives the functions of conditions by name.
    ///
    /// # Errors
    /// The entry that is wrong, or a parameter without an entry.
    pub fn read(text: &str, named: &[(String, Id)], functions: Functions<Id>) -> Result<Self, String> {
        let mut reader =
            Reader { named, common: entries(COMMON), section: String::new(), rows: Vec::new(), groups: Vec::new() };
        for entry in repeated(entries(text)).ok_or("a repetition without its numbers or end")? {
            reader.entry(&entry).ok_or_else(|| format!("malformed: {}", entry.head))?;
        }
        let (mut rows, groups) = (reader.rows, reader.groups);
        for row in &mut rows {
            if let Kind::Choice { options, .. } = &mut row.control.kind {
                *options = Box::leak(std::mem::take(&mut row.options).into_boxed_slice());
            }
        }
        let mut places = vec![usize::MAX; named.len()];
        let mut controls = Vec::with_capacity(rows.len());
        for row in &rows {
            let condition = |text: &String| {
                condition(text, &rows, functions).ok_or_else(|| format!("{:?}: malformed: if {text}", row.control.name))
            };
            let read = |texts: &[String]| -> Result<&'static [Condition<Id>], String> {
                Ok(Box::leak(texts.iter().map(condition).collect::<Result<_, _>>()?))
            };
            if std::mem::replace(&mut places[row.ordinal], controls.len()) != usize::MAX {
                return Err(format!("{:?}: twice", row.control.name));
            }
            controls.push(Control { shown: read(&row.shown)?, conditions: read(&row.conditions)?, ..row.control });
        }
        match places.iter().position(|place| *place == usize::MAX) {
            Some(lacking) => Err(format!("no entry of {}", named[lacking].0)),
            None => Ok(Self { controls, groups, places }),
        }
    }
}

/// An entry of a file.
#[derive(Clone)]
struct Entry {
    head: String,
    hint: String,
}

impl Entry {
    /// The entry of a number of a repetition, the `place`-th.
    fn numbered(&self, place: usize, number: usize) -> Option<Self> {
        let mut parts = self.head.split(['{', '}']);
        let mut head = parts.next()?.to_owned();
        while let (Some(choices), Some(rest)) = (parts.next(), parts.next()) {
            head.push_str(choices.split('/').nth(place)?.trim_matches(' '));
            head.push_str(rest);
        }
        Some(Self { head: head.replace('*', &number.to_string()), hint: self.hint.clone() })
    }
}

fn entries(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut separator = "";
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let text = line.trim();
        if text.is_empty() {
            separator = "\n";
        } else if text.len() == line.len() {
            entries.push(Entry { head: text.to_owned(), hint: String::new() });
            separator = "";
        } else if let Some(Entry { hint, .. }) = entries.last_mut() {
            hint.push_str(separator);
            hint.push_str(text);
            separator = " ";
        }
    }
    entries
}

/// The entries with their repetitions.
fn repeated(entries: Vec<Entry>) -> Option<Vec<Entry>> {
    let mut all = Vec::new();
    let mut entries = entries.into_iter();
    while let Some(entry) = entries.next() {
        let Some(numbers) = entry.head.strip_prefix("repeat ") else {
            all.push(entry);
            continue;
        };
        let (first, last) = numbers.split_once(" to ")?;
        let block: Vec<Entry> = entries.by_ref().take_while(|entry| entry.head != "end").collect();
        for (place, number) in (first.parse().ok()?..=last.parse().ok()?).enumerate() {
            for entry in &block {
                all.push(entry.numbered(place, number)?);
            }
        }
    }
    Some(all)
}

/// A parameter whose conditions are not read yet: they may name parameters further down.
struct Row<Id: 'static> {
    control: Control<Id>,
    ordinal: usize,
    shown: Vec<String>,
    conditions: Vec<String>,
    /// Options of a choice.
    options: Vec<&'static CStr>,
}

/// A table while it is read.
struct Reader<'a, Id: 'static> {
    named: &'a [(String, Id)],
    common: Vec<Entry>,
    /// The properties of the group's entry.
    section: String,
    rows: Vec<Row<Id>>,
    groups: Vec<Group>,
}

impl<Id: Copy> Reader<'_, Id> {
    fn entry(&mut self, Entry { head, hint }: &Entry) -> Option<()> {
        let (first, properties) = head.split_once("; ").unwrap_or((head, ""));
        if let Some(group) = first.strip_prefix('[') {
            let (name, label) = group.split_once(']')?;
            self.section = format!("in {name}");
            let mut group = Group { name: leak(name)?, label: leak(label.trim())?, open: false, parent: None };
            for property in properties.split("; ").filter(|property| !property.is_empty()) {
                match property.split_once(' ') {
                    None if property == "open" => group.open = true,
                    Some(("in", parent)) => group.parent = Some(leak(parent)?),
                    _ => self.section = format!("{}; {property}", self.section),
                }
            }
            if label.is_empty() {
                return self.groups.iter().any(|known| known.name == group.name).then_some(());
            }
            self.groups.push(group);
        } else if let Some(names) = first.strip_prefix("common ") {
            for name in names.split(' ') {
                let is = |entry: &&Entry| entry.head.split_once(": ").is_some_and(|(common, _)| common == name);
                let common = self.common.iter().find(is)?.clone();
                let hint = if hint.is_empty() { &common.hint } else { hint };
                self.parameter(&format!("{}; {properties}", common.head), hint)?;
            }
        } else {
            self.parameter(head, hint)?;
        }
        Some(())
    }

    fn parameter(&mut self, head: &str, hint: &str) -> Option<()> {
        let (name, rest) = head.split_once(": ")?;
        let (label, properties) = rest.split_once("; ")?;
        let ordinal = self.named.iter().position(|(known, _)| known == name)?;
        let name = leak(name)?;
        // The parameters of a family share the hint of one of them.
        let hint = if hint.is_empty() { self.hint_of_family(name) } else { Some(leak(hint)?) };
        let control = Control {
            id: self.named[ordinal].1,
            name,
            label: leak(label)?,
            hint: hint.unwrap_or_default(),
            group: c"",
            kind: Kind::Button,
            animates: true,
            invalidates: Invalidates::Simulation,
            shown: &[],
            conditions: &[],
        };
        let mut row = Row { control, ordinal, shown: Vec::new(), conditions: Vec::new(), options: Vec::new() };
        for property in self.section.split("; ").chain(properties.split("; ")).filter(|property| !property.is_empty()) {
            row.apply(property)?;
        }
        self.rows.push(row);
        Some(())
    }

    /// The hint of the parameter of the same name but for its digits.
    fn hint_of_family(&self, name: &CStr) -> Option<&'static CStr> {
        let letters =
            |name: &CStr| name.to_bytes().iter().copied().filter(|byte| !byte.is_ascii_digit()).collect::<Vec<_>>();
        let wanted = letters(name);
        Some(self.rows.iter().find(|row| letters(row.control.name) == wanted)?.control.hint)
    }
}

impl<Id> Row<Id> {
    fn apply(&mut self, property: &str) -> Option<()> {
        let control = &mut self.control;
        let (word, rest) = property.split_once(' ').unwrap_or((property, ""));
        match (word, rest) {
            ("no", "keys") => control.animates = false,
            ("changes", "simulation") => control.invalidates = Invalidates::Simulation,
            ("changes", "picture") => control.invalidates = Invalidates::Picture,
            ("changes", "nothing") => control.invalidates = Invalidates::Nothing,
            ("in", group) => control.group = leak(group)?,
            ("if", condition) => self.conditions.push(condition.to_owned()),
            ("shown", condition) => self.shown.push(condition.strip_prefix("if ")?.to_owned()),
            ("range" | "slider", ends) => bound(&mut control.kind, word == "range", numbers(ends)?)?,
            ("choice", choice) => {
                let (default, labels) = choice.split_once(" of ")?;
                self.options = labels.split(" | ").map(leak).collect::<Option<_>>()?;
                let default = labels.split(" | ").position(|label| label == default)? as i32;
                control.kind = Kind::Choice { options: &[], default };
            }
            _ => control.kind = kind(word, rest)?,
        }
        Some(())
    }
}

/// A kind other than a choice, with its default.
fn kind(word: &str, rest: &str) -> Option<Kind> {
    let [range, display] = [[0.0; 2]; 2];
    let number = || rest.parse().ok();
    Some(match word {
        "integer" => Kind::Int { default: rest.parse().ok()?, range: [0; 2], display: [0; 2] },
        "number" => Kind::Double { default: number()?, range, display },
        "pair" => Kind::Vector { default: number()?, range, display },
        "triple" => {
            let default = numbers(rest).or_else(|| Some([number()?; 3]))?;
            Kind::Triple { default, range, display }
        }
        "switch" => Kind::Bool { default: ["off", "on"].iter().position(|word| *word == rest)? == 1 },
        "position" => Kind::Position { default: numbers(rest)? },
        "colour" => Kind::Colour { default: numbers(rest)? },
        "file" => Kind::File,
        "folder" => Kind::Folder,
        "text" => Kind::Text,
        "button" => Kind::Button,
        "notice" => Kind::Notice,
        "hidden" => Kind::Hidden,
        "memo" => Kind::Memo,
        _ => return None,
    })
}

/// Sets the range and the slider of a kind, or the slider alone.
fn bound(kind: &mut Kind, both: bool, ends: [f64; 2]) -> Option<()> {
    match kind {
        Kind::Int { range, display, .. } => {
            *display = ends.map(|end| end as i32);
            *range = if both { *display } else { *range };
        }
        Kind::Double { range, display, .. }
        | Kind::Vector { range, display, .. }
        | Kind::Triple { range, display, .. } => {
            *display = ends;
            *range = if both { ends } else { *range };
        }
        _ => return None,
    }
    Some(())
}

/// Reads a condition.
fn condition<Id: Copy>(text: &str, rows: &[Row<Id>], functions: Functions<Id>) -> Option<Condition<Id>> {
    if let Some(name) = text.strip_suffix("()") {
        return Some(Condition::Holds(functions(name)?));
    }
    let (name, test) = text.split_once(' ').unwrap_or((text, ""));
    let (word, operand) = test.split_once(' ').unwrap_or((test, ""));
    let Control { id, kind, .. } = rows.iter().find(|row| row.control.name.to_bytes() == name.as_bytes())?.control;
    let indices = |options: &[&CStr]| -> Option<&'static [i32]> {
        let index = |label: &str| Some(options.iter().position(|option| option.to_bytes() == label.as_bytes())? as i32);
        Some(Box::leak(operand.split(" | ").map(index).collect::<Option<_>>()?))
    };
    Some(match (kind, word, operand) {
        (Kind::Bool { .. }, "", "") => Condition::On(id),
        (Kind::Double { .. }, "", "") => Condition::Positive(id),
        (Kind::Double { .. }, "not", "0") => Condition::NonZero(id),
        (Kind::Int { .. }, "from", least) => Condition::AtLeast(id, least.parse().ok()?),
        (Kind::Choice { options, .. }, "is", _) => Condition::OneOf(id, indices(options)?),
        (Kind::Choice { options, .. }, "not", _) => Condition::NoneOf(id, indices(options)?),
        _ => return None,
    })
}

/// A C string that stays in memory, once for all tables.
fn leak(text: &str) -> Option<&'static CStr> {
    static TEXTS: Mutex<BTreeSet<&'static CStr>> = Mutex::new(BTreeSet::new());
    let text = CString::new(text).ok()?;
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text.as_c_str()).copied() {
        return Some(known);
    }
    let text: &'static CStr = Box::leak(text.into_boxed_c_str());
    texts.insert(text);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::super::shared::Shared;
    use super::super::tests::Id;
    use super::*;

    /// The ends of a table whose other parameters are entered in between.
    const COMMON: &str = "[a] A\ncommon startFrame startHere preroll initialState extent resolution proxy cacheFolder \
        cacheName cacheMode cacheEvery cacheSize cacheBusy bake clearDisk device memoryBudget missingFrames \
        declareFrames refresh info simDigest cacheId positionsSet\n";

    fn read(own: &str) -> Result<Table<Id>, String> {
        Table::read(&format!("{COMMON}{own}"), &Id::named(), |_| None)
    }

    const CENTRES: &str = "centre: Centre; position 0.5 0.5\ncorner: Corner; position 0 1\n";

    #[test]
    fn properties_of_group_and_parameter_make_a_control() {
        let table = read(&format!(
            "# Comment\n[b] B; open; in a; changes picture; if proxy is Full grid\n{CENTRES}[a]\n\
             strength: A, b; number 1; range 0 10; slider 0 2; no keys; shown if cacheEvery from 2\n    One\n    two.\n\n    Three.\n"
        ));
        let Table { controls, groups, .. } = table.expect("well-formed");
        let [.., centre, _, strength] = &controls[..] else { panic!("{} controls", controls.len()) };
        assert!(groups[1].open && groups[1].parent == Some(c"a") && groups[1].label == c"B");
        assert_eq!((centre.group, strength.group, strength.label), (c"b", c"a", c"A, b"));
        assert_eq!((centre.invalidates, strength.invalidates), (Invalidates::Picture, Invalidates::Simulation));
        assert_eq!(strength.hint, c"One two.\nThree.");
        assert!(centre.animates && !strength.animates);
        assert!(matches!(strength.kind, Kind::Double { default: 1.0, range: [0.0, 10.0], display: [0.0, 2.0] }));
        assert!(matches!(centre.conditions, [Condition::OneOf(Id::Shared(Shared::Proxy), [1])]));
        assert!(matches!(strength.shown, [Condition::AtLeast(Id::Shared(Shared::CacheEvery), 2)]));
    }

    #[test]
    fn a_repetition_has_numbers_and_parts() {
        let text = "repeat 2 to 3\na*b{; x / }: A *; number {1 / -2 0}\nend\nc\n";
        let heads =
            repeated(entries(text)).expect("well-formed").into_iter().map(|entry| entry.head).collect::<Vec<_>>();
        assert_eq!(heads, ["a2b; x: A 2; number 1", "a3b: A 3; number -2 0", "c"]);
    }

    #[test]
    fn a_malformed_table_is_an_error_that_names_the_entry() {
        let strength = "strength: S; number 1; range 0 1";
        for (own, error) in [
            (CENTRES.to_owned(), "no entry of strength"),
            (format!("{CENTRES}{strength}\n{strength}"), "\"strength\": twice"),
            (format!("{CENTRES}weakness: W; number 1"), "malformed: weakness: W; number 1"),
            (format!("{CENTRES}strength: S; number one"), "malformed: strength: S; number one"),
            (format!("{CENTRES}strength: S; number 1; range 0"), "malformed: strength: S; number 1; range 0"),
            (format!("{CENTRES}{strength}; sometimes"), "malformed: strength: S; number 1; range 0 1; sometimes"),
            (format!("{CENTRES}{strength}; if proxy is Half grid"), "\"strength\": malformed: if proxy is Half grid"),
            (format!("{CENTRES}{strength}; if gone()"), "\"strength\": malformed: if gone()"),
            ("[b]\n".to_owned(), "malformed: [b]"),
            ("common strength\n".to_owned(), "malformed: common strength"),
            ("repeat 1 2\n".to_owned(), "a repetition without its numbers or end"),
        ] {
            assert_eq!(read(&own).map(|_| ()), Err(error.to_owned()));
        }
    }
}
