//! The table of platforms: target triple, folder in the bundle, names of the library.

/// A platform of the bundle.
#[derive(Debug)]
pub struct Platform {
    /// The folder under `Contents`.
    pub folder: &'static str,
    /// The Rust targets of the folder: several are joined into one universal binary.
    pub triples: &'static [&'static str],
    /// The name cargo gives the library.
    pub library: &'static str,
}

/// The name of the library inside every bundle folder.
pub const BINARY: &str = "Flow.ofx";

#[rustfmt::skip]
pub const PLATFORMS: &[Platform] = &[
    Platform { folder: "Linux-x86-64",  triples: &["x86_64-unknown-linux-gnu"],                      library: "libflow_ofx.so" },
    Platform { folder: "Linux-aarch64", triples: &["aarch64-unknown-linux-gnu"],                     library: "libflow_ofx.so" },
    Platform { folder: "MacOS",         triples: &["aarch64-apple-darwin", "x86_64-apple-darwin"],   library: "libflow_ofx.dylib" },
    Platform { folder: "Win64",         triples: &["x86_64-pc-windows-msvc"],                        library: "flow_ofx.dll" },
    Platform { folder: "Win-arm64ec",   triples: &["arm64ec-pc-windows-msvc"],                       library: "flow_ofx.dll" },
];

/// The platform that holds libraries of `triple`.
pub fn of(triple: &str) -> Option<&'static Platform> {
    PLATFORMS.iter().find(|platform| platform.triples.contains(&triple))
}

/// All triples of the table, for messages.
pub fn known() -> String {
    PLATFORMS.iter().flat_map(|platform| platform.triples).copied().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_triple_belongs_to_one_folder() {
        for platform in PLATFORMS {
            for triple in platform.triples {
                let holders = PLATFORMS.iter().filter(|other| other.triples.contains(triple)).count();
                assert_eq!(holders, 1, "{triple}");
                assert_eq!(of(triple).map(|found| found.folder), Some(platform.folder));
            }
        }
        assert!(of("riscv64gc-unknown-linux-gnu").is_none());
    }
}
