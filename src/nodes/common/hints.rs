//! The hints of parameters, which stand in text files beside the tables.

use std::ffi::{CStr, CString};

/// Hints of the parameters that several nodes have.
const COMMON: &str = include_str!("hints.txt");

/// A node's hints by script name. They stay in memory, since hosts may keep the pointers.
///
/// In a file, `#` begins a comment. A line without indentation is a name, in which `*` stands for the number of an
/// emitter, jet or the like, and for none. The indented lines below are its text; a blank line starts a new line of it.
#[derive(Debug)]
pub struct Hints {
    own: Vec<Hint>,
    common: Vec<Hint>,
}

#[derive(Debug)]
struct Hint {
    name: &'static str,
    text: CString,
}

impl Hints {
    /// The hints of a node's file, and the common ones.
    pub fn read(file: &'static str) -> Self {
        Self { own: read(file), common: read(COMMON) }
    }

    /// The hint of a script name: the first one in the node's file, then in the common one. Empty if there is none.
    pub fn get(&self, name: &CStr) -> &CStr {
        let name = name.to_str().unwrap_or_default();
        let found = self.own.iter().chain(&self.common).find(|hint| is_name(hint.name, name));
        found.map(|hint| hint.text.as_c_str()).unwrap_or_default()
    }
}

fn read(file: &'static str) -> Vec<Hint> {
    let mut hints: Vec<(&str, String)> = Vec::new();
    let mut separator = "";
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let text = line.trim();
        if text.is_empty() {
            separator = "\n";
        } else if text.len() == line.len() {
            hints.push((line, String::new()));
            separator = "";
        } else if let Some((_, hint)) = hints.last_mut() {
            hint.push_str(separator);
            hint.push_str(text);
            separator = " ";
        }
    }
    hints.into_iter().map(|(name, text)| Hint { name, text: CString::new(text).unwrap_or_default() }).collect()
}

/// Whether a name in a file is a script name or its pattern.
fn is_name(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == name };
    let number = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Checks that each parameter has a hint, and each hint of the node a parameter.
#[cfg(test)]
pub fn check<Id: super::controls::Controls>() {
    let hints = Id::hints();
    for control in Id::TABLE {
        let hint = hints.get(control.name).to_bytes();
        assert!(!hint.is_empty() && hint.is_ascii(), "{:?} has no hint, or one that is not ASCII", control.name);
    }
    for hint in &hints.own {
        let found = Id::TABLE.iter().any(|control| is_name(hint.name, control.name.to_str().unwrap()));
        assert!(found, "no parameter has the hint {}", hint.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_joined_and_split_into_lines() {
        let hints = Hints::read("# Comment\none\n    First,\n    second.\n\n    Third.\n\ntwo\n    Other.\n");
        assert_eq!(hints.get(c"one"), c"First, second.\nThird.");
        assert_eq!(hints.get(c"two"), c"Other.");
        assert_eq!(hints.get(c"three"), c"");
    }

    #[test]
    fn a_star_is_a_number_or_nothing() {
        assert!(is_name("jet*Radius", "jet12Radius") && is_name("jet*Radius", "jetRadius"));
        assert!(!is_name("jet*Radius", "jet1Softness") && !is_name("jet*", "jet1Radius") && !is_name("jet*", "jets"));
    }
}
