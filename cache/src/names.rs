//! Names of folders and files.

use std::env;

/// Error in the name of a folder that a user typed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// `%{NAME}` for a variable that is not set or not Unicode.
    #[error("the environment variable {name} is not set but used in '{text}'. Set it, or write %% for a percent sign.")]
    Unset {
        /// Name of the variable.
        name: String,
        /// The complete text.
        text: String,
    },
    /// `%{` without `}`.
    #[error("'{text}' has a %{{ without a closing }}. Close it, or write %% for a percent sign.")]
    Unclosed {
        /// The complete text.
        text: String,
    },
}

/// Expands environment variables: `%{NAME}` is replaced by the variable NAME and `%%` by a percent sign. Any other
/// percent sign is kept, since the host may interpret it. Values are not expanded again.
///
/// # Errors
/// A variable is not set, or a brace is not closed.
pub fn expand(text: &str) -> Result<String, NameError> {
    expand_with(text, |name| env::var(name).ok())
}

fn expand_with(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<String, NameError> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        expanded.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            expanded.push('%');
            rest = after;
        } else if let Some(inner) = after.strip_prefix('{') {
            let Some((name, after)) = inner.split_once('}') else {
                return Err(NameError::Unclosed { text: text.into() });
            };
            let value = if name.is_empty() || name.contains(['=', '\0']) { None } else { variable(name) };
            let value = value.ok_or_else(|| NameError::Unset { name: name.into(), text: text.into() })?;
            expanded.push_str(&value);
            rest = after;
        } else {
            expanded.push('%');
            rest = after;
        }
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// Limit of a safe name in bytes, so that a longer path with it is still valid.
const LONGEST: usize = 100;

/// Reserved device names of Windows, with any extension.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// Converts a text to a name that is valid as the name of one folder on every system. Letters and digits of any script,
/// `-`, `_`, `.` and spaces are kept, all other characters become `_`. The result is not empty, hidden, reserved or
/// longer than 100 bytes.
pub fn safe_name(text: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    let mut name: String = text.trim().chars().map(|c| if allowed(c) { c } else { '_' }).collect();
    if name.starts_with('.') {
        name.replace_range(..1, "_");
    }
    shorten(&mut name);
    if is_device(&name) {
        name.insert(0, '_');
        shorten(&mut name);
    }
    if name.is_empty() { "flow".into() } else { name }
}

/// Truncates a name to the limit, and removes trailing characters that Windows ignores: two names could otherwise
/// become one.
fn shorten(name: &mut String) {
    let end = (0..=LONGEST.min(name.len())).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    name.truncate(end);
    name.truncate(name.trim_end_matches(['.', ' ']).len());
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let numbered = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let one_digit = |rest: &str| rest.chars().count() == 1 && rest.chars().all(char::is_numeric);
    DEVICES.contains(&stem.as_str()) || numbered.is_some_and(one_digit)
}

/// The name of a state file: `flow.<take>.<frame>.exr`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StateName {
    /// Name of the take: 8, 16 or 32 hexadecimal digits.
    pub take: String,
    pub frame: i64,
}

impl StateName {
    pub fn new(take: impl Into<String>, frame: i64) -> Self {
        Self { take: take.into(), frame }
    }

    /// The file name, with at least four digits for the frame.
    pub fn file(&self) -> String {
        let sign = if self.frame < 0 { "-" } else { "" };
        format!("flow.{}.{sign}{:04}.exr", self.take, self.frame.unsigned_abs())
    }

    /// Parses a file name; `None` unless the name is exactly as [`Self::file`] writes it.
    pub fn parse(file: &str) -> Option<Self> {
        let (take, frame) = file.strip_prefix("flow.")?.strip_suffix(".exr")?.split_once('.')?;
        let digits = matches!(take.len(), 8 | 16 | 32) && take.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let name = Self::new(take, frame.parse().ok()?);
        (digits && name.file() == file).then_some(name)
    }
}

/// The first `digits` hexadecimal digits of a key.
pub(crate) fn take_of(key: u128, digits: usize) -> String {
    let mut take = format!("{key:032x}");
    take.truncate(digits);
    take
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn variables_are_expanded_and_percent_signs_kept() {
        let variable = |name: &str| match name {
            "SHOT" => Some("ab_010".to_owned()),
            "ODD" => Some("50%{SHOT}%%".to_owned()),
            _ => None,
        };
        let expand = |text| expand_with(text, variable);
        assert_eq!(expand("/jobs/%{SHOT}/flow").as_deref(), Ok("/jobs/ab_010/flow"));
        assert_eq!(expand("%{SHOT}%{SHOT}").as_deref(), Ok("ab_010ab_010"));
        assert_eq!(expand("50%% of %d, 100%").as_deref(), Ok("50% of %d, 100%"));
        assert_eq!(expand("%%{SHOT}").as_deref(), Ok("%{SHOT}"));
        assert_eq!(expand("%{ODD}").as_deref(), Ok("50%{SHOT}%%"), "a value is not expanded again");
        assert_eq!(expand(""), Ok(String::new()));
        let unset = expand("/a/%{NO}/b").expect_err("not set").to_string();
        assert!(unset.contains("NO is not set") && unset.contains("/a/%{NO}/b"), "{unset}");
        assert_eq!(expand("%{}"), Err(NameError::Unset { name: String::new(), text: "%{}".into() }));
        let unclosed = expand("/a/%{SHOT").expect_err("not closed").to_string();
        assert!(unclosed.contains("without a closing }"), "{unclosed}");
    }

    #[test]
    fn variables_are_those_of_the_environment() {
        let (name, value) = env::vars().find(|(name, _)| name == "PATH").expect("a PATH");
        assert_eq!(super::expand(&format!("%{{{name}}}")), Ok(value));
    }

    #[test]
    fn names_become_safe() {
        for (text, safe) in [
            ("Flow1", "Flow1"),
            ("shot 10/v2", "shot 10_v2"),
            ("c:\\x|y*?\"<>", "c__x_y_____"),
            ("水面 Ö", "水面 Ö"),
            ("..", "_"),
            (".hidden", "_hidden"),
            ("end. . ", "end"),
            ("", "flow"),
            ("a\nb\0c", "a_b_c"),
            ("con", "_con"),
            ("Nul.txt", "_Nul.txt"),
            ("LPT1", "_LPT1"),
            ("com²", "_com²"),
            ("COM10", "COM10"),
            ("console", "console"),
            (&format!("con{}x", " ".repeat(100)), "_con"),
            (&"Ö".repeat(80), &"Ö".repeat(50)),
        ] {
            assert_eq!(safe_name(text), safe, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn safe_names_have_their_properties(text in ".{0,200}") {
            let name = safe_name(&text);
            prop_assert!(!name.is_empty() && name.len() <= LONGEST);
            prop_assert!(!name.starts_with('.') && !name.ends_with(['.', ' ']));
            prop_assert!(!name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|']));
            prop_assert!(!name.chars().any(char::is_control) && !is_device(&name));
            prop_assert_eq!(safe_name(&name), name);
        }

        #[test]
        fn names_of_files_are_read_as_they_were_written(key: u128, frame: i64, digits in prop::sample::select(vec![8_usize, 16, 32])) {
            let name = StateName::new(take_of(key, digits), frame);
            prop_assert_eq!(StateName::parse(&name.file()), Some(name));
        }
    }

    #[test]
    fn only_canonical_names_are_parsed() {
        let file = |frame| StateName::new("0123abcd", frame).file();
        assert_eq!(file(7), "flow.0123abcd.0007.exr");
        assert_eq!(file(-5), "flow.0123abcd.-0005.exr");
        assert_eq!(file(123_456), "flow.0123abcd.123456.exr");
        for foreign in [
            "flow.0123abcd.7.exr",
            "flow.0123abcd.00007.exr",
            "flow.0123ABCD.0007.exr",
            "flow.0123abc.0007.exr",
            "flow.0123abcd.0007.EXR",
            "flow.0123abcd.+007.exr",
            "flow.0123abcd.-0000.exr",
            "flow.0123abcd.x.exr",
            "flow.0123abcd.exr",
            "water.0123abcd.0007.exr",
        ] {
            assert_eq!(StateName::parse(foreign), None, "{foreign}");
        }
    }
}
