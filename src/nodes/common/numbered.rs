//! Names of files with a place for the number of a frame: `name.####.vdb`, `name.%04d.vdb`.

use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::values::Missing;

/// The place for a number in a name: its bytes, and the least number of digits.
fn place(text: &str) -> Option<(Range<usize>, usize)> {
    let name = text.rfind(['/', std::path::MAIN_SEPARATOR]).map_or(0, |at| at + 1);
    if let Some(last) = text[name..].rfind('#').map(|at| name + at) {
        let first = text[name..=last].rfind(|letter| letter != '#').map_or(name, |at| {
            let letter = text[name + at..].chars().next();
            name + at + letter.map_or(1, char::len_utf8)
        });
        return Some((first..last + 1, last + 1 - first));
    }
    // `%%` is a percent sign, and `%{` begins a variable.
    let found = text[name..].match_indices('%').find_map(|(at, _)| {
        let rest = &text[name + at + 1..];
        let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let is_place = rest[digits..].starts_with('d');
        is_place.then(|| (name + at..name + at + digits + 2, rest[..digits].parse().unwrap_or(1)))
    });
    found.map(|(range, digits): (Range<usize>, usize)| (range, digits.min(20)))
}

/// Whether a name has a place for a number.
pub fn is_numbered(text: &str) -> bool {
    place(text).is_some()
}

/// The name with a number in its place; a name without one as it is.
pub fn numbered(text: &str, number: i64) -> String {
    let Some((range, digits)) = place(text) else { return text.to_owned() };
    let sign = if number < 0 { "-" } else { "" };
    format!("{}{sign}{:0digits$}{}", &text[..range.start], number.unsigned_abs(), &text[range.end..])
}

/// The reason why there is no file for a frame.
pub enum Unfound {
    /// The name cannot be expanded; a text for the artist.
    Name(String),
    /// The file cannot be looked at.
    File(PathBuf, io::Error),
}

/// The file of a frame by its name, and what `look` finds there; `path` expands a name. A file of a sequence that is
/// missing is treated as an input's frame that is: `None` without one, or that before, back to `earliest`.
///
/// # Errors
/// [`Unfound`].
pub fn file_at<T>(
    text: &str,
    mut number: i64,
    (missing, earliest): (Missing, i64),
    path: impl Fn(&str) -> Result<PathBuf, String>,
    look: impl Fn(&Path) -> io::Result<T>,
) -> Result<Option<(PathBuf, T)>, Unfound> {
    loop {
        let file = path(&numbered(text, number)).map_err(Unfound::Name)?;
        match look(&file) {
            Ok(found) => return Ok(Some((file, found))),
            Err(error) if error.kind() == ErrorKind::NotFound && is_numbered(text) && missing != Missing::Fail => {
                if missing != Missing::Hold || number <= earliest {
                    return Ok(None);
                }
                number -= 1;
            }
            Err(error) => return Err(Unfound::File(file, error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_in_its_place() {
        let cases = [
            ("a/b.####.vdb", "a/b.0007.vdb"),
            ("a/b.#.vdb", "a/b.7.vdb"),
            ("####", "0007"),
            ("é##.vdb", "é07.vdb"),
            ("a#b/c_##_###.vdb", "a#b/c_##_007.vdb"),
            ("b.%04d.vdb", "b.0007.vdb"),
            ("b.%d.vdb", "b.7.vdb"),
            ("%{SHOT}/b.%03d.vdb", "%{SHOT}/b.007.vdb"),
            ("100%%.vdb", "100%%.vdb"),
            ("a#/b.vdb", "a#/b.vdb"),
            ("b.%x.vdb", "b.%x.vdb"),
            ("", ""),
        ];
        for (text, name) in cases {
            assert_eq!(numbered(text, 7), name);
            assert_eq!(is_numbered(text), text != name);
        }
        assert_eq!(numbered("b.####.vdb", -5), "b.-0005.vdb");
        assert_eq!(numbered("b.##.vdb", 1234), "b.1234.vdb");
    }
}
