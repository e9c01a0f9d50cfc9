//! Exports and imports of a built library, read from the file.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use object::elf::{DF_1_NODELETE, DT_FLAGS_1, FileHeader64};
use object::read::elf::{Dyn as _, FileHeader as _};
use object::{Endianness, Object as _};

/// The exports of a bundle's library: these symbols and no others.
pub const EXPORTS: [&str; 4] = ["FlowDevices", "OfxGetNumberOfPlugins", "OfxGetPlugin", "OfxSetHost"];

/// A version of the C library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Glibc(pub u32, pub u32);

impl fmt::Display for Glibc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

impl std::str::FromStr for Glibc {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split('.').map(str::parse::<u32>);
        match (parts.next(), parts.next()) {
            (Some(Ok(major)), Some(Ok(minor))) => Ok(Self(major, minor)),
            _ => Err(format!("{text:?} is no glibc version; write it like 2.28")),
        }
    }
}

/// Checks a library before it is packed; returns the oldest glibc that it runs on, for Linux.
///
/// # Errors
/// If the library exports anything but [`EXPORTS`], or could be unloaded while its threads run.
pub fn check(path: &Path) -> Result<Option<Glibc>> {
    let data = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let shown = path.display();
    let file = object::File::parse(&*data).with_context(|| format!("{shown} is not a library"))?;
    let exports = file.exports().with_context(|| format!("{shown}: its exports cannot be read"))?;
    // Mach-O names carry a leading underscore.
    let exports: BTreeSet<String> = exports
        .iter()
        .map(|export| String::from_utf8_lossy(export.name()).trim_start_matches('_').to_owned())
        .collect();
    let wanted: BTreeSet<String> = EXPORTS.map(str::to_owned).into();
    if exports != wanted {
        let list = |names: Vec<&String>| match names.len() {
            0 => "none".to_owned(),
            _ => names.iter().take(8).map(|name| name.as_str()).collect::<Vec<_>>().join(", "),
        };
        bail!(
            "{shown} does not export exactly the three OpenFX functions and FlowDevices; missing: {}; too many: {}",
            list(wanted.difference(&exports).collect()),
            list(exports.difference(&wanted).collect())
        );
    }
    if file.format() != object::BinaryFormat::Elf {
        return Ok(None);
    }
    if !stays_loaded(&data).with_context(|| format!("{shown}: its dynamic section cannot be read"))? {
        bail!("{shown} lacks the NODELETE flag, so a host could unload it while its threads run; is build.rs intact?");
    }
    oldest_glibc(&data).with_context(|| format!("{shown}: its version needs cannot be read"))
}

/// The oldest glibc that a library or program runs on.
pub fn oldest_glibc_of(path: &Path) -> Result<Option<Glibc>> {
    let data = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    oldest_glibc(&data).with_context(|| format!("{}: its version needs cannot be read", path.display()))
}

fn stays_loaded(data: &[u8]) -> Result<bool> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let Some((dynamic, _)) = sections.dynamic(endian, data)? else { return Ok(false) };
    let flags = dynamic.iter().filter(|entry| entry.tag(endian) == DT_FLAGS_1);
    Ok(flags.fold(0, |all, entry| all | entry.val(endian)) & u64::from(DF_1_NODELETE) != 0)
}

/// The highest `GLIBC_x.y` among the symbol versions that the library needs.
fn oldest_glibc(data: &[u8]) -> Result<Option<Glibc>> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let Some((mut needs, link)) = sections.gnu_verneed(endian, data)? else { return Ok(None) };
    let strings = sections.strings(endian, data, link)?;
    let mut oldest = None;
    while let Some((_, mut versions)) = needs.next()? {
        while let Some(version) = versions.next()? {
            let name = version.name(endian, strings)?;
            let parsed =
                std::str::from_utf8(name).ok().and_then(|name| name.strip_prefix("GLIBC_")?.parse::<Glibc>().ok());
            oldest = oldest.max(parsed);
        }
    }
    Ok(oldest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        let parse = |text: &str| text.parse::<Glibc>();
        assert!(parse("2.9").unwrap() < parse("2.28").unwrap());
        assert_eq!(parse("2.2.5").unwrap(), Glibc(2, 2));
        assert!(parse("new").is_err() && parse("2").is_err());
    }

    #[test]
    fn a_program_is_no_bundle_library() {
        let this = std::env::current_exe().unwrap();
        let message = format!("{:#}", check(&this).unwrap_err());
        assert!(message.contains("OfxGetPlugin"), "{message}");
    }

    #[test]
    fn the_glibc_version_of_this_program_is_read() {
        if cfg!(all(target_os = "linux", target_env = "gnu")) {
            let data = std::fs::read(std::env::current_exe().unwrap()).unwrap();
            let found = oldest_glibc(&data).unwrap().unwrap();
            assert!(found >= Glibc(2, 17) && found < Glibc(3, 0), "{found}");
        }
    }
}
