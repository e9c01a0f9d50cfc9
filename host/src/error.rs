//! Errors, each with a message on which a person can act.

use std::path::PathBuf;

use crate::Status;

/// Every failure of the host, a plug-in or a file.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// Wrong usage: a flag, a name, a size, a frame range.
    #[error("{0}")]
    Usage(String),
    /// A bundle or library that cannot be opened or is not an OpenFX plug-in.
    #[error("{path}: {message}", path = path.display())]
    Bundle {
        /// The requested file or folder.
        path: PathBuf,
        /// The contents that were found instead.
        message: String,
    },
    /// A file that cannot be read or written.
    #[error("{path}: {message}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        message: String,
    },
    /// A state file that cannot be used.
    #[error(transparent)]
    State(#[from] flow_cache::Refusal),
    /// The plug-in refused an action or failed in it.
    #[error("{plugin}: {action} answered {status}{}", text(message))]
    Plugin {
        /// The plug-in's identifier.
        plugin: String,
        /// The action's name.
        action: String,
        /// The status that the plug-in returned.
        status: Status,
        /// The plug-in's own message; empty if it gave none.
        message: String,
    },
    /// The system has no memory for a picture, in MB.
    #[error(
        "a picture needs {0} MB of memory, which the system does not have: render a smaller frame or a proxy, or raise the \
         limit (ulimit -v)"
    )]
    Memory(usize),
    /// The host no longer renders, because the plug-in left a persistent error message.
    #[error("{plugin}: the host does not render while a message stands: {message}")]
    MessageStands {
        /// The plug-in's identifier.
        plugin: String,
        /// The persistent message.
        message: String,
    },
}

fn text(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}

/// The result of the host's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    pub(crate) fn file(path: impl Into<PathBuf>, message: impl ToString) -> Self {
        Self::File { path: path.into(), message: message.to_string() }
    }

    pub(crate) fn bundle(path: impl Into<PathBuf>, message: impl ToString) -> Self {
        Self::Bundle { path: path.into(), message: message.to_string() }
    }

    /// The error with the name of the input that shows the file, or is wired to what is named.
    pub(crate) fn of_input(self, clip: &str) -> Self {
        match self {
            Self::File { path, message } => Self::File { path, message: format!("{message} (input {clip})") },
            Self::Usage(message) => Self::Usage(format!("input {clip}: {message}")),
            other => other,
        }
    }

    /// The exit code of the command for this error: 2 for wrong usage, otherwise 1.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            _ => 1,
        }
    }
}

/// "a, b, c", or a replacement for an empty list.
pub(crate) fn listing<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

/// The names nearest to `wanted`, best first, for "did you mean …".
pub(crate) fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = wanted.to_lowercase();
    let mut ranked: Vec<(usize, &str)> = names
        .into_iter()
        .map(|name| {
            let other = name.to_lowercase();
            let inside = !lower.is_empty() && (other.contains(&lower) || lower.contains(&other));
            let distance = if inside { 1 } else { edit_distance(&lower, &other) };
            // One of a family: `edgeLeft` and its siblings for `edges`.
            let shared = lower.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
            let family = shared >= 4 && 3 * shared >= 2 * lower.chars().count();
            (if family { distance.min(2) } else { distance }, name)
        })
        .filter(|(distance, _)| *distance <= 1 + lower.chars().count() / 3)
        .collect();
    ranked.sort();
    ranked.into_iter().take(4).map(|(_, name)| name).collect()
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(ca != *cb)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_the_nearest_name() {
        let names = ["speed", "damping", "emitterRate", "emitterRadius"];
        assert_eq!(nearest("sped", names), ["speed"]);
        assert_eq!(nearest("EMITTERRATE", names)[0], "emitterRate");
        assert_eq!(nearest("emitter", names), ["emitterRadius", "emitterRate"]);
        assert_eq!(nearest("edges", ["edgeTop", "edgeLeft", "editor"]), ["edgeLeft", "edgeTop"]);
        assert!(nearest("quux", names).is_empty());
    }
}
